#include <string.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/playground.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/control/show.h"
#include "playground/telegram/world/world.h"

#define ACTION_MS 5000 /* Bot API, sendChatAction: shown for 5 seconds or less */

static const char *const actions[] = {
    "choose_sticker",
    "find_location",
    "record_video",
    "record_video_note",
    "record_voice",
    "typing",
    "upload_document",
    "upload_photo",
    "upload_video",
    "upload_video_note",
    "upload_voice",
};

static bool is_action(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(actions); i++)
		if (strcmp(actions[i], name) == 0)
			return true;
	return false;
}

static int send_chat_action(struct task *t, struct call *call)
{
	const char *action = json_get_str(call->params, "action");
	struct chat *c;
	int64_t thread;

	(void)t;
	if (!is_action(action))
		return call_refuse(call, "wrong parameter action in request");
	c = call_chat(call);
	if (!c)
		return -1;
	if (c->kind == CHAT_CHANNEL)
		return call_fail(call, 400, "Bad Request: chat actions are not supported in channels");
	/* Only this method accepts the id of the general topic. */
	if (!(c->forum && json_get_int(call->params, "message_thread_id", 0) == TOPIC_GENERAL) &&
	    call_thread(call, c, &thread) != 0)
		return -1;
	str_copy(c->action, sizeof(c->action), action);
	c->action_until_ms = clock_now() + ACTION_MS;
	show_action(c);
	playground_changed(call->world->pg);
	call_result_true(call);
	return 0;
}

static const struct param send_chat_action_params[] = {
    {"action", PARAM_STRING, PARAM_REQUIRED, "wrong parameter action in request"},
    {"business_connection_id", PARAM_STRING, PARAM_NOT_SIMULATED, NULL},
    {"chat_id", PARAM_CHAT, PARAM_REQUIRED, "chat_id is empty"},
    {"message_thread_id", PARAM_INT, 0, NULL},
};

const struct method method_send_chat_action = {
    "sendChatAction", send_chat_action_params, 4, send_chat_action, NULL, 0};
