#ifndef NET_SERVER_LISTEN_H
#define NET_SERVER_LISTEN_H
/* A listening socket, TCP or unix, on the loop. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <uv.h>

#include "base/time/clock.h"

struct error;

/* Takes fd: a new connection, non-blocking. On the loop. */
typedef void server_accept_fn(int fd, void *arg);

struct server_listener {
	int fd;                   /* -1: not listening */
	uv_poll_t *poll;          /* frees itself after closing */
	struct clock_timer pause; /* out of descriptors: accept again then */
	bool starved;             /* said so in the log */
	char *path;               /* of a unix socket */
	dev_t device;             /* the file that we made there */
	ino_t inode;
	unsigned port; /* 0 for a unix socket */
	server_accept_fn *accept;
	void *arg;
};

/* address: "HOST:PORT" (host numeric or localhost, which is 127.0.0.1) or "unix:PATH". The socket of a
 * dead process under PATH is replaced. mode: permissions of the new one, in force before anyone can
 * connect. ERROR_OURS with a sentence that names the address. */
int server_listen(struct server_listener *l, const char *address, unsigned mode, server_accept_fn *fn,
    void *arg, struct error *err);
/* Stops listening, removes the unix socket. Fine on a listener that is {.fd = -1} or was closed. */
void server_listen_close(struct server_listener *l);
/* The local address of a connected TCP socket as a Host header names it ("10.0.0.1", "[::1]"), without
 * port. */
int server_local_host(int fd, char *host, size_t size);

#endif
