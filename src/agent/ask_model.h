#ifndef AGENT_ASK_MODEL_H
#define AGENT_ASK_MODEL_H
/* Asks the model a question outside the conversation. */
struct error;
struct task;

/* Implements ask_model of struct tool_services; agent is the turn's struct turn_state. */
int ask_model_about_text(
    struct task *t, void *agent, const char *question, const char *text, char **answer, struct error *err);

#endif
