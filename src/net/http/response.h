#ifndef NET_HTTP_RESPONSE_H
#define NET_HTTP_RESPONSE_H
/* What curl calls while a request is sent and its answer arrives. Private to the HTTP client. */
struct http_transfer;

/* Sets the callbacks of x->easy: marks `sent`, keeps the idle timer, fills the response, streams. */
void http_response_attach(struct http_transfer *x);

#endif
