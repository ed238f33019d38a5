#ifndef SESSION_PLAN_H
#define SESSION_PLAN_H
/*
 * Plans that a tool keeps and the chat sees: one message each, which is changed when the plan does, one
 * change at a time and not more often than a person reads; what was overtaken meanwhile is never sent.
 * Private to sessions.
 */
#include <stdbool.h>
#include <stddef.h>

struct error;
struct sessions;
struct task;
struct tool_call;
struct tool_plan;

/* turn.show_plan; turn_owner is the struct session. */
int plan_show(struct task *t, void *turn_owner, const struct tool_call *call, const struct tool_plan *plan,
    struct error *err);
/* After a start: shows what was not shown yet. */
int plan_load(struct task *t, struct sessions *all, struct error *err);

/* plan_text.c: A plan as it is kept and as a chat reads it, for plan.c. What is returned is malloc'd. */

/* Is nothing of it left to do? */
bool plan_is_over(const struct tool_plan *plan);
char *plan_write(const struct tool_plan *plan);
/* Markdown of what plan_write wrote, in which each step has at most so many characters. */
char *plan_text(const char *steps, size_t most);

#endif
