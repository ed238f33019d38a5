#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "cli/cli.h"
#include "cli/time.h"
#include "config/gateway_config.h"
#include "store/offline.h"

/* Time limit: a large database is searched in slices. */
#define TRACE_TIMEOUT_MS 120000

/* Prints each step with its time and the delay since the one before. */
static void print_steps(struct json_object *trace)
{
	struct json_object *steps = json_get_array(trace, "steps");
	int64_t before = 0;

	for (size_t i = 0; steps && i < json_object_array_length(steps); i++) {
		struct json_object *s = json_object_array_get_idx(steps, i);
		const char *text = json_get_str(s, "text");
		int64_t at = json_get_int(s, "at_ms", 0);
		char time[CLI_TIME_MAX];
		if (at > 0 && before > 0)
			printf("%-24s %+9.3f s  ", cli_time(at, time), (double)(at - before) / 1000);
		else
			printf("%-24s %11s  ", at > 0 ? cli_time(at, time) : "now", "");
		printf("%-14s %s\n", json_get_str(s, "step"), text ? text : "");
		before = at;
	}
}

/* Without a daemon reads the database itself. */
static struct json_object *trace_here(const struct gateway_config *gc, const char *what)
{
	struct json_object *trace = NULL;
	struct error err = {0};

	cli_progress("searching the database");
	int rc = offline_trace(&(struct offline_place){gc->top.state, &gc->store}, what, &trace, &err);
	cli_progress_end();
	if (rc < 0)
		fprintf(stderr, "myna: %s\n", err.text);
	else if (!trace)
		fprintf(stderr,
		    "myna: There is no such message. Messages are forgotten 30 days after they were "
		    "handled.\n");
	return trace;
}

/* Escapes a parameter of a URL. */
static void add_escaped(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_addf(out, "%%%02X", (unsigned char)*text);
}

static struct json_object *trace_there(const char *config_file, const char *what, int *status)
{
	struct buf path = BUF_INIT;

	buf_addstr(&path, "/v1/trace?message=");
	add_escaped(&path, what);
	struct json_object *trace =
	    cli_ask_first(config_file, "GET", path.data, NULL, TRACE_TIMEOUT_MS, status);
	buf_clear(&path);
	return trace;
}

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* A number, turn:N, or CHANNEL:CHAT:ID. */
static bool is_message(const char *text)
{
	const char *colon = strchr(text, ':');

	if (strncmp(text, "turn:", 5) == 0)
		return is_number(text + 5);
	return is_number(text) || (colon && colon > text && strchr(colon + 1, ':'));
}

static int run(const struct cli_call *call)
{
	const char *what = call->words[0];
	struct json_object *trace = NULL;
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	int status = CLI_FAILED;

	if (call->count != 1 || !is_message(what))
		return cli_usage(
		    "trace takes a message: the number after inbound= in the log, CHANNEL:CHAT:ID or turn:N");
	if (cli_load_top(&gc, call->config_file, &report) < 0)
		fputs(report.data, stderr);
	else
		trace = trace_there(call->config_file, what, &status);
	if (status == CLI_NO_DAEMON) {
		trace = trace_here(&gc, what);
		status = CLI_FAILED;
	}
	if (trace && call->given[0])
		cli_print_json(trace);
	else if (trace)
		print_steps(trace);
	buf_clear(&report);
	gateway_config_clear(&gc);
	status = trace ? CLI_OK : status;
	json_object_put(trace);
	return status;
}

const struct cli_command cli_trace = {
    .name = "trace",
    .arguments = "[--json] MESSAGE",
    .options = cli_json_option,
    .words_max = 1,
    .help = "show the steps of one message, each with its time",
    .run = run,
};
