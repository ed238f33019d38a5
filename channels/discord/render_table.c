#include "channels/discord/render_table.h"

#include "base/buf.h"
#include "channels/discord/render_text.h"
#include "channels/markdown/table.h"
#include "channels/markdown/markdown.h"

/* Wider tables wrap on a phone and become unreadable. */
#define TABLE_COLUMNS 56

static void aligned_row(
    struct discord_render *r, const struct markdown_table *g, const struct markdown_node *row)
{
	struct buf line = BUF_INIT;

	markdown_table_row(g, row, &line);
	discord_render_put(r, line.data, line.len);
	discord_render_line(r);
	buf_clear(&line);
}

static void underline(struct discord_render *r, const struct markdown_table *g)
{
	struct buf line = BUF_INIT;

	markdown_table_rule(g, &line);
	discord_render_put(r, line.data, line.len);
	discord_render_line(r);
	buf_clear(&line);
}

static void aligned(struct discord_render *r, const struct markdown_table *g,
    const struct markdown_node *table, unsigned lines)
{
	struct discord_fence f = discord_fence_begin(r, lines, "", 0);

	if (markdown_table_has_header(table)) {
		aligned_row(r, g, table->first);
		underline(r, g);
	}
	for (const struct markdown_node *row = table->first->next; row; row = row->next)
		aligned_row(r, g, row);
	discord_fence_end(r, &f);
}

/* "Key: value", nothing for an empty value. The first of a row is its title. */
static bool record_cell(
    struct discord_render *r, const struct markdown_node *key, const struct markdown_node *value, bool title)
{
	if (!value->first)
		return false;
	if (title)
		discord_render_mark(r, "**");
	r->start = r->start && !title;
	if (key && key->first) {
		discord_render_inlines(r, key, title);
		discord_render_mark(r, ": ");
	}
	discord_render_inlines(r, value, title);
	if (title)
		discord_render_mark(r, "**");
	return true;
}

static void record(
    struct discord_render *r, const struct markdown_node *header, const struct markdown_node *row)
{
	const struct markdown_node *key = header->first;
	bool begun = false;

	for (const struct markdown_node *value = row->first; value; value = value->next) {
		if (begun && value->first)
			discord_render_line(r);
		begun |= record_cell(r, key, value, !begun);
		key = key ? key->next : NULL;
	}
}

static void records(struct discord_render *r, const struct markdown_node *table, unsigned lines)
{
	bool any = false;

	for (const struct markdown_node *row = table->first->next; row; row = row->next) {
		if (markdown_table_is_empty(row))
			continue;
		discord_render_block(r, any ? 2 : lines);
		record(r, table->first, row);
		any = true;
	}
	if (any)
		return;
	/* Nothing but a header: its cells in a line. */
	discord_render_block(r, lines);
	for (const struct markdown_node *c = table->first->first; c; c = c->next) {
		if (c != table->first->first)
			discord_render_mark(r, MARKDOWN_TABLE_SEPARATOR);
		discord_render_inlines(r, c, false);
	}
}

void discord_render_table(struct discord_render *r, const struct markdown_node *table, unsigned lines)
{
	struct markdown_table g;

	if (!table->first)
		return;
	markdown_table_measure(&g, table);
	if (g.rich || g.fenced || g.total > TABLE_COLUMNS)
		records(r, table, lines);
	else
		aligned(r, &g, table, lines);
	markdown_table_clear(&g);
}
