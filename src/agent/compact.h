#ifndef AGENT_COMPACT_H
#define AGENT_COMPACT_H
/*
 * Room in the model's window. Where a conversation fills three quarters of it, what is old gives way to a
 * summary; the present turn, and as much before it as takes a quarter of the window, stay. It always shrinks
 * or says that it does not: where the model cannot summarise, what is old is left out with a word about it,
 * and where nothing is old, the results of tools give way. Private to the agent.
 */
#include <stdbool.h>
#include <stddef.h>

struct agent;
struct turn_state;
struct error;
struct task;

/* How much of a history is read for the model that was chosen (NULL: none was), in bytes. */
size_t compact_history_max(const struct agent *a, const char *model);

/* Before each request; refused: a provider has just said that it does not fit, whatever we guess. other:
 * tokens that the request has besides the history. 1: it is shorter now, or fits; a summary is committed, and
 * the chat is told. 0: it cannot be made shorter. -1: cancelled, or the store failed. */
int compact_turn(struct task *t, struct turn_state *d, size_t other, bool refused, struct error *err);

#endif
