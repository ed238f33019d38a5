#include <string.h>

#include "base/json/json.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/http/call.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/emoji.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/permission.h"
#include "playground/discord/http/handlers.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/world/world.h"
#include "playground/playground.h"

#define KINDS_MAX 20

/* Finds the message of the path if its emoji is valid; NULL after a failure. */
static struct cord_message *reaction_place(struct cord_call *call, uint64_t permissions)
{
	struct cord_channel *c = cord_call_channel_may(call, permissions);
	struct cord_message *m = c ? cord_call_message(call, c) : NULL;

	if (!m)
		return NULL;
	if (cord_emoji_is_good(call->args[2]))
		return m;
	cord_fail(call, CORD_UNKNOWN_EMOJI);
	return NULL;
}

int cord_add_my_message_reaction(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call, CORD_MAY_READ_HISTORY);
	const char *emoji = call->args[2];

	if (!m)
		return -1;
	if (m->channel->archived)
		return cord_fail(call, CORD_THREAD_ARCHIVED);
	/* Discord: Create Reaction: ADD_REACTIONS is needed only for an emoji that nobody has used yet. */
	if (!cord_message_reaction(m, emoji)) {
		if (!(cord_channel_may(m->channel, call->bot) & CORD_MAY_REACT))
			return cord_fail(call, CORD_MISSING_PERMISSIONS);
		if (m->reaction_count >= KINDS_MAX)
			return cord_fail(call, CORD_TOO_MANY_REACTIONS);
	}
	cord_message_react(m, emoji, call->bot->id);
	playground_changed(call->world->pg);
	return 0;
}

int cord_delete_my_message_reaction(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call, 0);

	if (!m)
		return -1;
	if (!cord_message_unreact(m, call->args[2], call->bot->id))
		return cord_fail(call, CORD_UNKNOWN_EMOJI);
	playground_changed(call->world->pg);
	return 0;
}

int cord_list_message_reactions(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call, CORD_MAY_READ_HISTORY);
	struct cord_reaction *r = m ? cord_message_reaction(m, call->args[2]) : NULL;
	size_t limit = (size_t)json_get_int(call->query, "limit", 25);
	uint64_t after = cord_get_id(call->query, "after");

	if (!m)
		return -1;
	call->result = json_object_new_array();
	for (size_t i = 0; r && i < r->users.count && json_object_array_length(call->result) < limit; i++) {
		struct json_object *o = cord_anyone_json(call->world, r->users.list[i]);

		if (r->users.list[i] > after && o)
			json_object_array_add(call->result, o);
		else
			json_object_put(o);
	}
	return 0;
}
