#ifndef STORE_STORE_H
#define STORE_STORE_H
/*
 * The durable state: one SQLite database (DIR/myna.db), one connection, on a thread of its
 * own. WAL, synchronous=FULL, locking_mode=EXCLUSIVE; no other process opens it. Writes that
 * arrive while a commit runs share the next one. Every call suspends its task; when the task is
 * cancelled the work still happens and its result is dropped. What contradicts the state (a message that is not pending
 * any more, a turn that has ended) is ERROR_REFUSED; everything else may work later. Texts are stored without the
 * secrets that they hold. What is over is forgotten in its time (store/retention.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/journal.h"
#include "llm/history.h"
#include "store/usage.h"
#include "store/retention.h"

struct error;
struct json_object;
struct meter;
struct store;
struct task;

extern struct meter store_commit_time;

struct store_options {
	const char *dir;	/* made (0700) when missing */
	/* A database up to this size is checked before ready after an unclean stop; a larger one in slices afterwards. */
	int64_t check_now_bytes;	/* 0: 32 MiB */
	struct retention keep;
	/* Told from the loop about things an operator must know (a database or a log that was damaged, a full disk). May be
	 * NULL. */
	void (*notice)(void *arg, const char *text);
	void *arg;
};

/* ERROR_OURS within a second, with a sentence, when another process has the directory. A damaged database is set
 * aside as myna.db.damaged-TIME, what can be read of it is taken over, and notice is told. Damage that is met later
 * makes calls fail until the next opening. */
struct store *store_open(struct task *t, const struct store_options *options, struct error *err);
/* Runs what is queued, checkpoints, marks the stop as clean. */
void store_close(struct task *t, struct store *s);
struct journal store_journal(struct store *s);

struct store_counts {
	int64_t inbox_pending, outbox_queued, outbox_uncertain, outbox_failed, turns_open, turns_dead, sessions, db_bytes;
	int64_t approvals_open;	/* calls that wait for a person's yes */
	int64_t wal_bytes;	/* in the log that are not in the file yet */
	int64_t unclean_stops;	/* ever */
	int64_t newest_ms;	/* when the newest message came, 0: there is none */
	int64_t commits;	/* since store_open; several calls share one */
	/* What the database met and is not over. */
	bool is_damaged, is_full, is_failing;
};
int store_count(struct task *t, struct store *s, struct store_counts *out, struct error *err);

/* The way of one message: {"inbound", "turn", "steps": [{"at_ms", "step", "text"}]} in the order of time, where 0 is not over
 * yet. what: the number of an inbound row, CHANNEL:CHAT:ID or ID with an id of the platform (theirs or ours), or turn:N. *out is
 * NULL when there is no such message. */
int store_trace(struct task *t, struct store *s, const char *what, struct json_object **out, struct error *err);

/* Copies the database into a new file (0600), in slices between other work; it has its name when it is whole, checked and
 * synced. REFUSED when there is such a file, or it cannot be made. */
int store_backup(struct task *t, struct store *s, const char *file, struct error *err);

/* Turns that were given up, newest first: [{"turn", "chat", "ended_ms", "attempts", "rounds", "text"}]. */
int store_dead(struct task *t, struct store *s, struct json_object **out, struct error *err);
/* Done with: what was said in it is forgotten. */
int store_dead_drop(struct task *t, struct store *s, int64_t turn, struct error *err);
/* The same, and its messages are pending again: so many, in that chat. */
int store_dead_retry(struct task *t, struct store *s, int64_t turn, struct address *where, size_t *count, struct error *err);

/* The current session of an address; made when there is none. */
int store_session(struct task *t, struct store *s, const struct address *where, int64_t *session, struct error *err);
/* Closes the current session of the address and makes a new one, and forgets the context before it, together with the end of the inbound message that
 * asked for it (0: none) and the rows that answer it. */
int store_session_renew(struct task *t, struct store *s, const struct address *where, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, int64_t *session, struct error *err);

/* What was said in a chat since its last turn and needed no answer (JOURNAL_CONTEXT), in order: how many (at most
 * JOURNAL_CONTEXT_MOST), or -1. The caller frees them, and gives their rows to the turn that has read them. */
int store_context(struct task *t, struct store *s, const struct address *where, struct message **out, struct error *err);

/* What became of a message of a turn, told with the next turn of its chat as context; once for each event. */
int store_note_delivery(struct task *t, struct store *s, int64_t turn, const char *event, const char *text,
    struct error *err);

/* The same for what failed, or may not have arrived, since then (wall clock) and was not told because the process ended: answers,
 * and messages whose end came late_ms after they were put. */
int store_note_undelivered(struct task *t, struct store *s, int64_t since_ms, int64_t late_ms, struct error *err);

/* The newest whole turns of a session whose sizes add up to at most max_bytes (at least the newest), in order.
 * Without those that were given up as dead. */
int store_history(struct task *t, struct store *s, int64_t session, size_t max_bytes, struct llm_history *out,
    struct error *err);

enum store_turn_state { STORE_TURN_OPEN, STORE_TURN_DONE, STORE_TURN_STOPPED, STORE_TURN_FAILED, STORE_TURN_DEAD };

struct store_turn {
	int64_t id, session;
	/* How often it was begun or resumed, this time included; stops in good order in between do not count. */
	unsigned attempts;
	unsigned rounds;	/* model replies with calls so far */
	int64_t waits_ms;	/* wall clock when it began to wait for the model; 0: it never did */
	char *model;		/* that was chosen for its chat when it was begun or resumed, NULL for none; malloc'd */
	struct store_usage spent;	/* not stored so far: what is stored next of the turn takes it along */
	/* The platform's id of a message that shows the answer as far as it was written, NULL if none; malloc'd. */
	char *preview;
	/* Inbound rows that it answers; malloc'd. */
	int64_t *inbound;
	size_t inbound_count;
	/* The last inbound message, without text: who asked, where, which message to reply to. */
	struct message *asked;
	/* The platform's id of the one person who asks, "" when several do, NULL when that is not known; malloc'd. */
	char *person;
	/* Ids of calls that were started and have no result; malloc'd strings, NULL-terminated. */
	char **unfinished;
};
void store_turn_clear(struct store_turn *turn);

struct store_turn_start {
	int64_t session;
	const struct message *const *inbound;	/* the rows that it takes; the last is answered */
	size_t inbound_count;
	struct llm_message *user;
	const char *person;	/* as in struct store_turn */
	int64_t again;		/* a turn whose exchange is taken back, as it is answered anew; 0: none */
	bool renew;		/* the session ends, and the turn begins in a new one */
	/* What the chat is told then. */
	struct outbound *const *rows;
	size_t row_count;
};
/* Begins a turn: the turn, its user message and the inbound rows that it takes, in one commit. Fills turn. Fails when a
 * row is not pending, the session has an open turn, or the turn to be taken back is not its last any more. Without inbound
 * rows, asked->from is the session's address. */
int store_turn_start(struct task *t, struct store *s, const struct store_turn_start *start, struct store_turn *turn,
    struct error *err);
/* The same without what is rare. */
int store_turn_begin(struct task *t, struct store *s, int64_t session, const struct message *const *inbound,
    size_t inbound_count, struct llm_message *user, struct store_turn *turn, struct error *err);
/* The open turn of an address that a stop cut off: 1 with turn filled and its attempts counted up (committed), 0 none, -1. */
int store_turn_resume(struct task *t, struct store *s, const struct address *where, struct store_turn *turn,
    struct error *err);
/* How often the open turn of an address was begun or resumed so far: 0 when there is none. */
int store_turn_attempts(struct task *t, struct store *s, const struct address *where, unsigned *attempts,
    struct error *err);
/* Appends messages to the turn's transcript; sets their ids. rounds is stored too. This and what follows fail when the
 * turn has ended. */
int store_turn_append(struct task *t, struct store *s, const struct store_turn *turn,
    struct llm_message *const *messages, size_t count, struct error *err);
/* Messages join an open turn: it takes the inbound rows, and user goes into its transcript, in one commit. The last is what it
 * answers from then on; person as in struct store_turn. Fails when a row is not pending. */
int store_turn_join(struct task *t, struct store *s, struct store_turn *turn, const struct message *const *inbound,
    size_t inbound_count, struct llm_message *user, const char *person, struct error *err);
/* Keeps the id of a message that shows what is written so far. */
int store_turn_preview(struct task *t, struct store *s, const struct store_turn *turn, const char *message_id,
    struct error *err);
/* Journals that these calls are about to run, before they do. Fails when one was started before in this turn. */
int store_calls_start(struct task *t, struct store *s, const struct store_turn *turn, const char *const *call_ids,
    size_t count, struct error *err);
/* Notes that the turn waits for the model, together with the rows that tell its chat. Nothing that cut it off so far was its
 * fault: its attempts begin again at 0. Sets attempts, and waits_ms if it never waited. */
int store_turn_wait(struct task *t, struct store *s, struct store_turn *turn, struct outbound *const *rows,
    size_t row_count, struct error *err);
/* The turn waits for a person: as with store_turn_wait, its attempts begin again at 0. */
int store_turn_excuse(struct task *t, struct store *s, int64_t turn, struct error *err);
/* Ends the turn: last messages, rows that leave, inbound rows done, state: one commit. */
int store_turn_end(struct task *t, struct store *s, const struct store_turn *turn, enum store_turn_state state,
    struct llm_message *const *messages, size_t count, struct outbound *const *rows, size_t row_count,
    struct error *err);

#endif
