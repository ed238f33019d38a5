#ifndef CHANNELS_DISCORD_RATE_LIMIT_H
#define CHANNELS_DISCORD_RATE_LIMIT_H
/*
 * Rate limits as Discord's responses announce them (API v10, "Rate Limits"). Requests share a bucket if
 * X-RateLimit-Bucket and the channel, guild or webhook of the path agree. While a route's bucket is unknown,
 * one request of it runs at a time. Two limits hold over all: requests per second, and refused requests:
 * Discord blocks an address with 10,000 of them in ten minutes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task_cond.h"

struct discord_outcome;
struct error;
struct task;

#define DISCORD_RATE_LIMIT_SLOTS   64
#define DISCORD_RATE_LIMIT_MINUTES 10

struct discord_rate_limiter {
	struct list routes;                          /* routes with a known bucket */
	struct list slots[DISCORD_RATE_LIMIT_SLOTS]; /* buckets */
	size_t buckets;                              /* remembered now */
	struct task_cond changed;
	uint64_t interval_us, burst; /* of the limit over all; 0: none */
	uint64_t full_us;            /* when its bucket is full again */
	uint64_t paused_ms;          /* no request before this: a global limit, or the proxy's */
	uint64_t optional_paused_ms; /* no optional request before this */
	unsigned invalid_max, invalid_stop;
	unsigned invalid[DISCORD_RATE_LIMIT_MINUTES]; /* refused requests per minute */
	uint64_t invalid_minute;
};

/* The rate limit headers of one response. */
struct discord_rate_limit_headers {
	char bucket[64];          /* "" if absent */
	int64_t limit, remaining; /* -1 if absent */
	uint64_t reset_ms;        /* from now */
	char scope[16];           /* of a 429: "user", "global" or "shared" */
};

struct discord_bucket;

/* per_second 0: no limit. Of refused requests in ten minutes: optional requests stop at invalid_max, all
 * requests at invalid_stop. */
void discord_rate_limit_init(
    struct discord_rate_limiter *l, int64_t per_second, unsigned invalid_max, unsigned invalid_stop);
/* No request may still be running. */
void discord_rate_limit_clear(struct discord_rate_limiter *l);

/* Suspends until the request may go. route: "METHOD /path/{}"; major: the id that selects its bucket, ""
 * if none. Every enter is followed by a leave. Returns NULL when cancelled. */
struct discord_bucket *discord_rate_limit_enter(
    struct task *t, struct discord_rate_limiter *l, const char *route, const char *major, struct error *err);
/* The same for an optional request: returns NULL instead of waiting. */
struct discord_bucket *discord_rate_limit_try(
    struct discord_rate_limiter *l, const char *route, const char *major);
/* The request was answered, or failed (outcome NULL). Returns the bucket to the limiter. */
void discord_rate_limit_leave(struct discord_rate_limiter *l, struct discord_bucket *b, const char *route,
    const char *major, const struct discord_rate_limit_headers *limit, const struct discord_outcome *outcome);
/* Reads a response header into limit, which starts as DISCORD_RATE_LIMIT_HEADERS_INIT. */
void discord_rate_limit_read_header(
    struct discord_rate_limit_headers *limit, const char *name, const char *value);
#define DISCORD_RATE_LIMIT_HEADERS_INIT      \
	{                                    \
		.limit = -1, .remaining = -1 \
	}
/* Counts the response of a request without a bucket (interactions) if it was refused. */
void discord_rate_limit_note(struct discord_rate_limiter *l, const struct discord_rate_limit_headers *limit,
    const struct discord_outcome *outcome);
/* Returns the refused requests of the last ten minutes. */
unsigned discord_rate_limit_invalid(struct discord_rate_limiter *l);

#endif
