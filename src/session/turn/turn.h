#ifndef SESSION_TURN_TURN_H
#define SESSION_TURN_TURN_H
/* One turn of a session, from its begin to its committed end, also over a store that fails meanwhile. Private
 * to sessions. */
#include <stdbool.h>

#include "session/access/access.h"

struct coalesced;
struct error;
struct message;
struct session;
struct sessions;
struct task;
struct turn;

/* Begins the turn of a message and what belongs to it, with what else was said in the chat, and runs it. 0:
 * it has ended, or stays open because the process stops. 1: it stays open and waits for the model. -1: it was
 * not begun; ERROR_REFUSED: because the message is not pending any more, or the journal has an open turn of
 * this session. */
int session_turn_take(struct task *t, struct session *s, struct coalesced *b, struct error *err);
/* Goes on with the turn that a stop cut off, or that waited, if there is one. 0, 1: as above. -1: the journal
 * cannot be read. */
int session_turn_resume(struct task *t, struct session *s, struct error *err);
/* Ends the turn that runs or is about to, else drops the oldest message that waits. False: there is
 * neither. */
bool session_stop(struct session *s);
/* The turn under way is over, or was not begun: what was asked of it does not hold for the next. */
void session_turn_ended(struct session *s);
/* Ends the turn that runs or is about to, because of a message that is answered next: its chat is not
 * told. */
void session_interrupt(struct session *s);
/* Of who wrote the message, in its chat. */
enum access_role session_role(const struct session *s, const struct message *m);
/* Fills what follows from a message for an answer to it: what its chat is, and the rights of the turn, of
 * which chat and row are set. */
void session_turn_context(const struct sessions *all, const struct message *asked, struct turn *turn);
/* Fills what the agent is lent besides the row, from the message that is answered. */
void session_turn_fill(struct session *s, struct turn *turn);

#endif
