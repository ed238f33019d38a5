#ifndef SESSION_PLAN_H
#define SESSION_PLAN_H
/*
 * Plans that a tool keeps and the chat sees. Each is one message, edited when the plan changes: one
 * edit at a time and at a readable pace. Versions that were superseded meanwhile are skipped.
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
/* Shows plans whose latest version was not shown. taking: of the channels that are taken over, which may be
 * repeated; else of all that are here. Suspends. */
int plan_load(struct task *t, struct sessions *all, bool taking, struct error *err);

/* plan_text.c: stored and visible forms of a plan, for plan.c. Returned strings are malloc'd. */

/* Returns whether all steps are done. */
bool plan_is_over(const struct tool_plan *plan);
char *plan_write(const struct tool_plan *plan);
/* Renders what plan_write wrote as Markdown, each step cut to `most` characters. */
char *plan_text(const char *steps, size_t most);

#endif
