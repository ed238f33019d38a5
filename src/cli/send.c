#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "cli/cli.h"

/* Longer than the daemon's own wait for outcomes. */
#define SEND_TIMEOUT_MS 60000
/* The daemon accepts this much with the rest of the request. */
#define TEXT_BYTES_MAX (256 << 10)
/* More than any platform accepts. */
#define FILE_MAX ((size_t)64 << 20)

struct send_options {
	bool json, dry_run;
	const char *key, *to, *text, *file;
	struct buf input; /* the text from standard input */
};

/* Reads the text from standard input, without its final newline. */
static int read_input(struct send_options *o)
{
	struct buf raw = BUF_INIT;
	char block[4096];
	size_t n;

	while (raw.len <= TEXT_BYTES_MAX && (n = fread(block, 1, sizeof(block), stdin)) > 0)
		buf_add(&raw, block, n);
	while (raw.len > 0 && raw.data[raw.len - 1] == '\n')
		buf_truncate(&raw, raw.len - 1);
	utf8_sanitize(&o->input, raw.data, raw.len);
	o->text = o->input.data;
	n = raw.len;
	buf_clear(&raw);
	if (ferror(stdin))
		return cli_fail("standard input cannot be read: %s", strerror(errno));
	return n <= TEXT_BYTES_MAX ?
	    CLI_OK :
	    cli_fail("standard input is longer than %d KiB: send a shorter text", TEXT_BYTES_MAX >> 10);
}

enum { JSON, DRY_RUN, KEY, FILE_PATH };

static const struct cli_option options[] = {
    {"--json", NULL}, {"--dry-run", NULL}, {"--key", "KEY"}, {"--file", "PATH"}, {0}};

static int status_of(const char *state)
{
	if (strcmp(state, "sent") == 0 || strcmp(state, "dry_run") == 0)
		return CLI_OK;
	/* A queued message counts as uncertain: it will be sent, with unknown outcome. */
	return strcmp(state, "failed") == 0 ? CLI_FAILED : CLI_UNCERTAIN;
}

/* Prints a line for each recipient. Returns the exit status: failed if one failed, else uncertain if one
 * is. */
static int print_results(struct json_object *answer, bool json)
{
	struct json_object *results = json_get_array(answer, "results");
	size_t count = results ? json_object_array_length(results) : 0, of[] = {0, 0, 0};

	for (size_t i = 0; i < count; i++) {
		struct json_object *r = json_object_array_get_idx(results, i);
		const char *to = json_get_str(r, "address"), *state = json_get_str(r, "state");
		const char *id = json_get_str(r, "message_id"), *why = json_get_str(r, "error");
		of[status_of(state ? state : "")]++;
		if (!json)
			printf("%s %s %s%s%s%s\n", to ? to : "-", state ? state : "-",
			    id      ? id :
				why ? why :
				      "-",
			    json_get_bool(r, "repeated", false) ? " (before, with the same key)" : "",
			    id && why ? " " : "", id && why ? why : "");
	}
	if (json)
		cli_print_json(answer);
	if (of[CLI_FAILED] > 0 || count == 0)
		return CLI_FAILED;
	return of[CLI_UNCERTAIN] > 0 ? CLI_UNCERTAIN : CLI_OK;
}

static struct json_object *request_of(const struct send_options *o)
{
	const char *slash = o->file ? strrchr(o->file, '/') : NULL;
	struct json_object *request = json_object_new_object(), *to = json_object_new_array();

	json_object_array_add(to, json_object_new_string(o->to));
	json_set(request, "to", to);
	json_set_str(request, "text", o->text);
	json_set_str(request, "key", o->key);
	json_set_bool(request, "dry_run", o->dry_run);
	json_set_str(request, "file", slash ? slash + 1 : o->file);
	return request;
}

/* Appends the contents of the file. */
static int add_file(struct buf *body, const char *path)
{
	FILE *in = fopen(path, "re");
	char block[65536];
	size_t n, before = body->len;
	int rc = CLI_OK;

	while (in && body->len - before <= FILE_MAX && (n = fread(block, 1, sizeof(block), in)) > 0)
		buf_add(body, block, n);
	if (!in || ferror(in))
		rc = cli_fail("%s cannot be read: %s", path, strerror(errno));
	else if (body->len - before > FILE_MAX)
		rc = cli_fail("%s is larger than %zu MiB: no platform takes it", path, FILE_MAX >> 20);
	if (in)
		fclose(in);
	return rc;
}

static int ask(const char *config_file, const struct send_options *o)
{
	struct json_object *request = request_of(o), *answer = NULL;
	struct buf body = BUF_INIT;
	int status = CLI_OK;

	json_write(&body, request);
	json_object_put(request);
	if (o->file) {
		buf_addch(&body, '\n');
		status = add_file(&body, o->file);
	}
	if (status == CLI_OK)
		answer = cli_ask(config_file, "POST", o->file ? "/v1/file" : "/v1/messages", &body,
		    SEND_TIMEOUT_MS, &status);
	buf_clear(&body);
	if (!answer)
		return status;
	status = print_results(answer, o->json);
	json_object_put(answer);
	return status;
}

static int run(const struct cli_call *call)
{
	struct send_options o = {.input = BUF_INIT,
	    .json = call->given[JSON],
	    .dry_run = call->given[DRY_RUN],
	    .key = call->given[KEY],
	    .file = call->given[FILE_PATH],
	    .to = call->words[0],
	    .text = call->words[1]};
	int status = CLI_OK;

	if (call->count == 0 || (call->count == 1 && !o.file))
		return cli_usage("send takes a target or address, and a text in quotes, or - to read it from "
				 "standard input");
	if (o.text && strcmp(o.text, "-") == 0)
		status = read_input(&o);
	if (status == CLI_OK)
		status = ask(call->config_file, &o);
	buf_clear(&o.input);
	return status;
}

const struct cli_command cli_send = {
    .name = "send",
    .arguments = "[--json] [--dry-run] [--key KEY] [--file PATH] TARGET|ADDRESS TEXT|-",
    .options = options,
    .words_max = 2,
    .help = "send a message in Markdown through the running gateway; - reads the text from standard input; "
	    "--file sends a file, with the text as its caption",
    .run = run,
};
