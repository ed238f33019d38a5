#ifndef SESSION_QUEUE_H
#define SESSION_QUEUE_H
/*
 * The messages of a chat that wait for a turn: the oldest in memory, the rest in the
 * journal, read when those are done. Private to sessions.
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

struct pending *pending_new(struct message *m); /* takes it */
void pending_free(struct pending *p);           /* NULL is fine */
/* All its rows, that of the message last: malloc'd. */
int64_t *pending_ids(const struct pending *p, size_t *count);

/* A message that came in for a turn; takes it. Leaves it to the journal when the queue is full. */
void session_queue_put(struct session *s, struct message *m);
/* One that came in and is an answer to a question, if that still stands: left to the journal; takes it. */
void session_queue_leave_in_journal(struct session *s, struct message *m);
/* It was one: it is done with. */
void session_queue_drop(struct session *s, int64_t id);
/* An edit that came in; takes it, unless the message it changes does not wait any more: then false. */
bool session_queue_edit(struct session *s, struct message *m);
/* A message of this chat came in that is not for the queue. */
void session_queue_note_other(struct session *s, const struct message *m);
/* The oldest, NULL when none is in memory; the caller's then. */
struct pending *session_queue_shift(struct session *s);
/* So many that were shifted are done with, or in a turn. */
void session_queue_done(struct session *s, size_t count);
/* A message for a turn that the journal has from before the start. */
void session_queue_count(struct session *s, const struct message *m);
/* May one more message wait? First asked, then put; *first: it is the first that may not since the last that
 * might. */
bool session_queue_has_room(struct session *s, bool *first);
/* Back to the front: no turn could be begun for it. */
void session_queue_unshift(struct session *s, struct pending *p);
/* Reads the next ones from the journal, when the queue is empty. */
int session_queue_refill(struct task *t, struct session *s, struct error *err);
/* Forgets what is in memory, and begins with the oldest in the journal, as after a start. */
void session_queue_restart(struct session *s);
void session_queue_clear(struct session *s);
/* Forgets what the journal would give again. */
void session_queue_forget(struct session *s);
/* The last exchange is to be answered anew, as m asks, which it takes. */
void session_queue_retry(struct session *s, struct message *m);

#endif
