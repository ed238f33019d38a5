#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define TYPING_MS 10000 /* Discord: Trigger Typing Indicator */

int cord_get_channel(struct cord_call *call)
{
	struct cord_channel *c = call->channel;

	call->result = cord_channel_json(c, cord_call_actor(call));
	return 0;
}

/* Discord: users, Create DM. An unknown user shares no guild with the bot either. */
int cord_create_dm(struct cord_call *call)
{
	uint64_t id = cord_get_id(call->body, "recipient_id");
	struct cord_user *u = cord_user_find(call->world, id);

	if (map_get(&call->world->bots, (int64_t)id, 0))
		return cord_fail(call, "Cannot send messages to this user");
	if (!u)
		return cord_refuse_field(call, "recipient_id", "USER_NOT_FOUND", "Unknown user.");
	call->result = cord_channel_json(cord_channel_dm(call->bot, u, 0), call->bot->id);
	return 0;
}

int cord_trigger_typing_indicator(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct json_object *d;
	uint64_t want;

	want = cord_channel_is_thread(c) ? CORD_MAY_SEND_IN_THREADS : CORD_MAY_SEND;
	if (!(cord_call_may(call, c) & want))
		return cord_fail(call, "Missing Permissions");
	c->typing_until_ms = clock_now() + TYPING_MS;
	cord_show_typing(c);
	d = json_newf("{channel_id: %p, user_id: %p, timestamp: %jd}", cord_id_or_null(c->id),
	    cord_id_or_null(call->bot->id), clock_wall() / 1000);
	if (c->guild) {
		cord_set_id(d, "guild_id", c->guild->id);
		json_set(d, "member", cord_member_bot_json(c->guild, call->bot, true));
	}
	cord_event_in_channel(c, "TYPING_START", CORD_EVENT_TYPING, d);
	return 0;
}
