#ifndef SESSION_SESSION_PLACE_H
#define SESSION_SESSION_PLACE_H
/* The places of the turns that may run at once: who comes first is served first, one turn at a time. Private
 * to sessions. */
struct error;
struct session;
struct sessions;
struct task;

/* Waits for a place. 1: it has one. 0: meanwhile the session wants no turn any more. -1: cancelled. */
int session_place_take(struct task *t, struct session *s, struct error *err);
void session_place_give(struct session *s);
/* Takes one again for the turn that gave its place up for a while. -1: cancelled, and it has one all the
 * same. */
int session_place_again(struct task *t, struct session *s, struct error *err);
/* There may be more places than before. */
void session_place_changed(struct sessions *all);

/* Waits until no other suspect turn runs, so that the next death of the process is held against one alone;
 * gives way to /stop. -1: cancelled. */
int session_alone_take(struct task *t, struct session *s, struct error *err);
void session_alone_give(struct session *s); /* fine also when it was not taken */

#endif
