#ifndef AGENT_TOOL_CALLS_H
#define AGENT_TOOL_CALLS_H
/* Runs the tool calls of one model reply. */
struct approval;
struct error;
struct llm_call;
struct llm_history;
struct llm_message;
struct task;
struct turn;
struct turn_state;

/* Why a call is answered without running. */
enum tool_calls_refusal {
	TOOL_CALLS_NOT_REFUSED,
	TOOL_CALLS_CUT_OFF,     /* the reply ended at the length limit */
	TOOL_CALLS_INTERRUPTED, /* a crash interrupted it */
	TOOL_CALLS_LOOP,        /* repeated too often */
	TOOL_CALLS_STOPPED      /* a person stopped the turn */
};

/* Returns the newest assistant message if one of its calls has no result, else NULL. */
const struct llm_message *tool_calls_open(const struct llm_history *h);
/* Renames calls of a new reply whose ids the history already has: the journal and the results refer to a
 * call by its id. */
void tool_calls_rename_used(const struct llm_history *h, struct llm_message *reply);
/* Answers every open call: runs those that did not start, and reports those that a crash interrupted.
 * Journals the results and appends them to the history in the order of the calls. Returns -1 when the task
 * was cancelled (finished calls are journalled, the others stay open) or the store failed. */
int tool_calls_run(struct task *t, struct turn_state *d, struct error *err);
/* Appends a failure to out for each call of the message without a result. */
void tool_calls_refuse(const struct turn_state *d, const struct llm_message *m, enum tool_calls_refusal why,
    struct llm_history *out);
/* For callers that run calls themselves, of messages with the turn's number: returns the failure of a call
 * that was repeated too often (the caller owns it); NULL when it may run. */
struct llm_message *tool_calls_refuse_loop(const struct turn_state *d, const struct llm_call *call);
/* Returns the malloc'd result of a call, with a warning when it is about to be repeated too often. Takes
 * json. */
char *tool_calls_note_loop(const struct turn_state *d, const struct llm_call *call, char *json);

/* call_approval.c: Tool calls that wait for approval. */

/* Returns 1 when the call may run now. Returns 0 when not; *failure is the tool result, malloc'd. Returns
 * -1 when the turn was cancelled meanwhile or the store failed: nothing is decided then. Suspends. */
int approve_call(struct task *t, const struct turn *turn, const char *call_id, const struct approval *a,
    char **failure, struct error *err);

#endif
