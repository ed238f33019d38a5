#ifndef SESSION_APPROVAL_APPROVAL_H
#define SESSION_APPROVAL_APPROVAL_H
/*
 * Tool calls that need a person's approval. The request is a question with buttons (prompt.h) that stands
 * in the store by its turn and call, so that it and its answer outlive the process; it is shown in the chat
 * of the conversation or where the settings say, with an id for /approve and /reject. The first answer
 * counts, and is committed before anything follows from it. Private to sessions.
 */
#include <stdint.h>

#include "session/approval/question.h"

struct approval;
struct approval_answer;
struct error;
struct message;
struct sessions;
struct store_question;
struct task;
struct turn;

/* Most bytes of an action that is shown; it goes out in as many messages as it takes. */
#define APPROVAL_SHOWN_MAX 12000

/* turn.approve; arg is the struct sessions. */
int approval_ask(struct task *t, void *arg, const struct turn *turn, const char *call_id,
    const struct approval *a, struct approval_answer *answer, struct error *err);
/* The question of a call of this turn has ended: who waits for it looks. 0 is nobody's. */
void approval_ended(struct sessions *all, int64_t turn);
/* Ends what the turn asks, because it will not go on. What the store cannot do ends by its time. */
void approval_withdraw(struct task *t, struct sessions *all, int64_t turn);
/* Why the sender of m may not decide; NULL: they may. */
const char *approval_refuse(const struct sessions *all, const struct store_question *p,
    const struct message *m, enum access_role role);

extern const struct question_choice approval_choices[]; /* the first is the yes, the second the no */

#endif
