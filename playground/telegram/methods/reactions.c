#include <string.h>

#include "playground/spec/spec.h"
#include "playground/telegram/methods/compose.h"

bool reaction_is_known(const char *emoji)
{
	const struct spec_record *r = spec_type(spec_of("telegram"), "ReactionTypeEmoji");

	for (const struct spec_type *t = spec_member(r, "emoji")->type; t; t = t->next)
		if (strcmp(t->text, emoji) == 0)
			return true;
	return false;
}

static int read_reaction(struct call *call, const char **emoji)
{
	struct json_object *array = json_get(call->params, "reaction"), *o;
	const char *type;

	*emoji = NULL;
	if (!array)
		return 0;
	if (!json_object_is_type(array, json_type_array))
		return call_refuse(call, "expected an Array of ReactionType");
	if (json_count(array) == 0)
		return 0;
	if (json_count(array) > 1)
		return call_refuse(call, "REACTIONS_TOO_MANY");
	o = json_at(array, 0);
	if (compose_object(call, o, "ReactionType") != 0)
		return -1;
	type = json_get_str(o, "type");
	*emoji = json_get_str(o, "emoji");
	if (!type || strcmp(type, "emoji") != 0 || !*emoji || !reaction_is_known(*emoji))
		return call_refuse(call, "REACTION_INVALID");
	return 0;
}

int method_set_message_reaction(struct call *call)
{
	struct message *m;
	const char *emoji;
	struct chat *c;

	if (read_reaction(call, &emoji) != 0)
		return -1;
	c = call_chat(call);
	m = c ? call_message(call, c, "to react") : NULL;
	if (!m)
		return -1;
	message_react(m, NULL, call->bot, emoji);
	show_message(c, m, "reaction");
	return call_true(call);
}

/* Takes back the reactions of somebody. Returns whether there were any. */
static bool take_back(struct chat *c, struct message *m, const struct user *u)
{
	if (!message_reaction_of(m, u, NULL))
		return false;
	message_react(m, u, NULL, NULL);
	show_message(c, m, "reaction");
	return true;
}

/* One message, or NULL: all. */
int method_delete_reactions(struct call *call)
{
	bool all = call_is(call, "deleteAllMessageReactions");
	struct chat *c = rights_chat(call, "can_delete_messages", "CHANNEL_INVALID",
	    "need delete messages administrator right in the supergroup chat");
	const struct user *u = world_find_user(call->world, json_get_int(call->params, "user_id", 0));
	struct message *m = NULL;

	if (!c)
		return -1;
	if (!u)
		return call_fail(call, 400, "Bad Request: reaction sender not found");
	if (!all && !(m = call_message(call, c, "to react")))
		return -1;
	if (m)
		take_back(c, m, u);
	for (size_t i = 0; all && i < c->count; i++)
		take_back(c, c->messages[i], u);
	return call_true(call);
}
