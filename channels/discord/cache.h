#ifndef CHANNELS_DISCORD_CACHE_H
#define CHANNELS_DISCORD_CACHE_H
/*
 * What is known of servers and channels: no more than tells where a message was said, how it was addressed,
 * and where to look for missed ones. Bounded: of channels, those that were told of first are forgotten first,
 * and asked for anew when somebody writes there.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct discord;
struct json_object;
struct task;

#define DISCORD_GUILDS_MAX   2500 /* one connection has no more */
#define DISCORD_CHANNELS_MAX 16384

/* Channel types of API v10 that matter. */
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
	uint64_t our_role; /* the role that Discord made for the bot; 0: none, or not known */
	bool whole;        /* told by GUILD_CREATE since we identified, or asked for */
	char name[48];
};

struct discord_channel {
	uint64_t id;
	uint64_t guild;        /* 0: a private chat */
	uint64_t parent;       /* of a thread: its channel */
	uint64_t last_message; /* when we were told of it; 0: none */
	int type;
	char name[40];
};

struct discord_cache {
	void *guilds, *channels; /* tsearch trees by id */
	size_t guild_count, channel_count;
	uint64_t *order; /* ids of channels, a ring */
	size_t order_at;
};

void discord_cache_init(struct discord_cache *p);
void discord_cache_clear(struct discord_cache *p);

/* A decimal id; 0 if it is none. */
uint64_t discord_id_parse(const char *text);
/* A member of an object that is an id; 0 if absent. */
uint64_t discord_id_get(struct json_object *o, const char *key);
/* The instant (1970 ms) in an id, and the first id of an instant ("Snowflakes", API reference). */
int64_t discord_id_time(uint64_t id);
uint64_t discord_id_at(int64_t ms);
/* A name from Discord as we keep it: one line, without brackets that could end ours. out holds size bytes. */
void discord_name_copy(char *out, size_t size, const char *name);

bool discord_type_is_thread(int type);
struct discord_guild *discord_cache_guild(struct discord_cache *p, uint64_t id); /* NULL: not known */
struct discord_channel *discord_cache_channel(struct discord_cache *p, uint64_t id);

/* A guild object: GUILD_CREATE, GUILD_UPDATE, GET /guilds/{id}. self: our user id. Returns it; NULL:
 * unreadable. */
struct discord_guild *discord_cache_note_guild(
    struct discord_cache *p, struct json_object *guild, uint64_t self);
void discord_cache_drop_guild(struct discord_cache *p, uint64_t id);
/* A channel or thread object; guild: for those that do not name theirs. NULL: unreadable. */
struct discord_channel *discord_cache_note_channel(
    struct discord_cache *p, struct json_object *channel, uint64_t guild);
void discord_cache_drop_channel(struct discord_cache *p, uint64_t id);
/* A role object of GUILD_ROLE_CREATE and GUILD_ROLE_UPDATE. */
void discord_cache_note_role(struct discord_guild *g, struct json_object *role, uint64_t self);

/* cache_lookup.c: What the gateway did not tell of a channel: asked for by REST, once. After a RESUME in a
 * new process it tells nothing. */

/* The channel of a message or interaction object. NULL: the account stops, or Discord cannot be asked for
 * now. */
struct discord_channel *discord_cache_lookup_channel(
    struct task *t, struct discord *d, struct json_object *o);
/* Its server; NULL: none, or nothing is to be known. */
struct discord_guild *discord_cache_lookup_guild(
    struct task *t, struct discord *d, struct json_object *o, const struct discord_channel *channel);

#endif
