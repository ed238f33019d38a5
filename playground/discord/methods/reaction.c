#include <string.h>

#include "playground/discord/methods/methods.h"

#define KINDS_MAX 20

/* The message of the path, if its emoji is valid; NULL after a failure. */
static struct cord_message *reaction_place(struct cord_call *call)
{
	if (cord_emoji_is_good(call->args[2]))
		return call->message;
	cord_fail(call, "Unknown Emoji");
	return NULL;
}

int cord_add_my_message_reaction(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call);
	const char *emoji = call->args[2];

	if (!m)
		return -1;
	if (m->channel->archived)
		return cord_fail(call, "Thread is archived");
	/* Discord: Create Reaction: ADD_REACTIONS is needed only for an emoji that nobody has used yet. */
	if (!cord_message_reaction(m, emoji)) {
		if (!(cord_call_may(call, m->channel) & CORD_MAY_REACT))
			return cord_fail(call, "Missing Permissions");
		if (m->reaction_count >= KINDS_MAX)
			return cord_fail(call, "Maximum number of reactions reached (20)");
	}
	cord_message_react(m, emoji, call->bot->id);
	return 0;
}

int cord_delete_my_message_reaction(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call);

	if (!m)
		return -1;
	if (!cord_message_unreact(m, call->args[2], call->bot->id))
		return cord_fail(call, "Unknown Emoji");
	return 0;
}

int cord_list_message_reactions_by_emoji(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call);
	struct cord_reaction *r = m ? cord_message_reaction(m, call->args[2]) : NULL;

	if (!m)
		return -1;
	call->result = cord_call_users(call, r ? &r->users : &(struct cord_ids){0});
	return 0;
}

/* Sends the event about several reactions of a message. Takes emoji; NULL: all of them. */
static void announce_removed(const struct cord_message *m, const char *name, struct json_object *emoji)
{
	struct json_object *d =
	    json_newf("{channel_id: %p, message_id: %p}", cord_id_json(m->channel->id), cord_id_json(m->id));

	if (m->channel->guild)
		json_set(d, "guild_id", cord_id_json(m->channel->guild->id));
	if (emoji)
		json_set(d, "emoji", emoji);
	cord_show_message(m, "reaction");
	cord_event_in_channel(m->channel, name, CORD_EVENT_REACTIONS, d);
}

int cord_delete_all_message_reactions(struct cord_call *call)
{
	struct cord_message *m = call->message;

	while (m->reaction_count > 0)
		cord_message_forget_reaction(m, &m->reactions[0]);
	announce_removed(m, "MESSAGE_REACTION_REMOVE_ALL", NULL);
	return 0;
}

int cord_delete_all_message_reactions_by_emoji(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call);
	struct cord_reaction *r = m ? cord_message_reaction(m, call->args[2]) : NULL;

	if (!m)
		return -1;
	if (!r)
		return cord_fail(call, "Unknown Emoji");
	cord_message_forget_reaction(m, r);
	announce_removed(m, "MESSAGE_REACTION_REMOVE_EMOJI", cord_emoji_json(call->args[2]));
	return 0;
}

int cord_delete_user_message_reaction(struct cord_call *call)
{
	struct cord_message *m = reaction_place(call);

	if (!m)
		return -1;
	if (!cord_message_unreact(m, call->args[2], call->ids[3]))
		return cord_fail(call, "Unknown Emoji");
	return 0;
}
