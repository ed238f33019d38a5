#ifndef PLAYGROUND_DISCORD_HTTP_RATE_LIMIT_H
#define PLAYGROUND_DISCORD_HTTP_RATE_LIMIT_H
/*
 * Rate limits. Documented (topics/rate-limits): buckets per route and major parameter with their headers, 50
 * requests per second in all, and a Cloudflare ban after 10,000 invalid requests (401, 403, 429) in 10
 * minutes. Undocumented: the sizes of the buckets; these are what clients have observed.
 */
#include <stdbool.h>
#include <stdint.h>

#include "playground/world/map.h"

enum cord_bucket {
	CORD_BUCKET_NONE, /* not counted: interaction callbacks */
	CORD_BUCKET_DEFAULT,
	CORD_BUCKET_COMMANDS,
	CORD_BUCKET_CREATES, /* of commands, in a day; no route has it */
	CORD_BUCKET_DELETE,
	CORD_BUCKET_EDIT,
	CORD_BUCKET_GATEWAY,
	CORD_BUCKET_OLD_EDIT, /* messages older than one hour */
	CORD_BUCKET_OPEN_DM,
	CORD_BUCKET_REACTION,
	CORD_BUCKET_READ,
	CORD_BUCKET_SEND,
	CORD_BUCKET_THREAD,
	CORD_BUCKET_TYPING,
	CORD_BUCKET_WEBHOOK
};

struct cord_window {
	uint64_t until_ms; /* clock_now() at which it is full again */
	unsigned used;
};

struct cord_limits {        /* zero-initialised */
	struct map windows; /* struct cord_window by bot and bucket, and major parameter */
	struct cord_window invalid;
	uint64_t banned_until_ms;
};

/* The values of the rate limit headers. */
struct cord_limit_state {
	const char *bucket; /* NULL: send no headers */
	unsigned limit, remaining;
	unsigned used;     /* in percent; 0 where the limit is small */
	uint64_t reset_ms; /* from now */
};

/* Returns the bucket that the table of operations names; NULL: the default. */
enum cord_bucket cord_bucket_named(const char *name);
/* Takes one request from the bucket. Returns false when it is empty. Always fills state. */
bool cord_limits_take(struct cord_limits *l, enum cord_bucket kind, int64_t bot, uint64_t major,
    struct cord_limit_state *state);
/* The same for the global limit of a bot, which has no bucket. */
bool cord_limits_take_global(struct cord_limits *l, int64_t bot, struct cord_limit_state *state);
/* Counts a response of 401, 403 or 429. */
void cord_limits_invalid(struct cord_limits *l);
bool cord_limits_banned(const struct cord_limits *l);
void cord_limits_clear(struct cord_limits *l);

#endif
