#ifndef NET_HTTP_HOST_H
#define NET_HTTP_HOST_H
/* What the HTTP client knows of a host and port while it talks to it. Private to the HTTP client. */
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
	bool http1;     /* over https it answered with HTTP/1 */
};

/* Counts a user; give it back with http_host_put. */
struct http_host *http_host_get(const struct http_url *url);
void http_host_put(struct http_host *place);
void http_host_forget_all(void); /* no users are left */

#endif
