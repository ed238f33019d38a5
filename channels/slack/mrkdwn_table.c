#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/width.h"
#include "channels/slack/mrkdwn.h"

/* Columns of a wider table wrap, and nobody can read it. */
#define TABLE_COLUMNS 72
#define SEPARATOR " | "

struct grid {
	size_t columns;
	size_t *widths;
	size_t total;
	bool rich;	/* holds what a font of fixed width cannot show: links, lines */
};

static void cell_text(struct buf *out, const struct markdown_node *cell)
{
	const struct markdown_node *n = cell;

	buf_reset(out);
	while ((n = markdown_next(cell, n)) != NULL)
		if (n->type == MARKDOWN_TEXT)
			buf_add(out, n->text, n->len);
}

static void measure_row(struct grid *g, const struct markdown_node *row, struct buf *text)
{
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c != NULL && i < g->columns; c = c->next, i++) {
		const struct markdown_node *n = c;
		size_t width;

		cell_text(text, c);
		width = markdown_width(text->data, text->len);
		g->widths[i] = width > g->widths[i] ? width : g->widths[i];
		while ((n = markdown_next(c, n)) != NULL)
			g->rich |= n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE || n->type == MARKDOWN_BREAK;
	}
}

static void measure(struct grid *g, const struct markdown_node *table)
{
	struct buf text = BUF_INIT;

	*g = (struct grid){ 0 };
	for (const struct markdown_node *c = table->first->first; c != NULL; c = c->next)
		g->columns++;
	g->widths = xcalloc(g->columns + 1, sizeof(*g->widths));
	for (const struct markdown_node *row = table->first; row != NULL; row = row->next)
		measure_row(g, row, &text);
	for (size_t i = 0; i < g->columns; i++)
		g->total += g->widths[i] + (i > 0 ? strlen(SEPARATOR) : 0);
	buf_clear(&text);
}

static void add_run(struct buf *out, char c, size_t n)
{
	while (n-- > 0)
		buf_addch(out, c);
}

static void aligned_row(struct mrkdwn *r, const struct grid *g, const struct markdown_node *row)
{
	struct buf line = BUF_INIT, text = BUF_INIT;
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c != NULL && i < g->columns; c = c->next, i++) {
		size_t room, before;

		cell_text(&text, c);
		room = g->widths[i] - markdown_width(text.data, text.len);
		before = c->mark == 'r' ? room : c->mark == 'c' ? room / 2 : 0;
		buf_addstr(&line, i > 0 ? SEPARATOR : "");
		add_run(&line, ' ', before);
		buf_add(&line, text.data, text.len);
		add_run(&line, ' ', room - before);
	}
	while (line.len > 0 && line.data[line.len - 1] == ' ')
		buf_truncate(&line, line.len - 1);
	mrkdwn_text(r, line.data, line.len);
	buf_clear(&line);
	buf_clear(&text);
}

static void underline(struct mrkdwn *r, const struct grid *g)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < g->columns; i++) {
		buf_addstr(&line, i > 0 ? "-+-" : "");
		add_run(&line, '-', g->widths[i]);
	}
	mrkdwn_text(r, line.data, line.len);
	buf_clear(&line);
}

static bool is_empty(const struct markdown_node *row)
{
	for (const struct markdown_node *c = row->first; c != NULL; c = c->next)
		if (c->first != NULL)
			return false;
	return true;
}

static void aligned(struct mrkdwn *r, const struct grid *g, const struct markdown_node *table, unsigned lines)
{
	bool header = !is_empty(table->first) || table->first->next == NULL;
	char *indent = mrkdwn_fence_begin(r, lines);

	if (header) {
		aligned_row(r, g, table->first);
		mrkdwn_line(r);
		underline(r, g);
	}
	for (const struct markdown_node *row = table->first->next; row != NULL; row = row->next) {
		if (header || row != table->first->next)
			mrkdwn_line(r);
		aligned_row(r, g, row);
	}
	mrkdwn_fence_end(r, indent);
}

/* "Key: value" a line, nothing for an empty value; the first stands in bold. */
static void record(struct mrkdwn *r, const struct markdown_node *header, const struct markdown_node *row)
{
	const struct markdown_node *key = header->first;
	bool begun = false;

	for (const struct markdown_node *value = row->first; value != NULL; value = value->next) {
		const struct markdown_node *name = key;
		unsigned active = begun ? 0 : 1u << MARKDOWN_STRONG;

		key = key != NULL ? key->next : NULL;
		if (value->first == NULL)
			continue;
		if (begun)
			mrkdwn_line(r);
		mrkdwn_raw(r, begun ? "" : "*");
		if (name != NULL && name->first != NULL) {
			mrkdwn_inlines(r, name, active);
			mrkdwn_str(r, ": ");
		}
		mrkdwn_inlines(r, value, active);
		mrkdwn_raw(r, begun ? "" : "*");
		begun = true;
	}
}

static void records(struct mrkdwn *r, const struct markdown_node *table, unsigned lines)
{
	const struct markdown_node *rows = table->first->next;

	if (rows == NULL) {
		mrkdwn_block(r, lines);
		for (const struct markdown_node *c = table->first->first; c != NULL; c = c->next) {
			mrkdwn_str(r, c != table->first->first ? SEPARATOR : "");
			mrkdwn_inlines(r, c, 0);
		}
	}
	for (const struct markdown_node *row = rows; row != NULL; row = row->next) {
		if (is_empty(row))
			continue;
		mrkdwn_block(r, row == rows ? lines : 2);
		record(r, table->first, row);
	}
}

void mrkdwn_table(struct mrkdwn *r, const struct markdown_node *table, unsigned lines)
{
	struct grid g;

	if (table->first == NULL)
		return;
	measure(&g, table);
	if (g.rich || g.total > TABLE_COLUMNS)
		records(r, table, lines);
	else
		aligned(r, &g, table, lines);
	free(g.widths);
}
