#ifndef SESSION_PLAN_TEXT_H
#define SESSION_PLAN_TEXT_H
/* A plan as it is kept and as a chat reads it, for plan.c. What is returned is malloc'd. */
#include <stdbool.h>
#include <stddef.h>

struct tool_plan;

/* Is nothing of it left to do? */
bool plan_is_over(const struct tool_plan *plan);
char *plan_write(const struct tool_plan *plan);
/* Markdown of what plan_write wrote, in which each step has at most so many characters. */
char *plan_text(const char *steps, size_t most);

#endif
