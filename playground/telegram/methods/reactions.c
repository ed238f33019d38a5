#include <string.h>

#include "base/json/json.h"
#include "playground/playground.h"
#include "playground/spec/spec.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/methods/reactions.h"
#include "playground/telegram/control/show.h"
#include "playground/telegram/world/world.h"

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
	if (json_object_array_length(array) == 0)
		return 0;
	if (json_object_array_length(array) > 1)
		return call_refuse(call, "REACTIONS_TOO_MANY");
	o = json_object_array_get_idx(array, 0);
	if (compose_object(call, o, "ReactionType") != 0)
		return -1;
	type = json_get_str(o, "type");
	*emoji = json_get_str(o, "emoji");
	if (!type || strcmp(type, "emoji") != 0 || !*emoji || !reaction_is_known(*emoji))
		return call_refuse(call, "REACTION_INVALID");
	return 0;
}

int method_set_message_reaction(struct task *t, struct call *call)
{
	struct message *m;
	const char *emoji;
	struct chat *c;

	(void)t;
	if (read_reaction(call, &emoji) != 0)
		return -1;
	c = call_chat(call);
	m = c ? call_message(call, c, "to react") : NULL;
	if (!m)
		return -1;
	message_react(m, NULL, call->bot, emoji);
	show_message(c, m, "reaction");
	playground_changed(call->world->pg);
	call_result_true(call);
	return 0;
}
