#include "base/json/json.h"
#include "base/mem.h"
#include "tools/shell/shell.h"
#include "tools/tools_internal.h"

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *command = json_get_str(args, "command");

	/* A text with a NUL cannot be passed to a program. */
	if (!command || str_is_blank(command))
		return tool_failure(
		    "exec_shell", "INVALID_ARGUMENT", "RANGE", "'command' is blank. Give a command line.");
	const char *const argv[] = {"/bin/sh", "-c", command, NULL};
	const struct shell_request request = {.argv = argv,
	    .shown = command,
	    .args = args,
	    .fallback_ms = (uint64_t)call->tools->settings.command_ms};
	return shell_run(t, call, &request);
}

static const char *const aliases[] = {"shell", "bash", NULL};

const struct tool tool_exec_shell = {
    .name = "exec_shell",
    .aliases = aliases,
    .param_aliases = shell_aliases,
    .summary = "Run a command line with /bin/sh. For files, prefer read_file, edit_file, write_file, grep "
	       "and glob to cat, sed, grep and find. Use run_in_background for long commands; it returns "
	       "only task_id and status. "
	       "Returns: {exit_code?, stdout?, stderr?, duration_ms?, signal?, truncated?, stdout_bytes?, "
	       "stderr_bytes?, task_id?, status?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"command\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":65536,\"description\":\"One "
	      "argument to /bin/sh -c\"}," SHELL_SCHEMA("30 s") "},\"required\":[\"command\"]}",
    .errors = "ACCESS_DENIED, IO_ERROR, LIMIT_REACHED, NOT_FOUND, UNAVAILABLE",
    .flags = TOOL_WRITES | TOOL_TIMED | TOOL_SANDBOX,
    .guard = GUARD_SHELL,
    .measure = shell_measure,
    .run = run,
};
