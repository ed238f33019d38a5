#ifndef SESSION_SESSION_PRIVATE_H
#define SESSION_SESSION_PRIVATE_H
/* The inside of sessions, for session.c (one chat), receive.c (what arrives) and sessions.c (all of them). */
#include "base/list.h"
#include "base/task.h"
#include "session/session.h"

/* Messages of one chat kept in memory; the rest waits in the journal. */
#define SESSION_QUEUE_MOST 32
/* Edits of one waiting message that are merged into it. */
#define QUEUED_EDITS_MOST 8

/* A message that waits for its turn, with the rows of edits that were merged into it. */
struct queued {
	struct list link;
	struct message *m;
	int64_t edits[QUEUED_EDITS_MOST];
	size_t edit_count;
};

struct session {
	struct address where;	/* first: the key in the tree */
	struct sessions *all;
	struct list queue;
	size_t queued;
	int64_t last_id;	/* newest inbox row that was queued */
	bool more;		/* the journal has messages beyond the queue */
	bool missed;		/* one more of them came while the journal was read */
	bool resume;		/* the journal may have an open turn */
	struct task *task;
	struct turn *turn;	/* the one that runs, NULL if none */
	struct task *turn_task;
	struct list waiting;	/* for a place among turns_at_once */
};

struct sessions {
	struct sessions_options options;
	void *tree;		/* tsearch tree of struct session */
	size_t count, running;
	struct list waiting;	/* sessions that wait for a place */
	struct task_group tasks;
	int64_t first_live_id;	/* the first row that came in while this process ran */
	bool stopping;
};

struct session *session_find(struct sessions *all, const struct address *where);
/* The session of an address, made when there is none; its task is started. */
struct session *session_wake(struct sessions *all, const struct address *where);
/* Queues a message for a turn, or leaves it to the journal when the queue is full. Takes it. */
void session_queue(struct session *s, struct message *m);
/* Merges an edit into the waiting message that it changes: false when there is none. Takes m then only. */
bool session_merge_edit(struct session *s, struct message *m);

/* Sorts one committed message by access control, command or turn. Takes it. */
void receive_sort(struct sessions *all, struct message *m);

#endif
