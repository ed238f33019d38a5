#ifndef PLAYGROUND_DISCORD_WORLD_CHANNEL_H
#define PLAYGROUND_DISCORD_WORLD_CHANNEL_H
/* A channel, a thread or a direct message, and what was said in it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct cord_bot;
struct cord_guild;
struct cord_message;
struct cord_user;
struct cord_world;
struct json_object;

/* Discord: resources/channel, Channel Types. */
enum cord_channel_type {
	CORD_TEXT = 0,
	CORD_DM = 1,
	CORD_VOICE = 2,
	CORD_CATEGORY = 4,
	CORD_NEWS = 5,
	CORD_NEWS_THREAD = 10,
	CORD_PUBLIC_THREAD = 11,
	CORD_PRIVATE_THREAD = 12,
	CORD_FORUM = 15
};

/* What a bot may not do in a channel. */
struct cord_denial {
	const struct cord_bot *bot;
	uint64_t bits;
};

struct cord_channel {
	struct list link;
	struct cord_world *world;
	uint64_t id;
	enum cord_channel_type type;
	struct cord_guild *guild;    /* NULL: a direct message */
	struct cord_channel *parent; /* of a thread */
	char *name;
	char kind[8];           /* of a guild's: as the control interface called it */
	struct cord_user *user; /* of a direct message, and */
	struct cord_bot *bot;
	bool blocked; /* the person of a direct message takes none */
	bool gone;    /* deleted: for the API it does not exist */
	struct cord_denial *denials;
	size_t denial_count;
	/* Threads. */
	uint64_t owner_id;
	bool archived, locked, invitable;
	int64_t auto_archive;           /* minutes */
	int64_t archive_ms;             /* wall clock, of the last change */
	struct cord_message **messages; /* by id */
	size_t count, cap;
	uint64_t last_message_id;
	uint64_t typing_until_ms;          /* of clock_now(): a bot is typing */
	int64_t slowmode_s, slow_until_ms; /* wall clock: of bots, whoever wrote last */
};

struct cord_channel *cord_channel_find(const struct cord_world *w, uint64_t id);
struct cord_channel *cord_channel_new(
    struct cord_world *w, enum cord_channel_type type, uint64_t id, const char *name);
void cord_channel_free(struct cord_channel *c);
/* The direct message between the two, opened when new: with that id, or one of its own for 0. */
struct cord_channel *cord_channel_dm(struct cord_bot *b, struct cord_user *u, uint64_t id);
/* A thread of c, told to all who see it. */
struct cord_channel *cord_channel_thread(struct cord_channel *c, enum cord_channel_type type, uint64_t id,
    const char *name, uint64_t owner_id, int64_t auto_archive);
bool cord_channel_is_thread(const struct cord_channel *c);
/* What was said for the bot that nobody had claimed is for this one. */
void cord_channel_claim(struct cord_channel *c, const struct cord_bot *b);

/* The bits that the bot has there; 0 where it does not see the channel. */
uint64_t cord_channel_may(const struct cord_channel *c, const struct cord_bot *b);
bool cord_channel_sees(const struct cord_channel *c, const struct cord_bot *b);
void cord_channel_deny(struct cord_channel *c, const struct cord_bot *b, uint64_t bits, bool deny);

/* The Channel object as that bot sees it; b may be NULL. */
struct json_object *cord_channel_json(const struct cord_channel *c, const struct cord_bot *b);
/* NULL when there is none, or it was deleted. */
struct cord_message *cord_channel_message(const struct cord_channel *c, uint64_t id);
/* Where in messages the first stands that is not below id. */
size_t cord_channel_place(const struct cord_channel *c, uint64_t id);
/* Takes m, which has an id; an archived thread is opened by it. */
void cord_channel_add(struct cord_channel *c, struct cord_message *m);

#endif
