#ifndef CHANNELS_SHARED_RATE_LIMIT_H
#define CHANNELS_SHARED_RATE_LIMIT_H
/*
 * Rate limits per chat and over all chats. Every visible call takes a token from the chat's bucket and from
 * the global one. Messages wait for tokens, replies before notifications. Optional calls (typing, previews)
 * are dropped unless a token is left over. When the platform asks for a pause (429), the chat pauses for
 * every call. A bucket is one number (GCRA): the instant at which it is full again. Full buckets are
 * forgotten, so memory grows only with the chats of the last seconds.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "base/list.h"

struct error;
struct task;

/* The lower value goes first. */
enum rate_limit_priority { RATE_LIMIT_REPLY, RATE_LIMIT_NOTIFICATION };

struct rate_limit {
	uint64_t interval_us; /* time between two calls after the burst; 0: no limit */
	uint64_t burst;       /* at least 1 */
};

/* Number of chat kinds with a rate of their own. */
#define RATE_LIMIT_KINDS 4

struct rate_limit_options {
	struct rate_limit chats[RATE_LIMIT_KINDS];
	struct rate_limit all;
	/* Returns the kind of a chat id. NULL: all chats have kind 0. */
	unsigned (*kind)(const char *chat);
};

#define RATE_LIMIT_SLOTS 64

struct rate_limiter {
	struct rate_limit_options options;
	/* Microseconds of base/clock. */
	uint64_t all_full;
	uint64_t optional_from; /* optional calls are dropped until this time */
	struct list slots[RATE_LIMIT_SLOTS];
	size_t chats; /* chats in slots */
	struct list waiters;
	struct clock_timer timer;
};

/* Allows count calls per window after an initial burst. count 0: no limit. */
struct rate_limit rate_limit_per_window(int64_t count, uint64_t window_ms, uint64_t burst);
/* Allows at most count calls in any window, burst of them at once: a larger burst means a longer interval
 * after it. count 0: no limit. */
struct rate_limit rate_limit_strict(int64_t count, uint64_t window_ms, uint64_t burst);

void rate_limit_init(struct rate_limiter *b, const struct rate_limit_options *options);
/* No task may still wait. */
void rate_limit_clear(struct rate_limiter *b);

/* Suspends until a token is free and takes it. Returns -1 when cancelled; with t NULL when it would have to
 * suspend. */
int rate_limit_wait(struct task *t, struct rate_limiter *b, const char *chat, enum rate_limit_priority rank,
    struct error *err);
/* Takes a token for an optional call. Returns false when none is left over. */
bool rate_limit_try(struct rate_limiter *b, const char *chat);
/* Counts a call that was made without waiting. */
void rate_limit_charge(struct rate_limiter *b, const char *chat);
/* Blocks calls to this chat for ms. */
void rate_limit_pause(struct rate_limiter *b, const char *chat, uint64_t ms);
/* Drops optional calls to all chats for ms. */
void rate_limit_pause_optional(struct rate_limiter *b, uint64_t ms);

#endif
