#ifndef PLAYGROUND_PAGE_H
#define PLAYGROUND_PAGE_H
/* The page at /: chats, their transcripts, and a form to say something. */
struct server_request;

void page_serve(struct server_request *req);

#endif
