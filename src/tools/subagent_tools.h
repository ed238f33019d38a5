#ifndef TOOLS_SUBAGENT_TOOLS_H
#define TOOLS_SUBAGENT_TOOLS_H
/* The tools as a sub-agent has them, and its budget. */
#include <stdint.h>

struct background_limits;
struct tools;

/* A view as tools_pin's whose file tools see the workspace and no other root. To be given back by
 * subagent_tools_free. */
struct tools *subagent_tools_new(const struct tools *ts);
void subagent_tools_free(struct tools *view);

/* How long one may work, and how many tokens it may take and give. */
int64_t tools_task_ms(const struct tools *ts);
int64_t tools_task_tokens(const struct tools *ts);
/* How many may go on behind conversations, with commands. */
struct background_limits tools_task_limits(const struct tools *ts);

#endif
