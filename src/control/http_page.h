#ifndef CONTROL_HTTP_PAGE_H
#define CONTROL_HTTP_PAGE_H
/* The status page of http.listen: GET / and GET /status.css. */
struct gateway;
struct server_request;
struct task;

void http_page(struct task *t, struct gateway *g, struct server_request *req);
void http_page_style(struct server_request *req);
/* Answers 401, so that a browser asks for the token. */
void http_page_refuse(struct server_request *req);

#endif
