#ifndef NET_HTTP_RESPONSE_H
#define NET_HTTP_RESPONSE_H
/* curl's callbacks while a request is sent and its answer arrives. */
struct http_transfer;

/* Sets the callbacks of x->easy: they mark `sent`, restart the idle timer, fill the response, and stream. */
void http_response_attach(struct http_transfer *x);

#endif
