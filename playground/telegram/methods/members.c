#include <stdlib.h>
#include <string.h>

#include "playground/telegram/methods/compose.h"

int method_get_chat_member(struct call *call)
{
	int64_t id = json_get_int(call->params, "user_id", 0);
	struct chat *c = call_chat(call);

	if (!c)
		return -1;
	if (!world_find_user(call->world, id) && !map_get(&call->world->bots, id, 0))
		return call_fail(call, 400, "Bad Request: PARTICIPANT_ID_INVALID");
	people_write(c, id, &call->result);
	return 0;
}

static void add_administrator(struct call *call, const struct chat *c, int64_t id)
{
	if (call->result.data[call->result.len - 1] != '[')
		buf_addch(&call->result, ',');
	people_write(c, id, &call->result);
}

int method_get_chat_administrators(struct call *call)
{
	struct json_object *people;
	struct chat *c = call_chat(call);

	if (!c)
		return -1;
	if (c->kind == CHAT_PRIVATE)
		return call_fail(call, 400, "Bad Request: there are no administrators in the private chat");
	buf_addch(&call->result, '[');
	for (size_t i = 0; i < c->member_count; i++) {
		const struct member *m = &c->members[i];

		if (m->admin && m->gone == GONE_NOT &&
		    (m->bot == call->bot || json_get_bool(call->params, "return_bots", false)))
			add_administrator(call, c, m->bot->id);
	}
	people = chat_part(c, "people");
	json_object_object_foreach(people, key, record) {
		const char *status = json_get_str(record, "status");

		if (strcmp(status, "creator") == 0 || strcmp(status, "administrator") == 0)
			add_administrator(call, c, strtoll(key, NULL, 10));
	}
	buf_addch(&call->result, ']');
	return 0;
}

int method_leave_chat(struct call *call)
{
	struct chat *c = call_chat(call);
	struct member *own;
	const char *was;

	if (!c)
		return -1;
	if (c->kind == CHAT_PRIVATE)
		return call_fail(
		    call, 400, "Bad Request: chat member status can't be changed in private chats");
	own = chat_find_member(c, call->bot);
	was = chat_member_status(c, own);
	own->gone = GONE_LEFT;
	own->admin = false;
	json_object_put(own->rights);
	own->rights = NULL;
	bot_update_member(call->bot, c, call->bot->id, was, "left");
	return call_true(call);
}
