#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define INVITES_MAX 1000
#define AGE_DEFAULT 86400 /* seconds */

static void make_code(char code[9])
{
	static const char letters[] = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
	uint64_t random;

	clock_random(&random, sizeof(random));
	for (size_t i = 0; i < 8; i++, random /= sizeof(letters) - 1)
		code[i] = letters[random % (sizeof(letters) - 1)];
	code[8] = '\0';
}

static uint64_t key_of(const char *code)
{
	return cord_snowflake_of_name("invite", code);
}

/* Drops those whose time is over. */
static void drop_old(struct cord_world *w)
{
	list_each_entry(&w->records.list[CORD_INVITE], struct cord_record, r, link) {
		int64_t end = cord_get_time(r->json, "expires_at");

		if (end != 0 && end <= clock_wall())
			cord_record_remove(w, r);
	}
}

static void announce_created(struct cord_guild *g, const struct cord_channel *c, struct json_object *o)
{
	static const char *const names[] = {
	    "code", "created_at", "expires_at", "inviter", "max_age", "max_uses", "temporary", "uses"};
	struct json_object *d = cord_guild_event(g, "channel_id", cord_id_json(c->id));

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		json_object_object_add(d, names[i], json_object_get(json_get(o, names[i])));
	cord_event_in_guild(g, "INVITE_CREATE", CORD_INTENT_INVITES, CORD_MAY_MANAGE_CHANNELS, d);
}

/* An invite that is like one that is there is that one, unless it shall be unique. */
static struct json_object *find_like(
    struct cord_call *call, const struct cord_channel *c, int64_t age, int64_t uses)
{
	list_each(&call->world->records.list[CORD_INVITE], it, tmp) {
		struct json_object *o = list_entry(it, struct cord_record, link)->json;

		if (!json_get_bool(call->body, "unique", false) &&
		    cord_get_id(json_get_object(o, "channel"), "id") == c->id &&
		    json_get_int(o, "max_age", 0) == age && json_get_int(o, "max_uses", 0) == uses)
			return o;
	}
	return NULL;
}

int cord_create_channel_invite(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	int64_t age = json_get_int(call->body, "max_age", AGE_DEFAULT),
		uses = json_get_int(call->body, "max_uses", 0);
	struct json_object *o;
	char code[9];

	if (!c->guild || c->parent || c->type == CORD_CATEGORY)
		return cord_fail(call,
		    c->guild ? "Cannot execute action on this channel type" :
			       "Cannot execute action on a DM channel");
	if (!(cord_call_may(call, c) & CORD_MAY_INVITE))
		return cord_fail(call, "Missing Permissions");
	drop_old(call->world);
	if (cord_record_count(call->world, CORD_INVITE, c->guild->id) >= INVITES_MAX)
		return cord_fail(call, "Maximum number of invites reached (1000)");
	o = find_like(call, c, age, uses);
	if (o) {
		call->result = json_object_get(o);
		return 0;
	}
	make_code(code);
	o = json_newf("{type: 0, code: %s, guild: %p, guild_id: %p}", code,
	    cord_part("InviteGuildResponse", cord_guild_json(c->guild, NULL)), cord_id_json(c->guild->id));
	json_setf(o, "channel: %p, inviter: %p, uses: 0, max_uses: %jd, max_age: %jd, temporary: %i",
	    json_newf("{id: %p, name: %s, type: %d}", cord_id_json(c->id), c->name, c->type),
	    cord_call_creator(call), uses, age, json_get_bool(call->body, "temporary", false));
	cord_set_time(o, "created_at", clock_wall());
	cord_set_time(o, "expires_at", age != 0 ? clock_wall() + age * 1000 : 0);
	cord_record_put(
	    call->world, CORD_INVITE, c->guild->id, key_of(code), cord_fill("GuildInviteResponse", o));
	announce_created(c->guild, c, o);
	cord_call_audit(call, c->guild, CORD_ACTION_INVITE, 0, NULL, o);
	call->result = json_object_get(o);
	return 0;
}

int cord_list_channel_invites(struct cord_call *call)
{
	struct cord_channel *c = call->channel;

	drop_old(call->world);
	call->result = json_object_new_array();
	list_each(&call->world->records.list[CORD_INVITE], it, tmp) {
		struct json_object *o = list_entry(it, struct cord_record, link)->json;

		if (cord_get_id(json_get_object(o, "channel"), "id") == c->id)
			json_object_array_add(call->result, json_object_get(o));
	}
	return 0;
}

int cord_list_guild_invites(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	drop_old(call->world);
	call->result = cord_records_json(call->world, CORD_INVITE, g->id);
	return 0;
}

static struct cord_record *call_invite(struct cord_call *call)
{
	struct cord_record *r;

	drop_old(call->world);
	r = cord_record_by_id(call->world, CORD_INVITE, key_of(call->args[0]));
	if (!r)
		cord_fail(call, "Unknown Invite");
	return r;
}

/* How often it was used, and the like, is for those who manage the guild. */
int cord_invite_resolve(struct cord_call *call)
{
	static const char *const metadata[] = {"created_at", "max_age", "max_uses", "temporary", "uses"};
	struct cord_record *r = call_invite(call);
	struct cord_ids ids;

	if (!r)
		return -1;
	call->result = cord_copy(r->json);
	for (size_t i = 0; i < sizeof(metadata) / sizeof(metadata[0]); i++)
		json_object_object_del(call->result, metadata[i]);
	if (!json_get_bool(call->query, "with_counts", false))
		return 0;
	cord_members(cord_guild_find(call->world, r->owner), &ids);
	json_set_int(call->result, "approximate_member_count", (int64_t)ids.count);
	json_set_int(call->result, "approximate_presence_count", (int64_t)ids.count);
	free(ids.list);
	return 0;
}

int cord_invite_revoke(struct cord_call *call)
{
	struct cord_record *r = call_invite(call);
	struct cord_guild *g = r ? cord_guild_find(call->world, r->owner) : NULL;
	struct json_object *o, *d;

	if (!r)
		return -1;
	if (!(cord_call_guild_may(call, g) & (CORD_MAY_MANAGE_GUILD | CORD_MAY_MANAGE_CHANNELS)))
		return cord_fail(call,
		    cord_is_member(g, cord_call_actor(call)) ? "Missing Permissions" : "Missing Access");
	o = json_object_get(r->json);
	cord_record_remove(call->world, r);
	d = cord_guild_event(g, "channel_id", json_object_get(json_get(json_get_object(o, "channel"), "id")));
	json_set_str(d, "code", json_get_str(o, "code"));
	cord_event_in_guild(g, "INVITE_DELETE", CORD_INTENT_INVITES, CORD_MAY_MANAGE_CHANNELS, d);
	cord_call_audit(call, g, CORD_ACTION_INVITE + 2, 0, o, NULL);
	call->result = o;
	return 0;
}
