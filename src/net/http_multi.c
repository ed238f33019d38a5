#include "net/http_multi.h"

#include <uv.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/http_place.h"
#include "net/http_transfer.h"

#define STREAMS_PER_CONNECTION 100	/* what curl takes for HTTP/2 until the server says otherwise */
#define HOST_CONNECTIONS_EXTRA 8
#define IDLE_CONNECTIONS       128	/* kept beyond those in use, per multi handle */
#define EASY_POOL_MAX          32

struct http_multi {
	CURLM *curl;
	/* Not base/clock: curl reads the real clock, and waits for this to start anything at all. */
	uv_timer_t timer;
	struct list transfers;
	size_t running;
	bool capped;
};

/* One socket of curl, watched for it. */
struct http_socket {
	uv_poll_t poll;
	struct http_multi *multi;
	curl_socket_t fd;
};

static struct http_multi *shared, *separate;

static CURL *easy_pool[EASY_POOL_MAX];
static size_t easy_pooled;

CURL *http_easy_get(void)
{
	CURL *easy = easy_pooled > 0 ? easy_pool[--easy_pooled] : curl_easy_init();

	if (easy == NULL)
		mem_exhausted(0);
	return easy;
}

void http_easy_put(CURL *easy)
{
	if (easy_pooled == EASY_POOL_MAX) {
		curl_easy_cleanup(easy);
		return;
	}
	curl_easy_reset(easy);
	easy_pool[easy_pooled++] = easy;
}

/* The limits follow the transfers that run. */
static void multi_fit(struct http_multi *m)
{
	long connections = (long)(m->running / STREAMS_PER_CONNECTION) + HOST_CONNECTIONS_EXTRA;

	curl_multi_setopt(m->curl, CURLMOPT_MAXCONNECTS, (long)m->running + IDLE_CONNECTIONS);
	if (m->capped)
		curl_multi_setopt(m->curl, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
}

/* At once when curl has finished it: curl looks at its limit of idle connections, and closes one at
 * most, only when a transfer finishes. */
static void transfer_uncount(struct http_transfer *x)
{
	if (!x->counted)
		return;
	x->counted = false;
	x->multi->running--;
	multi_fit(x->multi);
}

/* Tells the tasks whose transfers curl has finished. */
static void multi_collect(struct http_multi *m)
{
	CURLMsg *msg;
	int left;

	while ((msg = curl_multi_info_read(m->curl, &left)) != NULL) {
		struct http_transfer *x = NULL;

		curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&x);
		x->result = msg->data.result;
		transfer_uncount(x);
		http_transfer_end(x, HTTP_ENDED);
	}
}

static void multi_act(struct http_multi *m, curl_socket_t fd, int events)
{
	int running;
	CURLMcode rc = curl_multi_socket_action(m->curl, fd, events, &running);

	if (rc != CURLM_OK)
		log_error("net.http", "curl cannot go on: %s", curl_multi_strerror(rc));
	multi_collect(m);
}

static void on_timer(uv_timer_t *timer)
{
	multi_act(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int on_timer_change(CURLM *curl, long ms, void *arg)
{
	struct http_multi *m = arg;

	(void)curl;
	if (ms < 0) {
		uv_timer_stop(&m->timer);
		return 0;
	}
	/* libuv counts from the start of this turn of the loop, which may be long ago. */
	uv_update_time(uv_default_loop());
	uv_timer_start(&m->timer, on_timer, (uint64_t)ms, 0);
	return 0;
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
	struct http_socket *s = poll->data;
	int flags = 0;

	if (events & UV_READABLE)
		flags |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		flags |= CURL_CSELECT_OUT;
	multi_act(s->multi, s->fd, status < 0 ? CURL_CSELECT_ERR : flags);
}

static void free_data(uv_handle_t *handle)
{
	free(handle->data);
}

static struct http_socket *socket_new(struct http_multi *m, curl_socket_t fd)
{
	struct http_socket *s = xcalloc(1, sizeof(*s));
	int rc = uv_poll_init_socket(uv_default_loop(), &s->poll, fd);

	if (rc != 0) {
		log_error("net.http", "cannot watch a socket: %s", uv_strerror(rc));
		free(s);
		return NULL;
	}
	s->poll.data = s;
	s->multi = m;
	s->fd = fd;
	curl_multi_assign(m->curl, fd, s);
	return s;
}

/* Never fails: curl would give up the multi handle for good. A socket that cannot be watched is left
 * to the timers of its transfer. */
static int on_socket_change(CURL *easy, curl_socket_t fd, int what, void *arg, void *socket_arg)
{
	struct http_socket *s = socket_arg;
	int events = 0, rc;

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (s != NULL) {
			curl_multi_assign(s->multi->curl, fd, NULL);
			uv_close((uv_handle_t *)&s->poll, free_data);
		}
		return 0;
	}
	if (s == NULL && (s = socket_new(arg, fd)) == NULL)
		return 0;
	if (what & CURL_POLL_IN)
		events |= UV_READABLE;
	if (what & CURL_POLL_OUT)
		events |= UV_WRITABLE;
	rc = uv_poll_start(&s->poll, events, on_socket);
	if (rc != 0)
		log_error("net.http", "cannot watch a socket: %s", uv_strerror(rc));
	return 0;
}

static struct http_multi *multi_new(bool capped)
{
	struct http_multi *m = xcalloc(1, sizeof(*m));

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || (m->curl = curl_multi_init()) == NULL)
		mem_exhausted(0);
	list_init(&m->transfers);
	m->capped = capped;
	m->timer.data = m;
	uv_timer_init(uv_default_loop(), &m->timer);
	curl_multi_setopt(m->curl, CURLMOPT_SOCKETFUNCTION, on_socket_change);
	curl_multi_setopt(m->curl, CURLMOPT_SOCKETDATA, m);
	curl_multi_setopt(m->curl, CURLMOPT_TIMERFUNCTION, on_timer_change);
	curl_multi_setopt(m->curl, CURLMOPT_TIMERDATA, m);
	curl_multi_setopt(m->curl, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)STREAMS_PER_CONNECTION);
	return m;
}

static void multi_free(struct http_multi *m)
{
	if (m == NULL)
		return;
	curl_multi_cleanup(m->curl);
	uv_close((uv_handle_t *)&m->timer, free_data);
	curl_global_cleanup();
}

static struct http_multi *multi_for(const struct http_transfer *x)
{
	bool capped = x->url.https && x->req->unix_socket == NULL && !x->place->http1 && !x->misplaced;
	struct http_multi **m = capped ? &shared : &separate;

	if (*m == NULL)
		*m = multi_new(capped);
	return *m;
}

int http_multi_add(struct http_transfer *x, struct error *err)
{
	struct http_multi *m;
	CURLMcode rc;

	x->place = http_place_get(&x->url);
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

	/* One that was never added is refused, which is fine. */
	curl_multi_remove_handle(m->curl, x->easy);
	list_remove(&x->link);
	transfer_uncount(x);
	if (x->res->sent)
		x->place->waiting--;
	http_place_put(x->place);
	x->multi = NULL;
	x->place = NULL;
}

void http_multi_sent(struct http_transfer *x)
{
	x->place->waiting++;
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
	if (x->place->http1 == http1 || !x->url.https)
		return;
	x->place->http1 = http1;
	if (!http1)
		return;
	list_each(&x->multi->transfers, it, next) {
		struct http_transfer *other = list_entry(it, struct http_transfer, link);

		if (other->place == x->place)
			misplace(other);
	}
}

void http_multi_relieve(struct http_transfer *x)
{
	if (x->place->waiting > 0)
		misplace(x);
}

void http_finish(void)
{
	while (easy_pooled > 0)
		curl_easy_cleanup(easy_pool[--easy_pooled]);
	multi_free(shared);
	multi_free(separate);
	shared = separate = NULL;
	http_place_forget_all();
}
