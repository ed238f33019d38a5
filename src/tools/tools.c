#include "tools/tools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "llm/tokens.h"
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

struct tools_entry tools_entry_of(const struct tool *tool, struct json_object *schema)
{
	struct tools_entry entry = {
	    tool, schema, {.name = tool->name, .summary = tool->summary, .schema = tool->schema}};

	llm_tool_count(&entry.offer);
	return entry;
}

/* Adds a tool, unless its schema cannot be sent to a model. */
static void add_tool(struct tools *ts, const struct tool *tool)
{
	struct error err = {0};
	struct json_object *schema = json_parse_object(tool->schema, strlen(tool->schema), &err);

	if (!schema || schema_check(schema, false, &err) < 0) {
		log_error("tools", "tool=%s left out: %s", tool->name, err.text);
	} else {
		ts->builtins = xrealloc(ts->builtins, (ts->builtin_count + 1) * sizeof(*ts->builtins));
		ts->builtins[ts->builtin_count++] = tools_entry_of(tool, NULL);
	}
	json_object_put(schema);
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
	ts->config_file = xstrdup(config_file(cfg, 0));
	ts->state = xstrdup(config_string(cfg, "state"));
	ts->shared = xstrdup(config_string(cfg, "cluster.shared"));
	approval_read(&ts->approvals, cfg, targets);
	ts->policy = policy_read(cfg, targets);
	ts->rules = rules_read(cfg, &ts->settings.rules_off);
	schedule_settings_read(&ts->reminders, cfg);
	ts->web = web_tools_new(cfg);
	prompt_settings_read(&ts->prompt, cfg);
	ts->prompt_files_cache = prompt_files_cache_new();
	ts->prompt_watch = prompt_watch_new();
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

void tools_set_shared(struct tools *ts, const char *shared)
{
	free(ts->shared);
	ts->shared = xstrdup(shared);
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

const char *tools_data(const struct tools *ts)
{
	return ts->shared ? ts->shared : ts->state;
}

static bool is_in_data(const struct tools *ts)
{
	size_t len = tools_data(ts) ? strlen(tools_data(ts)) : 0;

	return len > 0 && strncmp(ts->settings.workspace, tools_data(ts), len) == 0 &&
	    ts->settings.workspace[len] == '/';
}

/* Opens a folder that only the operator can write, if it is set. */
static int open_folder(const struct tools *ts, const char *path, struct roots **out, struct error *err)
{
	const struct roots_options options = {
	    .workspace = path, .config_file = ts->config_file, .state = ts->state, .shared = ts->shared};
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
	if (!ts->settings.workspace && tools_data(ts))
		ts->settings.workspace = xasprintf("%s/workspace", tools_data(ts));
	bool skills;
	const struct config_strings *instructions = rules_prompt_files(ts->rules, &skills);
	const struct roots_options options = {
	    .workspace = ts->settings.workspace,
	    .extra = &ts->settings.roots,
	    .config_file = ts->config_file,
	    .state = ts->state,
	    .shared = ts->shared,
	    .instructions = instructions,
	    .skills = skills,
	    .disk_reserve = ts->settings.disk_reserve,
	    .quota = ts->settings.workspace_scope == WORKSPACE_SHARED ? ts->settings.workspace_quota : 0,
	    .part_quota = ts->settings.workspace_quota,
	};

	if (!options.workspace)
		return error_set(err, ERROR_OURS,
		    "File tools have no folder to work in. Set state, or workspace in tools.");
	for (size_t i = 0; i < ts->settings.rules_off.count; i++)
		log_warn("tools", "the safety rule %s is off", ts->settings.rules_off.items[i]);
	bool is_ours = access(options.workspace, F_OK) != 0 || is_in_data(ts);
	ts->roots = roots_open(&options, err);
	if (is_ours)
		workspace_owner_set(ts->settings.run_as, options.workspace, tools_data(ts));
	ts->sandbox = tools_open_sandbox(ts);
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
	prompt_watch_free(ts->prompt_watch);
	sandbox_unref(ts->sandbox);
	free(ts->config_file);
	free(ts->state);
	free(ts->shared);
	config_settings_clear(tools_section.keys, tools_section.key_count, &ts->settings);
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
			offer[(*count)++] = ts->entries[i].offer;
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
	for (size_t i = 0; i < ts->builtin_count; i++) {
		struct tools_entry *entry = &ts->builtins[i];

		if (entry->tool != tool)
			continue;
		if (!entry->schema)
			entry->schema = json_parse_object(tool->schema, strlen(tool->schema), NULL);
		return entry->schema;
	}
	return NULL;
}
