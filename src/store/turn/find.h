#ifndef STORE_TURN_FIND_H
#define STORE_TURN_FIND_H
/* Finds the open turn that a message of a chat belongs to. Calls behave as in store/store.h. */
#include <stdint.h>

#include "bus/address.h"

struct error;
struct store;
struct task;

struct store_turn_find {
	int64_t turn;
	struct address where; /* of its session */
	/* Who wrote the message, malloc'd; NULL when it is the bot's and shows the turn's answer. */
	char *sender_id;
};

/* message_id: a message that the turn answers, or that shows its growing answer; chat: in any of its
 * threads. Returns 1 with *out, 0 for none, or -1. */
int store_turn_find(struct task *t, struct store *s, const struct address *chat, const char *message_id,
    struct store_turn_find *out, struct error *err);

#endif
