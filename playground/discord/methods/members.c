#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define TIMEOUT_MAX_MS (INT64_C(28) * 86400000)

/* Discord: guild, List Guild Members: for those with the intent. */
int cord_list_guild_members(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct cord_ids ids, page;

	if (!call->world->settings.members)
		return cord_fail(call, "Missing Access");
	cord_members(g, &ids);
	cord_call_page(call, &ids, 1, &page);
	call->result = json_object_new_array();
	for (size_t i = 0; i < page.count; i++)
		json_object_array_add(call->result, cord_someone_json(g, page.list[i], true));
	free(ids.list);
	free(page.list);
	return 0;
}

int cord_search_guild_members(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	size_t limit = cord_call_limit(call, 1);
	struct cord_ids ids;

	cord_members(g, &ids);
	call->result = json_object_new_array();
	for (size_t i = 0; i < ids.count && json_count(call->result) < limit; i++) {
		struct json_object *member = cord_someone_json(g, ids.list[i], true);

		if (cord_member_starts_with(member, json_get_str(call->query, "query")))
			json_object_array_add(call->result, member);
		else
			json_object_put(member);
	}
	free(ids.list);
	return 0;
}

/* The roles that are given or taken must be below the bot's own. */
static int check_roles(
    struct cord_call *call, struct cord_guild *g, struct json_object *has, struct json_object *roles)
{
	list_each_entry(&call->world->records.list[CORD_ROLE], const struct cord_record, r, link) {
		bool changes =
		    r->owner == g->id && cord_array_has(has, r->id) != cord_array_has(roles, r->id);

		if (changes && (json_get_bool(r->json, "managed", false) || r->id == g->id))
			return cord_fail(call, "Invalid Role");
		if (changes && !cord_outranks_role(g, cord_call_actor(call), r->json))
			return cord_fail(call, "Missing Permissions");
	}
	json_each(roles, item) {
		const char *text = json_object_get_string(item);
		uint64_t id = 0;

		if (!cord_snowflake_read(text, &id) || !cord_record_find(call->world, CORD_ROLE, g->id, id))
			return cord_fail(call, "Unknown Role");
	}
	return 0;
}

static int check_timeout(struct cord_call *call)
{
	int64_t until = cord_get_time(call->body, "communication_disabled_until");

	if (until <= clock_wall() + TIMEOUT_MAX_MS)
		return 0;
	return cord_refuse_field(call, "communication_disabled_until", "GUILD_MEMBER_TIMEOUT_MAX",
	    "Communication disabled until must be at most 28 days in the future.");
}

/* What each member of the body needs. above: the member must be below the bot. */
static const struct {
	const char *key;
	uint64_t permission;
	bool above;
} changes[] = {
    {"channel_id", CORD_MAY_MOVE, false},
    {"communication_disabled_until", CORD_MAY_MODERATE, true},
    {"deaf", CORD_MAY_DEAFEN, false},
    {"flags", CORD_MAY_MODERATE, false},
    {"mute", CORD_MAY_MUTE, false},
    {"nick", CORD_MAY_MANAGE_NICKS, true},
    {"roles", CORD_MAY_MANAGE_ROLES, false},
};

static int check_changes(struct cord_call *call, struct cord_guild *g, uint64_t id)
{
	uint64_t may = cord_call_guild_may(call, g);

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		bool own_nick = id == cord_call_actor(call) && strcmp(changes[i].key, "nick") == 0;

		if (!cord_given(call->body, changes[i].key) || (own_nick && (may & CORD_MAY_CHANGE_NICK)))
			continue;
		if (!(may & changes[i].permission) ||
		    (changes[i].above && id != cord_call_actor(call) &&
			!cord_outranks(g, cord_call_actor(call), id)))
			return cord_fail(call, "Missing Permissions");
	}
	if (cord_get_time(call->body, "communication_disabled_until") != 0 &&
	    (cord_guild_may(g, id) & CORD_MAY_ADMINISTER))
		return cord_fail(call, "Missing Permissions"); /* nobody silences an administrator */
	return check_timeout(call);
}

int cord_update_guild_member(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	uint64_t id = call->ids[1];
	struct json_object *state, *roles, *was, *is;

	if (!cord_is_member(g, id))
		return cord_fail(call, "Unknown Member");
	roles = json_get_array(call->body, "roles");
	if (check_changes(call, g, id) != 0 ||
	    (roles && check_roles(call, g, cord_member_roles(g, id), roles) != 0))
		return -1;
	if (cord_given(call->body, "channel_id") && cord_voice_move(call, g, id) != 0)
		return -1;
	was = cord_someone_json(g, id, false);
	state = cord_member_state(g, id);
	json_object_object_foreach(call->body, key, value) {
		const char *text =
		    json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "x";

		if (strcmp(key, "channel_id") != 0 && (value || strcmp(key, "roles") != 0))
			json_object_object_add(state, key, text[0] != '\0' ? cord_copy(value) : NULL);
	}
	is = cord_someone_json(g, id, false);
	cord_member_event(g, id, "GUILD_MEMBER_UPDATE");
	cord_call_audit(call, g, roles ? CORD_ACTION_MEMBER_ROLES : CORD_ACTION_MEMBER_UPDATE, id, was, is);
	json_object_put(was);
	json_object_put(is);
	call->result = cord_someone_json(g, id, true);
	return 0;
}

int cord_update_my_guild_member(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	uint64_t id = cord_call_actor(call);
	static const char *const images[] = {"avatar", "banner"};
	struct json_object *state;

	if (cord_given(call->body, "nick") && !(cord_guild_may(g, id) & CORD_MAY_CHANGE_NICK))
		return cord_fail(call, "Missing Permissions");
	state = cord_member_state(g, id);
	cord_merge(state, call->body);
	for (size_t i = 0; i < 2; i++) /* the answer has the hash of an image */
		if (json_get_str(call->body, images[i]))
			json_set_str(state, images[i], CORD_IMAGE_HASH);
	if (json_get_str(state, "nick") && json_get_str(state, "nick")[0] == '\0')
		cord_set_null(state, "nick");
	cord_member_event(g, id, "GUILD_MEMBER_UPDATE");
	call->result = cord_someone_json(g, id, true);
	cord_set_bits(call->result, "permissions", cord_guild_may(g, id));
	return 0;
}

/* A bot that is removed leaves as a bot does. */
static void remove_member(struct cord_guild *g, uint64_t id)
{
	struct cord_bot *b = map_get(&g->world->bots, (int64_t)id, 0);

	if (b)
		cord_guild_leave(g, b);
	else if (cord_is_member(g, id))
		cord_member_leave(g, id);
}

int cord_delete_guild_member(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	if (!cord_is_member(g, call->ids[1]))
		return cord_fail(call, "Unknown Member");
	if (!cord_outranks(g, cord_call_actor(call), call->ids[1]))
		return cord_fail(call, "Missing Permissions");
	remove_member(g, call->ids[1]);
	cord_call_audit(call, g, CORD_ACTION_KICK, call->ids[1], NULL, NULL);
	return 0;
}

static void delete_messages_since(struct cord_guild *g, uint64_t user_id, int64_t seconds)
{
	list_each_entry(&g->world->channel_list, struct cord_channel, c, link)
		for (size_t i = cord_channel_place(c, cord_snowflake_at(clock_wall() - seconds * 1000));
		     c->guild == g && seconds > 0 && i < c->count; i++)
			if (c->messages[i]->user && c->messages[i]->user->id == user_id &&
			    !c->messages[i]->deleted)
				cord_message_delete(c->messages[i]);
}

void cord_ban(struct cord_guild *g, uint64_t id, const char *reason)
{
	struct json_object *o = json_object_new_object(), *user = cord_anyone_json(g->world, id);

	json_object_object_add(o, "reason", reason ? json_object_new_string(reason) : NULL);
	json_set(o, "user", json_object_get(user));
	cord_record_put(g->world, CORD_BAN, g->id, id, o);
	cord_event_in_guild(g, "GUILD_BAN_ADD", CORD_INTENT_MODERATION, 0, cord_guild_event(g, "user", user));
	remove_member(g, id);
}

void cord_unban(struct cord_guild *g, uint64_t id)
{
	cord_record_remove(g->world, cord_record_find(g->world, CORD_BAN, g->id, id));
	cord_event_in_guild(g, "GUILD_BAN_REMOVE", CORD_INTENT_MODERATION, 0,
	    cord_guild_event(g, "user", cord_anyone_json(g->world, id)));
}

static void ban(struct cord_call *call, struct cord_guild *g, uint64_t id, int64_t seconds)
{
	cord_ban(g, id, call->reason);
	delete_messages_since(g, id, seconds);
	cord_call_audit(call, g, CORD_ACTION_BAN, id, NULL, NULL);
}

static int64_t delete_seconds(struct cord_call *call)
{
	return json_get_int(
	    call->body, "delete_message_seconds", json_get_int(call->body, "delete_message_days", 0) * 86400);
}

int cord_ban_user_from_guild(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct json_object *user;

	user = cord_anyone_json(call->world, call->ids[1]);
	json_object_put(user);
	if (!user)
		return cord_fail(call, "Unknown User");
	if (!cord_outranks(g, cord_call_actor(call), call->ids[1]))
		return cord_fail(call, "Missing Permissions");
	if (!cord_record_find(call->world, CORD_BAN, g->id, call->ids[1]))
		ban(call, g, call->ids[1], delete_seconds(call));
	return 0;
}

int cord_bulk_ban_users_from_guild(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct json_object *ids = json_get_array(call->body, "user_ids"), *banned, *failed;

	banned = json_object_new_array();
	failed = json_object_new_array();
	json_each(ids, item) {
		struct json_object *user = NULL;
		uint64_t id = 0;
		bool good;

		if (cord_snowflake_read(json_object_get_string(item), &id))
			user = cord_anyone_json(call->world, id);
		good = user && cord_outranks(g, cord_call_actor(call), id) &&
		    !cord_record_find(call->world, CORD_BAN, g->id, id);
		json_object_put(user);
		cord_array_add(good ? banned : failed, id);
		if (good)
			ban(call, g, id, delete_seconds(call));
	}
	call->result = json_newf("{banned_users: %p, failed_users: %p}", banned, failed);
	return 0;
}

int cord_unban_user_from_guild(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct cord_record *r = cord_call_record(call, CORD_BAN, g->id, call->ids[1], "Unknown Ban");

	if (!r)
		return -1;
	cord_unban(g, call->ids[1]);
	cord_call_audit(call, g, CORD_ACTION_UNBAN, call->ids[1], NULL, NULL);
	return 0;
}

int cord_get_guild_ban(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct cord_record *r = cord_call_record(call, CORD_BAN, g->id, call->ids[1], "Unknown Ban");

	if (!r)
		return -1;
	call->result = json_object_get(r->json);
	return 0;
}

/* Sorted by the id of the person; before takes precedence over after. */
int cord_list_guild_bans(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	size_t limit = cord_call_limit(call, 1000), count;
	uint64_t before = cord_get_id(call->query, "before"), after = cord_get_id(call->query, "after");
	void **all;

	all = map_values(&call->world->records.by_id[CORD_BAN], &count);
	call->result = json_object_new_array();
	for (size_t i = 0; i < count; i++) {
		const struct cord_record *r = all[i];

		if (r->owner == g->id && (before != 0 ? r->id < before : r->id > after))
			json_object_array_add(call->result, json_object_get(r->json));
	}
	free(all);
	count = json_count(call->result);
	if (count > limit) /* the last of those before, the first of those after */
		json_object_array_del_idx(call->result, before != 0 ? 0 : limit, count - limit);
	return 0;
}

/* Inactive members without roles, or with the named ones alone. Activity here is a message. */
static bool is_inactive(struct cord_guild *g, uint64_t id, int64_t since)
{
	list_each_entry(&g->world->channel_list, const struct cord_channel, c, link) {
		for (size_t i = c->count; c->guild == g && i > 0; i--) {
			const struct cord_message *m = c->messages[i - 1];

			if (cord_snowflake_ms(m->id) < since)
				break;
			if (m->user && m->user->id == id)
				return false;
		}
	}
	return true;
}

static bool lists_role(struct json_object *include, const char *role)
{
	if (json_object_is_type(include, json_type_string))
		return strstr(json_object_get_string(include), role) != NULL;
	json_each(include, item)
		if (strcmp(json_object_get_string(item), role) == 0)
			return true;
	return false;
}

static void audit_prune(struct cord_call *call, struct cord_guild *g, int64_t days, int64_t pruned)
{
	struct json_object *o = json_object_new_object();
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, days);
	json_set_str(o, "delete_member_days", text);
	snprintf(text, sizeof(text), "%" PRId64, pruned);
	json_set_str(o, "members_removed", text);
	cord_call_audit_entry(call, g, (struct cord_audit_entry){.action = CORD_ACTION_PRUNE, .options = o});
}

int cord_prune_guild(struct cord_call *call)
{
	bool act = cord_call_is(call, "prune_guild");
	struct json_object *in = act ? call->body : call->query;
	struct cord_guild *g = call->guild;
	int64_t since = clock_wall() - json_get_int(in, "days", 7) * 86400000, pruned = 0;
	struct cord_ids ids;

	cord_members(g, &ids);
	for (size_t i = 0; i < ids.count; i++) {
		struct json_object *roles = cord_member_roles(g, ids.list[i]);
		bool bare = cord_user_find(call->world, ids.list[i]) && ids.list[i] != g->owner_id;

		json_each(roles, item)
			bare =
			    bare && lists_role(json_get(in, "include_roles"), json_object_get_string(item));
		if (!bare || !is_inactive(g, ids.list[i], since))
			continue;
		pruned++;
		if (act)
			remove_member(g, ids.list[i]);
	}
	free(ids.list);
	call->result = json_object_new_object();
	if (act && !json_get_bool(in, "compute_prune_count", true))
		cord_set_null(call->result, "pruned");
	else
		json_set_int(call->result, "pruned", pruned);
	if (act)
		audit_prune(call, g, json_get_int(in, "days", 7), pruned);
	return 0;
}

int cord_leave_guild(struct cord_call *call)
{
	struct cord_guild *g = cord_call_guild(call, 0);

	if (!g)
		return -1;
	cord_guild_leave(g, call->bot);
	return 0;
}
