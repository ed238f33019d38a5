#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/fault/proxy_internal.h"

/* One direction of a connection. */
struct flow {
	struct proxy_conn *conn;
	enum proxy_side side;
	uv_tcp_t *to;
	struct buf waiting;       /* came in, and was not passed on */
	struct clock_timer timer; /* runs: nothing passes */
	struct proxy_fault fault;
	bool armed; /* fault waits for its byte */
	bool asked; /* whether there is a fault for this exchange is settled */
	bool stalled, trickles;
	size_t passed;  /* in this exchange, with what a fault put there */
	size_t swallow; /* bytes that garbage stands for */
	bool ended;     /* nothing more comes in */
};

struct proxy_conn {
	struct list link;
	struct proxy *proxy;
	size_t number, requests;
	uv_tcp_t client, server;
	uv_connect_t connecting;
	bool connected, ending;
	unsigned handles;    /* not closed yet */
	struct flow flow[2]; /* by enum proxy_side */
	size_t exchange;     /* index of the present one, if requests > 0 */
	struct buf request;  /* its text */
};

struct write {
	uv_write_t req;
	char data[];
};

static void pump(struct flow *f);

static struct proxy_exchange *exchange_of(const struct proxy_conn *c)
{
	return &c->proxy->exchanges[c->exchange];
}

/* --- the end of connections */

static void on_closed(uv_handle_t *handle)
{
	struct proxy_conn *c = handle->data;

	if (--c->handles > 0)
		return;
	list_remove(&c->link);
	for (size_t i = 0; i < ARRAY_LEN(c->flow); i++)
		buf_clear(&c->flow[i].waiting);
	buf_clear(&c->request);
	free(c);
}

static void on_shut(uv_shutdown_t *req, int status)
{
	(void)status;
	if (!uv_is_closing((uv_handle_t *)req->handle))
		uv_close((uv_handle_t *)req->handle, on_closed);
	free(req);
}

/* A close sends FIN, and drops what was not written yet: that goes first. */
static void end_side(uv_tcp_t *side, bool reset)
{
	uv_shutdown_t *req;

	if (uv_is_closing((uv_handle_t *)side))
		return;
	if (reset && uv_tcp_close_reset(side, on_closed) == 0)
		return;
	if (uv_stream_get_write_queue_size((uv_stream_t *)side) == 0) {
		uv_close((uv_handle_t *)side, on_closed);
		return;
	}
	uv_read_stop((uv_stream_t *)side);
	req = xmalloc(sizeof(*req));
	if (uv_shutdown(req, (uv_stream_t *)side, on_shut) != 0) {
		free(req);
		uv_close((uv_handle_t *)side, on_closed);
	}
}

void proxy_conn_end(struct proxy_conn *c, bool reset)
{
	if (c->ending)
		return;
	c->ending = true;
	for (size_t i = 0; i < ARRAY_LEN(c->flow); i++)
		clock_timer_stop(&c->flow[i].timer);
	end_side(&c->client, reset);
	end_side(&c->server, reset);
}

/* --- passing on */

static void on_written(uv_write_t *req, int status)
{
	(void)status; /* the other side has gone: reading says so too */
	free(req);
}

static void give(struct flow *f, const char *data, size_t len)
{
	struct write *w = xmalloc(sizeof(*w) + len);
	uv_buf_t b = uv_buf_init(w->data, (unsigned)len);

	memcpy(w->data, data, len);
	if (uv_write(&w->req, (uv_stream_t *)f->to, &b, 1, on_written) != 0)
		free(w);
}

static void pass(struct flow *f, size_t len)
{
	struct proxy_exchange *x = exchange_of(f->conn);
	size_t swallowed = len < f->swallow ? len : f->swallow;

	if (len > swallowed)
		give(f, f->waiting.data + swallowed, len - swallowed);
	f->swallow -= swallowed;
	buf_consume(&f->waiting, len);
	f->passed += len;
	if (f->side == PROXY_REQUEST)
		x->passed += len - swallowed;
	else
		x->answered += len - swallowed;
}

static void on_timer(struct clock_timer *timer, void *arg)
{
	(void)timer;
	pump(arg);
}

/* What the fault does to the byte that it waited for. */
static void strike(struct flow *f)
{
	const struct proxy_fault *fault = &f->fault;
	struct proxy_conn *c = f->conn;

	f->armed = false;
	c->proxy->struck++;
	exchange_of(c)->broken = true;
	switch (fault->kind) {
	case PROXY_CUT:
		proxy_conn_end(c, fault->reset);
		break;
	case PROXY_DELAY:
		clock_timer_start(&f->timer, fault->ms, on_timer, f);
		break;
	case PROXY_GARBAGE:
		f->swallow = strlen(fault->bytes);
		give(f, fault->bytes, strlen(fault->bytes));
		break;
	case PROXY_INSERT:
		give(f, fault->bytes, strlen(fault->bytes));
		break;
	case PROXY_STALL:
		f->stalled = true;
		break;
	case PROXY_TRICKLE:
		f->trickles = true;
		break;
	}
}

/* --- requests */

static void flow_restart(struct flow *f)
{
	f->armed = f->asked = f->trickles = false;
	f->passed = f->swallow = 0;
}

static void read_method(struct proxy_exchange *x, const char *head)
{
	size_t len = strcspn(head, "\r\n"), from;

	while (len > 0 && head[len - 1] != ' ')
		len--;
	len -= len > 0;
	for (from = len; from > 0 && head[from - 1] != '/'; from--)
		;
	snprintf(x->method, sizeof(x->method), "%.*s", (int)(len - from), head + from);
}

/* The server takes requests for its own port only. */
static void name_server(const struct proxy *p, char *head)
{
	char ours[8], theirs[8], *host = strcasestr(head, "\r\nhost: 127.0.0.1:");
	size_t len = (size_t)snprintf(ours, sizeof(ours), "%u", ntohs(p->self.sin_port));

	if (!host || (size_t)snprintf(theirs, sizeof(theirs), "%u", ntohs(p->upstream.sin_port)) != len)
		return;
	host += strlen("\r\nhost: 127.0.0.1:");
	if (strncmp(host, ours, len) == 0)
		memcpy(host, theirs, len);
}

/* False: the request is not complete. Clients send all of it without waiting. */
static bool request_begin(struct proxy_conn *c)
{
	struct proxy *p = c->proxy;
	const struct buf *in = &c->flow[PROXY_REQUEST].waiting;
	const char *end = in->len > 0 ? memmem(in->data, in->len, "\r\n\r\n", 4) : NULL, *length;
	struct proxy_exchange x = {.connection = c->number, .nth = c->requests};

	if (!end)
		return false;
	length = strcasestr(in->data, "\r\ncontent-length:");
	x.request_len = (size_t)(end + 4 - in->data);
	if (length && length < end)
		x.request_len += strtoul(length + 17, NULL, 10);
	if (in->len < x.request_len)
		return false;
	buf_reset(&c->request);
	buf_add(&c->request, in->data, x.request_len);
	read_method(&x, in->data);
	name_server(p, in->data);
	p->exchanges = xrealloc(p->exchanges, (p->count + 1) * sizeof(x));
	p->exchanges[p->count] = x;
	c->exchange = p->count++;
	c->requests++;
	flow_restart(&c->flow[PROXY_REQUEST]);
	flow_restart(&c->flow[PROXY_ANSWER]);
	return true;
}

/* How much of what waits belongs to this exchange; 0: wait for more. */
static size_t allowance(struct flow *f)
{
	struct proxy_conn *c = f->conn;
	size_t left;

	if (f->side == PROXY_ANSWER)
		return c->requests > 0 ? f->waiting.len : 0;
	if ((c->requests == 0 || f->passed == exchange_of(c)->request_len) && !request_begin(c))
		return 0;
	left = exchange_of(c)->request_len - f->passed;
	left = left < f->waiting.len ? left : f->waiting.len;
	exchange_of(c)->received = f->passed + left;
	return left;
}

static void pump(struct flow *f)
{
	struct proxy_conn *c = f->conn;
	size_t n;

	while (!c->ending && c->connected && !f->stalled && !clock_timer_running(&f->timer) &&
	    (n = allowance(f)) > 0) {
		if (!f->asked) {
			f->asked = true;
			f->armed =
			    proxy_take_fault(c->proxy, exchange_of(c), c->request.data, f->side, &f->fault);
		}
		if (f->armed && f->fault.at <= f->passed + n) {
			pass(f, f->fault.at - f->passed);
			strike(f);
		} else if (f->trickles && n > f->fault.piece) {
			pass(f, f->fault.piece);
			clock_timer_start(&f->timer, f->fault.ms, on_timer, f);
		} else {
			pass(f, n);
		}
	}
	if (f->ended && f->waiting.len == 0 && !c->flow[PROXY_REQUEST].stalled &&
	    !c->flow[PROXY_ANSWER].stalled)
		proxy_conn_end(c, false);
}

/* --- connections */

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *out)
{
	static char chunk[65536];

	(void)handle;
	(void)size;
	*out = uv_buf_init(chunk, sizeof(chunk));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *b)
{
	struct proxy_conn *c = stream->data;
	struct flow *f = &c->flow[stream == (uv_stream_t *)&c->client ? PROXY_REQUEST : PROXY_ANSWER];

	if (n > 0) {
		buf_add(&f->waiting, b->base, (size_t)n);
	} else if (n < 0 && f->side == PROXY_REQUEST) {
		proxy_conn_end(c, n == UV_ECONNRESET);
		return;
	} else if (n < 0) {
		f->ended = true;
		uv_read_stop(stream);
	}
	pump(f);
}

static void on_connected(uv_connect_t *req, int status)
{
	struct proxy_conn *c = req->data;

	if (c->ending)
		return;
	if (status != 0) {
		proxy_conn_end(c, true);
		return;
	}
	c->connected = true;
	uv_tcp_nodelay(&c->server, 1);
	proxy_must(uv_read_start((uv_stream_t *)&c->server, on_alloc, on_read), "reading from the server");
	pump(&c->flow[PROXY_REQUEST]);
}

static void conn_init(struct proxy_conn *c, struct proxy *p)
{
	c->proxy = p;
	c->number = p->accepted++;
	list_append(&p->conns, &c->link);
	proxy_must(uv_tcp_init(uv_default_loop(), &c->client), "a socket");
	proxy_must(uv_tcp_init(uv_default_loop(), &c->server), "a socket");
	c->client.data = c->server.data = c->connecting.data = c;
	c->handles = 2;
	buf_init(&c->request);
	c->flow[PROXY_REQUEST] =
	    (struct flow){.conn = c, .side = PROXY_REQUEST, .to = &c->server, .waiting = BUF_INIT};
	c->flow[PROXY_ANSWER] =
	    (struct flow){.conn = c, .side = PROXY_ANSWER, .to = &c->client, .waiting = BUF_INIT};
}

void proxy_conn_accept(uv_stream_t *listener, int status)
{
	struct proxy *p = listener->data;
	struct proxy_conn *c = xcalloc(1, sizeof(*c));

	proxy_must(status, "listening");
	conn_init(c, p);
	proxy_must(uv_accept(listener, (uv_stream_t *)&c->client), "accepting");
	if (p->close_next > 0) {
		p->close_next--;
		proxy_conn_end(c, p->close_reset);
		return;
	}
	uv_tcp_nodelay(&c->client, 1);
	proxy_must(uv_tcp_connect(&c->connecting, &c->server, (struct sockaddr *)&p->upstream, on_connected),
	    "connecting");
	proxy_must(uv_read_start((uv_stream_t *)&c->client, on_alloc, on_read), "reading from the client");
}

bool proxy_conn_is_idle(const struct proxy_conn *c)
{
	const struct flow *in = &c->flow[PROXY_REQUEST];

	return c->requests > 0 && in->waiting.len == 0 && in->passed == exchange_of(c)->request_len &&
	    exchange_of(c)->answered > 0;
}

struct proxy_conn *proxy_conn_of(struct list *link)
{
	return list_entry(link, struct proxy_conn, link);
}
