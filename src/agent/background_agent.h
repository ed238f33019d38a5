#ifndef AGENT_BACKGROUND_AGENT_H
#define AGENT_BACKGROUND_AGENT_H
/*
 * Sub-agents that go on behind the conversation when their call has answered. That one runs is written down
 * before it does; its end, and what the chat and the agent are told of it, is one commit. After a crash it is
 * not begun again: the chat is told.
 */
struct agent;
struct error;
struct task;
struct tool_call;

/* start_agent of struct tool_services; agent is the struct turn_state of the turn. Private to the agent. */
int background_agent_start(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
    char **id, struct error *err);

/* At the start, before turns run: tells of those that the process before this one did not end. */
int background_agent_report_lost(struct task *t, const struct agent *a, struct error *err);

#endif
