#ifndef SESSION_APPROVAL_QUESTION_H
#define SESSION_APPROVAL_QUESTION_H
/*
 * Questions with buttons. Each is bound to one person, to the message that shows it, and to an action
 * with stored data. The first press is committed before it takes effect, and removes the buttons. Any
 * other press (by someone else, on an old message, after the time limit) gets an answer and does
 * nothing.
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

/* A kind of question: a const row. */
struct question_kind {
	const char *name;
	enum access_role role;       /* the minimum that the person must still have */
	enum access_role group_role; /* the same in a group; ACCESS_NONE: no other one */
	bool channel_wide;           /* reaches beyond the chat: admins of one group alone may not press */
	const struct question_choice *choices; /* ends with a NULL name; NULL: each question has its own: */
	char *(*label)(
	    const struct store_question *p, const char *choice); /* malloc'd; NULL: no such choice */
	/* Returns why this person, who has the role, may not press; NULL: they may. Without a function only
	 * p->person may. */
	const char *(*refuse)(const struct sessions *all, const struct store_question *p,
	    const struct message *m, enum access_role role);
	/* Acts on p->choice; reply is sent to the chat, empty = nothing. Runs again after a crash, so it must
	 * detect what it already did. */
	void (*run)(struct task *t, struct sessions *all, const struct store_question *p, struct buf *reply);
};

extern const struct question_kind question_approval, question_ask_user, question_broadcast, question_memory,
    question_pair;

struct question_request {
	const struct question_kind *action;
	const struct message *asked; /* answered by the question; its sender may press */
	const char *data;            /* stored for the action */
	const char *text;            /* Markdown */
	uint64_t ms;                 /* time limit */
};

/* Returns whether the channel of this message can show buttons. */
bool question_is_possible(const struct sessions *all, const struct message *m);
/* Commits the question together with the end of asked. */
int question_ask(struct task *t, struct sessions *all, const struct question_request *q, struct error *err);
/* Handles a press of a button; takes m. */
void question_pressed(
    struct sessions *all, struct message *m, enum access_verdict verdict, enum access_role role);
/* Returns the buttons of a question in the format of struct outbound, malloc'd. */
char *question_buttons(const struct question_kind *action, const char *token);
/* Returns the delivery that replaces a question's message after the sender of m has chosen. */
struct outbound *question_chosen_outbound(const struct outbound *shown, const char *message_id,
    const struct question_choice *choice, const struct message *m);
/* Close an open question without an answer, unless another close or press came first; a note replaces its
 * buttons: nobody needs the answer any more, or its time is over. */
int question_withdraw(struct task *t, struct sessions *all, struct store_question *p, struct error *err);
int question_expire(struct task *t, struct sessions *all, struct store_question *p, struct error *err);
/* Starts the task that expires open questions. */
void question_watch(struct sessions *all);

/* Writes 22 random characters that identify a button; out holds QUESTION_TOKEN_SIZE. */
#define QUESTION_TOKEN_SIZE 23
void question_token(char *out);

#endif
