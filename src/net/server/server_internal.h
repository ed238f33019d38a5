#ifndef NET_SERVER_SERVER_INTERNAL_H
#define NET_SERVER_SERVER_INTERNAL_H
/*
 * What the server's files share. A connection is one accepted socket; it reads one request, a task
 * answers it, and then it reads the next one. Only connection.c uses libwebsockets.
 * A request belongs to its connection until its task starts, then to the task. The first of the two to
 * end unlinks itself from the other: connection->request, request->connection.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "net/server/body.h"
#include "net/server/head.h"
#include "net/server/server.h"

struct error;
struct lws;
struct lws_vhost;

/* listen.c: A listening socket, TCP or unix, on the loop. */

/* Takes fd, a new non-blocking connection. On the loop. */
typedef void server_accept_fn(int fd, void *arg);

struct server_listener {
	int fd;                   /* -1 when closed */
	uv_poll_t *poll;          /* frees itself after closing */
	struct clock_timer pause; /* out of descriptors: accepts again after it */
	bool starved;             /* logged the lack of descriptors */
	char *path;               /* of a unix socket */
	dev_t device;             /* identifies the socket file that we created */
	ino_t inode;
	unsigned port; /* 0 for a unix socket */
	server_accept_fn *accept;
	void *arg;
};

/* address: "HOST:PORT" (host numeric, or localhost, which is 127.0.0.1) or "unix:PATH". Replaces a dead
 * process's socket at PATH. mode: permissions of the new one, set before anyone can connect. ERROR_OURS
 * with a sentence that names the address. */
int server_listen(struct server_listener *l, const char *address, unsigned mode, server_accept_fn *fn,
    void *arg, struct error *err);
/* Stops listening and removes the unix socket. Also for a listener that is {.fd = -1} or closed. */
void server_listen_close(struct server_listener *l);
/* Gets the local address of a connected TCP socket as in a Host header ("10.0.0.1", "[::1]"), without
 * port. */
int server_local_host(int fd, char *host, size_t size);

/* With more bytes waiting for the client, server_stream_write and the next request wait. */
#define SERVER_PENDING_MAX (256 * 1024)

/* What the server waits for from the client. */
enum server_wait {
	SERVER_WAIT_NONE,
	SERVER_WAIT_HEAD,  /* the rest of a head */
	SERVER_WAIT_BODY,  /* the next bytes of a body */
	SERVER_WAIT_IDLE,  /* between requests */
	SERVER_WAIT_SEND,  /* the client to receive bytes */
	SERVER_WAIT_LINGER /* the client to close after the last answer */
};

struct server {
	struct server_options options;
	char *address; /* as requested */
	struct server_listener listener;
	struct lws_vhost *vhost;
	bool tls;
	struct list connections;
	size_t socket_count;  /* connections with an open socket */
	size_t request_count; /* from the call of the handler, or the start of a body, to the return */
	struct task_group tasks;
	struct task *closer; /* in server_free: waits for connections to be sent and closed */
	bool full;           /* max_connections were open at the last new one */
	bool closing;
};

struct server_connection {
	struct list link;   /* in server->connections */
	struct list unsent; /* in connection.c */
	struct server *server;
	struct lws *wsi; /* NULL before and after the connection is open */
	bool closed;
	struct server_request *request; /* being received or answered */
	struct buf in;                  /* received, not yet parsed */
	size_t scanned;                 /* position in in of the search for the end of a head */
	struct buf out;                 /* for the client, */
	size_t sent;                    /* of which libwebsockets or the kernel has this many bytes */
	bool partial;                   /* libwebsockets holds bytes that the kernel did not accept */
	bool paused;                    /* reading is paused */
	bool last;                      /* no more reading; ends the connection after sending out */
	bool lingering;
	enum server_wait wait;
	struct clock_timer timer;
};

enum server_response {
	SERVER_ANSWER_NONE,
	SERVER_ANSWER_STREAM,   /* streaming has begun */
	SERVER_ANSWER_UPGRADED, /* no longer HTTP: the handler has the connection */
	SERVER_ANSWER_DONE
};

struct server_request {
	struct server *server;
	struct server_connection *connection; /* NULL once the client has disconnected or was cut off */
	struct task *task;
	struct task *writer; /* in server_stream_write */
	struct task *reader; /* in server_upgrade_read */
	bool reader_woken;
	struct server_head head;
	struct server_body body;
	bool counted; /* in server->request_count */
	enum server_response answer;
};

/* connection.c */

/* The vhost of a server's connections. */
int server_vhost_new(struct server *s, struct error *err);
void server_vhost_free(struct server *s);
/* Takes fd, a connected socket. */
void server_connection_new(struct server *s, int fd);
int server_connection_fd(const struct server_connection *c);
/* Bytes waiting for the client. */
size_t server_connection_pending(const struct server_connection *c);
/* Returns true while the kernel does not have all bytes. */
bool server_connection_is_sending(const struct server_connection *c);
/* Sends out as the client accepts it; with c->last, then ends the connection. */
void server_connection_flush(struct server_connection *c);
/* Continues with pipelined input. */
void server_connection_advance(struct server_connection *c);
/* Closes at once; c is freed soon after. Not from within a libwebsockets callback. reset: sent bytes may be
 * lost, and the client can tell. */
void server_connection_close(struct server_connection *c, bool reset);

/* request.c */

/* Processes c->in as far as possible: heads, bodies, the start of a task. */
void server_request_receive(struct server_connection *c);
/* There is room again in c->out. */
void server_request_sent(struct server_connection *c);
/* A head or body did not arrive in time. */
void server_request_late(struct server_connection *c);
/* The connection has ended: ends the request, or cancels its task. */
void server_request_abandon(struct server_connection *c);

/* upgrade.c */

/* Bytes arrived for an upgraded connection's handler, or the client has disconnected. */
void server_upgrade_received(struct server_request *req);

/* response.c */

/* Returns the connection for the answer; NULL when the client has disconnected or has its answer. */
struct server_connection *server_response_begin(struct server_request *req, enum server_response next);
/* Appends a response head up to the headers on the body's length. last: the connection ends after it. */
void server_response_add_head(
    struct buf *out, int status, const char *content_type, const char *headers, bool last);

/* Answers with a sentence and then ends the connection. */
void server_response_refuse(struct server_connection *c, int status, const char *sentence);
/* Sends 100 Continue. */
void server_response_continue(struct server_connection *c);
/* The handler has returned: closes what it left open. */
void server_response_finish(struct server_request *req);

#endif
