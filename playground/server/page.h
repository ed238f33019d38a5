#ifndef PLAYGROUND_SERVER_PAGE_H
#define PLAYGROUND_SERVER_PAGE_H
/* The page at /, and below /page/ what it is made of: chats to talk in, and what goes on inside. */
struct server_request;

void page_serve(struct server_request *req);

#endif
