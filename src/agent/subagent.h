#ifndef AGENT_SUBAGENT_H
#define AGENT_SUBAGENT_H
/* An agent of its own for one task: it begins with an empty conversation, has a budget, and answers the agent
 * that gave it the task. Nothing of it is journalled: the call that it works for is, and does not run again.
 * Private to the agent. */
struct error;
struct task;
struct tool_call;
struct tool_agent_result;

/* run_agent of struct tool_services; agent is the struct turn_state of the turn. */
int subagent_run(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
    struct tool_agent_result *out, struct error *err);

#endif
