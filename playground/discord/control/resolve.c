#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "playground/discord/control/control.h"
#include "playground/world/given.h"

static void add(struct json_object *resolved, const char *kind, uint64_t id, struct json_object *o)
{
	struct json_object *group = json_get_object(resolved, kind);
	char key[24];

	if (!group) {
		group = json_object_new_object();
		json_set(resolved, kind, group);
	}
	snprintf(key, sizeof(key), "%" PRIu64, id);
	json_set(group, key, o);
}

uint64_t cord_resolve_file(
    const struct cord_context *s, struct json_object *resolved, struct json_object *o, struct error *err)
{
	struct cord_world *w = s->channel->world;
	struct given_file given;
	struct cord_file *f;

	if (given_file_read(o, CORD_SENT_MAX, &given, err) != 0)
		return 0;
	f = cord_file_new(w, cord_new_id(w), s->channel->id, given.name, given.type, given.data, given.len);
	add(resolved, "attachments", f->id, cord_file_json(w, f));
	return f->id;
}

static uint64_t find_user(const struct cord_context *s, struct json_object *resolved, const char *name)
{
	const struct cord_user *u = cord_user_by_name(s->bot->world, name);
	uint64_t id = 0;
	struct json_object *member, *user;

	if (strcasecmp(name, s->bot->username) == 0 || strcasecmp(name, "bot") == 0)
		id = s->bot->id;
	else if (u)
		id = u->id;
	else if (!cord_snowflake_read(name, &id))
		return 0;
	user = cord_anyone_json(s->bot->world, id);
	if (!user)
		return 0;
	add(resolved, "users", id, user);
	member = s->channel->guild ? cord_someone_json(s->channel->guild, id, false) : NULL;
	if (member) {
		cord_set_bits(member, "permissions", cord_permissions_in(s->channel, id));
		add(resolved, "members", id, member);
	}
	return id;
}

struct cord_record *cord_role_named(const struct cord_guild *g, const char *name)
{
	uint64_t id = 0;

	if (!g || !name)
		return NULL;
	cord_snowflake_read(name, &id);
	list_each_entry(&g->world->records.list[CORD_ROLE], struct cord_record, r, link)
		if (r->owner == g->id &&
		    (r->id == id || strcasecmp(json_get_str(r->json, "name"), name) == 0))
			return r;
	return NULL;
}

static uint64_t find_role(const struct cord_context *s, struct json_object *resolved, const char *name)
{
	const struct cord_record *r = cord_role_named(s->channel->guild, name);

	if (!r)
		return 0;
	add(resolved, "roles", r->id, json_object_get(r->json));
	return r->id;
}

static uint64_t find_channel(const struct cord_context *s, struct json_object *resolved, const char *name)
{
	static const char *const members[] = {"id", "name", "type", "parent_id", "thread_metadata"};
	uint64_t id = 0;

	cord_snowflake_read(name, &id);
	list_each_entry(&s->bot->world->channel_list, const struct cord_channel, c, link) {
		struct json_object *whole, *o;

		if (!c->guild || c->guild != s->channel->guild || c->gone ||
		    (c->id != id && strcasecmp(c->name, name) != 0))
			continue;
		whole = cord_channel_json(c, s->bot->id);
		o = json_object_new_object();
		for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
			if (json_object_object_get_ex(whole, members[i], NULL))
				json_object_object_add(
				    o, members[i], json_object_get(json_get(whole, members[i])));
		json_object_put(whole);
		if (s->user)
			cord_set_bits(o, "permissions", cord_permissions_in(c, s->user->id));
		add(resolved, "channels", c->id, o);
		return c->id;
	}
	return 0;
}

uint64_t cord_resolve(const struct cord_context *s, struct json_object *resolved, unsigned kinds,
    const char *name, struct error *err)
{
	uint64_t id = 0;

	if (name && (kinds & CORD_RESOLVE_USER))
		id = find_user(s, resolved, name);
	if (name && id == 0 && (kinds & CORD_RESOLVE_ROLE))
		id = find_role(s, resolved, name);
	if (name && id == 0 && (kinds & CORD_RESOLVE_CHANNEL))
		id = find_channel(s, resolved, name);
	if (id == 0)
		error_set(err, ERROR_OURS, "there is no %s \"%.64s\"",
		    kinds == CORD_RESOLVE_CHANNEL  ? "channel" :
			kinds == CORD_RESOLVE_ROLE ? "role" :
			kinds == CORD_RESOLVE_USER ? "person" :
						     "person or role",
		    name ? name : "");
	return id;
}
