#ifndef TESTS_NET_SERVER_PEER_H
#define TESTS_NET_SERVER_PEER_H
/*
 * The other end of a server under test: plain sockets that send and read exact bytes. Every function runs
 * the loop while it waits, at most 10 s, and then fails the test. Not for use inside a task.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "net/server/server.h"

struct peer {
	int fd;
	struct buf in; /* received but not consumed */
	bool ended;    /* the server has closed */
	int error;     /* errno of the read that failed */
};

struct answer {
	int status;
	struct buf head, body;
};

void peer_open(struct peer *p, unsigned port);
/* Returns false when nobody listens there. */
bool peer_open_unix(struct peer *p, const char *path);
void peer_close(struct peer *p);
void peer_send(struct peer *p, const void *data, size_t len);
void peer_say(struct peer *p, const char *text);
/* Waits until len bytes are there, or the end. */
void peer_read(struct peer *p, size_t len);
void peer_read_end(struct peer *p);
/* Reads one response with Content-Length or in chunks; has_body: false for responses to HEAD. Clear it. */
void peer_answer(struct peer *p, struct answer *a, bool has_body);
void answer_clear(struct answer *a);
/* Sends text on a new connection and returns the response's status. a may be NULL. */
int peer_ask(unsigned port, const char *text, struct answer *a);

/* Runs the loop until *flag. */
void run_until(const bool *flag);
void run_until_count(const size_t *count, size_t wanted);
void run_for(unsigned ms);

/* Returns the number of open descriptors. */
size_t open_files(void);

/* Starts a server on a free port of 127.0.0.1; options may be NULL. */
struct server *serve(server_handler *handler, void *arg, const struct server_options *options);
void serve_end(struct server *s);

#endif
