#ifndef NET_HTTP_HOST_H
#define NET_HTTP_HOST_H
/* What the HTTP client knows about a host and port while it uses it. */
#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"

struct http_url;

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
void http_host_put(struct http_host *place);
void http_host_forget_all(void); /* no users may be left */

#endif
