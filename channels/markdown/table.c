#include "channels/markdown/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/width.h"

#define SEPARATOR " | "
#define CROSSING  "-+-"

struct measure {
	size_t columns;
	size_t *widths;
	size_t total; /* width of a line in columns */
	bool rich;    /* has content that a code block cannot show: links, line breaks, a fence */
};

static void cell_text(struct buf *out, const struct markdown_node *cell)
{
	buf_reset(out);
	for (const struct markdown_node *n = cell; (n = markdown_next(cell, n));)
		if (n->type == MARKDOWN_TEXT)
			buf_add(out, n->text, n->len);
}

static void measure_row(struct measure *g, const struct markdown_node *row, struct buf *text)
{
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c && i < g->columns; c = c->next, i++) {
		size_t width;

		cell_text(text, c);
		width = markdown_width(text->data, text->len);
		g->widths[i] = width > g->widths[i] ? width : g->widths[i];
		g->rich |= strstr(text->data, "```") != NULL;
		for (const struct markdown_node *n = c; (n = markdown_next(c, n));)
			g->rich |= n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE ||
			    n->type == MARKDOWN_BREAK;
	}
}

static void measure_table(struct measure *g, const struct markdown_node *table)
{
	struct buf text = BUF_INIT;

	*g = (struct measure){0};
	for (const struct markdown_node *c = table->first->first; c; c = c->next)
		g->columns++;
	g->widths = xcalloc(g->columns + 1, sizeof(*g->widths));
	for (const struct markdown_node *row = table->first; row; row = row->next)
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

static void add_row(const struct measure *g, const struct markdown_node *row, struct buf *line)
{
	struct buf text = BUF_INIT;
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c && i < g->columns; c = c->next, i++) {
		size_t room, before;

		cell_text(&text, c);
		room = g->widths[i] - markdown_width(text.data, text.len);
		before = c->mark == 'r' ? room : c->mark == 'c' ? room / 2 : 0;
		buf_addstr(line, i > 0 ? SEPARATOR : "");
		add_run(line, ' ', before);
		buf_add(line, text.data, text.len);
		add_run(line, ' ', room - before);
	}
	while (line->len > 0 && line->data[line->len - 1] == ' ')
		buf_truncate(line, line->len - 1);
	buf_clear(&text);
}

static void add_rule(const struct measure *g, struct buf *line)
{
	for (size_t i = 0; i < g->columns; i++) {
		buf_addstr(line, i > 0 ? CROSSING : "");
		add_run(line, '-', g->widths[i]);
	}
}

static bool is_empty(const struct markdown_node *row)
{
	for (const struct markdown_node *c = row->first; c; c = c->next)
		if (c->first)
			return false;
	return true;
}

static void add_text(struct markdown *doc, struct markdown_node *holder, const char *text, size_t len)
{
	struct markdown_node *n = markdown_add(doc, holder, MARKDOWN_TEXT);

	n->text = markdown_copy(doc, text, len);
	n->len = len;
}

/* Takes what line holds. */
static void add_line(struct markdown *doc, struct markdown_node *block, struct buf *line)
{
	add_text(doc, block, line->data, line->len);
	buf_reset(line);
}

/* An empty header is shown only when there is nothing else. */
static void add_aligned(struct markdown *doc, const struct measure *g, const struct markdown_node *table)
{
	struct markdown_node *block = markdown_add(doc, doc->root, MARKDOWN_CODE_BLOCK);
	const struct markdown_node *header = table->first;
	struct buf line = BUF_INIT;

	if (!is_empty(header) || !header->next) {
		add_row(g, header, &line);
		add_line(doc, block, &line);
		add_rule(g, &line);
		add_line(doc, block, &line);
	}
	for (const struct markdown_node *row = header->next; row; row = row->next) {
		add_row(g, row, &line);
		add_line(doc, block, &line);
	}
	buf_clear(&line);
}

/* The inlines of the cell stay where they are. */
static void add_cell(struct markdown *doc, struct markdown_node *holder, const struct markdown_node *cell)
{
	markdown_add(doc, holder, MARKDOWN_CELL)->first = cell->first;
}

/* "Key: value" a line, nothing for an empty value; the first is the title. */
static void add_record(
    struct markdown *doc, const struct markdown_node *header, const struct markdown_node *row)
{
	struct markdown_node *record = markdown_add(doc, doc->root, MARKDOWN_PARAGRAPH), *line;
	const struct markdown_node *key = header->first;

	for (const struct markdown_node *value = row->first; value; value = value->next) {
		if (value->first) {
			if (record->first)
				markdown_add(doc, record, MARKDOWN_BREAK);
			line = record->first ? record : markdown_add(doc, record, MARKDOWN_STRONG);
			if (key && key->first) {
				add_cell(doc, line, key);
				add_text(doc, line, ": ", 2);
			}
			add_cell(doc, line, value);
		}
		key = key ? key->next : NULL;
	}
}

static void add_header_line(struct markdown *doc, const struct markdown_node *header)
{
	struct markdown_node *line = markdown_add(doc, doc->root, MARKDOWN_PARAGRAPH);

	for (const struct markdown_node *c = header->first; c; c = c->next) {
		if (c != header->first)
			add_text(doc, line, SEPARATOR, strlen(SEPARATOR));
		add_cell(doc, line, c);
	}
}

void markdown_table_blocks(struct markdown *blocks, const struct markdown_node *table, size_t columns)
{
	struct measure g;

	*blocks = (struct markdown){0};
	blocks->root = markdown_add(blocks, NULL, MARKDOWN_DOCUMENT);
	if (!table->first)
		return;
	measure_table(&g, table);
	if (!g.rich && g.total <= columns) {
		add_aligned(blocks, &g, table);
	} else {
		for (const struct markdown_node *row = table->first->next; row; row = row->next)
			if (!is_empty(row))
				add_record(blocks, table->first, row);
		if (!blocks->root->first)
			add_header_line(blocks, table->first);
	}
	free(g.widths);
}
