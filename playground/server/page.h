#ifndef PLAYGROUND_SERVER_PAGE_H
#define PLAYGROUND_SERVER_PAGE_H
/* Serves the page at / and its files below /page/. */
struct server_request;

void page_serve(struct server_request *req);

#endif
