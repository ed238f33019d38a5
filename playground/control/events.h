#ifndef PLAYGROUND_CONTROL_EVENTS_H
#define PLAYGROUND_CONTROL_EVENTS_H
/* GET /control/events: sends changes as server-sent events. */
struct playground;
struct server_request;
struct task;

#define EVENTS_READERS_MAX 64

/* gateway: only the gateway's events. Suspends until the client disconnects. */
void events_serve(struct task *t, struct playground *pg, struct server_request *req, int gateway);

#endif
