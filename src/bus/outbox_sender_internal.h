#ifndef BUS_OUTBOX_SENDER_INTERNAL_H
#define BUS_OUTBOX_SENDER_INTERNAL_H
/* The senders that run, for outbox_sender.c. */
#include <stdbool.h>
#include <stdint.h>

#include "bus/journal.h"

struct bus;
struct task;

struct outbox_sender {
	struct journal_queue key;
	int64_t file;         /* the row that it sends, and no other; 0: those of the chat, in order */
	int64_t awaited_file; /* the file that this one waits for, of another sender; 0: none */
	struct bus *bus;
	struct task *task;
	/* The delivery that other code is about to commit as sending; then its copy, which is sent at once.
	 * NULL: none. */
	const struct outbound *reserved;
	struct outbound *committed;
	bool woken;            /* woken since the journal was last read */
	bool busy;             /* a delivery is, or may be, committed as sending, and its outcome is not */
	bool may_have_arrived; /* the earlier attempt of a delivery that is sent again all the same */
	/* When the current delivery is due and when it has failed: clock_now(), because the wall clock may
	 * jump. */
	uint64_t due, give_up_at, repeat_by;
	/* The last delivery that ended: decides whether the next part of the same text may go. */
	int64_t last_id;
	enum outbound_state last_state;
};

/* Returns the chat's sender of that file (0: of its messages); NULL: none runs. */
struct outbox_sender *outbox_sender_find(const struct bus *b, const struct journal_queue *key, int64_t file);
/* Starts one in a task of its own; run gets it, and ends it. */
void outbox_sender_start(
    struct bus *b, const struct journal_queue *key, int64_t file, void (*run)(struct task *t, void *arg));
/* Returns true when another node serves its unit, which its waker may not have known; then announces that
 * there is work. Suspends. */
bool outbox_sender_is_elsewhere(struct task *t, struct outbox_sender *l);
/* After a failure: is the sender cancelled, the bus stopping, or the chat served by another node? */
bool outbox_sender_must_end(const struct task *t, struct outbox_sender *l);
/* Frees it. */
void outbox_sender_end(struct outbox_sender *l);

#endif
