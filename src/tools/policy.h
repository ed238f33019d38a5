#ifndef TOOLS_POLICY_H
#define TOOLS_POLICY_H
/*
 * Who may use which tools, and where: tools.policy, a list of rules. The first rule that matches
 * the role, channel and chat of a call decides. Rules only restrict: none grants what a role may not use
 * by itself (tools that write, send or ask for guests; admin tools for others).
 */
#include <stdbool.h>

struct config;
struct config_section;
struct policy;
struct targets;
struct tool;
struct tool_call;

extern const struct config_section policy_section; /* "tools.policy[]" */

/* Reports errors to cfg. */
struct policy *policy_read(struct config *cfg, const struct targets *targets);
void policy_free(struct policy *p); /* NULL is allowed */

/* Guests may use a tool that is not built in only if a rule allows it by name. */
bool policy_allows(const struct policy *p, const struct tool *tool, const struct tool_call *call);

#endif
