#ifndef TOOLS_TOOLS_H
#define TOOLS_TOOLS_H
/*
 * The tools that a model can call. A tool is one file and one const row; the registry resolves names, checks
 * the role, parses, renames, validates, runs under a deadline, cleans, redacts and fits, so that a tool
 * starts clean and always answers a JSON object. An answer is a failure exactly when it has error_code.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct background;
struct buf;
struct bus;
struct config;
struct config_section;
struct error;
struct json_object;
struct llm_tool;
struct sandbox;
struct message;
struct store;
struct targets;
struct task;
struct tool_services;
struct tools;

enum tool_flag {
	TOOL_WRITES = 1, /* has side effects: runs alone, never twice */
	TOOL_NETWORK = 2,
	TOOL_ASKS = 4,    /* waits for a person, so without a deadline */
	TOOL_ADMIN = 8,   /* admins only */
	TOOL_TIMED = 16,  /* keeps a time limit of its own instead of tools.deadline */
	TOOL_DAEMON = 32, /* of the state or the chats: the command line asks the daemon when one runs */
	TOOL_RESUMABLE =
	    64, /* finds by turn and call_id what it has done: run again when a crash or a stop cut it off */
	TOOL_UNTRUSTED_SCHEMA = 128, /* its schema may say more than we check, and decides itself about
			       arguments it does not name */
	TOOL_SANDBOX = 256 /* runs programs: not offered where the sandbox that is required is not proved */
};

/* What one call may know. Lent by who calls; lives until the tool has answered. */
struct tool_call {
	const struct tools *tools;
	const struct address *chat; /* where the conversation is; NULL when there is none */
	int64_t turn;               /* 0 when there is none */
	const struct message
	    *asked;                /* what began the turn, maybe without its text; NULL when there is none */
	const char *call_id;       /* the provider's; NULL when there is none */
	const char *person;        /* the platform's id of who began the turn; NULL when there is none */
	bool admin;                /* of an admin's turn, or the operator's at the terminal */
	bool guest;                /* of a guest's turn: no tool that writes or sends */
	bool operator;             /* the operator at the terminal: counts as the person */
	const struct tool *tool;   /* the one that runs; tools_run sees to it */
	const char *approved;      /* the hash of what a person allowed (struct approval), NULL: nothing */
	struct json_object *facts; /* that the yes is bound to, NULL: none was needed; tools_run sees to it */
	struct bus *bus;           /* NULL without a daemon */
	struct store *store;       /* NULL without a daemon */
	struct background *background;        /* NULL without a daemon */
	const struct tool_services *services; /* what it may ask of its conversation; NULL: nothing */
};

/* What the safety rules (tools/rules/rules.h) read in the arguments of a tool. */
enum tool_guard {
	GUARD_NONE,    /* nothing, unless a rule of the configuration names the tool: then all texts */
	GUARD_PROGRAM, /* command and args are the words of a command */
	GUARD_REQUEST, /* method is an HTTP request's */
	GUARD_SHELL,   /* command is a command line */
	GUARD_TEXTS,   /* all texts; one that is called command is a command line: external programs */
	GUARD_WRITES   /* path is a file that is written */
};

struct tool_alias {
	const char *alias, *name;
};

struct tool {
	const char *name;
	const char *const *aliases;             /* NULL-terminated, may be NULL */
	const struct tool_alias *param_aliases; /* ends with a NULL alias; may be NULL */
	const char *summary;                    /* for the model; ends with "Returns: {...}" */
	const char *schema;                     /* JSON Schema text, an object */
	const char *errors; /* the error_codes that it may answer, besides those of any call; NULL: none */
	unsigned flags;     /* enum tool_flag */
	enum tool_guard guard;
	const char *origin; /* of a source (tools/source.h): its name; NULL: built in */
	void *context;      /* the source's */
	/* Does this call need a person's yes, whatever the settings say? args are as for run. Facts beside
	 * the arguments that the yes is bound to (a folder as it is now, an environment) are put into facts.
	 * Asked before a person is, and again right before the call runs. Never suspends. NULL: none does. */
	bool (*confirm)(const struct tool_call *call, struct json_object *args, struct json_object *facts);
	/* More facts, such as what is in a file, for call->facts: where a yes is needed. May suspend. NULL:
	 * none. */
	void (*measure)(struct task *t, const struct tool_call *call, struct json_object *args,
	    struct json_object *facts);
	/* args are validated, by canonical names, without defaults. A new object; a failure when the task was
	 * cancelled. */
	struct json_object *(*run)(struct task *t, const struct tool_call *call, struct json_object *args);
};

extern const struct config_section tools_section; /* "tools" */
/* Reads tools from the config; errors are reported there. targets is borrowed. */
struct tools *tools_new(struct config *cfg, const struct targets *targets);
/* What is in use, whatever the config says: of one that was moved, or stands for another file. Before
 * tools_open. */
void tools_set_state(struct tools *ts, const char *state);
void tools_set_targets(struct tools *ts, const struct targets *targets);
void tools_set_config_file(struct tools *ts, const char *path);
/* Makes the workspace when missing and opens the roots; before the first tools_run. May block. */
int tools_open(struct tools *ts, struct error *err);
/* NULL is fine. No call may be running; what one of them left on a worker thread is safe. */
void tools_free(struct tools *ts);
const struct targets *tools_targets(const struct tools *ts);
/* Tools that a reload puts in place of others show the same sources as they do; right after tools_new. */
void tools_share(struct tools *ts, const struct tools *others);
/* Looks at what has changed in the external folder. Before a turn pins its tools. */
void tools_refresh(struct task *t, const struct tools *ts);
/* For a turn: the tools as they are now. What sources change meanwhile is not seen, but that a tool is gone.
 * The others must outlive it. Both for the loop's thread. */
struct tools *tools_pin(const struct tools *ts);
void tools_unpin(struct tools *view);
/* Where programs that a tool starts run. */
struct sandbox *tools_sandbox(const struct tools *ts);
/* How many rounds of calls a turn may have. */
int tools_rounds(const struct tools *ts);
/* How many calls of one reply run at the same time, when none of them writes or asks: 1 to 16. */
size_t tools_calls_at_once(const struct tools *ts);

/* What a model may be offered in this call, in byte order of name: a malloc'd array of borrowed texts. */
struct llm_tool *tools_offer(const struct tools *ts, const struct tool_call *call, size_t *count);
/* The first for NULL; NULL after the last. */
const struct tool *tools_next(const struct tools *ts, const struct tool *after);
/* By canonical name, then with '-' read as '_', then by alias; NULL if there is none. */
const struct tool *tools_find(const struct tools *ts, const char *name);

/* Appends all tools with everything that their rows say: a JSON array, and as the page docs/tools.md. */
void tools_describe(const struct tools *ts, struct buf *out);
void tools_document(const struct tools *ts, struct buf *out);

/* Runs a call: always returns a malloc'd JSON object text of at most tools.result_limit bytes, redacted and
 * valid UTF-8. *is_error as tools_result_failed. A cancelled task gets INTERRUPTED. */
char *tools_run(
    struct task *t, const struct tool_call *call, const char *name, const char *arguments, bool *is_error);

/* Is it a failure: one with an error_code, its own or that of the program that answered? */
bool tools_result_failed(struct json_object *result);

/* A failure {error, error_code, context: {tool, cause}}; fmt's sentence ends with what to do. cause may be
 * NULL. */
__attribute__((format(printf, 4, 5))) struct json_object *tool_failure(
    const char *tool, const char *code, const char *cause, const char *fmt, ...);
/* The same failure as malloc'd text, for calls that never ran (stopped, cut off, after a crash). */
__attribute__((format(printf, 4, 5))) char *tool_failure_text(
    const char *tool, const char *code, const char *cause, const char *fmt, ...);

#endif
