#ifndef CHANNELS_SHARED_BUDGET_H
#define CHANNELS_SHARED_BUDGET_H
/*
 * Who may call when, on platforms that limit calls by the chat. Every call that shows in a chat takes
 * a share of that chat's budget and of the budget over all chats. Messages wait for theirs, replies before
 * notifications; what nobody misses (typing) is dropped unless a share is left over for a message. A penalty
 * of the platform pauses the chat for every call.
 *
 * A bucket is one number (GCRA): the instant at which it will be full again. A full one
 * need not be remembered, so that memory follows the chats of the last seconds.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/list.h"

struct error;
struct task;

/* Lower goes first. */
enum budget_rank { BUDGET_RANK_REPLY, BUDGET_RANK_NOTIFICATION };

struct budget_rate {
	uint64_t interval_us; /* between two calls, once the burst is used up; 0: not limited */
	uint64_t burst;       /* at least 1 */
};

/* Kinds of chats that have a rate of their own. */
#define BUDGET_KINDS 4

struct budget_options {
	struct budget_rate chats[BUDGET_KINDS];
	struct budget_rate all;
	/* Which of the kinds a chat is of, by its id. NULL: all are of the first. */
	unsigned (*kind)(const char *chat);
};

#define BUDGET_SLOTS 64

struct budget {
	struct budget_options options;
	/* Instants in microseconds of base/clock. */
	uint64_t all_full;
	uint64_t extras_from; /* non-essential calls are dropped until then */
	struct list slots[BUDGET_SLOTS];
	size_t chats; /* remembered now */
	struct list waiters;
	struct clock_timer timer;
};

/* A rate of count calls in each window, and a burst on top of it. 0: not limited. */
struct budget_rate budget_rate_of(int64_t count, uint64_t window_ms, uint64_t burst);
/* At most count calls in any window, burst of them at once; what may come at once makes all later ones wait
 * longer. 0: not limited. */
struct budget_rate budget_rate_within(int64_t count, uint64_t window_ms, uint64_t burst);

void budget_init(struct budget *b, const struct budget_options *options);
/* Nobody may wait any more. */
void budget_clear(struct budget *b);

/* Waits for a share and takes it. -1: cancelled. */
int budget_wait(struct task *t, struct budget *b, const char *chat, enum budget_rank rank, struct error *err);
/* Takes a share for a call that nobody misses, if one is left over. */
bool budget_try(struct budget *b, const char *chat);
/* A call was made without waiting: it counts all the same. */
void budget_charge(struct budget *b, const char *chat);
/* No call to this chat for ms. */
void budget_pause(struct budget *b, const char *chat, uint64_t ms);
/* No non-essential call anywhere for ms. */
void budget_pause_extras(struct budget *b, uint64_t ms);

#endif
