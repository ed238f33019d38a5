/* What a bot has of its own: its application and user, entitlements, permissions of its commands. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/discord/methods/methods.h"

/* Verifies interactions over HTTP, which the playground does not send. */
#define VERIFY_KEY "0000000000000000000000000000000000000000000000000000000000000000"

static int check_own(struct cord_call *call)
{
	bool named = strstr(call->route->path, "{application_id}") != NULL;

	return !named || call->ids[0] == call->bot->id ?
	    0 :
	    cord_fail(call, "You are not authorized to perform this action on this application");
}

/* What was changed of it. */
static struct json_object *changes_of(const struct cord_bot *b)
{
	return cord_record_get(b->world, CORD_APPLICATION, b->id, b->id)->json;
}

/* Who made the application: nobody who talks here. */
static struct json_object *owner_json(void)
{
	return cord_fill("UserResponse", json_newf("{id: '1', username: 'owner', discriminator: '0'}"));
}

static int64_t count_guilds(const struct cord_bot *b)
{
	int64_t n = 0;

	list_each_entry(&b->world->guild_list, struct cord_guild, g, link)
		n += cord_guild_has(g, b);
	return n;
}

int cord_get_my_application(struct cord_call *call)
{
	struct json_object *o;
	int64_t flags = cord_application_flags(call->world);
	char text[24];

	if (check_own(call) != 0)
		return -1;
	o = json_newf("{id: %p, name: %s, bot: %p, owner: %p, bot_public: true, bot_require_code_grant: "
		      "false, flags: %jd}",
	    cord_id_or_null(call->bot->id), call->bot->username, cord_bot_json(call->bot), owner_json(),
	    flags);
	snprintf(text, sizeof(text), "%" PRId64, flags);
	json_setf(o, "flags_new: %s, verify_key: %s, approximate_guild_count: %jd", text, VERIFY_KEY,
	    count_guilds(call->bot));
	cord_merge(o, json_get_object(changes_of(call->bot), "application"));
	call->result = cord_fill("PrivateApplicationResponse", o);
	return 0;
}

int cord_update_application(struct cord_call *call)
{
	static const char *const kept[] = {"custom_install_url", "install_params",
	    "interactions_endpoint_url", "max_participants", "role_connections_verification_url", "tags"};
	struct json_object *changes, *o, *description = json_get(call->body, "description");

	if (check_own(call) != 0)
		return -1;
	changes = changes_of(call->bot);
	o = json_get_object(changes, "application");
	if (!o) {
		o = json_object_new_object();
		json_set(changes, "application", o);
	}
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		if (cord_given(call->body, kept[i]))
			json_object_object_add(o, kept[i], cord_copy(json_get(call->body, kept[i])));
	if (json_object_is_type(description, json_type_object))
		json_set_str(o, "description", json_get_str(description, "default"));
	else if (description)
		json_set_str(o, "description", json_object_get_string(description));
	if (json_get_str(call->body, "icon"))
		json_set_str(o, "icon", CORD_IMAGE_HASH);
	if (json_get_str(call->body, "cover_image"))
		json_set_str(o, "cover_image", CORD_IMAGE_HASH);
	return cord_get_my_application(call);
}

/* USER_UPDATE for itself, as GUILD_MEMBER_UPDATE for the others. */
int cord_update_my_user(struct cord_call *call)
{
	const char *name = json_get_str(call->body, "username");
	static const char *const images[] = {"avatar", "banner"};

	if (name)
		str_copy(call->bot->username, sizeof(call->bot->username), name);
	for (size_t i = 0; i < ARRAY_LEN(images); i++) {
		if (!cord_given(call->body, images[i]))
			continue;
		if (json_get_str(call->body, images[i]))
			json_set_str(changes_of(call->bot), images[i], CORD_IMAGE_HASH);
		else
			json_object_object_del(changes_of(call->bot), images[i]);
	}
	cord_event_to_bot(call->bot, "USER_UPDATE", CORD_INTENT_ALWAYS, cord_bot_json(call->bot));
	list_each_entry(&call->world->guild_list, struct cord_guild, g, link)
		if (cord_guild_has(g, call->bot))
			cord_member_event(g, call->bot->id, "GUILD_MEMBER_UPDATE");
	return cord_get_my_user(call);
}

/* Discord: resources/application-role-connection-metadata: the list is replaced. */
int cord_role_metadata(struct cord_call *call)
{
	struct json_object *rows;

	if (check_own(call) != 0)
		return -1;
	if (call->body) {
		rows = cord_copy(call->body);
		json_each(rows, item)
			cord_fill("ApplicationRoleConnectionsMetadataItemResponse", item);
		json_set(changes_of(call->bot), "metadata", rows);
	}
	rows = json_get_array(changes_of(call->bot), "metadata");
	call->result = rows ? json_object_get(rows) : json_object_new_array();
	return 0;
}

static int check_command_place(struct cord_call *call)
{
	const struct cord_guild *g = cord_guild_find(call->world, call->ids[1]);

	if (check_own(call) != 0)
		return -1;
	return g && cord_guild_has(g, call->bot) ? 0 : cord_fail(call, "Missing Access");
}

/* They are set by people alone, by their permission of another kind. */
int cord_list_guild_application_command_permissions(struct cord_call *call)
{
	if (check_command_place(call) != 0)
		return -1;
	call->result = cord_records_json(call->world, CORD_COMMAND_PERMISSIONS, call->ids[1]);
	return 0;
}

int cord_get_guild_application_command_permissions(struct cord_call *call)
{
	struct cord_record *r;

	if (check_command_place(call) != 0)
		return -1;
	r = cord_call_record(call, CORD_COMMAND_PERMISSIONS, call->ids[1], call->ids[2],
	    "Unknown application command permissions");
	if (!r)
		return -1;
	call->result = json_object_get(r->json);
	return 0;
}

int cord_set_guild_application_command_permissions(struct cord_call *call)
{
	return cord_fail(call, "Bots cannot use this endpoint");
}

/* Discord: resources/entitlement: test entitlements of any SKU. */
int cord_create_entitlement(struct cord_call *call)
{
	bool of_guild = json_get_int(call->body, "owner_type", 0) == 1;
	uint64_t owner = cord_get_id(call->body, "owner_id"), sku = cord_get_id(call->body, "sku_id"),
		 id = cord_new_id(call->world);
	struct json_object *o;

	if (check_own(call) != 0)
		return -1;
	if (sku == 0)
		return cord_fail(call, "Unknown SKU");
	o = json_newf("{id: %p, application_id: %p, sku_id: %p}", cord_id_or_null(id),
	    cord_id_or_null(call->bot->id), cord_id_or_null(sku));
	cord_set_id(o, of_guild ? "guild_id" : "user_id", owner);
	json_setf(o, "type: 8, deleted: false, consumed: false");
	cord_record_put(
	    call->world, CORD_ENTITLEMENT, call->bot->id, id, cord_fill("EntitlementResponse", o));
	cord_event_to_bot(call->bot, "ENTITLEMENT_CREATE", CORD_INTENT_ALWAYS, json_object_get(o));
	call->result = json_object_get(o);
	return 0;
}

static bool is_wanted(struct cord_call *call, struct json_object *o)
{
	static const char *const ids[] = {"guild_id", "user_id"};
	struct json_object *skus = json_get(call->query, "sku_ids");
	uint64_t id = cord_get_id(o, "id"), before = cord_get_id(call->query, "before"),
		 after = cord_get_id(call->query, "after");

	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		if (json_get(call->query, ids[i]) &&
		    cord_get_id(call->query, ids[i]) != cord_get_id(o, ids[i]))
			return false;
	if (skus && !strstr(json_object_get_string(skus), json_get_str(o, "sku_id")))
		return false;
	if (json_get_bool(call->query, "exclude_deleted", true) && json_get_bool(o, "deleted", false))
		return false;
	return id > after && (before == 0 || id < before);
}

int cord_get_entitlements(struct cord_call *call)
{
	if (check_own(call) != 0)
		return -1;
	call->result = json_object_new_array();
	list_each_entry(&call->world->records.list[CORD_ENTITLEMENT], struct cord_record, r, link)
		if (r->owner == call->bot->id && is_wanted(call, r->json) &&
		    json_count(call->result) < cord_call_limit(call, 100))
			json_object_array_add(call->result, json_object_get(r->json));
	return 0;
}

static struct cord_record *call_entitlement(struct cord_call *call)
{
	return check_own(call) == 0 ?
	    cord_call_record(call, CORD_ENTITLEMENT, call->bot->id, call->ids[1], "Unknown Entitlement") :
	    NULL;
}

int cord_get_entitlement(struct cord_call *call)
{
	struct cord_record *r = call_entitlement(call);

	if (!r)
		return -1;
	call->result = json_object_get(r->json);
	return 0;
}

int cord_change_entitlement(struct cord_call *call)
{
	bool consumed = cord_call_is(call, "consume_entitlement");
	struct cord_record *r = call_entitlement(call);

	if (!r)
		return -1;
	json_set_bool(r->json, consumed ? "consumed" : "deleted", true);
	cord_event_to_bot(call->bot, consumed ? "ENTITLEMENT_UPDATE" : "ENTITLEMENT_DELETE",
	    CORD_INTENT_ALWAYS, json_object_get(r->json));
	return 0;
}
