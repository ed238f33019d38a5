#ifndef NET_SERVER_SERVER_INTERNAL_H
#define NET_SERVER_SERVER_INTERNAL_H
/*
 * What the server's sources share. A connection is one accepted socket; it reads one
 * request, a task answers it, and only then the next one is looked at. Nothing but
 * server_connection.c knows libwebsockets.
 *
 * A request belongs to its connection until its task starts, then to the task. Whichever
 * goes first unlinks itself from the other: connection->request, request->connection.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/list.h"
#include "base/task.h"
#include "net/server/server.h"
#include "net/server/body.h"
#include "net/server/head.h"
#include "net/server/listen.h"

struct lws;
struct lws_vhost;

/* More than this waiting for the client suspends server_stream_write and the next request. */
#define SERVER_PENDING_MAX (256 * 1024)

/* What a client may keep waiting. */
enum server_wait {
	SERVER_WAIT_NONE,
	SERVER_WAIT_HEAD,  /* for the rest of a head */
	SERVER_WAIT_BODY,  /* for the next bytes of a body */
	SERVER_WAIT_IDLE,  /* between requests */
	SERVER_WAIT_SEND,  /* for the client to take bytes */
	SERVER_WAIT_LINGER /* for the client to close, after the last answer */
};

struct server {
	struct server_options options;
	char *address; /* as it was asked for */
	struct server_listener listener;
	struct lws_vhost *vhost;
	struct list connections;
	size_t socket_count;  /* connections whose socket is not closed yet */
	size_t request_count; /* from the end of the head to the return of the handler */
	struct task_group tasks;
	struct task *closer; /* in server_free, waits for connections to be sent and closed */
	bool full;           /* said in the log that connections are refused */
	bool closing;
};

struct server_connection {
	struct list link; /* in server->connections */
	struct server *server;
	struct lws *wsi; /* NULL before and after the connection is open */
	bool closed;
	struct server_request *request; /* received or answered now */
	struct buf in;                  /* arrived and not used yet */
	size_t scanned;                 /* of in, in the search for the end of a head */
	struct buf out;                 /* for the client, */
	size_t sent;                    /* so many bytes of which have been handed to libwebsockets */
	bool partial;                   /* libwebsockets holds bytes that the kernel did not take */
	bool paused;                    /* nothing is read for now */
	bool last;                      /* nothing is read any more; out is sent, then the connection ends */
	bool lingering;
	enum server_wait wait;
	struct clock_timer timer;
};

enum server_response {
	SERVER_ANSWER_NONE,
	SERVER_ANSWER_STREAM,   /* begun in parts */
	SERVER_ANSWER_UPGRADED, /* no HTTP any more: the handler has the connection */
	SERVER_ANSWER_DONE
};

struct server_request {
	struct server *server;
	struct server_connection *connection; /* NULL once the client is gone, or was cut off */
	struct task *task;
	struct task *writer; /* waits in server_stream_write or server_upgrade_drain */
	struct task *reader; /* waits in server_upgrade_read */
	bool reader_woken;
	struct server_head head;
	struct server_body body;
	bool counted; /* in server->request_count */
	enum server_response answer;
};

/* server_connection.c */

/* The vhost that a server's connections belong to. */
int server_vhost_new(struct server *s, struct error *err);
void server_vhost_free(struct server *s);
/* Takes fd, a connected socket. */
void server_connection_new(struct server *s, int fd);
int server_connection_fd(const struct server_connection *c);
/* Bytes that wait for the client. */
size_t server_connection_pending(const struct server_connection *c);
/* Is anything not yet with the kernel? */
bool server_connection_is_sending(const struct server_connection *c);
/* Sends what was added to out, as the client takes it; c->last: then ends the connection. */
void server_connection_flush(struct server_connection *c);
/* Goes on with what the client has sent ahead. */
void server_connection_advance(struct server_connection *c);
/* Closes at once; c is gone soon after. Not from within a callback of libwebsockets. reset: what was
 * sent may be lost, and the client can tell. */
void server_connection_close(struct server_connection *c, bool reset);

/* server_request.c */

/* Goes as far as possible with c->in: heads, bodies, a task started. */
void server_request_receive(struct server_connection *c);
/* Room for more has come up in c->out. */
void server_request_sent(struct server_connection *c);
/* A head or body did not arrive in time. */
void server_request_late(struct server_connection *c);
/* The connection is gone: ends the request, or cancels its task. */
void server_request_abandon(struct server_connection *c);

/* server_upgrade.c */

/* Something has arrived for the handler that has taken the connection over, or the client is gone. */
void server_upgrade_received(struct server_request *req);

/* server_response.c */

/* The connection that the answer goes to; NULL when the client is gone or has its answer. */
struct server_connection *server_response_begin(struct server_request *req, enum server_response next);
/* A response head up to the headers that say how long the body is. last: the connection ends after it. */
void server_response_add_head(
    struct buf *out, int status, const char *content_type, const char *headers, bool last);

/* Answers with a sentence, and ends the connection after it. */
void server_response_refuse(struct server_connection *c, int status, const char *sentence);
/* Tells the client to go on and send the body. */
void server_response_continue(struct server_connection *c);
/* The handler has returned: what it left open is closed. */
void server_response_finish(struct server_request *req);

#endif
