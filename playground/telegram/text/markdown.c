#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/telegram/text/formatted.h"

/* An open entity. */
struct mark {
	enum entity_type type;
	char *language;              /* of pre */
	size_t units, bytes, source; /* where it began, in the text and in the source */
};

struct parser {
	const char *s;
	size_t len, at;
	struct formatted *out;
	size_t units;
	struct mark *open;
	size_t open_count, open_cap;
	bool in_quote, line_start;
};

static char byte_at(const struct parser *p, size_t i)
{
	return i < p->len ? p->s[i] : '\0';
}

static bool stands(const struct parser *p, const char *what)
{
	return p->len - p->at >= strlen(what) && memcmp(p->s + p->at, what, strlen(what)) == 0;
}

static struct mark *top(struct parser *p)
{
	return p->open_count > 0 ? &p->open[p->open_count - 1] : NULL;
}

/* Copies the code point at p->at. */
static int copy_one(struct parser *p, struct error *err)
{
	uint32_t cp;
	size_t n = utf8_decode(p->s + p->at, p->len - p->at, &cp);

	if (n == 0)
		return error_set(err, ERROR_OURS, "Text is not valid UTF-8");
	buf_add(&p->out->text, p->s + p->at, n);
	p->units += n == 4 ? 2 : 1;
	p->at += n;
	p->line_start = cp == '\n';
	return 0;
}

static bool is_escaped(const struct parser *p)
{
	unsigned char next = (unsigned char)byte_at(p, p->at + 1);

	return p->s[p->at] == '\\' && next > 0 && next <= 126;
}

static void push(struct parser *p, enum entity_type type, char *language, size_t source)
{
	if (p->open_count == p->open_cap) {
		p->open_cap = p->open_cap != 0 ? p->open_cap * 2 : 8;
		p->open = xrealloc(p->open, p->open_cap * sizeof(*p->open));
	}
	p->open[p->open_count++] = (struct mark){type, language, p->units, p->out->text.len, source};
}

static void pop(struct parser *p)
{
	free(p->open[--p->open_count].language);
}

static bool is_reserved(struct parser *p)
{
	const struct mark *m = top(p);

	if (m && (m->type == ENTITY_CODE || m->type == ENTITY_PRE))
		return p->s[p->at] == '`';
	return p->s[p->at] != '\0' && strchr("_*[]()~`>#+-=|{}.!\n", p->s[p->at]);
}

/* Does the newest open entity end here? */
static bool is_end(struct parser *p)
{
	const struct mark *m = top(p);

	if (!m)
		return false;
	if (p->in_quote && p->s[p->at] == '\n' && byte_at(p, p->at + 1) != '>')
		return true;
	switch (m->type) {
	case ENTITY_BOLD:
		return stands(p, "*");
	case ENTITY_ITALIC:
		return stands(p, "_") && !stands(p, "__");
	case ENTITY_UNDERLINE:
		return stands(p, "__");
	case ENTITY_STRIKETHROUGH:
		return stands(p, "~");
	case ENTITY_SPOILER:
		return stands(p, "||");
	case ENTITY_CODE:
		return stands(p, "`");
	case ENTITY_PRE:
		return stands(p, "```");
	case ENTITY_TEXT_LINK:
	case ENTITY_CUSTOM_EMOJI:
		return stands(p, "]");
	default:
		return false;
	}
}

/* The language of a fence, and the one line break after it. */
static char *read_language(struct parser *p)
{
	size_t end = p->at;
	char *language = NULL;

	while (end < p->len && !isspace((unsigned char)p->s[end]) && p->s[end] != '`')
		end++;
	if (end > p->at && end < p->len && p->s[end] != '`') {
		language = xstrndup(p->s + p->at, end - p->at);
		p->at = end;
	}
	if (stands(p, "\r\n"))
		p->at += 2;
	else if (stands(p, "\n") || stands(p, "\r"))
		p->at++;
	return language;
}

static int reserved_error(const struct parser *p, struct error *err)
{
	return error_set(err, ERROR_OURS,
	    "Character '%c' is reserved and must be escaped with the preceding '\\'", p->s[p->at]);
}

/* A line break that does not end a quote; a quote may begin or continue after it. */
static int line_break(struct parser *p, struct error *err)
{
	if (copy_one(p, err) != 0)
		return -1;
	if (p->in_quote && stands(p, ">"))
		p->at++;
	return 0;
}

static const struct {
	const char *text;
	enum entity_type type;
} marks[] = {
    {"__", ENTITY_UNDERLINE},
    {"_", ENTITY_ITALIC},
    {"*", ENTITY_BOLD},
    {"~", ENTITY_STRIKETHROUGH},
    {"||", ENTITY_SPOILER},
    {"[", ENTITY_TEXT_LINK},
    {"![", ENTITY_CUSTOM_EMOJI},
    {"```", ENTITY_PRE},
    {"`", ENTITY_CODE},
};

/* "||" at the very end of a quote makes it expandable. */
static bool is_expandable_end(struct parser *p)
{
	char next = byte_at(p, p->at + 2);

	return stands(p, "||") && top(p) && top(p)->type == ENTITY_BLOCKQUOTE && p->units > top(p)->units &&
	    (next == '\0' || next == '\n');
}

static int open_mark(struct parser *p, struct error *err)
{
	size_t begin = p->at;

	if (p->s[begin] == '\n')
		return line_break(p, err);
	if (p->s[begin] == '>' && p->line_start && !p->in_quote) {
		p->at++;
		p->in_quote = true;
		push(p, ENTITY_BLOCKQUOTE, NULL, begin);
		return 0;
	}
	if (is_expandable_end(p)) {
		top(p)->type = ENTITY_EXPANDABLE_BLOCKQUOTE;
		p->at += 2;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		if (!stands(p, marks[i].text))
			continue;
		p->at += strlen(marks[i].text);
		push(p, marks[i].type, marks[i].type == ENTITY_PRE ? read_language(p) : NULL, begin);
		return 0;
	}
	return reserved_error(p, err);
}

/* Reads "(url)" at p->at; without it the text itself is the URL. */
static int read_url(struct parser *p, const struct mark *m, struct buf *url, struct error *err)
{
	size_t begin;

	if (!stands(p, "(")) {
		buf_add(url, p->out->text.data + m->bytes, p->out->text.len - m->bytes);
		return 0;
	}
	begin = ++p->at;
	while (p->at < p->len && p->s[p->at] != ')') {
		if (is_escaped(p))
			p->at++;
		buf_addch(url, p->s[p->at++]);
	}
	if (p->at >= p->len)
		return error_set(err, ERROR_OURS, "Can't find end of a URL at byte offset %zu", begin);
	p->at++;
	return 0;
}

static int add_special(
    struct parser *p, const struct mark *m, size_t length, const char *url, struct error *err)
{
	static const char emoji[] = "tg://emoji?id=", unix_time[] = "tg://time?unix=";
	char *value, *format;
	int ret;

	if (strncasecmp(url, emoji, sizeof(emoji) - 1) == 0)
		return link_add_special(
		    p->out, ENTITY_CUSTOM_EMOJI, m->units, length, url + sizeof(emoji) - 1, NULL, err);
	if (strncasecmp(url, unix_time, sizeof(unix_time) - 1) != 0)
		return error_set(err, ERROR_OURS, "Custom emoji entity must contain a tg://emoji URL");
	format = strstr(url, "&format=");
	value = xstrndup(url + sizeof(unix_time) - 1, strcspn(url + sizeof(unix_time) - 1, "&"));
	ret = link_add_special(
	    p->out, ENTITY_DATE_TIME, m->units, length, value, format ? format + 8 : NULL, err);
	free(value);
	return ret;
}

static int close_link(struct parser *p, struct mark *m, size_t length, struct error *err)
{
	struct buf url = BUF_INIT;
	int ret;

	p->at++;
	ret = read_url(p, m, &url, err);
	if (ret == 0 && length > 0) {
		if (m->type == ENTITY_CUSTOM_EMOJI)
			ret = add_special(p, m, length, url.data, err);
		else
			link_add(p->out, m->units, length, url.data);
	}
	buf_clear(&url);
	return ret;
}

static int end_error(const struct mark *m, struct error *err)
{
	static const char *const names[ENTITY_TYPES] = {
	    [ENTITY_TEXT_LINK] = "TextUrl",
	    [ENTITY_BOLD] = "Bold",
	    [ENTITY_ITALIC] = "Italic",
	    [ENTITY_UNDERLINE] = "Underline",
	    [ENTITY_STRIKETHROUGH] = "Strikethrough",
	    [ENTITY_SPOILER] = "Spoiler",
	    [ENTITY_CODE] = "Code",
	    [ENTITY_PRE] = "Pre",
	    [ENTITY_CUSTOM_EMOJI] = "CustomEmoji",
	};

	return error_set(err, ERROR_OURS, "Can't find end of %s entity at byte offset %zu",
	    names[m->type] ? names[m->type] : "BlockQuote", m->source);
}

static bool is_quote(const struct mark *m)
{
	return m->type == ENTITY_BLOCKQUOTE || m->type == ENTITY_EXPANDABLE_BLOCKQUOTE;
}

static void close_quote(struct parser *p)
{
	struct mark *m = top(p);

	formatted_add(p->out, m->type, m->units, p->units - m->units, NULL);
	p->in_quote = false;
	pop(p);
}

static int close_mark(struct parser *p, struct error *err)
{
	struct mark *m = top(p);
	size_t length = p->units - m->units;
	int ret = 0;

	if (p->s[p->at] == '\n') {
		if (!is_quote(m))
			return end_error(m, err);
		close_quote(p);
		return copy_one(p, err);
	}
	if (m->type == ENTITY_TEXT_LINK || m->type == ENTITY_CUSTOM_EMOJI) {
		ret = close_link(p, m, length, err);
	} else {
		for (size_t i = 0; i < ARRAY_LEN(marks); i++)
			if (marks[i].type == m->type)
				p->at += strlen(marks[i].text);
		formatted_add(p->out, m->type, m->units, length, m->language);
		m->language = NULL;
	}
	pop(p);
	return ret;
}

static int parse(struct parser *p, struct error *err)
{
	int ret = 0;

	while (ret == 0 && p->at < p->len) {
		if (is_escaped(p)) {
			p->at++;
			ret = copy_one(p, err);
		} else if (!is_reserved(p)) {
			ret = copy_one(p, err);
		} else {
			ret = is_end(p) ? close_mark(p, err) : open_mark(p, err);
		}
	}
	if (ret == 0 && p->in_quote && is_quote(top(p)))
		close_quote(p);
	if (ret == 0 && p->open_count > 0)
		ret = end_error(top(p), err);
	return ret;
}

int markdown_parse_v2(const char *s, size_t len, struct formatted *out, struct error *err)
{
	struct parser p = {.s = s, .len = len, .out = out, .line_start = true};
	int ret = parse(&p, err);

	while (p.open_count > 0)
		pop(&p);
	free(p.open);
	return ret;
}
