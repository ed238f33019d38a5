#include <string.h>

#include "playground/model/api.h"

#define MISTRAL_ID 9

static bool is_from_model(struct json_object *message)
{
	const char *role = json_get_str(message, "role");

	return role && strcmp(role, "assistant") == 0;
}

/* DeepSeek's thinking mode, which is on by default. */
static int check_reasoning(struct json_object *message, struct refusal *r)
{
	if (!is_from_model(message))
		return 0;
	if (!json_object_is_type(json_get(message, "reasoning_content"), json_type_string))
		return refuse(r, "invalid_request_error", NULL,
		    "The reasoning_content in the thinking mode must be passed back to the API.");
	json_object_object_del(message, "reasoning_content");
	return 0;
}

/* The first call of an answer has it. */
static int check_signature(struct json_object *message, struct refusal *r)
{
	struct json_object *calls = json_get_array(message, "tool_calls");

	for (size_t i = 0; i < json_count(calls); i++) {
		struct json_object *call = json_at(calls, i);
		struct json_object *google =
		    json_get_object(json_get_object(call, "extra_content"), "google");

		if (i == 0 && !json_get_str(google, "thought_signature"))
			return refuse(r, "INVALID_ARGUMENT", NULL,
			    "Function call is missing a thought_signature in functionCall parts.");
		if (json_object_is_type(call, json_type_object)) /* others are refused later */
			json_object_object_del(call, "extra_content");
	}
	return 0;
}

static int check_id(const char *id, struct refusal *r)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (!id || (strlen(id) == MISTRAL_ID && strspn(id, good) == MISTRAL_ID))
		return 0;
	return refuse(
	    r, "3280", NULL, "Tool call id was %.60s but must be a-z, A-Z, 0-9, with a length of 9.", id);
}

static int check_ids(struct json_object *message, struct refusal *r)
{
	struct json_object *calls = json_get_array(message, "tool_calls");

	json_each(calls, item)
		if (check_id(json_get_str(item, "id"), r) != 0)
			return -1;
	return check_id(json_get_str(message, "tool_call_id"), r);
}

static int no_schema(struct json_object *schema, struct refusal *r)
{
	(void)schema;
	(void)r;
	return 0;
}

/* The part of JSON Schema that Gemini supports. */
static int check_schema(struct json_object *schema, struct refusal *r)
{
	static const char *const unknown[] = {"$defs", "$ref", "allOf", "anyOf", "definitions", "oneOf"};
	struct json_object *properties = json_get_object(schema, "properties");
	const char *type = json_get_str(schema, "type");

	for (size_t i = 0; i < ARRAY_LEN(unknown); i++)
		if (json_get(schema, unknown[i]))
			return refuse(r, "INVALID_ARGUMENT", NULL,
			    "Unknown name \"%s\" at 'tools': Cannot find field.", unknown[i]);
	if (!type)
		return refuse(
		    r, "INVALID_ARGUMENT", NULL, "Proto field 'type' is not repeating, cannot start list.");
	if (strcmp(type, "array") == 0 && check_schema(json_get(schema, "items"), r) != 0)
		return -1;
	if (!properties)
		return 0;
	json_object_object_foreach(properties, name, property) {
		(void)name;
		if (check_schema(property, r) != 0)
			return -1;
	}
	return 0;
}

static const struct vendor {
	const char *begin; /* prefix of the model's name */
	int (*message)(struct json_object *message, struct refusal *r);
	int (*schema)(struct json_object *schema, struct refusal *r);
} vendors[] = {
    {"deepseek-", check_reasoning, no_schema},
    {"gemini-", check_signature, check_schema},
    {"mistral-", check_ids, no_schema},
};

static int check_all(const struct vendor *vendor, struct json_object *request, struct refusal *r)
{
	struct json_object *messages = json_get_array(request, "messages"),
			   *tools = json_get_array(request, "tools");

	json_each(messages, item)
		if (vendor->message(item, r) != 0)
			return -1;
	json_each(tools, one) {
		struct json_object *function = json_get_object(one, "function");

		if (vendor->schema(json_get(function, "parameters"), r) != 0)
			return -1;
	}
	return 0;
}

int vendor_check(struct json_object *request, struct refusal *r)
{
	const char *model = json_get_str(request, "model");

	for (size_t i = 0; model && i < ARRAY_LEN(vendors); i++)
		if (strncmp(model, vendors[i].begin, strlen(vendors[i].begin)) == 0)
			return check_all(&vendors[i], request, r);
	return 0;
}
