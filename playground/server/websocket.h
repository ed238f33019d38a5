#ifndef PLAYGROUND_SERVER_WEBSOCKET_H
#define PLAYGROUND_SERVER_WEBSOCKET_H
/*
 * The server side of a WebSocket (RFC 6455, over wslay) for simulated platforms. A request handler accepts
 * it; the socket ends with the handler at the latest. Negotiates no extension or subprotocol. Answers pings
 * unless silenced.
 *
 * Functions without a task never suspend and may be called from any task, so that events of other tasks (a
 * new message, a fault) are sent at once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct playground;
struct server_request;
struct task;
struct websocket_peer;

/* Responds to the opening handshake. Returns NULL with err after refusing an invalid one with 400, 405 or
 * 426. A message above message_max bytes closes the socket with 1009. Call websocket_peer_close before the
 * handler returns. */
struct websocket_peer *websocket_accept(struct server_request *req, size_t message_max, struct error *err);

/* Suspends. Returns 1 with a complete text or binary message (emptied first); 0 after wait_ms (UINT64_MAX:
 * no limit) or websocket_peer_wake; -1 with ERROR_NETWORK when the connection is over (closed, broken, or
 * a protocol error, which gets its close code), or ERROR_CANCELLED when the server stops. A client's
 * disconnect does not cancel the handler. Only one task may receive. */
int websocket_peer_receive(
    struct task *t, struct websocket_peer *p, struct buf *message, uint64_t wait_ms, struct error *err);
/* Makes the current or next websocket_peer_receive return 0. */
void websocket_peer_wake(struct websocket_peer *p);

/* Sends a text message. Suspends while more than 256 KiB are unsent. */
int websocket_peer_send(
    struct task *t, struct websocket_peer *p, const void *text, size_t len, struct error *err);
/* The same without suspending. Returns -1 when the connection is over or a close frame was sent. */
int websocket_peer_post(struct websocket_peer *p, const void *text, size_t len, struct error *err);
int websocket_peer_post_binary(struct websocket_peer *p, const void *data, size_t len, struct error *err);
/* Sends a text message in that many frames. */
int websocket_peer_post_fragments(
    struct websocket_peer *p, const void *text, size_t len, size_t frames, struct error *err);
/* data: at most 125 bytes. */
int websocket_peer_ping(struct websocket_peer *p, const void *data, size_t len, struct error *err);
/* Sends raw bytes, to simulate a broken server. */
int websocket_peer_post_raw(struct websocket_peer *p, const void *data, size_t len, struct error *err);
/* Stops all output: pings and close frames stay unanswered, posted messages are dropped without error. The
 * TCP connection stays open and messages are still received. false: resume. */
void websocket_peer_silence(struct websocket_peer *p, bool silent);
/* Sends a close frame; code 0: without a code. websocket_peer_receive reports the end when the client has
 * answered, at the latest after 2 s. */
void websocket_peer_shut(struct websocket_peer *p, unsigned code, const char *reason);
/* Resets the connection without a close frame: the client sees 1006. */
void websocket_peer_abort(struct websocket_peer *p);
/* Takes the pending fault for the platform's next event, the method "event", which is about to be sent: it
 * may become another text, or arrive in part. Returns true when nothing of it is to be sent. */
bool websocket_peer_fault(
    struct websocket_peer *p, struct playground *pg, const char *platform, const char **text, size_t *len);

bool websocket_peer_is_open(const struct websocket_peer *p);
/* clock_now() of the client's last bytes. */
uint64_t websocket_peer_last_ms(const struct websocket_peer *p);
/* Number of pings and pongs from the client. */
size_t websocket_peer_pings(const struct websocket_peer *p);
size_t websocket_peer_pongs(const struct websocket_peer *p);
/* The code of the client's close frame: 0: no frame, 1005: no code. */
unsigned websocket_peer_close_code(const struct websocket_peer *p);
const char *websocket_peer_close_reason(const struct websocket_peer *p); /* "" if none */

/* Sends a close frame if none was sent, waits for the end and frees p. Suspends. p may be NULL. */
void websocket_peer_close(struct task *t, struct websocket_peer *p, unsigned code, const char *reason);

/* The server side of the WebSocket opening handshake (RFC 6455, 4.2). */

/* Appends the response headers. Returns -1 for an invalid handshake; err->code is the HTTP status. */
int websocket_handshake(const struct server_request *req, struct buf *headers, struct error *err);

#endif
