#include "net/http/http.h"

#include "base/error.h"
#include "base/task.h"
#include "net/http/transfer.h"
#include "net/http/multi.h"
#include "net/resolve.h"

#define CONNECT_MS (10 * 1000)
#define IDLE_MS    (60 * 1000)
#define MAX_BODY   (16 * 1024 * 1024)
/* How long a request waits for a slot on the existing connections of its host. */
#define PATIENCE_MS 1000

void http_transfer_end(struct http_transfer *x, enum http_end end)
{
	if (x->end != HTTP_RUNNING)
		return;
	x->end = end;
	task_wake(x->task);
}

static void on_not_connected(struct clock_timer *timer, void *arg)
{
	(void)timer;
	http_transfer_end(arg, HTTP_NOT_CONNECTED);
}

static void on_long_wait(struct clock_timer *timer, void *arg)
{
	struct http_transfer *x = arg;

	http_multi_reassign(x);
	clock_timer_start(timer, x->connect_ms - PATIENCE_MS, on_not_connected, x);
}

static void on_overdue(struct clock_timer *timer, void *arg)
{
	(void)timer;
	http_transfer_end(arg, HTTP_OVERDUE);
}

static void transfer_init(
    struct http_transfer *x, struct task *t, const struct http_request *req, struct http_response *res)
{
	*res = (struct http_response){.body = BUF_INIT};
	*x = (struct http_transfer){
	    .task = t,
	    .req = req,
	    .res = res,
	    .connect_ms = req->connect_ms != 0 ? req->connect_ms : CONNECT_MS,
	    .idle_ms = req->idle_ms != 0 ? req->idle_ms : IDLE_MS,
	    .max_body = req->max_body != 0 ? req->max_body : MAX_BODY,
	};
}

/* Waits until something ends the transfer. A result that arrived in time counts, even if the task is
 * cancelled at the same moment. */
static int transfer_wait(struct task *t, struct http_transfer *x, struct error *err)
{
	while (x->end == HTTP_RUNNING) {
		if (task_wait(t, err) != 0)
			return x->end == HTTP_RUNNING ? -1 : 0;
		/* It may have been sent after it was marked misplaced. */
		if (x->end == HTTP_RUNNING && x->misplaced && !x->res->sent) {
			http_multi_remove(x);
			if (http_multi_add(x, err) != 0)
				return -1;
		}
	}
	return 0;
}

static int transfer_run(struct task *t, struct http_transfer *x, struct error *err)
{
	int rc;

	if (http_multi_add(x, err) != 0)
		return http_error_prefix(x, err);
	if (x->connect_ms > PATIENCE_MS)
		clock_timer_start(&x->timer, PATIENCE_MS, on_long_wait, x);
	else
		clock_timer_start(&x->timer, x->connect_ms, on_not_connected, x);
	rc = transfer_wait(t, x, err);
	if (x->multi)
		http_multi_remove(x);
	if (rc == 0)
		return http_outcome(x, err);
	if (err)
		err->uncertain = x->res->sent;
	return -1;
}

/* Resolves the host, unless curl needs no name: addresses->count is 0 then. */
static int transfer_resolve(
    struct task *t, struct http_transfer *x, struct resolve_answer *addresses, struct error *err)
{
	addresses->count = 0;
	if (x->req->unix_socket || resolve_is_literal(x->url.host))
		return 0;
	return resolve_name(t, x->url.host, addresses, err);
}

/* A function of its own: the addresses would stay on the stack while the transfer runs. */
static __attribute__((noinline)) int transfer_begin(
    struct task *t, struct http_transfer *x, struct error *err)
{
	struct resolve_answer addresses;
	int rc = http_url_parse(x->req->url, &x->url, err);

	if (rc == 0)
		rc = transfer_resolve(t, x, &addresses, err);
	if (rc == 0)
		rc = http_setup(x, addresses.count > 0 ? &addresses : NULL, err);
	return rc == 0 ? 0 : http_error_prefix(x, err);
}

int http_perform(struct task *t, const struct http_request *req, struct http_response *res, struct error *err)
{
	struct http_transfer x;
	uint64_t begun = clock_now(), spent;
	int rc;

	transfer_init(&x, t, req, res);
	rc = transfer_begin(t, &x, err);
	if (rc == 0) {
		spent = clock_now() - begun;
		if (req->total_ms != 0)
			clock_timer_start(
			    &x.total, req->total_ms > spent ? req->total_ms - spent : 1, on_overdue, &x);
		rc = transfer_run(t, &x, err);
		clock_timer_stop(&x.timer);
		clock_timer_stop(&x.total);
	}
	http_setup_clear(&x);
	return rc;
}

void http_response_clear(struct http_response *res)
{
	buf_clear(&res->body);
}
