#ifndef PLAYGROUND_SLACK_HTTP_API_H
#define PLAYGROUND_SLACK_HTTP_API_H
/* Serves everything below /slack/: api/METHOD, link (Socket Mode), files, uploads, response_urls. */
struct server_request;
struct task;

void slk_api_serve(struct task *t, void *world, struct server_request *req);

#endif
