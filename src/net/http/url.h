#ifndef NET_HTTP_URL_H
#define NET_HTTP_URL_H
/* The parts of a URL that the HTTP client needs before curl sees it. Private to net. */
#include <stdbool.h>

struct error;

struct http_url {
	bool https;
	unsigned port;
	char host[256]; /* IPv6 addresses in brackets */
};

/* ERROR_OURS for anything but http and https, or with a user name in it. The text never quotes
 * the URL, which may hold a token. */
int http_url_parse(const char *text, struct http_url *url, struct error *err);

#endif
