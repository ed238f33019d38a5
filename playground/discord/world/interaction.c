#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "playground/discord/world/world_internal.h"

/* Discord: interactions/receiving-and-responding: member in guilds, user elsewhere. */
static void add_caller(struct json_object *o, const struct cord_interaction *i)
{
	struct cord_guild *g = i->channel->guild;
	struct json_object *member;

	json_set_int(o, "context", g ? 0 : i->channel->user ? 1 : 2);
	if (!g) {
		json_set(o, "user", cord_user_json(i->user));
		return;
	}
	member = cord_member_json(g, i->user, true);
	cord_set_bits(member, "permissions", cord_permissions_in(i->channel, i->user->id));
	json_setf(o, "member: %p, guild_id: %p, guild_locale: 'en-US'", member, cord_id_or_null(g->id));
	json_set(o, "guild",
	    json_newf(
		"{id: %p, locale: 'en-US', features: %p}", cord_id_or_null(g->id), json_object_new_array()));
}

/* Discord: Authorizing Integration Owners Object: the guild that has the app, and the person who has it, who
 * need not be the one who presses a button. */
static struct json_object *owners_json(
    const struct cord_interaction *i, const struct cord_interaction_params *from)
{
	struct json_object *owners = json_object_new_object(),
			   *origin = from->cause ? from->cause->meta :
	    i->source                            ? i->source->interaction :
						   NULL;
	uint64_t person = cord_command_installs(i->command, 1) ?
	    i->user->id :
	    cord_get_id(json_get_object(origin, "authorizing_integration_owners"), "1");

	if (cord_command_installs(i->command, 0) && i->channel->guild)
		cord_set_id(owners, "0", i->channel->guild->id);
	else if (cord_command_installs(i->command, 0) && i->channel->user)
		json_set_str(owners, "0", "0");
	if (person != 0)
		cord_set_id(owners, "1", person);
	return owners;
}

/* interaction_metadata of the messages that answer. */
static struct json_object *meta_json(
    const struct cord_interaction *i, const struct cord_interaction_params *from)
{
	struct json_object *meta = json_object_new_object(),
			   *resolved = json_get_object(from->data, "resolved");
	uint64_t target = cord_get_id(from->data, "target_id");

	json_setf(meta, "id: %p, type: %d, user: %p, authorizing_integration_owners: %p",
	    cord_id_or_null(i->id), i->type, cord_user_json(i->user), owners_json(i, from));
	if (i->type == CORD_INTERACTION_COMMAND)
		json_set_str(meta, "name", i->name);
	if (i->type == CORD_INTERACTION_COMPONENT)
		cord_set_id(meta, "interacted_message_id", i->source->id);
	if (from->cause)
		json_set(meta, "triggering_interaction_metadata", json_object_get(from->cause->meta));
	if (target != 0 && i->command_type == 3)
		cord_set_id(meta, "target_message_id", target);
	else if (target != 0 && json_get_object(resolved, "users"))
		json_set(meta, "target_user", cord_anyone_json(i->bot->world, target));
	return meta;
}

/* Of the person or the guild. */
static struct json_object *entitlements_json(const struct cord_interaction *i)
{
	struct json_object *array = json_object_new_array();

	list_each_entry(&i->bot->world->records.list[CORD_ENTITLEMENT], struct cord_record, r, link) {
		bool theirs = cord_get_id(r->json, "user_id") == i->user->id ||
		    (i->channel->guild && cord_get_id(r->json, "guild_id") == i->channel->guild->id);

		if (r->owner == i->bot->id && theirs && !json_get_bool(r->json, "deleted", false))
			json_object_array_add(array, json_object_get(r->json));
	}
	return array;
}

static struct json_object *interaction_json(const struct cord_interaction *i, struct json_object *data)
{
	struct json_object *o = json_newf("{id: %p, application_id: %p, type: %d, token: %s, version: 1, "
					  "channel_id: %p, channel: %p, data: %p}",
	    cord_id_or_null(i->id), cord_id_or_null(i->bot->id), i->type, i->token,
	    cord_id_or_null(i->channel->id),
	    cord_channel_json(i->channel, cord_channel_is_people(i->channel) ? i->user->id : i->bot->id),
	    data);

	if (i->source)
		json_set(o, "message", cord_message_json(i->source));
	add_caller(o, i);
	json_set(o, "authorizing_integration_owners",
	    json_object_get(json_get(i->meta, "authorizing_integration_owners")));
	cord_set_bits(o, "app_permissions", cord_channel_app_may(i->channel, i->bot->id));
	json_setf(o, "locale: 'en-US', entitlements: %p, attachment_size_limit: %d", entitlements_json(i),
	    CORD_FILE_MAX);
	return o;
}

struct cord_interaction *cord_interaction_new(const struct cord_interaction_params *from)
{
	struct cord_interaction *i = xcalloc(1, sizeof(*i));
	struct cord_world *w = from->bot->world;
	uint64_t random[4];

	clock_random(random, sizeof(random));
	snprintf(i->token, sizeof(i->token), "%016" PRIx64 "%016" PRIx64 "%016" PRIx64 "%016" PRIx64,
	    random[0], random[1], random[2], random[3]);
	i->id = cord_new_id(w);
	i->type = from->type;
	i->bot = from->bot;
	i->channel = from->channel;
	i->user = from->user;
	i->name = xstrdup(from->name);
	i->began_ms = clock_now();
	i->source = from->source;
	i->command = json_object_get(from->command);
	i->command_type = i->command ? json_get_int(i->command, "type", 1) : 0;
	i->ephemeral = i->source && i->source->visible_to != 0;
	i->meta = meta_json(i, from);
	list_append(&w->interaction_list, &i->link);
	map_put(&w->interactions, (int64_t)i->id, 0, i);
	cord_show_channel(i->channel);
	cord_event_to_bot(i->bot, "INTERACTION_CREATE", CORD_INTENT_ALWAYS, interaction_json(i, from->data));
	return i;
}

void cord_interaction_free(struct cord_interaction *i)
{
	list_remove(&i->link);
	json_object_put(i->choices);
	json_object_put(i->modal);
	json_object_put(i->command);
	json_object_put(i->meta);
	free(i->name);
	free(i);
}

const char *cord_interaction_state(const struct cord_interaction *i)
{
	if (i->answered == CORD_CALLBACK_NONE)
		return clock_now() < i->began_ms + CORD_INTERACTION_ANSWER_MS ? "waiting" : "failed";
	if (i->original && i->original->deleted)
		return "taken back";
	return i->original && (i->original->flags & CORD_FLAG_LOADING) ? "deferred" : "answered";
}
