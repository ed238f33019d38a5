#ifndef SESSION_TURN_TURN_H
#define SESSION_TURN_TURN_H
/* One turn of a session, from its begin to its committed end, also while the store fails. */
#include <stdbool.h>

#include "agent/budget.h"
#include "session/access/access.h"

struct address;
struct coalesced;
struct error;
struct message;
struct session;
struct sessions;
struct task;
struct tools;
struct turn;

/* Begins and runs the turn of a message, its continuations, and the chat's messages since the last turn as
 * context. 0: it has ended, or stays open because the process stops. 1: it stays open and waits for the
 * model. -1: it was not begun; ERROR_REFUSED: the message is not pending any more, or the journal has an open
 * turn of this session. */
int session_turn_take(struct task *t, struct session *s, struct coalesced *b, struct error *err);
/* Resumes the turn that was interrupted, or that waited, if there is one. 0, 1: as above. -1: the journal
 * cannot be read. */
int session_turn_resume(struct task *t, struct session *s, struct error *err);
/* Ends the turn that runs or is about to, else drops the oldest waiting message. False: there is neither. */
bool session_stop(struct session *s);
/* The turn is over, or was not begun: clears the requests that were for it alone. */
void session_turn_ended(struct session *s);
/* Ends the turn that runs or is about to, without a notice, because a new message is answered next. */
void session_interrupt(struct session *s);
/* Like session_stop(), but only for what this person asked; NULL: anybody. */
bool session_stop_of(struct session *s, const char *person);
/* Returns the tools for a turn of this person (as in tools_pin_chat) in that chat; tools_unpin() them within
 * the same epoch. */
struct tools *session_tools_pin(const struct sessions *all, const struct address *where, const char *person);
/* Returns the role of the sender in that chat. */
enum access_role session_role(const struct session *s, const struct message *m);
/* Returns whether the sender may not talk to the agent any more. False while the channel is not configured.
 */
bool session_is_denied(const struct session *s, const struct message *m);
/* Returns whose budget a message counts to: its sender's. */
struct budget_spender session_spender(const struct session *s, const struct message *m);
/* Fills what an answer needs to know from a message: facts of the chat, and the rights of the turn, whose
 * chat and row are set. */
void session_turn_context(const struct sessions *all, const struct message *asked, struct turn *turn);
/* Fills what the agent borrows besides the row, from the message that the turn answers. */
void session_turn_fill(struct session *s, struct turn *turn);

#endif
