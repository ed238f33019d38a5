#ifndef AGENT_BACKGROUND_AGENT_H
#define AGENT_BACKGROUND_AGENT_H
/*
 * Background sub-agents, which continue after their tool call has answered. A job is stored before it starts;
 * its end, with the messages to the chat and the agent, is one commit. After a crash it does not restart: the
 * chat gets a notice.
 */
struct agent;
struct error;
struct task;
struct tool_call;

/* Implements start_agent of struct tool_services; agent is the turn's struct turn_state. */
int background_agent_start(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
    char **id, struct error *err);

/* At startup, before turns run: reports jobs that the previous process left unfinished in chats of this
 * channel; NULL: in those of all channels that are here. */
int background_agent_report_lost(
    struct task *t, const struct agent *a, const char *channel, struct error *err);

#endif
