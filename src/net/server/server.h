#ifndef NET_SERVER_SERVER_H
#define NET_SERVER_SERVER_H
/*
 * The one HTTP server of Myna and of its playground: libwebsockets on the loop. Each
 * request is answered by a task of its own, so that a handler reads straight down, may
 * wait (long polls), and is cancelled when the client goes away.
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
	/* "HOST:PORT" with a numeric host ("[::1]:80" for IPv6) or localhost, which is 127.0.0.1 (port 0: any
	 * free one), or "unix:PATH", where the socket of a dead process is replaced. Copied. */
	const char *listen;
	unsigned unix_mode;     /* permissions of the socket, 0: 0600 */
	size_t max_body;        /* larger ones are answered 413; 0: 1 MiB */
	size_t max_requests;    /* at once; further ones are answered 503; 0: 1,024 */
	size_t max_connections; /* at once; further ones are closed; 0: 2,048 */
	/* Against DNS rebinding and pages of other sites; what breaks it is answered 403 without the handler:
	 * Host must be localhost, 127.0.0.1, [::1] or the local address of the connection, with the port
	 * (anything on a unix socket), and an Origin, if there is one, http:// and such a host (the same host
	 * on a unix socket). */
	bool check_host;
	server_handler *handler;
	void *arg;
};

/* NULL with ERROR_OURS and a sentence when it cannot listen (address in use, no permission, bad address). */
struct server *server_new(const struct server_options *options, struct error *err);
/* Stops listening, cancels running handlers, waits for them and, at most 500 ms, for their answers to
 * leave; removes a unix socket. NULL is fine. */
void server_free(struct task *t, struct server *s);
/* 0 for a unix socket. */
unsigned server_port(const struct server *s);

/* What was asked; all borrowed until the handler returns. The method is one of DELETE, GET, HEAD, OPTIONS,
 * PATCH, POST and PUT. */
const char *server_method(const struct server_request *req);
const char *server_path(const struct server_request *req);  /* still percent-encoded, without the query */
const char *server_query(const struct server_request *req); /* "" if none */
/* Header value by lower-case name, NULL if absent; the first if there are several. */
const char *server_header(const struct server_request *req, const char *name);
/* For a server without check_host: the same question of one request; err->code is the status to refuse it
 * with. */
int server_check_host(const struct server_request *req, struct error *err);
const char *server_body(const struct server_request *req, size_t *len); /* also terminated */
/* Decodes one parameter of a query or form text into out (emptied first); false when absent or malformed. */
bool server_param(const char *form, const char *name, struct buf *out);
/* The same for a piece of a path, where + is no blank. */
bool server_decode(const char *text, size_t len, struct buf *out);

/* The whole answer; it is copied, and the handler may go on after it. A client that leaves cancels the
 * handler only while it has no whole answer. headers: "Name: value\r\n" lines or NULL. A handler that
 * returns without any answer gives 500. */
void server_respond(struct server_request *req, int status, const char *content_type, const char *headers,
    const void *body, size_t len);
void server_respond_json(struct server_request *req, int status, const struct buf *json);

/* An answer in parts (chunked). Write suspends while more than 256 KiB wait for the client;
 * -1 (ERROR_CANCELLED) once it is gone. A handler that returns without server_stream_end resets the
 * connection. */
void server_stream_begin(
    struct server_request *req, int status, const char *content_type, const char *headers);
int server_stream_write(
    struct task *t, struct server_request *req, const void *data, size_t len, struct error *err);
void server_stream_end(struct server_request *req);

/*
 * The handler takes the connection over: "101 Switching Protocols" with headers goes out, and from then on
 * bytes go both ways as they are, until server_upgrade_end, server_abort or the return of the handler,
 * whichever comes first. A client that leaves does not cancel the handler; it finds out from read or write
 * (ERROR_NETWORK).
 */
void server_upgrade(struct server_request *req, const char *headers);
/* Appends what has arrived to in. 1: there was something. 0: it is due_ms by clock_now() (UINT64_MAX: never),
 * or server_upgrade_wake was called. -1: the client is gone, or t is cancelled. One task reads. */
int server_upgrade_read(
    struct task *t, struct server_request *req, struct buf *in, uint64_t due_ms, struct error *err);
void server_upgrade_wake(struct server_request *req);
/* Sends without waiting; nothing happens when the connection is over. */
void server_upgrade_post(struct server_request *req, const void *data, size_t len);
/* Suspends while more than 256 KiB wait for the client. */
int server_upgrade_drain(struct task *t, struct server_request *req, struct error *err);
bool server_upgrade_is_open(const struct server_request *req);
/* What was posted is sent, then the connection ends. */
void server_upgrade_end(struct server_request *req);

/* For simulators: raw bytes onto the connection in place of an answer, then the end of it; and a reset at
 * once, also in the middle of a stream. Both end the request. */
void server_send_raw(struct server_request *req, const void *data, size_t len);
void server_abort(struct server_request *req);
/* Sends an answer as server_respond would, but closes after that many bytes of it (head included). */
void server_respond_cut(struct server_request *req, size_t at_byte, int status, const char *content_type,
    const void *body, size_t len);

#endif
