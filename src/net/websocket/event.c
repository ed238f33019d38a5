#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/open_files.h"
#include "base/task.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "net/http/http.h"
#include "net/lws_context.h"
#include "net/websocket/websocket.h"
#include "net/websocket/websocket_internal.h"

#define PROTOCOL_NAME "myna-websocket"
/* Reading pauses while more than this waits for the receiver. */
#define QUEUED_MAX         (1024 * 1024)
#define CLOSE_WITHOUT_CODE 1005 /* never sent */
#define GUID               "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#define SHA1_BYTES         20
#define KEY_BYTES          16
/* What libwebsockets writes to a server that it thinks it speaks HTTP with. */
#define NOT_KEPT "connection: close\r\n"
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
static void fail(struct websocket *w, unsigned code, const char *why)
{
	str_copy(w->failure, sizeof(w->failure), why);
	w->closing_code = code;
	str_copy(w->closing_reason, sizeof(w->closing_reason), why);
	w->state = WEBSOCKET_ENDING;
	websocket_flush(w);
	wake(w);
}

static int on_headers(struct websocket *w, void *in, size_t len)
{
	char **at = in;
	struct buf lines = BUF_INIT;
	unsigned char key[KEY_BYTES];
	int rc = -1;

	clock_random(key, sizeof(key));
	buf_reset(&w->key);
	base64_encode(&w->key, key, sizeof(key));
	buf_addf(&lines,
	    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Version: "
	    "13\r\n%s",
	    w->key.data, w->headers);
	if (memcmp(*at - strlen(NOT_KEPT), NOT_KEPT, strlen(NOT_KEPT)) == 0)
		*at -= strlen(NOT_KEPT);
	if (lines.len <= len) {
		*at = mempcpy(*at, lines.data, lines.len);
		rc = 0;
	}
	buf_clear(&lines);
	return rc;
}

static void established(struct websocket *w)
{
	int fd = lws_get_socket_fd(w->wsi), on = 1, keep = KEEPALIVE_S;
	unsigned unacked = UNACKED_MS;

	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &keep, sizeof(keep));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &keep, sizeof(keep));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacked, sizeof(unacked));
	w->state = WEBSOCKET_OPEN;
	websocket_life_begin(w);
	wake(w);
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
	char after[64];
	int len;

	if (status == 0)
		return;
	w->status = status;
	len = lws_hdr_copy(w->wsi, after, sizeof(after), WSI_TOKEN_HTTP_RETRY_AFTER);
	while (len > 0 && strchr(" \t", after[len - 1]))
		after[--len] = '\0';
	if (len > 0)
		w->retry_ms = http_retry_after_ms(after);
}

void websocket_accept_value(struct buf *out, const char *key)
{
	unsigned char hash[SHA1_BYTES];
	struct buf text = BUF_INIT;

	buf_addstr(&text, key);
	buf_addstr(&text, GUID);
	lws_SHA1((const unsigned char *)text.data, text.len, hash);
	base64_encode(out, hash, sizeof(hash));
	buf_clear(&text);
}

static bool header_is(struct lws *wsi, enum lws_token_indexes header, const char *value)
{
	char has[64];

	return lws_hdr_copy(wsi, has, sizeof(has), header) > 0 && strcasecmp(has, value) == 0;
}

static bool upgrades_connection(struct lws *wsi)
{
	char has[64];
	int len = lws_hdr_copy(wsi, has, sizeof(has), WSI_TOKEN_CONNECTION);

	for (char *rest, *token = len > 0 ? strtok_r(has, ", \t", &rest) : NULL; token;
	     token = strtok_r(NULL, ", \t", &rest))
		if (strcasecmp(token, "upgrade") == 0)
			return true;
	return false;
}

/* Nothing was offered that it could have chosen. */
static bool opens(const struct websocket *w)
{
	struct buf accept = BUF_INIT;
	char has[64] = "";

	websocket_accept_value(&accept, w->key.data);
	lws_hdr_copy(w->wsi, has, sizeof(has), WSI_TOKEN_ACCEPT);
	bool same = strcmp(has, accept.data) == 0;
	buf_clear(&accept);
	return same && w->status == 101 && header_is(w->wsi, WSI_TOKEN_UPGRADE, "websocket") &&
	    upgrades_connection(w->wsi) && lws_hdr_total_length(w->wsi, WSI_TOKEN_EXTENSIONS) == 0 &&
	    lws_hdr_total_length(w->wsi, WSI_TOKEN_PROTOCOL) == 0;
}

/* Called with every answer to the handshake. libwebsockets 4.3.5 tells a refused one by this and
 * LWS_CALLBACK_WSI_DESTROY alone. */
static int on_answer(struct websocket *w, void *in, size_t len)
{
	(void)in;
	(void)len;
	note_status(w);
	if (!opens(w)) {
		str_copy(w->failure, sizeof(w->failure), "its answer opens none");
		return -1;
	}
	established(w);
	return 0;
}

static int on_failed(struct websocket *w, void *in, size_t len)
{
	struct buf why = BUF_INIT;

	note_status(w);
	if (in)
		utf8_sanitize(&why, in, len);
	if (w->failure[0] == '\0')
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
	if (w->queued > QUEUED_MAX)
		w->paused = true;
}

static void piece_arrived(struct websocket *w)
{
	const struct frame_reader *f = &w->frame;

	if (w->state != WEBSOCKET_OPEN)
		return;
	if (f->piece_len > w->message_max - w->joining.len ||
	    f->left > w->message_max - w->joining.len - f->piece_len) {
		fail(w, 1009, "a message is too large");
		return;
	}
	buf_add(&w->joining, f->piece, f->piece_len);
	if (f->left > 0 || !f->final)
		return;
	if (!f->binary && !utf8_valid(w->joining.data, w->joining.len))
		fail(w, 1007, "a text is not UTF-8");
	else
		message_whole(w);
}

/* RFC 6455, 7.4: those that a close frame may hold. */
static bool is_close_code(unsigned code)
{
	return (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || code >= 3000;
}

static void peer_closes(struct websocket *w, const unsigned char *bytes, size_t len)
{
	struct buf reason = BUF_INIT;

	w->close_code = len >= 2 ? (unsigned)bytes[0] << 8 | bytes[1] : CLOSE_WITHOUT_CODE;
	if (len >= 2 && !is_close_code(w->close_code))
		w->close_code = 1002;
	if (len > 2)
		utf8_sanitize(&reason, (const char *)bytes + 2, len - 2);
	free(w->close_reason);
	w->close_reason = buf_take(&reason);
	if (w->state == WEBSOCKET_OPEN)
		w->state = WEBSOCKET_ENDING;
	if (w->closing_code == 0)
		w->closing_code = w->close_code;
	websocket_flush(w);
	wake(w);
}

/* The last one of several pings is answered. */
static void control_arrived(struct websocket *w)
{
	const struct frame_reader *f = &w->frame;

	if (f->opcode == FRAME_CLOSE && w->close_code == 0) {
		peer_closes(w, f->control, f->control_len);
	} else if (f->opcode == FRAME_PING) {
		memcpy(w->pong, f->control, f->control_len);
		w->pong_len = f->control_len;
		w->pong_wanted = true;
		websocket_flush(w);
	}
}

static int on_bytes(struct websocket *w, void *in, size_t len)
{
	const unsigned char *at = in, *end = at + len;
	enum frame_event event;

	websocket_life_note(w);
	while (w->close_code == 0 && (event = frame_read(&w->frame, &at, end)) != FRAME_MORE) {
		if (event == FRAME_PIECE)
			piece_arrived(w);
		else if (event == FRAME_CONTROL)
			control_arrived(w);
		else if (w->state == WEBSOCKET_OPEN)
			fail(w, 1002, "the other side broke the protocol");
	}
	return 0;
}

static int read_socket(struct websocket *w)
{
	char *data = NULL;
	int len = 0;

	w->unread = false;
	return lws_http_client_read(w->wsi, &data, &len) < 0 ? -1 : 0;
}

/* Until it is read, the socket is not polled. */
static int on_readable(struct websocket *w, void *in, size_t len)
{
	(void)in;
	(void)len;
	w->unread = w->paused && w->state == WEBSOCKET_OPEN;
	return w->unread ? 0 : read_socket(w);
}

/* The server has ended the connection. */
static int on_end(struct websocket *w, void *in, size_t len)
{
	(void)w;
	(void)in;
	(void)len;
	return -1;
}

static int write_frame(struct websocket *w, unsigned char *payload, size_t len, enum frame_opcode opcode)
{
	size_t head = frame_write(payload, len, opcode);

	return lws_write(w->wsi, payload - head, head + len, LWS_WRITE_RAW) < 0 ? -1 : 0;
}

static int write_control(struct websocket *w, const void *payload, size_t len, enum frame_opcode opcode)
{
	unsigned char data[WEBSOCKET_ROOM + FRAME_CONTROL_MAX];

	memcpy(data + WEBSOCKET_ROOM, payload, len);
	return write_frame(w, data + WEBSOCKET_ROOM, len, opcode);
}

static int write_packet(struct websocket *w)
{
	struct websocket_packet *packet = list_entry(list_first(&w->packets), struct websocket_packet, link);
	int rc = write_frame(w, packet->data + WEBSOCKET_ROOM, packet->len, FRAME_TEXT);

	list_remove(&packet->link);
	w->pending -= packet->len;
	w->writing = packet->len;
	free(packet);
	return rc;
}

static int write_close(struct websocket *w)
{
	unsigned char data[FRAME_CONTROL_MAX] = {
	    (unsigned char)(w->closing_code >> 8), (unsigned char)w->closing_code};
	size_t len = strlen(w->closing_reason);

	memcpy(data + 2, w->closing_reason, len);
	w->closing_sent = true;
	return write_control(w, data, w->closing_code != CLOSE_WITHOUT_CODE ? 2 + len : 0, FRAME_CLOSE);
}

static bool close_waits(const struct websocket *w)
{
	return w->closing_code != 0 && !w->closing_sent;
}

/* Nothing follows a close frame of either side but the answer to it. */
static bool packet_waits(const struct websocket *w)
{
	return !list_is_empty(&w->packets) && w->close_code == 0;
}

static int write_next(struct websocket *w)
{
	if (w->pong_wanted) {
		w->pong_wanted = false;
		return write_control(w, w->pong, w->pong_len, FRAME_PONG);
	}
	if (w->ping_wanted) {
		w->ping_wanted = false;
		return write_control(w, "myna", 4, FRAME_PING);
	}
	return packet_waits(w) ? write_packet(w) : write_close(w);
}

static bool anything_waits(const struct websocket *w)
{
	return !w->closing_sent && (w->pong_wanted || w->ping_wanted || packet_waits(w) || close_waits(w));
}

/* Writes until the kernel takes no more: libwebsockets keeps the rest, and calls back when it is sent. Ends
 * the connection when both close frames are sent. */
static int on_writable(struct websocket *w, void *in, size_t len)
{
	int rc = 0;

	(void)in;
	(void)len;
	w->write_asked = false;
	if (w->unread && (!w->paused || w->state != WEBSOCKET_OPEN))
		rc = read_socket(w);
	while (rc == 0 && !lws_partial_buffered(w->wsi)) {
		w->writing = 0;
		if (!anything_waits(w))
			return w->closing_sent && w->close_code != 0 ? -1 : 0;
		rc = write_next(w);
	}
	if (rc == 0)
		websocket_flush(w);
	return rc;
}

static const struct {
	enum lws_callback_reasons reason;
	int (*on)(struct websocket *w, void *in, size_t len);
} events[] = {
    {LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER, on_headers},
    {LWS_CALLBACK_CLIENT_CONNECTION_ERROR, on_failed},
    {LWS_CALLBACK_CLIENT_HTTP_WRITEABLE, on_writable},
    {LWS_CALLBACK_CLOSED_CLIENT_HTTP, on_closed},
    {LWS_CALLBACK_COMPLETED_CLIENT_HTTP, on_end},
    {LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP, on_answer},
    {LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION, on_certificate},
    {LWS_CALLBACK_RECEIVE_CLIENT_HTTP, on_readable},
    {LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ, on_bytes},
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
    {.name = PROTOCOL_NAME, .callback = on_event},
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
	    .method = "GET",
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
	w->certificate_bad = w->write_asked = w->unread = false;
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
	if (w->unread)
		lws_callback_on_writable(w->wsi);
}
