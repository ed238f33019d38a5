#ifndef NET_HTTP_PLACE_H
#define NET_HTTP_PLACE_H
/* What the HTTP client knows of a host and port while it talks to it. Private to the HTTP client. */
#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"

struct http_url;

struct http_place {
	struct list link;
	char *host;
	unsigned port;
	size_t users;   /* transfers */
	size_t waiting; /* transfers whose request was sent */
	bool http1;     /* over https it answered with HTTP/1 */
};

/* Counts a user; give it back with http_place_put. */
struct http_place *http_place_get(const struct http_url *url);
void http_place_put(struct http_place *place);
void http_place_forget_all(void); /* no users are left */

#endif
