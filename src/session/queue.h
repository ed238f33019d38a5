#ifndef SESSION_QUEUE_H
#define SESSION_QUEUE_H
/*
 * The messages of a chat that wait for a turn: the oldest in memory, the rest in the
 * journal, read when those are done.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

/* Messages of one chat kept in memory. */
#define SESSION_QUEUE_MAX 32

struct error;
struct message;
struct session;
struct task;

/* A message whose end is not committed, in our hands, with the rows of edits that were merged into it. */
struct pending {
	struct list link;
	struct message *m;
	int64_t *edits;
	size_t edit_count;
	bool again; /* a command: the last exchange is answered anew */
};

/* Of one session; queue.c alone sets the fields. */
struct queue {
	struct list items; /* of struct pending, at most SESSION_QUEUE_MAX; the journal has the rest */
	size_t count;
	int64_t seen_id;       /* newest inbox row that was handed over before any was left to the journal */
	bool journal_has_more; /* rows beyond seen_id */
	bool journal_grew;     /* one more of them came while it was read */
	/* Messages for a turn that were not begun, here and in the journal, and whether more are refused. */
	size_t backlog;
	size_t in_turn; /* of those: in the turn that runs */
	bool refusing;
	int64_t newest_id;     /* of those: the inbox row that came last */
	int64_t drop_up_to_id; /* up to this row they stay unanswered, and their chat was told; 0: none */
};

void queue_init(struct queue *q);
struct pending *pending_new(struct message *m); /* takes it */
void pending_free(struct pending *p);           /* NULL is fine */
/* All its rows, that of the message last: malloc'd. */
int64_t *pending_ids(const struct pending *p, size_t *count);

/* A message that came in for a turn; takes it. Leaves it to the journal when the queue is full. */
void queue_put(struct session *s, struct message *m);
/* One that came in and is an answer to a question, if that still stands: left to the journal; takes it. */
void queue_leave_in_journal(struct session *s, struct message *m);
/* It was one: it is done with. */
void queue_drop(struct session *s, int64_t id);
/* An edit that came in; takes it, unless the message it changes does not wait any more: then false. */
bool queue_edit(struct session *s, struct message *m);
/* A message of this chat came in that is not for the queue. */
void queue_note_other(struct session *s, const struct message *m);
/* Takes p, which waits, out of the queue; the caller's then. */
void queue_take(struct session *s, struct pending *p);
/* The oldest, NULL when none is in memory; the caller's then. */
struct pending *queue_shift(struct session *s);
/* So many that were shifted are done with, or in a turn. */
void queue_done(struct session *s, size_t count);
/* So many that were shifted are in the turn that begins; then: it has ended. */
void queue_turn_begins(struct session *s, size_t count);
void queue_turn_ended(struct session *s);
/* A message for a turn that the journal has from before the start. */
void queue_count(struct session *s, const struct message *m);
/* May one more message wait? First asked, then put; *first: it is the first that may not since the last that
 * might. */
bool queue_has_room(struct session *s, bool *first);
/* Back to the front: no turn could be begun for it. */
void queue_unshift(struct session *s, struct pending *p);
/* Reads the next ones from the journal, when the queue is empty. */
int queue_refill(struct task *t, struct session *s, struct error *err);
/* Forgets what is in memory, and begins with the oldest in the journal, as after a start. */
void queue_restart(struct session *s);
void queue_clear(struct session *s);
/* The journal has messages for it from before the start. */
void queue_found_in_journal(struct session *s);
/* So many messages are pending again that were not. */
void queue_requeued(struct session *s, size_t count);
/* What waits is another session's from now on, which reads it from the journal. */
void queue_leave(struct session *s);
/* What has come so far stays unanswered: its chat was told. */
void queue_abandon(struct session *s);
/* Finishes the next of those, without a turn. 1, or -1. */
int queue_drop_abandoned(struct task *t, struct session *s, struct error *err);
/* The last exchange is to be answered anew, as m asks, which it takes. */
void queue_retry(struct session *s, struct message *m);

#endif
