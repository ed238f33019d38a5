#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "net/loop.h"
#include "net/web/web.h"
#include "tools/source.h"
#include "tools/tools.h"

/* Longer than any tool runs. */
#define TOOL_TIMEOUT_MS 330000

struct tool_run {
	struct tool_call call;
	const char *name, *arguments;
	char *result;
	bool is_error;
};

static void run_task(struct task *t, void *arg)
{
	struct tool_run *r = arg;

	tools_refresh(t, r->call.tools);
	r->result = tools_run(t, &r->call, r->name, r->arguments, &r->is_error);
}

/* Runs the tool in this process, under the config's policy. */
static int run_here(const struct gateway_config *gc, const char *name, const char *arguments)
{
	struct tool_run r = {
	    .call = {
		.tools = gc->tools, .admin = true, .operator= true }, .name = name, .arguments = arguments};
	struct error err = {0};

	if (tools_open(gc->tools, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
		return CLI_FAILED;
	}
	loop_init();
	cli_progress(name);
	task_run("tool", run_task, &r);
	cli_progress_end();
	web_finish();
	puts(r.result);
	free(r.result);
	return r.is_error ? CLI_FAILED : CLI_OK;
}

/* Runs the tool in the daemon, whose bus and chats it needs. */
static int run_there(const char *config_file, const char *name, struct json_object *arguments)
{
	struct json_object *request = json_object_new_object();
	struct buf body = BUF_INIT;
	int status;

	json_set_str(request, "name", name);
	json_set(request, "arguments", json_object_get(arguments));
	json_write(&body, request);
	json_object_put(request);
	struct json_object *answer =
	    cli_ask(config_file, "POST", "/v1/tool", &body, TOOL_TIMEOUT_MS, &status);
	buf_clear(&body);
	if (!answer)
		return status;
	cli_print_json(answer);
	status = tools_result_failed(answer) ? CLI_FAILED : CLI_OK;
	json_object_put(answer);
	return status;
}

static bool is_daemon_there(const struct gateway_config *gc)
{
	return access(gc->top.control, F_OK) == 0;
}

static bool needs_daemon(const struct gateway_config *gc, const char *name)
{
	const struct tool *tool = tools_find(gc->tools, name);

	/* Without a socket no daemon runs. An unknown tool may be an MCP server's, to which only the daemon
	 * is connected. */
	return (!tool || tool->flags & TOOL_DAEMON) && is_daemon_there(gc);
}

static int run_tool(
    const char *config_file, const struct gateway_config *gc, const char *name, const char *arguments)
{
	struct json_object *parsed =
	    needs_daemon(gc, name) ? json_parse(arguments, strlen(arguments), NULL) : NULL;
	int status = CLI_NO_DAEMON;

	if (parsed)
		status = run_there(config_file, name, parsed);
	json_object_put(parsed);
	/* Without a daemon the tool works on the state itself, or reports the error, as for invalid JSON. */
	return status == CLI_NO_DAEMON ? run_here(gc, name, arguments) : status;
}

static void print_absent(struct json_object *list)
{
	size_t count = json_object_array_length(list);

	if (count > 0)
		puts("\nNot offered:");
	for (size_t i = 0; i < count; i++) {
		struct json_object *row = json_object_array_get_idx(list, i);
		const char *name = json_get_str(row, "name");
		printf("%-16s %s: %s\n", name ? name : "-", json_get_str(row, "source"),
		    json_get_str(row, "reason"));
	}
}

static void print_names(struct json_object *listing)
{
	struct json_object *tools = json_get_array(listing, "tools");

	for (size_t i = 0; i < json_object_array_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		const char *summary = json_get_str(tool, "summary");
		printf("%-16s %.*s\n", json_get_str(tool, "name"), (int)strcspn(summary, ".\n"), summary);
	}
	print_absent(json_get_array(listing, "absent"));
}

static void print_json(struct json_object *listing)
{
	cli_print_json(json_get(listing, "tools"));
}

/* Prints the page about the built-in tools. */
static int print_page(const struct tools *ts)
{
	struct buf text = BUF_INIT;

	tools_document(ts, &text);
	fputs(text.data, stdout);
	buf_clear(&text);
	return CLI_OK;
}

static void refresh_task(struct task *t, void *arg)
{
	tools_refresh(t, arg);
}

/* Lists what is available without a daemon: programs of the external folder are asked here, MCP servers are
 * not. NULL: the error is printed. */
static struct json_object *list_here(const struct gateway_config *gc)
{
	struct error err = {0};

	if (config_has(gc->file, "tools.mcp_servers"))
		fputs(
		    "myna: the tools of MCP servers are known to the gateway, which does not run.\n", stderr);
	if (config_has(gc->file, "tools.external")) {
		if (tools_open(gc->tools, &err) < 0) {
			fprintf(stderr, "myna: %s\n", err.text);
			return NULL;
		}
		loop_init();
		cli_progress("asking the external tools");
		task_run("tools", refresh_task, gc->tools);
		cli_progress_end();
	}
	return tools_listing(gc->tools);
}

static int list_tools(
    const char *config_file, const struct gateway_config *gc, void (*print)(struct json_object *listing))
{
	struct json_object *listing = NULL;
	int status = CLI_NO_DAEMON;

	if (config_has(gc->file, "tools.mcp_servers") && is_daemon_there(gc))
		listing = cli_ask(config_file, "GET", "/v1/tools", NULL, TOOL_TIMEOUT_MS, &status);
	if (!listing && status == CLI_NO_DAEMON)
		listing = list_here(gc);
	if (!listing)
		return status == CLI_NO_DAEMON ? CLI_FAILED : status;
	print(listing);
	json_object_put(listing);
	return CLI_OK;
}

enum { JSON, MARKDOWN };

static const struct cli_option options[] = {{"--json", NULL}, {"--markdown", NULL}, {0}};
static const char *const actions[] = {"list", "run", NULL};

static int run(const struct cli_call *call)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	int status = CLI_FAILED;
	bool json = call->given[JSON], page = call->given[MARKDOWN],
	     lists = strcmp(call->words[0], "list") == 0;

	if (lists ? call->count != 1 || (json && page) : call->count != 3 || page)
		return cli_usage("tool takes 'list', 'list --json', 'list --markdown', or 'run NAME JSON', "
				 "which always prints "
				 "JSON");
	int rc = gateway_config_load(&gc, gateway_config_path(call->config_file), &report);
	if (rc < 0)
		fputs(report.data, stderr);
	else if (cli_become_owner(gc.top.state) < 0)
		;
	else if (!lists)
		status = run_tool(call->config_file, &gc, call->words[1], call->words[2]);
	else if (page)
		status = print_page(gc.tools);
	else
		status = list_tools(call->config_file, &gc, json ? print_json : print_names);
	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_tool = {
    .name = "tool",
    .arguments = "list [--json | --markdown] | run NAME JSON",
    .options = options,
    .actions = actions,
    .words_min = 1,
    .words_max = 3,
    .help = "list the tools, or run one and print what a model would get",
    .run = run,
};
