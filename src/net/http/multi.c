#include "net/http/multi.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/curl_loop.h"
#include "net/http/easy.h"
#include "net/http/transfer.h"

#define STREAMS_PER_CONNECTION 100 /* curl's assumption for HTTP/2 until the server announces its own */
#define HOST_CONNECTIONS_EXTRA 8
#define IDLE_CONNECTIONS       128 /* idle connections kept in addition to those in use, per multi handle */
/* For each transfer that begins or ends, curl (7.88) goes through all connections of its multi handle. */
#define TRANSFERS_AT_ONCE 256

struct http_multi {
	struct list link; /* in separate */
	struct curl_loop *loop;
	CURLM *curl; /* of loop */
	struct list transfers;
	size_t running;
	bool capped;
};

static struct http_multi *shared;
static struct list separate = LIST_INIT(separate);

/* Fits the limits to the number of running transfers. */
static void multi_fit(struct http_multi *m)
{
	long connections = (long)(m->running / STREAMS_PER_CONNECTION) + HOST_CONNECTIONS_EXTRA;

	curl_multi_setopt(m->curl, CURLMOPT_MAXCONNECTS, (long)m->running + IDLE_CONNECTIONS);
	if (m->capped)
		curl_multi_setopt(m->curl, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
}

/* Called as soon as curl has finished the transfer: curl checks its limit of idle connections, and closes at
 * most one, only when a transfer finishes. */
static void transfer_uncount(struct http_transfer *x)
{
	if (!x->counted)
		return;
	x->counted = false;
	x->multi->running--;
	multi_fit(x->multi);
}

static void on_ended(CURL *easy, CURLcode result)
{
	struct http_transfer *x = NULL;

	curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&x);
	x->result = result;
	transfer_uncount(x);
	http_transfer_end(x, HTTP_ENDED);
}

static struct http_multi *multi_new(bool capped)
{
	struct http_multi *m = xcalloc(1, sizeof(*m));

	m->loop = curl_loop_new(on_ended);
	m->curl = curl_loop_multi(m->loop);
	list_init(&m->link);
	list_init(&m->transfers);
	m->capped = capped;
	curl_multi_setopt(m->curl, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)STREAMS_PER_CONNECTION);
	return m;
}

static void multi_free(struct http_multi *m)
{
	if (!m)
		return;
	list_remove(&m->link);
	curl_loop_free(m->loop);
	free(m);
}

static struct http_multi *separate_with_room(void)
{
	struct http_multi *m;

	list_each_entry(&separate, struct http_multi, it, link)
		if (it->running < TRANSFERS_AT_ONCE)
			return it;
	m = multi_new(false);
	list_append(&separate, &m->link);
	return m;
}

/* Frees the last handles of separate that have no transfers, when the one before has room for many. The first
 * stays, with its idle connections. */
static void free_spare(void)
{
	while (separate.prev != separate.next) { /* there are several */
		struct http_multi *last = list_entry(separate.prev, struct http_multi, link);
		struct http_multi *before = list_entry(last->link.prev, struct http_multi, link);

		if (!list_is_empty(&last->transfers) || before->running > TRANSFERS_AT_ONCE / 2)
			return;
		multi_free(last);
	}
}

static struct http_multi *multi_for(const struct http_transfer *x)
{
	bool capped = x->url.https && !x->req->unix_socket && !x->host->http1 && !x->misplaced;

	if (!capped)
		return separate_with_room();
	if (!shared)
		shared = multi_new(true);
	return shared;
}

int http_multi_add(struct http_transfer *x, struct error *err)
{
	struct http_multi *m;
	CURLMcode rc;

	x->host = http_host_get(&x->url);
	x->multi = m = multi_for(x);
	x->misplaced = false;
	list_append(&m->transfers, &x->link);
	x->counted = true;
	m->running++;
	multi_fit(m);
	curl_easy_setopt(x->easy, CURLOPT_PIPEWAIT, m->capped ? 1L : 0L);
	curl_easy_setopt(x->easy, CURLOPT_PRIVATE, x);
	rc = curl_multi_add_handle(m->curl, x->easy);
	if (rc == CURLM_OK)
		return 0;
	http_multi_remove(x);
	return error_set(err, ERROR_OURS, "curl cannot start the transfer: %s", curl_multi_strerror(rc));
}

void http_multi_remove(struct http_transfer *x)
{
	struct http_multi *m = x->multi;

	/* Removing a handle that was never added fails, which is fine. */
	curl_multi_remove_handle(m->curl, x->easy);
	list_remove(&x->link);
	transfer_uncount(x);
	if (x->res->sent)
		x->host->waiting--;
	http_host_put(x->host);
	x->multi = NULL;
	x->host = NULL;
	free_spare();
}

void http_multi_sent(struct http_transfer *x)
{
	x->host->waiting++;
}

static void misplace(struct http_transfer *x)
{
	if (!x->multi->capped || x->res->sent)
		return;
	x->misplaced = true;
	task_wake(x->task);
}

void http_multi_saw_version(struct http_transfer *x, bool http1)
{
	if (x->host->http1 == http1 || !x->url.https)
		return;
	x->host->http1 = http1;
	if (!http1)
		return;
	list_each(&x->multi->transfers, it, next) {
		struct http_transfer *other = list_entry(it, struct http_transfer, link);

		if (other->host == x->host)
			misplace(other);
	}
}

void http_multi_reassign(struct http_transfer *x)
{
	if (x->host->waiting > 0)
		misplace(x);
}

void http_finish(void)
{
	http_easy_finish();
	multi_free(shared);
	shared = NULL;
	list_each_entry(&separate, struct http_multi, it, link)
		multi_free(it);
	http_host_forget_all();
}
