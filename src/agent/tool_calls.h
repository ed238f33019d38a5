#ifndef AGENT_TOOL_CALLS_H
#define AGENT_TOOL_CALLS_H
/* Running the calls of one model reply. Private to the agent. */
struct turn_state;
struct error;
struct llm_call;
struct llm_history;
struct llm_message;
struct task;

/* Why a call is answered without being run. */
enum tool_calls_refusal {
	TOOL_CALLS_NOT_REFUSED,
	TOOL_CALLS_CUT_OFF,     /* the reply ended at the length limit */
	TOOL_CALLS_INTERRUPTED, /* a crash came after it had begun */
	TOOL_CALLS_LOOP,        /* asked for too often */
	TOOL_CALLS_STOPPED      /* a person stopped the turn */
};

/* The newest assistant message, if one of its calls has no result; else NULL. */
const struct llm_message *tool_calls_open(const struct llm_history *h);
/* Gives calls of a new reply whose ids stand in the history already ids of their own: the journal, and
 * results, know a call by its id. */
void tool_calls_rename_used(const struct llm_history *h, struct llm_message *reply);
/* Answers every open call: runs what was not begun, tells of what a crash interrupted. Results are journalled
 * and appended to the history in the order of the calls. -1 when the task was cancelled (the results of what
 * ran are journalled, the other calls stay open) or the store failed. */
int tool_calls_run(struct task *t, struct turn_state *d, struct error *err);
/* Appends to out a failure for each call of the message that has no result. */
void tool_calls_refuse(const struct turn_state *d, const struct llm_message *m, enum tool_calls_refusal why,
    struct llm_history *out);
/* For who runs calls by themselves, of messages that have the turn's number: the answer to a call that was
 * made too often, the caller's; NULL when it may run. */
struct llm_message *tool_calls_refuse_loop(const struct turn_state *d, const struct llm_call *call);
/* The result of a call, with a note when it is about to be made too often. Takes json, returns what is
 * malloc'd. */
char *tool_calls_note_loop(const struct turn_state *d, const struct llm_call *call, char *json);

#endif
