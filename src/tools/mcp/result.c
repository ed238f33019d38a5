#include "tools/mcp/result.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/tools.h"

/* Bytes of a failure's text in its sentence; content has all of it. */
#define QUOTED_MAX 500

static size_t text_size(struct json_object *o, const char *key)
{
	struct json_object *text = json_get(o, key);

	return json_object_is_type(text, json_type_string) ? (size_t)json_object_get_string_len(text) : 0;
}

static const char *text_or(struct json_object *o, const char *key, const char *fallback)
{
	const char *text = json_get_str(o, key);

	return text && *text ? text : fallback;
}

static void add_text(struct buf *out, struct json_object *item)
{
	struct json_object *text = json_get(item, "text");

	if (json_object_is_type(text, json_type_string))
		buf_add(out, json_object_get_string(text), (size_t)json_object_get_string_len(text));
}

/* Base64: four characters for three bytes. */
static void add_data(struct buf *out, struct json_object *item)
{
	buf_addf(out, "[%s: %s, %zu bytes, not shown]", json_get_str(item, "type"),
	    text_or(item, "mimeType", "of no type"), text_size(item, "data") / 4 * 3);
}

static void add_link(struct buf *out, struct json_object *item)
{
	buf_addf(out, "[resource: %s, %s, at %s]", text_or(item, "name", "without a name"),
	    text_or(item, "mimeType", "of no type"), text_or(item, "uri", "nowhere"));
}

static void add_resource(struct buf *out, struct json_object *item)
{
	struct json_object *resource = json_get_object(item, "resource");
	const char *uri = text_or(resource, "uri", "nowhere");

	if (json_get_str(resource, "text"))
		buf_addf(out, "[resource %s]\n%s", uri, json_get_str(resource, "text"));
	else
		buf_addf(out, "[resource %s: %s, %zu bytes, not shown]", uri,
		    text_or(resource, "mimeType", "of no type"), text_size(resource, "blob") / 4 * 3);
}

static const struct {
	const char *type;
	void (*add)(struct buf *out, struct json_object *item);
} kinds[] = {
    {"audio", add_data},
    {"image", add_data},
    {"resource", add_resource},
    {"resource_link", add_link},
    {"text", add_text},
};

static void add_item(struct buf *out, struct json_object *item)
{
	const char *type = text_or(item, "type", "");

	if (out->len > 0)
		buf_addch(out, '\n');
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strcmp(kinds[i].type, type) != 0)
			continue;
		kinds[i].add(out, item);
		return;
	}
	buf_addf(out, "[content of a kind that is not known: %.64s]", type);
}

static struct json_object *failed(const char *tool, const char *server, const struct buf *content)
{
	size_t len = utf8_cut(content->data, content->len, QUOTED_MAX, UTF8_BYTES);

	return tool_failure(tool, "TOOL_FAILED", NULL,
	    "The MCP server %s says that it failed: %.*s%s. Look at what it says, and call again otherwise.",
	    server, (int)len, content->len > 0 ? content->data : "without a word",
	    len < content->len ? "…" : "");
}

struct json_object *mcp_result_read(const char *tool, const char *server, struct json_object *result)
{
	struct json_object *items = json_get_array(result, "content"),
			   *structured = json_get(result, "structuredContent"), *o;
	struct buf content = BUF_INIT;
	bool is_error = json_get_bool(result, "isError", false);

	for (size_t i = 0; items && i < json_object_array_length(items); i++)
		add_item(&content, json_object_array_get_idx(items, i));
	o = is_error ? failed(tool, server, &content) : json_object_new_object();
	if (is_error)
		json_set_str(json_get_object(o, "context"), "server", server);
	if (!is_error || content.len > QUOTED_MAX)
		json_set(o, "content", json_object_new_string_len(content.data, (int)content.len));
	if (structured)
		json_set(o, "structured", json_object_get(structured));
	buf_clear(&content);
	return o;
}
