#ifndef SESSION_TURN_JOIN_TURN_H
#define SESSION_TURN_JOIN_TURN_H
/* Messages that join the turn that runs, where the queue mode is steer. Private to sessions. */
struct error;
struct llm_history;
struct task;
struct turn;

/* join of struct turn, whose turn_owner is its session. */
int join_turn(struct task *t, struct turn *turn, struct llm_history *add, struct error *err);

#endif
