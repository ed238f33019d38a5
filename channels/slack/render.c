#include "channels/slack/render.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/split.h"
#include "channels/markdown/table.h"
#include "channels/shared/blank.h"
#include "channels/shared/rendering_cache.h"

#define INDENT "    "
/* Longer targets leave no room for the text. */
#define TARGET_MAX 1024
#define RULE       "──────────"
/* Wider tables wrap and become unreadable. */
#define TABLE_COLUMNS 72
/* Markup counts only next to a blank or punctuation; this one is invisible. */
#define ZERO_WIDTH "\xe2\x80\x8b"

/* Spans that have a mark; Slack has no spoilers. */
static const char *const marks[] = {
    [MARKDOWN_CODE] = "`",
    [MARKDOWN_EMPHASIS] = "_",
    [MARKDOWN_STRONG] = "*",
    [MARKDOWN_STRIKE] = "~",
    [MARKDOWN_IMAGE] = NULL,
};

/* The mrkdwn text under construction. */
struct mrkdwn {
	struct buf out;
	struct buf indent; /* precedes each line */
	bool begun;        /* a block was already written */
	bool fresh;        /* the first block of an item or quote follows: no new line needed */
	bool line_empty;   /* the indent is still to be written */
	bool code;         /* inside backquotes */
};

#define MRKDWN_INIT                                           \
	{                                                     \
		BUF_INIT, BUF_INIT, false, false, true, false \
	}

/* Writes markup unescaped. */
static void mrkdwn_raw(struct mrkdwn *r, const char *s)
{
	if (r->line_empty) {
		r->line_empty = false;
		buf_add(&r->out, r->indent.data, r->indent.len);
	}
	buf_addstr(&r->out, s);
}

/* Inside code a backquote would end it, and nothing can be put before it that does not show. */
static const char *replacement(const struct mrkdwn *r, char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '`':
		return r->code ? "\xcb\x8b" : NULL;
	default:
		return NULL;
	}
}

/* Writes text; escapes & < >, so that it starts no mention, link or special word. */
static void mrkdwn_text(struct mrkdwn *r, const char *s, size_t len)
{
	if (len == 0)
		return;
	mrkdwn_raw(r, "");
	for (size_t i = 0; i < len; i++) {
		const char *instead = replacement(r, s[i]);

		if (instead)
			buf_addstr(&r->out, instead);
		else
			buf_addch(&r->out, s[i]);
	}
}

static void mrkdwn_str(struct mrkdwn *r, const char *s)
{
	mrkdwn_text(r, s, strlen(s));
}

/* Starts the next line of the same block. */
static void mrkdwn_line(struct mrkdwn *r)
{
	buf_addch(&r->out, '\n');
	r->line_empty = true;
}

/* Starts a block after that many line ends. */
static void mrkdwn_block(struct mrkdwn *r, unsigned lines)
{
	bool fresh = r->fresh;

	r->fresh = false;
	if (!r->begun || fresh) {
		r->begun = true;
		return;
	}
	while (lines-- > 0)
		mrkdwn_line(r);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (c & 0x80) != 0;
}

static void text_below(struct buf *out, const struct markdown_node *top)
{
	const struct markdown_node *n = top;

	while ((n = markdown_next(top, n))) {
		if (n->type == MARKDOWN_TEXT)
			buf_add(out, n->text, n->len);
		else if (n->type == MARKDOWN_BREAK)
			buf_addch(out, ' ');
	}
}

static bool is_linkable(const char *target)
{
	return strncasecmp(target, "https://", 8) == 0 || strncasecmp(target, "http://", 7) == 0 ||
	    strncasecmp(target, "mailto:", 7) == 0;
}

static void add_target(struct mrkdwn *r, const char *target, size_t len)
{
	mrkdwn_raw(r, "<");
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)target[i];

		if (c <= ' ' || c == 0x7f || strchr("<>|", c))
			buf_addf(&r->out, "%%%02X", c);
		else if (c == '&')
			buf_addstr(&r->out, "&amp;");
		else
			buf_addch(&r->out, (char)c);
	}
}

static void render_link(struct mrkdwn *r, const struct markdown_node *link)
{
	struct buf text = BUF_INIT;
	char *target = xstrndup(link->text, link->len);
	bool linkable = is_linkable(target) && !r->code && link->len <= TARGET_MAX, is_target;

	text_below(&text, link);
	if (link->len > TARGET_MAX)
		*target = '\0';
	is_target = text.len == 0 || strcmp(text.data, target) == 0;
	if (linkable) {
		add_target(r, target, link->len);
		if (!is_target) {
			mrkdwn_raw(r, "|");
			mrkdwn_str(r, text.data);
		}
		mrkdwn_raw(r, ">");
	} else {
		mrkdwn_str(r, text.data);
		if (!is_target && *target != '\0') {
			mrkdwn_str(r, " (");
			mrkdwn_str(r, target);
			mrkdwn_str(r, ")");
		} else if (text.len == 0) {
			mrkdwn_str(r, *target != '\0' ? target : "link");
		}
	}
	free(target);
	buf_clear(&text);
}

static bool after_word(const struct mrkdwn *r)
{
	return !r->line_empty && r->out.len > 0 && is_word(r->out.data[r->out.len - 1]);
}

/* Does text that continues a word follow? */
static bool before_word(const struct markdown_node *n)
{
	return n->next && n->next->type == MARKDOWN_TEXT && n->next->len > 0 && is_word(n->next->text[0]);
}

static void render_spans(struct mrkdwn *r, const struct markdown_node *holder, unsigned active);

static void render_span(struct mrkdwn *r, const struct markdown_node *n, unsigned active)
{
	const char *mark = n->type < ARRAY_LEN(marks) ? marks[n->type] : NULL;
	bool marked = mark && (active & 1u << n->type) == 0 && !r->code && n->first, code = r->code;

	if (n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE) {
		render_link(r, n);
		return;
	}
	if (marked && after_word(r))
		mrkdwn_raw(r, ZERO_WIDTH);
	if (marked)
		mrkdwn_raw(r, mark);
	r->code |= n->type == MARKDOWN_CODE;
	render_spans(r, n, active | 1u << n->type);
	r->code = code;
	if (marked)
		mrkdwn_raw(r, mark);
	if (marked && before_word(n))
		mrkdwn_raw(r, ZERO_WIDTH);
}

static void render_spans(struct mrkdwn *r, const struct markdown_node *holder, unsigned active)
{
	for (const struct markdown_node *n = holder->first; n; n = n->next) {
		if (n->type == MARKDOWN_TEXT)
			mrkdwn_text(r, n->text, n->len);
		else if (n->type == MARKDOWN_BREAK)
			mrkdwn_line(r);
		else
			render_span(r, n, active);
	}
}

static void render_heading(struct mrkdwn *r, const struct markdown_node *n, unsigned lines)
{
	if (!n->first)
		return;
	mrkdwn_block(r, lines);
	mrkdwn_raw(r, "*");
	render_spans(r, n, 1u << MARKDOWN_STRONG);
	mrkdwn_raw(r, "*");
}

static void render_paragraph(struct mrkdwn *r, const struct markdown_node *n, unsigned lines)
{
	mrkdwn_block(r, lines);
	render_spans(r, n, 0);
}

static void render_rule(struct mrkdwn *r, const struct markdown_node *n, unsigned lines)
{
	(void)n;
	mrkdwn_block(r, lines);
	mrkdwn_str(r, RULE);
}

static void render_code(struct mrkdwn *r, const struct markdown_node *n, unsigned lines)
{
	char *indent;

	if (!n->first)
		return;
	/* The fences stand in lines of their own, without indent. */
	mrkdwn_block(r, lines);
	if (!r->line_empty)
		mrkdwn_line(r);
	indent = buf_take(&r->indent);
	mrkdwn_raw(r, "```\n");
	/* Single backquotes do no harm here. */
	for (const struct markdown_node *line = n->first; line; line = line->next) {
		r->code = memmem(line->text, line->len, "```", 3);
		mrkdwn_text(r, line->text, line->len);
		if (line->next)
			mrkdwn_line(r);
	}
	r->code = false;
	buf_addstr(&r->out, "\n```");
	buf_addstr(&r->indent, indent);
	free(indent);
}

static void render_blocks(struct mrkdwn *r, const struct markdown_node *holder, unsigned level);

/* Bullets by nesting, tasks as boxes, numbers as they are. */
static void add_mark(struct mrkdwn *r, const struct markdown_node *item, unsigned level)
{
	static const char *const bullets[] = {"• ", "◦ ", "▪ "};
	char number[16];

	if (item->ordered) {
		snprintf(number, sizeof(number), "%u. ", item->number);
		mrkdwn_str(r, number);
	} else if (item->mark == 0) {
		mrkdwn_str(r, bullets[level % ARRAY_LEN(bullets)]);
	}
	if (item->mark != 0)
		mrkdwn_str(r, item->mark == 'x' ? "☑ " : "☐ ");
}

static void render_item(struct mrkdwn *r, const struct markdown_node *item, unsigned level)
{
	size_t indent = r->indent.len;

	add_mark(r, item, level);
	buf_addstr(&r->indent, INDENT);
	r->fresh = true;
	render_blocks(r, item, level + 1);
	r->fresh = false;
	buf_truncate(&r->indent, indent);
}

static void render_list(struct mrkdwn *r, const struct markdown_node *list, unsigned lines, unsigned level)
{
	mrkdwn_block(r, lines);
	for (const struct markdown_node *item = list->first; item; item = item->next) {
		if (item != list->first)
			mrkdwn_block(r, list->tight ? 1 : 2);
		render_item(r, item, level);
	}
}

static void render_quote(struct mrkdwn *r, const struct markdown_node *quote, unsigned lines)
{
	size_t indent = r->indent.len;

	if (!quote->first)
		return;
	mrkdwn_block(r, lines);
	/* A quote starts only at the start of a line. */
	if (!r->line_empty)
		mrkdwn_line(r);
	buf_addstr(&r->indent, "> ");
	r->fresh = true;
	render_blocks(r, quote, 0);
	r->fresh = false;
	buf_truncate(&r->indent, indent);
}

static void render_one(struct mrkdwn *r, const struct markdown_node *n, unsigned lines, unsigned level);

static void render_table(struct mrkdwn *r, const struct markdown_node *table, unsigned lines)
{
	struct markdown blocks;

	markdown_table_blocks(&blocks, table, TABLE_COLUMNS);
	for (const struct markdown_node *n = blocks.root->first; n; n = n->next)
		render_one(r, n, n == blocks.root->first ? lines : 2, 0);
	markdown_clear(&blocks);
}

static void render_one(struct mrkdwn *r, const struct markdown_node *n, unsigned lines, unsigned level)
{
	static void (*const simple[])(struct mrkdwn *, const struct markdown_node *, unsigned) = {
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
	if (!before || before->type == MARKDOWN_HEADING)
		return 1;
	return n->parent->type == MARKDOWN_ITEM && n->parent->tight ? 1 : 2;
}

static void render_blocks(struct mrkdwn *r, const struct markdown_node *holder, unsigned level)
{
	const struct markdown_node *before = NULL;

	for (const struct markdown_node *n = holder->first; n; n = n->next) {
		render_one(r, n, gap(before, n), level);
		before = n;
	}
}

static struct rendering_cache kept = {.free = free};

char *slack_render(const char *markdown)
{
	struct mrkdwn r = MRKDWN_INIT;
	struct buf clean = BUF_INIT;
	struct markdown doc;
	const char *cached = rendering_cache_get(&kept, markdown);

	if (cached)
		return xstrdup(cached);
	utf8_sanitize(&clean, markdown, strlen(markdown));
	markdown_parse(&doc, clean.data, clean.len);
	render_blocks(&r, doc.root, 0);
	markdown_clear(&doc);
	/* Markdown can hide all of a text, such as one that only defines a link: then it is shown as it
	 * is. */
	if (text_is_blank(r.out.data) && !text_is_blank(clean.data)) {
		buf_reset(&r.out);
		r.line_empty = true;
		mrkdwn_str(&r, clean.data);
	}
	buf_clear(&clean);
	buf_clear(&r.indent);
	return buf_take(&r.out);
}

static enum markdown_fit fit(const char *part, size_t units)
{
	char *text = slack_render(part);
	enum markdown_fit rc = MARKDOWN_FITS;

	if (text_is_blank(text))
		rc = MARKDOWN_BLANK;
	else if (utf8_count(text, strlen(text), UTF8_UTF16) > units)
		rc = MARKDOWN_TOO_LONG;
	if (rc == MARKDOWN_FITS)
		rendering_cache_put(&kept, part, text);
	else
		free(text);
	return rc;
}

char **slack_split_to(const char *text, size_t units)
{
	const struct markdown_limit limit = {.units = units, .fit = fit};

	return markdown_split(text, &limit);
}

char **slack_split(const char *text)
{
	return slack_split_to(text, SLACK_TEXT_UNITS - (sizeof(SLACK_REPEAT_MARK) - 1));
}
