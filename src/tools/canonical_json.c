#include "tools/canonical_json.h"

#include <json-c/json.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/invisible.h"
#include "base/text/utf8.h"

/* Besides what is invisible: more controls, private use, and what is no character. */
static const struct {
	uint32_t first, last;
} hidden[] = {
    {0x0, 0x1f},
    {0x60, 0x60},
    {0xe000, 0xf8ff},
    {0xfffc, 0xffff},
    {0x13440, 0x1345f},
    {0xe1000, 0x10ffff},
};

static bool is_hidden(uint32_t cp)
{
	for (size_t i = 0; i < ARRAY_LEN(hidden); i++)
		if (cp >= hidden[i].first && cp <= hidden[i].last)
			return true;
	return invisible(cp);
}

static void add_escape(struct buf *out, uint32_t cp)
{
	if (cp == '\n')
		buf_addstr(out, "\\n");
	else if (cp == '\t')
		buf_addstr(out, "\\t");
	else if (cp < 0x10000)
		buf_addf(out, "\\u%04x", cp);
	else
		buf_addf(out, "\\u%04x\\u%04x", 0xd800 + ((cp - 0x10000) >> 10),
		    0xdc00 + ((cp - 0x10000) & 0x3ff));
}

static void add_string(struct buf *out, const char *s, size_t len)
{
	uint32_t cp;

	buf_addch(out, '"');
	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode(s + i, len - i, &cp);
		if (n == 0) {
			cp = 0xfffd;
			n = 1;
		}
		if (is_hidden(cp)) {
			add_escape(out, cp);
			continue;
		}
		if (cp == '"' || cp == '\\')
			buf_addch(out, '\\');
		buf_add(out, s + i, n);
	}
	buf_addch(out, '"');
}

static void new_line(struct buf *out, unsigned depth)
{
	buf_addch(out, '\n');
	while (depth-- > 0)
		buf_addstr(out, "  ");
}

static void add_value(struct buf *out, struct json_object *value, unsigned depth);

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_object(struct buf *out, struct json_object *o, unsigned depth)
{
	size_t count = 0;
	const char **names = xcalloc((size_t)json_object_object_length(o) + 1, sizeof(*names));

	json_object_object_foreach(o, name, value) {
		(void)value;
		names[count++] = name;
	}
	qsort(names, count, sizeof(*names), compare_names);
	buf_addch(out, '{');
	for (size_t i = 0; i < count; i++) {
		buf_addstr(out, i > 0 ? "," : "");
		new_line(out, depth + 1);
		add_string(out, names[i], strlen(names[i]));
		buf_addstr(out, ": ");
		add_value(out, json_object_object_get(o, names[i]), depth + 1);
	}
	if (count > 0)
		new_line(out, depth);
	buf_addch(out, '}');
	free(names);
}

static void add_array(struct buf *out, struct json_object *a, unsigned depth)
{
	size_t count = json_object_array_length(a);

	buf_addch(out, '[');
	for (size_t i = 0; i < count; i++) {
		buf_addstr(out, i > 0 ? "," : "");
		new_line(out, depth + 1);
		add_value(out, json_object_array_get_idx(a, i), depth + 1);
	}
	if (count > 0)
		new_line(out, depth);
	buf_addch(out, ']');
}

static void add_value(struct buf *out, struct json_object *value, unsigned depth)
{
	if (json_object_is_type(value, json_type_object))
		add_object(out, value, depth);
	else if (json_object_is_type(value, json_type_array))
		add_array(out, value, depth);
	else if (json_object_is_type(value, json_type_string))
		add_string(out, json_object_get_string(value), (size_t)json_object_get_string_len(value));
	else
		buf_addstr(out, json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
}

void canonical_json_write(struct buf *out, struct json_object *value)
{
	add_value(out, value, 0);
}
