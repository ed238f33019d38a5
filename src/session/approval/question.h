#ifndef SESSION_APPROVAL_QUESTION_H
#define SESSION_APPROVAL_QUESTION_H
/*
 * Questions with buttons. Each is bound to one person, to the message that shows it, and to an action whose
 * data is kept with it; the first press is committed before anything follows from it, and takes the buttons
 * away. Any other press, by somebody else, on an old message or after the time is over, is answered and does
 * nothing. Private to sessions.
 */
#include <stdint.h>

#include "bus/buttons.h"
#include "session/access/access.h"

struct buf;
struct error;
struct message;
struct outbound;
struct sessions;
struct store_question;
struct task;

struct question_choice {
	const char *name, *label; /* name: [a-z0-9_], at most 32 characters */
	enum button_style style;
};

/* What a question is about: a const row. */
struct question_kind {
	const char *name;
	enum access_role role;                 /* the least that the person must still have */
	const struct question_choice *choices; /* ends with a NULL name; NULL: each question has its own: */
	char *(*label)(
	    const struct store_question *p, const char *choice); /* malloc'd, NULL: it has no such choice */
	/* Why this person, who has the role, may not press; NULL: they may. NULL: p->person alone may. */
	const char *(*refuse)(const struct sessions *all, const struct store_question *p,
	    const struct message *m, enum access_role role);
	/* What follows from p->choice; reply is what the chat is told, empty = nothing. Run again when a
	 * crash cut it off, so it must see by itself what it has done. */
	void (*run)(struct task *t, struct sessions *all, const struct store_question *p, struct buf *reply);
};

extern const struct question_kind question_approval, question_ask_user, question_broadcast, question_memory,
    question_pair;

struct question_request {
	const struct question_kind *action;
	const struct message *asked; /* it is answered with the question, and its sender may press */
	const char *data;            /* the action's own */
	const char *text;            /* Markdown */
	uint64_t ms;                 /* how long it stands */
};

/* Can the channel of this message show buttons? */
bool question_is_possible(const struct sessions *all, const struct message *m);
/* Commits the question together with the end of asked. */
int question_ask(struct task *t, struct sessions *all, const struct question_request *q, struct error *err);
/* Somebody pressed something; takes m. */
void question_pressed(
    struct sessions *all, struct message *m, enum access_verdict verdict, enum access_role role);
/* The buttons of a question: as struct outbound has them, malloc'd. */
char *question_buttons(const struct question_kind *action, const char *token);
/* The row that replaces the message which shows a question, after a choice that the sender of m made. */
struct outbound *question_chosen_outbound(const struct outbound *shown, const char *message_id,
    const struct question_choice *choice, const struct message *m);
/* Ends an open one that nobody answered; note is what is shown in place of its buttons, way what is kept. 1:
 * somebody was first. */
int question_close(struct task *t, struct sessions *all, struct store_question *p, const char *way,
    const char *note, struct error *err);
/* Begins to watch the time of open questions, in a task. */
void question_watch(struct sessions *all);

/* 22 characters that nobody guesses, for an id of a button; out holds QUESTION_TOKEN_SIZE. */
#define QUESTION_TOKEN_SIZE 23
void question_token(char *out);

#endif
