#ifndef SESSION_TURN_SLOTS_H
#define SESSION_TURN_SLOTS_H
/* The places of the turns that may run at once: who comes first is served first, one turn at a time. Private
 * to sessions. */
struct error;
struct session;
struct sessions;
struct task;
struct turn_slot;

void turn_slot_init(struct turn_slot *slot);
/* Waits for a place. 1: it has one. 0: meanwhile the session wants no turn any more. -1: cancelled. */
int turn_slot_take(struct task *t, struct session *s, struct error *err);
void turn_slot_release(struct session *s);
/* Takes one again for the turn that gave its place up for a while. -1: cancelled, and it has one all the
 * same. */
int turn_slot_retake(struct task *t, struct session *s, struct error *err);
/* There may be more places than before. */
void turn_slots_changed(struct sessions *all);

/* Waits until no other suspect turn runs, so that the next death of the process is held against one alone;
 * gives way to /stop. -1: cancelled. */
int turn_suspect_begin(struct task *t, struct session *s, struct error *err);
void turn_suspect_end(struct session *s); /* fine also when it was not taken */

#endif
