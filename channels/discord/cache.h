#ifndef CHANNELS_DISCORD_CACHE_H
#define CHANNELS_DISCORD_CACHE_H
/*
 * Caches guilds and channels: enough to tell where a message was sent, whether it addresses the bot, and
 * which channels to backfill. Bounded: the channels cached first are evicted first, and fetched again when a
 * message arrives there.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct discord;
struct json_object;
struct task;

/* Of each shard. */
#define DISCORD_GUILDS_MAX   2500
#define DISCORD_CHANNELS_MAX 16384

/* Channel types of API v10 that matter here. */
enum discord_channel_type {
	DISCORD_TEXT = 0,
	DISCORD_DM = 1,
	DISCORD_VOICE = 2,
	DISCORD_GROUP_DM = 3,
	DISCORD_NEWS = 5,
	DISCORD_NEWS_THREAD = 10,
	DISCORD_PUBLIC_THREAD = 11,
	DISCORD_PRIVATE_THREAD = 12,
	DISCORD_STAGE = 13
};

struct discord_guild {
	uint64_t id;
	uint64_t our_role; /* the bot's managed role; 0: none or unknown */
	bool whole;        /* received by GUILD_CREATE since IDENTIFY, or fetched */
	char name[48];
};

struct discord_channel {
	uint64_t id;
	uint64_t guild;  /* 0: a direct message */
	uint64_t parent; /* of a thread: its channel; else 0 */
	int type;
	char name[40];
};

struct discord_cache {
	void *guilds, *channels; /* tsearch trees by id */
	size_t guild_count, channel_count;
	size_t shards;
	uint64_t *order; /* channel ids in order of arrival, a ring of order_max; grows as they come */
	size_t order_size, order_next, order_max;
};

void discord_cache_init(struct discord_cache *p, size_t shards);
void discord_cache_clear(struct discord_cache *p);

/* Parses a decimal id; returns 0 if it is none. */
uint64_t discord_id_parse(const char *text);
/* Reads an id member; returns 0 if absent. */
uint64_t discord_id_get(struct json_object *o, const char *key);
/* Convert between an id and its time (Unix ms); discord_id_at returns the first id of that time (API
 * reference, "Snowflakes"). */
int64_t discord_id_time(uint64_t id);
uint64_t discord_id_at(int64_t ms);
/* Copies a name into out of size bytes, as one line without brackets, which mark the daemon's own notes. */
void discord_name_copy(char *out, size_t size, const char *name);

bool discord_type_is_thread(int type);
struct discord_guild *discord_cache_guild(struct discord_cache *p, uint64_t id); /* NULL: unknown */
struct discord_channel *discord_cache_channel(struct discord_cache *p, uint64_t id);

/* Caches a guild object of GUILD_CREATE, GUILD_UPDATE or GET /guilds/{id}. self: the bot's user id.
 * Returns NULL when malformed. */
struct discord_guild *discord_cache_note_guild(
    struct discord_cache *p, struct json_object *guild, uint64_t self);
void discord_cache_drop_guild(struct discord_cache *p, uint64_t id);
/* Caches a channel or thread object. guild: used when the object names none. Returns NULL when malformed. */
struct discord_channel *discord_cache_note_channel(
    struct discord_cache *p, struct json_object *channel, uint64_t guild);
void discord_cache_drop_channel(struct discord_cache *p, uint64_t id);
/* Caches a role object of GUILD_ROLE_CREATE or GUILD_ROLE_UPDATE. */
void discord_cache_note_role(struct discord_guild *g, struct json_object *role, uint64_t self);

/* cache_lookup.c: Fetches by REST, once, what the gateway has not sent about a channel. After a RESUME in a
 * new process it sends nothing. */

/* Returns the channel of a message or interaction object; NULL when the account stops or Discord cannot be
 * reached. */
struct discord_channel *discord_cache_lookup_channel(
    struct task *t, struct discord *d, struct json_object *o);
/* Returns its guild; NULL: none, or unknown. */
struct discord_guild *discord_cache_lookup_guild(
    struct task *t, struct discord *d, struct json_object *o, const struct discord_channel *channel);

#endif
