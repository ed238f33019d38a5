#ifndef BUS_JOURNAL_H
#define BUS_JOURNAL_H
/*
 * The durable store that the bus needs. Implementations: in memory for tests, and store/ on SQLite or
 * PostgreSQL.
 * Every call suspends until its effect is durable or its answer is there. A failed call has had no
 * effect; a cancelled call may have had its effect.
 */
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

struct error;
struct task;

/* A position in a platform's event stream, committed with the messages before it. */
struct journal_cursor {
	const char *account, *name; /* e.g. "telegram:123456", "offset" */
	const char *value;
};

/* Reason of a message kept as context: nobody answers it, and the chat's next turn includes it. A journal
 * keeps the newest JOURNAL_CONTEXT_MAX of a chat that no turn has used. */
#define JOURNAL_CONTEXT     "context"
#define JOURNAL_CONTEXT_MAX 30

/* Sent to a person whose answer stays uncertain. */
#define JOURNAL_ANSWER_MISSING                                                                               \
	"An answer of mine may not have reached you: the connection broke while I was sending it. If it is " \
	"missing, please ask again."

struct journal_queue {
	char channel[32];
	char chat[64];
};

/* A chat that has a new id from now on. */
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
	 * (account, event_id) is already stored keeps id 0; the others get their ids. The first edit of a
	 * group's message that addresses the bot becomes a MESSAGE_TEXT, unless the message itself was for
	 * the bot or the edit is a command. */
	int (*put_inbound)(struct task *t, void *self, struct message *const *messages, size_t count,
	    const struct journal_cursor *cursor, struct error *err);
	/* Lists at most max pending messages of one address with ids above after_id, in order of id.
	 * Returns the count or -1. The caller frees them. */
	int (*list_inbound)(struct task *t, void *self, const struct address *from, int64_t after_id,
	    struct message **out, size_t max, struct error *err);
	/* Lists addresses with pending messages or open turns; *out is a malloc'd array. Returns the count
	 * or -1. */
	int (*pending_addresses)(struct task *t, void *self, struct address **out, struct error *err);
	/* Finishes messages without a turn (a command, context, access refused) and commits their answers,
	 * if any, with them. The trace keeps why. A durable journal returns ERROR_REFUSED when one of the
	 * messages is no longer pending. */
	int (*finish_inbound)(struct task *t, void *self, const int64_t *ids, size_t count, const char *why,
	    struct outbound *const *answers, size_t answer_count, struct error *err);
	/* Commits a chat's new id and moves the data of the old one to it: sessions, pending messages,
	 * context. Deliveries keep their address. Idempotent. */
	int (*move_chat)(struct task *t, void *self, const struct journal_move *move, struct error *err);
	/* Lists all moves in order of arrival; *out is a malloc'd array. Returns the count or -1. */
	int (*list_moves)(struct task *t, void *self, struct journal_move **out, struct error *err);
	/* Sets *value, which is malloc'd; NULL when there is none. */
	int (*read_cursor)(struct task *t, void *self, const char *account, const char *name, char **value,
	    struct error *err);

	/* Sets a cursor if it has this value already, or was not set for gap_ms by a clock that all nodes
	 * share: *wait_ms is 0 then, else the time left. */
	int (*claim)(struct task *t, void *self, const struct journal_cursor *cursor, uint64_t gap_ms,
	    uint64_t *wait_ms, struct error *err);

	/* Commits all deliveries together and sets their ids, and their texts to what is stored. One that is
	 * OUTBOUND_SENDING becomes queued when another one of its chat stands before it. Before the first
	 * reply to a chat with a missing answer (outbound.notice_owed) a durable journal commits
	 * JOURNAL_ANSWER_MISSING, once for each such delivery and in its thread. One whose key is already
	 * stored gets the stored id and state, and so do the new parts of the same text after it. */
	int (*put_outbound)(
	    struct task *t, void *self, struct outbound *const *rows, size_t count, struct error *err);
	/* Lists at most max deliveries of a queue to send next, with ids above after_id, in order of id:
	 * the queued ones, and those that a crash left in sending (the bus decides about them). Sent,
	 * uncertain and failed are final and not listed. Deliveries never tried with a not_before_ms within
	 * the next day are not listed either: they do not block the others. */
	int (*list_outbound)(struct task *t, void *self, const struct journal_queue *queue, int64_t after_id,
	    struct outbound **out, size_t max, struct error *err);
	/* Lists the queues with deliveries that are not final; *out is a malloc'd array. Returns the count or
	 * -1. */
	int (*pending_queues)(struct task *t, void *self, struct journal_queue **out, struct error *err);
	/* Lists the files of deliveries that are not final; *out is a malloc'd array of malloc'd paths.
	 * Returns the count or -1. */
	int (*list_files)(struct task *t, void *self, char ***out, struct error *err);
	/* Commits state, attempts, repeat, notice_owed, not_before_ms, platform_id and reason of the
	 * delivery. */
	int (*mark_outbound)(struct task *t, void *self, const struct outbound *row, struct error *err);
	/* Returns one delivery by id, or NULL with err set: ERROR_REFUSED when it does not exist. */
	struct outbound *(*get_outbound)(struct task *t, void *self, int64_t id, struct error *err);
	/* The same for the part before this one, which has a lower id. */
	struct outbound *(*get_part_before)(
	    struct task *t, void *self, const struct outbound *part, struct error *err);
};

#endif
