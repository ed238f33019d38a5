#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

#define ACTION_MS 5000 /* Bot API, sendChatAction: shown for 5 seconds or less */

int method_send_chat_action(struct call *call)
{
	const char *action = json_get_str(call->params, "action");
	struct chat *c;
	int64_t thread;

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
	return call_true(call);
}
