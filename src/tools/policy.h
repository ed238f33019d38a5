#ifndef TOOLS_POLICY_H
#define TOOLS_POLICY_H
/*
 * Which tools may be used by whom and where: tools.policy, a list of rules. Of the rules, in their order, the
 * first that fits the role, the channel and the chat of a call decides, and only takes away: what a role may
 * not use by itself (what writes, sends or asks, for guests; what is for admins, for others) no rule gives.
 */
#include <stdbool.h>

struct config;
struct config_section;
struct policy;
struct targets;
struct tool;
struct tool_call;

extern const struct config_section policy_section; /* "tools.policy[]" */

/* Mistakes are reported to cfg. */
struct policy *policy_read(struct config *cfg, const struct targets *targets);
void policy_free(struct policy *p); /* NULL is fine */

/* Guests use a tool that is not built in only where a rule lets them by its name. */
bool policy_allows(const struct policy *p, const struct tool *tool, const struct tool_call *call);

#endif
