#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/discord/methods/methods.h"

/* A bot gives no permissions that it has not, and changes no role above its own. */
static int check_role(struct cord_call *call, struct cord_guild *g, struct json_object *was)
{
	uint64_t may = cord_call_guild_may(call, g), before = cord_get_bits(was, "permissions"),
		 bits =
		     json_get(call->body, "permissions") ? cord_get_bits(call->body, "permissions") : before;

	if (was && !cord_outranks_role(g, cord_call_actor(call), was))
		return cord_fail(call, "Missing Permissions");
	return (bits ^ before) & ~may & CORD_MAY_ALL ? cord_fail(call, "Missing Permissions") : 0;
}

/* "color" and "colors" are two names of one thing. */
static void set_colors(struct json_object *o, struct json_object *body)
{
	struct json_object *colors = json_get_object(body, "colors");

	if (colors) {
		json_set_int(o, "color", json_get_int(colors, "primary_color", 0));
	} else if (json_get(body, "color")) {
		colors = json_object_new_object();
		json_set_int(colors, "primary_color", json_get_int(body, "color", 0));
		json_set(o, "colors", colors);
	}
}

static int validate_role(
    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o)
{
	struct json_object *everyone = cord_record_find(call->world, CORD_ROLE, g->id, g->id)->json;
	static const char *const nullable[] = {
	    "color", "colors", "hoist", "mentionable", "name", "permissions"};

	if (check_role(call, g, was) != 0)
		return -1;
	for (size_t i = 0; i < sizeof(nullable) / sizeof(nullable[0]); i++)
		if (json_object_object_get_ex(o, nullable[i], NULL) && !json_get(o, nullable[i]))
			json_object_object_del(o, nullable[i]);
	if (!json_get(o, "name"))
		json_set_str(o, "name", was ? json_get_str(was, "name") : "new role");
	if (json_get(call->body, "permissions"))
		cord_set_bits(o, "permissions", cord_get_bits(call->body, "permissions") & CORD_MAY_ALL);
	else
		cord_set_bits(o, "permissions", cord_get_bits(was ? was : everyone, "permissions"));
	set_colors(o, call->body);
	if (!was)
		json_set_int(o, "position", 1);
	return 0;
}

static void announce_role(struct cord_guild *g, const char *what, struct json_object *o)
{
	char name[32];

	snprintf(name, sizeof(name), "GUILD_ROLE_%s", what);
	cord_role_event(g, o, name);
}

const struct cord_resource cord_roles = {
    .kind = CORD_ROLE,
    .schema = "GuildRoleResponse",
    .unknown = "Unknown Role",
    .full = "Maximum number of guild roles reached (250)",
    .max = 250,
    .manage = CORD_MAY_MANAGE_ROLES,
    .action = CORD_ACTION_ROLE,
    .validate = validate_role,
    .announce = announce_role,
};

int cord_delete_guild_role(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct cord_record *r = cord_call_record(call, CORD_ROLE, g->id, call->ids[1], "Unknown Role");
	struct json_object *was;

	if (!r)
		return -1;
	if (r->id == g->id || json_get_bool(r->json, "managed", false))
		return cord_fail(call, "Invalid Role");
	if (!cord_outranks_role(g, cord_call_actor(call), r->json))
		return cord_fail(call, "Missing Permissions");
	was = json_object_get(r->json);
	cord_role_remove(g, r);
	cord_call_audit(call, g, CORD_ACTION_ROLE + 2, cord_get_id(was, "id"), was, NULL);
	json_object_put(was);
	return 0;
}

/* Each role that moves must be below the bot's own, before and after. */
int cord_bulk_update_guild_roles(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	json_each(call->body, row) {
		struct json_object *moved;
		struct cord_record *r =
		    cord_call_record(call, CORD_ROLE, g->id, cord_get_id(row, "id"), "Unknown Role");
		bool fits;

		if (!r)
			return -1;
		moved = cord_copy(r->json);
		json_set_int(
		    moved, "position", json_get_int(row, "position", json_get_int(r->json, "position", 0)));
		fits = cord_outranks_role(g, cord_call_actor(call), r->json) &&
		    cord_outranks_role(g, cord_call_actor(call), moved);
		json_object_put(moved);
		if (!fits || r->id == g->id)
			return cord_fail(call, "Missing Permissions");
	}
	json_each(call->body, row) {
		struct cord_record *r =
		    cord_record_find(call->world, CORD_ROLE, g->id, cord_get_id(row, "id"));

		if (!json_get(row, "position"))
			continue;
		json_set_int(r->json, "position", json_get_int(row, "position", 0));
		cord_role_event(g, r->json, "GUILD_ROLE_UPDATE");
	}
	call->result = cord_records_json(call->world, CORD_ROLE, g->id);
	return 0;
}

int cord_guild_role_member_counts(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct cord_ids ids;

	call->result = json_object_new_object();
	cord_members(g, &ids);
	list_each_entry(&call->world->records.list[CORD_ROLE], const struct cord_record, r, link) {
		int64_t n = 0;

		if (r->owner != g->id || r->id == g->id)
			continue;
		for (size_t i = 0; i < ids.count; i++) {
			struct json_object *member = cord_someone_json(g, ids.list[i], false);

			n += cord_array_has(json_get_array(member, "roles"), r->id);
			json_object_put(member);
		}
		json_set_int(call->result, json_get_str(r->json, "id"), n);
	}
	free(ids.list);
	return 0;
}

/* Discord: resources/audit-log, Audit Log Change Exceptions: partial roles as $add and $remove. */
static void audit_roles(
    struct cord_call *call, struct cord_guild *g, uint64_t id, bool give, struct json_object *role)
{
	struct json_object *is = json_object_new_object(), *list = json_object_new_array(),
			   *o = json_newf(
			       "{id: %s, name: %s}", json_get_str(role, "id"), json_get_str(role, "name"));

	json_object_array_add(list, o);
	json_set(is, give ? "$add" : "$remove", list);
	cord_call_audit(call, g, CORD_ACTION_MEMBER_ROLES, id, NULL, is);
	json_object_put(is);
}

int cord_change_member_role(struct cord_call *call)
{
	bool give = cord_call_is(call, "add_guild_member_role");
	struct cord_guild *g = call->guild;
	uint64_t id = call->ids[1], role = call->ids[2];
	struct json_object *roles;
	struct cord_record *r;

	if (!cord_is_member(g, id))
		return cord_fail(call, "Unknown Member");
	r = cord_call_record(call, CORD_ROLE, g->id, role, "Unknown Role");
	if (!r)
		return -1;
	if (role == g->id || json_get_bool(r->json, "managed", false))
		return cord_fail(call, "Invalid Role");
	if (!cord_outranks_role(g, cord_call_actor(call), r->json))
		return cord_fail(call, "Missing Permissions");
	roles = cord_member_roles(g, id);
	if (cord_array_has(roles, role) == give)
		return 0;
	if (give)
		cord_array_add(roles, role);
	else
		cord_array_remove(roles, role);
	cord_member_event(g, id, "GUILD_MEMBER_UPDATE");
	audit_roles(call, g, id, give, r->json);
	return 0;
}
