#include <stdio.h>
#include <string.h>

#include "playground/model/api.h"
#include "playground/model/chat/chat.h"
#include "playground/model/responses/responses.h"

#define TOOLS_MAX 128

static int check_required(struct json_object *request, struct refusal *r)
{
	const char *model = json_get_str(request, "model");

	if (!model || model[0] == '\0')
		return refuse_missing(r, "model", NULL);
	if (!json_get(request, "input"))
		return refuse_missing(r, "input", NULL);
	/* Responses are not stored here. */
	if (json_get(request, "previous_response_id"))
		return refuse(r, "previous_response_not_found", "previous_response_id",
		    "Previous response with id '%.60s' not found.",
		    json_get_str(request, "previous_response_id"));
	if (!strstr(model, "no-such"))
		return 0;
	return refuse(r, "model_not_found", "model", "The requested model '%.60s' does not exist.", model);
}

static int check_include(struct json_object *request, struct refusal *r)
{
	static const char *const values[] = {"code_interpreter_call.outputs",
	    "computer_call_output.output.image_url", "file_search_call.results",
	    "message.input_image.image_url", "message.output_text.logprobs", "reasoning.encrypted_content",
	    "web_search_call.action.sources", "web_search_call.results"};
	struct json_object *include = json_get_array(request, "include");

	json_each(include, item) {
		const char *value = json_object_get_string(item);
		size_t k = 0;

		while (value && k < ARRAY_LEN(values) && strcmp(values[k], value) != 0)
			k++;
		if (!value || k == ARRAY_LEN(values))
			return refuse(
			    r, "invalid_value", "include", "Invalid value: '%.60s'.", value ? value : "null");
		/* A model does not reason if its name says so. */
		if (strcmp(value, "reasoning.encrypted_content") == 0 &&
		    strstr(json_get_str(request, "model"), "plain"))
			return refuse(
			    r, NULL, "include", "Encrypted content is not supported with this model.");
	}
	return 0;
}

/* Strict, the default: every property is required, and no others are allowed. */
static int check_strict(struct json_object *tool, struct refusal *r)
{
	struct json_object *parameters = json_get_object(tool, "parameters"),
			   *properties = json_get_object(parameters, "properties"),
			   *required = json_get_array(parameters, "required");
	size_t wanted = properties ? (size_t)json_object_object_length(properties) : 0;

	if (!json_get_bool(tool, "strict", true))
		return 0;
	if (json_get_bool(parameters, "additionalProperties", true))
		return refuse(r, "invalid_function_parameters", "tools",
		    "Invalid schema for function '%s': In context=(), 'additionalProperties' is required to "
		    "be supplied and to be false.",
		    json_get_str(tool, "name"));
	if ((json_count(required)) != wanted)
		return refuse(r, "invalid_function_parameters", "tools",
		    "Invalid schema for function '%s': In context=(), 'required' is required to be supplied "
		    "and to be an array including every key in properties.",
		    json_get_str(tool, "name"));
	return 0;
}

static int check_tool(struct json_object *tools, size_t i, struct refusal *r)
{
	static const char *const members[] = {"description", "name", "parameters", "strict", "type", NULL};
	struct json_object *tool = json_at(tools, i);
	const char *type = json_get_str(tool, "type"), *name = json_get_str(tool, "name"),
		   *other = members_other(tool, members);
	char param[48];

	snprintf(param, sizeof(param), "tools[%zu]", i);
	if (!type)
		return refuse_missing(r, param, "type");
	if (strcmp(type, "function") != 0)
		return refuse(r, "invalid_value", param,
		    "Invalid value: '%.40s'. Tools of the provider are not simulated.", type);
	if (!name)
		return refuse_missing(r, param, "name");
	if (!chat_is_tool_name(name))
		return refuse(r, "invalid_value", param,
		    "Invalid '%s.name': string does not match pattern. Expected a string that matches the "
		    "pattern '^[a-zA-Z0-9_-]+$'.",
		    param);
	if (other)
		return refuse_unknown(r, param, other);
	if (!json_get_object(tool, "parameters"))
		return refuse_missing(r, param, "parameters");
	if (chat_check_parameters(json_get_object(tool, "parameters"), name, r) != 0)
		return -1;
	return check_strict(tool, r);
}

static int check_tools(struct json_object *request, struct refusal *r)
{
	struct json_object *tools = json_get_array(request, "tools"),
			   *choice = json_get(request, "tool_choice");

	if (json_count(tools) > TOOLS_MAX)
		return refuse(r, "array_above_max_length", "tools",
		    "Invalid 'tools': array too long. Expected an array with maximum length %d.", TOOLS_MAX);
	if (offered_tools_check(tools, check_tool, r) != 0)
		return -1;
	if (!choice || json_object_is_type(choice, json_type_object))
		return 0;
	return chat_check_choice(json_get_str(request, "tool_choice"), r);
}

int responses_check(struct json_object *request, struct refusal *r)
{
	if (model_params_check(request, "ResponsesRequest", r) != 0 || check_required(request, r) != 0)
		return -1;
	if (check_include(request, r) != 0 || check_tools(request, r) != 0)
		return -1;
	return responses_check_items(request, r) != 0 ? -1 : images_check(request, r);
}
