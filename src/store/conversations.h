#ifndef STORE_CONVERSATIONS_H
#define STORE_CONVERSATIONS_H
/* A list of the conversations that go on, for people. As in store.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct error;
struct store;
struct task;

struct store_conversation {
	struct address where;
	int64_t session;
	int64_t messages;  /* of people, the model and tools */
	int64_t active_ms; /* wall clock: when its last turn ended, or began if it has not */
	bool open;         /* it has a turn that has not ended */
};

/* The conversations after the first skip of them, in the order of their last turns, the newest first. Returns
 * how many were put into out, at most most; *more: there are others behind them. */
int store_conversations(struct task *t, struct store *s, size_t skip, struct store_conversation *out,
    size_t most, bool *more, struct error *err);

#endif
