#include "base/json/json.h"
#include "playground/playground.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/world/world.h"

/* Any person of the simulation may be in a group; none is an administrator. */
int method_get_chat_member(struct task *t, struct call *call)
{
	int64_t id = json_get_int(call->params, "user_id", 0);
	struct chat *c = call_chat(call);
	const struct user *user = world_find_user(call->world, id);
	struct bot *bot = map_get(&call->world->bots, id, 0);

	(void)t;
	if (!c)
		return -1;
	if (!user && !bot)
		return call_fail(call, 400, "Bad Request: PARTICIPANT_ID_INVALID");
	if (bot) {
		bot_write_member(bot, chat_member_status(c, chat_find_member(c, bot)), &call->result);
		return 0;
	}
	buf_addstr(&call->result, "{\"user\":");
	user_write(user, &call->result);
	buf_addstr(&call->result, ",\"status\":\"member\"}");
	return 0;
}

int method_get_chat_administrators(struct task *t, struct call *call)
{
	struct chat *c = call_chat(call);

	(void)t;
	if (!c)
		return -1;
	if (c->kind == CHAT_PRIVATE)
		return call_fail(call, 400, "Bad Request: there are no administrators in the private chat");
	buf_addch(&call->result, '[');
	for (size_t i = 0; i < c->member_count; i++) {
		const struct member *m = &c->members[i];

		if (!m->admin || m->gone != GONE_NOT ||
		    (m->bot != call->bot && !json_get_bool(call->params, "return_bots", false)))
			continue;
		if (call->result.data[call->result.len - 1] != '[')
			buf_addch(&call->result, ',');
		bot_write_member(m->bot, "administrator", &call->result);
	}
	buf_addch(&call->result, ']');
	return 0;
}

int method_leave_chat(struct task *t, struct call *call)
{
	struct chat *c = call_chat(call);
	struct member *own;
	const char *was;

	(void)t;
	if (!c)
		return -1;
	if (c->kind == CHAT_PRIVATE)
		return call_fail(
		    call, 400, "Bad Request: chat member status can't be changed in private chats");
	own = chat_find_member(c, call->bot);
	was = chat_member_status(c, own);
	own->gone = GONE_LEFT;
	own->admin = false;
	bot_update_member(call->bot, c, call->bot->id, was, "left");
	playground_changed(call->world->pg);
	call_result_true(call);
	return 0;
}
