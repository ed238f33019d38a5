#ifndef STORE_STORE_H
#define STORE_STORE_H
/*
 * The durable state: one SQLite database (DIR/myna.db), one connection, on a thread of its
 * own. WAL, synchronous=FULL, locking_mode=EXCLUSIVE; no other process opens it. Writes that
 * arrive while a commit runs share the next one. Every call suspends its task; when the task is
 * cancelled the work still happens and its result is dropped. What contradicts the state (a message that is
 * not pending any more, a turn that has ended) is ERROR_REFUSED; everything else may work later. Texts are
 * stored without the secrets that they hold. What is over is forgotten in its time
 * (store/retention/retention.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/journal.h"
#include "llm/history.h"
#include "store/usage.h"
#include "store/retention/retention.h"

struct error;
struct json_object;
struct histogram;
struct store;
struct task;

extern struct histogram store_commit_time;

struct store_options {
	const char *dir; /* made (0700) when missing */
	/* A database up to this size is checked before ready after an unclean stop; a larger one in slices
	 * afterwards. */
	int64_t check_now_bytes; /* 0: 32 MiB */
	struct retention keep;
	/* Told from the loop about things an operator must know (a database or a log that was damaged, a full
	 * disk). May be NULL. */
	void (*notice)(void *arg, const char *text);
	void *arg;
};

/* ERROR_OURS within a second, with a sentence, when another process has the directory. A damaged database is
 * set aside as myna.db.damaged-TIME, what can be read of it is taken over, and notice is told. Damage that is
 * met later makes calls fail until the next opening. */
struct store *store_open(struct task *t, const struct store_options *options, struct error *err);
/* Runs what is queued, checkpoints, marks the stop as clean. */
void store_close(struct task *t, struct store *s);
struct journal store_journal(struct store *s);

struct store_counts {
	int64_t inbox_pending, outbox_queued, outbox_uncertain, outbox_failed, turns_open, turns_dead,
	    sessions, db_bytes;
	int64_t approvals_open; /* calls that wait for a person's yes */
	int64_t wal_bytes;      /* in the log that are not in the file yet */
	int64_t unclean_stops;  /* ever */
	int64_t newest_ms;      /* when the newest message came, 0: there is none */
	int64_t commits;        /* since store_open; several calls share one */
	/* What the database met and is not over. */
	bool is_damaged, is_full, is_failing;
};
int store_count(struct task *t, struct store *s, struct store_counts *out, struct error *err);

/* The way of one message: {"inbound", "turn", "steps": [{"at_ms", "step", "text"}]} in the order of time,
 * where 0 is not over yet. what: the number of an inbound row, CHANNEL:CHAT:ID or ID with an id of the
 * platform (theirs or ours), or turn:N. *out is NULL when there is no such message. */
int store_trace(
    struct task *t, struct store *s, const char *what, struct json_object **out, struct error *err);

/* Copies the database into a new file (0600), in slices between other work; it has its name when it is whole,
 * checked and synced. REFUSED when there is such a file, or it cannot be made. */
int store_backup(struct task *t, struct store *s, const char *file, struct error *err);

/* Turns that were given up, newest first: [{"turn", "chat", "ended_ms", "attempts", "rounds", "text"}]. */
int store_dead_turns(struct task *t, struct store *s, struct json_object **out, struct error *err);
/* Done with: what was said in it is forgotten. */
int store_dead_turn_drop(struct task *t, struct store *s, int64_t turn, struct error *err);
/* The same, and its messages are pending again: so many, in that chat. */
int store_dead_turn_retry(
    struct task *t, struct store *s, int64_t turn, struct address *where, size_t *count, struct error *err);

/* The current session of an address; made when there is none. said_ms may be NULL: when the last word in it
 * was said, wall clock, 0 when nothing was. */
int store_session(struct task *t, struct store *s, const struct address *where, int64_t *session,
    int64_t *said_ms, struct error *err);
/* Closes the current session of the address and makes a new one, and forgets the context before it, together
 * with the end of the inbound message that asked for it (0: none) and the rows that answer it. */
int store_session_renew(struct task *t, struct store *s, const struct address *where, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, int64_t *session, struct error *err);

/* What was said in a chat since its last turn and needed no answer (JOURNAL_CONTEXT), in order: how many (at
 * most JOURNAL_CONTEXT_MAX), or -1. The caller frees them, and gives their rows to the turn that has read
 * them. */
int store_context(
    struct task *t, struct store *s, const struct address *where, struct message **out, struct error *err);

/* What became of a message of a turn, told with the next turn of its chat as context; once for each event. */
int store_note_delivery(
    struct task *t, struct store *s, int64_t turn, const char *event, const char *text, struct error *err);

/* The same for what failed, or may not have arrived, since then (wall clock) and was not told because the
 * process ended: answers, and messages whose end came late_ms after they were put. */
int store_note_undelivered(
    struct task *t, struct store *s, int64_t since_ms, int64_t late_ms, struct error *err);

/* The newest whole turns of a session whose sizes add up to at most max_bytes (at least the newest), in
 * order. Without those that were given up as dead. */
int store_history(struct task *t, struct store *s, int64_t session, size_t max_bytes, struct llm_history *out,
    struct error *err);

#endif
