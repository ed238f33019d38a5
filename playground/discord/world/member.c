#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/discord/world/world_internal.h"

static struct json_object *state_of(const struct cord_guild *g, uint64_t id)
{
	const struct cord_record *r = cord_record_find(g->world, CORD_MEMBER, g->id, id);

	return r ? r->json : NULL;
}

static struct cord_bot *bot_of(const struct cord_guild *g, uint64_t id)
{
	for (size_t i = 0; i < g->bot_count; i++)
		if (g->bots[i].bot->id == id)
			return g->bots[i].bot;
	return NULL;
}

bool cord_is_member(const struct cord_guild *g, uint64_t id)
{
	const struct cord_bot *b = bot_of(g, id);

	return b ? cord_guild_has(g, b) :
		   cord_user_find(g->world, id) && !json_get_bool(state_of(g, id), "left", false);
}

static struct json_object *member_json(
    const struct cord_guild *g, uint64_t id, struct json_object *user, uint64_t role, int64_t joined_ms)
{
	struct json_object *o = json_object_new_object(), *roles = json_object_new_array(), *own;

	if (user)
		json_set(o, "user", user);
	cord_set_time(o, "joined_at", joined_ms);
	cord_merge(o, state_of(g, id));
	json_object_object_del(o, "left");
	json_object_object_del(o, "bio");
	own = json_get_array(o, "roles");
	if (role != 0)
		json_object_array_add(roles, cord_id_json(role));
	json_each(own, item)
		json_object_array_add(roles, json_object_get(item));
	json_set(o, "roles", roles);
	if (cord_get_time(o, "communication_disabled_until") <= clock_wall())
		cord_set_null(o, "communication_disabled_until");
	return cord_fill(user ? "GuildMemberResponse" : "GatewayMember", o);
}

struct json_object *cord_member_json(const struct cord_guild *g, const struct cord_user *u, bool with_user)
{
	return member_json(g, u->id, with_user ? cord_user_json(u) : NULL, 0, cord_snowflake_ms(g->id));
}

struct json_object *cord_member_bot_json(const struct cord_guild *g, const struct cord_bot *b, bool with_user)
{
	const struct cord_guild_bot *row = cord_guild_bot(g, b);

	return member_json(g, b->id, with_user ? cord_bot_json(b) : NULL, row ? row->role : 0,
	    row ? row->joined_ms : cord_snowflake_ms(g->id));
}

struct json_object *cord_someone_json(const struct cord_guild *g, uint64_t id, bool with_user)
{
	const struct cord_bot *b = bot_of(g, id);

	if (!cord_is_member(g, id))
		return NULL;
	return b ? cord_member_bot_json(g, b, with_user) :
		   cord_member_json(g, cord_user_find(g->world, id), with_user);
}

void cord_member_role_ids(const struct cord_guild *g, uint64_t id, struct cord_ids *ids)
{
	const struct cord_bot *b = bot_of(g, id);

	*ids = (struct cord_ids){NULL, 0};
	if (b)
		cord_ids_add(ids, cord_guild_bot(g, b)->role);
	cord_ids_load(ids, json_get_array(state_of(g, id), "roles"));
}

void cord_members(const struct cord_guild *g, struct cord_ids *ids)
{
	size_t count;
	void **users = map_values(&g->world->users, &count);

	ids->list = xcalloc(count + g->bot_count + 1, sizeof(*ids->list));
	ids->count = 0;
	for (size_t i = 0; i < count; i++)
		if (cord_is_member(g, ((struct cord_user *)users[i])->id))
			ids->list[ids->count++] = ((struct cord_user *)users[i])->id;
	for (size_t i = 0; i < g->bot_count; i++)
		if (g->bots[i].in)
			ids->list[ids->count++] = g->bots[i].bot->id;
	cord_ids_sort(ids);
	free(users);
}

struct json_object *cord_member_state(const struct cord_guild *g, uint64_t id)
{
	return cord_record_get(g->world, CORD_MEMBER, g->id, id)->json;
}

struct json_object *cord_member_roles(const struct cord_guild *g, uint64_t id)
{
	struct json_object *state = cord_member_state(g, id), *roles = json_get_array(state, "roles");

	if (!roles) {
		roles = json_object_new_array();
		json_set(state, "roles", roles);
	}
	return roles;
}

int64_t cord_member_timeout(const struct cord_guild *g, uint64_t id)
{
	int64_t until = cord_get_time(state_of(g, id), "communication_disabled_until");

	return until > clock_wall() ? until : 0;
}

void cord_member_join(struct cord_guild *g, uint64_t id)
{
	struct json_object *state = json_object_new_object();

	cord_set_time(state, "joined_at", clock_wall());
	cord_record_put(g->world, CORD_MEMBER, g->id, id, state);
	cord_member_event(g, id, "GUILD_MEMBER_ADD");
}

void cord_member_leave(struct cord_guild *g, uint64_t id)
{
	struct json_object *state = json_object_new_object();

	json_set_bool(state, "left", true);
	cord_record_put(g->world, CORD_MEMBER, g->id, id, state);
	cord_member_event(g, id, "GUILD_MEMBER_REMOVE");
}

/* A bot hears of its own changes without the intent. */
void cord_member_event(const struct cord_guild *g, uint64_t id, const char *name)
{
	struct json_object *d =
	    strcmp(name, "GUILD_MEMBER_REMOVE") != 0 ? cord_someone_json(g, id, true) : NULL;
	bool added = strcmp(name, "GUILD_MEMBER_ADD") == 0;

	if (!d) {
		d = json_object_new_object();
		json_set(d, "user", cord_anyone_json(g->world, id));
	}
	cord_set_id(d, "guild_id", g->id);
	list_each_entry(&g->world->bot_list, struct cord_bot, b, link) {
		if (cord_guild_has(g, b) && !(added && b->id == id)) /* which gets the guild */
			cord_event_to_bot(b, name, b->id == id ? CORD_INTENT_ALWAYS : CORD_INTENT_MEMBERS,
			    json_object_get(d));
	}
	json_object_put(d);
}

bool cord_member_starts_with(struct json_object *member, const char *query)
{
	struct json_object *user = json_get_object(member, "user");
	const char *const names[] = {
	    json_get_str(user, "username"), json_get_str(user, "global_name"), json_get_str(member, "nick")};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] && strncasecmp(names[i], query, strlen(query)) == 0)
			return true;
	return false;
}
