#ifndef PLAYGROUND_DISCORD_WORLD_BOT_H
#define PLAYGROUND_DISCORD_WORLD_BOT_H
/* A bot: its sessions on the gateway, its commands, its direct messages. The application has the bot's id. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/discord/world/command.h"
#include "playground/world/map.h"

struct cord_world;
struct json_object;

#define CORD_CONCURRENCY_MAX 16

struct cord_bot {
	struct list link;
	struct cord_world *world;
	uint64_t id;    /* 0: no client has connected yet */
	int64_t number; /* counts from 1 */
	char username[40];
	struct map dms; /* channels by user id */
	struct list sessions;
	struct cord_commands commands;
	uint64_t next_identify_ms[CORD_CONCURRENCY_MAX]; /* by bucket */
	bool token_reset; /* after too many IDENTIFYs: the token stays refused */
};

struct cord_bot *cord_bot_new(struct cord_world *w, uint64_t id);
void cord_bot_free(struct cord_bot *b);
/* Drops direct messages and events for replay; keeps sessions and commands. */
void cord_bot_forget(struct cord_bot *b);
/* The User object. */
struct json_object *cord_bot_json(const struct cord_bot *b);

/* Returns the bot for a control request: the one with that id, else the newest, else an unclaimed one.
 * NULL for an unknown id. */
struct cord_bot *cord_bot_choose(struct cord_world *w, const char *id);
struct cord_bot *cord_bot_by_number(const struct cord_world *w, int64_t number); /* NULL if there is none */
/* Returns the bot with that id; creates it or claims the unclaimed one. */
struct cord_bot *cord_bot_get(struct cord_world *w, uint64_t id);
/* Returns the bot of a token "base64(id).time.secret", or NULL if it is malformed or revoked. */
struct cord_bot *cord_bot_of_token(struct cord_world *w, const char *token);

#endif
