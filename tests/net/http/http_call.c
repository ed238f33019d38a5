#include "net/http/http_call.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>
#include <cmocka.h>

#include "base/task.h"
#include "net/loop.h"
#include "net/resolve.h"

void call_init(struct call *c, unsigned port)
{
	*c = (struct call){.req = {.method = "GET"}};
	snprintf(c->url, sizeof(c->url), "http://127.0.0.1:%u/path", port);
	buf_init(&c->streamed);
	buf_init(&c->res.body);
}

static void call_status(int status, const char *content_type, void *arg)
{
	struct call *c = arg;

	(void)content_type;
	c->status = c->streamed.len == 0 ? status : -1;
	c->status_calls++;
}

static int call_data(const char *data, size_t len, void *arg)
{
	struct call *c = arg;

	buf_add(&c->streamed, data, len);
	c->after_no |= c->said_no;
	c->said_no = c->stop_at > 0 && c->streamed.len >= c->stop_at;
	return c->said_no ? -1 : 0;
}

void call_stream(struct call *c)
{
	c->req.on_status = call_status;
	c->req.on_data = call_data;
	c->req.arg = c;
}

static void call_task(struct task *t, void *arg)
{
	struct call *c = arg;

	if (!c->req.url)
		c->req.url = c->url;
	c->rc = http_perform(t, &c->req, &c->res, &c->err);
	c->done = true;
}

void call_start(struct call *c)
{
	c->done = false;
	http_response_clear(&c->res);
	c->task = task_start(NULL, "call", call_task, c);
}

void call_finish(struct call *c)
{
	while (!c->done)
		uv_run(uv_default_loop(), UV_RUN_ONCE);
}

void call_run(struct call *c)
{
	call_start(c);
	call_finish(c);
}

void call_run_against(struct call *c, const struct raw_step *steps)
{
	const struct raw_step *const scripts[] = {steps};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);

	snprintf(c->url, sizeof(c->url), "http://127.0.0.1:%u/path", raw_server_port(s));
	call_run(c);
	raw_server_free(s);
}

void call_assert_failed(const struct call *c, enum error_kind kind, const char *words)
{
	assert_int_equal(c->rc, -1);
	if (!strstr(c->err.text, words))
		print_message("%s\n", c->err.text);
	assert_non_null(strstr(c->err.text, words));
	assert_int_equal(c->err.kind, kind);
	assert_int_equal(c->err.uncertain, kind == ERROR_NETWORK && c->res.sent);
	assert_int_equal(c->err.unanswered, kind == ERROR_NETWORK && c->res.status == 0);
	assert_null(strstr(c->err.text, "/path"));
}

void call_clear(struct call *c)
{
	http_response_clear(&c->res);
	buf_clear(&c->streamed);
}

static void sleep_task(struct task *t, void *arg)
{
	task_sleep(t, *(unsigned *)arg, NULL);
}

void loop_for(unsigned ms)
{
	task_run("sleep", sleep_task, &ms);
}

size_t open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	if (!dir)
		return 0;
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

size_t open_fds_settled(size_t most)
{
	for (int i = 0; i < 6000 && open_fds() > most; i++)
		loop_for(10);
	return open_fds();
}

int call_tear_down(void **state)
{
	(void)state;
	http_finish();
	resolve_forget_all();
	loop_finish();
	return task_count() == 0 ? 0 : -1;
}
