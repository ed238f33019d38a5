#ifndef TOOLS_TOOLS_H
#define TOOLS_TOOLS_H
/*
 * The registry of tools that a model can call. A tool is one file and one const row. The registry
 * resolves names, checks the role, parses, renames, validates, runs under a deadline, sanitizes, redacts
 * and limits the size, so that a tool gets valid arguments and always answers with a JSON object. An
 * answer is a failure exactly when it has error_code.
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
	TOOL_ASKS = 4,    /* waits for a person, so it has no deadline */
	TOOL_ADMIN = 8,   /* admins only */
	TOOL_TIMED = 16,  /* has its own time limit instead of tools.deadline */
	TOOL_DAEMON = 32, /* uses the state or the chats: the command line asks a running daemon */
	/* Finds what it did by turn and call_id: runs again after a crash or a stop interrupted it. */
	TOOL_RESUMABLE = 64,
	/* Its schema may contain more than we check, and decides about arguments that it does not name. */
	TOOL_UNTRUSTED_SCHEMA = 128,
	/* Runs programs: not offered while the required sandbox is not proved. */
	TOOL_SANDBOX = 256
};

/* The context of one call. Owned by the caller; lives until the tool has answered. */
struct tool_call {
	const struct tools *tools;
	const struct address *chat; /* the conversation's address; NULL for none */
	int64_t turn;               /* 0 for none */
	/* The message that began the turn, perhaps without its text; NULL for none. */
	const struct message *asked;
	const char *call_id;     /* the provider's id; NULL for none */
	const char *person;      /* platform id of the person who began the turn; NULL for none */
	bool admin;              /* in an admin's turn, or for the operator at the terminal */
	bool admin_here;         /* with admin: of this group alone */
	bool guest;              /* in a guest's turn: no tool that writes or sends */
	bool operator;           /* the operator at the terminal: counts as the person */
	const struct tool *tool; /* the running tool; set by tools_run */
	const char *approved;    /* hash of what was approved (struct approval), NULL for none */
	/* Facts that the approval is bound to, NULL when none was needed; set by tools_run. */
	struct json_object *facts;
	struct bus *bus;                      /* NULL without a daemon */
	struct store *store;                  /* NULL without a daemon */
	struct background *background;        /* NULL without a daemon */
	const struct tool_services *services; /* services of its conversation; NULL for none */
};

/* What the safety rules (tools/rules/rules.h) check in a tool's arguments. */
enum tool_guard {
	GUARD_NONE,    /* nothing, or all texts if a configured rule names the tool */
	GUARD_PROGRAM, /* command and args are the words of a command */
	GUARD_REQUEST, /* method is an HTTP method */
	GUARD_SHELL,   /* command is a command line */
	GUARD_TEXTS,   /* all texts, and one named command as a command line: external programs */
	GUARD_WRITES   /* path is a file to be written */
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
	const char *errors; /* its error_codes besides those of every call; NULL for none */
	unsigned flags;     /* enum tool_flag */
	enum tool_guard guard;
	const char *origin; /* name of its source (tools/source.h); NULL: built in */
	void *context;      /* the source's */
	/* Returns true when this call has side effects, of a tool without TOOL_WRITES: guests may not make
	 * it. NULL: no call has. */
	bool (*writes)(struct json_object *args);
	/* Returns true when this call needs approval whatever the settings say. args are as for run. Adds
	 * to facts what the approval is bound to besides the arguments (a folder's current state, an
	 * environment). Called before a person is asked, and again right before the run. Never suspends.
	 * NULL: no call does. */
	bool (*confirm)(const struct tool_call *call, struct json_object *args, struct json_object *facts);
	/* Adds further facts, such as a file's contents, when approval is needed. May suspend. NULL: none. */
	void (*measure)(struct task *t, const struct tool_call *call, struct json_object *args,
	    struct json_object *facts);
	/* args are validated, with canonical names, without defaults. Returns a new object; a failure when
	 * the task was cancelled. */
	struct json_object *(*run)(struct task *t, const struct tool_call *call, struct json_object *args);
};

extern const struct config_section tools_section; /* "tools" */
/* Reads the group tools of the configuration and reports errors to cfg. targets is borrowed. */
struct tools *tools_new(struct config *cfg, const struct targets *targets);
/* Reports to cfg the workspace or a root that holds the state, the configuration, the control socket (NULL
 * for none) or the file of a secret. After the whole configuration was read. */
void tools_check_folders(const struct tools *ts, struct config *cfg, const char *control);
/* Returns which of these a program would see that may use the folder, malloc'd: "the state (/var/lib/myna)";
 * NULL for none. */
char *tools_find_exposed(
    const struct tools *ts, const struct config *cfg, const char *control, const char *folder);
/* Returns true when the path is the folder or inside it, with links resolved as far as both exist. */
bool tools_path_within(const char *path, const char *folder);
/* Returns true when a folder above the path is the folder, or inside of it: who may write there can replace
 * what the path leads to. */
bool tools_path_passes(const char *path, const char *folder);
/* Set the effective values regardless of the configuration, when it was moved or stands for another file.
 * Before tools_open. */
void tools_set_state(struct tools *ts, const char *state);
void tools_set_shared(struct tools *ts, const char *shared);
/* The folder with the default workspace and the memory: the state, or what the nodes of a cluster share. */
const char *tools_data(const struct tools *ts);
void tools_set_targets(struct tools *ts, const struct targets *targets);
void tools_set_config_file(struct tools *ts, const char *path);
/* Creates the workspace when missing and opens the roots; before the first tools_run. May block. */
int tools_open(struct tools *ts, struct error *err);
/* NULL is allowed. No call may be running; jobs left on worker threads are safe. */
void tools_free(struct tools *ts);
const struct targets *tools_targets(const struct tools *ts);
/* After a reload: new tools share the sources of those that they replace; right after tools_new. */
void tools_share(struct tools *ts, const struct tools *others);
/* Scans the external folder for changes. Call it before a turn pins its tools. Suspends. */
void tools_refresh(struct task *t, const struct tools *ts);
/* Returns a snapshot of the tools for a turn. It does not see later changes of sources, except that a tool
 * disappears. ts must outlive it. On the loop's thread. */
struct tools *tools_pin(const struct tools *ts);
/* The same for a turn in that chat: file tools and programs get the folder that tools.workspace_scope gives
 * it. person: platform id of who asks; NULL or "" for nobody known or several people. former: the chat's id
 * before it moved, whose folder it takes over; NULL for none. Borrows nothing. */
struct tools *tools_pin_chat(
    const struct tools *ts, const struct address *chat, const char *person, const char *former);
/* Returns true when turns of both people in that chat get the same folder. */
bool tools_same_folder(const struct tools *ts, const struct address *chat, const char *a, const char *b);
void tools_unpin(struct tools *view);
/* The sandbox for programs that tools start. */
struct sandbox *tools_sandbox(const struct tools *ts);
/* The maximum rounds of tool calls in a turn. */
int tools_rounds(const struct tools *ts);
/* The maximum of concurrent calls of one reply when none of them writes or asks: 1 to 16. */
size_t tools_calls_at_once(const struct tools *ts);

/* Returns the tools to offer a model in this call, in byte order of name: a malloc'd array of borrowed
 * texts. */
struct llm_tool *tools_offer(const struct tools *ts, const struct tool_call *call, size_t *count);
/* Iterates; after NULL returns the first, and NULL after the last. */
const struct tool *tools_next(const struct tools *ts, const struct tool *after);
/* Finds a tool by canonical name, then with '-' read as '_', then by alias; NULL for none. */
const struct tool *tools_find(const struct tools *ts, const char *name);

/* Appends all built-in tools as the page docs/tools.md. */
void tools_document(const struct tools *ts, struct buf *out);

/* Runs a call. Always returns malloc'd JSON object text of at most tools.result_limit bytes, redacted and
 * valid UTF-8. *is_error as tools_result_failed. A cancelled task gets INTERRUPTED. Suspends. */
char *tools_run(
    struct task *t, const struct tool_call *call, const char *name, const char *arguments, bool *is_error);

/* Returns true for a failure: the result has an error_code, of its own or of the program that answered. */
bool tools_result_failed(struct json_object *result);

/* Returns a failure {error, error_code, context: {tool, cause}}; fmt's sentence ends with advice. cause may
 * be NULL. */
__attribute__((format(printf, 4, 5))) struct json_object *tool_failure(
    const char *tool, const char *code, const char *cause, const char *fmt, ...);
/* The same failure as malloc'd text, for calls that never ran (stopped, cut off, after a crash). */
__attribute__((format(printf, 4, 5))) char *tool_failure_text(
    const char *tool, const char *code, const char *cause, const char *fmt, ...);

#endif
