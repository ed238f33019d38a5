#ifndef NET_WEBSOCKET_WEBSOCKET_H
#define NET_WEBSOCKET_WEBSOCKET_H
/*
 * The WebSocket client (RFC 6455): libwebsockets on the loop connects, and makes the HTTP request that opens
 * it; the frames are our own. One task receives; any task of the loop may send. Fragments are joined, pings
 * answered; extensions (such as compression) are not offered, redirects are refused, proxies are not used.
 * wss:// trusts the system's CA certificates, or those in the file that $SSL_CERT_FILE names, and the
 * certificate must match the URL's host name. ws:// is for loopback hosts.
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
	const char *url; /* like all that follows, borrowed until websocket_open returns */
	/* Used with the host in errors and logs instead of the URL, which may hold a ticket. */
	const char *label;
	const struct http_header *headers; /* of the handshake, see net/http/http.h */
	size_t header_count;
	size_t message_max; /* a larger message ends the connection with 1009; 0: 16 MiB */
	/* Maximum bytes waiting to be sent; websocket_send fails above. 0: 1 MiB. */
	size_t send_max;
	uint64_t connect_ms; /* from the name lookup to the end of the handshake; 0: 15,000 */
	/* Sends a ping after this time without a frame, and ends the connection after the same time without
	 * an answer; 0: never. */
	uint64_t ping_ms;
	const char *ca_file; /* trusted instead of the system's certificates; NULL: as above */
};

/*
 * Suspends until the handshake is complete. Returns NULL with ERROR_NETWORK (unreachable, bad
 * certificate, timeout, 5xx), ERROR_LIMITED (429, and 503 with Retry-After), ERROR_REFUSED (any other
 * answer than 101), ERROR_OURS (bad URL or header) or ERROR_CANCELLED. err->code is the HTTP status if
 * there was one.
 */
struct websocket *websocket_open(struct task *t, const struct websocket_options *o, struct error *err);

/*
 * Waits for the next message. Returns 1 with the message (overwritten), text or binary; text is valid
 * UTF-8. Returns 0 after wait_ms; UINT64_MAX waits for ever. Returns -1 when closed or broken
 * (ERROR_NETWORK), after all earlier messages were received, or ERROR_CANCELLED, which leaves the
 * connection unchanged.
 */
int websocket_receive(
    struct task *t, struct websocket *w, struct buf *message, uint64_t wait_ms, struct error *err);

/* Copies text (valid UTF-8) as one message; messages are sent in the order of the calls. Returns -1 with
 * ERROR_NETWORK when the connection has ended, ERROR_LIMITED when more than send_max would wait, ERROR_OURS
 * when the message alone is larger, or ERROR_CANCELLED. 0 does not mean that the message has arrived. Does
 * not suspend. */
int websocket_send(struct task *t, struct websocket *w, const void *text, size_t len, struct error *err);

/* clock_now() of the peer's last data, ping or pong; at first the end of the handshake. */
uint64_t websocket_last_received_ms(struct websocket *w);
bool websocket_is_open(const struct websocket *w);
/* Bytes waiting to be sent. */
size_t websocket_pending(const struct websocket *w);
/* The code in the peer's close frame: 0 without a frame, 1005 without a code. Codes that no frame may hold
 * become 1002. */
unsigned websocket_close_code(const struct websocket *w);
const char *websocket_close_reason(const struct websocket *w); /* "" for none */

/*
 * Sends what waits and a close frame with code (0: 1000) and reason (cut at 123 bytes, may be NULL),
 * waits at most 2 s for the answer (200 ms when t is cancelled), and frees w. Not while another task
 * receives. NULL is allowed.
 */
void websocket_close(struct task *t, struct websocket *w, unsigned code, const char *reason);
/* Ends the connection at once without a close frame, and frees w. Does not suspend. NULL is allowed. */
void websocket_abort(struct websocket *w);

/* Appends what a server answers to a client's Sec-WebSocket-Key. */
void websocket_accept_value(struct buf *out, const char *key);

#endif
