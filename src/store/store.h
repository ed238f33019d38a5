#ifndef STORE_STORE_H
#define STORE_STORE_H
/*
 * The durable state: one database, and one connection on a thread of its own. By default it is a file of
 * SQLite (DIR/myna.db) with WAL, synchronous=FULL and locking_mode=EXCLUSIVE, which no other process opens;
 * else it is on a server of PostgreSQL. Writes that arrive during a commit share the next one.
 * Every call suspends its task; when the task is cancelled the work still happens and its result is
 * dropped. A call that contradicts the state (a message no longer pending, a turn that has ended) fails
 * with ERROR_REFUSED; other failures may be retried. Secrets in texts are redacted before they are
 * stored. Finished data is deleted after a while (store/retention/retention.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/journal.h"
#include "llm/history.h"
#include "store/usage.h"
#include "store/retention/retention.h"

struct cluster_ops;
struct cluster_settings;
struct error;
struct json_object;
struct histogram;
struct store;
struct store_settings;
struct task;

extern struct histogram store_commit_time;

struct store_options {
	const char *dir;                       /* made (0700) when missing */
	const struct store_settings *settings; /* NULL: in a file */
	/* After an unclean stop, a database up to this size is checked before the store is ready; a larger
	 * one in slices afterwards. */
	int64_t check_now_bytes; /* 0: 32 MiB */
	struct retention retention;
	/* NULL: no other gateway may use the database. Needs one of PostgreSQL. Copied; node_ops get arg. */
	const struct cluster_settings *cluster;
	const struct cluster_ops *node_ops;
	/* Called on the loop with problems that the operator must know of (a damaged database or log, a
	 * full disk). May be NULL. */
	void (*notice)(void *arg, const char *text);
	void *arg;
};

/* Fails with ERROR_OURS within a second when another process has the directory. A damaged file is
 * renamed to myna.db.damaged-TIME, its readable rows are recovered, and notice is called. Damage found
 * later makes calls fail until the next opening. */
struct store *store_open(struct task *t, const struct store_options *options, struct error *err);
/* Runs the queued jobs, checkpoints, and records a clean stop. */
void store_close(struct task *t, struct store *s);
struct journal store_journal(struct store *s);

struct store_counts {
	int64_t inbox_pending, outbox_queued, outbox_uncertain, outbox_failed, turns_open, turns_dead,
	    sessions, db_bytes;
	int64_t approvals_open; /* tool calls that wait for approval */
	int64_t wal_bytes;      /* in the write-ahead log, not yet in the file */
	int64_t unclean_stops;  /* ever */
	int64_t newest_ms;      /* arrival of the newest message, 0 for none */
	int64_t commits;        /* since store_open; several calls share one */
	int64_t round_trips;    /* to the server of the database, since store_open */
	/* Unresolved trouble. */
	bool is_damaged, is_full, is_failing;
};
int store_count(struct task *t, struct store *s, struct store_counts *out, struct error *err);

/* Gets the settings of a server by which a crash, or a failover, may lose what was acknowledged, malloc'd;
 * NULL: none, or no server. */
int store_risk(struct task *t, struct store *s, char **risk, struct error *err);

/* Traces one message: {"inbound", "turn", "steps": [{"at_ms", "step", "text"}]} in order of time; at_ms 0:
 * not finished. what: an inbound id, CHANNEL:CHAT:ID or ID with a platform's id of a person's or the bot's
 * message, or turn:N. *out is NULL when there is no such message. */
int store_trace(
    struct task *t, struct store *s, const char *what, struct json_object **out, struct error *err);

/* Copies the database into a new file (0600), in slices between other work; the file gets its name when it
 * is complete, checked and synced. ERROR_REFUSED when the file exists or cannot be created. */
int store_backup(struct task *t, struct store *s, const char *file, struct error *err);

/* Lists turns that were given up, newest first: [{"turn", "chat", "ended_ms", "attempts", "rounds",
 * "text"}]. */
int store_dead_turns(struct task *t, struct store *s, struct json_object **out, struct error *err);
/* Gets where a dead turn was asked for. ERROR_REFUSED when there is none whose messages are still kept. */
int store_dead_turn_where(
    struct task *t, struct store *s, int64_t turn, struct address *where, struct error *err);
/* Drops a dead turn and deletes its transcript. */
int store_dead_turn_drop(struct task *t, struct store *s, int64_t turn, struct error *err);
/* Like store_dead_turn_drop, and makes its *count messages in that chat pending again. */
int store_dead_turn_retry(
    struct task *t, struct store *s, int64_t turn, struct address *where, size_t *count, struct error *err);

/* Gets the current session of an address; creates one when there is none. */
int store_session(
    struct task *t, struct store *s, const struct address *where, int64_t *session, struct error *err);
/* As store_session, and in the same commit ends the inbound message (0 for none) and, when neither the chat
 * nor a thread of it ever had a session, puts the rows into the outbox; otherwise their ids stay 0. */
int store_session_welcome(struct task *t, struct store *s, const struct address *where, int64_t inbound,
    struct outbound *const *rows, size_t count, int64_t *session, struct error *err);
/* Ends the current session of the address, starts a new one and drops the earlier context, in one commit
 * with the end of the inbound message that asked for it (0 for none) and with the answers. */
int store_session_renew(struct task *t, struct store *s, const struct address *where, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, int64_t *session, struct error *err);

/* Records the outcome of a turn's message as context for the chat's next turn; once per event. */
int store_note_delivery(
    struct task *t, struct store *s, int64_t turn, const char *event, const char *text, struct error *err);

/* Like store_note_delivery, for deliveries that failed or are uncertain since then (wall clock) and were
 * not noted because the process ended: answers, and messages that became final late_ms after their
 * commit. */
int store_note_undelivered(
    struct task *t, struct store *s, int64_t since_ms, int64_t late_ms, struct error *err);

/* Reads the newest complete turns of a session whose sizes add up to at most max_bytes (at least the
 * newest), in order, without dead turns. */
int store_history(struct task *t, struct store *s, int64_t session, size_t max_bytes, struct llm_history *out,
    struct error *err);

#endif
