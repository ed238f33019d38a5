#ifndef PLAYGROUND_DISCORD_WORLD_RECORD_H
#define PLAYGROUND_DISCORD_WORLD_RECORD_H
/* What Discord keeps beside channels and messages: roles, members, emoji, webhooks and the like. A record is
 * the object as the API shows it, of an owner: a guild, or an application. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/world/map.h"

struct cord_world;
struct error;
struct json_object;

enum cord_record_kind {
	CORD_NO_RECORD,
	CORD_APP_EMOJI,
	CORD_APPLICATION, /* what a bot changed of its own, by its id */
	CORD_AUDIT,
	CORD_BAN, /* by the id of the person */
	CORD_COMMAND_PERMISSIONS,
	CORD_EMOJI,
	CORD_ENTITLEMENT,
	CORD_INTERESTED, /* in a scheduled event, its owner */
	CORD_INVITE,     /* by the hash of its code */
	CORD_MEMBER,     /* what a guild keeps of a person or bot, by its id; "left": no member */
	CORD_ROLE,
	CORD_RULE, /* of auto moderation */
	CORD_SCHEDULED,
	CORD_SETTINGS, /* of a guild: by enum cord_setting */
	CORD_SOUND,
	CORD_STAGE, /* by the id of its channel */
	CORD_STICKER,
	CORD_TEMPLATE,    /* by the hash of its code */
	CORD_VOICE_STATE, /* voice states, by the id of the person or bot */
	CORD_WEBHOOK,
	CORD_RECORD_KINDS
};

struct cord_record {
	struct list link;
	enum cord_record_kind kind;
	uint64_t owner, id;
	struct json_object *json;
};

struct cord_records {
	struct list list[CORD_RECORD_KINDS]; /* in order of creation */
	struct map by_id[CORD_RECORD_KINDS]; /* by id and owner */
};

void cord_records_init(struct cord_records *r);
void cord_records_clear(struct cord_records *r);

struct cord_record *cord_record_find(
    const struct cord_world *w, enum cord_record_kind kind, uint64_t owner, uint64_t id);
/* The first with that id, whoever its owner is. */
struct cord_record *cord_record_by_id(const struct cord_world *w, enum cord_record_kind kind, uint64_t id);
/* Creates it, or replaces its object. Takes json. */
struct cord_record *cord_record_put(
    struct cord_world *w, enum cord_record_kind kind, uint64_t owner, uint64_t id, struct json_object *json);
/* Returns the record; creates it with an empty object. */
struct cord_record *cord_record_get(
    struct cord_world *w, enum cord_record_kind kind, uint64_t owner, uint64_t id);
void cord_record_remove(struct cord_world *w, struct cord_record *r);
size_t cord_record_count(const struct cord_world *w, enum cord_record_kind kind, uint64_t owner);
/* The objects of the owner in an array, which the caller owns. */
struct json_object *cord_records_json(const struct cord_world *w, enum cord_record_kind kind, uint64_t owner);

/* A copy that shares nothing, and the members of from set in into; the nulls, too. */
struct json_object *cord_copy(struct json_object *o);
void cord_merge(struct json_object *into, struct json_object *from);
/* Ids in arrays of texts. */
bool cord_array_has(struct json_object *array, uint64_t id);
void cord_array_add(struct json_object *array, uint64_t id);
void cord_array_remove(struct json_object *array, uint64_t id);

struct json_object *cord_records_save(const struct cord_world *w);
int cord_records_load(struct cord_world *w, struct json_object *array, struct error *err);

#endif
