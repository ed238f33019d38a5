#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/server/exchange.h"
#include "playground/slack/methods/compose.h"

static int take_turn(struct slk_call *call, const struct slk_conv *c)
{
	unsigned wait = call->world->set.limits ?
	    slk_limit_take(&call->app->limits, SLK_TIER_MESSAGES, slk_hash(c->id)) :
	    0;

	if (call->world->set.limits)
		exchange_limit(call->ex, call->app->limits.used);
	return wait > 0 ? slk_limited(call, wait) : 0;
}

static void write_answer(struct slk_call *call, const struct slk_conv *c, const struct slk_message *m)
{
	json_setf(call->out, "channel: %s, ts: %s, message: %p", c->id, json_get_str(m->o, "ts"),
	    slk_message_json(c, m, true));
}

int slk_chat_post_message(struct slk_call *call)
{
	struct slk_conv *c = slk_call_target(call, "channel");
	struct slk_content content;
	struct slk_message *m;
	int64_t thread;

	if (!c || slk_call_thread(call, c, &thread) != 0 ||
	    slk_compose(call, &content, SLK_TEXT_MAX, false) != 0)
		return -1;
	if (take_turn(call, c) != 0) {
		slk_content_clear(&content);
		return -1;
	}
	m = slk_message_add(c, call->app, NULL, thread);
	slk_content_set(&content, m);
	json_set_str(m->o, "username", json_get_str(call->params, "username"));
	if (thread != 0 && json_get_bool(call->params, "reply_broadcast", false))
		json_set_str(m->o, "subtype", "thread_broadcast");
	slk_conv_set_status(c, thread, "");
	write_answer(call, c, m);
	slk_event_message(c, m);
	slk_content_clear(&content);
	return 0;
}

/* As people write with /me: what an ordinary message of an app has besides does not come along. */
int slk_chat_me_message(struct slk_call *call)
{
	static const char *const gone[] = {"app_id", "bot_profile", "team"};
	struct slk_conv *c = slk_call_target(call, "channel");
	const char *text = json_get_str(call->params, "text");
	struct slk_message *m;

	if (!c)
		return -1;
	if (text[0] == '\0')
		return slk_refuse(call, "no_text", "the message says nothing");
	if (utf8_count(text, strlen(text), UTF8_CHARS) > SLK_TEXT_MAX)
		return slk_refuse(call, "msg_too_long", "the text has more than %d characters", SLK_TEXT_MAX);
	if (take_turn(call, c) != 0)
		return -1;
	m = slk_message_add(c, call->app, NULL, 0);
	for (size_t i = 0; i < ARRAY_LEN(gone); i++)
		json_object_object_del(m->o, gone[i]);
	json_setf(m->o, "subtype: 'me_message', text: %s", text);
	slk_event_message(c, m);
	json_setf(call->out, "channel: %s, ts: %s", c->id, json_get_str(m->o, "ts"));
	return 0;
}

int slk_chat_post_ephemeral(struct slk_call *call)
{
	struct slk_conv *c = slk_call_target(call, "channel");
	const char *user = json_get_str(call->params, "user");
	struct slk_content content;
	struct slk_message *m;
	int64_t thread;

	if (!c || slk_call_thread(call, c, &thread) != 0)
		return -1;
	if (!slk_conv_has(c, user) || !slk_find_user(call->world, user))
		return slk_fail(call, "user_not_in_channel");
	if (slk_compose(call, &content, SLK_TEXT_MAX - 1, false) != 0)
		return -1;
	m = slk_message_add(c, call->app, NULL, thread);
	str_copy(m->ephemeral, sizeof(m->ephemeral), user);
	slk_content_set(&content, m);
	json_set_str(call->out, "message_ts", json_get_str(m->o, "ts"));
	slk_content_clear(&content);
	return 0;
}

int slk_chat_update(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct slk_message *m = c ? slk_call_message(call, c, "ts") : NULL;
	struct slk_content content;

	if (!m)
		return -1;
	if (c->refusal)
		return slk_fail(call, strcmp(c->refusal, "is_archived") == 0 ? "is_inactive" : c->refusal);
	if (m->app != call->app)
		return slk_fail(call, "cant_update_message");
	if (slk_message_streams(m))
		return slk_fail(call, "streaming_state_conflict");
	if (slk_compose(call, &content, SLK_UPDATE_MAX, false) != 0)
		return -1;
	slk_message_edit(c, m, &content, call->app->user_id);
	write_answer(call, c, m);
	json_set_str(call->out, "text", slk_message_text(m));
	slk_content_clear(&content);
	return 0;
}

int slk_chat_delete(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct slk_message *m = c ? slk_call_message(call, c, "ts") : NULL;

	if (!m)
		return -1;
	if (m->app != call->app)
		return slk_fail(call, "cant_delete_message");
	json_setf(call->out, "channel: %s, ts: %s", c->id, json_get_str(m->o, "ts"));
	slk_message_delete(c, m);
	return 0;
}

int slk_chat_get_permalink(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct slk_message *m = c ? slk_call_message(call, c, "message_ts") : NULL;
	char *link;

	if (!m)
		return -1;
	link = slk_message_link(c, m);
	json_setf(call->out, "channel: %s, permalink: %s", c->id, link);
	free(link);
	return 0;
}
