#include <string.h>

#include "playground/slack/methods/compose.h"

#define PROMPTS_MAX  4
#define MESSAGES_MAX 10

/* Finds the conversation and the thread that all three methods name. */
static struct slk_conv *find_thread(struct slk_call *call, int64_t *thread)
{
	struct slk_conv *c = slk_call_place(call, "channel_id");

	if (!c)
		return NULL;
	if (!slk_read_ts(json_get_str(call->params, "thread_ts"), thread) || !slk_message_find(c, *thread)) {
		slk_fail(call, "invalid_thread_ts");
		return NULL;
	}
	return c;
}

int slk_assistant_threads_set_status(struct slk_call *call)
{
	struct json_object *messages = json_get_array(call->params, "loading_messages");
	int64_t thread;
	struct slk_conv *c = find_thread(call, &thread);

	if (!c)
		return -1;
	if (messages && json_count(messages) > MESSAGES_MAX)
		return slk_refuse(call, "invalid_arguments",
		    "no more than %d items allowed [json-pointer:/loading_messages]", MESSAGES_MAX);
	slk_conv_set_status(c, thread, json_get_str(call->params, "status"));
	return 0;
}

int slk_assistant_threads_set_title(struct slk_call *call)
{
	const char *title = json_get_str(call->params, "title");
	int64_t thread;
	struct slk_conv *c = find_thread(call, &thread);
	struct json_object *o;

	if (!c)
		return -1;
	json_set_str(slk_conv_assistant(c, thread, true), "title", title);
	o = json_get_object(slk_message_find(c, thread)->o, "assistant_app_thread");
	if (o)
		json_set_str(o, "title", title);
	slk_show_conv(c);
	return 0;
}

int slk_assistant_threads_set_suggested_prompts(struct slk_call *call)
{
	struct json_object *prompts = json_get_array(call->params, "prompts");
	size_t count = json_count(prompts);
	int64_t thread;
	struct slk_conv *c = find_thread(call, &thread);
	struct json_object *o;

	if (!c)
		return -1;
	if (count == 0 || count > PROMPTS_MAX)
		return slk_refuse(call, "invalid_arguments",
		    "must be 1 to %d prompts [json-pointer:/prompts]", PROMPTS_MAX);
	for (size_t i = 0; i < count; i++) {
		struct json_object *prompt = json_at(prompts, i);

		if (!json_get_str(prompt, "title") || !json_get_str(prompt, "message"))
			return slk_refuse(call, "invalid_arguments",
			    "a prompt has title and message [json-pointer:/prompts/%zu]", i);
	}
	o = slk_conv_assistant(c, thread, true);
	json_set(o, "prompts", slk_copy(prompts));
	json_set_str(o, "prompts_title", json_get_str(call->params, "title"));
	slk_show_conv(c);
	return 0;
}
