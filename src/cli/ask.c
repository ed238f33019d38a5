#include <stdarg.h>
#include <stdio.h>

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

int cli_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("myna: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputs("\nTry 'myna help'.\n", stderr);
	va_end(ap);
	return CLI_USAGE;
}

/* Reports that no answer came. */
static int tell_silence(const struct question *q)
{
	const char *socket = q->request.unix_socket;

	if (q->response.sent) {
		fprintf(stderr,
		    "myna: the gateway on %s gave no answer (%s). It may have done what was asked.\n", socket,
		    q->err.text);
		return CLI_UNCERTAIN;
	}
	fprintf(stderr, "myna: no gateway answers: %s. Start it with 'myna run'.\n", q->err.text);
	return CLI_NO_DAEMON;
}

/* Returns the answer's JSON; NULL with the error on stderr. */
static struct json_object *read_answer(const struct question *q, int *status)
{
	struct error err = {0};

	if (q->rc < 0) {
		*status = tell_silence(q);
		return NULL;
	}
	struct json_object *o = json_parse_object(q->response.body.data, q->response.body.len, &err);
	if (o && q->response.status == 200)
		return o;
	const char *why = json_get_str(o, "error");
	if (why)
		fprintf(stderr, "myna: %s\n", why);
	else
		fprintf(
		    stderr, "myna: the gateway gave the status %d without a reason.\n", q->response.status);
	json_object_put(o);
	*status = CLI_FAILED;
	return NULL;
}

static struct json_object *ask(struct question *q, int *status)
{
	loop_init();
	task_run("ask", ask_task, q);
	struct json_object *answer = read_answer(q, status);
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

struct json_object *cli_ask(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status)
{
	static const struct http_header json = {"Content-Type", "application/json"};
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	struct json_object *answer = NULL;
	char *url = xasprintf("http://localhost%s", path);

	*status = CLI_FAILED;
	if (cli_load_top(&gc, config_file, &report) < 0) {
		fputs(report.data, stderr);
	} else {
		struct question q = {.request = {.method = method,
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
		answer = ask(&q, status);
	}
	buf_clear(&report);
	gateway_config_clear(&gc);
	free(url);
	return answer;
}
