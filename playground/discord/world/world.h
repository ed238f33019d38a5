#ifndef PLAYGROUND_DISCORD_WORLD_WORLD_H
#define PLAYGROUND_DISCORD_WORLD_WORLD_H
/* The state of the simulated Discord: ids, records, users, and the world that holds all. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/discord/http/rate_limit.h"
#include "playground/world/map.h"
#include "playground/world/json_format.h"

struct cord_bot;
struct cord_world;
struct error;
struct json_object;
struct playground;
struct record_log;

/* Snowflake ids: 64 bits, the milliseconds since 2015 from bit 22. In JSON they are decimal strings. */

/* Returns a new id above *last and stores it there. */
uint64_t cord_snowflake_next(uint64_t *last);
/* Returns an id derived from the name, equal in every run. kind separates users and channels of one name. */
uint64_t cord_snowflake_of_name(const char *kind, const char *name);
/* Unix milliseconds. */
int64_t cord_snowflake_ms(uint64_t id);
/* Returns the lowest id of that time. */
uint64_t cord_snowflake_at(int64_t unix_ms);
/* Parses 1 to 20 decimal digits of a number from 1 to INT64_MAX. */
bool cord_snowflake_read(const char *s, uint64_t *out);

struct json_object *cord_id_json(uint64_t id);
struct json_object *cord_id_or_null(uint64_t id); /* null for 0 */
/* Writes null for 0. */
void cord_set_id(struct json_object *o, const char *key, uint64_t id);
/* Writes an ISO 8601 timestamp, null for 0. */
void cord_set_time(struct json_object *o, const char *key, int64_t unix_ms);
/* Reads one of the form that cord_set_time writes, or another of ISO 8601; 0: absent or none. */
int64_t cord_get_time(struct json_object *o, const char *key);
void cord_set_null(struct json_object *o, const char *key);
/* Reads a member as an id; returns 0 if absent or invalid. */
uint64_t cord_get_id(struct json_object *o, const char *key);

/* What Discord keeps beside channels and messages: roles, members, emoji, webhooks and the like. A record is
 * the object as the API shows it, of an owner: a guild, or an application. */

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

/* By its name in the tables and the state; CORD_NO_RECORD: there is none. */
enum cord_record_kind cord_record_kind(const char *name);
struct json_object *cord_records_save(const struct cord_world *w);
int cord_records_load(struct cord_world *w, struct json_object *array, struct error *err);

/* The state of the simulated Discord: bots, users, guilds, channels. */

/* Images are checked and not kept: the API shows all of them by this hash. */
#define CORD_IMAGE_HASH "0123456789abcdef0123456789abcdef"

struct cord_user {
	uint64_t id;
	char *label;    /* the name in the control interface: a name, or the id */
	char *username; /* the letters and digits of the label */
	bool bot;       /* a bot of somebody else */
};

/* Settings of POST /control/settings. */
struct cord_settings {
	bool limits;          /* enforce rate limits */
	bool message_content; /* the granted privileged intents */
	bool members, presences;
	bool hello;        /* send HELLO, */
	int64_t hello_ms;  /* so long after the handshake */
	int64_t fragments; /* frames per payload */
	int64_t heartbeat_ms;
	int64_t session_starts;  /* remaining IDENTIFYs */
	int64_t shards;          /* that /gateway/bot recommends */
	int64_t max_concurrency; /* shards that identify at the same time */
	int64_t shard_guilds;    /* that one session may have */
	bool guild_create;       /* say the guilds after READY; else they stay unavailable */
	int64_t cdn_seconds;     /* lifetime of file URLs */
};

struct cord_world {
	struct playground *pg;
	struct record_log *log;
	struct map bots, users, guilds, channels, files, interactions; /* by id */
	struct map names;                                              /* users by hash of the name */
	struct list bot_list, guild_list, channel_list, interaction_list,
	    file_list; /* in order of creation */
	struct cord_records records;
	struct list sockets; /* open connections of the gateway */
	size_t bot_count;
	size_t loaded_bots; /* while a state is read */
	char origin[128];   /* of this server, as clients name it */
	char secret[33];    /* key of URL signatures */
	uint64_t last_id;
	struct cord_settings settings;
	struct cord_limits limits;
};

uint64_t cord_new_id(struct cord_world *w);

struct cord_user *cord_user_find(const struct cord_world *w, uint64_t id);
/* Returns the user with that name or id, or NULL. */
struct cord_user *cord_user_by_name(const struct cord_world *w, const char *name);
/* The same; creates the user. Returns -1 when name is neither an id nor a name. */
int cord_user_get(struct cord_world *w, const char *name, struct cord_user **out, struct error *err);
struct cord_user *cord_user_new(struct cord_world *w, uint64_t id, const char *label);
/* The User object. */
struct json_object *cord_user_json(const struct cord_user *u);
/* The User object of a user or bot with that id, or NULL. */
struct json_object *cord_anyone_json(const struct cord_world *w, uint64_t id);

/* Drops guilds, channels, users and files; keeps bots. */
void cord_world_forget(struct cord_world *w);
void cord_world_clear(struct cord_world *w);

/* Adds the members that this schema requires and o lacks. Returns o. */
struct json_object *cord_fill(const char *schema, struct json_object *o);
/* Returns an object with those members of whole that this schema has. Takes whole. */
struct json_object *cord_part(const char *schema, struct json_object *whole);

#endif
