#include <string.h>

#include "base/mem.h"
#include "playground/discord/methods/methods.h"

static const struct cord_resource *const resources[] = {
    &cord_app_emojis,
    &cord_emojis,
    &cord_roles,
    &cord_rules,
    &cord_scheduled_events,
    &cord_sounds,
    &cord_stickers,
};

/* Where a call is: of what kind, and whose. */
struct place {
	const struct cord_resource *resource;
	struct cord_guild *guild; /* NULL: the application's */
	uint64_t owner;
};

static int find_place(struct cord_call *call, struct place *p)
{
	enum cord_record_kind kind = cord_record_kind(spec_value(call->route->spec, "record"));
	size_t i = 0;

	while (resources[i]->kind != kind)
		i++;
	*p = (struct place){.resource = resources[i], .owner = call->ids[0]};
	if (p->resource->kind == CORD_APP_EMOJI)
		return p->owner == call->bot->id ?
		    0 :
		    cord_fail(call, "You are not authorized to perform this action on this application");
	p->guild = call->guild;
	return 0;
}

static struct cord_record *find_record(struct cord_call *call, struct place *p)
{
	struct cord_record *r;

	if (find_place(call, p) != 0)
		return NULL;
	r = cord_call_record(call, p->resource->kind, p->owner, call->ids[1], p->resource->unknown);
	if (!r)
		call->fail_status = 404; /* an unknown emoji of a reaction is 400 */
	return r;
}

static uint64_t creator_of(struct json_object *o)
{
	return json_get(o, "creator_id") ? cord_get_id(o, "creator_id") :
					   cord_get_id(json_get_object(o, "user"), "id");
}

/* o NULL: to create one. */
static int check_may(struct cord_call *call, const struct place *p, struct json_object *o)
{
	uint64_t may = p->guild ? cord_call_guild_may(call, p->guild) : CORD_MAY_ALL;

	if (may & p->resource->manage)
		return 0;
	if ((may & p->resource->create) && (!o || creator_of(o) == cord_call_actor(call)))
		return 0;
	return cord_fail(call, "Missing Permissions");
}

static void finish(struct cord_call *call, const struct place *p, const char *what, int action,
    struct json_object *was, struct json_object *is)
{
	struct json_object *o = is ? is : was;
	uint64_t id = cord_get_id(o, p->resource->id_key ? p->resource->id_key : "id");

	if (p->resource->announce)
		p->resource->announce(p->guild, what, o);
	if (p->guild && p->resource->action != 0)
		cord_call_audit(call, p->guild, action, id, was, is);
}

/* Those of unions were filled by their type. */
static struct json_object *fill(const struct place *p, struct json_object *o)
{
	return p->resource->schema ? cord_fill(p->resource->schema, o) : o;
}

/* Of a scheduled event: how many are interested, where the query asks for it. */
static void count_users(struct cord_call *call, struct json_object *o)
{
	if (json_get_bool(call->query, "with_user_count", false))
		json_set_int(o, "user_count",
		    (int64_t)cord_record_count(call->world, CORD_INTERESTED, cord_get_id(o, "id")));
	else
		json_object_object_del(o, "user_count");
}

int cord_list_resources(struct cord_call *call)
{
	struct place p;

	if (find_place(call, &p) != 0)
		return -1;
	call->result = cord_records_json(call->world, p.resource->kind, p.owner);
	for (size_t i = 0; p.resource->kind == CORD_SCHEDULED && i < json_count(call->result); i++)
		count_users(call, json_at(call->result, i));
	if (p.resource->list) {
		struct json_object *array = call->result;

		call->result = json_object_new_object();
		json_set(call->result, p.resource->list, array);
	}
	return 0;
}

int cord_get_resource(struct cord_call *call)
{
	struct place p;
	struct cord_record *r = find_record(call, &p);

	if (!r)
		return -1;
	call->result = json_object_get(r->json);
	if (p.resource->kind == CORD_SCHEDULED)
		count_users(call, call->result);
	return 0;
}

static bool is_full(const struct cord_call *call, const struct place *p)
{
	const struct cord_resource *resource = p->resource;
	size_t n = 0;

	list_each_entry(&call->world->records.list[resource->kind], struct cord_record, r, link)
		n += r->owner == p->owner && (!resource->counts || resource->counts(r->json));
	return n >= resource->max;
}

int cord_create_resource(struct cord_call *call)
{
	uint64_t id = cord_new_id(call->world);
	struct json_object *o;
	struct place p;

	if (find_place(call, &p) != 0 || check_may(call, &p, NULL) != 0)
		return -1;
	if (is_full(call, &p))
		return cord_fail(call, p.resource->full);
	o = json_object_new_object();
	json_object_object_foreach(call->body, key, value) {
		if (value)
			json_object_object_add(o, key, cord_copy(value));
	}
	cord_set_id(o, p.resource->id_key ? p.resource->id_key : "id", id);
	if (p.resource->validate(call, p.guild, NULL, o) != 0) {
		json_object_put(o);
		return -1;
	}
	cord_record_put(call->world, p.resource->kind, p.owner, id, fill(&p, o));
	finish(call, &p, "CREATE", p.resource->action, NULL, o);
	call->result = json_object_get(o);
	call->status = p.resource->kind == CORD_EMOJI || p.resource->kind == CORD_APP_EMOJI ||
		p.resource->kind == CORD_STICKER || p.resource->kind == CORD_SOUND ?
	    201 :
	    200;
	return 0;
}

int cord_update_resource(struct cord_call *call)
{
	struct place p;
	struct cord_record *r = find_record(call, &p);
	struct json_object *o, *was;

	if (!r || check_may(call, &p, r->json) != 0)
		return -1;
	o = cord_copy(r->json);
	cord_merge(o, call->body);
	if (p.resource->validate(call, p.guild, r->json, o) != 0) {
		json_object_put(o);
		return -1;
	}
	was = json_object_get(r->json);
	cord_record_put(call->world, p.resource->kind, p.owner, r->id, fill(&p, o));
	finish(call, &p, "UPDATE", p.resource->action + 1, was, o);
	json_object_put(was);
	call->result = json_object_get(o);
	return 0;
}

int cord_delete_resource(struct cord_call *call)
{
	struct place p;
	struct cord_record *r = find_record(call, &p);
	struct json_object *was;

	if (!r || check_may(call, &p, r->json) != 0)
		return -1;
	was = json_object_get(r->json);
	cord_record_remove(call->world, r);
	finish(call, &p, "DELETE", p.resource->action + 2, was, NULL);
	json_object_put(was);
	return 0;
}
