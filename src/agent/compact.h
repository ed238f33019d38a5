#ifndef AGENT_COMPACT_H
#define AGENT_COMPACT_H
/*
 * Keeps a conversation within the model's context window. When it fills three quarters of the window,
 * old messages are replaced by a summary; the current turn stays, with as much before it as takes a
 * quarter of the window. If the model cannot summarise, old messages are dropped with a notice; if there
 * are none, tool results are shortened. Always shortens the history or reports that it cannot.
 */
#include <stdbool.h>
#include <stddef.h>

struct agent;
struct budget_spender;
struct error;
struct llm_history;
struct task;
struct turn_state;

/* Returns how many bytes of history to read for the chosen model (NULL for none). */
size_t compact_history_max(const struct agent *a, const char *model);

/* Call it before each request, or with refused after a provider refused the length, whatever we estimate.
 * other: tokens of the request besides the history. Returns 1 when the history fits, perhaps shortened: a
 * summary is committed then, and the chat is told. Returns 0 when it cannot be shortened, -1 when cancelled
 * or the store failed. */
int compact_turn(struct task *t, struct turn_state *d, size_t other, bool refused, struct error *err);

/* summary.c: Summaries of conversations, written by the model. */

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
