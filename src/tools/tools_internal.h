#ifndef TOOLS_TOOLS_INTERNAL_H
#define TOOLS_TOOLS_INTERNAL_H
/* Internals of the registry: the table of tools and their settings, for call.c and the tools. */
#include "base/config/config.h"
#include "base/list.h"
#include "llm/llm.h"
#include "tools/approval.h"
#include "tools/prompt/settings.h"
#include "tools/reminders/schedule.h"
#include "tools/tools.h"

struct json_object;
struct policy;
struct prompt_files_cache;
struct prompt_watch;
struct path_error;
struct roots;
struct rules;
struct web_tools;
struct worker_job;

/* In byte order of name; NULL-terminated. */
extern const struct tool *const builtin_tools[];

/* tools: { … } in the configuration. */
struct tools_settings {
	char *workspace;
	char *external, *run_as;
	struct config_strings external_network, roots, rules_off;
	int sandbox;         /* enum sandbox_level */
	int workspace_scope; /* enum workspace_scope */
	int memory_shared;   /* index in memory_shared_choices */
	int64_t arguments_bytes, calls_at_once, deadline_ms, disk_reserve, edit_bytes, external_bytes,
	    external_ms, external_schema_ms, list_entries, memory_bytes, memory_write_bytes, process_bytes,
	    process_count, process_cpu_ms, process_file_bytes, process_files, processes_bytes, question_ms,
	    read_bytes, result_bytes, rounds, send_bytes, task_ms, task_tokens, walk_cpu_ms, walk_depth,
	    walk_entries, walk_ms, workspace_quota, write_bytes;
	/* Settings of commands. */
	char *commands_path;
	bool commands_network;
	int64_t background_ms, command_ms, commands_in_chat, commands_max, output_bytes;
};

struct tools_entry {
	const struct tool *tool;
	struct json_object *schema; /* tool->schema, parsed; NULL: no call of it has come */
	struct llm_tool offer;
};

struct tools {
	struct tools_settings settings;
	struct approval_settings approvals;
	struct policy *policy;
	struct rules *rules;
	struct web_tools *web;
	struct tools_entry *builtins; /* in byte order of name */
	size_t builtin_count;
	struct tool_sources *sources;
	struct list user;            /* in sources; not of a view */
	struct tools_entry *entries; /* built-in tools and those of sources, in byte order of name */
	struct schedule_settings reminders;
	size_t count;
	const struct targets *targets;
	struct prompt_settings prompt;
	struct prompt_files_cache *prompt_files_cache; /* shared with the views */
	struct prompt_watch *prompt_watch;             /* shared with the views */
	struct roots *roots;                           /* NULL before tools_open; a view has its chat's */
	struct roots *prompt_roots;                    /* prompt.folder; NULL: the workspace */
	struct roots *skill_roots;                     /* prompt.skills; NULL for none */
	struct sandbox *sandbox;                       /* NULL before tools_open */
	char *config_file, *state;                     /* tools must not open these; state may be NULL */
	char *shared;                                  /* the same, of a cluster; NULL: state has all */
};

/* tools_new with another table than builtin_tools. Leaves out and logs a tool whose schema schema_check
 * refuses. */
struct tools *tools_new_with(
    struct config *cfg, const struct targets *targets, const struct tool *const *table);
struct tools_entry tools_entry_of(const struct tool *tool, struct json_object *schema);
/* The sandbox of the settings. */
struct sandbox *tools_open_sandbox(const struct tools *ts);
/* Returns true when this call may use the tool. A model is not told the names of others. */
bool tools_allow(const struct tool *tool, const struct tool_call *call);
/* Returns NULL with *args as the tool gets them, and *clamped or NULL; else the failure to answer. The
 * caller frees both. */
struct json_object *tools_prepare(const struct tool_call *call, const struct tool *tool,
    const char *arguments, struct json_object **args, struct json_object **clamped);
/* Returns true for the tool's name, with '-' for '_' or not, or one of its aliases. */
bool tool_answers_to(const struct tool *tool, const char *name);
/* Returns true when a pattern (with * and ?) matches its name or an alias. */
bool tool_is_among(const struct tool *tool, const struct config_strings *patterns);
/* Returns true when the pattern matches a built-in tool, or may match other tools. */
bool tool_pattern_is_known(const char *pattern);
/* Reports names of tools that no tool can have: rules with them would do nothing. */
void tool_names_check(
    const struct config_strings *names, struct config *cfg, const char *path, const char *key);
/* Returns the workspace, malloc'd; it may be the one in the state. NULL: there is none. */
char *tools_find_workspace(const struct tools *ts);
/* Returns the parsed schema of a tool of this registry; borrowed. */
struct json_object *tools_schema(const struct tools *ts, const struct tool *tool);
/* worker_await_client for the call's chat. Suspends. */
int tool_worker_await(
    struct task *t, const struct tool_call *call, struct worker_job *job, struct error *err);
/* Returns the failure for a refused path. */
struct json_object *tool_path_failure(const char *tool, const struct path_error *why);

#endif
