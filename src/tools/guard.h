#ifndef TOOLS_GUARD_H
#define TOOLS_GUARD_H
/* What stands between a call whose arguments are in order and its run: the folder where it would run, and the
 * safety rules. Neither suspends. */
struct json_object;
struct tool;
struct tool_call;

/* The failure of a call that is refused whatever anybody says; NULL: it is not. */
struct json_object *guard_refusal(
    const struct tool_call *call, const struct tool *tool, struct json_object *args);
/* The rule for which a person has to be asked; NULL: none, or the operator has said yes already. */
const char *guard_asks(const struct tool_call *call, const struct tool *tool, struct json_object *args);

#endif
