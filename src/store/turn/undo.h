#ifndef STORE_TURN_UNDO_H
#define STORE_TURN_UNDO_H
/* Taking back the last exchange of a conversation: it is kept, and the model does not see it any more. */
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct db;
struct error;
struct llm_image;
struct outbound;
struct store;
struct task;

/* A turn with what was said to the model in it. */
struct store_exchange {
	int64_t session, turn;
	char *said;               /* its user messages, a line break between two; malloc'd */
	char *person;             /* as in struct store_turn; malloc'd */
	struct llm_image *images; /* that were shown with it; malloc'd */
	size_t image_count;
};

/* The newest exchange of the current conversation: 1, to be cleared; 0 when there is none; -1, ERROR_REFUSED
 * when a turn is open. */
int store_exchange_last(struct task *t, struct store *s, const struct address *where,
    struct store_exchange *out, struct error *err);
void store_exchange_clear(struct store_exchange *x);
/* Takes it back, in one commit with the end of the inbound message that asked for it and the rows that answer
 * it. ERROR_REFUSED when that message is not pending, a turn is open, or it is not the newest any more. */
int store_exchange_undo(struct task *t, struct store *s, const struct store_exchange *x, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, struct error *err);

/* Inside a write job: as above. */
int undo_turn(struct db *db, int64_t session, int64_t turn, struct error *err);

#endif
