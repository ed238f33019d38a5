#ifndef SESSION_STOP_REACTION_H
#define SESSION_STOP_REACTION_H
/* The reaction that stops a turn: of a person who may give /stop, on their own message that is being
 * answered, or on the message that shows the answer as it grows. Private to sessions. */
struct error;
struct message;
struct sessions;
struct task;

/* Is m such a reaction, of somebody who may talk here? 1: it is done, and *reply, a literal, is for its chat
 * ("": nothing), of which m->from then has the thread. 0: it is none. -1: the store failed. */
int stop_reaction_received(
    struct task *t, struct sessions *all, struct message *m, const char **reply, struct error *err);

#endif
