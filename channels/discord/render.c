#include "channels/discord/render.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/discord/render_text.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/table.h"
#include "channels/shared/blank.h"
#include "channels/shared/rendering_cache.h"

#define RULE  "──────────"
#define FENCE "```"
/* A fence inside a code block would end it: insert an invisible character. */
#define UNSEEN "\xe2\x80\x8b"
/* Longer targets leave no room for the text. */
#define TARGET_MAX     1024
#define HEADING_LEVELS 3
/* Wider tables wrap on a phone and become unreadable. */
#define TABLE_COLUMNS 56

/* Spans that are a pair of marks. */
static const char *const marks[] = {
    [MARKDOWN_EMPHASIS] = "*",
    [MARKDOWN_STRONG] = "**",
    [MARKDOWN_STRIKE] = "~~",
    [MARKDOWN_SPOILER] = "||",
    [MARKDOWN_IMAGE] = NULL,
};

static void render_spans(struct discord_render *r, const struct markdown_node *holder, unsigned active);
static void render_blocks(struct discord_render *r, const struct markdown_node *holder, unsigned level);

static void text_below(struct buf *out, const struct markdown_node *top)
{
	for (const struct markdown_node *n = top; (n = markdown_next(top, n));) {
		if (n->type == MARKDOWN_TEXT)
			buf_add(out, n->text, n->len);
		else if (n->type == MARKDOWN_BREAK)
			buf_addch(out, ' ');
	}
}

/* Code takes no escapes: its marks are one longer than the backquotes in it. */
static void render_code(struct discord_render *r, const struct markdown_node *n)
{
	struct buf text = BUF_INIT;

	text_below(&text, n);
	if (!memchr(text.data, '`', text.len)) {
		discord_render_mark(r, "`");
		discord_render_put(r, text.data, text.len);
		discord_render_mark(r, "`");
	} else if (!strstr(text.data, "``")) {
		discord_render_mark(r, "`` ");
		discord_render_put(r, text.data, text.len);
		discord_render_mark(r, " ``");
	} else {
		discord_render_words(r, text.data, text.len);
	}
	r->start = false;
	buf_clear(&text);
}

static bool is_linked(const struct markdown_node *link)
{
	const char *s = link->text;
	size_t n = strncasecmp(s, "https://", 8) == 0 ? 8 : strncasecmp(s, "http://", 7) == 0 ? 7 : 0;

	if (n == 0 || link->len <= n || link->len > TARGET_MAX || !isalnum((unsigned char)s[n]))
		return false;
	return true;
}

/* Escapes do not work inside []: write what would end it differently. */
static void add_label(struct discord_render *r, const struct buf *text)
{
	struct buf label = BUF_INIT;

	for (size_t i = 0; i < text->len; i++) {
		char c = text->data[i];
		buf_addch(&label, c == '[' ? '(' : c == ']' ? ')' : c == '\n' || c == '`' ? ' ' : c);
	}
	discord_render_put(r, label.data, label.len);
	buf_clear(&label);
}

static void add_target(struct discord_render *r, const struct markdown_node *link)
{
	struct buf target = BUF_INIT;

	for (size_t i = 0; i < link->len; i++) {
		unsigned char c = (unsigned char)link->text[i];
		if (c <= ' ' || c == 0x7f || strchr("()<>*`\\|", c))
			buf_addf(&target, "%%%02X", c);
		else
			buf_addch(&target, (char)c);
	}
	discord_render_put(r, target.data, target.len);
	buf_clear(&target);
}

/* Does the label look like a URL that leads elsewhere than the link? A client would show it as written. */
static bool is_misleading(const struct buf *text)
{
	return strstr(text->data, "://") || strstr(text->data, "](") || strcasestr(text->data, "www.");
}

static void render_link(struct discord_render *r, const struct markdown_node *link, unsigned active)
{
	struct buf text = BUF_INIT;
	bool linked = is_linked(link);

	text_below(&text, link);
	if (linked && (text.len == 0 || strcmp(text.data, link->text) == 0)) {
		add_target(r, link);
	} else if (linked && !is_misleading(&text)) {
		discord_render_mark(r, "[");
		add_label(r, &text);
		discord_render_mark(r, "](");
		add_target(r, link);
		discord_render_mark(r, ")");
	} else {
		render_spans(r, link, active);
		if (text.len == 0)
			discord_render_mark(r, link->type == MARKDOWN_IMAGE ? "image" : "link");
		if (link->len > 0 && link->len <= TARGET_MAX && link->text[0] != '#' &&
		    !strstr(link->text, text.data)) {
			discord_render_mark(r, " (");
			discord_render_words(r, link->text, link->len);
			discord_render_mark(r, ")");
		}
	}
	r->start = false;
	buf_clear(&text);
}

static void render_span(struct discord_render *r, const struct markdown_node *n, unsigned active)
{
	bool marked = marks[n->type] && (active & (1u << n->type)) == 0;

	if (n->type == MARKDOWN_CODE) {
		render_code(r, n);
		return;
	}
	if (n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE) {
		render_link(r, n, active);
		return;
	}
	if (!n->first)
		return;
	if (marked)
		discord_render_mark(r, marks[n->type]);
	/* After inline markup nothing starts a line. */
	r->start = r->start && !marked;
	render_spans(r, n, active | 1u << n->type);
	if (marked)
		discord_render_mark(r, marks[n->type]);
}

static void render_spans(struct discord_render *r, const struct markdown_node *holder, unsigned active)
{
	for (const struct markdown_node *n = holder->first; n; n = n->next) {
		if (n->type == MARKDOWN_TEXT)
			discord_render_words(r, n->text, n->len);
		else if (n->type == MARKDOWN_BREAK)
			discord_render_line(r);
		else
			render_span(r, n, active);
	}
}

static void render_heading(struct discord_render *r, const struct markdown_node *n, unsigned lines)
{
	static const char *const levels[] = {"# ", "## ", "### "};
	bool sized = n->number >= 1 && n->number <= HEADING_LEVELS;

	if (!n->first)
		return;
	discord_render_block(r, lines);
	discord_render_mark(r, sized ? levels[n->number - 1] : "**");
	r->start = false;
	render_spans(r, n, sized ? 0 : 1u << MARKDOWN_STRONG);
	if (!sized)
		discord_render_mark(r, "**");
}

static void render_paragraph(struct discord_render *r, const struct markdown_node *n, unsigned lines)
{
	discord_render_block(r, lines);
	render_spans(r, n, 0);
}

static void render_rule(struct discord_render *r, const struct markdown_node *n, unsigned lines)
{
	(void)n;
	discord_render_block(r, lines);
	discord_render_mark(r, RULE);
}

/* Is it a language to highlight? Clients take a first line with blanks for code. */
static bool is_language(const struct markdown_node *n)
{
	if (n->len == 0 || n->len > 32)
		return false;
	for (size_t i = 0; i < n->len; i++)
		if (!isalnum((unsigned char)n->text[i]) && !strchr("+-#._", n->text[i]))
			return false;
	return true;
}

static void add_code_text(struct discord_render *r, const char *s, size_t len)
{
	const char *end = s + len, *at;

	while ((at = memmem(s, (size_t)(end - s), FENCE, 3))) {
		discord_render_put(r, s, (size_t)(at - s));
		for (s = at; s < end && *s == '`'; s++)
			discord_render_mark(r, "`" UNSEEN);
	}
	discord_render_put(r, s, (size_t)(end - s));
}

static void render_code_block(struct discord_render *r, const struct markdown_node *n, unsigned lines)
{
	char *indent;

	if (!n->first)
		return;
	indent = xstrdup(r->indent.data);
	discord_render_block(r, lines);
	if (!r->line_empty)
		discord_render_line(r);
	/* Blanks in front of a line of code would be part of it. */
	buf_reset(&r->indent);
	buf_addstr(&r->indent, r->quoted ? "> " : "");
	discord_render_mark(r, FENCE);
	discord_render_put(r, n->text, is_language(n) ? n->len : 0);
	discord_render_line(r);
	for (const struct markdown_node *line = n->first; line; line = line->next) {
		add_code_text(r, line->text, line->len);
		if (line->next && !line->continues)
			discord_render_line(r);
	}
	if (!r->line_empty)
		discord_render_line(r);
	discord_render_mark(r, FENCE);
	buf_reset(&r->indent);
	buf_addstr(&r->indent, indent);
	free(indent);
	r->start = false;
}

static void render_item(struct discord_render *r, const struct markdown_node *item, unsigned level)
{
	size_t before = r->indent.len;
	char number[16];

	if (item->ordered) {
		snprintf(number, sizeof(number), "%u. ", item->number);
		discord_render_mark(r, number);
	} else {
		discord_render_mark(r, "- ");
	}
	if (item->mark != 0)
		discord_render_mark(r, item->mark == 'x' ? "☑ " : "☐ ");
	buf_addstr(&r->indent, item->ordered ? "   " : "  ");
	/* A list marker may follow another one. */
	r->start = true;
	r->fresh = true;
	render_blocks(r, item, level + 1);
	r->fresh = false;
	buf_truncate(&r->indent, before);
}

static void render_list(
    struct discord_render *r, const struct markdown_node *list, unsigned lines, unsigned level)
{
	discord_render_block(r, lines);
	for (const struct markdown_node *item = list->first; item; item = item->next) {
		if (item != list->first)
			discord_render_block(r, 1);
		render_item(r, item, level);
	}
}

/* Quotes do not hold one another: an inner one is a part of the outer. */
static void render_quote(struct discord_render *r, const struct markdown_node *quote, unsigned lines)
{
	size_t before = r->indent.len;
	bool quoted = r->quoted;
	char *indent;

	if (!quote->first)
		return;
	discord_render_block(r, lines);
	if (quoted) {
		r->fresh = true;
		render_blocks(r, quote, 0);
		return;
	}
	if (!r->line_empty)
		discord_render_line(r);
	/* A quote begins at the beginning of its line. */
	indent = xstrndup(r->indent.data, before);
	buf_reset(&r->indent);
	buf_addstr(&r->indent, "> ");
	r->quoted = r->fresh = true;
	render_blocks(r, quote, 0);
	r->fresh = r->quoted = false;
	buf_reset(&r->indent);
	buf_addstr(&r->indent, indent);
	free(indent);
}

static void render_one(
    struct discord_render *r, const struct markdown_node *n, unsigned lines, unsigned level);

static void render_table(struct discord_render *r, const struct markdown_node *table, unsigned lines)
{
	struct markdown blocks;

	markdown_table_blocks(&blocks, table, TABLE_COLUMNS);
	for (const struct markdown_node *n = blocks.root->first; n; n = n->next)
		render_one(r, n, n == blocks.root->first ? lines : 2, 0);
	markdown_clear(&blocks);
}

static void render_one(
    struct discord_render *r, const struct markdown_node *n, unsigned lines, unsigned level)
{
	static void (*const simple[])(struct discord_render *, const struct markdown_node *, unsigned) = {
	    [MARKDOWN_QUOTE] = render_quote,
	    [MARKDOWN_PARAGRAPH] = render_paragraph,
	    [MARKDOWN_HEADING] = render_heading,
	    [MARKDOWN_CODE_BLOCK] = render_code_block,
	    [MARKDOWN_RULE] = render_rule,
	    [MARKDOWN_TABLE] = render_table,
	};

	if (n->type == MARKDOWN_LIST)
		render_list(r, n, lines, level);
	else if (n->type < ARRAY_LEN(simple) && simple[n->type])
		simple[n->type](r, n, lines);
}

/* How many line ends stand between two blocks. What follows a quote or list must not become a part of it. */
static unsigned gap(const struct markdown_node *before, const struct markdown_node *n)
{
	if (!before || before->type == MARKDOWN_HEADING || before->type == MARKDOWN_CODE_BLOCK)
		return 1;
	return n->parent->type == MARKDOWN_ITEM && n->parent->tight ? 1 : 2;
}

static void render_blocks(struct discord_render *r, const struct markdown_node *holder, unsigned level)
{
	const struct markdown_node *before = NULL;

	for (const struct markdown_node *n = holder->first; n; n = n->next) {
		render_one(r, n, gap(before, n), level);
		before = n;
	}
}

static struct rendering_cache kept = {.free = free};

void discord_render_keep(const char *markdown, struct buf *text)
{
	rendering_cache_put(&kept, markdown, buf_take(text));
}

void discord_render(struct buf *out, const char *markdown)
{
	struct discord_render r = DISCORD_RENDER_INIT;
	struct buf clean = BUF_INIT;
	struct markdown doc;
	const char *cached = rendering_cache_get(&kept, markdown);

	if (cached) {
		buf_addstr(out, cached);
		return;
	}
	utf8_sanitize(&clean, markdown, strlen(markdown));
	markdown_parse(&doc, clean.data, clean.len);
	render_blocks(&r, doc.root, 0);
	markdown_clear(&doc);
	/* Markdown can hide all of a text, such as one that only defines a link: then it is shown as it
	 * is. */
	if (text_is_blank(r.out.data) && !text_is_blank(clean.data)) {
		buf_reset(&r.out);
		discord_render_words(&r, clean.data, clean.len);
	}
	buf_add(out, r.out.data, r.out.len);
	buf_clear(&r.out);
	buf_clear(&r.indent);
	buf_clear(&clean);
}

size_t discord_render_chars(const char *text, size_t len)
{
	return utf8_count(text, len, UTF8_CHARS);
}
