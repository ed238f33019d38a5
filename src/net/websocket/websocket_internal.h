#ifndef NET_WEBSOCKET_WEBSOCKET_INTERNAL_H
#define NET_WEBSOCKET_WEBSOCKET_INTERNAL_H
/*
 * What the WebSocket client's files share. libwebsockets gets an id, not a pointer, so that its late
 * callbacks for an abandoned connection find nothing.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/list.h"
#include "net/websocket/frame.h"

struct error;
struct lws;
struct lws_protocols;
struct lws_vhost;
struct task;

#define WEBSOCKET_REASON_MAX 123 /* bytes of a close frame's reason, RFC 6455, 5.5 */
#define WEBSOCKET_ROOM       32 /* bytes before a payload that is sent: its head, and what libwebsockets wants */

enum websocket_state {
	WEBSOCKET_CONNECTING,
	WEBSOCKET_OPEN,
	WEBSOCKET_ENDING, /* no more messages; close frames may be in flight */
	WEBSOCKET_CLOSED  /* libwebsockets has released it */
};

struct websocket_url {
	bool tls;
	unsigned port;
	char host[256]; /* IPv6 addresses in brackets */
	char *path;     /* with the query */
};

struct websocket {
	struct list link; /* in the list of connections with callbacks */
	uintptr_t id;
	struct lws *wsi; /* NULL before and after libwebsockets owns it */
	enum websocket_state state;
	struct task *waiter; /* in open, receive or close */
	char *name;          /* for errors: label and host */
	char *headers;       /* additional lines of the handshake */
	struct buf key;      /* of the handshake */
	/* Failure. */
	unsigned status;   /* of the handshake's answer, 0 for none */
	uint64_t retry_ms; /* from its Retry-After */
	char failure[160];
	bool certificate_bad; /* the server's certificate: the log has the reason */
	/* Receiving. */
	size_t message_max;
	struct frame_reader frame;
	struct buf joining;   /* fragments of an incomplete message */
	struct list messages; /* struct websocket_message: complete ones, not yet taken */
	size_t queued;        /* their bytes */
	bool paused;          /* reading is paused because too many messages wait */
	bool unread;          /* the socket is not polled, because something was there to read meanwhile */
	unsigned close_code;
	char *close_reason;
	/* Sending. */
	size_t send_max;
	struct list packets;   /* struct websocket_packet: not yet given to libwebsockets */
	size_t pending;        /* their bytes */
	size_t writing;        /* bytes that libwebsockets has not finished */
	bool write_asked;      /* libwebsockets will call back for writing */
	unsigned closing_code; /* of our close frame, sent after the packets; 0 for none */
	char closing_reason[WEBSOCKET_REASON_MAX + 1];
	bool closing_sent;
	/* Keep-alive. */
	struct clock_timer timer;
	uint64_t ping_ms;
	bool ping_wanted, pong_wanted;
	unsigned char pong[FRAME_CONTROL_MAX];
	size_t pong_len;
	uint64_t received_ms, checked_ms;
	uint64_t bytes_seen; /* received by the kernel at checked_ms */
};

struct websocket_message {
	struct list link;
	struct buf text;
};

struct websocket_packet {
	struct list link;
	size_t len;
	unsigned char data[]; /* WEBSOCKET_ROOM bytes of space, then the message */
};

/* event.c */

/* The protocols for the client's vhosts. */
const struct lws_protocols *websocket_protocols(void);
/* Starts a connection; websocket_abandon ends what it began. */
int websocket_connect(struct websocket *w, const struct websocket_url *url, const char *address,
    struct lws_vhost *vhost, struct error *err);
/* Closes the connection, if any, at once. Ignores its later events. */
void websocket_abandon(struct websocket *w);
/* Sends what waits, and then the close frame. */
void websocket_flush(struct websocket *w);
/* Resumes reading when it was paused and few messages wait. */
void websocket_resume(struct websocket *w);

/* lifecycle.c */

/* The connection is open: starts the keep-alive. */
void websocket_life_begin(struct websocket *w);
/* Bytes have arrived. */
void websocket_life_note(struct websocket *w);
/* Checks whether bytes have arrived since the last check. */
void websocket_lifecycle_check(struct websocket *w);

/* vhost.c */

/* Returns the vhost for connections with or without TLS; it stays. ca_file NULL: the system's
 * certificates. */
struct lws_vhost *websocket_vhost(bool tls, const char *ca_file, struct error *err);

#endif
