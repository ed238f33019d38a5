#ifndef TOOLS_APPROVAL_H
#define TOOLS_APPROVAL_H
/*
 * Calls that need a person's yes. Which ones the settings say, and a tool by itself (struct tool, confirm). A
 * yes is bound to the text of the action: tools_run makes it again right before the tool runs, and runs only
 * what was allowed. Who is asked, and how, is not known here.
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

/* approvals: { … } in the config. */
struct approval_settings {
	struct config_strings ask;       /* patterns of names of tools */
	struct config_strings approvers; /* CHANNEL:ID; none: the admins of the chat's channel */
	char *chat;
	int64_t timeout_ms;
	bool elsewhere; /* chat is set, and this is where: */
	struct address where;
};

extern const struct config_section approval_section;

/* Mistakes are reported to cfg. */
void approval_read(struct approval_settings *s, struct config *cfg, const struct targets *targets);
void approval_settings_clear(struct approval_settings *s);
const struct approval_settings *tools_approvals(const struct tools *ts);

/* What a person is asked about. */
struct approval {
	const char *tool; /* its name; of the registry */
	/* JSON with sorted members: tool, arguments, workspace, and what else the tool binds it to (facts).
	 * ASCII, but for characters that can be seen. */
	char *action;
	char hash[SHA256_TEXT_SIZE]; /* of the action */
	char *rule;                  /* the safety rule that asks, NULL: none */
	struct json_object *facts;   /* those of the action */
	bool command;                /* it is about a command */
};

/* Does this call need a yes? Then out is filled. False for one that tools_run will refuse anyway. May
 * suspend; when t is cancelled meanwhile, what is in out is worth nothing. */
bool tools_approval(struct task *t, const struct tool_call *call, const char *name, const char *arguments,
    struct approval *out);
void approval_clear(struct approval *a);

enum approval_verdict {
	APPROVAL_ALLOWED,
	APPROVAL_DENIED,
	APPROVAL_NO_ANSWER, /* in time */
	APPROVAL_CHANGED,   /* what was shown is not what would run */
	APPROVAL_WITHDRAWN, /* the turn was stopped while it was asked */
	APPROVAL_NOBODY,    /* nobody who may say yes can be asked */
	APPROVAL_TOO_LONG   /* to be shown whole */
};

struct approval_answer {
	enum approval_verdict verdict;
	char *reason; /* a person's, malloc'd, or NULL */
};

/* The result of a call that was not allowed: malloc'd, as tool_failure_text. */
char *approval_failure_text(const struct approval *a, const struct approval_answer *answer);

/* For call.c: the failure of a call that needs a yes and was not allowed just so; NULL: it may run, with
 * *facts, which are the caller's to free, or NULL. args are validated. */
struct json_object *approval_missing(struct task *t, const struct tool_call *call, const struct tool *tool,
    struct json_object *args, struct json_object **facts);
/* The failure of one that turned out to be another than what was allowed. */
struct json_object *approval_changed(const struct tool *tool);

#endif
