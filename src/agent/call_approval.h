#ifndef AGENT_CALL_APPROVAL_H
#define AGENT_CALL_APPROVAL_H
/* Calls that wait for a person's yes. Private to the agent. */
struct approval;
struct error;
struct task;
struct turn;

/* 1: the call may run, now. 0: it may not; *failure is what the model is told, malloc'd. -1: the turn was
 * cancelled while a person was asked, or the store failed: nothing is decided. */
int approve_call(struct task *t, const struct turn *turn, const char *call_id, const struct approval *a,
    char **failure, struct error *err);

#endif
