#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/open_files.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "net/lws_context.h"
#include "net/websocket/websocket_internal.h"

#define PROTOCOL_NAME "myna-websocket"
/* Reading pauses while more than this waits for the receiver. */
#define QUEUED_MAX (1024 * 1024)
/* An internal write type of libwebsockets, for which its header leaves room. The documented lws_close_reason
 * has no effect in the callback for writing (4.1.6): the connection is closed without the frame. */
#define WRITE_CLOSE ((enum lws_write_protocol)4)
/* The same as the HTTP client's, net/http/setup.c. */
#define KEEPALIVE_S 30
#define UNACKED_MS  30000U

static struct list all = LIST_INIT(all);
static uintptr_t last_id;

static struct websocket *websocket_find(uintptr_t id)
{
	list_each(&all, it, tmp) {
		struct websocket *w = list_entry(it, struct websocket, link);

		if (w->id == id)
			return w;
	}
	return NULL;
}

static void wake(struct websocket *w)
{
	if (w->waiter)
		task_wake(w->waiter);
}

/* Closes the connection with a close frame of ours. */
static int fail(struct websocket *w, unsigned code, const char *why)
{
	str_copy(w->failure, sizeof(w->failure), why);
	w->closing_code = code;
	str_copy(w->closing_reason, sizeof(w->closing_reason), why);
	w->state = WEBSOCKET_ENDING;
	websocket_flush(w);
	wake(w);
	return 0;
}

static int on_headers(struct websocket *w, void *in, size_t len)
{
	unsigned char **at = in;
	size_t need = strlen(w->headers);

	if (need > len)
		return -1;
	memcpy(*at, w->headers, need);
	*at += need;
	return 0;
}

static int on_established(struct websocket *w, void *in, size_t len)
{
	int fd = lws_get_socket_fd(w->wsi), on = 1, keep = KEEPALIVE_S;
	unsigned unacked = UNACKED_MS;

	(void)in;
	(void)len;
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &keep, sizeof(keep));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &keep, sizeof(keep));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacked, sizeof(unacked));
	w->state = WEBSOCKET_OPEN;
	websocket_life_begin(w);
	wake(w);
	return 0;
}

/* Called for each certificate of the chain; len says whether it is valid. The return value cannot change the
 * verdict. */
static int on_certificate(struct websocket *w, void *in, size_t len)
{
	(void)in;
	w->certificate_bad = w->certificate_bad || len == 0;
	return 0;
}

/* libwebsockets forgets the headers before it destroys a connection. */
static void note_status(struct websocket *w)
{
	unsigned status = lws_http_client_http_response(w->wsi);
	char after[16];

	if (status == 0)
		return;
	w->status = status;
	if (lws_hdr_copy(w->wsi, after, sizeof(after), WSI_TOKEN_HTTP_RETRY_AFTER) > 0)
		w->retry_ms = strtoul(after, NULL, 10) * 1000;
}

/* Called with every answer to the handshake. libwebsockets 4.3.5 tells a refused one by this and
 * LWS_CALLBACK_WSI_DESTROY alone. */
static int on_answer(struct websocket *w, void *in, size_t len)
{
	(void)in;
	(void)len;
	note_status(w);
	return 0;
}

static int on_failed(struct websocket *w, void *in, size_t len)
{
	struct buf why = BUF_INIT;

	note_status(w);
	if (in)
		utf8_sanitize(&why, in, len);
	str_copy(w->failure, sizeof(w->failure), why.data);
	buf_clear(&why);
	w->wsi = NULL;
	w->state = WEBSOCKET_CLOSED;
	wake(w);
	return 0;
}

static int on_closed(struct websocket *w, void *in, size_t len)
{
	(void)in;
	(void)len;
	w->wsi = NULL;
	w->state = WEBSOCKET_CLOSED;
	wake(w);
	return 0;
}

static void message_whole(struct websocket *w)
{
	struct websocket_message *m = xcalloc(1, sizeof(*m));

	m->text = w->joining;
	buf_init(&w->joining);
	w->queued += m->text.len;
	list_append(&w->messages, &m->link);
	wake(w);
	if (w->queued > QUEUED_MAX && !w->paused) {
		w->paused = true;
		lws_rx_flow_control(w->wsi, 0);
	}
}

static int on_receive(struct websocket *w, void *in, size_t len)
{
	size_t left = lws_remaining_packet_payload(w->wsi);

	websocket_life_note(w);
	if (w->state != WEBSOCKET_OPEN)
		return 0;
	if (w->joining.len == 0)
		w->binary = lws_frame_is_binary(w->wsi);
	if (len > w->message_max - w->joining.len || left > w->message_max - w->joining.len - len)
		return fail(w, 1009, "a message is too large");
	buf_add(&w->joining, in, len);
	if (left > 0 || !lws_is_final_fragment(w->wsi))
		return 0;
	if (!w->binary && !utf8_valid(w->joining.data, w->joining.len))
		return fail(w, 1007, "a text is not UTF-8");
	message_whole(w);
	return 0;
}

static int on_pong(struct websocket *w, void *in, size_t len)
{
	(void)in;
	(void)len;
	websocket_life_note(w);
	return 0;
}

static int on_peer_close(struct websocket *w, void *in, size_t len)
{
	const unsigned char *bytes = in;
	struct buf reason = BUF_INIT;

	w->close_code = len >= 2 ? (unsigned)bytes[0] << 8 | bytes[1] : 1005;
	if (len > 2)
		utf8_sanitize(&reason, (const char *)bytes + 2, len - 2);
	free(w->close_reason);
	w->close_reason = buf_take(&reason);
	if (w->state == WEBSOCKET_OPEN)
		w->state = WEBSOCKET_ENDING;
	wake(w);
	/* It answers our close frame, so it needs no answer. */
	return w->closing_sent ? -1 : 0;
}

static int write_ping(struct websocket *w)
{
	unsigned char data[LWS_PRE + 4] = {0};

	memcpy(data + LWS_PRE, "myna", 4);
	w->ping_wanted = false;
	return lws_write(w->wsi, data + LWS_PRE, 4, LWS_WRITE_PING) < 0 ? -1 : 0;
}

static int write_packet(struct websocket *w)
{
	struct websocket_packet *packet = list_entry(list_first(&w->packets), struct websocket_packet, link);
	int rc = lws_write(w->wsi, packet->data + LWS_PRE, packet->len, LWS_WRITE_TEXT);

	list_remove(&packet->link);
	w->pending -= packet->len;
	w->writing = packet->len;
	free(packet);
	return rc < 0 ? -1 : 0;
}

static int write_close(struct websocket *w)
{
	unsigned char data[LWS_PRE + 2 + WEBSOCKET_REASON_MAX] = {0};
	size_t len = strlen(w->closing_reason);

	data[LWS_PRE] = (unsigned char)(w->closing_code >> 8);
	data[LWS_PRE + 1] = (unsigned char)w->closing_code;
	memcpy(data + LWS_PRE + 2, w->closing_reason, len);
	w->closing_sent = true;
	return lws_write(w->wsi, data + LWS_PRE, 2 + len, WRITE_CLOSE) < 0 ? -1 : 0;
}

static bool close_waits(const struct websocket *w)
{
	return w->closing_code != 0 && !w->closing_sent;
}

/* Writes until the kernel takes no more: libwebsockets keeps the rest, and calls back when it is sent. */
static int on_writable(struct websocket *w, void *in, size_t len)
{
	int rc = 0;

	(void)in;
	(void)len;
	w->write_asked = false;
	while (rc == 0 && !lws_partial_buffered(w->wsi)) {
		w->writing = 0;
		if (w->ping_wanted)
			rc = write_ping(w);
		else if (!list_is_empty(&w->packets))
			rc = write_packet(w);
		else
			return close_waits(w) ? write_close(w) : 0;
	}
	if (rc == 0 && (w->ping_wanted || !list_is_empty(&w->packets) || close_waits(w)))
		websocket_flush(w);
	return rc;
}

static const struct {
	enum lws_callback_reasons reason;
	int (*on)(struct websocket *w, void *in, size_t len);
} events[] = {
    {LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER, on_headers},
    {LWS_CALLBACK_CLIENT_CLOSED, on_closed},
    {LWS_CALLBACK_CLIENT_CONNECTION_ERROR, on_failed},
    {LWS_CALLBACK_CLIENT_ESTABLISHED, on_established},
    {LWS_CALLBACK_CLIENT_RECEIVE, on_receive},
    {LWS_CALLBACK_CLIENT_RECEIVE_PONG, on_pong},
    {LWS_CALLBACK_CLIENT_WRITEABLE, on_writable},
    {LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP, on_answer},
    {LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION, on_certificate},
    {LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, on_peer_close},
    {LWS_CALLBACK_WSI_DESTROY, on_closed},
};

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct websocket *w;

	(void)user;
	for (size_t i = 0; i < ARRAY_LEN(events); i++) {
		if (events[i].reason != reason)
			continue;
		w = websocket_find((uintptr_t)lws_get_opaque_user_data(wsi));
		if (!w)
			return -1;
		w->wsi = wsi;
		return events[i].on(w, in, len);
	}
	return 0;
}

static const struct lws_protocols protocols[] = {
    {.name = PROTOCOL_NAME, .callback = on_event, .rx_buffer_size = LWS_SHARED_READ},
    {0},
};

const struct lws_protocols *websocket_protocols(void)
{
	return protocols;
}

int websocket_connect(struct websocket *w, const struct websocket_url *url, const char *address,
    struct lws_vhost *vhost, struct error *err)
{
	/* Its own pings and time limits are not used. */
	static const lws_retry_bo_t no_policy;
	char host[sizeof(url->host) + 8];
	struct lws_client_connect_info info = {
	    .context = lws_context_get(err),
	    .address = address,
	    .port = (int)url->port,
	    .ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (url->tls ? LCCSCF_USE_SSL : 0),
	    .path = url->path,
	    .host = host,
	    .vhost = vhost,
	    .local_protocol_name = PROTOCOL_NAME,
	    .alpn = "http/1.1",
	    .opaque_user_data = (void *)++last_id,
	    .retry_and_idle_policy = &no_policy,
	    .ietf_version_or_minus_one = -1,
	};

	if (url->port == (url->tls ? 443 : 80))
		str_copy(host, sizeof(host), url->host);
	else
		snprintf(host, sizeof(host), "%s:%u", url->host, url->port);
	w->id = last_id;
	w->state = WEBSOCKET_CONNECTING;
	w->status = 0;
	w->failure[0] = '\0';
	w->certificate_bad = w->write_asked = false;
	list_append(&all, &w->link);
	lws_context_enter();
	if (lws_client_connect_via_info(&info) || w->state == WEBSOCKET_CLOSED)
		return 0;
	websocket_abandon(w);
	if (open_files_used_up(err))
		return error_prefix(err, "could not connect");
	return error_set(err, ERROR_NETWORK, "could not connect");
}

void websocket_abandon(struct websocket *w)
{
	struct lws *wsi = w->wsi;

	clock_timer_stop(&w->timer);
	if (w->id == 0)
		return;
	list_remove(&w->link);
	w->id = 0;
	w->wsi = NULL;
	w->state = WEBSOCKET_CLOSED;
	if (wsi) {
		/* With unsent bytes it would stay open until they are sent. */
		if (lws_partial_buffered(wsi))
			shutdown(lws_get_socket_fd(wsi), SHUT_RDWR);
		lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
	}
	lws_context_leave();
}

void websocket_flush(struct websocket *w)
{
	if (!w->wsi || w->write_asked)
		return;
	w->write_asked = true;
	lws_callback_on_writable(w->wsi);
}

void websocket_resume(struct websocket *w)
{
	if (!w->paused || w->queued > QUEUED_MAX / 2 || !w->wsi)
		return;
	w->paused = false;
	websocket_lifecycle_check(w);
	lws_rx_flow_control(w->wsi, 1);
	/* Bytes that it has already read are delivered only in an iteration of the loop in which something
	 * happens on the socket. */
	lws_callback_on_writable(w->wsi);
}
