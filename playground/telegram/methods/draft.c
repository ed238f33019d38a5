#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

/* Takes rich. */
static void show_draft(struct call *call, struct chat *c, struct formatted *text, char *rich)
{
	struct draft *d = drafts_get(&c->drafts, json_get_int(call->params, "draft_id", 0), clock_now());

	formatted_move(&d->text, text);
	free(d->rich);
	d->rich = rich;
	d->can_stop = json_get_bool(call->params, "can_stop", false);
	d->keep_on_stop = json_get_bool(call->params, "keep_on_stop", false);
	c->action_until_ms = 0;
	show_drafts(c);
	call_true(call);
}

/* Takes rich. */
static int send_draft(struct call *call, struct formatted *text, char *rich)
{
	struct chat *c = call_chat(call);
	int64_t thread;

	if (c && c->kind != CHAT_PRIVATE) {
		call_fail(call, 400, "Bad Request: TEXTDRAFT_PEER_INVALID");
	} else if (c && call_thread(call, c, &thread) == 0) {
		show_draft(call, c, text, rich);
		return 0;
	}
	free(rich);
	return -1;
}

int method_send_message_draft(struct call *call)
{
	struct formatted text = FORMATTED_INIT;
	int ret = -1;

	if (json_get_int(call->params, "draft_id", 0) == 0)
		return call_refuse(call, "draft_id must be non-zero");
	if (compose_text(call, &text, "message is too long", true) == 0)
		ret = send_draft(call, &text, NULL);
	formatted_clear(&text);
	return ret;
}

int method_send_rich_message_draft(struct call *call)
{
	struct formatted none = FORMATTED_INIT;
	char *rich = NULL;

	if (json_get_int(call->params, "draft_id", 0) == 0)
		return call_refuse(call, "draft_id must be non-zero");
	if (compose_rich(call, json_get(call->params, "rich_message"), true, &rich) != 0)
		return -1;
	return send_draft(call, &none, rich);
}

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
