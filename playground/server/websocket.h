#ifndef PLAYGROUND_SERVER_WEBSOCKET_H
#define PLAYGROUND_SERVER_WEBSOCKET_H
/*
 * The server's side of a WebSocket (RFC 6455, over wslay), for simulated platforms. A request's
 * handler accepts it and runs for as long as it lives; the socket ends with the handler
 * at the latest. No extension and no subprotocol is negotiated. Pings are answered, unless silenced.
 *
 * What does not take a task never suspends and may be called by anybody on the loop, so that what
 * somebody else does (a message said, a fault ordered) goes out at once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct server_request;
struct task;
struct websocket_peer;

/* Answers the opening handshake. NULL: it was none that a server may take, and was answered 400, 405 or 426;
 * err says why. A message of more than message_max bytes is answered with 1009. The connection must be
 * ended by websocket_peer_close, before the handler returns. */
struct websocket_peer *websocket_accept(struct server_request *req, size_t message_max, struct error *err);

/*
 * 1: a whole message is in message (emptied first), text or binary. 0: wait_ms are over (UINT64_MAX: no
 * limit), or websocket_peer_wake was called. -1: ERROR_NETWORK when the connection is over (closed by either
 * side, broken, or against the protocol, which is answered with its code), ERROR_CANCELLED when the server
 * ends. A client that leaves does not cancel the handler. One task receives.
 */
int websocket_peer_receive(
    struct task *t, struct websocket_peer *p, struct buf *message, uint64_t wait_ms, struct error *err);
/* Makes the task in websocket_peer_receive, or its next call, return 0. */
void websocket_peer_wake(struct websocket_peer *p);

/* Sends a text message, and suspends while more than 256 KiB wait for the client. */
int websocket_peer_send(
    struct task *t, struct websocket_peer *p, const void *text, size_t len, struct error *err);
/* The same without waiting; -1 when the connection is over, or a close frame was sent. */
int websocket_peer_post(struct websocket_peer *p, const void *text, size_t len, struct error *err);
int websocket_peer_post_binary(struct websocket_peer *p, const void *data, size_t len, struct error *err);
/* A text message in so many frames. */
int websocket_peer_post_fragments(
    struct websocket_peer *p, const void *text, size_t len, size_t frames, struct error *err);
/* data: at most 125 bytes. */
int websocket_peer_ping(struct websocket_peer *p, const void *data, size_t len, struct error *err);
/* Any bytes onto the connection as they are, to play a broken server. */
int websocket_peer_post_raw(struct websocket_peer *p, const void *data, size_t len, struct error *err);
/* From now on nothing is sent: no answer to a ping or a close frame, and what is posted is dropped without an
 * error. The TCP connection stays, and messages are received. false: speaks again. */
void websocket_peer_silence(struct websocket_peer *p, bool silent);
/* Sends a close frame with any code; 0: none in it. When the client has answered, after 2 s at the latest,
 * websocket_peer_receive says that the connection is over. */
void websocket_peer_shut(struct websocket_peer *p, unsigned code, const char *reason);
/* Resets the connection without a close frame: the client sees 1006. */
void websocket_peer_abort(struct websocket_peer *p);

bool websocket_peer_is_open(const struct websocket_peer *p);
/* clock_now() of the last bytes of the client. */
uint64_t websocket_peer_last_ms(const struct websocket_peer *p);
/* Pings and pongs of the client so far. */
size_t websocket_peer_pings(const struct websocket_peer *p);
size_t websocket_peer_pongs(const struct websocket_peer *p);
/* What the client said in its close frame: 0 when there was none, 1005 when it named no code. */
unsigned websocket_peer_close_code(const struct websocket_peer *p);
const char *websocket_peer_close_reason(const struct websocket_peer *p); /* "" if none */

/* Shuts as above where that was not done, waits for the end of the connection, and frees p. NULL is fine. */
void websocket_peer_close(struct task *t, struct websocket_peer *p, unsigned code, const char *reason);

#endif
