#include "playground/server/websocket.h"

#include <stdlib.h>
#include <string.h>
#include <wslay/wslay.h>

#include "base/time/clock_skip.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "net/server/server.h"
#include "playground/server/exchange.h"
#include "playground/server/fault.h"

#define CLOSE_MS        2000
#define REASON_MAX      123
#define CODE_NONE_NAMED 1005

struct websocket_peer {
	struct server_request *req;
	wslay_event_context_ptr wslay;
	struct buf in;        /* received, but not read by wslay yet */
	struct list messages; /* struct message: complete ones not taken yet */
	bool silent;
	struct fault fault; /* of the newest event; of a cut, at_byte is how many bytes are left of it */
	bool shut;          /* a close frame was requested */
	bool over;
	uint64_t shut_due;
	uint64_t heard_ms;
	size_t pings, pongs;
	unsigned close_code;
	char *close_reason;
};

struct message {
	struct list link;
	size_t len;
	char text[];
};

/* A text that is sent in pieces. */
struct pieces {
	const char *text;
	size_t left, size;
};

static ssize_t on_read(wslay_event_context_ptr wslay, uint8_t *out, size_t len, int flags, void *arg)
{
	struct websocket_peer *p = arg;
	size_t n = len < p->in.len ? len : p->in.len;

	(void)flags;
	if (n == 0) {
		wslay_event_set_error(wslay, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	memcpy(out, p->in.data, n);
	buf_consume(&p->in, n);
	return (ssize_t)n;
}

static ssize_t on_write(wslay_event_context_ptr wslay, const uint8_t *data, size_t len, int flags, void *arg)
{
	struct websocket_peer *p = arg;
	bool cut = p->fault.kind == FAULT_CUT && len >= p->fault.at_byte;

	(void)wslay;
	(void)flags;
	if (!p->silent)
		server_upgrade_post(p->req, data, cut ? p->fault.at_byte : len);
	p->fault.at_byte -= cut ? p->fault.at_byte : len;
	if (cut) {
		p->silent = p->over = true;
		server_upgrade_end(p->req);
	}
	return (ssize_t)len;
}

static void note_close(struct websocket_peer *p, const struct wslay_event_on_msg_recv_arg *m)
{
	p->close_code = m->status_code != 0 ? m->status_code : CODE_NONE_NAMED;
	free(p->close_reason);
	p->close_reason = m->msg_length > 2 ? xstrndup((const char *)m->msg + 2, m->msg_length - 2) : NULL;
}

static void on_message(wslay_event_context_ptr wslay, const struct wslay_event_on_msg_recv_arg *m, void *arg)
{
	struct websocket_peer *p = arg;
	struct message *message;

	(void)wslay;
	if (m->opcode == WSLAY_CONNECTION_CLOSE) {
		note_close(p, m);
	} else if (wslay_is_ctrl_frame(m->opcode)) {
		*(m->opcode == WSLAY_PING ? &p->pings : &p->pongs) += 1;
	} else {
		message = xmalloc(sizeof(*message) + m->msg_length);
		message->len = m->msg_length;
		if (m->msg_length > 0)
			memcpy(message->text, m->msg, m->msg_length);
		list_append(&p->messages, &message->link);
	}
}

struct websocket_peer *websocket_accept(struct server_request *req, size_t message_max, struct error *err)
{
	static const struct wslay_event_callbacks callbacks = {
	    .recv_callback = on_read,
	    .send_callback = on_write,
	    .on_msg_recv_callback = on_message,
	};
	struct error why;
	struct buf headers = BUF_INIT;
	struct websocket_peer *p;

	if (websocket_handshake(req, &headers, &why) != 0) {
		server_respond(req, why.code, "text/plain; charset=utf-8",
		    why.code == 426 ? "Sec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n" : NULL, why.text,
		    strlen(why.text));
		buf_clear(&headers);
		if (err)
			*err = why;
		return NULL;
	}
	p = xcalloc(1, sizeof(*p));
	p->req = req;
	p->heard_ms = clock_machine();
	buf_init(&p->in);
	list_init(&p->messages);
	if (wslay_event_context_server_init(&p->wslay, &callbacks, p) != 0)
		mem_exhausted(0);
	wslay_event_config_set_max_recv_msg_length(p->wslay, message_max);
	server_upgrade(req, headers.data);
	buf_clear(&headers);
	return p;
}

static void end(struct websocket_peer *p)
{
	p->over = true;
	server_upgrade_wake(p->req);
}

/* Sends the queued frames. on_write never fails. */
static void flush(struct websocket_peer *p)
{
	if (wslay_event_send(p->wslay) == WSLAY_ERR_NOMEM)
		mem_exhausted(0);
}

/* Lets wslay read the received bytes, and answer pings and close frames. */
static void digest(struct websocket_peer *p)
{
	p->heard_ms = clock_machine();
	if (wslay_event_recv(p->wslay) == WSLAY_ERR_NOMEM)
		mem_exhausted(0);
	flush(p);
	/* After a close frame of either side, or an error, the rest is ignored. */
	if (!wslay_event_want_read(p->wslay))
		buf_clear(&p->in);
}

static bool take_message(struct websocket_peer *p, struct buf *out)
{
	struct list *first = list_first(&p->messages);
	struct message *message;

	if (!first)
		return false;
	message = list_entry(first, struct message, link);
	list_remove(first);
	buf_reset(out);
	buf_add(out, message->text, message->len);
	free(message);
	return true;
}

/* Both close frames were sent, or ours after a protocol violation. */
static bool handshake_is_over(const struct websocket_peer *p)
{
	if (p->silent || !wslay_event_get_close_sent(p->wslay))
		return false;
	return wslay_event_get_close_received(p->wslay) || !wslay_event_get_read_enabled(p->wslay);
}

static bool is_over(const struct websocket_peer *p)
{
	return p->over || handshake_is_over(p) || !server_upgrade_is_open(p->req);
}

static int say_over(const struct websocket_peer *p, struct error *err)
{
	if (p->close_code != 0)
		return error_set(err, ERROR_NETWORK, "The WebSocket was closed with code %u.", p->close_code);
	return error_set(err, ERROR_NETWORK, "The WebSocket is over.");
}

static uint64_t due_after(uint64_t ms)
{
	uint64_t now = clock_now();

	return ms < UINT64_MAX - now ? now + ms : UINT64_MAX;
}

int websocket_peer_receive(
    struct task *t, struct websocket_peer *p, struct buf *message, uint64_t wait_ms, struct error *err)
{
	uint64_t due = due_after(wait_ms), first;
	int rc;

	for (;;) {
		if (take_message(p, message))
			return 1;
		if (is_over(p))
			return say_over(p, err);
		first = p->shut && p->shut_due < due ? p->shut_due : due;
		rc = server_upgrade_read(t, p->req, &p->in, first, err);
		if (rc > 0)
			digest(p);
		else if (p->shut && clock_now() >= p->shut_due)
			p->over = true;
		else if (!p->over)
			return rc;
		if (rc < 0)
			return -1;
	}
}

void websocket_peer_wake(struct websocket_peer *p)
{
	server_upgrade_wake(p->req);
}

static int queue(struct websocket_peer *p, uint8_t opcode, const void *data, size_t len, struct error *err)
{
	const struct wslay_event_msg m = {.opcode = opcode, .msg = data, .msg_length = len};

	if (is_over(p) || wslay_event_queue_msg(p->wslay, &m) != 0)
		return error_set(err, ERROR_NETWORK, "The WebSocket takes no more messages.");
	flush(p);
	return 0;
}

int websocket_peer_post(struct websocket_peer *p, const void *text, size_t len, struct error *err)
{
	return queue(p, WSLAY_TEXT_FRAME, text, len, err);
}

int websocket_peer_post_binary(struct websocket_peer *p, const void *data, size_t len, struct error *err)
{
	return queue(p, WSLAY_BINARY_FRAME, data, len, err);
}

int websocket_peer_ping(struct websocket_peer *p, const void *data, size_t len, struct error *err)
{
	return queue(p, WSLAY_PING, data, len, err);
}

int websocket_peer_post_raw(struct websocket_peer *p, const void *data, size_t len, struct error *err)
{
	if (is_over(p))
		return say_over(p, err);
	if (!p->silent)
		server_upgrade_post(p->req, data, len);
	return 0;
}

static ssize_t read_piece(wslay_event_context_ptr wslay, uint8_t *out, size_t len,
    const union wslay_event_msg_source *source, int *eof, void *arg)
{
	struct pieces *pieces = source->data;
	size_t n = len < pieces->size ? len : pieces->size;

	(void)wslay;
	(void)arg;
	if (n > pieces->left)
		n = pieces->left;
	memcpy(out, pieces->text, n);
	pieces->text += n;
	pieces->left -= n;
	*eof = pieces->left == 0;
	return (ssize_t)n;
}

int websocket_peer_post_fragments(
    struct websocket_peer *p, const void *text, size_t len, size_t frames, struct error *err)
{
	struct pieces pieces = {
	    .text = text, .left = len, .size = frames > 0 && frames <= len ? len / frames : 1};
	const struct wslay_event_fragmented_msg m = {
	    .opcode = WSLAY_TEXT_FRAME, .source.data = &pieces, .read_callback = read_piece};

	if (is_over(p) || wslay_event_queue_fragmented_msg(p->wslay, &m) != 0)
		return error_set(err, ERROR_NETWORK, "The WebSocket takes no more messages.");
	flush(p);
	return 0;
}

void websocket_peer_silence(struct websocket_peer *p, bool silent)
{
	p->silent = silent;
}

void websocket_peer_shut(struct websocket_peer *p, unsigned code, const char *reason)
{
	size_t len = code != 0 && reason ? strlen(reason) : 0;

	if (p->shut || is_over(p))
		return;
	if (len > REASON_MAX)
		len = REASON_MAX;
	p->shut = true;
	p->shut_due = clock_now() + CLOSE_MS;
	/* Refused if the client has closed before: then the answer is already queued. */
	wslay_event_queue_close(p->wslay, (uint16_t)code, (const uint8_t *)reason, len);
	flush(p);
	/* The receiver must notice shut_due. */
	server_upgrade_wake(p->req);
}

void websocket_peer_abort(struct websocket_peer *p)
{
	server_abort(p->req);
	end(p);
}

bool websocket_peer_fault(
    struct websocket_peer *p, struct playground *pg, const char *platform, const char **text, size_t *len)
{
	switch (exchange_take_fault(pg, platform, FAULT_EVENT, &p->fault)) {
	case FAULT_GARBAGE:
		*text = fault_garbage(&p->fault);
		*len = strlen(*text);
		return false;
	case FAULT_CLOSE:
		websocket_peer_abort(p);
		return true;
	default:
		return false;
	}
}

bool websocket_peer_is_open(const struct websocket_peer *p)
{
	return !p->shut && !is_over(p);
}

uint64_t websocket_peer_last_ms(const struct websocket_peer *p)
{
	return p->heard_ms + clock_skipped();
}

size_t websocket_peer_pings(const struct websocket_peer *p)
{
	return p->pings;
}

size_t websocket_peer_pongs(const struct websocket_peer *p)
{
	return p->pongs;
}

unsigned websocket_peer_close_code(const struct websocket_peer *p)
{
	return p->close_code;
}

const char *websocket_peer_close_reason(const struct websocket_peer *p)
{
	return p->close_reason ? p->close_reason : "";
}

void websocket_peer_close(struct task *t, struct websocket_peer *p, unsigned code, const char *reason)
{
	struct buf message = BUF_INIT;

	if (!p)
		return;
	websocket_peer_shut(p, code, reason);
	while (websocket_peer_receive(t, p, &message, CLOSE_MS, NULL) >= 0)
		;
	server_upgrade_end(p->req);
	while (take_message(p, &message))
		;
	buf_clear(&message);
	wslay_event_context_free(p->wslay);
	buf_clear(&p->in);
	free(p->close_reason);
	free(p);
}
