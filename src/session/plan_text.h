#ifndef SESSION_PLAN_TEXT_H
#define SESSION_PLAN_TEXT_H
/* Stored and visible forms of a plan, for plan.c. Returned strings are malloc'd. */
#include <stdbool.h>
#include <stddef.h>

struct tool_plan;

/* Returns whether all steps are done. */
bool plan_is_over(const struct tool_plan *plan);
char *plan_write(const struct tool_plan *plan);
/* Renders what plan_write wrote as Markdown, each step cut to `most` characters. */
char *plan_text(const char *steps, size_t most);

#endif
