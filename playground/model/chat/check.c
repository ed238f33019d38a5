#include <string.h>

#include "playground/model/api.h"
#include "playground/model/chat/chat.h"

static int check_required(struct json_object *request, struct refusal *r)
{
	const char *model = json_get_str(request, "model");

	if (!model || model[0] == '\0')
		return refuse(r, NULL, "model", "you must provide a model parameter");
	if (strstr(model, "no-such")) {
		refuse(r, "model_not_found", "model",
		    "The model `%.60s` does not exist or you do not have access to it.", model);
		r->status = 404;
		return -1;
	}
	if (!json_get(request, "messages"))
		return refuse_missing(r, "messages", NULL);
	return 0;
}

/* Checks combinations of parameters. */
static int check_together(struct json_object *request, struct refusal *r)
{
	struct json_object *options = json_get_object(request, "stream_options");

	if (options && !json_get_bool(request, "stream", false))
		return refuse(r, NULL, "stream_options",
		    "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
	if (json_get(request, "max_tokens") && json_get(request, "max_completion_tokens"))
		return refuse(r, "invalid_parameter_combination", "max_tokens",
		    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
	if (json_get_int(request, "n", 1) != 1)
		return refuse(r, "unsupported_value", "n",
		    "Unsupported value: 'n' does not support other values than 1 here.");
	if (!options)
		return 0;
	json_object_object_foreach(options, name, value) {
		if (strcmp(name, "include_usage") != 0 && strcmp(name, "include_obfuscation") != 0)
			return refuse(
			    r, "unknown_parameter", name, "Unknown parameter: 'stream_options.%.60s'.", name);
		if (!json_object_is_type(value, json_type_boolean))
			return refuse(r, "invalid_type", name,
			    "Invalid type for 'stream_options.%s': expected a boolean.", name);
	}
	return 0;
}

int chat_check(struct json_object *request, struct refusal *r)
{
	struct json_object *messages = json_get(request, "messages");

	if (model_params_check(request, "ChatRequest", r) != 0 || check_required(request, r) != 0 ||
	    check_together(request, r) != 0)
		return -1;
	if (chat_check_messages(messages, r) != 0 || images_check(request, r) != 0 ||
	    chat_check_pairs(messages, r) != 0)
		return -1;
	return chat_check_tools(request, r);
}
