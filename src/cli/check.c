#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
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
	struct buf text;
	size_t failed;
};

static void probe_task(struct task *t, void *arg)
{
	struct probing *p = arg;

	p->failed = probe_all(t, p->config, &p->text);
}

int cli_probe(const struct gateway_config *gc)
{
	struct probing p = {.config = gc, .text = BUF_INIT};

	loop_init();
	task_run("probe", probe_task, &p);
	http_finish();
	fputs(p.text.data, stdout);
	buf_clear(&p.text);
	return p.failed > 0 ? CLI_FAILED : CLI_OK;
}

/* Proves the sandbox on this machine and prints the result. */
static int check_sandbox(const struct gateway_config *gc)
{
	struct buf text = BUF_INIT;
	struct json_object *boundary = sandbox_status_prove_here(gc, &text);
	bool enough = boundary && json_get_bool(boundary, "enough", false);

	if (boundary)
		sandbox_status_describe(boundary, true, &text);
	fputs(text.data, stdout);
	json_object_put(boundary);
	buf_clear(&text);
	return enough ? CLI_OK : CLI_FAILED;
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

static int run(const char *config_file, int argc, char **argv)
{
	bool probe = argc == 2 && strcmp(argv[1], "--probe") == 0;
	bool sandbox = argc == 2 && strcmp(argv[1], "--sandbox") == 0;
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	char few[200];

	if (argc > 1 && !probe && !sandbox)
		return cli_usage("check takes --probe or --sandbox, not '%s'", argv[argc - 1]);
	const char *file = gateway_config_path(config_file);
	int rc = gateway_config_load(&gc, file, &report), status = rc < 0 ? CLI_FAILED : CLI_OK;
	if (rc == 0 && open_files_are_few(few, sizeof(few)))
		buf_addf(&report, "warning: %s\n", few);
	fputs(report.data, stderr);
	if (rc == 0)
		say_ok(file, &report, count_channels(&gc));
	if (rc == 0 && probe)
		status = cli_probe(&gc);
	if (rc == 0 && sandbox)
		status = check_sandbox(&gc);
	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_check = {
    .name = "check",
    .arguments = "[--probe | --sandbox]",
    .help = "check the configuration, every error as FILE:LINE: message; --probe: also ask each platform and "
	    "model; --sandbox: test what commands of tools cannot do on this machine",
    .run = run,
};
