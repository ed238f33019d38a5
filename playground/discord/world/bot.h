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

struct cord_bot {
	struct list link;
	struct cord_world *world;
	uint64_t id;    /* 0: no client has come yet */
	int64_t number; /* counts from 1 */
	char username[40];
	struct map dms; /* channels by id of the person */
	struct list sessions;
	struct cord_commands commands;
	uint64_t next_identify_ms;
	bool token_reset; /* after too many IDENTIFY: the token is refused from then on */
};

struct cord_bot *cord_bot_new(struct cord_world *w, uint64_t id);
void cord_bot_free(struct cord_bot *b);
/* Direct messages, and what would be replayed, are forgotten; sessions and commands stay. */
void cord_bot_forget(struct cord_bot *b);
/* The User object. */
struct json_object *cord_bot_json(const struct cord_bot *b);

/* The bot that a control request means: the one with that id, else the newest; one that is not connected yet
 * when there is none. NULL for an unknown id. */
struct cord_bot *cord_bot_choose(struct cord_world *w, const char *id);
struct cord_bot *cord_bot_by_number(const struct cord_world *w, int64_t number); /* NULL if there is none */
/* The bot of that id, created or claimed when new. */
struct cord_bot *cord_bot_get(struct cord_world *w, uint64_t id);
/* The bot of a token: "base64(id).time.secret". NULL when it is none, or a revoked one. */
struct cord_bot *cord_bot_of_token(struct cord_world *w, const char *token);

#endif
