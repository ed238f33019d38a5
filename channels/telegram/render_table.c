#include "channels/telegram/render_table.h"

#include "base/buf.h"
#include "channels/markdown/table.h"
#include "channels/markdown/markdown.h"
#include "channels/telegram/render_html.h"
#include "channels/telegram/render_text.h"

/* Wider tables wrap on a phone and become unreadable. */
#define TABLE_COLUMNS 48

static void aligned_row(struct render *r, const struct markdown_table *g, const struct markdown_node *row)
{
	struct buf line = BUF_INIT;

	markdown_table_row(g, row, &line);
	render_text(r, line.data, line.len);
	buf_clear(&line);
}

static void underline(struct render *r, const struct markdown_table *g)
{
	struct buf line = BUF_INIT;

	markdown_table_rule(g, &line);
	render_text(r, line.data, line.len);
	buf_clear(&line);
}

static void aligned(
    struct render *r, const struct markdown_table *g, const struct markdown_node *table, unsigned lines)
{
	struct render_raw raw = render_raw_begin(r, lines);
	bool header = markdown_table_has_header(table);

	render_tag(r, "<pre>");
	if (header) {
		aligned_row(r, g, table->first);
		render_line(r);
		underline(r, g);
	}
	for (const struct markdown_node *row = table->first->next; row; row = row->next) {
		if (header || row != table->first->next)
			render_line(r);
		aligned_row(r, g, row);
	}
	render_tag(r, "</pre>");
	render_raw_end(r, &raw);
}

/* "Key: value", nothing for an empty value. The first of a row is its title. */
static bool record_cell(
    struct render *r, const struct markdown_node *key, const struct markdown_node *value, bool title)
{
	if (!value->first)
		return false;
	if (title)
		render_tag(r, "<b>");
	if (key && key->first) {
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

	for (const struct markdown_node *value = row->first; value; value = value->next) {
		if (begun && value->first)
			render_line(r);
		begun |= record_cell(r, key, value, !begun);
		key = key ? key->next : NULL;
	}
}

/* Nothing but a header: its cells in a line. */
static void header_line(struct render *r, const struct markdown_node *header)
{
	for (const struct markdown_node *c = header->first; c; c = c->next) {
		if (c != header->first)
			render_str(r, MARKDOWN_TABLE_SEPARATOR);
		render_inlines(r, c, false);
	}
}

static void records(struct render *r, const struct markdown_node *table, unsigned lines)
{
	bool any = false;

	for (const struct markdown_node *row = table->first->next; row; row = row->next) {
		if (markdown_table_is_empty(row))
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
	struct markdown_table g;

	if (!table->first)
		return;
	markdown_table_measure(&g, table);
	if (g.rich || g.total > TABLE_COLUMNS)
		records(r, table, lines);
	else
		aligned(r, &g, table, lines);
	markdown_table_clear(&g);
}
