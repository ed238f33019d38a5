#include "playground/discord/world/interaction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/file.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/permission.h"
#include "playground/discord/control/show.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/world/world.h"

static void set_bits(struct json_object *o, const char *key, uint64_t bits)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, bits);
	json_set_str(o, key, text);
}

/* Discord: interactions/receiving-and-responding: member in guilds, user elsewhere. */
static void add_caller(struct json_object *o, const struct cord_interaction *i)
{
	struct cord_guild *g = i->channel->guild;
	struct json_object *member, *guild;

	json_set_int(o, "context", g ? 0 : 1);
	if (!g) {
		json_set(o, "user", cord_user_json(i->user));
		return;
	}
	member = cord_member_json(g, i->user, true);
	set_bits(member, "permissions", CORD_MAY_USUALLY);
	json_set(o, "member", member);
	cord_set_id(o, "guild_id", g->id);
	json_set_str(o, "guild_locale", "en-US");
	guild = json_object_new_object();
	cord_set_id(guild, "id", g->id);
	json_set_str(guild, "locale", "en-US");
	json_set(guild, "features", json_object_new_array());
	json_set(o, "guild", guild);
}

static void add_owners(struct json_object *o, const struct cord_interaction *i)
{
	struct json_object *owners = json_object_new_object();

	if (i->channel->guild)
		cord_set_id(owners, "0", i->channel->guild->id);
	else
		json_set_str(owners, "0", "0");
	json_set(o, "authorizing_integration_owners", owners);
}

static struct json_object *interaction_json(const struct cord_interaction *i, struct json_object *data)
{
	struct json_object *o = json_object_new_object();

	cord_set_id(o, "id", i->id);
	cord_set_id(o, "application_id", i->bot->id);
	json_set_int(o, "type", i->type);
	json_set_str(o, "token", i->token);
	json_set_int(o, "version", 1);
	cord_set_id(o, "channel_id", i->channel->id);
	json_set(o, "channel", cord_channel_json(i->channel, i->bot));
	json_set(o, "data", data);
	if (i->source)
		json_set(o, "message", cord_message_json(i->source));
	add_caller(o, i);
	add_owners(o, i);
	set_bits(o, "app_permissions", cord_channel_may(i->channel, i->bot));
	json_set_str(o, "locale", "en-US");
	json_set(o, "entitlements", json_object_new_array());
	json_set_int(o, "attachment_size_limit", CORD_FILE_MAX);
	return o;
}

struct cord_interaction *cord_interaction_new(struct cord_bot *b, struct cord_channel *c, struct cord_user *u,
    enum cord_interaction_type type, const char *name, struct json_object *data, struct cord_message *source)
{
	struct cord_interaction *i = xcalloc(1, sizeof(*i));
	struct cord_world *w = b->world;
	uint64_t random[4];

	clock_random(random, sizeof(random));
	snprintf(i->token, sizeof(i->token), "%016" PRIx64 "%016" PRIx64 "%016" PRIx64 "%016" PRIx64,
	    random[0], random[1], random[2], random[3]);
	i->id = cord_new_id(w);
	i->type = type;
	i->bot = b;
	i->channel = c;
	i->user = u;
	i->name = xstrdup(name);
	i->began_ms = clock_now();
	i->source = source;
	i->ephemeral = source && source->visible_to != 0;
	list_append(&w->interaction_list, &i->link);
	map_put(&w->interactions, (int64_t)i->id, 0, i);
	cord_show_channel(c);
	cord_event_to_bot(b, "INTERACTION_CREATE", CORD_INTENT_ALWAYS, interaction_json(i, data));
	return i;
}

void cord_interaction_free(struct cord_interaction *i)
{
	list_remove(&i->link);
	json_object_put(i->choices);
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
