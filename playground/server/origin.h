#ifndef PLAYGROUND_SERVER_ORIGIN_H
#define PLAYGROUND_SERVER_ORIGIN_H
/* Guards the page and /control: allows non-browser clients and the page itself, refuses requests of other
 * sites' pages and of rebound DNS names. The platforms and the model accept anyone, as the real ones do. */
#include <stddef.h>

struct server_request;

/* The scheme and host by which the client calls this server: "http://127.0.0.1:8090". Leaves out unchanged
 * when it names none. */
void origin_of(const struct server_request *req, char *out, size_t size);

/* Returns -1 after responding 403. */
int origin_check(struct server_request *req);

#endif
