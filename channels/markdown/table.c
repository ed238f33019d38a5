#include "channels/markdown/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/width.h"

#define CROSSING "-+-"

static void cell_text(struct buf *out, const struct markdown_node *cell)
{
	buf_reset(out);
	for (const struct markdown_node *n = cell; (n = markdown_next(cell, n));)
		if (n->type == MARKDOWN_TEXT)
			buf_add(out, n->text, n->len);
}

static void measure_row(struct markdown_table *g, const struct markdown_node *row, struct buf *text)
{
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c && i < g->columns; c = c->next, i++) {
		size_t width;

		cell_text(text, c);
		width = markdown_width(text->data, text->len);
		g->widths[i] = width > g->widths[i] ? width : g->widths[i];
		g->fenced |= strstr(text->data, "```") != NULL;
		for (const struct markdown_node *n = c; (n = markdown_next(c, n));)
			g->rich |= n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE ||
			    n->type == MARKDOWN_BREAK;
	}
}

void markdown_table_measure(struct markdown_table *g, const struct markdown_node *table)
{
	struct buf text = BUF_INIT;

	*g = (struct markdown_table){0};
	for (const struct markdown_node *c = table->first->first; c; c = c->next)
		g->columns++;
	g->widths = xcalloc(g->columns + 1, sizeof(*g->widths));
	for (const struct markdown_node *row = table->first; row; row = row->next)
		measure_row(g, row, &text);
	for (size_t i = 0; i < g->columns; i++)
		g->total += g->widths[i] + (i > 0 ? strlen(MARKDOWN_TABLE_SEPARATOR) : 0);
	buf_clear(&text);
}

void markdown_table_clear(struct markdown_table *g)
{
	free(g->widths);
	*g = (struct markdown_table){0};
}

static void add_run(struct buf *out, char c, size_t n)
{
	while (n-- > 0)
		buf_addch(out, c);
}

void markdown_table_row(const struct markdown_table *g, const struct markdown_node *row, struct buf *line)
{
	struct buf text = BUF_INIT;
	size_t i = 0, begin = line->len;

	for (const struct markdown_node *c = row->first; c && i < g->columns; c = c->next, i++) {
		size_t room, before;

		cell_text(&text, c);
		room = g->widths[i] - markdown_width(text.data, text.len);
		before = c->mark == 'r' ? room : c->mark == 'c' ? room / 2 : 0;
		buf_addstr(line, i > 0 ? MARKDOWN_TABLE_SEPARATOR : "");
		add_run(line, ' ', before);
		buf_add(line, text.data, text.len);
		add_run(line, ' ', room - before);
	}
	while (line->len > begin && line->data[line->len - 1] == ' ')
		buf_truncate(line, line->len - 1);
	buf_clear(&text);
}

void markdown_table_rule(const struct markdown_table *g, struct buf *line)
{
	for (size_t i = 0; i < g->columns; i++) {
		buf_addstr(line, i > 0 ? CROSSING : "");
		add_run(line, '-', g->widths[i]);
	}
}

bool markdown_table_is_empty(const struct markdown_node *row)
{
	for (const struct markdown_node *c = row->first; c; c = c->next)
		if (c->first)
			return false;
	return true;
}

bool markdown_table_has_header(const struct markdown_node *table)
{
	return !markdown_table_is_empty(table->first) || !table->first->next;
}
