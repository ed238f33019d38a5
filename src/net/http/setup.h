#ifndef NET_HTTP_SETUP_H
#define NET_HTTP_SETUP_H
/* From a struct http_request to the options of an easy handle. Private to the HTTP client. */
struct error;
struct http_transfer;
struct resolve_answer;

/* Gets x->easy and sets it up; addresses may be NULL. ERROR_OURS when the request cannot be
 * sent as it is. Clear it with http_setup_clear in either case. */
int http_setup(struct http_transfer *x, const struct resolve_answer *addresses, struct error *err);
void http_setup_clear(struct http_transfer *x);

#endif
