#ifndef PLAYGROUND_DISCORD_WORLD_GUILD_H
#define PLAYGROUND_DISCORD_WORLD_GUILD_H
/* A guild ("server"), its bots and roles. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/discord/world/member.h"

struct cord_bot;
struct cord_record;
struct cord_user;
struct cord_world;
struct json_object;

#define CORD_GUILD_DEFAULT "Playground"

struct cord_guild_bot {
	struct cord_bot *bot;
	uint64_t role;     /* its managed role */
	int64_t joined_ms; /* wall clock */
	uint64_t asked_ms; /* clock_now() of its last request for all members; 0: none */
	bool in;
};

/* What a guild has once, in records of the kind CORD_SETTINGS. */
enum cord_setting { CORD_GUILD_SETTINGS = 1, CORD_WIDGET, CORD_WELCOME, CORD_ONBOARDING };

struct cord_guild {
	struct list link;
	struct cord_world *world;
	uint64_t id;
	char *name;
	uint64_t owner_id; /* its own id while nobody owns it */
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
/* Makes the managed role of the bot, without an event. */
void cord_guild_make_role(struct cord_guild *g, const struct cord_guild_bot *row, bool admin);
/* The bot joins and gets the event. */
void cord_guild_join(struct cord_guild *g, struct cord_bot *b);
/* The role of the unclaimed bot is this bot's. */
void cord_guild_claim(struct cord_guild *g, const struct cord_bot *b);
/* The bot is removed and gets the event. */
/* Tells all bots of their guilds: GUILD_CREATE, or GUILD_DELETE as when they are removed. */
void cord_guilds_say(struct cord_world *w, bool there);
void cord_guild_leave(struct cord_guild *g, struct cord_bot *b);

/* Gives the role of the bot permissions, or takes them, and sends the event. */
void cord_guild_grant(struct cord_guild *g, const struct cord_bot *b, uint64_t bits, bool give);

/* The Guild object; for_gateway: as in that bot's GUILD_CREATE. */
struct json_object *cord_guild_json(const struct cord_guild *g, const struct cord_bot *for_gateway);
/* {"guild_id"} and a member with that value, which is taken; as many events are. */
struct json_object *cord_guild_event(const struct cord_guild *g, const char *key, struct json_object *value);
/* GUILD_UPDATE and other events with the whole object, to the bots in the guild. */
void cord_guild_changed(const struct cord_guild *g);
/* GUILD_ROLE_CREATE, GUILD_ROLE_UPDATE. */
void cord_role_event(const struct cord_guild *g, struct json_object *role, const char *name);
/* Removes the role, also from the members that have it. Takes it from the list of records. */
void cord_role_remove(struct cord_guild *g, struct cord_record *role);

#endif
