#include <stdlib.h>
#include <string.h>

#include "playground/discord/world/world_internal.h"

void cord_records_init(struct cord_records *r)
{
	for (size_t k = 0; k < CORD_RECORD_KINDS; k++)
		list_init(&r->list[k]);
}

static void free_record(struct cord_record *r)
{
	list_remove(&r->link);
	json_object_put(r->json);
	free(r);
}

void cord_records_clear(struct cord_records *r)
{
	for (size_t k = 0; k < CORD_RECORD_KINDS; k++) {
		list_each_entry(&r->list[k], struct cord_record, each, link)
			free_record(each);
		map_clear(&r->by_id[k]);
	}
}

struct cord_record *cord_record_find(
    const struct cord_world *w, enum cord_record_kind kind, uint64_t owner, uint64_t id)
{
	return map_get(&w->records.by_id[kind], (int64_t)id, (int64_t)owner);
}

struct cord_record *cord_record_by_id(const struct cord_world *w, enum cord_record_kind kind, uint64_t id)
{
	list_each_entry(&w->records.list[kind], struct cord_record, r, link)
		if (r->id == id)
			return r;
	return NULL;
}

struct cord_record *cord_record_put(
    struct cord_world *w, enum cord_record_kind kind, uint64_t owner, uint64_t id, struct json_object *json)
{
	struct cord_record *r = cord_record_find(w, kind, owner, id);

	if (!r) {
		r = xcalloc(1, sizeof(*r));
		r->kind = kind;
		r->owner = owner;
		r->id = id;
		list_append(&w->records.list[kind], &r->link);
		map_put(&w->records.by_id[kind], (int64_t)id, (int64_t)owner, r);
	}
	if (r->json != json)
		json_object_put(r->json);
	r->json = json;
	return r;
}

struct cord_record *cord_record_get(
    struct cord_world *w, enum cord_record_kind kind, uint64_t owner, uint64_t id)
{
	struct cord_record *r = cord_record_find(w, kind, owner, id);

	return r ? r : cord_record_put(w, kind, owner, id, json_object_new_object());
}

/* A map keeps what it has: it is made anew from the list. */
static void index_again(struct cord_world *w, enum cord_record_kind kind)
{
	map_clear(&w->records.by_id[kind]);
	list_each_entry(&w->records.list[kind], struct cord_record, r, link)
		map_put(&w->records.by_id[kind], (int64_t)r->id, (int64_t)r->owner, r);
}

void cord_record_remove(struct cord_world *w, struct cord_record *r)
{
	enum cord_record_kind kind = r->kind;

	free_record(r);
	index_again(w, kind);
}

size_t cord_record_count(const struct cord_world *w, enum cord_record_kind kind, uint64_t owner)
{
	size_t n = 0;

	list_each_entry(&w->records.list[kind], struct cord_record, r, link)
		n += r->owner == owner;
	return n;
}

struct json_object *cord_records_json(const struct cord_world *w, enum cord_record_kind kind, uint64_t owner)
{
	struct json_object *array = json_object_new_array();

	list_each_entry(&w->records.list[kind], const struct cord_record, r, link)
		if (r->owner == owner)
			json_object_array_add(array, json_object_get(r->json));
	return array;
}

struct json_object *cord_copy(struct json_object *o)
{
	struct json_object *copy = NULL;

	if (o && json_object_deep_copy(o, &copy, NULL) != 0)
		mem_exhausted(0);
	return copy;
}

void cord_merge(struct json_object *into, struct json_object *from)
{
	if (!from)
		return;
	json_object_object_foreach(from, name, value) {
		json_object_object_add(into, name, json_object_get(value));
	}
}

static size_t array_find(struct json_object *array, uint64_t id)
{
	size_t count = json_count(array), i = 0;
	uint64_t one;

	while (
	    i < count && (!cord_snowflake_read(json_object_get_string(json_at(array, i)), &one) || one != id))
		i++;
	return i;
}

bool cord_array_has(struct json_object *array, uint64_t id)
{
	return array && array_find(array, id) < json_count(array);
}

void cord_array_add(struct json_object *array, uint64_t id)
{
	if (!cord_array_has(array, id))
		json_object_array_add(array, cord_id_json(id));
}

void cord_array_remove(struct json_object *array, uint64_t id)
{
	if (cord_array_has(array, id))
		json_object_array_del_idx(array, array_find(array, id), 1);
}

static const char *const names[CORD_RECORD_KINDS] = {
    [CORD_APP_EMOJI] = "app_emoji",
    [CORD_APPLICATION] = "application",
    [CORD_AUDIT] = "audit",
    [CORD_BAN] = "ban",
    [CORD_COMMAND_PERMISSIONS] = "command_permissions",
    [CORD_EMOJI] = "emoji",
    [CORD_ENTITLEMENT] = "entitlement",
    [CORD_INTERESTED] = "interested",
    [CORD_INVITE] = "invite",
    [CORD_MEMBER] = "member",
    [CORD_ROLE] = "role",
    [CORD_RULE] = "rule",
    [CORD_SCHEDULED] = "scheduled",
    [CORD_SETTINGS] = "settings",
    [CORD_SOUND] = "sound",
    [CORD_STAGE] = "stage",
    [CORD_STICKER] = "sticker",
    [CORD_TEMPLATE] = "template",
    [CORD_VOICE_STATE] = "voice",
    [CORD_WEBHOOK] = "webhook",
};

enum cord_record_kind cord_record_kind(const char *name)
{
	for (size_t k = CORD_NO_RECORD + 1; name && k < CORD_RECORD_KINDS; k++)
		if (strcmp(names[k], name) == 0)
			return (enum cord_record_kind)k;
	return CORD_NO_RECORD;
}

struct json_object *cord_records_save(const struct cord_world *w)
{
	struct json_object *array = json_object_new_array();

	for (size_t k = 0; k < CORD_RECORD_KINDS; k++)
		list_each_entry(&w->records.list[k], const struct cord_record, r, link)
			json_object_array_add(array,
			    json_newf("{kind: %s, owner: %p, id: %p, json: %p}", names[k],
				cord_id_or_null(r->owner), cord_id_or_null(r->id), json_object_get(r->json)));
	return array;
}

int cord_records_load(struct cord_world *w, struct json_object *array, struct error *err)
{
	json_each(array, o) {
		struct json_object *json = json_get_object(o, "json");
		enum cord_record_kind kind = cord_record_kind(json_get_str(o, "kind"));
		struct cord_record *r;

		if (kind == CORD_NO_RECORD || !json)
			return error_set(err, ERROR_OURS, "a record is damaged");
		r = cord_record_put(
		    w, kind, cord_get_id(o, "owner"), cord_get_id(o, "id"), json_object_get(json));
		list_remove(&r->link); /* the roles of guilds are there already: the order is the saved one */
		list_append(&w->records.list[kind], &r->link);
	}
	return 0;
}
