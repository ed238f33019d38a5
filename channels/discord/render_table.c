#include "channels/discord/render_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "channels/discord/render_text.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/width.h"

/* Columns of a wider table wrap on a phone, and nobody can read it. */
#define TABLE_COLUMNS 56
#define SEPARATOR     " | "
#define CROSSING      "-+-"

struct grid {
	size_t columns;
	size_t *widths;
	size_t total;
	bool rich;	/* holds what code cannot show: links, lines, fences */
};

static void measure_row(struct grid *g, const struct markdown_node *row, struct buf *text)
{
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c != NULL && i < g->columns; c = c->next, i++) {
		buf_reset(text);
		discord_render_below(text, c);
		size_t width = markdown_width(text->data, text->len);
		g->widths[i] = width > g->widths[i] ? width : g->widths[i];
		g->rich |= strstr(text->data, "```") != NULL;
		for (const struct markdown_node *n = c; (n = markdown_next(c, n)) != NULL;)
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

static void aligned_row(struct discord_render *r, const struct grid *g, const struct markdown_node *row)
{
	struct buf line = BUF_INIT, text = BUF_INIT;
	size_t i = 0;

	for (const struct markdown_node *c = row->first; c != NULL && i < g->columns; c = c->next, i++) {
		buf_reset(&text);
		discord_render_below(&text, c);
		size_t room = g->widths[i] - markdown_width(text.data, text.len);
		size_t before = c->mark == 'r' ? room : c->mark == 'c' ? room / 2 : 0;
		if (i > 0)
			buf_addstr(&line, SEPARATOR);
		add_run(&line, ' ', before);
		buf_add(&line, text.data, text.len);
		add_run(&line, ' ', room - before);
	}
	while (line.len > 0 && line.data[line.len - 1] == ' ')
		buf_truncate(&line, line.len - 1);
	discord_put(r, line.data, line.len);
	discord_line(r);
	buf_clear(&line);
	buf_clear(&text);
}

static void underline(struct discord_render *r, const struct grid *g)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < g->columns; i++) {
		if (i > 0)
			buf_addstr(&line, CROSSING);
		add_run(&line, '-', g->widths[i]);
	}
	discord_put(r, line.data, line.len);
	discord_line(r);
	buf_clear(&line);
}

static bool is_empty(const struct markdown_node *row)
{
	for (const struct markdown_node *c = row->first; c != NULL; c = c->next)
		if (c->first != NULL)
			return false;
	return true;
}

static void aligned(struct discord_render *r, const struct grid *g, const struct markdown_node *table, unsigned lines)
{
	struct discord_fence f = discord_fence_begin(r, lines, "", 0);

	if (!is_empty(table->first) || table->first->next == NULL) {
		aligned_row(r, g, table->first);
		underline(r, g);
	}
	for (const struct markdown_node *row = table->first->next; row != NULL; row = row->next)
		aligned_row(r, g, row);
	discord_fence_end(r, &f);
}

/* "Key: value", nothing for an empty value. The first of a row is its title. */
static bool record_cell(struct discord_render *r, const struct markdown_node *key, const struct markdown_node *value, bool title)
{
	if (value->first == NULL)
		return false;
	if (title)
		discord_mark(r, "**");
	r->start = r->start && !title;
	if (key != NULL && key->first != NULL) {
		discord_render_inlines(r, key, title);
		discord_mark(r, ": ");
	}
	discord_render_inlines(r, value, title);
	if (title)
		discord_mark(r, "**");
	return true;
}

static void record(struct discord_render *r, const struct markdown_node *header, const struct markdown_node *row)
{
	const struct markdown_node *key = header->first;
	bool begun = false;

	for (const struct markdown_node *value = row->first; value != NULL; value = value->next) {
		if (begun && value->first != NULL)
			discord_line(r);
		begun |= record_cell(r, key, value, !begun);
		key = key != NULL ? key->next : NULL;
	}
}

static void records(struct discord_render *r, const struct markdown_node *table, unsigned lines)
{
	bool any = false;

	for (const struct markdown_node *row = table->first->next; row != NULL; row = row->next) {
		if (is_empty(row))
			continue;
		discord_block(r, any ? 2 : lines);
		record(r, table->first, row);
		any = true;
	}
	if (any)
		return;
	/* Nothing but a header: its cells in a line. */
	discord_block(r, lines);
	for (const struct markdown_node *c = table->first->first; c != NULL; c = c->next) {
		if (c != table->first->first)
			discord_mark(r, SEPARATOR);
		discord_render_inlines(r, c, false);
	}
}

void discord_render_table(struct discord_render *r, const struct markdown_node *table, unsigned lines)
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
