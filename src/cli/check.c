#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/open_files.h"
#include "base/task.h"
#include "ops/sandbox_status.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "ops/probe.h"

/* Counts the channels named in the file. */
static size_t count_channels(const struct gateway_config *gc)
{
	size_t n = 0;

	for (size_t i = 0; i < gc->channel_count; i++)
		n += !gc->channels[i].implied;
	return n;
}

struct probing {
	const struct gateway_config *config;
	struct json_object *list;
	size_t failed;
};

static void probe_task(struct task *t, void *arg)
{
	struct probing *p = arg;

	p->failed = probe_all(t, p->config, p->list);
}

int cli_probe_list(const struct gateway_config *gc, struct json_object *list)
{
	struct probing p = {.config = gc, .list = list};

	loop_init();
	cli_progress("asking the platforms and models");
	task_run("probe", probe_task, &p);
	cli_progress_end();
	http_finish();
	return p.failed > 0 ? CLI_FAILED : CLI_OK;
}

int cli_probe(const struct gateway_config *gc)
{
	struct json_object *list = json_object_new_array();
	struct buf out = BUF_INIT;
	int status = cli_probe_list(gc, list);

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		const char *text = json_get_str(o, "text");

		buf_addf(&out, "%s: %s%s%s\n", json_get_str(o, "about"),
		    json_get_bool(o, "ok", false) ? "ok" : "FAILED", *text ? ", " : "", text);
	}
	cli_print(out.data);
	buf_clear(&out);
	json_object_put(list);
	return status;
}

static bool is_enough(struct json_object *sandbox)
{
	return sandbox && json_get_bool(sandbox, "enough", false);
}

static struct json_object *prove_sandbox(const struct gateway_config *gc, struct buf *text)
{
	cli_progress("testing the sandbox");
	struct json_object *sandbox = sandbox_status_prove_here(gc, text);
	cli_progress_end();
	return sandbox;
}

/* Proves the sandbox on this machine and prints the result. */
static int check_sandbox(const struct gateway_config *gc)
{
	struct buf text = BUF_INIT;
	struct json_object *sandbox = prove_sandbox(gc, &text);
	int status = is_enough(sandbox) ? CLI_OK : CLI_FAILED;

	if (sandbox)
		sandbox_status_describe(sandbox, true, &text);
	fputs(text.data, stdout);
	json_object_put(sandbox);
	buf_clear(&text);
	return status;
}

/* {"file", "line", "text"} of "FILE:LINE: text"; without a place the text alone. */
static struct json_object *report_json(const char *report, size_t len)
{
	struct json_object *o = json_object_new_object();
	char *line = xstrndup(report, len), *text = line;

	for (char *at = line; (at = strchr(at, ':')); at++) {
		size_t digits = strspn(at + 1, "0123456789");
		if (digits == 0 || strncmp(at + 1 + digits, ": ", 2) != 0)
			continue;
		*at = '\0';
		json_set_str(o, "file", line);
		json_set_int(o, "line", strtoll(at + 1, NULL, 10));
		text = at + digits + 3;
		break;
	}
	json_set_str(o, "text", text);
	free(line);
	return o;
}

static struct json_object *reports_json(const char *report)
{
	struct json_object *list = json_object_new_array();

	for (size_t len; *report; report += len + (report[len] == '\n')) {
		len = strcspn(report, "\n");
		json_object_array_add(list, report_json(report, len));
	}
	return list;
}

/* Each warning is a line of report. */
static void say_ok(const char *file, const struct buf *report, size_t channels)
{
	size_t warnings = 0;

	for (size_t i = 0; i < report->len; i++)
		warnings += report->data[i] == '\n';
	printf("%s: OK", file);
	if (warnings > 0)
		printf(" with %zu warning%s", warnings, warnings == 1 ? "" : "s");
	printf(", %zu channel%s\n", channels, channels == 1 ? "" : "s");
}

enum { JSON, PROBE, SANDBOX };

static const struct cli_option options[] = {{"--json", NULL}, {"--probe", NULL}, {"--sandbox", NULL}, {0}};

static int print_json(const char *const *given, const char *file, const struct gateway_config *gc,
    const char *report, bool loaded)
{
	struct json_object *out = json_object_new_object(), *list;
	struct buf text = BUF_INIT;
	int status = loaded ? CLI_OK : CLI_FAILED;

	json_set_str(out, "file", file);
	json_set_int(out, "channels", (int64_t)count_channels(gc));
	json_set(out, "errors", reports_json(loaded ? "" : report));
	json_set(out, "warnings", reports_json(loaded ? report : ""));
	if (loaded && given[PROBE]) {
		json_set(out, "probes", list = json_object_new_array());
		status = cli_probe_list(gc, list);
	}
	if (loaded && given[SANDBOX]) {
		struct json_object *sandbox = prove_sandbox(gc, &text);
		status = is_enough(sandbox) ? CLI_OK : CLI_FAILED;
		json_set(out, "sandbox", sandbox);
		if (!sandbox)
			json_set(out, "errors", reports_json(text.data));
	}
	json_set_bool(out, "ok", status == CLI_OK);
	cli_print_json(out);
	buf_clear(&text);
	json_object_put(out);
	return status;
}

static int print_text(const char *const *given, const char *file, const struct gateway_config *gc,
    const struct buf *report, bool loaded)
{
	fputs(report->data, stderr);
	if (!loaded)
		return CLI_FAILED;
	say_ok(file, report, count_channels(gc));
	return given[PROBE] ? cli_probe(gc) : given[SANDBOX] ? check_sandbox(gc) : CLI_OK;
}

static int run(const struct cli_call *call)
{
	const char *const *given = call->given;
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	char few[200];

	if (given[PROBE] && given[SANDBOX])
		return cli_usage("check takes --probe or --sandbox, not both");
	const char *file = gateway_config_path(call->config_file);
	bool loaded = gateway_config_load(&gc, file, &report) == 0;
	if (loaded && open_files_are_few(few, sizeof(few)))
		buf_addf(&report, "warning: %s\n", few);
	if (loaded && given[SANDBOX] && cli_become_owner(gc.top.state) < 0)
		return CLI_FAILED;
	int status = given[JSON] ? print_json(given, file, &gc, report.data, loaded) :
				   print_text(given, file, &gc, &report, loaded);
	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_check = {
    .name = "check",
    .arguments = "[--json] [--probe | --sandbox]",
    .options = options,
    .help = "check the configuration and print each error as FILE:LINE: message; --probe also asks each "
	    "platform and model; --sandbox tests what commands of the agent cannot do on this machine",
    .run = run,
};
