#ifndef NET_SERVER_SERVER_H
#define NET_SERVER_SERVER_H
/*
 * The HTTP server of Myna and of its playground: libwebsockets on the loop. Each request runs in a task
 * of its own, so that a handler may wait (long polls) and is cancelled when the client disconnects.
 * It uses raw connections, because the HTTP of libwebsockets 4.1.6 hands a chunked body on undecoded and
 * without an end, and takes a request with two lengths, with a length and chunks, or without a Host.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct server;
struct server_request;
struct task;

typedef void server_handler(struct task *t, struct server_request *req, void *arg);

struct server_options {
	/* "HOST:PORT" with a numeric host ("[::1]:80" for IPv6) or localhost, which is 127.0.0.1 (port 0:
	 * any free one), or "unix:PATH", where a dead process's socket is replaced. Copied. */
	const char *listen;
	/* PEM files of the server's certificate (followed by those between it and the authority) and of its
	 * key: it speaks TLS alone. NULL: it does not. Borrowed until server_new returns. */
	const char *certificate, *key;
	unsigned unix_mode;  /* permissions of the socket; 0: 0600 */
	size_t max_body;     /* a larger body gets 413; 0: 1 MiB */
	size_t max_requests; /* concurrent handlers and bodies; more get 503; 0: 1,024 */
	/* Concurrent connections; 0: 2,048. For one more, the oldest that waits for bytes of its client is
	 * closed, or the new one when none waits. */
	size_t max_connections;
	/* Protects from DNS rebinding and cross-site requests, which get 403 without calling the handler:
	 * Host must be localhost, 127.0.0.1, [::1] or the connection's local address, with the port
	 * (anything on a unix socket), and an Origin, if present, http:// (https:// with TLS) with such a
	 * host (the same host on a unix socket). */
	bool check_host;
	/* Whether the body of a request is read, judged by its head; NULL: always. Else the handler is called
	 * at once, without the body, and the connection ends with the answer. */
	bool (*wants_body)(const struct server_request *req, void *arg);
	server_handler *handler;
	void *arg;
};

/* Returns -1 with a sentence when text is no address to listen on. */
int server_check_address(const char *text, struct error *err);
/* Returns NULL with ERROR_OURS when it cannot listen (address in use, no permission, bad address). */
struct server *server_new(const struct server_options *options, struct error *err);
/* Stops listening, cancels the running handlers, waits for them, and up to 500 ms for their answers to be
 * sent; removes a unix socket. NULL is allowed. */
void server_free(struct task *t, struct server *s);
/* 0 for a unix socket. */
unsigned server_port(const struct server *s);

/* The request; all strings are borrowed until the handler returns. The method is one of DELETE, GET, HEAD,
 * OPTIONS, PATCH, POST and PUT. */
const char *server_method(const struct server_request *req);
const char *server_path(const struct server_request *req);  /* percent-encoded, without the query */
const char *server_query(const struct server_request *req); /* "" for none */
/* Returns the first header of that lower-case name, NULL if absent. */
const char *server_header(const struct server_request *req, const char *name);
/* Did the request come over TLS? */
bool server_is_tls(const struct server_request *req);
/* For a server without check_host: makes that check for one request; err->code is the status to refuse it
 * with. */
int server_check_host(const struct server_request *req, struct error *err);
const char *server_body(const struct server_request *req, size_t *len); /* also NUL-terminated */
/* Decodes one parameter of a query or form into out (overwritten). Returns false when absent or malformed. */
bool server_param(const char *form, const char *name, struct buf *out);
/* Decodes a part of a path, where + is not a blank. */
bool server_decode(const char *text, size_t len, struct buf *out);

/* Sends a complete answer, which is copied; the handler may continue. A client that disconnects cancels the
 * handler only before the complete answer. headers: "Name: value\r\n" lines or NULL. A handler that returns
 * without an answer gives 500. */
void server_respond(struct server_request *req, int status, const char *content_type, const char *headers,
    const void *body, size_t len);
void server_respond_json(struct server_request *req, int status, const struct buf *json);

/* Streams an answer (chunked). Write suspends while more than 256 KiB wait for the client; returns -1
 * (ERROR_CANCELLED) once it has disconnected. A handler that returns without server_stream_end resets the
 * connection. */
void server_stream_begin(
    struct server_request *req, int status, const char *content_type, const char *headers);
int server_stream_write(
    struct task *t, struct server_request *req, const void *data, size_t len, struct error *err);
void server_stream_end(struct server_request *req);

/*
 * The handler takes over the connection: sends "101 Switching Protocols" with headers; then raw bytes
 * pass in both directions until server_upgrade_end, server_abort or the handler's return. A client that
 * disconnects does not cancel the handler; read and write then fail (ERROR_NETWORK).
 */
void server_upgrade(struct server_request *req, const char *headers);
/* Appends received bytes to in. Returns 1 on bytes, 0 at due_ms by clock_now() (UINT64_MAX: never) or after
 * server_upgrade_wake, -1 when the client has disconnected or t is cancelled. One task reads. */
int server_upgrade_read(
    struct task *t, struct server_request *req, struct buf *in, uint64_t due_ms, struct error *err);
void server_upgrade_wake(struct server_request *req);
/* Sends without waiting; no effect when the connection has ended. */
void server_upgrade_post(struct server_request *req, const void *data, size_t len);
bool server_upgrade_is_open(const struct server_request *req);
/* Ends the connection after sending what was posted. */
void server_upgrade_end(struct server_request *req);

/* For simulators: resets the connection at once, even within a stream, and ends the request. */
void server_abort(struct server_request *req);
/* Like server_respond, but closes after that many bytes of the answer, including its head. */
void server_respond_cut(struct server_request *req, size_t at_byte, int status, const char *content_type,
    const char *headers, const void *body, size_t len);

#endif
