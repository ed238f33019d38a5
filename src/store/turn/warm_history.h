#ifndef STORE_TURN_WARM_HISTORY_H
#define STORE_TURN_WARM_HISTORY_H
/*
 * Histories that stay in memory from the end of a turn to the beginning of the next one in the same place,
 * bounded in bytes and in time. One is used only if its last message is still the last in the database, and
 * if nothing that it had was changed since: code that changes a transcript calls warm_histories_changed
 * before it commits. On the loop's thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/time/clock.h"
#include "llm/history.h"

struct address;

struct warm_history {
	int64_t session;
	int64_t last;     /* its newest message */
	size_t max;       /* bytes, as in store_history */
	uint64_t changes; /* struct warm_histories.changes before it was read */
	struct llm_history history;
};

#define WARM_BUCKETS 256

struct warm_histories {
	struct list buckets[WARM_BUCKETS], by_use; /* by_use: the last used at the end */
	size_t bytes;
	struct clock_timer timer;
	uint64_t changes, changed[WARM_BUCKETS]; /* changed: the newest change of a session, by its id */
};

void warm_histories_init(struct warm_histories *w);
void warm_histories_clear(struct warm_histories *w);
/* A summary replaces messages of the session, or a turn of it is undone; 0: sessions become one. */
void warm_histories_changed(struct warm_histories *w, int64_t session);
/* Moves the history out of *h, which is then empty, in place of the former one; drops it when it is too long
 * or was changed meanwhile. */
void warm_history_put(struct warm_histories *w, const struct address *where, struct warm_history *h);
/* Moves the history of a place into *out; false when there is none. */
bool warm_history_take(struct warm_histories *w, const struct address *where, struct warm_history *out);

#endif
