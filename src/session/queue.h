#ifndef SESSION_QUEUE_H
#define SESSION_QUEUE_H
/*
 * The messages of a chat that wait for a turn: the oldest in memory, the rest in the journal, read when
 * those are done.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

/* A chat with so many messages in memory leaves further ones in the journal; as many are read at once. */
#define SESSION_QUEUE_MAX 32

struct error;
struct message;
struct session;
struct task;

/* A message taken from the journal whose end is not committed, with the rows of edits merged into it. */
struct pending {
	struct list link;
	struct message *m;
	int64_t *edits;
	size_t edit_count;
	bool is_retry; /* /retry: answers the last exchange again */
};

/* One session's queue; only queue.c sets the fields. */
struct queue {
	/* Of struct pending, fewer than twice SESSION_QUEUE_MAX; the journal has the rest. */
	struct list items;
	size_t count;
	int64_t seen_id;       /* newest row read or queued before rows were left in the journal */
	bool journal_has_more; /* rows beyond seen_id */
	bool journal_grew;     /* one more of them arrived during the read */
	/* Unfinished messages for a turn, here and in the journal; refusing: the chat's next ones are
	 * refused. */
	size_t backlog;
	size_t in_turn; /* of those: in the running turn */
	bool refusing;
	int64_t newest_id;     /* the newest of those */
	int64_t resumed_id;    /* newest row that was pending at the start, and is handled or counted */
	int64_t drop_up_to_id; /* messages up to this row get no answer, and the chat knows; 0: none */
};

void queue_init(struct queue *q);
struct pending *pending_new(struct message *m); /* takes it */
void pending_free(struct pending *p);           /* accepts NULL */
/* Returns all its rows, the message's own last: malloc'd. */
int64_t *pending_ids(const struct pending *p, size_t *count);

/* Returns the oldest message in memory; NULL: there is none. */
const struct message *queue_first(const struct session *s);
/* Queues a new message for a turn; takes it. A full queue leaves it in the journal. */
void queue_put(struct session *s, struct message *m);
/* Counts a message that may answer an open question, and leaves it in the journal, where the asker, or else a
 * turn, reads it. Takes m. */
void queue_leave_in_journal(struct session *s, struct message *m);
/* Ends the waiting messages of people who may not talk to the agent any more, without an answer. */
void queue_drop_denied(struct session *s);
/* Returns how many messages of the person wait in memory. */
size_t queue_count_of(const struct session *s, const char *person);
/* Ends the oldest waiting message of the person without an answer. False: there is none. */
bool queue_drop_of(struct session *s, const char *person);
/* Drops a message that has answered a question. */
void queue_drop(struct session *s, int64_t id);
/* Applies m to the message with its id that waits in memory, and takes it; false when there is none. */
bool queue_merge(struct session *s, struct message *m);
/* Applies an edit and takes it; false when the message that it changes no longer waits. */
bool queue_edit(struct session *s, struct message *m);
/* Records a message of this chat that is not queued. */
void queue_note_other(struct session *s, const struct message *m);
/* Removes p from the queue; the caller owns it. */
void queue_take(struct session *s, struct pending *p);
/* Removes and returns the oldest, which the caller owns; NULL when none is in memory. */
struct pending *queue_shift(struct session *s);
/* This many shifted messages are done, or in a turn. */
void queue_done(struct session *s, size_t count);
/* This many shifted messages are in the turn that begins, until queue_turn_ended. */
void queue_turn_begins(struct session *s, size_t count);
void queue_turn_ended(struct session *s);
/* Records a message that was in the journal at the start. False: it is recorded already. */
bool queue_resume(struct session *s, const struct message *m);
/* Counts such a message, if it is for a turn. */
void queue_count(struct session *s, const struct message *m);
/* Returns whether one more message may wait; call it before queue_put. *first: it is the first refused since
 * the last accepted one. */
bool queue_has_room(struct session *s, bool *first);
/* Puts p back to the front: its turn could not begin. */
void queue_unshift(struct session *s, struct pending *p);
/* Reads the next SESSION_QUEUE_MAX messages at most from the journal. Suspends. */
int queue_refill(struct task *t, struct session *s, struct error *err);
/* Drops what is in memory and reads the journal from its oldest message, as after a start. */
void queue_restart(struct session *s);
void queue_clear(struct session *s);
/* The journal has messages for this session from before the start. */
void queue_found_in_journal(struct session *s);
/* This many finished messages are pending again. */
void queue_requeued(struct session *s, size_t count);
/* Leaves the waiting messages to another session, which reads them from the journal. */
void queue_leave(struct session *s);
/* Gives up all messages so far: they get no answer, and the chat knows. */
void queue_abandon(struct session *s);
/* Finishes the next message given up, without a turn. Returns 1, or -1. */
int queue_drop_abandoned(struct task *t, struct session *s, struct error *err);
/* Queues m, which asks to answer the last exchange again; takes it. */
void queue_retry(struct session *s, struct message *m);

#endif
