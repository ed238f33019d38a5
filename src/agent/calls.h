#ifndef AGENT_CALLS_H
#define AGENT_CALLS_H
/* Running the calls of one model reply. Private to the agent. */
#include "llm/history.h"

struct agent;
struct error;
struct task;
struct turn;

/* The calls of the newest assistant message that have no result yet; NULL when there is none to answer. */
const struct llm_message *calls_open(const struct llm_history *h);

/* Answers every open call: runs what was not begun, tells of what a crash interrupted. Results are journalled and
 * appended to the history in the order of the calls. -1 when the turn was cancelled (results of what ran are
 * journalled, the rest answered as interrupted) or the store failed. */
int calls_run(struct task *t, const struct agent *a, const struct turn *turn, struct llm_history *h, struct error *err);
/* Answers every open call with this failure, without running any. */
int calls_refuse(struct task *t, const struct agent *a, const struct turn *turn, struct llm_history *h,
    const char *code, const char *cause, const char *text, struct error *err);

#endif
