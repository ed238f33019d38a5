#ifndef STORE_TURN_FIND_H
#define STORE_TURN_FIND_H
/* The open turn that a message of a chat is about. As in store/store.h. */
#include <stdint.h>

#include "bus/address.h"

struct error;
struct store;
struct task;

struct store_turn_find {
	int64_t turn;
	struct address where; /* of its session */
	char *
	    sender_id; /* who wrote the message; NULL: we did, as it shows the answer of the turn. malloc'd */
};

/* message_id: of a message that the turn answers, or that shows its answer as it grows; chat: in any of its
 * threads. 1 with *out, 0 none, -1. */
int store_turn_find(struct task *t, struct store *s, const struct address *chat, const char *message_id,
    struct store_turn_find *out, struct error *err);

#endif
