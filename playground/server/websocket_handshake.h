#ifndef PLAYGROUND_SERVER_WEBSOCKET_HANDSHAKE_H
#define PLAYGROUND_SERVER_WEBSOCKET_HANDSHAKE_H
/* The server side of the WebSocket opening handshake (RFC 6455, 4.2). */
struct buf;
struct error;
struct server_request;

/* Appends the response headers. Returns -1 for an invalid handshake; err->code is the HTTP status. */
int websocket_handshake(const struct server_request *req, struct buf *headers, struct error *err);

#endif
