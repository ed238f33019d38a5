#ifndef AGENT_ASK_MODEL_H
#define AGENT_ASK_MODEL_H
/*
 * The one place where a model is asked, or a service that turns speech into text, because it checks the
 * budgets first.
 */
struct budget_spender;
struct buf;
struct error;
struct llm_answer;
struct llm_audio;
struct llm_request;
struct llm_sink;
struct task;

/* Like llm_complete; or BUDGET_REFUSED or BUDGET_FAILED when no request was made. */
int ask_model_complete(struct task *t, const struct budget_spender *who, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err);
/* Like llm_transcribe, with the results above. It does not count as a turn, but is refused when no turn is
 * left. */
int ask_model_transcribe(struct task *t, const struct budget_spender *who, const struct llm_audio *audio,
    struct buf *transcript, struct error *err);

/* Asks the model a question outside the conversation. Implements ask_model of struct tool_services; agent is
 * the turn's struct turn_state. */
int ask_model_about_text(
    struct task *t, void *agent, const char *question, const char *text, char **answer, struct error *err);

#endif
