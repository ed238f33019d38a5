#ifndef AGENT_SUMMARY_H
#define AGENT_SUMMARY_H
/* Summaries of conversations, by the model itself. Private to the agent. */
#include <stddef.h>

struct budget_spender;
struct error;
struct llm_history;
struct task;

struct summary_request {
	const struct budget_spender *who;
	const char *model; /* that was chosen for the chat, NULL: none */
	const struct llm_history *history;
	size_t count; /* of its first messages are summarised */
};

/* *out is malloc'd. In parts when all of it does not fit. -1: cancelled (ERROR_CANCELLED), no model answers
 * for now (ERROR_NETWORK or ERROR_LIMITED), or it cannot be done. */
int summary_make(struct task *t, const struct summary_request *r, char **out, struct error *err);
/* What stands in its place where it cannot be made: what was summarised before, and that the rest is left
 * out. Malloc'd. */
char *summary_without(const struct llm_history *h, size_t count);

#endif
