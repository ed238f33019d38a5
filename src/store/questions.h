#ifndef STORE_QUESTIONS_H
#define STORE_QUESTIONS_H
/*
 * Questions with buttons, kept until somebody presses one or their time is over. A prompt is put together
 * with the message that shows it, and ended once, whoever comes first: what follows from a press happens
 * after that commit. The functions are as those of store.h.
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
	int64_t outbox; /* the row that shows it */
	struct address where;
	int64_t created_ms, expires_ms; /* wall clock */
	char *token;                    /* known to its buttons alone */
	char *person;                   /* the platform's id of who may press */
	char *action, *data;            /* the core's own */
	int64_t turn;                   /* the turn of which a call waits for it, 0: none */
	char *call_id, *hash;           /* of that call, and of what it would do; NULL: none */
	int64_t heard; /* the newest inbox row when it was put: what comes later may be an answer in words */
	/* Of a pressed one: */
	char *choice;
	int64_t press; /* the inbox row of the press that came first, or of the command */
	char *decider; /* the platform's id of who it was */
	/* Of any that has ended: */
	char *way;    /* "button", "command", "words", "timeout", "stopped", "elsewhere": what it is about was
			 decided without it */
	char *reason; /* a person's words, NULL: none */
};

/* Inside a write job: puts it as it is. */
int question_insert(struct db *db, struct store_question *p, struct error *err);
struct store_question *store_question_copy(const struct store_question *p);
/* NULL is fine. */
void store_question_free(struct store_question *p);

/* Puts it with the rows that show it, of which the last has the buttons, and the end of the inbound message
 * that it answers (0: none). Sets id, created_ms, heard and outbox. */
int store_question_put(struct task *t, struct store *s, struct store_question *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);
/* 1 with *out new, 0 when no prompt has the token, -1. */
int store_question_find(
    struct task *t, struct store *s, const char *token, struct store_question **out, struct error *err);
/* The prompt of a call; call_id NULL: the open one of the turn. 1, 0 or -1. */
int store_question_of(struct task *t, struct store *s, int64_t turn, const char *call_id,
    struct store_question **out, struct error *err);
/* Of the open ones of that action the first above after_id: 1, 0 or -1. */
int store_question_open(struct task *t, struct store *s, const char *action, int64_t after_id,
    struct store_question **out, struct error *err);
/* Of the open ones the one that expires first: 1, 0 or -1. */
int store_question_next(struct task *t, struct store *s, struct store_question **out, struct error *err);
/* Ends an open one as p->state says, with what came of it, together with the rows that follow (to take its
 * buttons away, to answer) and the end of the inbound message that did it (0: none). ERROR_REFUSED when it
 * was not open. */
int store_question_end(struct task *t, struct store *s, const struct store_question *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);

#endif
