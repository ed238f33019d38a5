#include "net/lws_context.h"

#include <libwebsockets.h>
#include <string.h>
#include <uv.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"

static unsigned room = LWS_SHARED_SOCKETS;
static struct lws_context *context;
static size_t errors_logged;
static size_t inside;
/* libwebsockets' timer on the loop. Its idle handle runs in the iterations in which it sets the timer
 * again. */
static uv_timer_t *its_timer;
static uv_idle_t *its_idle;
static uv_prepare_t resting;

static void log_line(int level, const char *line)
{
	int len = (int)strcspn(line, "\n");

	errors_logged += level == LLL_ERR;
	if (level & (LLL_ERR | LLL_WARN))
		log_warn("libwebsockets", "%.*s", len, line);
	else
		log_debug("libwebsockets", "%.*s", len, line);
}

static void handle_note(uv_handle_t *handle, void *arg)
{
	buf_add(arg, &handle, sizeof(handle));
}

/* Unreferences handles that are not in arg, the list of older ones, so that they do not keep the loop
 * running. */
static void handle_take_new(uv_handle_t *handle, void *arg)
{
	struct buf *known = arg;

	for (size_t i = 0; i < known->len; i += sizeof(handle))
		if (memcmp(known->data + i, &handle, sizeof(handle)) == 0)
			return;
	uv_unref(handle);
	if (handle->type == UV_TIMER)
		its_timer = (uv_timer_t *)handle;
	else if (handle->type == UV_IDLE)
		its_idle = (uv_idle_t *)handle;
}

/* Runs after the idle handles in each iteration of the loop. */
static void rest_when_idle(uv_prepare_t *prepare)
{
	if (its_idle && uv_is_active((uv_handle_t *)its_idle))
		return;
	if (its_timer && inside == 0)
		uv_timer_stop(its_timer);
	uv_prepare_stop(prepare);
}

void lws_context_reserve(unsigned sockets)
{
	room = sockets;
}

static struct lws_context *context_new(void)
{
	void *loops[] = {uv_default_loop()};
	struct lws_context_creation_info info = {
	    /* TLS must be initialised here; certificates are loaded by a vhost with the same option. */
	    .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
		LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
	    .foreign_loops = loops,
	    .fd_limit_per_thread = room,
	    .pt_serv_buf_size = LWS_SHARED_READ,
	    /* Size limit of the headers that a client reads and writes. */
	    .max_http_header_data2 = LWS_SHARED_HEAD,
	    /* Our own code has a limit wherever it waits. */
	    .timeout_secs = 3600,
	};
	struct lws_context *made;
	struct buf known = BUF_INIT;
	size_t errors = errors_logged;

	uv_walk(uv_default_loop(), handle_note, &known);
	made = lws_create_context(&info);
	uv_walk(uv_default_loop(), handle_take_new, &known);
	buf_clear(&known);
	uv_prepare_init(uv_default_loop(), &resting);
	uv_unref((uv_handle_t *)&resting);
	uv_prepare_start(&resting, rest_when_idle);
	/* On a loop of ours, a partial failure gives a log line and a context that is being destroyed. */
	return errors_logged == errors ? made : NULL;
}

/*
 * The context is never destroyed. lws_context_destroy of 4.1.6 closes the eventfd of its event pipe twice,
 * in two iterations of the loop (seen with strace); in between, a worker thread may have opened a file under
 * that number. An idle context costs no time, and its handles do not keep the loop running.
 */
struct lws_context *lws_context_get(struct error *err)
{
	if (context)
		return context;
	lws_set_log_level(
	    LLL_ERR | LLL_WARN | (log_current_level() == LOG_LEVEL_DEBUG ? LLL_NOTICE | LLL_INFO : 0),
	    log_line);
	context = context_new();
	if (!context)
		error_set(err, ERROR_OURS,
		    "libwebsockets does not start on the libuv loop: install its package "
		    "libwebsockets-evlib-uv.");
	return context;
}

void lws_context_enter(void)
{
	inside++;
}

void lws_context_leave(void)
{
	if (--inside == 0)
		uv_prepare_start(&resting, rest_when_idle);
}
