#ifndef PLAYGROUND_DISCORD_WORLD_GUILD_H
#define PLAYGROUND_DISCORD_WORLD_GUILD_H
/* A guild ("server") and its bots. Every user is a member of every guild. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct cord_bot;
struct cord_user;
struct cord_world;
struct json_object;

#define CORD_GUILD_DEFAULT "Playground"

struct cord_guild_bot {
	struct cord_bot *bot;
	uint64_t role;     /* its managed role */
	int64_t joined_ms; /* wall clock */
	bool in, admin;
};

struct cord_guild {
	struct list link;
	struct cord_world *world;
	uint64_t id;
	char *name;
	struct cord_guild_bot *bots;
	size_t bot_count;
};

struct cord_guild *cord_guild_find(const struct cord_world *w, uint64_t id);
/* Returns the guild by name or id; creates it. NULL: the default guild. */
struct cord_guild *cord_guild_get(struct cord_world *w, const char *name);
struct cord_guild *cord_guild_new(struct cord_world *w, uint64_t id, const char *name);
void cord_guild_free(struct cord_guild *g);
/* Returns the membership row of the bot, also after it left; NULL if it never joined. */
struct cord_guild_bot *cord_guild_bot(const struct cord_guild *g, const struct cord_bot *b);
/* Is the bot in the guild? */
bool cord_guild_has(const struct cord_guild *g, const struct cord_bot *b);
/* The bot joins and gets the event. */
void cord_guild_join(struct cord_guild *g, struct cord_bot *b);
/* The bot is removed and gets the event. */
void cord_guild_leave(struct cord_guild *g, struct cord_bot *b);

/* The Guild object; for_gateway: as in that bot's GUILD_CREATE. */
struct json_object *cord_guild_json(const struct cord_guild *g, const struct cord_bot *for_gateway);
/* Guild member objects, with or without the user. */
struct json_object *cord_member_json(const struct cord_guild *g, const struct cord_user *u, bool with_user);
struct json_object *cord_member_bot_json(
    const struct cord_guild *g, const struct cord_bot *b, bool with_user);

#endif
