#ifndef PLAYGROUND_SERVER_WEBSOCKET_HANDSHAKE_H
#define PLAYGROUND_SERVER_WEBSOCKET_HANDSHAKE_H
/* The opening handshake of a WebSocket as a server reads it (RFC 6455, 4.2). */
struct buf;
struct error;
struct server_request;

/* Adds the headers of the answer that takes the handshake. -1: it is none; err->code is the status to refuse
 * it with. */
int websocket_handshake(const struct server_request *req, struct buf *headers, struct error *err);

#endif
