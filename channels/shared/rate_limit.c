#include "channels/shared/rate_limit.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "base/task.h"

#define MS_US 1000
/* Optional calls must leave the chat this many tokens. */
#define SPARE 1

struct bucket {
	struct list link;
	char chat[64];
	const struct rate_limit *rate;
	uint64_t full;   /* now_us() at which it is full again */
	uint64_t paused; /* no call before this, by now_us() */
	size_t waiters;
};

struct waiter {
	struct list link;
	struct task *task;
	struct bucket *bucket;
	enum rate_limit_priority rank;
	bool granted;
};

/* Intervals are in microseconds: rounding to milliseconds would cost 2 % of the global rate. */
static uint64_t now_us(void)
{
	return clock_now() * MS_US;
}

struct rate_limit rate_limit_per_window(int64_t count, uint64_t window_ms, uint64_t burst)
{
	return (struct rate_limit){
	    .interval_us = count > 0 ? window_ms * MS_US / (uint64_t)count : 0, .burst = burst};
}

struct rate_limit rate_limit_strict(int64_t count, uint64_t window_ms, uint64_t burst)
{
	uint64_t n = (uint64_t)count;

	if (count <= 0)
		return (struct rate_limit){.interval_us = 0, .burst = 1};
	burst = n < burst ? n : burst;
	return (struct rate_limit){
	    .interval_us = (window_ms * MS_US + n - burst) / (n - burst + 1), .burst = burst};
}

void rate_limit_init(struct rate_limiter *b, const struct rate_limit_options *options)
{
	*b = (struct rate_limiter){.options = *options};
	list_init(&b->waiters);
	for (size_t i = 0; i < RATE_LIMIT_SLOTS; i++)
		list_init(&b->slots[i]);
}

static void forget(struct rate_limiter *b, struct bucket *k)
{
	list_remove(&k->link);
	b->chats--;
	free(k);
}

void rate_limit_clear(struct rate_limiter *b)
{
	clock_timer_stop(&b->timer);
	for (size_t i = 0; i < RATE_LIMIT_SLOTS; i++) {
		list_each(&b->slots[i], it, tmp)
			forget(b, list_entry(it, struct bucket, link));
	}
}

static const struct rate_limit *rate_of(const struct rate_limiter *b, const char *chat)
{
	return &b->options.chats[b->options.kind ? b->options.kind(chat) : 0];
}

static struct list *slot_of(struct rate_limiter *b, const char *chat)
{
	return &b->slots[fnv_text(chat) % RATE_LIMIT_SLOTS];
}

/* Returns the chat's bucket, and drops full ones in its slot. */
static struct bucket *bucket_get(struct rate_limiter *b, const char *chat)
{
	struct list *slot = slot_of(b, chat);
	uint64_t now = now_us();
	struct bucket *k;

	list_each(slot, it, tmp) {
		k = list_entry(it, struct bucket, link);
		if (strcmp(k->chat, chat) == 0)
			return k;
		if (k->full <= now && k->paused <= now && k->waiters == 0)
			forget(b, k);
	}
	k = xcalloc(1, sizeof(*k));
	str_copy(k->chat, sizeof(k->chat), chat);
	k->rate = rate_of(b, chat);
	list_append(slot, &k->link);
	b->chats++;
	return k;
}

/* Returns when a bucket that is full at that time has more than `spare` tokens. */
static uint64_t rate_ready(const struct rate_limit *rate, uint64_t full, uint64_t spare)
{
	uint64_t early = rate->burst > spare ? (rate->burst - 1 - spare) * rate->interval_us : 0;

	if (rate->burst <= spare && rate->interval_us != 0)
		return UINT64_MAX; /* it never has so many */
	return full > early ? full - early : 0;
}

static uint64_t bucket_ready(const struct bucket *k, uint64_t spare)
{
	uint64_t ready = rate_ready(k->rate, k->full, spare);

	return ready > k->paused ? ready : k->paused;
}

static void take(struct rate_limiter *b, struct bucket *k)
{
	uint64_t now = now_us();

	k->full = (k->full > now ? k->full : now) + k->rate->interval_us;
	b->all_full = (b->all_full > now ? b->all_full : now) + b->options.all.interval_us;
}

static void leave(struct waiter *w)
{
	list_remove(&w->link);
	w->bucket->waiters--;
}

static void on_timer(struct clock_timer *timer, void *arg);

/* Wakes all tasks whose turn it is, and sets the timer for the next. */
static void serve(struct rate_limiter *b)
{
	uint64_t now = now_us(), next = UINT64_MAX;

	list_each(&b->waiters, it, tmp) {
		struct waiter *w = list_entry(it, struct waiter, link);
		uint64_t all = rate_ready(&b->options.all, b->all_full, 0), due = bucket_ready(w->bucket, 0);

		if (all > now) {
			next = all;
			break;
		}
		if (due <= now) {
			take(b, w->bucket);
			leave(w);
			w->granted = true;
			if (w->task)
				task_wake(w->task);
		} else if (due < next) {
			next = due;
		}
	}
	if (next != UINT64_MAX)
		clock_timer_start(&b->timer, (next - now + MS_US - 1) / MS_US, on_timer, b);
	else
		clock_timer_stop(&b->timer);
}

static void on_timer(struct clock_timer *timer, void *arg)
{
	(void)timer;
	serve(arg);
}

/* Queues it behind all of its own rank. */
static void enter(struct rate_limiter *b, struct waiter *w)
{
	struct list *before = &b->waiters;

	list_each(&b->waiters, it, tmp) {
		if (list_entry(it, struct waiter, link)->rank > w->rank) {
			before = it;
			break;
		}
	}
	list_append(before, &w->link);
	w->bucket->waiters++;
}

int rate_limit_wait(struct task *t, struct rate_limiter *b, const char *chat, enum rate_limit_priority rank,
    struct error *err)
{
	struct waiter w = {.task = t, .bucket = bucket_get(b, chat), .rank = rank};

	enter(b, &w);
	serve(b);
	while (!w.granted) {
		if (!t) {
			leave(&w);
			return error_set(
			    err, ERROR_LIMITED, "the rate limit leaves nothing for the chat %s now", chat);
		}
		if (task_wait(t, err) < 0) {
			if (!w.granted)
				leave(&w);
			return -1;
		}
	}
	return 0;
}

bool rate_limit_try(struct rate_limiter *b, const char *chat)
{
	struct bucket *k = bucket_get(b, chat);
	uint64_t now = now_us();

	/* A task that waits for the global bucket has taken its tokens. */
	if (now < b->optional_from || k->waiters != 0 || bucket_ready(k, SPARE) > now ||
	    rate_ready(&b->options.all, b->all_full, 0) > now)
		return false;
	take(b, k);
	return true;
}

void rate_limit_charge(struct rate_limiter *b, const char *chat)
{
	take(b, bucket_get(b, chat));
}

void rate_limit_pause(struct rate_limiter *b, const char *chat, uint64_t ms)
{
	struct bucket *k = bucket_get(b, chat);
	uint64_t until = now_us() + ms * MS_US;

	if (until > k->paused)
		k->paused = until;
}

void rate_limit_pause_optional(struct rate_limiter *b, uint64_t ms)
{
	uint64_t until = now_us() + ms * MS_US;

	if (until > b->optional_from)
		b->optional_from = until;
}
