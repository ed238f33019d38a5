#include "tools/tools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "llm/llm.h"
#include "tools/external/external.h"
#include "tools/policy.h"
#include "tools/files/path_error.h"
#include "tools/files/workspace_owner.h"
#include "tools/memory/memory.h"
#include "tools/prompt/files.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/sandbox/sandbox.h"
#include "tools/rules/rules.h"
#include "tools/schema.h"
#include "tools/scope.h"
#include "tools/source_internal.h"
#include "tools/web/web.h"

extern const struct tool tool_ask_user, tool_edit_file, tool_exec_shell, tool_glob, tool_grep,
    tool_kill_shell, tool_list_directory, tool_memory_forget, tool_memory_read, tool_memory_search,
    tool_memory_write, tool_message, tool_react, tool_read_file, tool_remind, tool_send_file, tool_skill,
    tool_spawn, tool_task, tool_task_output, tool_todo_write, tool_web_fetch, tool_web_search,
    tool_write_file;

const struct tool *const builtin_tools[] = {
    &tool_ask_user,
    &tool_edit_file,
    &tool_exec_shell,
    &tool_glob,
    &tool_grep,
    &tool_kill_shell,
    &tool_list_directory,
    &tool_memory_forget,
    &tool_memory_read,
    &tool_memory_search,
    &tool_memory_write,
    &tool_message,
    &tool_react,
    &tool_read_file,
    &tool_remind,
    &tool_send_file,
    &tool_skill,
    &tool_spawn,
    &tool_task,
    &tool_task_output,
    &tool_todo_write,
    &tool_web_fetch,
    &tool_web_search,
    &tool_write_file,
    NULL,
};

/* By enum sandbox_level. */
static const char *const sandbox_choices[] = {"S0", "S1", "S2", "S3", NULL};

static const struct config_key tools_keys[] = {
    {.name = "arguments_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, arguments_bytes),
	.fallback = "2 MiB",
	.min = 4096,
	.max = 8 * 1024 * 1024,
	.help = "Most bytes of the arguments of one call."},
    {.name = "background_life",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, background_ms),
	.fallback = "1 h",
	.min = 1000,
	.max = 86400 * 1000,
	.help = "Longest run time of a command in the background."},
    {.name = "calls_at_once",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, calls_at_once),
	.fallback = "4",
	.min = 1,
	.max = 16,
	.help = "Most calls of one answer that run at the same time, if none of them writes or asks."},
    {.name = "command_time",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, command_ms),
	.fallback = "30 s",
	.min = 1000,
	.max = 300 * 1000,
	.help = "Time limit of an exec_shell command that does not set one. A call can set at most 300 s."},
    {.name = "commands_at_once",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, commands_max),
	.fallback = "20",
	.min = 1,
	.max = 1000,
	.help = "Most commands that run at the same time in all chats, background ones included."},
    {.name = "commands_in_chat",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, commands_in_chat),
	.fallback = "5",
	.min = 1,
	.max = 1000,
	.help = "The same in one conversation."},
    {.name = "commands_network",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct tools_settings, commands_network),
	.fallback = "false",
	.help = "Whether commands may use the network."},
    {.name = "commands_path",
	.type = CONFIG_STRING,
	.offset = offsetof(struct tools_settings, commands_path),
	.fallback = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
	.help = "The PATH of commands. They can read its system folders, the workspace and the roots."},
    {.name = "deadline",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, deadline_ms),
	.fallback = "60 s",
	.min = 1000,
	.max = 3600 * 1000,
	.help = "Time limit of one call, for tools without a limit of their own."},
    {.name = "edit_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, edit_bytes),
	.fallback = "8 MiB",
	.min = 4096,
	.max = 256 * 1024 * 1024,
	.help = "Most bytes of a file that edit_file changes, before and after."},
    {.name = "external",
	.type = CONFIG_STRING,
	.offset = offsetof(struct tools_settings, external),
	.help = "A folder of programs that become tools; see docs/external-tools.md. The folder and the "
		"programs must belong to the gateway's user or root and be writable by nobody else."},
    {.name = "external_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, external_bytes),
	.fallback = "1 MiB",
	.min = 4096,
	.max = 64 * 1024 * 1024,
	.help = "Most bytes of an external tool's output."},
    {.name = "external_network",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct tools_settings, external_network),
	.help = "The external tools that may use the network, by name; * and ? are wildcards. Absent: none."},
    {.name = "external_schema_time",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, external_schema_ms),
	.fallback = "5 s",
	.min = 100,
	.max = 60 * 1000,
	.help = "Time limit of an external tool to answer --schema."},
    {.name = "external_time",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, external_ms),
	.fallback = "30 s",
	.min = 100,
	.max = 300 * 1000,
	.help = "Time limit of one call of an external tool."},
    {.name = "list_limit",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, list_entries),
	.fallback = "1000",
	.min = 1,
	.max = 100000,
	.help = "Most entries of a folder that list_directory returns at once."},
    {.name = "memory_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, memory_bytes),
	.fallback = "1 MiB",
	.min = 4096,
	.max = 64 * 1024 * 1024,
	.help = "Most bytes of one memory."},
    {.name = "memory_shared",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct tools_settings, memory_shared),
	.fallback = "admins",
	.choices = memory_shared_choices,
	.help = "Who may use the memory that all chats share: nobody (off), everybody may read and admins "
		"may write (admins), or everybody may do both (all). Through it, one chat can pass something "
		"on to every other chat."},
    {.name = "memory_write_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, memory_write_bytes),
	.fallback = "64 KiB",
	.min = 1024,
	.max = 1024 * 1024,
	.help = "Most bytes of one memory_write."},
    {.name = "process_count",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, process_count),
	.fallback = "256",
	.min = 8,
	.max = 100000,
	.help = "Most processes and threads of one command of a tool."},
    {.name = "process_cpu",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, process_cpu_ms),
	.fallback = "10 min",
	.min = 1000,
	.max = 7 * 24 * 3600 * 1000,
	.help = "Most processor time of one process of a command."},
    {.name = "process_file",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, process_file_bytes),
	.fallback = "256 MiB",
	.min = 65536,
	.max = INT64_C(1) << 40,
	.help = "Most bytes of a file that a command writes."},
    {.name = "process_files",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, process_files),
	.fallback = "1024",
	.min = 16,
	.max = 65536,
	.help = "Most open files of one process of a command."},
    {.name = "process_memory",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, process_bytes),
	.fallback = "1 GiB",
	.min = 16 * 1024 * 1024,
	.max = INT64_C(1) << 40,
	.help = "Most memory of one process of a command, including its temporary files where those are in "
		"memory."},
    {.name = "question_timeout",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, question_ms),
	.fallback = "600 s",
	.min = 10 * 1000,
	.max = 24 * 3600 * 1000,
	.help = "How long a question of ask_user, or of an MCP server, waits for its answer."},
    {.name = "output_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, output_bytes),
	.fallback = "64 KiB",
	.min = 1024,
	.max = 8 * 1024 * 1024,
	.help = "Most bytes that are kept of a command's stdout, and of its stderr: half from the beginning, "
		"half from the end."},
    {.name = "read_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, read_bytes),
	.fallback = "512 KiB",
	.min = 4096,
	.max = 64 * 1024 * 1024,
	.help = "Most bytes of text that read_file keeps of a file."},
    {.name = "result_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, result_bytes),
	.fallback = "64 KiB",
	.min = 4096,
	.max = 512 * 1024,
	.help = "Most bytes of one tool result that a model gets."},
    {.name = "roots",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct tools_settings, roots),
	.help = "More folders that file tools may use."},
    {.name = "rounds",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, rounds),
	.fallback = "20",
	.min = 1,
	.max = 100,
	.help = "Most rounds of tool calls in one turn; after them the model has to answer."},
    {.name = "rules_off",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct tools_settings, rules_off),
	.help = "Names of built-in safety rules to switch off; docs/tools.md lists them. The log says so at "
		"start."},
    {.name = "run_as",
	.type = CONFIG_STRING,
	.offset = offsetof(struct tools_settings, run_as),
	.fallback = "nobody",
	.help = "The user that commands run as when the gateway is started as root."},
    {.name = "sandbox",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct tools_settings, sandbox),
	.fallback = "S2",
	.choices = sandbox_choices,
	.help = "The sandbox level that must be proved to work before tools may start programs "
		"(docs/security.md). A stronger one is used where it works."},
    {.name = "send_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, send_bytes),
	.fallback = "20 MiB",
	.min = 1024,
	.max = 256 * 1024 * 1024,
	.help = "Most bytes of a file that send_file sends; the file is in memory meanwhile. Platforms have "
		"limits of their own: Telegram's is 50 MB."},
    {.name = "task_time",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, task_ms),
	.fallback = "1 h",
	.min = 1000,
	.max = 86400LL * 1000,
	.help = "Time limit of one sub-agent, checked between its steps."},
    {.name = "task_tokens",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, task_tokens),
	.fallback = "500000",
	.min = 1000,
	.max = 1000000000,
	.help = "Most tokens that one sub-agent may read and write, in all its model requests together."},
    {.name = "walk_depth",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, walk_depth),
	.fallback = "64",
	.min = 1,
	.max = 256,
	.help = "How many levels of folders glob and grep descend."},
    {.name = "walk_entries",
	.type = CONFIG_INT,
	.offset = offsetof(struct tools_settings, walk_entries),
	.fallback = "1000000",
	.min = 1,
	.max = 100000000,
	.help = "Most files and folders that glob and grep visit in one search."},
    {.name = "walk_time",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct tools_settings, walk_ms),
	.fallback = "30 s",
	.min = 100,
	.max = 3600 * 1000,
	.help = "Time limit of one search; what was found by then is the result."},
    {.name = "workspace",
	.type = CONFIG_STRING,
	.offset = offsetof(struct tools_settings, workspace),
	.help = "The folder that file tools work in; created if missing. Default: workspace in state."},
    {.name = "workspace_scope",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct tools_settings, workspace_scope),
	.fallback = "chat",
	.choices = workspace_scope_choices,
	.help =
	    "Who shares files: each chat has a folder of its own in the workspace (chat), each person has "
	    "one for all chats, with the chat's where several people ask at once (person), or all chats "
	    "use the workspace itself (shared). tools.roots are for all."},
    {.name = "write_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct tools_settings, write_bytes),
	.fallback = "1 MiB",
	.min = 4096,
	.max = 8 * 1024 * 1024,
	.help = "Most bytes of the content of write_file."},
};

static const char *const tools_children[] = {"mcp_servers", "policy", "rules", "search", "web", NULL};

const struct config_section tools_section = {
    .path = "tools",
    .keys = tools_keys,
    .key_count = ARRAY_LEN(tools_keys),
    .help = "What the agent can do.",
    .children = tools_children,
};

/* Adds a tool, unless its schema cannot be sent to a model. */
static void add_tool(struct tools *ts, const struct tool *tool)
{
	struct error err = {0};
	struct json_object *schema = json_parse_object(tool->schema, strlen(tool->schema), &err);

	if (!schema || schema_check(schema, false, &err) < 0) {
		log_error("tools", "tool=%s left out: %s", tool->name, err.text);
		json_object_put(schema);
		return;
	}
	ts->builtins = xrealloc(ts->builtins, (ts->builtin_count + 1) * sizeof(*ts->builtins));
	ts->builtins[ts->builtin_count++] = (struct tools_entry){tool, schema};
}

static void check_folders(const struct tools *ts, struct config *cfg)
{
	const char *workspace = ts->settings.workspace, *external = ts->settings.external;

	if (workspace && *workspace && workspace[strspn(workspace, "/")] == '\0')
		config_error(cfg, "tools.workspace",
		    "tools.workspace is the whole machine. Name a folder for the agent's files alone.");
	if (external && access(external, F_OK) != 0 && errno == ENOENT)
		config_warning(cfg, "tools.external",
		    "There is no folder %s, so there are no external tools. Make it, or remove "
		    "tools.external.",
		    external);
}

struct tools *tools_new_with(
    struct config *cfg, const struct targets *targets, const struct tool *const *table)
{
	struct tools *ts = xcalloc(1, sizeof(*ts));

	ts->targets = targets;
	config_read(cfg, "tools", &tools_section, &ts->settings);
	check_folders(ts, cfg);
	ts->config_file = xstrdup(config_file(cfg));
	ts->state = xstrdup(config_string(cfg, "state"));
	approval_read(&ts->approvals, cfg, targets);
	ts->policy = policy_read(cfg, targets);
	ts->rules = rules_read(cfg, &ts->settings.rules_off);
	schedule_settings_read(&ts->reminders, cfg);
	ts->web = web_tools_new(cfg);
	prompt_settings_read(&ts->prompt, cfg);
	ts->prompt_files_cache = prompt_files_cache_new();
	rules_set_prompt_files(
	    ts->rules, ts->prompt.folder ? NULL : &ts->prompt.files, ts->prompt.workspace_skills);
	for (; *table; table++)
		add_tool(ts, *table);
	sources_join(ts, NULL);
	return ts;
}

struct tools *tools_new(struct config *cfg, const struct targets *targets)
{
	return tools_new_with(cfg, targets, builtin_tools);
}

void tools_set_state(struct tools *ts, const char *state)
{
	free(ts->state);
	ts->state = xstrdup(state);
}

void tools_set_targets(struct tools *ts, const struct targets *targets)
{
	ts->targets = targets;
}

void tools_set_config_file(struct tools *ts, const char *path)
{
	free(ts->config_file);
	ts->config_file = xstrdup(path);
}

static struct sandbox *open_sandbox(const struct tools *ts)
{
	const struct tools_settings *settings = &ts->settings;
	const char *const hidden[] = {ts->config_file, ts->state, NULL};
	const struct sandbox_options options = {
	    .workspace = settings->workspace,
	    .roots = &settings->roots,
	    .hidden = ts->config_file ? hidden : hidden + 1,
	    .required = (enum sandbox_level)settings->sandbox,
	    .run_as = settings->run_as,
	    .memory_bytes = settings->process_bytes,
	    .file_bytes = settings->process_file_bytes,
	    .processes = settings->process_count,
	    .open_files = settings->process_files,
	    .cpu_s = (settings->process_cpu_ms + 999) / 1000,
	};

	return sandbox_new(&options);
}

static bool is_in_state(const struct tools *ts)
{
	size_t len = ts->state ? strlen(ts->state) : 0;

	return len > 0 && strncmp(ts->settings.workspace, ts->state, len) == 0 &&
	    ts->settings.workspace[len] == '/';
}

/* Opens a folder that only the operator can write, if it is set. */
static int open_folder(const struct tools *ts, const char *path, struct roots **out, struct error *err)
{
	const struct roots_options options = {
	    .workspace = path, .config_file = ts->config_file, .state = ts->state};
	struct path_error why;

	*out = path ? roots_open(&options, err) : NULL;
	if (*out && !roots_refuse(ts->roots, roots_workspace(*out), &why))
		return error_set(err, ERROR_OURS,
		    "The folder %s of the prompt lies in the workspace or a root, where tools write. Choose "
		    "another one in prompt.",
		    path);
	return path && !*out ? -1 : 0;
}

int tools_open(struct tools *ts, struct error *err)
{
	if (!ts->settings.workspace && ts->state)
		ts->settings.workspace = xasprintf("%s/workspace", ts->state);
	const struct roots_options options = {
	    .workspace = ts->settings.workspace,
	    .extra = &ts->settings.roots,
	    .config_file = ts->config_file,
	    .state = ts->state,
	};

	if (!options.workspace)
		return error_set(err, ERROR_OURS,
		    "File tools have no folder to work in. Set state, or workspace in tools.");
	for (size_t i = 0; i < ts->settings.rules_off.count; i++)
		log_warn("tools", "the safety rule %s is off", ts->settings.rules_off.items[i]);
	bool is_ours = access(options.workspace, F_OK) != 0 || is_in_state(ts);
	ts->roots = roots_open(&options, err);
	if (is_ours)
		workspace_owner_set(ts->settings.run_as, options.workspace, ts->state);
	ts->sandbox = open_sandbox(ts);
	if (!ts->roots || open_folder(ts, ts->prompt.folder, &ts->prompt_roots, err) < 0)
		return -1;
	return open_folder(ts, ts->prompt.skills, &ts->skill_roots, err);
}

void tools_free(struct tools *ts)
{
	if (!ts)
		return;
	sources_leave(ts);
	for (size_t i = 0; i < ts->builtin_count; i++)
		json_object_put(ts->builtins[i].schema);
	free(ts->builtins);
	free(ts->entries);
	roots_unref(ts->roots);
	roots_unref(ts->prompt_roots);
	roots_unref(ts->skill_roots);
	prompt_settings_clear(&ts->prompt);
	prompt_files_cache_free(ts->prompt_files_cache);
	sandbox_free(ts->sandbox);
	free(ts->config_file);
	free(ts->state);
	config_settings_clear(tools_keys, ARRAY_LEN(tools_keys), &ts->settings);
	approval_settings_clear(&ts->approvals);
	policy_free(ts->policy);
	rules_free(ts->rules);
	schedule_settings_clear(&ts->reminders);
	web_tools_free(ts->web);
	free(ts);
}

void tools_share(struct tools *ts, const struct tools *others)
{
	sources_leave(ts);
	sources_join(ts, others->sources);
}

void tools_refresh(struct task *t, const struct tools *ts)
{
	external_refresh(t, sources_external(ts->sources), ts);
}

struct tools *tools_pin(const struct tools *ts)
{
	struct tools *view = xmemdup(ts, sizeof(*ts));

	if (view->roots)
		roots_ref(view->roots);
	view->entries = xmemdup(ts->entries, (ts->count + 1) * sizeof(*ts->entries));
	for (size_t i = 0; i < view->count; i++)
		tool_hold(view->entries[i].tool);
	return view;
}

struct tools *tools_pin_chat(
    const struct tools *ts, const struct address *chat, const char *person, const char *former)
{
	enum workspace_scope scope = (enum workspace_scope)ts->settings.workspace_scope;
	struct tools *view = tools_pin(ts);
	char *folder = scope_workspace_folder(scope, ts->targets, chat, person),
	     *before = former ? scope_chat_folder(chat->channel, former) : NULL;

	if (folder && view->roots) {
		roots_unref(view->roots);
		view->roots = roots_part(ts->roots, folder, before);
		if (!ts->prompt_roots || ts->prompt.workspace_skills)
			view->prompt_files_cache = NULL;
	}
	free(folder);
	free(before);
	return view;
}

bool tools_same_folder(const struct tools *ts, const struct address *chat, const char *a, const char *b)
{
	enum workspace_scope scope = (enum workspace_scope)ts->settings.workspace_scope;
	char *one = scope_workspace_folder(scope, ts->targets, chat, a),
	     *other = scope_workspace_folder(scope, ts->targets, chat, b);
	bool same = !one || strcmp(one, other) == 0;

	free(one);
	free(other);
	return same;
}

void tools_unpin(struct tools *view)
{
	roots_unref(view->roots);
	for (size_t i = 0; i < view->count; i++)
		tool_release(view->entries[i].tool);
	free(view->entries);
	free(view);
}

const struct targets *tools_targets(const struct tools *ts)
{
	return ts->targets;
}

struct sandbox *tools_sandbox(const struct tools *ts)
{
	return ts->sandbox;
}

size_t tools_calls_at_once(const struct tools *ts)
{
	return (size_t)ts->settings.calls_at_once;
}

int tools_rounds(const struct tools *ts)
{
	return (int)ts->settings.rounds;
}

bool tools_allow(const struct tool *tool, const struct tool_call *call)
{
	if (call->guest && (tool->flags & (TOOL_WRITES | TOOL_ASKS)))
		return false;
	if (tool->flags & TOOL_ADMIN && !call->admin)
		return false;
	return policy_allows(call->tools->policy, tool, call);
}

struct llm_tool *tools_offer(const struct tools *ts, const struct tool_call *call, size_t *count)
{
	struct llm_tool *offer = xcalloc(ts->count + 1, sizeof(*offer));

	*count = 0;
	for (size_t i = 0; i < ts->count; i++) {
		const struct tool *tool = ts->entries[i].tool;
		if (tools_allow(tool, call) &&
		    (!(tool->flags & TOOL_SANDBOX) || sandbox_may_run(ts->sandbox)))
			offer[(*count)++] = (struct llm_tool){tool->name, tool->summary, tool->schema};
	}
	return offer;
}

const struct tool *tools_next(const struct tools *ts, const struct tool *after)
{
	size_t i = 0;

	while (after && i < ts->count && ts->entries[i++].tool != after)
		;
	return i < ts->count ? ts->entries[i].tool : NULL;
}

struct json_object *tools_schema(const struct tools *ts, const struct tool *tool)
{
	if (tool->origin)
		return tool_own_schema(tool);
	for (size_t i = 0; i < ts->builtin_count; i++)
		if (ts->builtins[i].tool == tool)
			return ts->builtins[i].schema;
	return NULL;
}
