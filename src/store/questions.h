#ifndef STORE_QUESTIONS_H
#define STORE_QUESTIONS_H
/*
 * Questions with buttons, stored until a person decides or the time limit expires. A question is
 * committed with the message that shows it and ends once: the first decision counts, and its effects
 * come after that commit. Calls behave as in store.h.
 */
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct db;
struct error;
struct outbound;
struct store;
struct task;

enum store_question_state { STORE_QUESTION_OPEN, STORE_QUESTION_PRESSED, STORE_QUESTION_EXPIRED };

struct store_question {
	int64_t id;
	enum store_question_state state;
	int64_t outbox; /* the delivery that shows it */
	struct address where;
	int64_t created_ms, expires_ms; /* wall clock */
	char *token;                    /* known only to its buttons */
	/* Platform id of the person who may decide. Where several may, what the core understands: a list, or
	 * "". */
	char *person;
	char *action, *data;  /* the core's own */
	int64_t turn;         /* the turn with a tool call that waits for it; 0 for none */
	char *call_id, *hash; /* of that call, and of its effect; NULL for none */
	/* Id of the newest inbound message at the time of the question: a later one may be an answer in
	 * words. */
	int64_t last_inbound;
	/* Once decided: */
	char *choice;
	int64_t press; /* id of the first press, or of the command */
	char *decider; /* platform id of the person who decided */
	/* Once ended in any way: */
	/* "button", "command", "words", "timeout", "stopped", "elsewhere" (decided without the question). */
	char *ended_by;
	char *reason; /* a person's reason; NULL for none */
};

/* Inside a write job: stores it unchanged. */
int question_insert(struct db *db, struct store_question *p, struct error *err);
struct store_question *store_question_copy(const struct store_question *p);
/* NULL is allowed. */
void store_question_free(struct store_question *p);

/* Commits the question with the deliveries that show it, the last of which has the buttons, and the end of
 * the inbound message that it answers (0 for none). Sets id, created_ms, last_inbound and outbox. */
int store_question_put(struct task *t, struct store *s, struct store_question *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);
/* Returns 1 with a new *out, 0 when no question has the token, or -1. */
int store_question_find(
    struct task *t, struct store *s, const char *token, struct store_question **out, struct error *err);
/* Reads the question of a tool call; call_id NULL: the open one of the turn. Returns 1, 0 or -1. */
int store_question_of(struct task *t, struct store *s, int64_t turn, const char *call_id,
    struct store_question **out, struct error *err);
/* Reads the first open question of that action above after_id. Returns 1, 0 or -1. */
int store_question_open(struct task *t, struct store *s, const char *action, int64_t after_id,
    struct store_question **out, struct error *err);
/* Reads the open question that expires first, of this channel; NULL: of all. Returns 1, 0 or -1. */
int store_question_next(
    struct task *t, struct store *s, const char *channel, struct store_question **out, struct error *err);
/* Ends an open question by p->state and its outcome, in one commit with the deliveries that follow (to
 * remove the buttons, to answer) and the end of the inbound message that decided it (0 for none).
 * ERROR_REFUSED when it was not open. */
int store_question_end(struct task *t, struct store *s, const struct store_question *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);

#endif
