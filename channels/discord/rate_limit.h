#ifndef CHANNELS_DISCORD_RATE_LIMIT_H
#define CHANNELS_DISCORD_RATE_LIMIT_H
/*
 * Discord's rate limits, as its answers tell them ("Rate Limits", API v10). Which requests share a bucket is
 * known by X-RateLimit-Bucket of the route, together with the channel, server or webhook in the path; while
 * that is not known, one request of a route is under way at a time. Above all stand the limit of requests a
 * second, and a count of requests that were refused: an address with 10,000 of those in ten minutes is shut
 * out.
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
	struct list routes;                          /* that Discord has told a bucket of */
	struct list slots[DISCORD_RATE_LIMIT_SLOTS]; /* buckets */
	size_t buckets;                              /* remembered now */
	struct task_cond changed;
	uint64_t interval_us, burst; /* of the limit over all; 0: none */
	uint64_t full_us;            /* when its bucket is full again */
	uint64_t paused_ms;          /* nothing is asked before: a global limit, or the proxy's */
	uint64_t optional_paused_ms; /* and nothing that nobody misses before this */
	unsigned invalid_max, invalid_stop;
	unsigned invalid[DISCORD_RATE_LIMIT_MINUTES]; /* refused requests, by minute */
	uint64_t invalid_minute;
};

/* What one answer said of its limit. */
struct discord_rate_limit_headers {
	char bucket[64];          /* "" if it did not say */
	int64_t limit, remaining; /* -1 if it did not say */
	uint64_t reset_ms;        /* from now */
	char scope[16];           /* of a 429: "user", "global", "shared" */
};

struct discord_bucket;

/* Requests a second; 0: not limited. Refused requests in ten minutes: from most on nothing is asked that
 * nobody misses, from stop on nothing at all. */
void discord_rate_limit_init(
    struct discord_rate_limiter *l, int64_t per_second, unsigned most, unsigned stop);
/* Nothing may be under way any more. */
void discord_rate_limit_clear(struct discord_rate_limiter *l);

/* Waits until the request may go. route: "METHOD /path/{}"; major: the id that its bucket goes by, "" if
 * none. Every enter is followed by a leave. NULL: cancelled. */
struct discord_bucket *discord_rate_limit_enter(
    struct task *t, struct discord_rate_limiter *l, const char *route, const char *major, struct error *err);
/* The same for a request that nobody misses: NULL when it would have to wait. */
struct discord_bucket *discord_rate_limit_try(
    struct discord_rate_limiter *l, const char *route, const char *major);
/* The request has been answered, or has failed (outcome NULL). Takes the bucket back. */
void discord_rate_limit_leave(struct discord_rate_limiter *l, struct discord_bucket *b, const char *route,
    const char *major, const struct discord_rate_limit_headers *limit, const struct discord_outcome *outcome);
/* Puts a header of an answer into limit, which begins as DISCORD_RATE_LIMIT_HEADERS_INIT. */
void discord_rate_limit_read_header(
    struct discord_rate_limit_headers *limit, const char *name, const char *value);
#define DISCORD_RATE_LIMIT_HEADERS_INIT      \
	{                                    \
		.limit = -1, .remaining = -1 \
	}
/* An answer that belongs to no bucket (interactions) all the same counts among the refused. */
void discord_rate_limit_note(struct discord_rate_limiter *l, const struct discord_rate_limit_headers *limit,
    const struct discord_outcome *outcome);
/* Requests of the last ten minutes that were refused. */
unsigned discord_rate_limit_invalid(struct discord_rate_limiter *l);

#endif
