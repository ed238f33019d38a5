#include <stdlib.h>

#include "playground/discord/world/world_internal.h"

#define MEMBERS_MAX     500000 /* limits that Discord gives to every guild */
#define VIDEO_USERS_MAX 25

struct cord_guild *cord_guild_find(const struct cord_world *w, uint64_t id)
{
	return map_get(&w->guilds, (int64_t)id, 0);
}

static struct json_object *role_json(
    const struct cord_guild *g, uint64_t id, const char *name, uint64_t may, const struct cord_bot *managed)
{
	struct json_object *o = json_object_new_object(), *tags;

	json_setf(o, "id: %p, name: %s", cord_id_or_null(id), name);
	cord_set_bits(o, "permissions", may);
	json_setf(o, "position: %d, managed: %i", id != g->id, managed != NULL);
	if (managed) {
		tags = json_object_new_object();
		json_set(tags, "bot_id", cord_id_json(managed->id));
		json_set(o, "tags", tags);
	}
	return cord_fill("GuildRoleResponse", o);
}

struct cord_guild *cord_guild_new(struct cord_world *w, uint64_t id, const char *name)
{
	struct cord_guild *g = xcalloc(1, sizeof(*g));

	g->world = w;
	g->id = g->owner_id = id;
	g->name = xstrdup(name);
	list_append(&w->guild_list, &g->link);
	map_put(&w->guilds, (int64_t)id, 0, g);
	cord_record_put(w, CORD_ROLE, id, id, role_json(g, id, "@everyone", CORD_MAY_USUALLY, NULL));
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

void cord_guild_make_role(struct cord_guild *g, const struct cord_guild_bot *row, bool admin)
{
	cord_record_put(g->world, CORD_ROLE, g->id, row->role,
	    role_json(g, row->role, row->bot->username, admin ? CORD_MAY_ALL : CORD_MAY_USUALLY, row->bot));
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
	cord_guild_make_role(g, row, false);
	cord_role_event(
	    g, cord_record_find(g->world, CORD_ROLE, g->id, row->role)->json, "GUILD_ROLE_CREATE");
	row->in = true;
	row->joined_ms = clock_wall();
	cord_event_to_bot(b, "GUILD_CREATE", CORD_INTENT_GUILDS, cord_guild_json(g, b));
	cord_member_event(g, b->id, "GUILD_MEMBER_ADD");
}

void cord_guild_claim(struct cord_guild *g, const struct cord_bot *b)
{
	const struct cord_guild_bot *row = cord_guild_bot(g, b);
	const struct cord_record *role = row ? cord_record_find(g->world, CORD_ROLE, g->id, row->role) : NULL;

	if (role)
		cord_set_id(json_get_object(role->json, "tags"), "bot_id", b->id);
}

/* Without "unavailable": the bot was removed. */
static void say_gone(const struct cord_guild *g, struct cord_bot *b)
{
	struct json_object *o = json_object_new_object();

	cord_set_id(o, "id", g->id);
	cord_event_to_bot(b, "GUILD_DELETE", CORD_INTENT_GUILDS, o);
}

void cord_guilds_announce(struct cord_world *w, bool available)
{
	list_each_entry(&w->guild_list, struct cord_guild, g, link)
		for (size_t i = 0; i < g->bot_count; i++)
			if (g->bots[i].in && available)
				cord_event_to_bot(g->bots[i].bot, "GUILD_CREATE", CORD_INTENT_GUILDS,
				    cord_guild_json(g, g->bots[i].bot));
			else if (g->bots[i].in)
				say_gone(g, g->bots[i].bot);
}

void cord_guild_leave(struct cord_guild *g, struct cord_bot *b)
{
	struct cord_guild_bot *row = cord_guild_bot(g, b);
	struct cord_record *role = row ? cord_record_find(g->world, CORD_ROLE, g->id, row->role) : NULL,
			   *state = cord_record_find(g->world, CORD_MEMBER, g->id, b->id);

	if (!row || !row->in)
		return;
	row->in = false;
	say_gone(g, b);
	cord_member_event(g, b->id, "GUILD_MEMBER_REMOVE");
	if (state)
		cord_record_remove(g->world, state);
	if (role)
		cord_role_remove(g, role);
}

void cord_guild_grant(struct cord_guild *g, const struct cord_bot *b, uint64_t bits, bool give)
{
	const struct cord_guild_bot *row = cord_guild_bot(g, b);
	struct cord_record *role = row ? cord_record_find(g->world, CORD_ROLE, g->id, row->role) : NULL;
	uint64_t may = role ? cord_get_bits(role->json, "permissions") : 0;

	if (!role || (may & bits) == (give ? bits : 0))
		return;
	cord_set_bits(role->json, "permissions", give ? may | bits : may & ~bits);
	cord_role_event(g, role->json, "GUILD_ROLE_UPDATE");
}

struct json_object *cord_guild_event(const struct cord_guild *g, const char *key, struct json_object *value)
{
	struct json_object *d = json_object_new_object();

	cord_set_id(d, "guild_id", g->id);
	json_set(d, key, value);
	return d;
}

void cord_role_event(const struct cord_guild *g, struct json_object *role, const char *name)
{
	cord_event_in_guild(
	    g, name, CORD_INTENT_GUILDS, 0, cord_guild_event(g, "role", json_object_get(role)));
}

void cord_role_remove(struct cord_guild *g, struct cord_record *role)
{
	uint64_t id = role->id;

	list_each_entry(&g->world->records.list[CORD_MEMBER], struct cord_record, r, link)
		if (r->owner == g->id)
			cord_array_remove(json_get_array(r->json, "roles"), id);
	cord_record_remove(g->world, role);
	cord_event_in_guild(
	    g, "GUILD_ROLE_DELETE", CORD_INTENT_GUILDS, 0, cord_guild_event(g, "role_id", cord_id_json(id)));
}

void cord_guild_changed(const struct cord_guild *g)
{
	cord_event_in_guild(g, "GUILD_UPDATE", CORD_INTENT_GUILDS, 0, cord_guild_json(g, NULL));
}

/* What GUILD_CREATE adds (Discord: events/gateway-events, Guild Create). */
static void add_gateway_members(struct json_object *o, const struct cord_guild *g, const struct cord_bot *b)
{
	struct json_object *channels = json_object_new_array(), *threads = json_object_new_array(),
			   *members = json_object_new_array();
	struct cord_ids ids;

	cord_members(g, &ids);
	list_each_entry(&g->world->channel_list, struct cord_channel, c, link) {
		if (c->guild != g || c->gone || !cord_channel_sees(c, b->id))
			continue;
		if (!c->parent)
			json_object_array_add(channels, cord_channel_json(c, b->id));
		else if (!c->archived)
			json_object_array_add(threads, cord_channel_json(c, b->id));
	}
	json_object_array_add(members, cord_member_bot_json(g, b, true));
	cord_set_time(o, "joined_at", cord_guild_bot(g, b)->joined_ms);
	json_setf(o, "large: false, unavailable: false, member_count: %jd", (int64_t)ids.count);
	free(ids.list);
	json_set(o, "voice_states", cord_records_json(g->world, CORD_VOICE_STATE, g->id));
	json_set(o, "stage_instances", cord_records_json(g->world, CORD_STAGE, g->id));
	json_set(o, "guild_scheduled_events", cord_records_json(g->world, CORD_SCHEDULED, g->id));
	json_set(o, "soundboard_sounds", cord_records_json(g->world, CORD_SOUND, g->id));
	json_set(o, "channels", channels);
	json_set(o, "threads", threads);
	json_set(o, "members", members);
}

struct json_object *cord_guild_json(const struct cord_guild *g, const struct cord_bot *for_gateway)
{
	struct json_object *o = json_object_new_object();
	const struct cord_record *settings =
	    cord_record_find(g->world, CORD_SETTINGS, g->id, CORD_GUILD_SETTINGS);

	json_setf(o,
	    "id: %p, name: %s, owner_id: %p, afk_timeout: 300, preferred_locale: 'en-US', max_members: %d, "
	    "max_video_channel_users: %d, max_stage_video_channel_users: %d, region: 'deprecated', roles: "
	    "%p",
	    cord_id_or_null(g->id), g->name, cord_id_or_null(g->owner_id), MEMBERS_MAX, VIDEO_USERS_MAX,
	    VIDEO_USERS_MAX, cord_records_json(g->world, CORD_ROLE, g->id));
	json_set(o, "emojis", cord_records_json(g->world, CORD_EMOJI, g->id));
	json_set(o, "stickers", cord_records_json(g->world, CORD_STICKER, g->id));
	if (settings)
		cord_merge(o, settings->json);
	if (for_gateway)
		add_gateway_members(o, g, for_gateway);
	return cord_fill(for_gateway ? "GUILD_CREATE" : "GuildResponse", o);
}
