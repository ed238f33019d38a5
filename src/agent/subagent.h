#ifndef AGENT_SUBAGENT_H
#define AGENT_SUBAGENT_H
/* Sub-agents: each works on one task in an empty conversation with a budget, and answers the agent that
 * called it. Only the call itself is journalled, and it does not run again. */
struct error;
struct task;
struct tool_call;
struct tool_agent_result;

/* Implements run_agent of struct tool_services; agent is the turn's struct turn_state. */
int subagent_run(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
    struct tool_agent_result *out, struct error *err);

#endif
