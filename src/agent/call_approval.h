#ifndef AGENT_CALL_APPROVAL_H
#define AGENT_CALL_APPROVAL_H
/* Tool calls that wait for approval. */
struct approval;
struct error;
struct task;
struct turn;

/* Returns 1 when the call may run now. Returns 0 when not; *failure is the tool result, malloc'd. Returns
 * -1 when the turn was cancelled meanwhile or the store failed: nothing is decided then. Suspends. */
int approve_call(struct task *t, const struct turn *turn, const char *call_id, const struct approval *a,
    char **failure, struct error *err);

#endif
