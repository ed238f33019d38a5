#ifndef NET_WEBSOCKET_WEBSOCKET_INTERNAL_H
#define NET_WEBSOCKET_WEBSOCKET_INTERNAL_H
/*
 * What the WebSocket client's sources share. libwebsockets is handed an id, not a pointer, so
 * that what it still calls for a connection that was given up finds nobody.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/list.h"

struct error;
struct lws;
struct lws_protocols;
struct lws_vhost;
struct task;

#define WEBSOCKET_REASON_MAX 123 /* bytes of a close frame's reason, RFC 6455, 5.5 */

enum websocket_state {
	WEBSOCKET_CONNECTING,
	WEBSOCKET_OPEN,
	WEBSOCKET_ENDING, /* no messages any more; the close frames may still be under way */
	WEBSOCKET_CLOSED  /* libwebsockets is through with it */
};

struct websocket_url {
	bool tls;
	unsigned port;
	char host[256]; /* IPv6 addresses in brackets */
	char *path;     /* with the query */
};

struct websocket {
	struct list link; /* among those that libwebsockets may call for */
	uintptr_t id;
	struct lws *wsi; /* NULL before and after it is libwebsockets' */
	enum websocket_state state;
	struct task *waiter; /* in open, receive or close */
	char *name;          /* for errors: label and host */
	char *headers;       /* further lines of the handshake */
	/* How it failed. */
	unsigned status;   /* of the answer to the handshake, 0: none */
	uint64_t retry_ms; /* as its Retry-After says */
	char failure[160];
	bool certificate_bad; /* of the server: the log has the reason */
	/* Receiving. */
	size_t message_max;
	struct buf joining; /* what has come of a message */
	bool binary;
	struct list messages; /* struct websocket_message: whole ones that nobody has taken yet */
	size_t queued;        /* their bytes */
	bool paused;          /* nothing is read, because too many wait */
	unsigned close_code;
	char *close_reason;
	/* Sending. */
	size_t send_max;
	struct list packets;   /* struct websocket_packet: not given to libwebsockets yet */
	size_t pending;        /* their bytes */
	size_t writing;        /* bytes of which libwebsockets still has some */
	unsigned closing_code; /* of our close frame, sent after the packets; 0: none is to be sent */
	char closing_reason[WEBSOCKET_REASON_MAX + 1];
	bool closing_sent;
	/* Signs of life. */
	struct clock_timer timer;
	uint64_t ping_ms;
	bool ping_wanted;
	uint64_t heard_ms, looked_ms;
	uint64_t bytes_seen; /* that the kernel had received at looked_ms */
};

struct websocket_message {
	struct list link;
	struct buf text;
};

struct websocket_packet {
	struct list link;
	size_t len;
	unsigned char data[]; /* LWS_PRE bytes of room, then the message */
};

/* websocket_event.c */

/* What a vhost of the client's is to be made with. */
const struct lws_protocols *websocket_protocols(void);
/* Starts a connection; websocket_abandon ends what this has begun. */
int websocket_connect(struct websocket *w, const struct websocket_url *url, const char *address,
    struct lws_vhost *vhost, struct error *err);
/* Closes the connection at once, where there is one. Its events are not seen any more. */
void websocket_abandon(struct websocket *w);
/* Has what waits sent, and then the close frame. */
void websocket_flush(struct websocket *w);
/* Reads again, where that was paused and few messages wait. */
void websocket_resume(struct websocket *w);

/* websocket_life.c */

void websocket_life_begin(struct websocket *w);
/* A frame has come. */
void websocket_life_note(struct websocket *w);
/* Looks whether bytes have come since the last look. */
void websocket_lifecycle_check(struct websocket *w);

/* websocket_vhost.c */

/* The vhost for connections with TLS or without; it stays. ca_file NULL: the certificates of the system. */
struct lws_vhost *websocket_vhost(bool tls, const char *ca_file, struct error *err);

#endif
