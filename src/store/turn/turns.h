#ifndef STORE_TURN_TURNS_H
#define STORE_TURN_TURNS_H
/* Turns of a session. A turn begins with the messages that it answers, journals each tool call, and ends
 * with its deliveries, each step in one commit. Every call suspends its task, as in store/store.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/journal.h"
#include "store/usage.h"

struct address;
struct error;
struct llm_history;
struct llm_message;
struct message;
struct outbound;
struct store;
struct task;

enum store_turn_state {
	STORE_TURN_OPEN,
	STORE_TURN_DONE,
	STORE_TURN_STOPPED,
	STORE_TURN_FAILED,
	STORE_TURN_DEAD
};

struct store_turn {
	int64_t id, session;
	/* How often it was started or resumed, including this time; clean stops in between do not count. */
	unsigned attempts;
	unsigned rounds;          /* model replies with tool calls so far */
	int64_t waiting_since_ms; /* wall clock when it began to wait for the model; 0: never */
	char *instructions;       /* that an admin gave the chat; NULL for none; malloc'd */
	char *model;              /* chosen for the chat at the start or resume; NULL for none; malloc'd */
	struct store_usage spent; /* not stored yet: the turn's next commit includes it */
	/* Platform id of the message that shows the answer so far; NULL for none; malloc'd. */
	char *preview;
	/* Inbound messages that it answers; malloc'd. */
	int64_t *inbound;
	size_t inbound_count;
	/* The last inbound message, without its text unless a schedule sent it: who asked, where, and the
	 * message to reply to. */
	struct message *asked;
	/* Platform id of the one person who asks, "" for several, NULL when unknown; malloc'd. */
	char *person;
	/* Ids of calls that started and have no result; malloc'd strings, NULL-terminated. */
	char **unfinished;
	/* The history as its beginning read it; NULL: store_history reads it. malloc'd. */
	struct llm_history *history;
	size_t history_max; /* of that; 0: it was not asked for */
	uint64_t changes;   /* struct warm_histories.changes before that */
};
void store_turn_clear(struct store_turn *turn);

/* What wording the message of a turn needs to know of a chat. */
struct store_turn_opening {
	int64_t session; /* its current conversation; 0: none */
	bool expired;    /* nothing was said in it since store_turn_start.fresh_ms */
	/* Context messages since its last turn, in order; owned. */
	struct message *context[JOURNAL_CONTEXT_MAX];
	size_t context_count;
};
void store_turn_opening_clear(struct store_turn_opening *o);

struct store_turn_start {
	int64_t session; /* 0: the current one of where, if nothing must be known of it */
	const struct address *where;
	const char *context; /* the thread of where whose context messages it needs */
	int64_t fresh_ms;    /* a conversation whose last message is older (wall clock) has expired */
	size_t history_max;  /* as in store_history, for a chat that has chosen no model; 0: not read */
	const struct message *const *inbound; /* the messages that it claims; it answers the last */
	size_t inbound_count;
	struct llm_message *user;
	const char *person; /* as in struct store_turn */
	int64_t again;      /* a turn to undo because it is answered again; 0 for none */
	bool renew;         /* ends the session; the turn starts in a new one */
	/* Messages to the chat. */
	struct outbound *const *rows;
	size_t row_count;
};
/* Starts a turn with its user message and the inbound messages that it claims, in one commit, and reads what
 * it needs. Fills turn. ERROR_REFUSED when a message is not pending, the session has an open turn, or the
 * turn to undo is no longer its last. Without inbound messages, asked->from is the session's address. Returns
 * 0; without start->session also 1: nothing was done, because the chat has no conversation, or an expired
 * one, or context messages; *opening says which, for another call. Else opening may be NULL. */
int store_turn_start(struct task *t, struct store *s, const struct store_turn_start *start,
    struct store_turn *turn, struct store_turn_opening *opening, struct error *err);
/* Like store_turn_start, for the common case. */
int store_turn_begin(struct task *t, struct store *s, int64_t session, const struct message *const *inbound,
    size_t inbound_count, struct llm_message *user, struct store_turn *turn, struct error *err);
/* Resumes the open turn of an address after a restart. Returns 1 with turn filled and its attempts
 * incremented (committed), 0 for none, or -1. */
int store_turn_resume(
    struct task *t, struct store *s, const struct address *where, struct store_turn *turn, struct error *err);
/* Gets how often the open turn of an address was started or resumed; 0 when there is none. *has_effects
 * (NULL: not wanted): its former process may still cause effects that no fence stops, as a started call runs
 * on, and the message that shows the answer so far is edited. */
int store_turn_attempts(struct task *t, struct store *s, const struct address *where, unsigned *attempts,
    bool *has_effects, struct error *err);
/* Appends messages to the turn's transcript and sets their ids. Stores rounds too. This and the functions
 * below fail when the turn has ended. */
int store_turn_append(struct task *t, struct store *s, const struct store_turn *turn,
    struct llm_message *const *messages, size_t count, struct error *err);
/* Adds messages to an open turn: it claims the inbound messages, and user is appended to its transcript, in
 * one commit. It answers the last one from then on; person as in struct store_turn. ERROR_REFUSED when a
 * message is not pending. */
int store_turn_join(struct task *t, struct store *s, struct store_turn *turn,
    const struct message *const *inbound, size_t inbound_count, struct llm_message *user, const char *person,
    struct error *err);
/* Stores the id of the message that shows the answer so far. */
int store_turn_preview(struct task *t, struct store *s, const struct store_turn *turn, const char *message_id,
    struct error *err);
/* Journals that these calls are about to run. ERROR_REFUSED when one was already started in this turn. */
int store_calls_start(struct task *t, struct store *s, const struct store_turn *turn,
    const char *const *call_ids, size_t count, struct error *err);
/* Records that the turn waits for the model, together with messages to its chat. Earlier interruptions were
 * not its fault, so its attempts restart at 0. Sets attempts, and waiting_since_ms on the first wait. */
int store_turn_wait(struct task *t, struct store *s, struct store_turn *turn, struct outbound *const *rows,
    size_t row_count, struct error *err);
/* Gets the sessions of open turns that wait for the model, at most max. Returns their number, -1. */
int store_turns_waiting(struct task *t, struct store *s, int64_t *sessions, size_t max, struct error *err);
/* Records that the turn waits for a person; like store_turn_wait, restarts its attempts at 0. */
int store_turn_uncount_attempt(struct task *t, struct store *s, int64_t turn, struct error *err);
/* Ends the turn in one commit: last messages, deliveries, inbound messages done, state. */
int store_turn_end(struct task *t, struct store *s, const struct store_turn *turn,
    enum store_turn_state state, struct llm_message *const *messages, size_t count,
    struct outbound *const *rows, size_t row_count, struct error *err);
/* After that, with the turn's last messages: keeps the history for the next turn of the place, if it is what
 * the store would read. Empties it. */
void store_turn_keep_history(
    struct store *s, const struct store_turn *turn, const struct address *where, struct llm_history *h);

#endif
