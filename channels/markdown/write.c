#include "channels/markdown/write.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/markdown_internal.h"

static void write_blocks(struct writer *w, const struct markdown_node *holder, unsigned lists);

bool markdown_shows(const struct markdown_node *n, const struct markdown_range *range)
{
	if (n->to > range->from && n->from < range->to)
		return true;
	/* The header of a table that goes on. */
	while (n->type >= MARKDOWN_CELL)
		n = n->parent;
	if (n->type == MARKDOWN_CELL)
		n = n->parent;
	return n->type == MARKDOWN_ROW && n == n->parent->first && n->parent->to > range->from &&
	    n->parent->from < range->to;
}

static void end_line(struct writer *w)
{
	buf_addch(w->out, '\n');
	w->line_empty = true;
}

/* A block begins below a blank line, or on the next one. A blank line keeps the marks of quotes. */
static void begin_block(struct writer *w, bool tight)
{
	bool fresh = w->fresh;
	size_t len = w->indent.len;

	w->fresh = false;
	if (!w->begun || fresh) {
		w->begun = true;
		return;
	}
	end_line(w);
	if (tight)
		return;
	while (len > 0 && w->indent.data[len - 1] == ' ')
		len--;
	buf_add(w->out, w->indent.data, len);
	end_line(w);
}

static void write_paragraph(struct writer *w, const struct markdown_node *n)
{
	begin_block(w, false);
	writer_inlines(w, n);
}

static void write_heading(struct writer *w, const struct markdown_node *n)
{
	begin_block(w, false);
	writer_raw(w, &"###### "[6 - n->number], n -> number + 1);
	w->flat = true;
	writer_inlines(w, n);
	w->flat = false;
}

static void write_rule(struct writer *w, const struct markdown_node *n)
{
	(void)n;
	begin_block(w, false);
	writer_raw(w, "***", 3);
}

static void add_fence(struct writer *w, size_t len)
{
	begin_block(w, true);
	w->fresh = false;
	while (len-- > 0)
		writer_raw(w, "`", 1);
}

static void write_code(struct writer *w, const struct markdown_node *n)
{
	size_t run = writer_longest_run(n, '`') + 1;

	run = run < 3 ? 3 : run;
	begin_block(w, false);
	w->fresh = true;
	add_fence(w, run);
	if (!memchr(n->text, '`', n->len))
		writer_raw(w, n->text, n->len);
	end_line(w);
	for (const struct markdown_node *line = n->first; line; line = line->next) {
		if (!markdown_shows(line, w->range))
			continue;
		writer_raw(w, line->text, line->len);
		if (!line->continues || (line->next && !markdown_shows(line->next, w->range)))
			end_line(w);
	}
	w->fresh = true;
	add_fence(w, run);
}

static void write_row(struct writer *w, const struct markdown_node *row)
{
	writer_raw(w, "|", 1);
	for (const struct markdown_node *c = row->first; c; c = c->next) {
		writer_raw(w, " ", 1);
		writer_inlines(w, c);
		writer_raw(w, " |", 2);
	}
}

static void write_table(struct writer *w, const struct markdown_node *table)
{
	begin_block(w, false);
	w->flat = w->cell = true;
	write_row(w, table->first);
	end_line(w);
	writer_raw(w, "|", 1);
	for (const struct markdown_node *c = table->first->first; c; c = c->next) {
		writer_raw(w, c->mark == 'l' || c->mark == 'c' ? ":--" : "---", 3);
		writer_raw(w, c->mark == 'r' || c->mark == 'c' ? ":|" : "|",
		    c->mark == 'r' || c->mark == 'c' ? 2 : 1);
	}
	for (const struct markdown_node *row = table->first->next; row; row = row->next) {
		if (!markdown_shows(row, w->range))
			continue;
		end_line(w);
		write_row(w, row);
	}
	w->flat = w->cell = false;
}

static void write_quote(struct writer *w, const struct markdown_node *n)
{
	size_t len = w->indent.len;
	bool behind_mark = w->fresh && !w->line_empty;

	begin_block(w, false);
	if (behind_mark)
		writer_raw(w, "> ", 2);
	buf_addstr(&w->indent, "> ");
	w->fresh = true;
	write_blocks(w, n, 0);
	if (w->fresh)
		writer_raw(w, "", 0);
	w->fresh = false;
	buf_truncate(&w->indent, len);
}

/* lists: so many stand right before this one; their marks alternate, or they would be one list. */
static void write_item(struct writer *w, const struct markdown_node *item, unsigned lists)
{
	size_t len = w->indent.len, width;
	struct buf mark = BUF_INIT;

	if (item->ordered)
		buf_addf(&mark, "%u%c ", item->number, lists % 2 == 0 ? '.' : ')');
	else
		buf_addstr(&mark, lists % 2 == 0 ? "- " : "+ ");
	width = mark.len;
	if (item->mark != 0)
		buf_addf(&mark, "[%c] ", item->mark);
	writer_raw(w, mark.data, mark.len);
	while (width-- > 0)
		buf_addch(&w->indent, ' ');
	w->fresh = true;
	write_blocks(w, item, 0);
	w->fresh = false;
	buf_truncate(&w->indent, len);
	buf_clear(&mark);
}

static void write_list(struct writer *w, const struct markdown_node *list, unsigned lists, bool tight)
{
	bool first = true;

	for (const struct markdown_node *item = list->first; item; item = item->next) {
		if (!markdown_shows(item, w->range))
			continue;
		if (item->from < w->range->from && item->first) {
			/* Its mark was in the part before: the rest of it is no new item. */
			write_blocks(w, item, lists + 1);
			continue;
		}
		begin_block(w, first ? tight : list->tight);
		write_item(w, item, lists);
		first = false;
	}
}

static void write_block(struct writer *w, const struct markdown_node *n)
{
	static void (*const by_type[])(struct writer *, const struct markdown_node *) = {
	    [MARKDOWN_QUOTE] = write_quote,
	    [MARKDOWN_PARAGRAPH] = write_paragraph,
	    [MARKDOWN_HEADING] = write_heading,
	    [MARKDOWN_CODE_BLOCK] = write_code,
	    [MARKDOWN_RULE] = write_rule,
	    [MARKDOWN_TABLE] = write_table,
	};

	if (n->type < ARRAY_LEN(by_type) && by_type[n->type] && (n->type != MARKDOWN_TABLE || n->first))
		by_type[n->type](w, n);
}

static void write_blocks(struct writer *w, const struct markdown_node *holder, unsigned lists)
{
	const struct markdown_node *before = NULL;

	for (const struct markdown_node *n = holder->first; n && n->from < w->range->to; n = n->next) {
		if (!markdown_shows(n, w->range))
			continue;
		if (n->type == MARKDOWN_LIST) {
			bool again = before && before->type == MARKDOWN_LIST && before->ordered == n->ordered;

			lists = again ? lists + 1 : lists;
			write_list(w, n, lists,
			    holder->type == MARKDOWN_ITEM && holder->tight && before &&
				before->type == MARKDOWN_PARAGRAPH);
		} else if (n->type == MARKDOWN_DOCUMENT) {
			write_blocks(w, n, 0);
		} else {
			write_block(w, n);
		}
		before = n;
	}
}

/* Every line of text is a paragraph's, without anything around it. */
static void write_literal(struct writer *w, const struct markdown_node *holder)
{
	for (const struct markdown_node *n = holder->first; n && n->from < w->range->to; n = n->next) {
		if (!markdown_shows(n, w->range))
			continue;
		if (n->type == MARKDOWN_RULE)
			continue;
		if (n->type == MARKDOWN_PARAGRAPH || n->type == MARKDOWN_HEADING ||
		    n->type == MARKDOWN_CELL || n->type == MARKDOWN_CODE_BLOCK)
			write_paragraph(w, n);
		else
			write_literal(w, n);
	}
}

void markdown_write(struct buf *out, const struct markdown_node *root, const struct markdown_range *range,
    enum markdown_style style)
{
	struct writer w = {.out = out, .range = range, .style = style, .line_empty = true};

	buf_init(&w.indent);
	if (style == MARKDOWN_STYLE_LITERAL)
		write_literal(&w, root);
	else
		write_blocks(&w, root, 0);
	buf_clear(&w.indent);
}

static void add_solid(struct buf *out, const struct markdown_node *n)
{
	for (size_t i = 0; i < n->len; i++) {
		if (!strchr(" \t\r\n", n->text[i]))
			buf_addch(out, n->text[i]);
	}
}

void markdown_solid(struct buf *out, const struct markdown_node *root, const struct markdown_range *range)
{
	for (const struct markdown_node *n = root->first; n && (!range || n->from < range->to); n = n->next) {
		bool link = n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE;

		if (range && !markdown_shows(n, range))
			continue;
		/* A link without a text is written with its address in its place. */
		if (n->type == MARKDOWN_TEXT || (link && !n->first))
			add_solid(out, n);
		else
			markdown_solid(out, n, range);
	}
}
