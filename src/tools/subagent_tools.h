#ifndef TOOLS_SUBAGENT_TOOLS_H
#define TOOLS_SUBAGENT_TOOLS_H
/* The tools and the limits of a sub-agent. */
#include <stdint.h>

struct background_limits;
struct tools;

/* Returns a view like tools_pin's whose file tools access only the workspace. Free it with
 * subagent_tools_free. */
struct tools *subagent_tools_new(const struct tools *ts);
void subagent_tools_free(struct tools *view);

/* The time and token limits of one sub-agent. */
int64_t tools_task_ms(const struct tools *ts);
int64_t tools_task_tokens(const struct tools *ts);
/* The limit on background sub-agents, together with commands. */
struct background_limits tools_task_limits(const struct tools *ts);

#endif
