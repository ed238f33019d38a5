#ifndef NET_SERVER_LISTEN_H
#define NET_SERVER_LISTEN_H
/* A listening socket, TCP or unix, on the loop. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <uv.h>

#include "base/time/clock.h"

struct error;

/* Takes fd, a new non-blocking connection. On the loop. */
typedef void server_accept_fn(int fd, void *arg);

struct server_listener {
	int fd;                   /* frees itself after closing */
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

#endif
