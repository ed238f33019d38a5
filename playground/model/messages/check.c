#include <string.h>

#include "playground/model/api.h"
#include "playground/model/messages/messages.h"
#include "playground/spec/spec.h"

#define NEWEST       "2026-10-21"
#define MESSAGES_MAX 100000
#define MARKERS_MAX  4
#define NAME_CHARS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

static const char *type_name(const struct spec_type *t)
{
	static const char *const names[] = {
	    [SPEC_BOOL] = "boolean",
	    [SPEC_INT] = "int",
	    [SPEC_LIST] = "array",
	    [SPEC_MAP] = "object",
	    [SPEC_NUMBER] = "double",
	    [SPEC_STRING] = "string",
	};

	return names[t->kind];
}

static int check_params(struct json_object *request, bool newest, struct refusal *r)
{
	const struct spec_record *params = spec_type(spec_of("model"), "MessagesRequest");

	json_object_object_foreach(request, name, value) {
		const struct spec_member *m = spec_member(params, name);

		if (!m || (newest && (m->flags & SPEC_LEGACY)))
			return refuse(r, NULL, name, "%.60s: Extra inputs are not permitted", name);
		if (!model_is_of_type(value, m->type))
			return refuse(
			    r, NULL, name, "%s: Input should be a valid %s", name, type_name(m->type));
	}
	return 0;
}

static int check_required(struct json_object *request, struct refusal *r)
{
	static const char *const names[] = {"model", "max_tokens", "messages"};
	const char *model = json_get_str(request, "model");
	struct json_object *messages = json_get_array(request, "messages");
	size_t count = json_count(messages);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!json_get(request, names[i]))
			return refuse(r, NULL, names[i], "%s: Field required", names[i]);
	if (!model)
		return refuse(r, NULL, "model", "model: Input should be a valid string");
	if (model[0] == '\0')
		return refuse(r, NULL, "model", "model: String should have at least 1 character");
	if (json_get_int(request, "max_tokens", 0) < 0)
		return refuse(
		    r, NULL, "max_tokens", "max_tokens: Input should be greater than or equal to 0");
	if (count == 0)
		return refuse(r, NULL, "messages", "messages: at least one message is required");
	if (count > MESSAGES_MAX)
		return refuse(r, NULL, "messages", "messages: at most %d messages are allowed", MESSAGES_MAX);
	if (!strstr(model, "no-such"))
		return 0;
	refuse(r, NULL, "model", "model: %.60s", model);
	r->status = 404;
	return -1;
}

static int check_marker(struct json_object *marker, const char *where, struct refusal *r)
{
	const char *type = json_get_str(marker, "type"), *ttl = json_get_str(marker, "ttl");

	if (!type || strcmp(type, "ephemeral") != 0)
		return refuse(r, NULL, where, "%s.cache_control.type: Input should be 'ephemeral'", where);
	if (ttl && strcmp(ttl, "5m") != 0 && strcmp(ttl, "1h") != 0)
		return refuse(r, NULL, where, "%s.cache_control.ttl: Input should be '5m' or '1h'", where);
	return 0;
}

int messages_check_markers(struct json_object *list, const char *where, int *count, struct refusal *r)
{
	json_each(list, item) {
		struct json_object *marker = json_get(item, "cache_control");

		if (!marker)
			continue;
		(*count)++;
		if (check_marker(marker, where, r) != 0)
			return -1;
	}
	return 0;
}

static int check_cache(struct json_object *request, struct refusal *r)
{
	struct json_object *messages = json_get_array(request, "messages"),
			   *own = json_get(request, "cache_control");
	int count = own != NULL;

	if (own && check_marker(own, "cache_control", r) != 0)
		return -1;
	if (messages_check_markers(json_get_array(request, "tools"), "tools", &count, r) != 0 ||
	    messages_check_markers(json_get_array(request, "system"), "system", &count, r) != 0)
		return -1;
	json_each(messages, item)
		if (messages_check_markers(json_get_array(item, "content"), "messages", &count, r) != 0)
			return -1;
	if (count <= MARKERS_MAX)
		return 0;
	return refuse(r, NULL, "cache_control",
	    "A maximum of %d blocks with cache_control may be provided. Found %d.", MARKERS_MAX, count);
}

static int check_system(struct json_object *request, struct refusal *r)
{
	struct json_object *system = json_get(request, "system");

	if (!system || json_object_is_type(system, json_type_string))
		return 0;
	if (!json_object_is_type(system, json_type_array))
		return refuse(r, NULL, "system", "system: Input should be a valid string or list");
	for (size_t i = 0; i < json_count(system); i++) {
		struct json_object *block = json_at(system, i);
		const char *type = json_get_str(block, "type"), *text = json_get_str(block, "text");

		if (!type || strcmp(type, "text") != 0)
			return refuse(r, NULL, "system", "system.%zu.type: Input should be 'text'", i);
		if (!text || text[0] == '\0')
			return refuse(r, NULL, "system", "system: text content blocks must be non-empty");
	}
	return 0;
}

static bool offers(struct json_object *tools, const char *name, size_t before)
{
	for (size_t i = 0; name && i < before; i++)
		if (strcmp(json_get_str(json_at(tools, i), "name"), name) == 0)
			return true;
	return false;
}

static int check_tool(struct json_object *tools, size_t i, struct refusal *r)
{
	static const char *const members[] = {"name", "description", "input_schema", "cache_control",
	    "strict", "eager_input_streaming", "defer_loading", "input_examples", "type", NULL};
	struct json_object *tool = json_at(tools, i), *schema = json_get(tool, "input_schema");
	const char *name = json_get_str(tool, "name"), *type = json_get_str(schema, "type"),
		   *other = members_other(tool, members);

	if (!name)
		return refuse(r, NULL, "tools", "tools.%zu.custom.name: Field required", i);
	if (name[0] == '\0' || strlen(name) > 128 || strspn(name, NAME_CHARS) != strlen(name))
		return refuse(r, NULL, "tools",
		    "tools.%zu.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", i);
	if (!schema)
		return refuse(r, NULL, "tools", "tools.%zu.custom.input_schema: Field required", i);
	if (!type || strcmp(type, "object") != 0)
		return refuse(
		    r, NULL, "tools", "tools.%zu.custom.input_schema.type: Input should be 'object'", i);
	if (other)
		return refuse(
		    r, NULL, "tools", "tools.%zu.custom.%.60s: Extra inputs are not permitted", i, other);
	return offers(tools, name, i) ? refuse(r, NULL, "tools", "tools: Tool names must be unique.") : 0;
}

static int check_choice(struct json_object *request, struct json_object *tools, struct refusal *r)
{
	struct json_object *choice = json_get(request, "tool_choice");
	const char *type = json_get_str(choice, "type");

	if (!choice)
		return 0;
	if (!tools)
		return refuse(
		    r, NULL, "tool_choice", "tool_choice may only be specified while providing tools");
	if (type && strcmp(type, "tool") == 0 &&
	    !offers(tools, json_get_str(choice, "name"), json_count(tools)))
		return refuse(r, NULL, "tool_choice", "Tool '%.64s' not found in provided tools",
		    json_get_str(choice, "name") ? json_get_str(choice, "name") : "");
	if (!type ||
	    (strcmp(type, "auto") != 0 && strcmp(type, "any") != 0 && strcmp(type, "none") != 0 &&
		strcmp(type, "tool") != 0))
		return refuse(r, NULL, "tool_choice",
		    "tool_choice: Input tag found using 'type' does not match any of the expected tags: "
		    "'any', 'auto', 'none', 'tool'");
	return 0;
}

static int check_tools(struct json_object *request, struct refusal *r)
{
	struct json_object *tools = json_get_array(request, "tools");

	return offered_tools_check(tools, check_tool, r) == 0 ? check_choice(request, tools, r) : -1;
}

static int check_version(const char *version, struct refusal *r)
{
	static const char *const versions[] = {"2023-01-01", "2023-06-01", NEWEST};

	if (!version)
		return refuse(r, NULL, "anthropic-version", "anthropic-version: header is required");
	for (size_t i = 0; i < ARRAY_LEN(versions); i++)
		if (strcmp(version, versions[i]) == 0)
			return 0;
	return refuse(
	    r, NULL, "anthropic-version", "anthropic-version: \"%.40s\" is not a valid version", version);
}

int messages_check(struct json_object *request, const char *version, struct refusal *r)
{
	bool newest = version && strcmp(version, NEWEST) == 0;

	if (check_version(version, r) != 0 || check_params(request, newest, r) != 0 ||
	    check_required(request, r) != 0)
		return -1;
	if (messages_check_blocks(json_get_array(request, "messages"), newest, r) != 0 ||
	    images_check(request, r) != 0 || check_system(request, r) != 0)
		return -1;
	if (check_tools(request, r) != 0 || check_cache(request, r) != 0)
		return -1;
	return messages_check_pairs(request, r);
}
