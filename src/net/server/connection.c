#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "net/lws_context.h"
#include "net/server/server_internal.h"

/*
 * Sockets are passed to libwebsockets in its raw role; head.c and body.c parse HTTP. Its HTTP role (4.1.6)
 * does not work here, all measured: while an answer is pending it neither reads nor stops polling, so that a
 * client that disconnects is never noticed and the loop spins at 100 % CPU; it decodes and normalises the
 * path and the query before we see them; it does not accept chunked bodies; it closes silently on a head
 * that is too large.
 */

#define PROTOCOL_NAME "myna-http"
#define WRITE_MAX     (64 * 1024)
/* Bytes that a client may pipeline while its last request is being answered. While reading is paused for
 * that, a disconnect is noticed only when something is sent. */
#define AHEAD_MAX (64 * 1024)
/* Empty buffers larger than this are freed. */
#define BUFFER_KEPT 4096

static const uint64_t wait_ms[] = {
    [SERVER_WAIT_HEAD] = 10000,
    [SERVER_WAIT_BODY] = 30000,
    [SERVER_WAIT_IDLE] = 75000,
    [SERVER_WAIT_SEND] = 60000,
    [SERVER_WAIT_LINGER] = 2000,
};

size_t server_connection_pending(const struct server_connection *c)
{
	return c->out.len - c->sent;
}

bool server_connection_is_sending(const struct server_connection *c)
{
	return server_connection_pending(c) > 0 || c->partial;
}

static enum server_wait connection_waits_for(const struct server_connection *c)
{
	if (c->lingering)
		return SERVER_WAIT_LINGER;
	if (server_connection_is_sending(c))
		return SERVER_WAIT_SEND;
	if (c->request)
		return c->request->task ? SERVER_WAIT_NONE : SERVER_WAIT_BODY;
	return c->in.len > 0 ? SERVER_WAIT_HEAD : SERVER_WAIT_IDLE;
}

static void on_timer(struct clock_timer *timer, void *arg)
{
	struct server_connection *c = arg;

	(void)timer;
	if (c->wait == SERVER_WAIT_HEAD || c->wait == SERVER_WAIT_BODY)
		server_request_late(c);
	else
		server_connection_close(c, false);
}

/* A head has one fixed time limit, however slowly its bytes arrive; all other limits restart with
 * progress. */
static void connection_set_timer(struct server_connection *c, bool progress)
{
	enum server_wait wait = connection_waits_for(c);

	if (wait == SERVER_WAIT_NONE)
		clock_timer_stop(&c->timer);
	else if (wait != c->wait || (progress && wait != SERVER_WAIT_HEAD && wait != SERVER_WAIT_LINGER))
		clock_timer_start(&c->timer, wait_ms[wait], on_timer, c);
	c->wait = wait;
}

static void buffer_trim(struct buf *b)
{
	if (b->len == 0 && b->cap > BUFFER_KEPT)
		buf_clear(b);
}

/* Sets reading and the timer to match the current state of the connection. */
static void connection_settle(struct server_connection *c, bool progress)
{
	bool upgraded = c->request && c->request->answer == SERVER_ANSWER_UPGRADED;
	/* While libwebsockets holds unsent bytes, it leaves arriving ones unread but still polls for them:
	 * the loop would spin. And a client may close its side after its request, which must not cut off the
	 * pending answer. Nothing arrives before bytes are tried to be sent. */
	bool sending = server_connection_is_sending(c) && list_is_empty(&c->unsent);
	bool pause = (upgraded ? c->partial : sending) || c->in.len >= AHEAD_MAX;

	if (!c->wsi)
		return;
	if (pause != c->paused) {
		c->paused = pause;
		lws_rx_flow_control(c->wsi, !pause);
	}
	buffer_trim(&c->in);
	connection_set_timer(c, progress);
}

static int connection_read(struct server_connection *c, const char *data, size_t len)
{
	if (!c->last) {
		buf_add(&c->in, data, len);
		server_request_receive(c);
	}
	connection_settle(c, true);
	return 0;
}

/* After the last byte the client gets time to read it: closing at once while bytes of the client are unread
 * would reset the connection and could lose the answer. With TLS, libwebsockets does so when it closes. */
static void connection_linger(struct server_connection *c)
{
	c->lingering = true;
	buf_clear(&c->in);
	if (!c->server->tls)
		shutdown(lws_get_socket_fd(c->wsi), SHUT_WR);
}

static bool connection_is_over(const struct server_connection *c)
{
	bool answered = !c->request || c->request->answer == SERVER_ANSWER_DONE;

	return c->last && answered && !c->partial && !c->lingering;
}

/* Removes the sent bytes from out, seldom enough that moving the rest is cheap. */
static void connection_drop_sent(struct server_connection *c)
{
	if (c->sent == c->out.len || (c->sent >= SERVER_PENDING_MAX && c->sent >= c->out.len / 2)) {
		buf_consume(&c->out, c->sent);
		c->sent = 0;
	}
	buffer_trim(&c->out);
}

static void connection_sent(struct server_connection *c, size_t n)
{
	c->sent += n;
	connection_drop_sent(c);
	if (server_connection_pending(c) > 0)
		lws_callback_on_writable(c->wsi);
	else if (connection_is_over(c))
		connection_linger(c);
	if (server_connection_pending(c) <= SERVER_PENDING_MAX)
		server_request_sent(c);
	if (c->server->closer)
		task_wake(c->server->closer);
	connection_settle(c, true);
}

static int connection_write(struct server_connection *c)
{
	size_t n = server_connection_pending(c);

	if (n > WRITE_MAX)
		n = WRITE_MAX;
	if (n > 0 && lws_write(c->wsi, (unsigned char *)c->out.data + c->sent, n, LWS_WRITE_RAW) < 0)
		return -1;
	/* If so, it calls back when they have been sent. */
	c->partial = lws_partial_buffered(c->wsi);
	connection_sent(c, n);
	return c->lingering && c->server->tls ? -1 : 0;
}

/*
 * Connections with bytes for the client that nobody has tried to send. They are sent before the loop waits:
 * what the tasks wrote until then leaves in one piece. Only what the kernel does not take is left to
 * libwebsockets, because each of its changes between reading and writing is two calls of epoll_ctl.
 */
static struct list unsent = LIST_INIT(unsent);
static uv_prepare_t sender;

static void send_unsent(uv_prepare_t *handle)
{
	struct list *link;

	uv_prepare_stop(handle);
	while ((link = list_first(&unsent))) {
		struct server_connection *c = list_entry(link, struct server_connection, unsent);
		size_t len = server_connection_pending(c);
		ssize_t n = c->partial || c->server->tls ? -1 : 0;

		list_remove(link);
		if (n == 0 && len > 0)
			n = send(lws_get_socket_fd(c->wsi), c->out.data + c->sent, len,
			    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n >= 0) {
			connection_sent(c, (size_t)n);
		} else {
			lws_callback_on_writable(c->wsi); /* finds out what is wrong, too */
			connection_settle(c, false);
		}
	}
}

static void connection_closed(struct server_connection *c)
{
	c->closed = true;
	c->wsi = NULL;
	clock_timer_stop(&c->timer);
	list_remove(&c->link);
	list_remove(&c->unsent);
	server_request_abandon(c);
}

static void connection_free(struct server_connection *c)
{
	struct server *s = c->server;

	list_remove(&c->link);
	buf_clear(&c->in);
	buf_clear(&c->out);
	free(c);
	s->socket_count--;
	lws_context_leave();
	if (s->closer)
		task_wake(s->closer);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct server_connection *c;

	(void)user;
	switch (reason) {
	case LWS_CALLBACK_RAW_ADOPT:
		c = lws_get_opaque_user_data(wsi);
		c->wsi = wsi;
		return 0;
	case LWS_CALLBACK_RAW_RX:
		return connection_read(lws_get_opaque_user_data(wsi), in, len);
	case LWS_CALLBACK_RAW_WRITEABLE:
		return connection_write(lws_get_opaque_user_data(wsi));
	case LWS_CALLBACK_RAW_CLOSE:
		connection_closed(lws_get_opaque_user_data(wsi));
		return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		/* Some iterations of the loop after RAW_CLOSE, which a failed TLS handshake has not: only now
		 * the descriptor is closed, too. */
		connection_closed(lws_get_opaque_user_data(wsi));
		connection_free(lws_get_opaque_user_data(wsi));
		return 0;
	default:
		return 0;
	}
}

static const struct lws_protocols protocols[] = {
    {.name = PROTOCOL_NAME, .callback = on_event, .tx_packet_size = WRITE_MAX},
    {0},
};

/* The connections are in the order of their age. Returns false when all are at work. */
static bool close_waiting(struct server *s)
{
	list_each(&s->connections, link, next) {
		struct server_connection *c = list_entry(link, struct server_connection, link);

		if (c->wsi &&
		    (c->wait == SERVER_WAIT_IDLE || c->wait == SERVER_WAIT_HEAD ||
			c->wait == SERVER_WAIT_BODY || c->wait == SERVER_WAIT_LINGER)) {
			server_connection_close(c, false);
			return true;
		}
	}
	return false;
}

void server_connection_new(struct server *s, int fd)
{
	lws_adopt_desc_t desc = {.vh = s->vhost, .type = LWS_ADOPT_SOCKET, .vh_prot_name = PROTOCOL_NAME};
	struct server_connection *c;

	bool full = s->socket_count >= s->options.max_connections;

	if (full && !s->full)
		log_warn("net.server",
		    "%zu connections are open, and each new one ends an old one address=%s", s->socket_count,
		    s->address);
	s->full = full;
	if (full && !close_waiting(s)) {
		close(fd);
		return;
	}
	c = xcalloc(1, sizeof(*c));
	c->server = s;
	buf_init(&c->in);
	buf_init(&c->out);
	list_append(&s->connections, &c->link);
	list_init(&c->unsent);
	s->socket_count++;
	lws_context_enter();
	desc.fd.sockfd = fd;
	desc.opaque = c;
	if (s->tls)
		desc.type |= LWS_ADOPT_ALLOW_SSL;
	c->wsi = lws_adopt_descriptor_vhost_via_info(&desc);
	if (c->wsi)
		connection_settle(c, true);
	else if (!c->closed)
		/* It failed when only fd was open, which it has closed. */
		connection_free(c);
}

void server_connection_flush(struct server_connection *c)
{
	if (!list_is_empty(&c->unsent))
		return;
	list_append(&unsent, &c->unsent);
	if (!sender.loop)
		uv_prepare_init(uv_default_loop(), &sender);
	uv_prepare_start(&sender, send_unsent);
}

void server_connection_advance(struct server_connection *c)
{
	server_request_receive(c);
	connection_settle(c, true);
}

void server_connection_close(struct server_connection *c, bool reset)
{
	struct linger now = {.l_onoff = 1, .l_linger = 0};

	if (!c->wsi)
		return;
	if (reset)
		setsockopt(lws_get_socket_fd(c->wsi), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	lws_set_timeout(c->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

int server_connection_fd(const struct server_connection *c)
{
	return lws_get_socket_fd(c->wsi);
}

int server_vhost_new(struct server *s, struct error *err)
{
	struct lws_context *context = lws_context_get(err);
	struct lws_context_creation_info info = {
	    .vhost_name = s->address,
	    .port = CONTEXT_PORT_NO_LISTEN_SERVER,
	    .protocols = protocols,
	    .options = s->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0,
	    .ssl_cert_filepath = s->options.certificate,
	    .ssl_private_key_filepath = s->options.key,
	    .alpn = "http/1.1",
	};

	if (!context)
		return -1;
	s->vhost = lws_create_vhost(context, &info);
	if (!s->vhost)
		return error_set(err, ERROR_OURS, "libwebsockets makes no server for %s.", s->address);
	return 0;
}

void server_vhost_free(struct server *s)
{
	lws_vhost_destroy(s->vhost);
	s->vhost = NULL;
}
