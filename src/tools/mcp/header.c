#include "tools/mcp/header.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"

#define MARK      "x-mcp-header"
#define MARKS_MAX 32
#define DEPTH_MAX 16
#define ENCODED   "=?base64?"

static const char token_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";

struct checking {
	const char *names[MARKS_MAX];
	size_t count;
	struct error *err;
};

static int check_mark(struct checking *c, struct json_object *schema)
{
	static const char *const types[] = {"boolean", "integer", "string"};
	const char *name = json_get_str(schema, MARK), *type = json_get_str(schema, "type");
	bool known = false;

	if (!name || !*name || name[strspn(name, token_characters)])
		return error_set(
		    c->err, ERROR_REFUSED, "Its schema has a " MARK " that is no name of a header.");
	for (size_t i = 0; type && i < ARRAY_LEN(types); i++)
		known = known || strcmp(types[i], type) == 0;
	if (!known)
		return error_set(c->err, ERROR_REFUSED,
		    "Its schema has " MARK " at what is no string, integer or boolean.");
	for (size_t i = 0; i < c->count; i++)
		if (strcasecmp(c->names[i], name) == 0)
			return error_set(c->err, ERROR_REFUSED, "Its schema has the same " MARK " twice.");
	if (c->count == MARKS_MAX)
		return error_set(
		    c->err, ERROR_REFUSED, "Its schema has more than %d times " MARK ".", MARKS_MAX);
	c->names[c->count++] = name;
	return 0;
}

static bool holds_mark(struct json_object *node)
{
	if (json_object_is_type(node, json_type_array))
		for (size_t i = 0; i < json_object_array_length(node); i++)
			if (holds_mark(json_object_array_get_idx(node, i)))
				return true;
	if (!json_object_is_type(node, json_type_object))
		return false;
	json_object_object_foreach(node, key, value)
		if (strcmp(key, MARK) == 0 || holds_mark(value))
			return true;
	return false;
}

/* Marks are allowed only where properties alone lead from the root. */
static int check_schema(struct checking *c, struct json_object *schema)
{
	struct json_object *properties = json_get_object(schema, "properties");

	json_object_object_foreach(schema, key, value)
		if (strcmp(key, "properties") != 0 && strcmp(key, MARK) != 0 && holds_mark(value))
			return error_set(c->err, ERROR_REFUSED, "Its schema has " MARK " where none may be.");
	if (!properties)
		return 0;
	json_object_object_foreach(properties, name, property) {
		(void)name;
		if (!json_object_is_type(property, json_type_object))
			continue;
		if ((json_get(property, MARK) && check_mark(c, property) < 0) ||
		    check_schema(c, property) < 0)
			return -1;
	}
	return 0;
}

int mcp_header_check(struct json_object *schema, struct error *err)
{
	struct checking c = {.err = err};

	if (json_get(schema, MARK))
		return error_set(err, ERROR_REFUSED, "Its schema has " MARK " where none may be.");
	return check_schema(&c, schema);
}

static bool is_plain(const char *value)
{
	size_t len = strlen(value);

	if (len == 0 || value[0] == ' ' || value[len - 1] == ' ' ||
	    strncmp(value, ENCODED, strlen(ENCODED)) == 0)
		return false;
	for (size_t i = 0; i < len; i++)
		if (value[i] < 0x20 || value[i] > 0x7e)
			return false;
	return true;
}

void mcp_header_encode(struct buf *out, const char *value)
{
	if (is_plain(value)) {
		buf_addstr(out, value);
		return;
	}
	buf_addstr(out, ENCODED);
	base64_encode(out, value, strlen(value));
	buf_addstr(out, "?=");
}

static void add_value(struct buf *out, const char *name, struct json_object *value)
{
	if (!value || json_object_is_type(value, json_type_object) ||
	    json_object_is_type(value, json_type_array))
		return;
	buf_addf(out, "Mcp-Param-%s: ", name);
	mcp_header_encode(out, json_object_get_string(value));
	buf_addch(out, '\n');
}

void mcp_header_add(struct buf *out, struct json_object *schema, struct json_object *args)
{
	struct json_object *properties = json_get_object(schema, "properties");

	if (!properties || !args)
		return;
	json_object_object_foreach(properties, key, property) {
		const char *mark = json_get_str(property, MARK);
		if (mark)
			add_value(out, mark, json_get(args, key));
		mcp_header_add(out, property, json_get_object(args, key));
	}
}
