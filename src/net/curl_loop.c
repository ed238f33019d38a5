#include "net/curl_loop.h"

#include <unistd.h>
#include <uv.h>

#include "base/list.h"
#include "base/log.h"
#include "base/mem.h"

struct curl_loop {
	CURLM *curl;
	/* Not base/clock: curl uses the real clock, and starts a transfer only when this timer fires. */
	uv_timer_t timer;
	curl_loop_ended_fn *ended;
};

/* A socket that we poll for curl. */
struct curl_socket {
	uv_poll_t poll;
	struct list link;
	struct curl_loop *loop; /* NULL: no transfer is on it */
	curl_socket_t fd;
	int events; /* that are polled */
};

static void collect(struct curl_loop *l)
{
	CURLMsg *msg;
	int left;

	while ((msg = curl_multi_info_read(l->curl, &left)))
		l->ended(msg->easy_handle, msg->data.result);
}

static void act(struct curl_loop *l, curl_socket_t fd, int events)
{
	int running;
	CURLMcode rc = curl_multi_socket_action(l->curl, fd, events, &running);

	if (rc != CURLM_OK)
		log_error("net.http", "curl cannot go on: %s", curl_multi_strerror(rc));
	collect(l);
}

static void on_timer(uv_timer_t *timer)
{
	act(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int on_timer_change(CURLM *curl, long ms, void *arg)
{
	struct curl_loop *l = arg;

	(void)curl;
	if (ms < 0) {
		uv_timer_stop(&l->timer);
		return 0;
	}
	/* libuv counts from the start of this iteration of the loop, which may be long ago. */
	uv_update_time(uv_default_loop());
	uv_timer_start(&l->timer, on_timer, (uint64_t)ms, 0);
	return 0;
}

static void stop_polling(struct curl_socket *s)
{
	s->events = 0;
	uv_poll_stop(&s->poll);
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
	struct curl_socket *s = poll->data;
	int flags = 0;

	/* libuv has stopped already, or the other side has closed it, as curl will see before it uses it
	 * again. */
	if (status < 0 || !s->loop)
		stop_polling(s);
	if (!s->loop)
		return;
	if (events & UV_READABLE)
		flags |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		flags |= CURL_CSELECT_OUT;
	act(s->loop, s->fd, status < 0 ? CURL_CSELECT_ERR : flags);
}

static void free_data(uv_handle_t *handle)
{
	free(handle->data);
}

/* Between two transfers on it, a connection keeps its handle: a new one takes four system calls. Until curl
 * closes the connection. */
static struct list kept = LIST_INIT(kept);

static struct curl_socket *take_kept(curl_socket_t fd)
{
	list_each(&kept, it, next) {
		struct curl_socket *s = list_entry(it, struct curl_socket, link);

		if (s->fd != fd)
			continue;
		list_remove(it);
		return s;
	}
	return NULL;
}

int curl_loop_close_socket(void *arg, curl_socket_t fd)
{
	struct curl_socket *s = take_kept(fd);

	(void)arg;
	if (s)
		uv_close((uv_handle_t *)&s->poll, free_data);
	return close(fd);
}

static struct curl_socket *socket_new(curl_socket_t fd)
{
	struct curl_socket *s = xcalloc(1, sizeof(*s));
	int rc = uv_poll_init_socket(uv_default_loop(), &s->poll, fd);

	if (rc != 0) {
		log_error("net.http", "cannot watch a socket: %s", uv_strerror(rc));
		free(s);
		return NULL;
	}
	s->poll.data = s;
	s->fd = fd;
	return s;
}

/* Once an answer has come, curl closes the connection by curl_loop_close_socket alone: until then it may stay
 * polled, which saves the calls that end and begin that for each transfer. */
static void keep(struct curl_socket *s, CURL *easy)
{
	long status = 0;

	curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	if (status == 0)
		stop_polling(s);
	s->loop = NULL;
	uv_unref((uv_handle_t *)&s->poll);
	list_append(&kept, &s->link);
}

/* Never fails: curl would close the multi handle for good. If a socket cannot be polled, the timers of its
 * transfer end it. */
static int on_socket_change(CURL *easy, curl_socket_t fd, int what, void *arg, void *socket_arg)
{
	struct curl_socket *s = socket_arg;
	struct curl_loop *l = arg;
	int events = 0, rc;

	if (what == CURL_POLL_REMOVE) {
		if (s) {
			curl_multi_assign(l->curl, fd, NULL);
			keep(s, easy);
		}
		return 0;
	}
	if (!s) {
		s = take_kept(fd);
		if (!s && !(s = socket_new(fd)))
			return 0;
		s->loop = l;
		uv_ref((uv_handle_t *)&s->poll);
		curl_multi_assign(l->curl, fd, s);
	}
	if (what & CURL_POLL_IN)
		events |= UV_READABLE;
	if (what & CURL_POLL_OUT)
		events |= UV_WRITABLE;
	if (events == s->events)
		return 0;
	rc = uv_poll_start(&s->poll, events, on_socket);
	if (rc != 0)
		log_error("net.http", "cannot watch a socket: %s", uv_strerror(rc));
	s->events = rc == 0 ? events : 0;
	return 0;
}

struct curl_loop *curl_loop_new(curl_loop_ended_fn *ended)
{
	struct curl_loop *l = xcalloc(1, sizeof(*l));

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || !(l->curl = curl_multi_init()))
		mem_exhausted(0);
	l->ended = ended;
	l->timer.data = l;
	uv_timer_init(uv_default_loop(), &l->timer);
	curl_multi_setopt(l->curl, CURLMOPT_SOCKETFUNCTION, on_socket_change);
	curl_multi_setopt(l->curl, CURLMOPT_SOCKETDATA, l);
	curl_multi_setopt(l->curl, CURLMOPT_TIMERFUNCTION, on_timer_change);
	curl_multi_setopt(l->curl, CURLMOPT_TIMERDATA, l);
	return l;
}

void curl_loop_free(struct curl_loop *l)
{
	if (!l)
		return;
	curl_multi_cleanup(l->curl);
	uv_close((uv_handle_t *)&l->timer, free_data);
	curl_global_cleanup();
}

CURLM *curl_loop_multi(const struct curl_loop *l)
{
	return l->curl;
}

void curl_list_add(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);

	if (!longer)
		mem_exhausted(strlen(line));
	*list = longer;
}
