#include "tools/mcp/definition.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/sanitize.h"
#include "tools/mcp/header.h"
#include "tools/mcp/json_repair.h"

/* Limits the memory that a server can fill with invented tools. */
#define PINS_MAX 2000
/* Providers refuse other parameter names. */
#define PARAMETER_MAX 64

static const char parameter_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

static void refuse(struct mcp_definition *d, const char *why)
{
	if (!d->refusal)
		d->refusal = xstrdup(why);
}

/* Tells the model that the description is the server's. */
static char *make_summary(const char *server, const char *description)
{
	struct buf clean = BUF_INIT, out = BUF_INIT;

	sanitize_text(&clean, description, strlen(description));
	size_t len = utf8_cut(clean.data, clean.len, MCP_DESCRIPTION_MAX, UTF8_BYTES);
	buf_addf(&out, "[MCP server %s] %.*s%s", server, (int)len, clean.data, len < clean.len ? "…" : "");
	buf_clear(&clean);
	return buf_take(&out);
}

static bool refers_elsewhere(struct json_object *node)
{
	if (json_object_is_type(node, json_type_array))
		for (size_t i = 0; i < json_object_array_length(node); i++)
			if (refers_elsewhere(json_object_array_get_idx(node, i)))
				return true;
	if (!json_object_is_type(node, json_type_object))
		return false;
	const char *ref = json_get_str(node, "$ref");
	if (ref && *ref != '#')
		return true;
	json_object_object_foreach(node, key, value) {
		(void)key;
		if (refers_elsewhere(value))
			return true;
	}
	return false;
}

static bool are_parameters(struct json_object *properties)
{
	if (!properties)
		return true;
	json_object_object_foreach(properties, name, property) {
		size_t len = strlen(name);
		bool schema = json_object_is_type(property, json_type_object) ||
		    json_object_is_type(property, json_type_boolean);
		if (!schema || len == 0 || len > PARAMETER_MAX || strspn(name, parameter_characters) != len)
			return false;
	}
	return true;
}

/* Drops keywords that providers refuse at the root of a schema, with the whole request; the server checks
 * the arguments itself. */
static void drop_from_root(struct json_object *schema)
{
	static const char *const dropped[] = {
	    "$schema", "allOf", "anyOf", "else", "if", "not", "oneOf", "then"};

	for (size_t i = 0; i < ARRAY_LEN(dropped); i++)
		json_object_object_del(schema, dropped[i]);
	if (!json_get(schema, "type"))
		json_set_str(schema, "type", "object");
}

static const char *find_fault(struct json_object *schema, size_t len, bool is_too_deep, struct error *err)
{
	const char *type = json_get_str(schema, "type");
	struct json_object *properties = json_get(schema, "properties");

	if (is_too_deep)
		return "Its schema is nested too deeply.";
	if (len > MCP_SCHEMA_MAX)
		return "Its schema has more than 64 KiB.";
	if (!type || strcmp(type, "object") != 0)
		return "The root of its schema is not of type object.";
	if (properties && !json_object_is_type(properties, json_type_object))
		return "The properties of its schema are no object.";
	if (!are_parameters(properties))
		return "It has a parameter whose name or schema models do not take.";
	if (refers_elsewhere(schema))
		return "Its schema refers to something outside of itself.";
	return mcp_header_check(schema, err) < 0 ? err->text : NULL;
}

static void take_schema(struct mcp_definition *d, struct json_object *given)
{
	struct error err = {0};
	const char *fault;

	if (!json_object_is_type(given, json_type_object)) {
		refuse(d, "It has no schema of its parameters.");
		return;
	}
	/* Copied through its text, because the sanitized object may share parts with the given one. */
	struct json_object *clean = sanitize_json(given);
	char *text = json_text(clean);
	size_t len = strlen(text);
	d->schema = json_parse_object(text, len, &err);
	if (d->schema)
		drop_from_root(d->schema);
	fault = d->schema ? find_fault(d->schema, len, strstr(text, "\"" MCP_JSON_REPAIR_DEEP "\""), &err) :
			    err.text;
	if (fault) {
		refuse(d, fault);
		json_object_put(d->schema);
		d->schema = NULL;
	}
	json_object_put(clean);
	free(text);
}

static void take_hash(struct mcp_definition *d, const char *description, struct json_object *schema)
{
	struct buf all = BUF_INIT;

	buf_addf(&all, "%zu:%s%zu:%s", strlen(d->original_name), d->original_name, strlen(description),
	    description);
	json_write(&all, schema);
	sha256_text(all.data, all.len, d->hash);
	buf_clear(&all);
}

/* Returns false when it does not even have a name. */
static bool take_tool(struct mcp_definition *d, const char *server, struct json_object *tool)
{
	const char *name = json_get_str(tool, "name"), *description = json_get_str(tool, "description");

	if (!name || !*name)
		return false;
	if (!description || !*description)
		description = json_get_str(tool, "title");
	if (!description || !*description)
		description = name;
	d->original_name = xstrdup(name);
	d->summary = make_summary(server, description);
	take_schema(d, json_get(tool, "inputSchema"));
	take_hash(d, description, json_get(tool, "inputSchema"));
	return true;
}

/* Limits all schemas together: every model request carries them. */
static void keep_budget(struct mcp_definitions *d)
{
	size_t bytes = 0;

	for (size_t i = 0; i < d->count; i++) {
		struct mcp_definition *one = &d->items[i];
		char *text = one->schema ? json_text(one->schema) : NULL;
		bytes += text ? strlen(text) + strlen(one->summary) : 0;
		if (text && bytes > MCP_TOOLS_MAX)
			refuse(one, "The tools of its server take more than 256 KiB together.");
		free(text);
	}
}

static void give_names(struct mcp_definitions *d, const char *server)
{
	struct mcp_name *names = xcalloc(d->count + 1, sizeof(*names));

	for (size_t i = 0; i < d->count; i++)
		names[i].original_name = d->items[i].original_name;
	mcp_names_make(server, names, d->count);
	for (size_t i = 0; i < d->count; i++)
		str_copy(d->items[i].name, sizeof(d->items[i].name), names[i].name);
	free(names);
}

void mcp_definitions_read(struct mcp_definitions *out, const char *server, struct json_object *tools)
{
	size_t count = json_object_array_length(tools), long_names = 0;

	*out = (struct mcp_definitions){.items = xcalloc(count + 1, sizeof(*out->items))};
	for (size_t i = 0; i < count; i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		const char *name = json_get_str(tool, "name");
		if (name && strlen(name) > MCP_ORIGINAL_NAME_MAX)
			long_names++;
		else if (take_tool(&out->items[out->count], server, tool))
			out->count++;
	}
	if (long_names > 0)
		log_warn("tools", "of mcp:%s %zu tools are not offered: their names have more than %d bytes",
		    server, long_names, MCP_ORIGINAL_NAME_MAX);
	give_names(out, server);
	keep_budget(out);
}

void mcp_definitions_clear(struct mcp_definitions *d)
{
	for (size_t i = 0; i < d->count; i++) {
		free(d->items[i].original_name);
		free(d->items[i].summary);
		free(d->items[i].refusal);
		json_object_put(d->items[i].schema);
	}
	free(d->items);
	*d = (struct mcp_definitions){0};
}

static void pin(struct mcp_pins *pins, struct mcp_definition *d)
{
	for (size_t i = 0; i < pins->count; i++) {
		struct mcp_pin *p = &pins->items[i];
		if (strcmp(p->name, d->original_name) != 0)
			continue;
		if (strcmp(p->hash, d->hash) != 0)
			refuse(d,
			    "Its description or schema is not what it was when it was first seen. A restart "
			    "takes the new one.");
		return;
	}
	if (pins->count == PINS_MAX) {
		refuse(d, "Its server has shown too many tools.");
		return;
	}
	pins->items = xrealloc(pins->items, (pins->count + 1) * sizeof(*pins->items));
	pins->items[pins->count].name = xstrdup(d->original_name);
	memcpy(pins->items[pins->count++].hash, d->hash, SHA256_TEXT_SIZE);
}

void mcp_pins_apply(struct mcp_pins *pins, struct mcp_definitions *d)
{
	for (size_t i = 0; i < d->count; i++)
		pin(pins, &d->items[i]);
}

void mcp_pins_clear(struct mcp_pins *pins)
{
	for (size_t i = 0; i < pins->count; i++)
		free(pins->items[i].name);
	free(pins->items);
	*pins = (struct mcp_pins){0};
}
