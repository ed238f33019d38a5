#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "playground/telegram/text/formatted.h"

#define NAME_MAX_LEN 32

struct tag {
	const char *name;
	enum entity_type type;
	const char *attribute, *prefix; /* the relevant attribute, if its value begins so */
};

/* An open element. */
struct element {
	const struct tag *tag;
	char *argument; /* the value of the relevant attribute */
	char *format;   /* of tg-time */
	bool expandable;
	size_t units, bytes; /* where it began in the text */
};

struct parser {
	const char *s;
	size_t len, at;
	struct formatted *out;
	size_t units;
	struct element *open;
	size_t open_count, open_cap;
};

static const struct tag tags[] = {
    {"a", ENTITY_TEXT_LINK, "href", ""},
    {"b", ENTITY_BOLD, NULL, NULL},
    {"blockquote", ENTITY_BLOCKQUOTE, NULL, NULL},
    {"code", ENTITY_CODE, "class", "language-"},
    {"del", ENTITY_STRIKETHROUGH, NULL, NULL},
    {"em", ENTITY_ITALIC, NULL, NULL},
    {"i", ENTITY_ITALIC, NULL, NULL},
    {"ins", ENTITY_UNDERLINE, NULL, NULL},
    {"pre", ENTITY_PRE, NULL, NULL},
    {"s", ENTITY_STRIKETHROUGH, NULL, NULL},
    {"span", ENTITY_SPOILER, "class", "tg-"},
    {"strike", ENTITY_STRIKETHROUGH, NULL, NULL},
    {"strong", ENTITY_BOLD, NULL, NULL},
    {"tg-emoji", ENTITY_CUSTOM_EMOJI, "emoji-id", ""},
    {"tg-spoiler", ENTITY_SPOILER, NULL, NULL},
    {"tg-time", ENTITY_DATE_TIME, "unix", ""},
    {"u", ENTITY_UNDERLINE, NULL, NULL},
};

/* Returns the byte at i, 0 at the end. */
static char byte_at(const struct parser *p, size_t i)
{
	return i < p->len ? p->s[i] : '\0';
}

static bool is_space_at(const struct parser *p)
{
	return p->at < p->len && isspace((unsigned char)p->s[p->at]);
}

static void skip_spaces(struct parser *p)
{
	while (is_space_at(p))
		p->at++;
}

static void add_code_point(struct parser *p, uint32_t cp)
{
	utf8_encode(&p->out->text, cp);
	p->units += cp > 0xffff ? 2 : 1;
}

static uint32_t read_number(const char *s, size_t len, size_t *at)
{
	bool hex = *at < len && s[*at] == 'x';
	uint32_t value = 0;

	*at += hex;
	while (value < 0x110000 && *at < len &&
	    (hex ? isxdigit((unsigned char)s[*at]) : isdigit((unsigned char)s[*at]))) {
		int c = tolower((unsigned char)s[(*at)++]);

		value = value * (hex ? 16 : 10) + (uint32_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
	}
	return value;
}

uint32_t html_reference(const char *s, size_t len, size_t *at, bool rich)
{
	static const struct {
		const char *name;
		uint32_t cp;
	} names[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, /* the others are rich */
	    {"apos", '\''}, {"nbsp", 0xa0}, {"hellip", 0x2026}, {"mdash", 0x2014}, {"ndash", 0x2013},
	    {"lsquo", 0x2018}, {"rsquo", 0x2019}, {"ldquo", 0x201c}, {"rdquo", 0x201d}};
	size_t end = *at + 1, from = end;
	uint32_t cp = 0;

	if (end < len && s[end] == '#') {
		end++;
		cp = read_number(s, len, &end);
		if (cp >= 0x110000 || end - *at >= 10 || (cp >= 0xd800 && cp < 0xe000))
			cp = 0;
	} else {
		while (end < len && isalpha((unsigned char)s[end]))
			end++;
		for (size_t i = 0; i < (rich ? ARRAY_LEN(names) : 4); i++)
			if (strlen(names[i].name) == end - from &&
			    memcmp(names[i].name, s + from, end - from) == 0)
				cp = names[i].cp;
	}
	if (cp != 0)
		*at = end < len && s[end] == ';' ? end + 1 : end;
	return cp;
}

static void read_name(struct parser *p, const char *stop, char *name)
{
	size_t n = 0;

	while (p->at < p->len && !is_space_at(p) && !strchr(stop, p->s[p->at])) {
		if (n + 1 < NAME_MAX_LEN)
			name[n++] = (char)tolower((unsigned char)p->s[p->at]);
		p->at++;
	}
	name[n] = '\0';
}

static const struct tag *find_tag(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (strcmp(tags[i].name, name) == 0)
			return &tags[i];
	return NULL;
}

/* Reads a value in quotes, or a bare word. */
static int read_value(struct parser *p, struct buf *value, struct error *err)
{
	size_t begin = p->at;
	char quote = byte_at(p, p->at);
	uint32_t cp;

	if (quote != '"' && quote != '\'') {
		while (isalnum((unsigned char)byte_at(p, p->at)) || byte_at(p, p->at) == '.' ||
		    byte_at(p, p->at) == '-')
			buf_addch(value, (char)tolower((unsigned char)p->s[p->at++]));
		if (!is_space_at(p) && byte_at(p, p->at) != '>')
			return error_set(
			    err, ERROR_OURS, "Unexpected end of name token at byte offset %zu", begin);
		return 0;
	}
	for (p->at++; p->at < p->len && p->s[p->at] != quote;) {
		if (p->s[p->at] == '&' && (cp = html_reference(p->s, p->len, &p->at, false)) != 0)
			utf8_encode(value, cp);
		else
			buf_addch(value, p->s[p->at++]);
	}
	if (p->at < p->len)
		p->at++;
	return 0;
}

/* Keeps the attribute if the tag uses it. */
static void keep_attribute(struct element *e, const char *name, const struct buf *value)
{
	const struct tag *tag = e->tag;

	if (tag->type == ENTITY_DATE_TIME && strcmp(name, "format") == 0) {
		free(e->format);
		e->format = xstrdup(value->data);
	} else if (tag->attribute && strcmp(name, tag->attribute) == 0 &&
	    strncmp(value->data, tag->prefix, strlen(tag->prefix)) == 0) {
		free(e->argument);
		e->argument = xstrdup(value->data + strlen(tag->prefix));
	}
}

static int read_attribute(struct parser *p, struct element *e, size_t begin, struct error *err)
{
	struct buf value = BUF_INIT;
	char name[NAME_MAX_LEN];
	int ret;

	read_name(p, "=>", name);
	if (name[0] == '\0')
		return error_set(err, ERROR_OURS, "Empty attribute name in the tag \"%s\" at byte offset %zu",
		    e->tag->name, begin);
	skip_spaces(p);
	if (byte_at(p, p->at) != '=') {
		if (e->tag->type == ENTITY_BLOCKQUOTE && strcmp(name, "expandable") == 0) {
			e->expandable = true;
			return 0;
		}
		return error_set(err, ERROR_OURS,
		    "Expected equal sign in declaration of an attribute of the tag \"%s\" at byte offset %zu",
		    e->tag->name, begin);
	}
	p->at++;
	skip_spaces(p);
	if (p->at >= p->len)
		return error_set(
		    err, ERROR_OURS, "Unclosed start tag \"%s\" at byte offset %zu", e->tag->name, begin);
	ret = read_value(p, &value, err);
	if (ret == 0 && strcmp(name, "expandable") == 0 && e->tag->type == ENTITY_BLOCKQUOTE)
		e->expandable = true;
	if (ret == 0)
		keep_attribute(e, name, &value);
	buf_clear(&value);
	return ret;
}

static void push(struct parser *p, const struct element *e)
{
	if (p->open_count == p->open_cap) {
		p->open_cap = p->open_cap != 0 ? p->open_cap * 2 : 8;
		p->open = xrealloc(p->open, p->open_cap * sizeof(*p->open));
	}
	p->open[p->open_count++] = *e;
}

static void clear_element(struct element *e)
{
	free(e->argument);
	free(e->format);
}

static int start_tag(struct parser *p, struct error *err)
{
	struct element e = {.units = p->units, .bytes = p->out->text.len};
	size_t begin = p->at++;
	char name[NAME_MAX_LEN];
	int ret = 0;

	read_name(p, ">", name);
	if (p->at >= p->len)
		return error_set(err, ERROR_OURS, "Unclosed start tag at byte offset %zu", begin);
	e.tag = find_tag(name);
	if (!e.tag)
		return error_set(
		    err, ERROR_OURS, "Unsupported start tag \"%s\" at byte offset %zu", name, begin);
	for (skip_spaces(p); ret == 0 && byte_at(p, p->at) != '>'; skip_spaces(p)) {
		if (p->at >= p->len)
			ret = error_set(err, ERROR_OURS, "Unclosed start tag at byte offset %zu", begin);
		else
			ret = read_attribute(p, &e, begin, err);
	}
	if (ret == 0 && strcmp(name, "span") == 0 && (!e.argument || strcmp(e.argument, "spoiler") != 0))
		ret = error_set(
		    err, ERROR_OURS, "Tag \"span\" must have class \"tg-spoiler\" at byte offset %zu", begin);
	if (ret != 0) {
		clear_element(&e);
		return -1;
	}
	p->at++;
	push(p, &e);
	return 0;
}

/* <pre><code class="language-x"> and the reverse are one entity. */
static bool join_pre(struct formatted *f, struct element *e, size_t length)
{
	struct entity *last = f->count > 0 ? &f->entities[f->count - 1] : NULL;

	if (!last || last->offset != (int32_t)e->units || last->length != (int32_t)length)
		return false;
	if (e->tag->type == ENTITY_PRE && last->type == ENTITY_CODE && last->text) {
		last->type = ENTITY_PRE;
		return true;
	}
	if (e->tag->type == ENTITY_CODE && last->type == ENTITY_PRE && e->argument) {
		free(last->text);
		last->text = e->argument;
		e->argument = NULL;
		return true;
	}
	return false;
}

static int add_entity(struct parser *p, struct element *e, struct error *err)
{
	size_t length = p->units - e->units;
	struct formatted *f = p->out;

	switch (e->tag->type) {
	case ENTITY_TEXT_LINK:
		link_add(f, e->units, length,
		    e->argument && e->argument[0] != '\0' ? e->argument : f->text.data + e->bytes);
		return 0;
	case ENTITY_CUSTOM_EMOJI:
	case ENTITY_DATE_TIME:
		return link_add_special(f, e->tag->type, e->units, length, e->argument, e->format, err);
	case ENTITY_BLOCKQUOTE:
		formatted_add(f, e->expandable ? ENTITY_EXPANDABLE_BLOCKQUOTE : ENTITY_BLOCKQUOTE, e->units,
		    length, NULL);
		return 0;
	case ENTITY_CODE:
	case ENTITY_PRE:
		if (!join_pre(f, e, length))
			formatted_add(f, e->tag->type, e->units, length,
			    e->tag->type == ENTITY_CODE ? xstrdup(e->argument) : NULL);
		return 0;
	default:
		formatted_add(f, e->tag->type, e->units, length, NULL);
		return 0;
	}
}

static int end_tag(struct parser *p, struct error *err)
{
	size_t begin = p->at;
	struct element *e;
	char name[NAME_MAX_LEN];
	int ret = 0;

	if (p->open_count == 0)
		return error_set(err, ERROR_OURS, "Unexpected end tag at byte offset %zu", begin);
	p->at += 2;
	read_name(p, ">", name);
	skip_spaces(p);
	if (byte_at(p, p->at) != '>')
		return error_set(err, ERROR_OURS, "Unclosed end tag at byte offset %zu", begin);
	p->at++;
	e = &p->open[p->open_count - 1];
	if (name[0] != '\0' && strcmp(name, e->tag->name) != 0)
		return error_set(err, ERROR_OURS,
		    "Unmatched end tag at byte offset %zu, expected \"</%s>\", found \"</%s>\"", begin,
		    e->tag->name, name);
	if (p->units > e->units)
		ret = add_entity(p, e, err);
	clear_element(e);
	p->open_count--;
	return ret;
}

static int parse(struct parser *p, struct error *err)
{
	uint32_t cp;
	size_t n;
	int ret = 0;

	while (ret == 0 && p->at < p->len) {
		if (p->s[p->at] == '<') {
			ret = byte_at(p, p->at + 1) == '/' ? end_tag(p, err) : start_tag(p, err);
			continue;
		}
		if (p->s[p->at] == '&' && (cp = html_reference(p->s, p->len, &p->at, false)) != 0) {
			add_code_point(p, cp);
			continue;
		}
		n = utf8_decode(p->s + p->at, p->len - p->at, &cp);
		if (n == 0)
			return error_set(err, ERROR_OURS, "Text is not valid UTF-8");
		add_code_point(p, cp);
		p->at += n;
	}
	if (ret == 0 && p->open_count > 0)
		ret = error_set(err, ERROR_OURS, "Can't find end tag corresponding to start tag \"%s\"",
		    p->open[p->open_count - 1].tag->name);
	return ret;
}

int html_parse(const char *s, size_t len, struct formatted *out, struct error *err)
{
	struct parser p = {.s = s, .len = len, .out = out};
	int ret = parse(&p, err);

	while (p.open_count > 0)
		clear_element(&p.open[--p.open_count]);
	free(p.open);
	for (size_t i = 0; i < out->count; i++) { /* only pre can have a language */
		if (out->entities[i].type == ENTITY_CODE) {
			free(out->entities[i].text);
			out->entities[i].text = NULL;
		}
	}
	return ret;
}
