#ifndef NET_HTTP_ERROR_H
#define NET_HTTP_ERROR_H
/* How a transfer ended, in words. Private to the HTTP client. */
struct error;
struct http_transfer;

/* 0: the answer is complete. -1: err says what happened, with label and host, never the URL. */
int http_outcome(const struct http_transfer *x, struct error *err);
/* Puts label and host before the sentence that err holds; returns -1. */
int http_error_prefix(const struct http_transfer *x, struct error *err);

#endif
