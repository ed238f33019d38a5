#ifndef NET_HTTP_MULTI_H
#define NET_HTTP_MULTI_H
/*
 * curl's multi handles on the loop.
 * `shared` is for https: HTTP/2 multiplexes many requests over one connection, which needs new requests to
 * wait for the connection being made (PIPEWAIT) and a cap on connections per host. `separate` are handles
 * without such a cap: one, and more while hundreds of transfers run. They serve plain http, unix sockets,
 * https hosts that use HTTP/1, and requests that waited too long for a slot on the shared connections, where
 * under the cap a few long polls would block all others.
 */
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"

struct error;
struct http_transfer;
struct http_url;

/* host.c: What the HTTP client knows about a host and port while it uses it. */

struct http_host {
	struct list link;
	char *host;
	unsigned port;
	size_t users;   /* transfers */
	size_t waiting; /* transfers whose request was sent */
	bool http1;     /* answered with HTTP/1 over https */
};

/* Counts a user; release it with http_host_put. */
struct http_host *http_host_get(const struct http_url *url);
void http_host_put(struct http_host *host);
void http_host_forget_all(void); /* no users may be left */

/* From the task only, never inside a curl callback. Adds a misplaced transfer to `separate`. */
int http_multi_add(struct http_transfer *x, struct error *err);
void http_multi_remove(struct http_transfer *x);
/* The request of x is about to be sent. */
void http_multi_sent(struct http_transfer *x);
/* The answer of x arrived with HTTP/1 or with a later version. */
void http_multi_saw_version(struct http_transfer *x, bool http1);
/* x has waited long. If other requests to its host were sent meanwhile, it waits for a slot on their
 * connections: marks it misplaced and wakes its task, which moves it. */
void http_multi_reassign(struct http_transfer *x);

#endif
