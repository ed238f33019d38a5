#include "bus/buttons.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

static const char *const styles[] = {
    [BUTTON_PLAIN] = "plain",
    [BUTTON_PRIMARY] = "primary",
    [BUTTON_DANGER] = "danger",
};

static size_t row_length(const struct buttons *b)
{
	size_t n = 0;

	while (n < b->count && !b->items[b->count - 1 - n].new_row)
		n++;
	return b->count > 0 ? n + 1 : 0;
}

void buttons_add(struct buttons *b, const char *id, const char *label, enum button_style style, bool new_row)
{
	size_t cut = utf8_cut(label, strlen(label), BUTTON_LABEL_MAX, UTF8_UTF16);

	if (id[0] == '\0' || strlen(id) > BUTTON_ID_MAX || b->count == BUTTONS_COUNT_MAX)
		abort();
	new_row = new_row || b->count == 0 || row_length(b) == BUTTONS_IN_ROW;
	b->items = xrealloc(b->items, (b->count + 1) * sizeof(*b->items));
	b->items[b->count++] = (struct button){
	    .id = xstrdup(id), .label = xstrndup(label, cut), .style = style, .new_row = new_row};
}

static void write_member(struct buf *out, const char *name, const char *value)
{
	buf_addstr(out, name);
	json_quote(out, value, strlen(value));
}

char *buttons_write(const struct buttons *b)
{
	struct buf out = BUF_INIT;

	if (b->count == 0)
		return NULL;
	for (size_t i = 0; i < b->count; i++) {
		buf_addstr(&out, i == 0 ? "[[" : b->items[i].new_row ? "],[" : ",");
		write_member(&out, "{\"id\":", b->items[i].id);
		write_member(&out, ",\"label\":", b->items[i].label);
		write_member(&out, ",\"style\":", styles[b->items[i].style]);
		buf_addch(&out, '}');
	}
	buf_addstr(&out, "]]");
	return buf_take(&out);
}

static int read_button(struct buttons *b, struct json_object *o, bool new_row)
{
	const char *id = json_get_str(o, "id"), *label = json_get_str(o, "label"),
		   *style = json_get_str(o, "style");
	size_t n = 0;

	if (!id || id[0] == '\0' || strlen(id) > BUTTON_ID_MAX || !label || !style ||
	    b->count == BUTTONS_COUNT_MAX)
		return -1;
	while (n < ARRAY_LEN(styles) && strcmp(styles[n], style) != 0)
		n++;
	if (n == ARRAY_LEN(styles))
		return -1;
	buttons_add(b, id, label, (enum button_style)n, new_row);
	return 0;
}

static int read_row(struct buttons *b, struct json_object *row)
{
	if (!json_object_is_type(row, json_type_array))
		return -1;
	for (size_t i = 0; i < json_object_array_length(row); i++)
		if (read_button(b, json_object_array_get_idx(row, i), i == 0) < 0)
			return -1;
	return 0;
}

int buttons_read(struct buttons *b, const char *text, struct error *err)
{
	int rc = 0;

	*b = (struct buttons){0};
	if (!text)
		return 0;
	struct json_object *rows = json_parse(text, strlen(text), err);
	if (!json_object_is_type(rows, json_type_array))
		rc = -1;
	for (size_t i = 0; rc == 0 && i < json_object_array_length(rows); i++)
		rc = read_row(b, json_object_array_get_idx(rows, i));
	json_object_put(rows);
	if (rc == 0)
		return 0;
	buttons_clear(b);
	return error_set(err, ERROR_OURS, "The buttons of a message cannot be read.");
}

void buttons_clear(struct buttons *b)
{
	for (size_t i = 0; i < b->count; i++) {
		free(b->items[i].id);
		free(b->items[i].label);
	}
	free(b->items);
	*b = (struct buttons){0};
}
