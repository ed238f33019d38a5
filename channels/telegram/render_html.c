#include "channels/telegram/render_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/table.h"

#define INDENT "    "
#define RULE   "──────────"
/* Wider tables wrap on a phone and become unreadable. */
#define TABLE_COLUMNS 48
/* A longer quote is folded: lines, and bytes of its text. */
#define QUOTE_LINES 8
#define QUOTE_BYTES 600

/* Spans that are a pair of tags. */
static const struct {
	const char *open, *close;
} span_tags[] = {
    [MARKDOWN_CODE] = {"<code>", "</code>"},
    [MARKDOWN_EMPHASIS] = {"<i>", "</i>"},
    [MARKDOWN_STRONG] = {"<b>", "</b>"},
    [MARKDOWN_STRIKE] = {"<s>", "</s>"},
    [MARKDOWN_SPOILER] = {"<tg-spoiler>", "</tg-spoiler>"},
    [MARKDOWN_LINK] = {NULL, NULL},
    [MARKDOWN_IMAGE] = {NULL, NULL},
};

static void render_spans(struct render *r, const struct markdown_node *holder, unsigned active);

static void text_below(struct buf *out, const struct markdown_node *top)
{
	const struct markdown_node *n = top;

	while ((n = markdown_next(top, n))) {
		if (n->type == MARKDOWN_TEXT)
			buf_add(out, n->text, n->len);
	}
}

static void add_target(struct render *r, const struct markdown_node *link)
{
	render_tag(r, "<a href=\"");
	for (size_t i = 0; i < link->len; i++) {
		unsigned char c = (unsigned char)link->text[i];

		if (c <= ' ' || c == 0x7f)
			buf_addf(&r->html, "%%%02X", c);
		else
			render_escape(&r->html, link->text + i, 1);
	}
	render_tag(r, "\">");
}

/* Is the target already to be read in the text? */
static bool says_target(const struct markdown_node *link, const struct buf *text)
{
	const char *target = link->text;

	if (strncmp(target, "mailto:", 7) == 0)
		target += 7;
	return strcmp(text->data, link->text) == 0 || strcmp(text->data, target) == 0;
}

static void render_link(struct render *r, const struct markdown_node *link, unsigned active)
{
	enum render_link what = render_link_of(link->text, link->len);
	bool nested = (active & (1u << MARKDOWN_LINK)) != 0;
	struct buf text = BUF_INIT;

	text_below(&text, link);
	if (what == RENDER_LINKED && !nested) {
		render_text(r, "", 0);
		add_target(r, link);
	}
	if (text.len > 0)
		render_spans(r, link, active | 1u << MARKDOWN_LINK);
	else if (what == RENDER_DROPPED)
		render_str(r, link->type == MARKDOWN_IMAGE ? "image" : "link");
	else
		render_text(r, link->text, link->len);
	if (what == RENDER_LINKED && !nested)
		render_tag(r, "</a>");
	if (what != RENDER_DROPPED && text.len > 0 && !says_target(link, &text)) {
		size_t html = r->html.len, units = r->html_units;

		render_str(r, " (");
		render_text(r, link->text, link->len);
		render_str(r, ")");
		/* HTML has it in the link. */
		if (what == RENDER_LINKED && !nested) {
			buf_truncate(&r->html, html);
			r->html_units = units;
		}
	}
	buf_clear(&text);
}

static void render_span(struct render *r, const struct markdown_node *n, unsigned active)
{
	bool tagged = span_tags[n->type].open && (active & (1u << n->type)) == 0 && !r->verbatim;
	bool verbatim = r->verbatim;

	if (n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE) {
		render_link(r, n, active);
		return;
	}
	if (!n->first)
		return;
	if (tagged)
		render_tag(r, span_tags[n->type].open);
	r->verbatim |= n->type == MARKDOWN_CODE;
	render_spans(r, n, active | 1u << n->type);
	r->verbatim = verbatim;
	if (tagged)
		render_tag(r, span_tags[n->type].close);
}

static void render_spans(struct render *r, const struct markdown_node *holder, unsigned active)
{
	for (const struct markdown_node *n = holder->first; n; n = n->next) {
		if (n->type == MARKDOWN_TEXT)
			render_text(r, n->text, n->len);
		else if (n->type == MARKDOWN_BREAK)
			render_line(r);
		else
			render_span(r, n, active);
	}
}

/* State around pre and blockquote, which start their own line in HTML and are not indented. */
struct raw {
	char *indent;
	bool verbatim;
};

static struct raw raw_begin(struct render *r, unsigned lines)
{
	struct raw raw = {.verbatim = r->verbatim};

	render_block(r, lines);
	if (!r->line_empty)
		render_line(r);
	raw.indent = xstrdup(r->html_indent.data);
	buf_reset(&r->html_indent);
	r->verbatim = true;
	return raw;
}

static void raw_end(struct render *r, struct raw *raw)
{
	buf_reset(&r->html_indent);
	buf_addstr(&r->html_indent, raw->indent);
	free(raw->indent);
	r->verbatim = raw->verbatim;
}

static void render_heading(struct render *r, const struct markdown_node *n, unsigned lines)
{
	if (!n->first)
		return;
	render_block(r, lines);
	render_tag(r, "<b>");
	render_spans(r, n, 1u << MARKDOWN_STRONG);
	render_tag(r, "</b>");
}

static void render_paragraph(struct render *r, const struct markdown_node *n, unsigned lines)
{
	render_block(r, lines);
	render_spans(r, n, 0);
}

static void render_rule(struct render *r, const struct markdown_node *n, unsigned lines)
{
	(void)n;
	render_block(r, lines);
	render_str(r, RULE);
}

/* Accepts what Telegram and its clients accept as a language, not the rest of the info string. */
static bool is_language(const struct markdown_node *n)
{
	if (n->len == 0 || n->len > 32)
		return false;
	for (size_t i = 0; i < n->len; i++) {
		if (!isalnum((unsigned char)n->text[i]) && !strchr("+-#._", n->text[i]))
			return false;
	}
	return true;
}

static void render_code(struct render *r, const struct markdown_node *n, unsigned lines)
{
	struct raw raw;

	if (!n->first)
		return;
	raw = raw_begin(r, lines);
	if (is_language(n))
		buf_addf(&r->html, "<pre><code class=\"language-%s\">", n->text);
	else
		render_tag(r, "<pre>");
	for (const struct markdown_node *line = n->first; line; line = line->next) {
		render_text(r, line->text, line->len);
		if (line->next)
			render_line(r);
	}
	render_tag(r, is_language(n) ? "</code></pre>" : "</pre>");
	raw_end(r, &raw);
}

static void render_blocks(struct render *r, const struct markdown_node *holder, unsigned level);

/* Bullets by nesting, tasks as boxes, numbers as they are. */
static void add_mark(struct render *r, const struct markdown_node *item, unsigned level)
{
	static const char *const bullets[] = {"• ", "◦ ", "▪ "};
	char number[16];

	if (item->ordered) {
		snprintf(number, sizeof(number), "%u. ", item->number);
		render_str(r, number);
	} else if (item->mark == 0) {
		render_str(r, bullets[level % ARRAY_LEN(bullets)]);
	}
	if (item->mark != 0)
		render_str(r, item->mark == 'x' ? "☑ " : "☐ ");
}

static void render_item(struct render *r, const struct markdown_node *item, unsigned level)
{
	size_t html = r->html_indent.len, plain = r->plain_indent.len;

	add_mark(r, item, level);
	buf_addstr(&r->html_indent, INDENT);
	buf_addstr(&r->plain_indent, INDENT);
	r->fresh = true;
	render_blocks(r, item, level + 1);
	r->fresh = false;
	buf_truncate(&r->html_indent, html);
	buf_truncate(&r->plain_indent, plain);
}

static void render_list(struct render *r, const struct markdown_node *list, unsigned lines, unsigned level)
{
	/* An item that starts with a list: the markers follow one another. */
	render_block(r, lines);
	for (const struct markdown_node *item = list->first; item; item = item->next) {
		if (item != list->first)
			render_block(r, list->tight ? 1 : 2);
		render_item(r, item, level);
	}
}

static bool is_long(const struct markdown_node *quote)
{
	const struct markdown_node *n = quote;
	size_t lines = 1, bytes = 0;

	while ((n = markdown_next(quote, n))) {
		lines += n->type == MARKDOWN_BREAK || (n->type < MARKDOWN_CELL && n->parent->first != n);
		bytes += n->len;
	}
	return lines > QUOTE_LINES || bytes > QUOTE_BYTES;
}

static void render_quote(struct render *r, const struct markdown_node *quote, unsigned lines)
{
	size_t plain = r->plain_indent.len;
	bool quoted = r->quoted;
	struct raw raw = {0};

	if (!quote->first)
		return;
	buf_addstr(&r->plain_indent, "> ");
	if (!quoted) {
		/* The line that the quote begins is its own already, in plain text too. */
		buf_truncate(&r->plain_indent, plain);
		raw = raw_begin(r, lines);
		buf_addstr(&r->plain_indent, "> ");
		r->verbatim = raw.verbatim;
		render_tag(r, is_long(quote) ? "<blockquote expandable>" : "<blockquote>");
	} else {
		render_block(r, lines);
		buf_addstr(&r->html_indent, "> ");
	}
	r->quoted = true;
	r->fresh = true;
	render_blocks(r, quote, 0);
	r->fresh = false;
	r->quoted = quoted;
	buf_truncate(&r->plain_indent, plain);
	if (quoted) {
		buf_truncate(&r->html_indent, r->html_indent.len - 2);
	} else {
		render_tag(r, "</blockquote>");
		raw_end(r, &raw);
	}
}

static void render_one(struct render *r, const struct markdown_node *n, unsigned lines, unsigned level);

static void render_table(struct render *r, const struct markdown_node *table, unsigned lines)
{
	struct markdown blocks;

	markdown_table_blocks(&blocks, table, TABLE_COLUMNS);
	for (const struct markdown_node *n = blocks.root->first; n; n = n->next)
		render_one(r, n, n == blocks.root->first ? lines : 2, 0);
	markdown_clear(&blocks);
}

static void render_one(struct render *r, const struct markdown_node *n, unsigned lines, unsigned level)
{
	static void (*const simple[])(struct render *, const struct markdown_node *, unsigned) = {
	    [MARKDOWN_QUOTE] = render_quote,
	    [MARKDOWN_PARAGRAPH] = render_paragraph,
	    [MARKDOWN_HEADING] = render_heading,
	    [MARKDOWN_CODE_BLOCK] = render_code,
	    [MARKDOWN_RULE] = render_rule,
	    [MARKDOWN_TABLE] = render_table,
	};

	if (n->type == MARKDOWN_LIST)
		render_list(r, n, lines, level);
	else if (n->type < ARRAY_LEN(simple) && simple[n->type])
		simple[n->type](r, n, lines);
}

/* How many line ends stand between two blocks. */
static unsigned gap(const struct markdown_node *before, const struct markdown_node *n)
{
	const struct markdown_node *holder = n->parent;

	if (!before || before->type == MARKDOWN_HEADING)
		return 1;
	return holder->type == MARKDOWN_ITEM && holder->tight ? 1 : 2;
}

static void render_blocks(struct render *r, const struct markdown_node *holder, unsigned level)
{
	const struct markdown_node *before = NULL;

	for (const struct markdown_node *n = holder->first; n; n = n->next) {
		render_one(r, n, gap(before, n), level);
		before = n;
	}
}

void render_document(struct render *r, const struct markdown_node *root)
{
	render_blocks(r, root, 0);
}
