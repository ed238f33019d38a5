#ifndef PLAYGROUND_DISCORD_HTTP_API_H
#define PLAYGROUND_DISCORD_HTTP_API_H
/* Everything below /discord/: REST calls, the gateway, files. */
struct cord_world;
struct server_request;
struct task;

void cord_api_serve(struct task *t, void *world, struct server_request *req);

#endif
