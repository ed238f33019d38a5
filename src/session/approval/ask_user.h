#ifndef SESSION_APPROVAL_ASK_USER_H
#define SESSION_APPROVAL_ASK_USER_H
/*
 * Questions that a tool asks the person whose message began the turn. Such a question stands in the store by
 * its turn and call; it is answered by a button, or by the next words of that person in the same chat, which
 * then are no message for another turn: the end of that message and the answer are one commit. Private to
 * sessions.
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
/* Reads which questions are open, before what came meanwhile is sorted. */
int ask_user_load(struct task *t, struct sessions *all, struct error *err);
/* Is this message what an open question waits for? Then whoever asks is told to look into the journal. */
bool ask_user_accepts(struct sessions *all, const struct message *m);
/* A question of this turn has ended: who waits for it looks. */
void ask_user_ended(struct sessions *all, int64_t turn);
void ask_user_clear(struct sessions *all);

#endif
