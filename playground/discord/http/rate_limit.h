#ifndef PLAYGROUND_DISCORD_HTTP_RATE_LIMIT_H
#define PLAYGROUND_DISCORD_HTTP_RATE_LIMIT_H
/*
 * Rate limits. Documented (topics/rate-limits): buckets of a route and its major parameter with their
 * headers, 50 requests a second over all, and 10,000 invalid requests (401, 403, 429) in 10 minutes, after
 * which Cloudflare refuses everything. What a bucket holds is documented nowhere; the numbers are those that
 * clients have seen.
 */
#include <stdbool.h>
#include <stdint.h>

#include "playground/world/map.h"

enum cord_bucket {
	CORD_BUCKET_NONE, /* counted nowhere: callbacks of interactions */
	CORD_BUCKET_DEFAULT,
	CORD_BUCKET_COMMANDS,
	CORD_BUCKET_DELETE,
	CORD_BUCKET_EDIT,
	CORD_BUCKET_GATEWAY,
	CORD_BUCKET_OLD_EDIT, /* of messages of more than an hour */
	CORD_BUCKET_OPEN_DM,
	CORD_BUCKET_REACTION,
	CORD_BUCKET_READ,
	CORD_BUCKET_SEND,
	CORD_BUCKET_THREAD,
	CORD_BUCKET_TYPING,
	CORD_BUCKET_WEBHOOK
};

struct cord_window {
	uint64_t until_ms; /* of clock_now(): when it is full again */
	unsigned used;
};

struct cord_limits {        /* zeroed before first use */
	struct map windows; /* struct cord_window by bot and bucket, and major parameter */
	struct cord_window invalid;
	uint64_t banned_until_ms;
};

/* What the headers say of the bucket. */
struct cord_limit_state {
	const char *bucket; /* NULL: there are no headers */
	unsigned limit, remaining;
	uint64_t reset_ms; /* from now */
};

/* Takes one from the bucket. False when there is none left; state is filled either way. */
bool cord_limits_take(struct cord_limits *l, enum cord_bucket kind, int64_t bot, uint64_t major,
    struct cord_limit_state *state);
/* The same over all of a bot's requests; *wait_ms says how long to wait when it is false. */
bool cord_limits_take_global(struct cord_limits *l, int64_t bot, uint64_t *wait_ms);
/* Counts an answer of 401, 403 or 429. */
void cord_limits_invalid(struct cord_limits *l);
bool cord_limits_banned(const struct cord_limits *l);
void cord_limits_clear(struct cord_limits *l);

#endif
