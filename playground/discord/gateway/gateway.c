#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/time/clock_skip.h"
#include "net/server/server.h"
#include "playground/discord/gateway/etf.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/server/exchange.h"
#include "playground/server/websocket.h"

#define MESSAGE_MAX  (1 << 20) /* above this the WebSocket itself closes; 4096 is the gateway's own limit */
#define PAYLOAD_MAX  4096
#define PAYLOADS_MAX 120
#define PAYLOADS_MS  60000

static void forget_old_window(struct cord_socket *s)
{
	if (clock_now() < s->window_ms + PAYLOADS_MS)
		return;
	s->window_ms = clock_now();
	s->payloads = 0;
}

/* Discord: events/gateway, Sending Events. */
static void take_payload(struct cord_socket *s, const struct buf *text)
{
	struct json_object *o;

	forget_old_window(s);
	if (++s->payloads > PAYLOADS_MAX && s->world->settings.limits) {
		cord_socket_close(s, CORD_CLOSE_RATE_LIMITED);
		return;
	}
	if (text->len > PAYLOAD_MAX)
		o = NULL;
	else if (s->etf)
		o = etf_read(text->data, text->len, false, NULL);
	else
		o = json_parse(text->data, text->len, NULL);
	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_is_type(json_get(o, "op"), json_type_int))
		cord_socket_close(s, CORD_CLOSE_DECODE);
	else
		cord_opcode_run(s, json_get_int(o, "op", 0), json_get(o, "d"));
	json_object_put(o);
}

static uint64_t wait_ms(const struct cord_socket *s)
{
	uint64_t now = clock_machine(), due = s->end_ms != 0 && s->end_ms < s->due_ms ? s->end_ms : s->due_ms;

	if (s->hello_ms != 0 && s->hello_ms < due)
		due = s->hello_ms;
	return due > now ? due - now : 0;
}

static void say_hello(struct cord_socket *s)
{
	char hello[64];

	s->hello_ms = 0;
	snprintf(hello, sizeof(hello), "{\"heartbeat_interval\":%lld}", (long long)s->heartbeat_ms);
	cord_socket_op(s, CORD_OP_HELLO, hello);
}

/* Handles timeouts: a missing heartbeat, a client that does not disconnect; and says HELLO. */
static void check_time(struct cord_socket *s)
{
	uint64_t now = clock_machine();

	if (s->closing)
		return;
	if (s->hello_ms != 0 && now >= s->hello_ms)
		say_hello(s);
	if (s->end_ms != 0 && now >= s->end_ms)
		cord_socket_end(s, CORD_CLOSE_UNKNOWN, true);
	else if (now >= s->due_ms)
		cord_socket_close(s, CORD_CLOSE_TIMED_OUT);
}

static void talk(struct task *t, struct cord_socket *s)
{
	struct buf message = BUF_INIT;
	int ret;

	do {
		ret =
		    websocket_peer_receive(t, s->peer, &message, s->closing ? UINT64_MAX : wait_ms(s), NULL);
		if (ret == 1 && !s->closing)
			take_payload(s, &message);
		else if (ret == 0)
			check_time(s);
	} while (ret >= 0);
	buf_clear(&message);
}

/* Discord: reference, API Versioning: 9 and 10 are available, 6 to 8 deprecated. */
bool cord_version_is_served(const char *number)
{
	return strlen(number) == 1 ? number[0] >= '6' && number[0] <= '9' : strcmp(number, "10") == 0;
}

/* Discord: events/gateway, Connecting: the query parameters. */
static bool check_query(struct cord_socket *s, const char *query)
{
	struct buf value = BUF_INIT;
	bool good = true;

	if (!server_param(query, "v", &value) || !cord_version_is_served(value.data)) {
		cord_socket_close(s, CORD_CLOSE_INVALID_VERSION);
		good = false;
	} else if ((s->version = strtoll(value.data, NULL, 10)) != 0 &&
	    server_param(query, "encoding", &value) && strcmp(value.data, "json") != 0) {
		s->etf = strcmp(value.data, "etf") == 0;
		good = s->etf;
		if (!good)
			cord_socket_close(s, CORD_CLOSE_DECODE);
	}
	buf_clear(&value);
	return good;
}

/* A client that closes with 1000 or 1001 ends its session. */
static void part(struct cord_socket *s)
{
	unsigned code = websocket_peer_close_code(s->peer);

	if (s->session && !s->closing && (code == 1000 || code == 1001))
		cord_session_free(s->session);
	if (s->session)
		cord_session_lose(s->session);
	list_remove(&s->link);
}

static void refuse(struct exchange *ex, const char *why)
{
	struct buf body = BUF_INIT;

	exchange_problem(ex, "%s", why);
	buf_addstr(&body, why);
	exchange_answer(ex, 400, "text/plain", NULL, &body);
	buf_clear(&body);
}

void cord_gateway_serve(struct task *t, struct cord_world *w, struct exchange *ex)
{
	struct cord_socket s = {
	    .world = w, .heartbeat_ms = w->settings.heartbeat_ms, .window_ms = clock_now()};
	struct buf compress = BUF_INIT;
	struct error err = {0};

	str_copy(ex->method, sizeof(ex->method), "gateway");
	if (exchange_fault(t, ex))
		return;
	if (server_param(server_query(ex->req), "compress", &compress) && compress.len > 0 &&
	    !cord_socket_compress(&s, compress.data)) {
		refuse(ex, "the transport compressions are zlib-stream and zstd-stream");
		goto clear;
	}
	s.peer = websocket_accept(ex->req, MESSAGE_MAX, &err);
	if (!s.peer) {
		exchange_problem(ex, "%s", err.text);
		goto clear;
	}
	ex->status = 101;
	s.due_ms = clock_machine() + (uint64_t)s.heartbeat_ms * 2;
	list_append(&w->sockets, &s.link);
	if (check_query(&s, server_query(ex->req)) && w->settings.hello)
		s.hello_ms = clock_machine() + (uint64_t)w->settings.hello_ms;
	if (s.hello_ms != 0 && w->settings.hello_ms == 0)
		say_hello(&s);
	talk(t, &s);
	part(&s);
	websocket_peer_close(t, s.peer, 1000, "");
clear:
	cord_socket_clear(&s);
	buf_clear(&compress);
}
