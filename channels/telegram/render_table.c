#include "channels/telegram/render_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/width.h"
#include "channels/telegram/render_html.h"
#include "channels/telegram/render_out.h"

/* Columns of a wider table wrap on a phone, and nobody can read it. */
#define TABLE_COLUMNS 48
#define SEPARATOR " | "
#define CROSSING "-+-"

struct grid {
	size_t columns;
	size_t *widths;
	size_t total;
	bool rich;	/* holds what a font of fixed width cannot show: links, lines */
};

/* The text of a cell, without its formatting. */
static void cell_text(struct buf *out, const struct markdown_node *cell)
{
	const struct markdown_node *n = cell;

	buf_reset(out);
	while ((n = markdown_next(cell, n)) != NULL) {
		if (n->type == MARKDOWN_TEXT)
			buf_add(out, n->text, n->len);
	}
}

static void measure_row(struct grid *g, const struct markdown_node *row, struct buf *text)
{
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c != NULL && i < g->columns; c = c->next, i++) {
		const struct markdown_node *n = c;
		size_t width;

		cell_text(text, c);
		width = markdown_width(text->data, text->len);
		if (width > g->widths[i])
			g->widths[i] = width;
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
		g->total += g->widths[i] + (i > 0 ? sizeof(SEPARATOR) - 1 : 0);
	buf_clear(&text);
}

static void add_run(struct buf *out, char c, size_t n)
{
	while (n-- > 0)
		buf_addch(out, c);
}

static void aligned_row(struct render *r, const struct grid *g, const struct markdown_node *row)
{
	struct buf line = BUF_INIT, text = BUF_INIT;
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c != NULL && i < g->columns; c = c->next, i++) {
		size_t room, before;

		cell_text(&text, c);
		room = g->widths[i] - markdown_width(text.data, text.len);
		before = c->mark == 'r' ? room : c->mark == 'c' ? room / 2 : 0;
		if (i > 0)
			buf_addstr(&line, SEPARATOR);
		add_run(&line, ' ', before);
		buf_add(&line, text.data, text.len);
		add_run(&line, ' ', room - before);
	}
	while (line.len > 0 && line.data[line.len - 1] == ' ')
		buf_truncate(&line, line.len - 1);
	render_text(r, line.data, line.len);
	buf_clear(&line);
	buf_clear(&text);
}

static void underline(struct render *r, const struct grid *g)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < g->columns; i++) {
		if (i > 0)
			buf_addstr(&line, CROSSING);
		add_run(&line, '-', g->widths[i]);
	}
	render_text(r, line.data, line.len);
	buf_clear(&line);
}

static bool is_empty(const struct markdown_node *row)
{
	for (const struct markdown_node *c = row->first; c != NULL; c = c->next) {
		if (c->first != NULL)
			return false;
	}
	return true;
}

static void aligned(struct render *r, const struct grid *g, const struct markdown_node *table, unsigned lines)
{
	struct render_raw raw = render_raw_begin(r, lines);

	bool header = !is_empty(table->first) || table->first->next == NULL;

	render_tag(r, "<pre>");
	if (header) {
		aligned_row(r, g, table->first);
		render_line(r);
		underline(r, g);
	}
	for (const struct markdown_node *row = table->first->next; row != NULL; row = row->next) {
		if (header || row != table->first->next)
			render_line(r);
		aligned_row(r, g, row);
	}
	render_tag(r, "</pre>");
	render_raw_end(r, &raw);
}

/* "Key: value", nothing for an empty value. The first of a row is its title. */
static bool record_cell(struct render *r, const struct markdown_node *key, const struct markdown_node *value, bool title)
{
	if (value->first == NULL)
		return false;
	if (title)
		render_tag(r, "<b>");
	if (key != NULL && key->first != NULL) {
		render_inlines(r, key, title);
		render_str(r, ": ");
	}
	render_inlines(r, value, title);
	if (title)
		render_tag(r, "</b>");
	return true;
}

static void record(struct render *r, const struct markdown_node *header, const struct markdown_node *row)
{
	const struct markdown_node *key = header->first;
	bool begun = false;

	for (const struct markdown_node *value = row->first; value != NULL; value = value->next) {
		if (begun && value->first != NULL)
			render_line(r);
		begun |= record_cell(r, key, value, !begun);
		key = key != NULL ? key->next : NULL;
	}
}

/* Nothing but a header: its cells in a line. */
static void header_line(struct render *r, const struct markdown_node *header)
{
	for (const struct markdown_node *c = header->first; c != NULL; c = c->next) {
		if (c != header->first)
			render_str(r, SEPARATOR);
		render_inlines(r, c, false);
	}
}

static void records(struct render *r, const struct markdown_node *table, unsigned lines)
{
	bool any = false;

	for (const struct markdown_node *row = table->first->next; row != NULL; row = row->next) {
		if (is_empty(row))
			continue;
		render_block(r, any ? 2 : lines);
		record(r, table->first, row);
		any = true;
	}
	if (!any) {
		render_block(r, lines);
		header_line(r, table->first);
	}
}

void render_table(struct render *r, const struct markdown_node *table, unsigned lines)
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
