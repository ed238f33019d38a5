#ifndef NET_HTTP_EASY_H
#define NET_HTTP_EASY_H
/*
 * curl's easy handles. A used handle stays set up for its purpose, as the same few requests, which differ
 * only in their bodies, are sent again and again. The purpose is all that a handle is set up with, so that
 * one that matches needs no further set-up. The least recently used one gets another purpose when there are
 * many.
 */
#include <curl/curl.h>
#include <stdint.h>

#include "base/buf.h"

struct http_easy {
	CURL *curl;
	struct buf purpose; /* empty: it is not set up */
	uint64_t hash;      /* of purpose */
	struct curl_slist *headers;
	CURLU *url;
	char reason[CURL_ERROR_SIZE]; /* curl's, for the last transfer that failed */
};

/* Returns a handle with that purpose, or else one that is not set up; with an empty purpose always one that
 * is not. */
struct http_easy *http_easy_get(const struct buf *purpose);
/* Notes that it is set up for the purpose, which it takes. */
void http_easy_set_up(struct http_easy *e, struct buf *purpose);
/* Gives the handle back; no transfer runs with it. */
void http_easy_put(struct http_easy *e);
void http_easy_finish(void); /* all must have been put back */

#endif
