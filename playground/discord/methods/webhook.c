#include "playground/discord/methods/webhook.h"

#include <string.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/http/call.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/methods/compose.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/interaction.h"
#include "playground/discord/http/handlers.h"
#include "playground/discord/control/show.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/world/world.h"
#include "playground/playground.h"

struct cord_message *cord_webhook_message(const struct cord_interaction *i)
{
	struct cord_message *m = cord_message_new(i->channel);
	struct json_object *meta = json_object_new_object();

	m->bot = i->bot;
	m->webhook_id = i->bot->id;
	if (i->type == CORD_INTERACTION_COMMAND)
		m->type = CORD_MESSAGE_COMMAND;
	if (i->source) {
		m->type = CORD_MESSAGE_REPLY;
		m->reply_to = i->source->id;
		m->reply_channel = i->channel->id;
	}
	cord_set_id(meta, "id", i->id);
	json_set_int(meta, "type", i->type);
	json_set(meta, "user", cord_user_json(i->user));
	json_set(meta, "authorizing_integration_owners", json_object_new_object());
	if (i->type == CORD_INTERACTION_COMMAND)
		json_set_str(meta, "name", i->name);
	m->interaction = meta;
	return m;
}

/* Finds the interaction of the path's webhook; NULL after a failure. */
static struct cord_interaction *call_interaction(struct cord_call *call)
{
	struct cord_bot *b = map_get(&call->world->bots, (int64_t)call->ids[0], 0);

	if (!b) {
		cord_fail(call, CORD_UNKNOWN_WEBHOOK);
		return NULL;
	}
	list_each(&call->world->interaction_list, it, tmp) {
		struct cord_interaction *i = list_entry(it, struct cord_interaction, link);

		if (i->bot != b || strcmp(i->token, call->args[1]) != 0)
			continue;
		if (clock_now() > i->began_ms + CORD_INTERACTION_TOKEN_MS)
			break;
		call->bot = b;
		return i;
	}
	cord_fail(call, CORD_INVALID_WEBHOOK_TOKEN);
	return NULL;
}

/* Finds @original, or the message with the id in the path; NULL after a failure. */
static struct cord_message *call_hook_message(struct cord_call *call)
{
	struct cord_interaction *i = call_interaction(call);
	struct cord_message *m;

	if (!i)
		return NULL;
	m = strstr(call->route->path, "@original") ? i->original :
						     cord_channel_message(i->channel, call->ids[2]);
	if (m && !m->deleted && m->bot == i->bot)
		return m;
	cord_fail(call, CORD_UNKNOWN_MESSAGE);
	return NULL;
}

/* The first follow-up after a deferral becomes the answer (deprecated, but still works). */
static int fill_original(struct cord_call *call, struct cord_interaction *i)
{
	if (cord_compose_edit(call, call->body, i->original) != 0)
		return -1;
	i->original->flags &= ~(int64_t)CORD_FLAG_LOADING;
	cord_show_channel(i->channel);
	playground_changed(call->world->pg);
	call->result = cord_message_json(i->original);
	return 0;
}

int cord_execute_webhook(struct cord_call *call)
{
	struct cord_interaction *i = call_interaction(call);
	struct cord_message *m;

	if (!i)
		return -1;
	if (i->answered == CORD_CALLBACK_NONE) /* there is no answer yet to follow up */
		return cord_fail(call, CORD_UNKNOWN_WEBHOOK);
	if (i->original && (i->original->flags & CORD_FLAG_LOADING))
		return fill_original(call, i);
	m = cord_webhook_message(i);
	if (json_get_int(call->body, "flags", 0) & CORD_FLAG_EPHEMERAL)
		m->visible_to = i->user->id;
	if (cord_compose(call, call->body, m, CORD_WEBHOOK_FLAGS | CORD_FLAG_EPHEMERAL) != 0) {
		cord_message_free(m);
		return -1;
	}
	cord_channel_add(i->channel, m);
	cord_event_message(m, "MESSAGE_CREATE");
	playground_changed(call->world->pg);
	call->result = cord_message_json(m); /* an application's webhook returns it also without wait */
	return 0;
}

int cord_get_webhook_message(struct cord_call *call)
{
	struct cord_message *m = call_hook_message(call);

	if (!m)
		return -1;
	call->result = cord_message_json(m);
	return 0;
}

int cord_update_webhook_message(struct cord_call *call)
{
	struct cord_message *m = call_hook_message(call);

	if (!m || cord_compose_edit(call, call->body, m) != 0)
		return -1;
	playground_changed(call->world->pg);
	call->result = cord_message_json(m);
	return 0;
}

int cord_delete_webhook_message(struct cord_call *call)
{
	struct cord_message *m = call_hook_message(call);

	if (!m)
		return -1;
	cord_message_delete(m);
	playground_changed(call->world->pg);
	return 0;
}
