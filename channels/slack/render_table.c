#include "base/buf.h"
#include "channels/markdown/table.h"
#include "channels/markdown/markdown.h"
#include "channels/slack/render_text.h"

/* Wider tables wrap and become unreadable. */
#define TABLE_COLUMNS 72

static void aligned_row(struct mrkdwn *r, const struct markdown_table *g, const struct markdown_node *row)
{
	struct buf line = BUF_INIT;

	markdown_table_row(g, row, &line);
	mrkdwn_text(r, line.data, line.len);
	buf_clear(&line);
}

static void underline(struct mrkdwn *r, const struct markdown_table *g)
{
	struct buf line = BUF_INIT;

	markdown_table_rule(g, &line);
	mrkdwn_text(r, line.data, line.len);
	buf_clear(&line);
}

static void aligned(
    struct mrkdwn *r, const struct markdown_table *g, const struct markdown_node *table, unsigned lines)
{
	bool header = markdown_table_has_header(table);
	char *indent = mrkdwn_fence_begin(r, lines);

	if (header) {
		aligned_row(r, g, table->first);
		mrkdwn_line(r);
		underline(r, g);
	}
	for (const struct markdown_node *row = table->first->next; row; row = row->next) {
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

	for (const struct markdown_node *value = row->first; value; value = value->next) {
		const struct markdown_node *name = key;
		unsigned active = begun ? 0 : 1u << MARKDOWN_STRONG;

		key = key ? key->next : NULL;
		if (!value->first)
			continue;
		if (begun)
			mrkdwn_line(r);
		mrkdwn_raw(r, begun ? "" : "*");
		if (name && name->first) {
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

	if (!rows) {
		mrkdwn_block(r, lines);
		for (const struct markdown_node *c = table->first->first; c; c = c->next) {
			mrkdwn_str(r, c != table->first->first ? MARKDOWN_TABLE_SEPARATOR : "");
			mrkdwn_inlines(r, c, 0);
		}
	}
	for (const struct markdown_node *row = rows; row; row = row->next) {
		if (markdown_table_is_empty(row))
			continue;
		mrkdwn_block(r, row == rows ? lines : 2);
		record(r, table->first, row);
	}
}

void mrkdwn_table(struct mrkdwn *r, const struct markdown_node *table, unsigned lines)
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
