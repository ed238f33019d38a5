#ifndef PLAYGROUND_SERVER_ORIGIN_H
#define PLAYGROUND_SERVER_ORIGIN_H
/*
 * Who may use the page and /control: clients that are no browser, and the page itself. What a page of another
 * site makes a browser ask is refused, also when its name was made to point here. The simulated platforms and
 * the model answer anybody, as the real ones do.
 */
struct server_request;

/* -1: it was refused, with 403. */
int origin_check(struct server_request *req);

#endif
