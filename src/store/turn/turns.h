#ifndef STORE_TURN_TURNS_H
#define STORE_TURN_TURNS_H
/* Turns of a session: begun with the messages that they answer, journalled call by call, ended with what
 * leaves, each in one commit. As in store/store.h, every call suspends its task. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/usage.h"

struct address;
struct error;
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
	/* How often it was begun or resumed, this time included; stops in good order in between do not
	 * count. */
	unsigned attempts;
	unsigned rounds;    /* model replies with calls so far */
	int64_t waits_ms;   /* wall clock when it began to wait for the model; 0: it never did */
	char *instructions; /* that an admin gave its chat, read with the model; NULL for none; malloc'd */
	char *model; /* that was chosen for its chat when it was begun or resumed, NULL for none; malloc'd */
	struct store_usage spent; /* not stored so far: what is stored next of the turn takes it along */
	/* The platform's id of a message that shows the answer as far as it was written, NULL if none;
	 * malloc'd. */
	char *preview;
	/* Inbound rows that it answers; malloc'd. */
	int64_t *inbound;
	size_t inbound_count;
	/* The last inbound message, without text unless a schedule sent it: who asked, where, which message
	 * to reply to. */
	struct message *asked;
	/* The platform's id of the one person who asks, "" when several do, NULL when that is not known;
	 * malloc'd. */
	char *person;
	/* Ids of calls that were started and have no result; malloc'd strings, NULL-terminated. */
	char **unfinished;
};
void store_turn_clear(struct store_turn *turn);

struct store_turn_start {
	int64_t session;
	const struct message *const *inbound; /* the rows that it takes; the last is answered */
	size_t inbound_count;
	struct llm_message *user;
	const char *person; /* as in struct store_turn */
	int64_t again;      /* a turn whose exchange is taken back, as it is answered anew; 0: none */
	bool renew;         /* the session ends, and the turn begins in a new one */
	/* What the chat is told then. */
	struct outbound *const *rows;
	size_t row_count;
};
/* Begins a turn: the turn, its user message and the inbound rows that it takes, in one commit. Fills turn.
 * Fails when a row is not pending, the session has an open turn, or the turn to be taken back is not its last
 * any more. Without inbound rows, asked->from is the session's address. */
int store_turn_start(struct task *t, struct store *s, const struct store_turn_start *start,
    struct store_turn *turn, struct error *err);
/* The same without what is rare. */
int store_turn_begin(struct task *t, struct store *s, int64_t session, const struct message *const *inbound,
    size_t inbound_count, struct llm_message *user, struct store_turn *turn, struct error *err);
/* The open turn of an address that a stop cut off: 1 with turn filled and its attempts counted up
 * (committed), 0 none, -1. */
int store_turn_resume(
    struct task *t, struct store *s, const struct address *where, struct store_turn *turn, struct error *err);
/* How often the open turn of an address was begun or resumed so far: 0 when there is none. */
int store_turn_attempts(
    struct task *t, struct store *s, const struct address *where, unsigned *attempts, struct error *err);
/* Appends messages to the turn's transcript; sets their ids. rounds is stored too. This and what follows fail
 * when the turn has ended. */
int store_turn_append(struct task *t, struct store *s, const struct store_turn *turn,
    struct llm_message *const *messages, size_t count, struct error *err);
/* Messages join an open turn: it takes the inbound rows, and user goes into its transcript, in one commit.
 * The last is what it answers from then on; person as in struct store_turn. Fails when a row is not
 * pending. */
int store_turn_join(struct task *t, struct store *s, struct store_turn *turn,
    const struct message *const *inbound, size_t inbound_count, struct llm_message *user, const char *person,
    struct error *err);
/* Keeps the id of a message that shows what is written so far. */
int store_turn_preview(struct task *t, struct store *s, const struct store_turn *turn, const char *message_id,
    struct error *err);
/* Journals that these calls are about to run, before they do. Fails when one was started before in this
 * turn. */
int store_calls_start(struct task *t, struct store *s, const struct store_turn *turn,
    const char *const *call_ids, size_t count, struct error *err);
/* Notes that the turn waits for the model, together with the rows that tell its chat. Nothing that cut it off
 * so far was its fault: its attempts begin again at 0. Sets attempts, and waits_ms if it never waited. */
int store_turn_wait(struct task *t, struct store *s, struct store_turn *turn, struct outbound *const *rows,
    size_t row_count, struct error *err);
/* The turn waits for a person: as with store_turn_wait, its attempts begin again at 0. */
int store_turn_uncount_attempt(struct task *t, struct store *s, int64_t turn, struct error *err);
/* Ends the turn: last messages, rows that leave, inbound rows done, state: one commit. */
int store_turn_end(struct task *t, struct store *s, const struct store_turn *turn,
    enum store_turn_state state, struct llm_message *const *messages, size_t count,
    struct outbound *const *rows, size_t row_count, struct error *err);

#endif
