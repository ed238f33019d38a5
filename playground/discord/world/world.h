#ifndef PLAYGROUND_DISCORD_WORLD_WORLD_H
#define PLAYGROUND_DISCORD_WORLD_WORLD_H
/* The state of the simulated Discord: bots, users, guilds, channels. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/discord/http/rate_limit.h"
#include "playground/discord/world/record.h"
#include "playground/world/map.h"

/* Images are checked and not kept: the API shows all of them by this hash. */
#define CORD_IMAGE_HASH "0123456789abcdef0123456789abcdef"

struct cord_bot;
struct error;
struct json_object;
struct playground;
struct record_log;

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
	bool hello;        /* send HELLO */
	int64_t fragments; /* frames per payload */
	int64_t heartbeat_ms;
	int64_t session_starts;  /* remaining IDENTIFYs */
	int64_t shards;          /* that /gateway/bot recommends */
	int64_t max_concurrency; /* shards that identify at the same time */
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
	char host[128];     /* HOST:PORT as clients name this server */
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

/* Adds what an object of this schema must have and has not. Returns it. */
struct json_object *cord_fill(const char *schema, struct json_object *o);

#endif
