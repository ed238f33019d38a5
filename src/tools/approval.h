#ifndef TOOLS_APPROVAL_H
#define TOOLS_APPROVAL_H
/*
 * Tool calls that need approval: by the settings, or because the tool asks for it (struct tool,
 * confirm). An approval is bound to the text of the action: tools_run builds it again right before the
 * tool runs, and runs only what was approved. The caller decides whom to ask and how.
 */
#include <stdbool.h>

#include "base/config/config.h"
#include "base/sha256.h"
#include "bus/address.h"

struct json_object;
struct targets;
struct task;
struct tool;
struct tool_call;
struct tools;

/* approvals: { … } in the configuration. */
struct approval_settings {
	struct config_strings ask;       /* patterns of tool names */
	struct config_strings approvers; /* CHANNEL:ID; empty: the admins of the chat's channel */
	char *chat;
	int64_t timeout_ms;
	bool elsewhere; /* chat is set, and this is its address: */
	struct address where;
};

extern const struct config_section approval_section;

/* Reports errors to cfg. */
void approval_read(struct approval_settings *s, struct config *cfg, const struct targets *targets);
void approval_settings_clear(struct approval_settings *s);
const struct approval_settings *tools_approvals(const struct tools *ts);

/* The action that a person approves. */
struct approval {
	const char *tool; /* its name in the registry */
	/* JSON with sorted members: tool, arguments, workspace, and what else the tool binds it to (facts).
	 * ASCII except for visible characters. */
	char *action;
	char hash[SHA256_TEXT_SIZE]; /* of the action */
	char *rule;                  /* the safety rule that asks, NULL for none */
	struct json_object *facts;   /* those of the action */
	bool command;                /* the action is a command */
};

/* Returns true, with out filled, when this call needs approval; false for one that tools_run will refuse
 * anyway. May suspend; if t is cancelled meanwhile, out is invalid. */
bool tools_approval(struct task *t, const struct tool_call *call, const char *name, const char *arguments,
    struct approval *out);
void approval_clear(struct approval *a);

enum approval_verdict {
	APPROVAL_ALLOWED,
	APPROVAL_DENIED,
	APPROVAL_NO_ANSWER, /* before the time limit */
	APPROVAL_CHANGED,   /* the shown action is not the one that would run */
	APPROVAL_WITHDRAWN, /* the turn was stopped meanwhile */
	APPROVAL_NOBODY,    /* no approver can be asked */
	APPROVAL_TOO_LONG   /* to be shown completely */
};

struct approval_answer {
	enum approval_verdict verdict;
	char *reason; /* a person's reason, malloc'd, or NULL */
};

/* Returns the result of a call that was not approved: malloc'd, like tool_failure_text. */
char *approval_failure_text(const struct approval *a, const struct approval_answer *answer);

/* For call.c: returns the failure of a call that needs approval and was not approved in exactly this form;
 * NULL when it may run, with *facts (the caller frees it) or NULL. args are validated. */
struct json_object *approval_missing(struct task *t, const struct tool_call *call, const struct tool *tool,
    struct json_object *args, struct json_object **facts);
/* Returns the failure of a call that differs from what was approved. */
struct json_object *approval_changed(const struct tool *tool);

#endif
