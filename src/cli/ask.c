#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "config/last_good_config.h"
#include "net/http/http.h"
#include "net/loop.h"

struct question {
	const char *config_file; /* of -c; NULL without */
	const char *state;       /* the gateway's folder */
	struct http_request request;
	struct http_response response;
	struct error err;
	int rc;
};

static void ask_task(struct task *t, void *arg)
{
	struct question *q = arg;

	q->rc = http_perform(t, &q->request, &q->response, &q->err);
}

static void print_error(const char *fmt, va_list ap)
{
	fputs("myna: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

int cli_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_error(fmt, ap);
	va_end(ap);
	return CLI_FAILED;
}

int cli_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_error(fmt, ap);
	va_end(ap);
	fputs("Try 'myna help'.\n", stderr);
	return CLI_USAGE;
}

/* Whether a gateway runs is unknown then. */
static bool is_closed_to_us(const struct question *q)
{
	return access(q->request.unix_socket, W_OK) < 0 && errno == EACCES;
}

static void name_user(const char *state, struct buf *why)
{
	char *owner = cli_other_owner(state);

	if (owner)
		buf_addf(why, "only %s may ask the gateway: run this as %s (sudo -u %s myna ...)", owner,
		    owner, owner);
	else
		buf_addf(why,
		    "only the gateway's user may ask it, and %s is closed to you: run this as that user "
		    "(sudo -u USER myna ...)",
		    state);
	free(owner);
}

/* No answer came. */
static int explain_silence(const struct question *q, struct buf *why)
{
	if (q->response.sent) {
		buf_addf(why, "the gateway on %s gave no answer (%s). It may have done what was asked.",
		    q->request.unix_socket, q->err.text);
		return CLI_UNCERTAIN;
	}
	if (is_closed_to_us(q)) {
		name_user(q->state, why);
		return CLI_FAILED;
	}
	buf_addf(why, "no gateway answers: %s. Start it with 'myna %s%s%srun'.", q->err.text,
	    q->config_file ? "-c " : "", q->config_file ? q->config_file : "", q->config_file ? " " : "");
	return CLI_NO_DAEMON;
}

static struct json_object *read_answer(const struct question *q, int *status, struct buf *why)
{
	struct error err = {0};

	if (q->rc < 0) {
		*status = explain_silence(q, why);
		return NULL;
	}
	struct json_object *o = json_parse_object(q->response.body.data, q->response.body.len, &err);
	if (o && q->response.status == 200)
		return o;
	const char *reason = json_get_str(o, "error");
	if (reason)
		buf_addstr(why, reason);
	else
		buf_addf(why, "the gateway gave the status %d without a reason.", q->response.status);
	json_object_put(o);
	*status = CLI_FAILED;
	return NULL;
}

static struct json_object *ask(struct question *q, int *status, struct buf *why)
{
	loop_init();
	cli_progress("waiting for the gateway");
	task_run("ask", ask_task, q);
	cli_progress_end();
	struct json_object *answer = read_answer(q, status, why);
	http_response_clear(&q->response);
	http_finish();
	return answer;
}

int cli_load_top(struct gateway_config *gc, const char *config_file, struct buf *report)
{
	if (gateway_config_load_top(gc, gateway_config_path(config_file), report) == 0)
		return 0;
	return last_good_config_load_top(gc, report);
}

struct json_object *cli_try(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status, struct buf *why)
{
	static const struct http_header json = {"Content-Type", "application/json"};
	struct gateway_config gc;
	struct json_object *answer = NULL;
	char *url = xasprintf("http://localhost%s", path);

	*status = CLI_FAILED;
	if (cli_load_top(&gc, config_file, why) == 0) {
		struct question q = {.config_file = config_file,
		    .state = gc.top.state,
		    .request = {.method = method,
			.url = url,
			.label = "the control socket",
			.unix_socket = gc.top.control,
			.headers = &json,
			.header_count = body ? 1 : 0,
			.body = body ? body->data : NULL,
			.body_len = body ? body->len : 0,
			.idle_ms = timeout_ms,
			.connect_ms = 2000,
			.once = true}};
		answer = ask(&q, status, why);
	}
	gateway_config_clear(&gc);
	free(url);
	return answer;
}

/* The mistakes of a configuration are lines that name the file. */
static void print_why(const struct buf *why)
{
	if (why->len > 0)
		fprintf(stderr, why->data[why->len - 1] == '\n' ? "%s" : "myna: %s\n", why->data);
}

struct json_object *cli_ask(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status)
{
	struct buf why = BUF_INIT;
	struct json_object *answer = cli_try(config_file, method, path, body, timeout_ms, status, &why);

	if (!answer)
		print_why(&why);
	buf_clear(&why);
	return answer;
}

struct json_object *cli_ask_first(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status)
{
	struct buf why = BUF_INIT;
	struct json_object *answer = cli_try(config_file, method, path, body, timeout_ms, status, &why);

	if (!answer && *status != CLI_NO_DAEMON)
		print_why(&why);
	buf_clear(&why);
	return answer;
}
