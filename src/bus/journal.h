#ifndef BUS_JOURNAL_H
#define BUS_JOURNAL_H
/*
 * What the bus needs of a durable store. In memory for tests, SQLite by default;
 * the seam where a shared engine stands when one machine is outgrown.
 *
 * Every call suspends until its effect is durable, or its answer is there. A failed
 * call has had no effect. A cancelled one may have had its effect.
 */
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

struct error;
struct task;

/* A position in a platform's stream of events, committed with the messages before it. */
struct journal_cursor {
	const char *account, *name; /* e.g. "telegram:123456", "offset" */
	const char *value;
};

/* The why of a message that nobody answers, kept for the next turn of its chat. Of those that no turn has
 * seen yet a journal keeps the newest JOURNAL_CONTEXT_MAX a chat. */
#define JOURNAL_CONTEXT     "context"
#define JOURNAL_CONTEXT_MAX 30

struct journal_queue {
	char channel[32];
	char chat[64];
};

/* A chat that has another id from now on. */
struct journal_move {
	char channel[32];
	char old_chat[64], new_chat[64];
};

struct journal {
	const struct journal_ops *ops;
	void *self;
};

struct journal_ops {
	/* Commits messages and cursor together (cursor may be NULL, count may be 0). A message whose
	 * (account, event_id) is known already keeps id 0; the others get theirs. */
	int (*put_inbound)(struct task *t, void *self, struct message *const *messages, size_t count,
	    const struct journal_cursor *cursor, struct error *err);
	/* Pending messages of one address in order of their ids, above after_id, at most max: how many, or
	 * -1. The caller frees them. */
	int (*list_inbound)(struct task *t, void *self, const struct address *from, int64_t after_id,
	    struct message **out, size_t max, struct error *err);
	/* Addresses that have pending messages or open turns; *out is a malloc'd array. Count or -1. */
	int (*pending_addresses)(struct task *t, void *self, struct address **out, struct error *err);
	/* Handled without a turn (a command, context, refused by access control); with its answers,
	 * if any, in the same commit. why is kept for the trace. A durable journal refuses the call
	 * (ERROR_REFUSED) when one of the messages is not pending any more. */
	int (*finish_inbound)(struct task *t, void *self, const int64_t *ids, size_t count, const char *why,
	    struct outbound *const *answers, size_t answer_count, struct error *err);
	/* Commits that a chat has another id, and gives it what was kept for the old one: sessions, messages
	 * that wait, context. Outbound rows keep their address. Again: changes nothing. */
	int (*move_chat)(struct task *t, void *self, const struct journal_move *move, struct error *err);
	/* All moves, in the order of their coming; *out is a malloc'd array. Count or -1. */
	int (*list_moves)(struct task *t, void *self, struct journal_move **out, struct error *err);
	int (*read_cursor)(struct task *t, void *self, const char *account, const char *name, char **value,
	    struct error *err); /* *value NULL when there is none */

	/* Commits all rows together and sets their ids. A row whose key is known already gets
	 * that row's id and state, and so do the parts of a text behind it that are not known. */
	int (*put_outbound)(
	    struct task *t, void *self, struct outbound *const *rows, size_t count, struct error *err);
	/* Rows of a queue to send next, in order of their ids, above after_id, at most max: queued ones, and
	 * those that a crash left in sending (the bus decides what becomes of them). Sent, uncertain and
	 * failed are final: not listed. Nor are rows that were never tried and have a not_before_ms within
	 * the next day: they hold up nothing. */
	int (*list_outbound)(struct task *t, void *self, const struct journal_queue *queue, int64_t after_id,
	    struct outbound **out, size_t max, struct error *err);
	int (*pending_queues)(struct task *t, void *self, struct journal_queue **out, struct error *err);
	/* The files of rows that have no end yet: *out is a malloc'd array of malloc'd paths. Count or -1. */
	int (*list_files)(struct task *t, void *self, char ***out, struct error *err);
	/* Commits state, attempts, repeat, not_before_ms, platform_id and reason of the row. */
	int (*mark_outbound)(struct task *t, void *self, const struct outbound *row, struct error *err);
	/* One row by id; NULL with err set when it cannot be read, ERROR_REFUSED when it does not exist. */
	struct outbound *(*get_outbound)(struct task *t, void *self, int64_t id, struct error *err);
};

#endif
