#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/config.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "cli.h"
#include "gateway_config.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/web.h"
#include "tools/source.h"
#include "tools/tools.h"

/* Longer than any tool takes. */
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

/* In this process, under the config's policy. */
static int run_here(const struct gateway_config *gc, const char *name, const char *arguments)
{
	struct tool_run r = {.call = {.tools = gc->tools, .admin = true, .operator = true}, .name = name,
	    .arguments = arguments};
	struct error err = {0};

	if (tools_open(gc->tools, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
		return CLI_FAILED;
	}
	loop_init();
	task_run("tool", run_task, &r);
	web_finish();
	puts(r.result);
	free(r.result);
	return r.is_error ? CLI_FAILED : CLI_OK;
}

/* Through the daemon, whose bus and chats the tool needs. */
static int run_there(const char *config_file, const char *name, struct json_object *arguments)
{
	struct json_object *request = json_object_new_object();
	struct buf body = BUF_INIT;
	int status;

	json_set_str(request, "name", name);
	json_set(request, "arguments", json_object_get(arguments));
	json_write(&body, request);
	json_object_put(request);
	struct json_object *answer = cli_ask(config_file, "POST", "/v1/tool", &body, TOOL_TIMEOUT_MS, &status);
	buf_clear(&body);
	if (!answer)
		return status;
	char *text = json_text(answer);
	puts(text);
	free(text);
	status = tools_result_failed(answer) ? CLI_FAILED : CLI_OK;
	json_object_put(answer);
	return status;
}

static bool needs_daemon(const struct gateway_config *gc, const char *name)
{
	const struct tool *tool = tools_find(gc->tools, name);

	/* Without a socket there is nobody to ask, and nothing to say about it. A tool that is not known here may be an MCP
	 * server's, which the daemon talks to. */
	return (!tool || tool->flags & TOOL_DAEMON) && access(gc->top.control, F_OK) == 0;
}

static int run_tool(const char *config_file, const struct gateway_config *gc, const char *name, const char *arguments)
{
	struct json_object *parsed = needs_daemon(gc, name) ? json_parse(arguments, strlen(arguments), NULL) : NULL;
	int status = CLI_NO_DAEMON;

	if (parsed)
		status = run_there(config_file, name, parsed);
	json_object_put(parsed);
	/* Without a daemon a tool uses the state, or says what is wrong, as it does with arguments that are no JSON. */
	return status == CLI_NO_DAEMON ? run_here(gc, name, arguments) : status;
}

static void print_absent(const struct tools *ts)
{
	size_t count;
	struct tool_absent *absent = tools_absent(ts, NULL, &count);

	if (count > 0)
		puts("\nNot offered:");
	for (size_t i = 0; i < count; i++)
		printf("%-16s %s: %s\n", absent[i].name ? absent[i].name : "-", absent[i].source, absent[i].reason);
	free(absent);
}

static void print_names(const struct tools *ts)
{
	for (const struct tool *tool = NULL; (tool = tools_next(ts, tool)) != NULL;)
		printf("%-16s %.*s\n", tool->name, (int)strcspn(tool->summary, ".\n"), tool->summary);
	print_absent(ts);
}

static void print_json(const struct tools *ts)
{
	struct buf text = BUF_INIT;

	tools_describe(ts, &text);
	puts(text.data);
	buf_clear(&text);
}

static void print_page(const struct tools *ts)
{
	struct buf text = BUF_INIT;

	tools_document(ts, &text);
	fputs(text.data, stdout);
	buf_clear(&text);
}

static void refresh_task(struct task *t, void *arg)
{
	tools_refresh(t, arg);
}

/* With what is in the external folder, whose programs are asked. */
static int list_tools(const struct gateway_config *gc, void (*print)(const struct tools *ts))
{
	struct error err = {0};

	if (config_has(gc->file, "tools.external") && print != print_page) {
		if (tools_open(gc->tools, &err) < 0) {
			fprintf(stderr, "myna: %s\n", err.text);
			return CLI_FAILED;
		}
		loop_init();
		task_run("tools", refresh_task, gc->tools);
	}
	print(gc->tools);
	return CLI_OK;
}

static const struct {
	const char *option;
	void (*print)(const struct tools *ts);
} lists[] = {
    {NULL, print_names},
    {"--json", print_json},
    {"--markdown", print_page},
};

/* How the tools are to be listed; NULL when that is not what is asked for. */
static void (*find_list(int argc, char **argv))(const struct tools *ts)
{
	if (argc < 2 || argc > 3 || strcmp(argv[1], "list") != 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		if (lists[i].option ? argc == 3 && strcmp(argv[2], lists[i].option) == 0 : argc == 2)
			return lists[i].print;
	return NULL;
}

static int run(const char *config_file, int argc, char **argv)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	int status = CLI_FAILED;

	void (*list)(const struct tools *ts) = find_list(argc, argv);
	if (!list && !(argc == 4 && strcmp(argv[1], "run") == 0))
		return cli_usage("tool takes 'list', 'list --json', 'list --markdown', or 'run NAME JSON'");
	int rc = gateway_config_load(&gc, gateway_config_path(config_file), &report);
	if (rc < 0)
		fputs(report.data, stderr);
	else if (list)
		status = list_tools(&gc, list);
	else
		status = run_tool(config_file, &gc, argv[2], argv[3]);
	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_tool = {
    .name = "tool",
    .arguments = "list [--json | --markdown] | run NAME JSON",
    .help = "list the tools, or run one and print what a model would get",
    .run = run,
};
