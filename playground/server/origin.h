#ifndef PLAYGROUND_SERVER_ORIGIN_H
#define PLAYGROUND_SERVER_ORIGIN_H
/* Guards the page and /control: allows non-browser clients and the page itself, refuses requests of other
 * sites' pages and of rebound DNS names. The platforms and the model accept anyone, as the real ones do. */
struct server_request;

/* Returns -1 after responding 403. */
int origin_check(struct server_request *req);

#endif
