#ifndef PLAYGROUND_DISCORD_WORLD_WORLD_H
#define PLAYGROUND_DISCORD_WORLD_WORLD_H
/* Everything that exists on the simulated Discord: bots, people, guilds, channels. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/discord/http/rate_limit.h"
#include "playground/world/map.h"

struct cord_bot;
struct error;
struct json_object;
struct playground;
struct record_log;

struct cord_user {
	uint64_t id;
	char *label;    /* as the control interface names the person: a name, or the id */
	char *username; /* letters and digits of it */
	bool bot;       /* somebody else's bot */
};

/* What POST /control/settings changes. */
struct cord_settings {
	bool limits;          /* rate limits are on */
	bool message_content; /* the privileged intents that are granted */
	bool members, presences;
	bool hello;        /* is said at all */
	int64_t fragments; /* frames of a payload */
	int64_t heartbeat_ms;
	int64_t session_starts; /* how many IDENTIFY are left */
	int64_t cdn_seconds;    /* how long URLs of files are good */
};

struct cord_world {
	struct playground *pg;
	struct record_log *log;
	struct map bots, users, guilds, channels, files, interactions; /* by id */
	struct map names;                                              /* users, by the number of the name */
	struct list bot_list, guild_list, channel_list, interaction_list,
	    file_list;       /* in the order of their appearance */
	struct list sockets; /* open connections of the gateway */
	size_t bot_count;
	char host[128];  /* as clients call this server: HOST:PORT */
	char secret[33]; /* of signatures */
	uint64_t last_id;
	struct cord_settings settings;
	struct cord_limits limits;
};

uint64_t cord_new_id(struct cord_world *w);

struct cord_user *cord_user_find(const struct cord_world *w, uint64_t id);
/* The one who goes by that name, or has that id; NULL if there is nobody. */
struct cord_user *cord_user_by_name(const struct cord_world *w, const char *name);
/* The same, created when new. -1 when name is neither an id nor a name. */
int cord_user_get(struct cord_world *w, const char *name, struct cord_user **out, struct error *err);
struct cord_user *cord_user_new(struct cord_world *w, uint64_t id, const char *label);
/* The User object. */
struct json_object *cord_user_json(const struct cord_user *u);
/* The User object of a person or a bot, whoever has that id; NULL for a stranger. */
struct json_object *cord_anyone_json(const struct cord_world *w, uint64_t id);

/* Guilds, channels, people and files go; bots stay. */
void cord_world_forget(struct cord_world *w);
void cord_world_clear(struct cord_world *w);

#endif
