#ifndef SESSION_APPROVAL_APPROVAL_H
#define SESSION_APPROVAL_APPROVAL_H
/*
 * Tool calls that wait for a person's approval. The request is a question with buttons (question.h),
 * stored by its turn and call, so that it and its answer survive a restart. It is shown in the chat of
 * the conversation or where the settings say, with an id for /approve and /reject. The first answer
 * counts, and is committed before it takes effect.
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

/* Maximum bytes of an action shown in a request, which may take several messages. */
#define APPROVAL_SHOWN_MAX 12000

/* turn.approve; arg is the struct sessions. */
int approval_ask(struct task *t, void *arg, const struct turn *turn, const char *call_id,
    const struct approval *a, struct approval_answer *answer, struct error *err);
/* Wakes the waiter of this turn's approval, which has ended. 0: wakes nobody. */
void approval_ended(struct sessions *all, int64_t turn);
/* Closes the open approvals of a turn that will not continue. If the store fails, they expire. */
void approval_withdraw(struct task *t, struct sessions *all, int64_t turn);
/* Returns why the sender of m may not decide; NULL: they may. */
const char *approval_refuse(const struct sessions *all, const struct store_question *p,
    const struct message *m, enum access_role role);

/* Where there are no buttons, "y", "yes", "n" and "no" answer the one open request of the chat: makes such a
 * message the command that it means. */
void approval_read_decision(const struct sessions *all, struct message *m);

extern const struct question_choice approval_choices[]; /* allow, then reject */

#endif
