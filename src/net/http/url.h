#ifndef NET_HTTP_URL_H
#define NET_HTTP_URL_H
/* The parts of a URL, as curl reads them. */
#include <curl/curl.h>
#include <stdbool.h>

struct error;

struct http_url {
	bool https;
	unsigned port;
	char host[256]; /* IPv6 addresses in brackets */
};

/* Parses a URL. ERROR_OURS unless it is http or https without a user name. The error never quotes the URL,
 * which may hold a token. */
int http_url_parse(const char *text, struct http_url *url, struct error *err);
/* The same for curl; the caller frees it. NULL: it is wrong. It is a copy, because to parse takes curl more
 * than a page of the task's stack. */
CURLU *http_url_parts(const char *text);

#endif
