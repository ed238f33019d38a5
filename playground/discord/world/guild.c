#include "playground/discord/world/guild.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/permission.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/world/world.h"

#define MEMBERS_MAX     500000 /* limits that Discord gives to every guild */
#define VIDEO_USERS_MAX 25

struct cord_guild *cord_guild_find(const struct cord_world *w, uint64_t id)
{
	return map_get(&w->guilds, (int64_t)id, 0);
}

struct cord_guild *cord_guild_new(struct cord_world *w, uint64_t id, const char *name)
{
	struct cord_guild *g = xcalloc(1, sizeof(*g));

	g->world = w;
	g->id = id;
	g->name = xstrdup(name);
	list_append(&w->guild_list, &g->link);
	map_put(&w->guilds, (int64_t)id, 0, g);
	return g;
}

struct cord_guild *cord_guild_get(struct cord_world *w, const char *name)
{
	struct cord_guild *g;
	uint64_t id;

	if (!name)
		name = CORD_GUILD_DEFAULT;
	if (!cord_snowflake_read(name, &id))
		id = cord_snowflake_of_name("guild", name);
	g = cord_guild_find(w, id);
	return g ? g : cord_guild_new(w, id, name);
}

void cord_guild_free(struct cord_guild *g)
{
	list_remove(&g->link);
	free(g->name);
	free(g->bots);
	free(g);
}

struct cord_guild_bot *cord_guild_bot(const struct cord_guild *g, const struct cord_bot *b)
{
	for (size_t i = 0; i < g->bot_count; i++)
		if (g->bots[i].bot == b)
			return &g->bots[i];
	return NULL;
}

bool cord_guild_has(const struct cord_guild *g, const struct cord_bot *b)
{
	const struct cord_guild_bot *row = cord_guild_bot(g, b);

	return row && row->in;
}

void cord_guild_join(struct cord_guild *g, struct cord_bot *b)
{
	struct cord_guild_bot *row = cord_guild_bot(g, b);

	if (row && row->in)
		return;
	if (!row) {
		g->bots = xrealloc(g->bots, (g->bot_count + 1) * sizeof(*g->bots));
		row = &g->bots[g->bot_count++];
		*row = (struct cord_guild_bot){.bot = b, .role = cord_new_id(g->world)};
	}
	row->in = true;
	row->joined_ms = clock_wall();
	cord_event_to_bot(b, "GUILD_CREATE", CORD_INTENT_GUILDS, cord_guild_json(g, b));
}

void cord_guild_leave(struct cord_guild *g, struct cord_bot *b)
{
	struct cord_guild_bot *row = cord_guild_bot(g, b);
	struct json_object *o;

	if (!row || !row->in)
		return;
	row->in = false;
	row->admin = false;
	o = json_object_new_object(); /* without "unavailable": the bot was removed */
	cord_set_id(o, "id", g->id);
	cord_event_to_bot(b, "GUILD_DELETE", CORD_INTENT_GUILDS, o);
}

static struct json_object *role_json(
    uint64_t id, const char *name, uint64_t may, const struct cord_bot *managed)
{
	struct json_object *o = json_object_new_object(), *tags;
	char bits[24];

	snprintf(bits, sizeof(bits), "%llu", (unsigned long long)may);
	cord_set_id(o, "id", id);
	json_set_str(o, "name", name);
	json_set_str(o, "permissions", bits);
	json_set_int(o, "position", managed ? 1 : 0);
	json_set_bool(o, "managed", managed);
	if (managed) {
		tags = json_object_new_object();
		cord_set_id(tags, "bot_id", managed->id);
		json_set(o, "tags", tags);
	}
	return cord_fill("GuildRoleResponse", o);
}

static struct json_object *roles_json(const struct cord_guild *g)
{
	struct json_object *array = json_object_new_array();

	json_object_array_add(array, role_json(g->id, "@everyone", CORD_MAY_USUALLY, NULL));
	for (size_t i = 0; i < g->bot_count; i++)
		if (g->bots[i].in)
			json_object_array_add(array,
			    role_json(g->bots[i].role, g->bots[i].bot->username,
				g->bots[i].admin ? CORD_MAY_ALL : CORD_MAY_USUALLY, g->bots[i].bot));
	return array;
}

static struct json_object *member_json(struct json_object *user, uint64_t role, int64_t joined_ms)
{
	struct json_object *o = json_object_new_object(), *roles = json_object_new_array(),
			   *holder = json_object_new_object();

	if (user)
		json_set(o, "user", user);
	cord_set_id(holder, "id", role);
	if (role != 0)
		json_object_array_add(roles, json_object_get(json_get(holder, "id")));
	json_object_put(holder);
	json_set(o, "roles", roles);
	cord_set_time(o, "joined_at", joined_ms);
	return cord_fill(user ? "GuildMemberResponse" : "GatewayMember", o);
}

struct json_object *cord_member_json(const struct cord_guild *g, const struct cord_user *u, bool with_user)
{
	return member_json(with_user ? cord_user_json(u) : NULL, 0, cord_snowflake_ms(g->id));
}

struct json_object *cord_member_bot_json(const struct cord_guild *g, const struct cord_bot *b, bool with_user)
{
	const struct cord_guild_bot *row = cord_guild_bot(g, b);

	return member_json(with_user ? cord_bot_json(b) : NULL, row ? row->role : 0,
	    row ? row->joined_ms : cord_snowflake_ms(g->id));
}

/* What GUILD_CREATE adds (Discord: events/gateway-events, Guild Create). */
static void add_gateway_members(struct json_object *o, const struct cord_guild *g, const struct cord_bot *b)
{
	struct json_object *channels = json_object_new_array(), *threads = json_object_new_array(),
			   *members = json_object_new_array();

	list_each(&g->world->channel_list, it, tmp) {
		struct cord_channel *c = list_entry(it, struct cord_channel, link);

		if (c->guild != g || c->gone || !cord_channel_sees(c, b))
			continue;
		if (!c->parent)
			json_object_array_add(channels, cord_channel_json(c, b));
		else if (!c->archived)
			json_object_array_add(threads, cord_channel_json(c, b));
	}
	json_object_array_add(members, cord_member_bot_json(g, b, true));
	cord_set_time(o, "joined_at", cord_guild_bot(g, b)->joined_ms);
	json_set_bool(o, "large", false);
	json_set_bool(o, "unavailable", false);
	json_set_int(o, "member_count", (int64_t)(g->bot_count + g->world->users.count));
	json_set(o, "channels", channels);
	json_set(o, "threads", threads);
	json_set(o, "members", members);
}

struct json_object *cord_guild_json(const struct cord_guild *g, const struct cord_bot *for_gateway)
{
	struct json_object *o = json_object_new_object();

	cord_set_id(o, "id", g->id);
	json_set_str(o, "name", g->name);
	cord_set_id(o, "owner_id", g->id);
	json_set_int(o, "afk_timeout", 300);
	json_set_str(o, "preferred_locale", "en-US");
	json_set_int(o, "max_members", MEMBERS_MAX);
	json_set_int(o, "max_video_channel_users", VIDEO_USERS_MAX);
	json_set_int(o, "max_stage_video_channel_users", VIDEO_USERS_MAX);
	json_set_str(o, "region", "deprecated");
	json_set(o, "roles", roles_json(g));
	if (for_gateway)
		add_gateway_members(o, g, for_gateway);
	return cord_fill(for_gateway ? "GUILD_CREATE" : "GuildResponse", o);
}
