#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/telegram/text/formatted.h"
#include "playground/telegram/text/rich_internal.h"

/* Stands for an atom: U+FFFC. */
#define ATOM "\xef\xbf\xbc"

static bool ends_blank(const struct rich_line *l)
{
	return l->text.len == 0 || strchr(" \n", l->text.data[l->text.len - 1]);
}

void rich_line_add(struct rich_line *l, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool blank = strchr(" \t\r\n\f", s[i]) && s[i] != '\0';

		if (l->verbatim > 0 || !blank)
			buf_addch(&l->text, s[i]);
		else if (!ends_blank(l))
			buf_addch(&l->text, ' ');
	}
}

/* What was marked there ends, or begins, at the new end. */
static void trim_end(struct rich_line *l, const char *blanks)
{
	size_t len = l->text.len;

	while (len > 0 && strchr(blanks, l->text.data[len - 1]))
		len--;
	for (size_t i = 0; len < l->text.len && i < l->count; i++) {
		struct rich_span *s = &l->spans[i];

		s->from = s->from < len ? s->from : len;
		if (s->to != SIZE_MAX && s->to > len)
			s->to = len;
	}
	buf_truncate(&l->text, len);
}

void rich_line_break(struct rich_line *l)
{
	if (l->verbatim == 0)
		trim_end(l, " ");
	buf_addch(&l->text, '\n');
}

size_t rich_line_begin(struct rich_line *l, const char *type, char *members)
{
	if (l->count == l->cap) {
		l->cap = l->cap != 0 ? l->cap * 2 : 8;
		l->spans = xrealloc(l->spans, l->cap * sizeof(*l->spans));
	}
	l->spans[l->count] = (struct rich_span){
	    .from = l->text.len, .to = SIZE_MAX, .order = l->count, .type = type, .members = members};
	return l->count++;
}

void rich_line_end(struct rich_line *l, size_t span)
{
	l->spans[span].to = l->text.len;
}

void rich_line_add_atom(struct rich_line *l, const char *type, char *members, size_t characters)
{
	size_t span = rich_line_begin(l, type, members);

	buf_addstr(&l->text, ATOM);
	l->spans[span].atom = true;
	l->hidden += characters;
	rich_line_end(l, span);
}

size_t rich_line_finish(struct rich_line *l)
{
	size_t atoms = 0, to = 0;

	trim_end(l, l->verbatim > 0 ? "\n" : " \n");
	for (size_t i = 0; i < l->count; i++) {
		struct rich_span *s = &l->spans[i];

		s->to = s->to < l->text.len ? s->to : l->text.len;
		if (s->from >= s->to) { /* it holds nothing */
			free(s->members);
			continue;
		}
		atoms += s->atom;
		l->spans[to++] = *s;
	}
	l->count = to;
	return utf8_count(l->text.data, l->text.len, UTF8_CHARS) - atoms + l->hidden;
}

bool rich_line_is_anchors(const struct rich_line *l)
{
	size_t len = 0;

	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->spans[i].type, "anchor") != 0)
			return false;
		len += l->spans[i].to - l->spans[i].from;
	}
	return l->count > 0 && len + l->count > l->text.len && len <= l->text.len;
}

/* Nothing is found in those. */
static bool is_closed(const struct rich_span *s)
{
	static const char *const closed[] = {"anchor_link", "code", "date_time", "email_address",
	    "phone_number", "reference_link", "text_mention", "url"};

	for (size_t i = 0; i < ARRAY_LEN(closed); i++)
		if (strcmp(closed[i], s->type) == 0)
			return true;
	return s->atom;
}

/* What was found becomes a span; its member has the text.
 * Undocumented: that of a URL has no scheme where the text has none; whether a member has the sign before the
 * name: @, # or $; the name of a user has it nowhere in the Bot API, what clients call a hashtag, a cashtag
 * and a command has it. */
static void add_found(struct rich_line *l, enum entity_type type, size_t from, size_t to)
{
	static const struct {
		const char *type, *member;
	} found[ENTITY_TYPES] = {
	    [ENTITY_MENTION] = {"mention", "username"},
	    [ENTITY_HASHTAG] = {"hashtag", "hashtag"},
	    [ENTITY_CASHTAG] = {"cashtag", "cashtag"},
	    [ENTITY_BOT_COMMAND] = {"bot_command", "bot_command"},
	    [ENTITY_URL] = {"url", "url"},
	    [ENTITY_EMAIL] = {"email_address", "email_address"},
	};
	size_t skip = type == ENTITY_MENTION, span;
	struct buf members = BUF_INIT;

	buf_addf(&members, ",\"%s\":", found[type].member);
	json_quote(&members, l->text.data + from + skip, to - from - skip);
	span = rich_line_begin(l, found[type].type, buf_take(&members));
	l->spans[span].from = from;
	l->spans[span].to = to;
}

void rich_line_find(struct rich_line *l)
{
	struct formatted f = FORMATTED_INIT;
	size_t bytes = 0, units = 0;

	buf_add(&f.text, l->text.data, l->text.len);
	for (size_t i = 0; i < l->count; i++) { /* in the order in which they begin */
		const struct rich_span *s = &l->spans[i];

		units += utf8_count(f.text.data + bytes, s->from - bytes, UTF8_UTF16);
		bytes = s->from;
		formatted_add(&f, is_closed(s) ? ENTITY_CODE : ENTITY_BOLD, units,
		    utf8_count(f.text.data + s->from, s->to - s->from, UTF8_UTF16), NULL);
	}
	bytes = units = 0;
	entities_find(&f);
	for (size_t i = l->count, n = f.count; i < n; i++) { /* in the order of the text */
		const struct entity *e = &f.entities[i];
		size_t from = bytes +
		    utf8_cut(f.text.data + bytes, f.text.len - bytes, (size_t)e->offset - units, UTF8_UTF16);

		bytes = from + utf8_cut(f.text.data + from, f.text.len - from, (size_t)e->length, UTF8_UTF16);
		units = (size_t)(e->offset + e->length);
		add_found(l, e->type, from, bytes);
	}
	formatted_clear(&f);
}

static int compare(const void *a, const void *b)
{
	const struct rich_span *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to > y->to ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void write_part(struct buf *out, size_t *parts, const char *s, size_t len)
{
	if (len == 0)
		return;
	if ((*parts)++ > 0)
		buf_addch(out, ',');
	json_quote(out, s, len);
}

/* Writes what stands in a range; *i is the first span there, then the one after it. One part stands alone,
 * several are an array. */
static void write_range(const struct rich_line *l, size_t from, size_t to, size_t *i, struct buf *out)
{
	const char *s = l->text.data;
	struct buf array = BUF_INIT;
	size_t parts = 0;

	while (*i < l->count && l->spans[*i].from < to) {
		const struct rich_span *span = &l->spans[(*i)++];

		write_part(&array, &parts, s + from, span->from - from);
		buf_addf(&array, "%s{\"type\":\"%s\"", parts++ > 0 ? "," : "", span->type);
		if (!span->atom) {
			buf_addstr(&array, ",\"text\":");
			write_range(l, span->from, span->to, i, &array);
		}
		buf_addf(&array, "%s}", span->members ? span->members : "");
		from = span->to;
	}
	write_part(&array, &parts, s + from, to - from);
	if (parts == 0)
		buf_addstr(&array, "\"\"");
	if (parts > 1)
		buf_addch(out, '[');
	buf_add(out, array.data, array.len);
	if (parts > 1)
		buf_addch(out, ']');
	buf_clear(&array);
}

void rich_line_write(const struct rich_line *l, struct buf *out)
{
	size_t i = 0;

	if (l->count > 1)
		qsort(l->spans, l->count, sizeof(*l->spans), compare);
	write_range(l, 0, l->text.len, &i, out);
}

void rich_line_clear(struct rich_line *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->spans[i].members);
	free(l->spans);
	buf_clear(&l->text);
	*l = (struct rich_line){.text = BUF_INIT};
}
