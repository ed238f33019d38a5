#ifndef NET_HTTP_SETUP_H
#define NET_HTTP_SETUP_H
/* Converts a struct http_request to the options of an easy handle. */
struct error;
struct http_transfer;
struct resolve_answer;

/* Gets and configures x->easy; addresses may be NULL. ERROR_OURS when the request is invalid. Call
 * http_setup_clear in any case. */
int http_setup(struct http_transfer *x, const struct resolve_answer *addresses, struct error *err);
void http_setup_clear(struct http_transfer *x);

#endif
