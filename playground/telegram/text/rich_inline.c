#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/telegram/text/formatted.h"
#include "playground/telegram/text/rich_internal.h"

/* Bot API, "Rich Message Limits". */
#define TEXT_MAX   32768 /* characters */
#define BLOCKS_MAX 500   /* also items of lists and rows of tables */
#define LEVELS_MAX 16

/* Undocumented: the words of refusals, but for those of parse_mode; and what counts as a level. A choice:
 * formats, and blocks that hold others. */

void rich_fail(struct rich_reader *r, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	if (r->failed)
		return;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	error_set(r->err, ERROR_OURS, "%s", text.data);
	buf_clear(&text);
	r->failed = true;
}

const struct rich_node *rich_node_at(const struct rich_reader *r, size_t i)
{
	return &r->tree.nodes[i];
}

const char *rich_node_attribute(const struct rich_reader *r, size_t i, const char *name)
{
	return rich_attribute(&r->tree, rich_node_at(r, i), name);
}

void rich_fail_place(struct rich_reader *r, size_t i)
{
	const struct rich_node *n = rich_node_at(r, i);

	if (n->tag)
		rich_fail(r, "can't parse rich message: tag \"%s\" must not be inside of \"%s\"",
		    n->tag->name, n->parent != 0 ? rich_node_at(r, n->parent)->tag->name : "the message");
	else
		rich_fail(r, "can't parse rich message: text must not be inside of \"%s\"",
		    rich_node_at(r, n->parent)->tag->name);
}

void rich_enter(struct rich_reader *r)
{
	if (++r->level > LEVELS_MAX)
		rich_fail(
		    r, "rich message has more than %d levels of nested formatting and blocks", LEVELS_MAX);
}

void rich_count_block(struct rich_reader *r)
{
	if (++r->blocks > BLOCKS_MAX)
		rich_fail(r, "rich message has more than %d blocks", BLOCKS_MAX);
}

void rich_count_characters(struct rich_reader *r, size_t n)
{
	r->characters += n;
	if (r->characters > TEXT_MAX)
		rich_fail(r, "MESSAGE_TOO_LONG");
}

void rich_begin_block(struct rich_reader *r, const char *type, struct buf *out)
{
	rich_count_block(r);
	buf_addf(out, "%s{\"type\":\"%s\"", out->len > 0 && out->data[out->len - 1] == '}' ? "," : "", type);
}

void rich_write_member(struct buf *out, const char *name, const char *text)
{
	buf_addf(out, ",\"%s\":", name);
	json_quote(out, text, strlen(text));
}

static bool is_reference(const struct rich_reader *r, const char *name)
{
	char *line = xasprintf("\n%s\n", name);
	bool found = strstr(r->references.data, line) != NULL;

	free(line);
	return found;
}

/* What a link becomes: its type, and in *members what it has besides; NULL: the platform drops it. */
static const char *read_link(const struct rich_reader *r, const char *url, char **members)
{
	static const struct {
		const char *prefix, *type, *member;
	} kinds[] = {
	    {"mailto:", "email_address", "email_address"},
	    {"tel:", "phone_number", "phone_number"},
	    {"#", "anchor_link", "anchor_name"},
	};
	struct formatted f = FORMATTED_INIT;
	struct buf out = BUF_INIT;
	const char *type = NULL;

	for (size_t i = 0; !type && i < ARRAY_LEN(kinds); i++) {
		size_t len = strlen(kinds[i].prefix);
		bool reference = url[0] == '#' && is_reference(r, url + 1);

		if (strncasecmp(url, kinds[i].prefix, len) != 0)
			continue;
		type = reference ? "reference_link" : kinds[i].type;
		rich_write_member(&out, reference ? "reference_name" : kinds[i].member, url + len);
	}
	if (!type)
		link_add(&f, 0, 1, url);
	if (f.count > 0 && f.entities[0].type == ENTITY_TEXT_LINK) {
		type = "url";
		rich_write_member(&out, "url", f.entities[0].text);
	} else if (f.count > 0) {
		type = "text_mention";
		buf_addstr(&out, ",\"user\":");
		r->source->write_user(&out, f.entities[0].number, r->source->arg);
	}
	formatted_clear(&f);
	*members = buf_take(&out);
	return type;
}

/* Reads what is in the element with that type. Takes members. */
static void read_marked(struct rich_reader *r, size_t i, const char *type, char *members, struct rich_line *l)
{
	size_t span = rich_line_begin(l, type, members);

	rich_enter(r);
	rich_read_inside(r, i, l);
	rich_line_end(l, span);
	r->level--;
}

static void add_anchor(const char *name, struct rich_line *l)
{
	struct buf members = BUF_INIT;

	rich_write_member(&members, "name", name);
	rich_line_add_atom(l, "anchor", buf_take(&members), 0);
}

static void read_a(struct rich_reader *r, size_t i, struct rich_line *l)
{
	const char *href = rich_node_attribute(r, i, "href"), *name = rich_node_attribute(r, i, "name"),
		   *type;
	char *members = NULL;

	if (name)
		add_anchor(name, l);
	type = href ? read_link(r, href, &members) : NULL;
	if (type) {
		read_marked(r, i, type, members, l);
	} else {
		free(members);
		rich_read_inside(r, i, l);
	}
}

/* An atom: its text is one of its members. */
static void read_atom(struct rich_reader *r, size_t i, const char *type, const char *member, const char *more,
    struct rich_line *l)
{
	struct buf text = BUF_INIT, members = BUF_INIT;
	const char *alt = rich_node_attribute(r, i, "alt");

	if (alt)
		buf_addstr(&text, alt);
	rich_tree_text(&r->tree, i, &text);
	rich_write_member(&members, member, text.data);
	buf_addstr(&members, more);
	rich_line_add_atom(l, type, buf_take(&members), utf8_count(text.data, text.len, UTF8_CHARS));
	buf_clear(&text);
}

static void read_emoji(struct rich_reader *r, size_t i, struct rich_line *l)
{
	const char *id = rich_node_attribute(r, i, "emoji-id"), *src = rich_node_attribute(r, i, "src");
	struct formatted f = FORMATTED_INIT;
	struct buf more = BUF_INIT;
	struct error err;

	if (src && strncmp(src, "tg://emoji?id=", 14) == 0)
		id = src + 14;
	if (link_add_special(&f, ENTITY_CUSTOM_EMOJI, 0, 1, id, NULL, &err) != 0) {
		rich_fail(r, "can't parse rich message: %s", err.text);
	} else {
		rich_write_member(&more, "custom_emoji_id", id);
		read_atom(r, i, "custom_emoji", "alternative_text", more.data, l);
	}
	formatted_clear(&f);
	buf_clear(&more);
}

static void read_time(struct rich_reader *r, size_t i, struct rich_line *l)
{
	const char *format = rich_node_attribute(r, i, "format");
	struct formatted f = FORMATTED_INIT;
	struct buf members = BUF_INIT;
	struct error err;

	if (link_add_special(&f, ENTITY_DATE_TIME, 0, 1, rich_node_attribute(r, i, "unix"), format, &err) !=
	    0) {
		rich_fail(r, "can't parse rich message: %s", err.text);
	} else {
		buf_addf(&members, ",\"unix_time\":%" PRId64, f.entities[0].number);
		rich_write_member(&members, "date_time_format", format ? format : "");
		read_marked(r, i, "date_time", buf_take(&members), l);
	}
	formatted_clear(&f);
}

static void read_reference(struct rich_reader *r, size_t i, struct rich_line *l)
{
	const char *name = rich_node_attribute(r, i, "name");
	struct buf members = BUF_INIT;

	rich_write_member(&members, "name", name ? name : "");
	read_marked(r, i, "reference", buf_take(&members), l);
}

/* What is said beside the text of such a block stands elsewhere in it. */
static bool is_beside(const struct rich_reader *r, size_t i)
{
	enum rich_kind around = rich_node_at(r, rich_node_at(r, i)->parent)->kind;

	return rich_node_at(r, i)->kind == RICH_CITE &&
	    (around == RICH_QUOTE || around == RICH_PULL_QUOTE || around == RICH_CAPTION);
}

void rich_read_inline(struct rich_reader *r, size_t i, struct rich_line *l)
{
	const struct rich_node *n = rich_node_at(r, i);

	switch (n->kind) {
	case RICH_TEXT:
		rich_line_add(l, r->tree.text.data + n->from, n->len);
		break;
	case RICH_BREAK:
		rich_line_break(l);
		break;
	case RICH_CODE:
		l->verbatim++;
		read_marked(r, i, n->tag->type, NULL, l);
		l->verbatim--;
		break;
	case RICH_EMOJI:
		read_emoji(r, i, l);
		break;
	case RICH_FORMAT:
		read_marked(r, i, n->tag->type, NULL, l);
		break;
	case RICH_LINK:
		read_a(r, i, l);
		break;
	case RICH_MATH:
		read_atom(r, i, "mathematical_expression", "expression", "", l);
		break;
	case RICH_REFERENCE:
		read_reference(r, i, l);
		break;
	case RICH_TIME:
		read_time(r, i, l);
		break;
	case RICH_BUTTONS:
		rich_fail(r, "buttons of rich messages are not simulated by the playground");
		break;
	default:
		if (!is_beside(r, i))
			rich_fail_place(r, i);
	}
}

void rich_read_inside(struct rich_reader *r, size_t parent, struct rich_line *l)
{
	for (size_t i = rich_node_at(r, parent)->first; i != 0 && !r->failed; i = rich_node_at(r, i)->next)
		rich_read_inline(r, i, l);
}

/* The line is complete; anchors alone are none. */
void rich_finish_line(struct rich_reader *r, struct rich_line *l, bool find)
{
	rich_count_characters(r, rich_line_finish(l));
	if (find && !r->source->skip_entities && !r->failed)
		rich_line_find(l);
}

/* Writes the text in an element as a member; with pre, as it is. */
void rich_write_text(struct rich_reader *r, size_t i, const char *member, bool pre, struct buf *out)
{
	struct rich_line l = {.text = BUF_INIT, .verbatim = pre};

	rich_read_inside(r, i, &l);
	rich_finish_line(r, &l, !pre);
	buf_addf(out, ",\"%s\":", member);
	rich_line_write(&l, out);
	rich_line_clear(&l);
}

size_t rich_find_part(const struct rich_reader *r, size_t parent, enum rich_kind kind)
{
	for (size_t i = rich_node_at(r, parent)->first; i != 0; i = rich_node_at(r, i)->next)
		if (rich_node_at(r, i)->kind == kind)
			return i;
	return 0;
}

bool rich_is_blank(const struct rich_reader *r, size_t i)
{
	const struct rich_node *n = rich_node_at(r, i);
	const char *s = r->tree.text.data + n->from;

	for (size_t at = 0; n->kind == RICH_TEXT && at < n->len; at++)
		if (!isspace((unsigned char)s[at]))
			return false;
	return n->kind == RICH_TEXT;
}

int64_t rich_number(const char *text, int64_t fallback)
{
	char *end;
	long long n = text ? strtoll(text, &end, 10) : 0;

	return text && end != text && n > INT32_MIN && n < INT32_MAX ? n : fallback;
}
