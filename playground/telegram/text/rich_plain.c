#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/telegram/text/rich.h"

static void add_blocks(struct json_object *blocks, struct buf *out);

/* A RichText: a text, an array of them, or an object around one. */
static void add_text(struct json_object *o, struct buf *out)
{
	static const char *const names[] = {"text", "expression", "alternative_text", "button", "credit"};

	if (json_object_is_type(o, json_type_string))
		buf_add(out, json_object_get_string(o), (size_t)json_object_get_string_len(o));
	if (json_object_is_type(o, json_type_array))
		json_each(o, item)
			add_text(item, out);
	for (size_t i = 0; json_object_is_type(o, json_type_object) && i < ARRAY_LEN(names); i++)
		if (json_get(o, names[i]))
			add_text(json_get(o, names[i]), out);
}

static void end_line(struct buf *out)
{
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addch(out, '\n');
}

/* A line of its own, if there is such a text. */
static void add_line(struct json_object *o, const char *name, struct buf *out)
{
	if (!json_get(o, name))
		return;
	add_text(json_get(o, name), out);
	end_line(out);
}

static void add_items(struct json_object *items, struct buf *out)
{
	json_each(items, item) {
		const char *label = json_get_str(item, "label");

		if (json_get_bool(item, "has_checkbox", false))
			label = json_get_bool(item, "is_checked", false) ? "[x]" : "[ ]";
		buf_addf(out, "%s ", label ? label : "");
		add_blocks(json_get_array(item, "blocks"), out);
		end_line(out);
	}
}

static void add_cells(struct json_object *rows, struct buf *out)
{
	json_each(rows, row) {
		if (json_object_is_type(row, json_type_array)) {
			json_each(row, cell) {
				if (cell != json_at(row, 0))
					buf_addstr(out, " | ");
				add_text(json_get(cell, "text"), out);
			}
		}
		end_line(out);
	}
}

static void add_block(struct json_object *o, struct buf *out)
{
	add_line(o, "summary", out);
	add_line(o, "text", out);
	add_line(o, "expression", out);
	add_items(json_get_array(o, "items"), out);
	add_cells(json_get_array(o, "cells"), out);
	add_blocks(json_get_array(o, "blocks"), out);
	add_line(o, "caption", out);
	add_line(o, "credit", out);
}

static void add_blocks(struct json_object *blocks, struct buf *out)
{
	json_each(blocks, block) {
		add_block(block, out);
	}
}

void rich_plain(const char *rich, struct buf *out)
{
	struct json_object *o = json_parse_object(rich, strlen(rich), NULL);

	add_blocks(json_get_array(o, "blocks"), out);
	if (out->len > 0 && out->data[out->len - 1] == '\n')
		buf_truncate(out, out->len - 1);
	json_object_put(o);
}
