#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

static uint64_t key_of(const char *code)
{
	return cord_snowflake_of_name("template", code);
}

/* Ids in a snapshot are numbers of its own. */
static struct json_object *channels_json(const struct cord_guild *g)
{
	static const char *const copied[] = {"bitrate", "name", "nsfw", "permission_overwrites", "position",
	    "rate_limit_per_user", "topic", "user_limit"};
	struct json_object *array = json_object_new_array();
	int64_t n = 0;

	list_each_entry(&g->world->channel_list, const struct cord_channel, c, link) {
		struct json_object *whole, *o;

		if (c->guild != g || c->gone || c->parent)
			continue;
		whole = cord_channel_json(c, 0);
		o = json_object_new_object();
		for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
			if (json_get(whole, copied[i]))
				json_object_object_add(o, copied[i], cord_copy(json_get(whole, copied[i])));
		json_setf(o, "id: %jd, type: %d", ++n,
		    c->type == CORD_VOICE || c->type == CORD_CATEGORY || c->type == CORD_FORUM ? c->type :
												 CORD_TEXT);
		json_object_array_add(array, cord_fill("GuildTemplateChannelResponse", o));
		json_object_put(whole);
	}
	return array;
}

static struct json_object *roles_json(const struct cord_guild *g)
{
	struct json_object *array = json_object_new_array();
	int64_t n = 0;

	list_each_entry(&g->world->records.list[CORD_ROLE], const struct cord_record, r, link) {
		struct json_object *o;

		if (r->owner != g->id || json_get_bool(r->json, "managed", false))
			continue;
		o = cord_copy(r->json);
		json_set_int(o, "id", n++);
		json_object_object_del(o, "position");
		json_object_object_del(o, "managed");
		json_object_object_del(o, "flags");
		json_object_array_add(array, cord_fill("GuildTemplateRoleResponse", o));
	}
	return array;
}

static void take_snapshot(struct json_object *o, const struct cord_guild *g)
{
	static const char *const copied[] = {"afk_timeout", "default_message_notifications", "description",
	    "explicit_content_filter", "name", "preferred_locale", "region", "system_channel_flags",
	    "verification_level"};
	struct json_object *whole = cord_guild_json(g, NULL), *snapshot = json_object_new_object();

	for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
		json_object_object_add(snapshot, copied[i], json_object_get(json_get(whole, copied[i])));
	json_setf(snapshot, "channels: %p, roles: %p", channels_json(g), roles_json(g));
	json_object_put(whole);
	json_set(o, "serialized_source_guild", cord_fill("GuildTemplateSnapshotResponse", snapshot));
	cord_set_time(o, "updated_at", clock_wall());
	cord_set_null(o, "is_dirty");
}

int cord_list_guild_templates(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	call->result = cord_records_json(call->world, CORD_TEMPLATE, g->id);
	return 0;
}

int cord_create_guild_template(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct json_object *o;
	char code[13];

	if (cord_record_count(call->world, CORD_TEMPLATE, g->id) > 0)
		return cord_fail(call, "Guild already has a template");
	for (size_t i = 0; i < sizeof(code) - 1; i++) {
		unsigned char random;

		clock_random(&random, sizeof(random));
		code[i] = (char)('a' + random % 26);
	}
	code[sizeof(code) - 1] = '\0';
	o = json_object_new_object();
	cord_merge(o, call->body);
	json_setf(o, "code: %s, creator_id: %p, creator: %p, source_guild_id: %p", code,
	    cord_id_json(cord_call_actor(call)), cord_call_creator(call), cord_id_json(g->id));
	cord_set_time(o, "created_at", clock_wall());
	take_snapshot(o, g);
	cord_record_put(
	    call->world, CORD_TEMPLATE, g->id, key_of(code), cord_fill("GuildTemplateResponse", o));
	call->result = json_object_get(o);
	return 0;
}

/* By its code, from anywhere. */
int cord_get_guild_template(struct cord_call *call)
{
	const struct cord_record *r = cord_record_by_id(call->world, CORD_TEMPLATE, key_of(call->args[0]));

	if (!r)
		return cord_fail(call, "Unknown Guild Template");
	call->result = json_object_get(r->json);
	return 0;
}

static struct cord_record *call_template(struct cord_call *call)
{
	return cord_call_record(
	    call, CORD_TEMPLATE, call->guild->id, key_of(call->args[1]), "Unknown Guild Template");
}

int cord_update_guild_template(struct cord_call *call)
{
	struct cord_record *r = call_template(call);

	if (!r)
		return -1;
	cord_merge(r->json, call->body);
	call->result = json_object_get(r->json);
	return 0;
}

int cord_sync_guild_template(struct cord_call *call)
{
	struct cord_record *r = call_template(call);

	if (!r)
		return -1;
	take_snapshot(r->json, call->guild);
	call->result = json_object_get(r->json);
	return 0;
}

int cord_delete_guild_template(struct cord_call *call)
{
	struct cord_record *r = call_template(call);

	if (!r)
		return -1;
	call->result = json_object_get(r->json);
	cord_record_remove(call->world, r);
	return 0;
}
