#ifndef SESSION_APPROVAL_ASK_USER_H
#define SESSION_APPROVAL_ASK_USER_H
/*
 * Questions that a tool asks the person whose message began the turn. A question is stored by its turn
 * and call. The person answers with a button or with their next message in the same chat, which then
 * begins no turn: the answer and the end of that message are one commit.
 */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct message;
struct question_choice;
struct sessions;
struct store_question;
struct task;
struct tool_call;
struct tool_question;
struct tool_reply;

/* turn.ask_person; turn_owner is the struct session. */
int ask_person(struct task *t, void *turn_owner, const struct tool_call *call, const struct tool_question *q,
    struct tool_reply *reply, struct error *err);
/* Loads the open questions, before messages that arrived meanwhile are classified. taking: of the channels
 * that are taken over; else of all that are here. Suspends. */
int ask_user_load(struct task *t, struct sessions *all, bool taking, struct error *err);
/* Returns whether this message may answer an open question, and if so wakes the asker, which reads the
 * journal. */
bool ask_user_accepts(struct sessions *all, const struct message *m);
/* Wakes the waiter of this turn's question, which has ended. */
void ask_user_ended(struct sessions *all, int64_t turn);
void ask_user_clear(struct sessions *all);

#endif
