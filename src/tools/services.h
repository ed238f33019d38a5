#ifndef TOOLS_SERVICES_H
#define TOOLS_SERVICES_H
/*
 * What a tool may ask of the conversation that it is called in, and of the agent that calls it: lent through
 * struct tool_call. Any member may be NULL, and so may the table: then the tool answers UNAVAILABLE with the
 * cause NO_CHAT. Members are in two groups, each with its own first argument: what the turn_owner of the turn
 * fills in (a session; a sub-agent and a schedule lend nothing that a person would have to see), and what the
 * agent adds when it makes the call. All suspend, and return -1 when the task is cancelled or the store
 * failed: nothing is decided then, and what was stored stays.
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
	const char *const *options; /* to choose from; other words are an answer, too */
	size_t option_count;
	uint64_t ms; /* how long it stands */
};

enum tool_reply_kind {
	TOOL_REPLY_GIVEN,
	TOOL_REPLY_LATE,     /* nobody answered in time */
	TOOL_REPLY_NOBODY,   /* there is no person who could */
	TOOL_REPLY_WITHDRAWN /* the turn is over */
};

struct tool_reply {
	enum tool_reply_kind kind;
	char *text; /* of one that was given: the option, or the person's words; malloc'd */
};

enum tool_step_state { TOOL_STEP_PENDING, TOOL_STEP_IN_PROGRESS, TOOL_STEP_COMPLETED };

struct tool_step {
	const char *content, *active; /* "Write tests", "Writing tests" */
	enum tool_step_state state;
};

struct tool_plan {
	const struct tool_step *steps;
	size_t count; /* 0: there is no plan any more */
};

struct tool_agent_result {
	bool failed;
	char *text; /* the result, or why there is none */
};

struct tool_services {
	void *turn_owner; /* first argument of the following */
	/* Asks the person whose message began the turn. The question and its answer are kept by turn and
	 * call: the same call made again, after a crash, is not asked again. */
	int (*ask_person)(struct task *t, void *turn_owner, const struct tool_call *call,
	    const struct tool_question *q, struct tool_reply *reply, struct error *err);
	/* Keeps the plan in place of the chat's last one; the chat sees it soon after. Again: fine. */
	int (*show_plan)(struct task *t, void *turn_owner, const struct tool_call *call,
	    const struct tool_plan *plan, struct error *err);

	void *agent; /* first argument of what the agent adds: */
	/* Has the turn's model answer a question about a text, which it gets as data, and without tools. What
	 * that takes is counted with the turn. 0 with *answer malloc'd. -1: cancelled, or the model failed,
	 * with a sentence. */
	int (*ask_model)(struct task *t, void *agent, const char *question, const char *text, char **answer,
	    struct error *err);
	/* Has an agent of its own work on the prompt, in a new conversation, with the tools and rights of
	 * this call, for which it counts. 0 with out, whose text is malloc'd; -1: cancelled. */
	int (*run_agent)(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
	    struct tool_agent_result *out, struct error *err);
	/* The same behind the conversation: 0 with its id in the background, malloc'd. What comes of it is
	 * told the chat. -1: ERROR_LIMITED, as many run as may; or the store failed. */
	int (*start_agent)(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
	    char **id, struct error *err);
	/* Shows the model an image together with the result of this call. path names it. 0 with what is
	 * shown, a new object for the result; -1: cancelled, or with a sentence why it cannot be shown. */
	int (*show_image)(struct task *t, void *agent, const struct tool_call *call, const char *path,
	    const struct buf *bytes, struct json_object **shown, struct error *err);
};

#endif
