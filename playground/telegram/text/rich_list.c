#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "playground/telegram/text/rich_internal.h"

/* Lists and tables. */

#define COLUMNS_MAX 20 /* Bot API, "Rich Message Limits" */

/* Appends the number in small letters: as a Roman one, or with a to z as digits. Undocumented: what a label
 * looks like; TDLib's have a point, and • where there are no numbers. */
static void write_label(struct buf *out, char type, int64_t n)
{
	static const struct {
		int64_t value;
		const char *digits;
	} roman[] = {{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"},
	    {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}};
	char digits[16];
	size_t from = out->len, count = 0;

	if (type == '1' || n < 1 || n > 3999) {
		buf_addf(out, "%" PRId64, n);
	} else if (tolower((unsigned char)type) == 'i') {
		for (size_t i = 0; i < ARRAY_LEN(roman); i++)
			for (; n >= roman[i].value; n -= roman[i].value)
				buf_addstr(out, roman[i].digits);
	} else {
		for (; n > 0; n = (n - 1) / 26)
			digits[count++] = (char)('a' + (n - 1) % 26);
		while (count > 0)
			buf_addch(out, digits[--count]);
	}
	for (size_t i = from; isupper((unsigned char)type) && i < out->len; i++)
		out->data[i] = (char)toupper((unsigned char)out->data[i]);
	buf_addch(out, '.');
}

/* What an item says besides: its label, and its checkbox. */
static void write_item(struct rich_reader *r, size_t i, const char *type, int64_t n, struct buf *out)
{
	size_t box = rich_find_part(r, i, RICH_CHECKBOX);
	struct buf label = BUF_INIT, blocks = BUF_INIT;

	rich_count_block(r);
	if (type)
		write_label(&label, type[0], n);
	rich_write_blocks(r, rich_node_at(r, i)->first, &blocks);
	buf_addf(out, "%s{\"label\":\"%s\",\"blocks\":[%s]", out->data[out->len - 1] == '}' ? "," : "",
	    type ? label.data : "•", blocks.data);
	if (box != 0)
		buf_addf(out, ",\"has_checkbox\":true%s",
		    rich_node_attribute(r, box, "checked") ? ",\"is_checked\":true" : "");
	if (type)
		buf_addf(out, ",\"value\":%" PRId64 ",\"type\":\"%c\"", n, type[0]);
	buf_addch(out, '}');
	buf_clear(&label);
	buf_clear(&blocks);
}

static const char *type_of_list(const char *type)
{
	return type && strlen(type) == 1 && strchr("aAiI1", type[0]) ? type : NULL;
}

static int64_t count_items(const struct rich_reader *r, size_t list)
{
	int64_t n = 0;

	for (size_t i = rich_node_at(r, list)->first; i != 0; i = rich_node_at(r, i)->next)
		n += rich_node_at(r, i)->kind == RICH_ITEM;
	return n;
}

void rich_write_list(struct rich_reader *r, size_t list, struct buf *out)
{
	bool ordered = strcmp(rich_node_at(r, list)->tag->name, "ol") == 0,
	     reversed = ordered && rich_node_attribute(r, list, "reversed");
	const char *type = type_of_list(rich_node_attribute(r, list, "type")), *own;
	int64_t n = rich_number(rich_node_attribute(r, list, "start"), reversed ? count_items(r, list) : 1);

	rich_begin_block(r, "list", out);
	buf_addstr(out, ",\"items\":[");
	rich_enter(r);
	for (size_t i = rich_node_at(r, list)->first; i != 0 && !r->failed; i = rich_node_at(r, i)->next) {
		if (rich_is_blank(r, i))
			continue;
		if (rich_node_at(r, i)->kind != RICH_ITEM) {
			rich_fail_place(r, i);
			break;
		}
		own = type_of_list(rich_node_attribute(r, i, "type"));
		n = rich_number(rich_node_attribute(r, i, "value"), n);
		write_item(r, i, !ordered ? NULL : own ? own : type ? type : "1", n, out);
		n += reversed ? -1 : 1;
	}
	r->level--;
	buf_addch(out, ']');
}

static const char *choice_of(const char *value, const char *const *choices)
{
	for (size_t i = 0; value && i < 3; i++)
		if (strcasecmp(choices[i], value) == 0)
			return choices[i];
	return choices[0];
}

/* Undocumented: where the text of a cell stands that does not say it; left and top are what the protocol of
 * clients has no flag for. */
static void write_cell(struct rich_reader *r, size_t i, int64_t columns, int64_t rows, struct buf *out)
{
	static const char *const aligns[] = {"left", "center", "right"},
				 *const valigns[] = {"top", "middle", "bottom"};
	struct rich_line l = {.text = BUF_INIT};

	rich_read_inside(r, i, &l);
	rich_finish_line(r, &l, true);
	buf_addf(out, "%s{\"align\":\"%s\",\"valign\":\"%s\"", out->data[out->len - 1] == '}' ? "," : "",
	    choice_of(rich_node_attribute(r, i, "align"), aligns),
	    choice_of(rich_node_attribute(r, i, "valign"), valigns));
	if (l.text.len > 0) {
		buf_addstr(out, ",\"text\":");
		rich_line_write(&l, out);
	}
	if (strcmp(rich_node_at(r, i)->tag->name, "th") == 0)
		buf_addstr(out, ",\"is_header\":true");
	if (columns > 1)
		buf_addf(out, ",\"colspan\":%" PRId64, columns);
	if (rows > 1)
		buf_addf(out, ",\"rowspan\":%" PRId64, rows);
	buf_addch(out, '}');
	rich_line_clear(&l);
}

/* taken: for each column, how many rows it is still taken by cells above. */
static void write_row(struct rich_reader *r, size_t row, int64_t *taken, struct buf *out)
{
	int64_t at = 0;

	rich_count_block(r);
	buf_addstr(out, out->data[out->len - 1] == ']' ? ",[" : "[");
	for (size_t i = rich_node_at(r, row)->first; i != 0 && !r->failed; i = rich_node_at(r, i)->next) {
		int64_t columns = rich_number(rich_node_attribute(r, i, "colspan"), 1),
			rows = rich_number(rich_node_attribute(r, i, "rowspan"), 1);

		if (rich_is_blank(r, i))
			continue;
		if (rich_node_at(r, i)->kind != RICH_CELL) {
			rich_fail_place(r, i);
			return;
		}
		while (at < COLUMNS_MAX && taken[at] > 0)
			at++;
		columns = columns < 1 ? 1 : columns;
		if (at + columns > COLUMNS_MAX) {
			rich_fail(r, "rich message has a table with more than %d columns", COLUMNS_MAX);
			return;
		}
		while (columns-- > 0)
			taken[at++] = rows < 1 ? 1 : rows;
		write_cell(r, i, rich_number(rich_node_attribute(r, i, "colspan"), 1), rows, out);
	}
	for (at = 0; at < COLUMNS_MAX; at++)
		taken[at] -= taken[at] > 0;
	buf_addch(out, ']');
}

void rich_write_table(struct rich_reader *r, size_t table, struct buf *out)
{
	static const char *const names[] = {"bordered", "striped", "compact"};
	size_t caption = rich_find_part(r, table, RICH_CAPTION);
	int64_t taken[COLUMNS_MAX] = {0};

	rich_begin_block(r, "table", out);
	buf_addstr(out, ",\"cells\":[");
	for (size_t i = rich_node_at(r, table)->first; i != 0 && !r->failed; i = rich_node_at(r, i)->next) {
		if (rich_node_at(r, i)->kind == RICH_ROW)
			write_row(r, i, taken, out);
		else if (!rich_is_blank(r, i) && i != caption)
			rich_fail_place(r, i);
	}
	buf_addch(out, ']');
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (rich_node_attribute(r, table, names[i]))
			buf_addf(out, ",\"is_%s\":true", names[i]);
	if (caption != 0)
		rich_write_text(r, caption, "caption", false, out);
}
