#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "cli.h"
#include "gateway_config.h"
#include "net/http.h"
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
	return 64;
}

/* The answer's JSON, or NULL with what is wrong on stderr. */
static struct json_object *read_answer(const struct question *q, const char *socket, int *exit_status)
{
	struct error err = {0};

	if (q->rc < 0) {
		fprintf(stderr, "myna: no daemon answers on %s (%s). Start it with 'myna run'.\n", socket, q->err.text);
		*exit_status = 3;
		return NULL;
	}
	struct json_object *o = json_parse_object(q->response.body.data, q->response.body.len, &err);
	if (o && q->response.status == 200)
		return o;
	const char *why = json_get_str(o, "error");
	fprintf(stderr, "myna: %s\n", why ? why : "the daemon gave an answer that is no JSON");
	json_object_put(o);
	*exit_status = 1;
	return NULL;
}

struct json_object *cli_ask(const char *config_file, const char *method, const char *path, const struct buf *body,
    uint64_t timeout_ms, int *exit_status)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	struct json_object *answer = NULL;

	*exit_status = 1;
	if (gateway_config_load_top(&gc, gateway_config_path(config_file), &report) < 0) {
		fputs(report.data, stderr);
	} else {
		static const struct http_header json = {"Content-Type", "application/json"};
		char *url = xasprintf("http://localhost%s", path);
		struct question q = {.request = {.method = method, .url = url, .label = "the daemon", .unix_socket = gc.top.control,
		    .headers = &json, .header_count = body ? 1 : 0, .body = body ? body->data : NULL,
		    .body_len = body ? body->len : 0, .idle_ms = timeout_ms, .connect_ms = 2000}};
		loop_init();
		task_run("ask", ask_task, &q);
		answer = read_answer(&q, gc.top.control, exit_status);
		http_response_clear(&q.response);
		http_finish();
		free(url);
	}
	buf_clear(&report);
	gateway_config_clear(&gc);
	return answer;
}
