#ifndef TOOLS_GUARD_H
#define TOOLS_GUARD_H
/* The checks between a valid call and its run: its folder, and the safety rules. Neither suspends. */
#include <stdbool.h>

struct json_object;
struct tool;
struct tool_call;

/* Returns the failure of a call that is always refused; NULL otherwise. */
struct json_object *guard_refusal(
    const struct tool_call *call, const struct tool *tool, struct json_object *args);
/* Returns the rule that requires approval; NULL when none does or the operator has confirmed. */
const char *guard_asks(const struct tool_call *call, const struct tool *tool, struct json_object *args);
/* Returns true when a person has approved that the running call writes a file that a model gets as
 * instructions. */
bool guard_allows_prompt_file(const struct tool_call *call);

#endif
