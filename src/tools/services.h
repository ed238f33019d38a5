#ifndef TOOLS_SERVICES_H
#define TOOLS_SERVICES_H
/*
 * Services of the conversation and of the agent for a tool call, passed in struct tool_call. Any member
 * may be NULL, and so may the table: the tool then answers UNAVAILABLE with the cause NO_CHAT. The
 * agent fills it in when it makes the call. The members form two groups, each with its own first argument:
 * those of the turn_owner (a session; sub-agents and schedules provide none that a person would have to see),
 * and those that the agent adds for the call. All suspend, and return -1 when the task is cancelled or the
 * store failed: nothing is decided then, and what was stored stays.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct json_object;
struct task;
struct tool_call;

struct tool_question {
	const char *text;           /* Markdown */
	const char *const *options; /* choices; other text is an answer too */
	size_t option_count;
	uint64_t ms; /* time limit */
	/* The expected answer is free text, which may be a number: so the options are not numbered. */
	bool free_text;
	/* The question ends with this run of the call, however that ends: a later run does not resume it. */
	bool once;
	/* Set, before the asking task is woken, when no answer is wanted any more; NULL: it always is. */
	const bool *over;
};

enum tool_reply_kind {
	TOOL_REPLY_GIVEN,
	TOOL_REPLY_TIMED_OUT, /* nobody answered in time */
	TOOL_REPLY_NOBODY,    /* no person can answer */
	TOOL_REPLY_WITHDRAWN  /* the turn is over */
};

struct tool_reply {
	enum tool_reply_kind kind;
	char *text;    /* the chosen option, or the person's text; malloc'd */
	size_t choice; /* number of the chosen option, from 1; 0: words */
};

enum tool_step_state { TOOL_STEP_PENDING, TOOL_STEP_IN_PROGRESS, TOOL_STEP_COMPLETED };

struct tool_step {
	const char *content, *active; /* "Write tests", "Writing tests" */
	enum tool_step_state state;
};

struct tool_plan {
	const struct tool_step *steps;
	size_t count; /* 0 removes the plan */
};

struct tool_agent_result {
	bool failed;
	char *text; /* the result, or why it failed */
};

struct tool_services {
	void *turn_owner; /* first argument of the following */
	/* Asks the person whose message began the turn. Question and answer are stored by turn and call: a
	 * call repeated after a crash does not ask again. */
	int (*ask_person)(struct task *t, void *turn_owner, const struct tool_call *call,
	    const struct tool_question *q, struct tool_reply *reply, struct error *err);
	/* Replaces the chat's plan; the chat sees it soon after. Idempotent. */
	int (*show_plan)(struct task *t, void *turn_owner, const struct tool_call *call,
	    const struct tool_plan *plan, struct error *err);

	void *agent; /* first argument of the following: */
	/* Asks the turn's model a question about a text, which it gets as data, without tools. The usage
	 * counts for the turn. Returns 0 with *answer malloc'd, or -1 when cancelled, or with an error
	 * sentence when the model failed. */
	int (*ask_model)(struct task *t, void *agent, const char *question, const char *text, char **answer,
	    struct error *err);
	/* Runs a sub-agent on the prompt in a new conversation, with the tools and rights of this call; its
	 * usage counts for the call's turn. Returns 0 with out, whose text is malloc'd, or -1 when
	 * cancelled. */
	int (*run_agent)(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
	    struct tool_agent_result *out, struct error *err);
	/* Like run_agent in the background: returns 0 with the malloc'd job id; the chat gets the result.
	 * Returns 1 when the maximum is running, -1 when the store failed. */
	int (*start_agent)(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
	    char **id, struct error *err);
	/* Shows the model an image with the result of this call. path names it. Returns 0 with a new object
	 * for the result, or -1 when cancelled, or with an error sentence. */
	int (*show_image)(struct task *t, void *agent, const struct tool_call *call, const char *path,
	    const struct buf *bytes, struct json_object **shown, struct error *err);
};

#endif
