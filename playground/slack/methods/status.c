#include <string.h>

#include "base/json/json.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/world/message.h"
#include "playground/slack/http/methods.h"

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

static int set_status(struct slk_call *call)
{
	struct json_object *messages = json_get_array(call->params, "loading_messages");
	int64_t thread;
	struct slk_conv *c = find_thread(call, &thread);

	if (!c)
		return -1;
	if (messages && json_object_array_length(messages) > MESSAGES_MAX)
		return slk_refuse(call, "invalid_arguments",
		    "no more than %d items allowed [json-pointer:/loading_messages]", MESSAGES_MAX);
	slk_conv_set_status(c, thread, json_get_str(call->params, "status"));
	return 0;
}

static const struct slk_param set_status_params[] = {
    {"channel_id", SLK_STRING, SLK_REQUIRED, NULL},
    {"icon_emoji", SLK_STRING, 0, NULL},
    {"icon_url", SLK_STRING, 0, NULL},
    {"loading_messages", SLK_ARRAY, 0, NULL},
    {"status", SLK_STRING, SLK_REQUIRED, NULL},
    {"thread_ts", SLK_STRING, SLK_REQUIRED, NULL},
    {"username", SLK_STRING, 0, NULL},
};

const struct slk_method slk_assistant_set_status = {"assistant.threads.setStatus", SLK_TIER_SPECIAL, 0,
    "chat:write", SLK_PARAMS(set_status_params), set_status};

static int set_title(struct slk_call *call)
{
	int64_t thread;

	return find_thread(call, &thread) ? 0 : -1;
}

static const struct slk_param set_title_params[] = {
    {"channel_id", SLK_STRING, SLK_REQUIRED, NULL},
    {"thread_ts", SLK_STRING, SLK_REQUIRED, NULL},
    {"title", SLK_STRING, SLK_REQUIRED, NULL},
};

const struct slk_method slk_assistant_set_title = {
    "assistant.threads.setTitle", SLK_TIER_4, 0, "assistant:write", SLK_PARAMS(set_title_params), set_title};

static int set_prompts(struct slk_call *call)
{
	struct json_object *prompts = json_get_array(call->params, "prompts");
	size_t count = json_object_array_length(prompts);
	int64_t thread;

	if (!find_thread(call, &thread))
		return -1;
	if (count == 0 || count > PROMPTS_MAX)
		return slk_refuse(call, "invalid_arguments",
		    "must be 1 to %d prompts [json-pointer:/prompts]", PROMPTS_MAX);
	for (size_t i = 0; i < count; i++) {
		struct json_object *prompt = json_object_array_get_idx(prompts, i);

		if (!json_get_str(prompt, "title") || !json_get_str(prompt, "message"))
			return slk_refuse(call, "invalid_arguments",
			    "a prompt has title and message [json-pointer:/prompts/%zu]", i);
	}
	return 0;
}

static const struct slk_param set_prompts_params[] = {
    {"channel_id", SLK_STRING, SLK_REQUIRED, NULL},
    {"prompts", SLK_ARRAY, SLK_REQUIRED, NULL},
    {"thread_ts", SLK_STRING, SLK_REQUIRED, NULL},
    {"title", SLK_STRING, 0, NULL},
};

const struct slk_method slk_assistant_set_suggested_prompts = {"assistant.threads.setSuggestedPrompts",
    SLK_TIER_4, 0, "assistant:write", SLK_PARAMS(set_prompts_params), set_prompts};
