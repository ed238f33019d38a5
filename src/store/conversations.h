#ifndef STORE_CONVERSATIONS_H
#define STORE_CONVERSATIONS_H
/* Lists current conversations for people. Calls behave as in store.h. */
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
	int64_t messages;  /* by people, the model and tools */
	int64_t active_ms; /* wall clock: end of its last turn, or the start if that is still open */
	bool open;         /* it has an open turn */
};

/* Lists conversations in the order of their last turns, newest first, after the first skip of them. Returns
 * the number stored in out, at most max; sets *more when there are more. */
int store_conversations(struct task *t, struct store *s, size_t skip, struct store_conversation *out,
    size_t max, bool *more, struct error *err);

#endif
