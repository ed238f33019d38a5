#ifndef AGENT_SUMMARY_H
#define AGENT_SUMMARY_H
/* Summaries of conversations, written by the model. */
#include <stddef.h>

struct budget_spender;
struct error;
struct llm_history;
struct task;

struct summary_request {
	const struct budget_spender *who;
	const char *model; /* chosen for the chat, NULL for none */
	const struct llm_history *history;
	size_t count; /* number of first messages to summarise */
};

/* Makes a summary, malloc'd, in several parts when the messages do not fit. Returns -1 when cancelled
 * (ERROR_CANCELLED), when no model answers for now (ERROR_NETWORK or ERROR_LIMITED), or when it failed.
 * Suspends. */
int summary_make(struct task *t, const struct summary_request *r, char **out, struct error *err);
/* Returns a substitute without a model: the previous summary, and a note that the rest is left out.
 * Malloc'd. */
char *summary_without(const struct llm_history *h, size_t count);

#endif
