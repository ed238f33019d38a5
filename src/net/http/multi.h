#ifndef NET_HTTP_MULTI_H
#define NET_HTTP_MULTI_H
/*
 * The multi handles of curl on the loop, and the pool of easy handles. Private to the
 * HTTP client.
 *
 * Two multi handles. `shared` is for https: HTTP/2 puts many requests on a connection,
 * which pays only when new ones wait for the connection that is being made (PIPEWAIT) and
 * the connections of a host are capped. `separate` has no such cap. It is for plain http,
 * unix sockets, https hosts that turned out to speak HTTP/1, and for a request that has
 * waited too long for a place on the shared connections: under the cap a few long polls
 * would hold up everything else there.
 */
#include <curl/curl.h>
#include <stdbool.h>

struct error;
struct http_transfer;

/* From the task only, never inside a callback of curl. A misplaced transfer is added to `separate`. */
int http_multi_add(struct http_transfer *x, struct error *err);
void http_multi_remove(struct http_transfer *x);
/* The request of x is about to leave. */
void http_multi_sent(struct http_transfer *x);
/* The answer of x came with HTTP/1, or with a later version. */
void http_multi_saw_version(struct http_transfer *x, bool http1);
/* x has waited for long. If others of its host were sent meanwhile, it waits for a place on
 * their connections: it becomes misplaced, and its task is woken to move it. */
void http_multi_reassign(struct http_transfer *x);

/* Pooled: they keep their TLS session tickets, so that the next handshake is short. */
CURL *http_easy_get(void);
void http_easy_put(CURL *easy);

#endif
