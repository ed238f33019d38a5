#ifndef CHANNELS_TELEGRAM_BUDGET_H
#define CHANNELS_TELEGRAM_BUDGET_H
/*
 * Who may call when. Every call that shows in a chat takes a share of that chat's budget and
 * of the budget over all chats. Messages wait for theirs, replies before notifications; what
 * nobody misses (typing) is dropped unless a share is left over for a message. A retry_after
 * of Telegram pauses the chat for every call.
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
enum telegram_rank { TELEGRAM_RANK_REPLY, TELEGRAM_RANK_NOTIFICATION };

struct telegram_rate {
	uint64_t interval_us;	/* between two calls, once the burst is used up; 0: not limited */
	uint64_t burst;
};

#define TELEGRAM_BUDGET_SLOTS 64

struct telegram_budget {
	struct telegram_rate to_private, to_group, all;
	/* Instants in microseconds of base/clock. */
	uint64_t all_full;
	uint64_t extras_from;	/* non-essential calls are dropped until then */
	struct list slots[TELEGRAM_BUDGET_SLOTS];
	size_t chats;		/* remembered now */
	struct list waiters;
	struct clock_timer timer;
};

/* Messages a second to a private chat, a minute to a group, a second over all; 0: not limited. */
void telegram_budget_init(struct telegram_budget *b, int64_t per_private, int64_t per_group, int64_t per_all);
/* Nobody may wait any more. */
void telegram_budget_clear(struct telegram_budget *b);

/* Waits for a share and takes it. -1: cancelled. */
int telegram_budget_wait(struct task *t, struct telegram_budget *b, const char *chat, enum telegram_rank rank,
    struct error *err);
/* Takes a share for a call that nobody misses, if one is left over. */
bool telegram_budget_try(struct telegram_budget *b, const char *chat);
/* A call was made without waiting: it counts all the same. */
void telegram_budget_charge(struct telegram_budget *b, const char *chat);
/* No call to this chat for ms. */
void telegram_budget_pause(struct telegram_budget *b, const char *chat, uint64_t ms);
/* No non-essential call anywhere for ms. */
void telegram_budget_pause_extras(struct telegram_budget *b, uint64_t ms);

#endif
