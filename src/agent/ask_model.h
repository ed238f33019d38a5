#ifndef AGENT_ASK_MODEL_H
#define AGENT_ASK_MODEL_H
/* A question to the model beside the conversation. Private to the agent. */
struct error;
struct task;

/* ask_model of struct tool_services; agent is the struct turn_state of the turn. */
int ask_model_about_text(
    struct task *t, void *agent, const char *question, const char *text, char **answer, struct error *err);

#endif
