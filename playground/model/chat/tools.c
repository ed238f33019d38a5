#include <string.h>

#include "playground/model/api.h"
#include "playground/model/chat/chat.h"

#define TOOLS_MAX    128
#define NAME_MAX_LEN 64
#define DEPTH_MAX    16

bool chat_is_tool_name(const char *s)
{
	size_t len = strlen(s);

	return len >= 1 && len <= NAME_MAX_LEN &&
	    strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len;
}

static int check_schema(struct json_object *schema, const char *tool, int depth, struct refusal *r)
{
	struct json_object *properties = json_get_object(schema, "properties");
	const char *type = json_get_str(schema, "type");

	if (!json_object_is_type(schema, json_type_object) || depth > DEPTH_MAX)
		return refuse(r, "invalid_function_parameters", "tools",
		    "Invalid schema for function '%s': a schema must be an object, not deeper than %d.", tool,
		    DEPTH_MAX);
	if (type && strcmp(type, "array") == 0 && !json_get(schema, "items"))
		return refuse(r, "invalid_function_parameters", "tools",
		    "Invalid schema for function '%s': array schema missing items.", tool);
	if (json_get(schema, "items") && check_schema(json_get(schema, "items"), tool, depth + 1, r) != 0)
		return -1;
	if (!properties)
		return 0;
	json_object_object_foreach(properties, name, property) {
		(void)name;
		if (check_schema(property, tool, depth + 1, r) != 0)
			return -1;
	}
	return 0;
}

/* "required" may name only existing properties. */
static int check_required(struct json_object *schema, const char *tool, struct refusal *r)
{
	struct json_object *required = json_get_array(schema, "required"),
			   *properties = json_get_object(schema, "properties");

	json_each(required, item) {
		const char *name = json_object_get_string(item);

		if (!name || !json_get(properties, name))
			return refuse(r, "invalid_function_parameters", "tools",
			    "Invalid schema for function '%s': In context=(), 'required' names '%.60s', "
			    "which is no property.",
			    tool, name ? name : "null");
	}
	return 0;
}

int chat_check_parameters(struct json_object *parameters, const char *name, struct refusal *r)
{
	const char *type = json_get_str(parameters, "type");

	if (!type || strcmp(type, "object") != 0)
		return refuse(r, "invalid_function_parameters", "tools",
		    "Invalid schema for function '%s': schema must be a JSON Schema of 'type: \"object\"', "
		    "got 'type: \"%.20s\"'.",
		    name, type ? type : "None");
	return check_schema(parameters, name, 0, r) == 0 ? check_required(parameters, name, r) : -1;
}

static int check_function(struct json_object *function, size_t i, struct refusal *r)
{
	static const char *const members[] = {"description", "name", "parameters", "strict", NULL};
	struct json_object *parameters = json_get(function, "parameters"),
			   *description = json_get(function, "description");
	const char *name = json_get_str(function, "name"), *other = members_other(function, members);
	char param[48];

	snprintf(param, sizeof(param), "tools[%zu].function.name", i);
	if (!name)
		return refuse_missing(r, param, NULL);
	if (!chat_is_tool_name(name))
		return refuse(r, "invalid_value", param,
		    "Invalid '%s': string does not match pattern. Expected a string that matches the pattern "
		    "'^[a-zA-Z0-9_-]{1,64}$'.",
		    param);
	if (other)
		return refuse(r, "unknown_parameter", param,
		    "Unknown parameter: 'tools[%zu].function.%.40s'.", i, other);
	if (description && !json_object_is_type(description, json_type_string))
		return refuse(r, "invalid_type", param,
		    "Invalid type for 'tools[%zu].function.description': expected a string.", i);
	return !parameters ? 0 : chat_check_parameters(parameters, name, r);
}

static int check_tool(struct json_object *tools, size_t i, struct refusal *r)
{
	static const char *const members[] = {"function", "type", NULL};
	struct json_object *tool = json_at(tools, i);
	const char *type = json_get_str(tool, "type"), *other = members_other(tool, members);
	char param[48];

	snprintf(param, sizeof(param), "tools[%zu]", i);
	if (!type)
		return refuse_missing(r, param, "type");
	if (strcmp(type, "function") != 0)
		return refuse(r, "invalid_value", param,
		    "Invalid value: '%.40s'. Supported values are: 'function'.", type);
	if (!json_get_object(tool, "function"))
		return refuse_missing(r, param, "function");
	if (other)
		return refuse_unknown(r, param, other);
	return check_function(json_get_object(tool, "function"), i, r);
}

/* Without tools these parameters are refused. */
static int check_without(struct json_object *request, struct refusal *r)
{
	static const char *const names[] = {"tool_choice", "parallel_tool_calls"};

	for (size_t i = 0; i < 2; i++)
		if (json_get(request, names[i]))
			return refuse(r, NULL, names[i],
			    "Invalid value for '%s': '%s' is only allowed when 'tools' are specified.",
			    names[i], names[i]);
	return 0;
}

static bool offers(struct json_object *tools, const char *name)
{
	json_each(tools, item) {
		struct json_object *function = json_get_object(item, "function");

		if (strcmp(json_get_str(function, "name"), name) == 0)
			return true;
	}
	return false;
}

int chat_check_choice(const char *choice, struct refusal *r)
{
	if (choice &&
	    (strcmp(choice, "none") == 0 || strcmp(choice, "auto") == 0 || strcmp(choice, "required") == 0))
		return 0;
	return refuse(r, "invalid_value", "tool_choice",
	    "Invalid value: '%.40s'. Supported values are: 'none', 'auto', and 'required'.",
	    choice ? choice : "");
}

static int check_choice(struct json_object *request, struct json_object *tools, struct refusal *r)
{
	struct json_object *choice = json_get(request, "tool_choice");
	const char *name = json_get_str(json_get_object(choice, "function"), "name");

	if (!choice)
		return 0;
	if (!json_object_is_type(choice, json_type_object))
		return chat_check_choice(json_get_str(request, "tool_choice"), r);
	if (name && offers(tools, name))
		return 0;
	return refuse(
	    r, NULL, "tool_choice", "Tool choice '%.64s' not found in 'tools' parameter.", name ? name : "");
}

int chat_check_tools(struct json_object *request, struct refusal *r)
{
	struct json_object *tools = json_get_array(request, "tools");

	if (!tools)
		return check_without(request, r);
	/* Ollama's error text. */
	if (json_get_str(request, "model") && strstr(json_get_str(request, "model"), "-toolless"))
		return refuse(r, NULL, NULL, "registry.ollama.ai/library/%.60s does not support tools",
		    json_get_str(request, "model"));
	if (json_count(tools) == 0)
		return refuse_empty(r, "tools");
	if (json_count(tools) > TOOLS_MAX)
		return refuse(r, "array_above_max_length", "tools",
		    "Invalid 'tools': array too long. Expected an array with maximum length %d.", TOOLS_MAX);
	return offered_tools_check(tools, check_tool, r) == 0 ? check_choice(request, tools, r) : -1;
}
