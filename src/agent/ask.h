#ifndef AGENT_ASK_H
#define AGENT_ASK_H
/* A question to the model beside the conversation. Private to the agent. */
struct error;
struct task;

/* ask_model of struct tool_host; agent is the struct dialogue of the turn. */
int ask_about_text(
    struct task *t, void *agent, const char *question, const char *text, char **answer, struct error *err);

#endif
