#ifndef STORE_TURN_UNDO_H
#define STORE_TURN_UNDO_H
/* Undoes the last exchange of a conversation: the rows stay, but the model no longer sees them. */
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct db;
struct error;
struct llm_image;
struct outbound;
struct store;
struct task;

/* A turn and the user messages that it answered. */
struct store_exchange {
	int64_t session, turn;
	char *user_text;          /* its user messages, separated by line breaks; malloc'd */
	char *person;             /* as in struct store_turn; malloc'd */
	struct llm_image *images; /* attached to them; malloc'd */
	size_t image_count;
};

/* Gets the newest exchange of the current conversation. Returns 1 (clear it), 0 for none, or -1 with
 * ERROR_REFUSED when a turn is open. */
int store_exchange_last(struct task *t, struct store *s, const struct address *where,
    struct store_exchange *out, struct error *err);
void store_exchange_clear(struct store_exchange *x);
/* Undoes it in one commit with the end of the inbound message that asked for it and with the answers.
 * ERROR_REFUSED when that message is not pending, a turn is open, or it is no longer the newest. */
int store_exchange_undo(struct task *t, struct store *s, const struct store_exchange *x, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, struct error *err);

/* Inside a write job: as above. */
int undo_turn(struct db *db, int64_t session, int64_t turn, struct error *err);

#endif
