#ifndef NET_WEBSOCKET_WEBSOCKET_H
#define NET_WEBSOCKET_WEBSOCKET_H
/*
 * The WebSocket client (RFC 6455), over libwebsockets on the loop. One task receives; any
 * task of the loop may send. Fragments are joined, pings are answered, extensions
 * (compression among them) are not offered, redirects are refusals, proxies are not used.
 *
 * wss:// trusts the CA certificates of the system, or those in the file that $SSL_CERT_FILE
 * names, and the certificate must be for the host of the URL, a name. ws:// is for loopback hosts.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct http_header;
struct task;
struct websocket;

struct websocket_options {
	const char *url; /* borrowed until websocket_open returns, as is all that follows */
	/* Named in errors and logs, with the host, instead of the URL, which may hold a ticket. */
	const char *label;
	const struct http_header *headers; /* for the handshake, see net/http/http.h */
	size_t header_count;
	size_t message_max; /* a larger message ends the connection with 1009; 0: 16 MiB */
	/* Bytes that may wait to be sent; websocket_send fails above. 0: 1 MiB. */
	size_t send_max;
	uint64_t connect_ms; /* from the lookup of the name to the end of the handshake; 0: 15,000 */
	/* A ping after so long without a frame, and the end when nothing comes for as long again; 0: none. */
	uint64_t ping_ms;
	const char *ca_file; /* trusted instead of the system's certificates; NULL: as above */
};

/*
 * Suspends until the handshake is over. NULL: ERROR_NETWORK (not reached, bad certificate, no answer in time,
 * 5xx), ERROR_LIMITED (429, and 503 with Retry-After), ERROR_REFUSED (any other answer than 101),
 * ERROR_OURS (bad URL or header), ERROR_CANCELLED. err->code is the HTTP status if there was one.
 */
struct websocket *websocket_open(struct task *t, const struct websocket_options *o, struct error *err);

/*
 * Waits for the next message. 1: it is in message (emptied first), text or binary; text is valid UTF-8.
 * 0: wait_ms are over; UINT64_MAX waits without end. -1: closed or broken (ERROR_NETWORK), after all that
 * came before was received; or ERROR_CANCELLED, which leaves the connection as it is.
 */
int websocket_receive(
    struct task *t, struct websocket *w, struct buf *message, uint64_t wait_ms, struct error *err);

/* Copies text (valid UTF-8) as one message, sent in the order of the calls. -1: ERROR_NETWORK when the
 * connection is over, ERROR_LIMITED when more than send_max would wait. 0 does not mean that it has
 * arrived. */
int websocket_send(struct task *t, struct websocket *w, const void *text, size_t len, struct error *err);

/* clock_now() of the last sign of life of the other side: data, pings and pongs; at first the end of the
 * handshake. */
uint64_t websocket_last_received_ms(struct websocket *w);
bool websocket_is_open(const struct websocket *w);
/* Bytes that wait to be sent. */
size_t websocket_pending(const struct websocket *w);
/* What the other side said in its close frame: 0 when there was none, 1005 when it named no code. Codes that
 * RFC 6455 does not know are told as 1002, by libwebsockets 4.1.6 also 1012 to 1014. */
unsigned websocket_close_code(const struct websocket *w);
const char *websocket_close_reason(const struct websocket *w); /* "" if none */

/*
 * Sends what waits and a close frame with code (0: 1000) and reason (cut at 123 bytes, may be NULL), waits at
 * most 2 s for the answer (200 ms when t is cancelled), and frees w. Not while another task receives. NULL is
 * fine.
 */
void websocket_close(struct task *t, struct websocket *w, unsigned code, const char *reason);
/* Ends the connection at once, without a word, and frees w. Does not suspend. NULL is fine. */
void websocket_abort(struct websocket *w);

#endif
