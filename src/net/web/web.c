#include "net/web/web.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "net/curl_loop.h"
#include "net/web/guard.h"
#include "net/web/transfer.h"

#define AT_ONCE 16

static struct curl_loop *loop;
/* Limits concurrent fetches. */
static struct task_semaphore turns = TASK_SEMAPHORE_INIT(turns, AT_ONCE);

bool web_method_is_safe(const char *method)
{
	return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0 || strcmp(method, "OPTIONS") == 0;
}

void web_transfer_end(struct web_transfer *x, enum web_end end)
{
	if (x->end != WEB_RUNNING)
		return;
	x->end = end;
	task_wake(x->task);
}

static void on_ended(CURL *easy, CURLcode result)
{
	struct web_transfer *x = NULL;

	curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&x);
	x->result = result;
	web_transfer_end(x, WEB_ENDED);
}

static CURLM *multi(void)
{
	if (!loop) {
		loop = curl_loop_new(on_ended);
		curl_multi_setopt(curl_loop_multi(loop), CURLMOPT_MAXCONNECTS, (long)AT_ONCE);
	}
	return curl_loop_multi(loop);
}

static void on_overdue(struct clock_timer *timer, void *arg)
{
	(void)timer;
	web_transfer_end(arg, WEB_OVERDUE);
}

static int await(struct task *t, struct web_transfer *x, struct error *err)
{
	CURLMcode rc = curl_multi_add_handle(multi(), x->easy);
	int cancelled = 0;

	if (rc != CURLM_OK)
		return web_fail(x, WEB_NO_CONNECTION, err, "%s", curl_multi_strerror(rc));
	while (x->end == WEB_RUNNING && cancelled == 0)
		cancelled = task_wait(t, err);
	curl_multi_remove_handle(multi(), x->easy);
	if (x->end != WEB_RUNNING)
		return web_outcome(x, err);
	x->res->failure = WEB_CANCELLED;
	return -1;
}

int web_transfer_run(struct task *t, struct web_transfer *x, struct error *err)
{
	int rc;

	if (http_url_parse(x->text, &x->url, err) < 0) {
		x->res->failure = WEB_BAD_URL;
		return -1;
	}
	if (!web_guard_permits_port(x->req->guard, x->url.host, x->url.port))
		return web_fail(x, WEB_REFUSED, err, "port %u of %s is not one that is fetched", x->url.port,
		    x->url.host);
	rc = web_setup(x, err);
	if (rc == 0)
		rc = await(t, x, err);
	return rc;
}

/* Same scheme, host and port: headers may contain a key for just that origin. */
static bool is_same_place(const struct http_url *a, const struct http_url *b)
{
	return a->https == b->https && a->port == b->port && strcmp(a->host, b->host) == 0;
}

/* Returns the next URL, malloc'd; NULL when the response is the last one. */
static char *redirect_of(const struct web_transfer *x)
{
	const int status = x->res->status;
	char *url = NULL;

	if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308)
		return NULL;
	/* A person has approved sending the body to one URL only. */
	if ((status == 307 || status == 308) && !x->drop_body && !web_method_is_safe(x->req->method))
		return NULL;
	if (curl_easy_getinfo(x->easy, CURLINFO_REDIRECT_URL, &url) != CURLE_OK || !url)
		return NULL;
	/* curl accepts a bare CR or LF that other clients would refuse. */
	return url[strcspn(url, "\r\n")] == '\0' ? xstrdup(url) : NULL;
}

/* Starts the next request of x; *res stays where it is. */
static void transfer_init(struct web_transfer *x, struct task *t, const struct web_request *req,
    struct web_response *res, char *url)
{
	web_response_clear(res);
	*res = (struct web_response){.length = -1, .body = BUF_INIT, .url = url};
	*x = (struct web_transfer){.task = t, .req = req, .res = res, .text = url};
}

static int follow(
    struct task *t, const struct web_request *req, struct web_response *res, uint64_t due, struct error *err)
{
	struct clock_timer timer = {0};
	struct http_url first = {0};
	char *next = xstrdup(req->url);
	struct web_transfer x;
	int rc = 0;

	for (unsigned hop = 0; next; hop++) {
		uint64_t now = clock_now();
		transfer_init(&x, t, req, res, next);
		next = NULL;
		x.drop_body = res->redirected = hop > 0;
		if (hop > 0 && http_url_parse(x.text, &x.url, NULL) == 0)
			x.drop_headers = !is_same_place(&x.url, &first);
		clock_timer_start(&timer, due > now ? due - now : 0, on_overdue, &x);
		rc = web_transfer_run(t, &x, err);
		clock_timer_stop(&timer);
		first = hop == 0 ? x.url : first;
		/* The caller's own URL was valid. */
		if (hop > 0 && res->failure == WEB_BAD_URL)
			res->failure = WEB_REFUSED;
		next = rc == 0 ? redirect_of(&x) : NULL;
		web_setup_clear(&x);
		if (next && hop >= req->redirects) {
			free(next);
			return web_fail(
			    &x, WEB_NO_HTTP, err, "it redirects more than %u times", req->redirects);
		}
	}
	return rc;
}

int web_perform(struct task *t, const struct web_request *req, struct web_response *res, struct error *err)
{
	uint64_t due = clock_now() + req->total_ms;
	int rc;

	*res = (struct web_response){.length = -1, .body = BUF_INIT};
	rc = task_semaphore_acquire_until(t, &turns, 1, due, err);
	if (rc > 0) {
		res->failure = WEB_LATE;
		return error_set(err, ERROR_NETWORK, "too many others are being fetched");
	}
	if (rc < 0) {
		res->failure = WEB_CANCELLED;
		return -1;
	}
	rc = follow(t, req, res, due, err);
	task_semaphore_release(&turns, 1);
	return rc;
}

void web_response_clear(struct web_response *res)
{
	buf_clear(&res->body);
	free(res->url);
	res->url = NULL;
}

void web_finish(void)
{
	curl_loop_free(loop);
	loop = NULL;
}
