#include <string.h>

#include "base/text/utf8.h"
#include "playground/slack/methods/compose.h"

#define PROMPTS_MAX  4
#define MESSAGES_MAX 10

/* Finds the conversation and the thread that all these methods name. */
static struct slk_conv *find_thread(struct slk_call *call, int64_t *thread)
{
	struct slk_conv *c = slk_call_target(call, "channel_id");

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

	if (!c)
		return -1;
	slk_conv_set_title(c, thread, title);
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

int slk_session_check_status(struct slk_call *call, const char *param)
{
	const char *status = json_get_str(call->params, param);

	return !status || slk_session_is_status(status) ?
	    0 :
	    slk_refuse(call, "invalid_arguments", "must be a valid enum value [json-pointer:/%s]", param);
}

static int check_title(struct slk_call *call, const char *title, size_t min)
{
	size_t length = title ? utf8_count(title, strlen(title), UTF8_CHARS) : 0;

	if (length < min)
		return slk_refuse(
		    call, "invalid_arguments", "must be more than 0 characters [json-pointer:/title]");
	return length <= SLK_SESSION_TITLE_MAX ?
	    0 :
	    slk_refuse(call, "invalid_arguments", "must be less than %d characters [json-pointer:/title]",
		SLK_SESSION_TITLE_MAX + 1);
}

/* Undocumented: the error; an app that is no agent, and so has no assistant:write, has logged it. */
static int check_agent(struct slk_call *call)
{
	return slk_settings_scope(&call->world->set, "assistant:write") ? 0 :
									  slk_fail(call, "not_authorized");
}

/* Undocumented: the error; it is that of a stream's recipient. */
static int check_initiator(struct slk_call *call, const struct slk_conv *c, const char *user)
{
	const struct slk_user *u = user && slk_is_id(user, "UW") ? slk_find_user(call->world, user) : NULL;

	return !user || (u && slk_conv_has(c, u->id)) ? 0 : slk_fail(call, "user_not_found");
}

int slk_agents_sessions_set_status(struct slk_call *call)
{
	const char *status = json_get_str(call->params, "status"),
		   *title = json_get_str(call->params, "title");
	struct json_object *session;
	struct slk_conv *c;
	int64_t thread;

	if (slk_session_check_status(call, "status") != 0 || check_title(call, title, 0) != 0 ||
	    check_agent(call) != 0 || !(c = find_thread(call, &thread)))
		return -1;
	if (!slk_session_find(c, thread)) {
		if (check_initiator(call, c, json_get_str(call->params, "initiator_user_id")) != 0)
			return -1;
		if (title && title[0] != '\0')
			slk_conv_set_title(c, thread, title);
	}
	slk_session_set_status(c, thread, call->app, status);
	session = slk_session_find(c, thread);
	json_setf(call->out, "status: %s, agent_status: %s, title: %s", json_get_str(session, "status"),
	    status, json_get_str(session, "title"));
	return 0;
}

int slk_agents_sessions_rename(struct slk_call *call)
{
	const char *title = json_get_str(call->params, "title");
	struct slk_conv *c;
	int64_t thread;

	if (check_title(call, title, 1) != 0 || check_agent(call) != 0 || !(c = find_thread(call, &thread)))
		return -1;
	if (!slk_session_find(c, thread))
		return slk_fail(call, "session_not_found");
	slk_conv_set_title(c, thread, title);
	json_set_str(call->out, "title", title);
	return 0;
}
