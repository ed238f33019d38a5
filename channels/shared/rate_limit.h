#ifndef CHANNELS_SHARED_RATE_LIMIT_H
#define CHANNELS_SHARED_RATE_LIMIT_H
/*
 * Who may call when, on platforms that limit calls by the chat. Every call that shows in a chat takes
 * a share of that chat's rate_limiter and of the rate_limiter over all chats. Messages wait for theirs,
 * replies before notifications; what nobody misses (typing) is dropped unless a share is left over for a
 * message. A penalty of the platform pauses the chat for every call.
 *
 * A bucket is one number (GCRA): the instant at which it will be full again. A full one
 * need not be remembered, so that memory follows the chats of the last seconds.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "base/list.h"

struct error;
struct task;

/* Lower goes first. */
enum rate_limit_priority { RATE_LIMIT_REPLY, RATE_LIMIT_NOTIFICATION };

struct rate_limit {
	uint64_t interval_us; /* between two calls, once the burst is used up; 0: not limited */
	uint64_t burst;       /* at least 1 */
};

/* Kinds of chats that have a rate of their own. */
#define RATE_LIMIT_KINDS 4

struct rate_limit_options {
	struct rate_limit chats[RATE_LIMIT_KINDS];
	struct rate_limit all;
	/* Which of the kinds a chat is of, by its id. NULL: all are of the first. */
	unsigned (*kind)(const char *chat);
};

#define RATE_LIMIT_SLOTS 64

struct rate_limiter {
	struct rate_limit_options options;
	/* Instants in microseconds of base/clock. */
	uint64_t all_full;
	uint64_t optional_from; /* non-essential calls are dropped until then */
	struct list slots[RATE_LIMIT_SLOTS];
	size_t chats; /* remembered now */
	struct list waiters;
	struct clock_timer timer;
};

/* A rate of count calls in each window, and a burst on top of it. 0: not limited. */
struct rate_limit rate_limit_per_window(int64_t count, uint64_t window_ms, uint64_t burst);
/* At most count calls in any window, burst of them at once; what may come at once makes all later ones wait
 * longer. 0: not limited. */
struct rate_limit rate_limit_strict(int64_t count, uint64_t window_ms, uint64_t burst);

void rate_limit_init(struct rate_limiter *b, const struct rate_limit_options *options);
/* Nobody may wait any more. */
void rate_limit_clear(struct rate_limiter *b);

/* Waits for a share and takes it. -1: cancelled. */
int rate_limit_wait(struct task *t, struct rate_limiter *b, const char *chat, enum rate_limit_priority rank,
    struct error *err);
/* Takes a share for a call that nobody misses, if one is left over. */
bool rate_limit_try(struct rate_limiter *b, const char *chat);
/* A call was made without waiting: it counts all the same. */
void rate_limit_charge(struct rate_limiter *b, const char *chat);
/* No call to this chat for ms. */
void rate_limit_pause(struct rate_limiter *b, const char *chat, uint64_t ms);
/* No non-essential call anywhere for ms. */
void rate_limit_pause_optional(struct rate_limiter *b, uint64_t ms);

#endif
