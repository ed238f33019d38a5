#ifndef NET_HTTP_ERROR_H
#define NET_HTTP_ERROR_H
/* Turns the end of a transfer into an error. */
struct error;
struct http_transfer;

/* Returns 0 when the answer is complete, or -1 with err, which names label and host, never the URL. */
int http_outcome(const struct http_transfer *x, struct error *err);
/* Prepends label and host to the sentence in err; returns -1. */
int http_error_prefix(const struct http_transfer *x, struct error *err);

#endif
