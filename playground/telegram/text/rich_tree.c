#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "playground/telegram/text/formatted.h"
#include "playground/telegram/text/rich_internal.h"

#define NAME_MAX_LEN 32
/* Elements within each other: more than 16 levels need, whatever stands between them. */
#define DEPTH_MAX 100

/* Bot API, "Rich HTML style". */
static const struct rich_tag tags[] = {
    {"a", RICH_LINK, NULL},
    {"aside", RICH_PULL_QUOTE, NULL},
    {"audio", RICH_MEDIA, NULL},
    {"b", RICH_FORMAT, "bold"},
    {"blockquote", RICH_QUOTE, NULL},
    {"br", RICH_BREAK, NULL},
    {"caption", RICH_CAPTION, NULL},
    {"cite", RICH_CITE, NULL},
    {"code", RICH_CODE, "code"},
    {"del", RICH_FORMAT, "strikethrough"},
    {"details", RICH_DETAILS, NULL},
    {"em", RICH_FORMAT, "italic"},
    {"figcaption", RICH_CAPTION, NULL},
    {"figure", RICH_FIGURE, NULL},
    {"footer", RICH_FOOTER, "footer"},
    {"h1", RICH_HEADING, NULL},
    {"h2", RICH_HEADING, NULL},
    {"h3", RICH_HEADING, NULL},
    {"h4", RICH_HEADING, NULL},
    {"h5", RICH_HEADING, NULL},
    {"h6", RICH_HEADING, NULL},
    {"hr", RICH_DIVIDER, NULL},
    {"i", RICH_FORMAT, "italic"},
    {"img", RICH_MEDIA, NULL},
    {"input", RICH_CHECKBOX, NULL},
    {"ins", RICH_FORMAT, "underline"},
    {"li", RICH_ITEM, NULL},
    {"mark", RICH_FORMAT, "marked"},
    {"ol", RICH_LIST, NULL},
    {"p", RICH_PARAGRAPH, NULL},
    {"pre", RICH_PRE, NULL},
    {"s", RICH_FORMAT, "strikethrough"},
    {"strike", RICH_FORMAT, "strikethrough"},
    {"strong", RICH_FORMAT, "bold"},
    {"sub", RICH_FORMAT, "subscript"},
    {"summary", RICH_SUMMARY, NULL},
    {"sup", RICH_FORMAT, "superscript"},
    {"table", RICH_TABLE, NULL},
    {"td", RICH_CELL, NULL},
    {"tg-button", RICH_BUTTONS, NULL},
    {"tg-button-row", RICH_BUTTONS, NULL},
    {"tg-collage", RICH_COLLAGE, "collage"},
    {"tg-document", RICH_MEDIA, NULL},
    {"tg-emoji", RICH_EMOJI, NULL},
    {"tg-map", RICH_MAP, NULL},
    {"tg-math", RICH_MATH, NULL},
    {"tg-math-block", RICH_MATH_BLOCK, NULL},
    {"tg-reference", RICH_REFERENCE, NULL},
    {"tg-slideshow", RICH_COLLAGE, "slideshow"},
    {"tg-spoiler", RICH_FORMAT, "spoiler"},
    {"tg-thinking", RICH_THINKING, "thinking"},
    {"tg-time", RICH_TIME, NULL},
    {"th", RICH_CELL, NULL},
    {"tr", RICH_ROW, NULL},
    {"u", RICH_FORMAT, "underline"},
    {"ul", RICH_LIST, NULL},
    {"video", RICH_MEDIA, NULL},
};

/* Those that have no end tag. */
static const char *const voids[] = {"br", "hr", "img", "input"};

struct parser {
	struct rich_tree *tree;
	const char *s;
	size_t len, at;
	size_t open; /* the innermost element */
	unsigned depth;
	bool lenient;
	struct error *err;
};

static const struct rich_tag *find_tag(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (strcmp(tags[i].name, name) == 0)
			return &tags[i];
	return NULL;
}

static char byte_at(const struct parser *p, size_t i)
{
	return i < p->len ? p->s[i] : '\0';
}

static void skip_spaces(struct parser *p)
{
	while (p->at < p->len && isspace((unsigned char)p->s[p->at]))
		p->at++;
}

/* Source positions mean nothing to who wrote Markdown. */
static int wrong(struct parser *p, size_t at, const char *says, const char *name)
{
	struct buf text = BUF_INIT;

	buf_addstr(&text, says);
	if (name)
		buf_addf(&text, " \"%s\"", name);
	if (!p->lenient)
		buf_addf(&text, " at byte offset %zu", at);
	error_set(p->err, ERROR_OURS, "%s", text.data);
	buf_clear(&text);
	return -1;
}

/* Adds a node at the end of the innermost element. */
static void add_node(struct parser *p, struct rich_node n)
{
	struct rich_tree *t = p->tree;
	size_t i = t->count;

	if (t->count == t->cap) {
		t->cap = t->cap != 0 ? t->cap * 2 : 32;
		t->nodes = xrealloc(t->nodes, t->cap * sizeof(*t->nodes));
	}
	n.parent = p->open;
	t->nodes[t->count++] = n;
	if (i == 0)
		return;
	if (t->nodes[p->open].last != 0)
		t->nodes[t->nodes[p->open].last].next = i;
	else
		t->nodes[p->open].first = i;
	t->nodes[p->open].last = i;
}

static void read_name(struct parser *p, char *name)
{
	size_t n = 0;

	while (p->at < p->len && !isspace((unsigned char)p->s[p->at]) && !strchr("=/>", p->s[p->at])) {
		if (n + 1 < NAME_MAX_LEN)
			name[n++] = (char)tolower((unsigned char)p->s[p->at]);
		p->at++;
	}
	name[n] = '\0';
}

static void read_value(struct parser *p, struct buf *out)
{
	char quote = byte_at(p, p->at);
	bool quoted = quote == '"' || quote == '\'';
	uint32_t cp;

	for (p->at += quoted; p->at < p->len;) {
		char c = p->s[p->at];

		if (quoted ?
			c == quote :
			isspace((unsigned char)c) || c == '>' || (c == '/' && byte_at(p, p->at + 1) == '>'))
			break;
		if (c == '&' && (cp = html_reference(p->s, p->len, &p->at, true)) != 0)
			utf8_encode(out, cp);
		else
			buf_addch(out, p->s[p->at++]);
	}
	p->at += quoted && p->at < p->len;
}

/* Reads "name", or "name=value", which the tree keeps. */
static int read_attribute(struct parser *p, size_t begin)
{
	struct buf *text = &p->tree->text;
	char name[NAME_MAX_LEN];

	read_name(p, name);
	if (name[0] == '\0')
		return wrong(p, begin, "Empty attribute name in the tag", NULL);
	buf_add(text, name, strlen(name) + 1);
	skip_spaces(p);
	if (byte_at(p, p->at) == '=') {
		p->at++;
		skip_spaces(p);
		read_value(p, text);
	}
	buf_addch(text, '\0');
	return 0;
}

static bool has_end(const struct rich_node *n)
{
	for (size_t i = 0; i < ARRAY_LEN(voids); i++)
		if (strcmp(voids[i], n->tag->name) == 0)
			return false;
	return true;
}

static void close_element(struct parser *p)
{
	p->open = p->tree->nodes[p->open].parent;
	p->depth--;
}

/* Closes a paragraph in which a block begins, or the block around it ends. Undocumented: whether the platform
 * does as browsers do. */
static void close_paragraph(struct parser *p)
{
	if (p->tree->nodes[p->open].kind == RICH_PARAGRAPH)
		close_element(p);
}

/* An image is a block, unless it is an emoji. */
static bool is_emoji(const struct rich_tree *t, const struct rich_node *n)
{
	const char *src = strcmp(n->tag->name, "img") == 0 ? rich_attribute(t, n, "src") : NULL;

	return src && strncmp(src, "tg://emoji", strlen("tg://emoji")) == 0;
}

static int start_tag(struct parser *p)
{
	struct rich_node n = {.at = p->at++, .from = p->tree->text.len};
	char name[NAME_MAX_LEN];
	bool ended = false;

	read_name(p, name);
	n.tag = find_tag(name);
	if (!n.tag && !p->lenient)
		return wrong(p, n.at, "Unsupported start tag", name);
	for (skip_spaces(p); byte_at(p, p->at) != '>'; skip_spaces(p)) {
		if (p->at >= p->len)
			return wrong(p, n.at, "Unclosed start tag", name);
		ended = byte_at(p, p->at) == '/';
		if (ended)
			p->at++;
		else if (read_attribute(p, n.at) != 0)
			return -1;
	}
	p->at++;
	if (!n.tag)
		return 0;
	n.len = p->tree->text.len - n.from;
	n.kind = is_emoji(p->tree, &n) ? RICH_EMOJI : n.tag->kind;
	if (n.kind >= RICH_BUTTONS && strcmp(name, "tg-button") != 0)
		close_paragraph(p);
	add_node(p, n);
	if (ended || !has_end(&n))
		return 0;
	p->open = p->tree->count - 1;
	if (n.kind == RICH_PRE && byte_at(p, p->at) == '\n') /* as in HTML, it is none of the text */
		p->at++;
	return ++p->depth <= DEPTH_MAX ? 0 : wrong(p, n.at, "Too many nested tags", NULL);
}

static int end_tag(struct parser *p)
{
	size_t begin = p->at;
	const struct rich_tag *tag;
	char name[NAME_MAX_LEN];

	p->at += 2;
	read_name(p, name);
	skip_spaces(p);
	if (byte_at(p, p->at) != '>')
		return wrong(p, begin, "Unclosed end tag", NULL);
	p->at++;
	tag = find_tag(name);
	if (!tag && p->lenient)
		return 0;
	if (tag && tag->kind != RICH_PARAGRAPH && tag->kind >= RICH_CAPTION)
		close_paragraph(p);
	if (tag && tag->kind == RICH_PARAGRAPH && p->tree->nodes[p->open].kind != RICH_PARAGRAPH)
		return 0; /* a block has closed it */
	if (p->open == 0)
		return wrong(p, begin, "Unexpected end tag", name);
	if (p->tree->nodes[p->open].tag != tag) {
		struct buf text = BUF_INIT;

		buf_addf(
		    &text, "Unmatched end tag, expected \"</%s>\", found", p->tree->nodes[p->open].tag->name);
		wrong(p, begin, text.data, name);
		buf_clear(&text);
		return -1;
	}
	close_element(p);
	return 0;
}

/* Up to the next tag. */
static int read_text(struct parser *p)
{
	struct rich_node node = {.kind = RICH_TEXT, .at = p->at, .from = p->tree->text.len};
	size_t n;
	struct buf *text = &p->tree->text;
	uint32_t cp;

	while (p->at < p->len && p->s[p->at] != '<') {
		if (p->s[p->at] == '&' && (cp = html_reference(p->s, p->len, &p->at, true)) != 0) {
			utf8_encode(text, cp);
			continue;
		}
		n = utf8_decode(p->s + p->at, p->len - p->at, &cp);
		if (n == 0)
			return wrong(p, p->at, "Text is not valid UTF-8", NULL);
		buf_add(text, p->s + p->at, n);
		p->at += n;
	}
	node.len = text->len - node.from;
	add_node(p, node);
	return 0;
}

static bool skip_comment(struct parser *p)
{
	const char *end;

	if (!p->lenient || p->len - p->at < 4 || memcmp(p->s + p->at, "<!--", 4) != 0)
		return false;
	end = memmem(p->s + p->at, p->len - p->at, "-->", 3);
	p->at = end ? (size_t)(end + 3 - p->s) : p->len;
	return true;
}

int rich_tree_read(struct rich_tree *t, const char *s, size_t len, bool lenient, struct error *err)
{
	struct parser p = {.tree = t, .s = s, .len = len, .lenient = lenient, .err = err};
	int ret = 0;

	*t = (struct rich_tree){.text = BUF_INIT};
	add_node(&p, (struct rich_node){.kind = RICH_TEXT});
	while (ret == 0 && p.at < len) {
		if (s[p.at] != '<')
			ret = read_text(&p);
		else if (byte_at(&p, p.at + 1) == '/')
			ret = end_tag(&p);
		else if (!skip_comment(&p))
			ret = start_tag(&p);
	}
	close_paragraph(&p);
	if (ret == 0 && p.open != 0)
		ret = error_set(err, ERROR_OURS, "Can't find end tag corresponding to start tag \"%s\"",
		    t->nodes[p.open].tag->name);
	return ret;
}

void rich_tree_clear(struct rich_tree *t)
{
	free(t->nodes);
	buf_clear(&t->text);
	*t = (struct rich_tree){.text = BUF_INIT};
}

const char *rich_attribute(const struct rich_tree *t, const struct rich_node *n, const char *name)
{
	const char *s = t->text.data + n->from, *end = s + n->len;

	while (n->tag && s < end) {
		const char *value = s + strlen(s) + 1;

		if (strcmp(s, name) == 0)
			return value;
		s = value + strlen(value) + 1;
	}
	return NULL;
}

void rich_tree_text(const struct rich_tree *t, size_t node, struct buf *out)
{
	const struct rich_node *n = &t->nodes[node];

	if (!n->tag)
		buf_add(out, t->text.data + n->from, n->len);
	for (size_t i = n->first; i != 0; i = t->nodes[i].next)
		rich_tree_text(t, i, out);
}
