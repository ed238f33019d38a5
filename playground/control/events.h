#ifndef PLAYGROUND_CONTROL_EVENTS_H
#define PLAYGROUND_CONTROL_EVENTS_H
/* GET /control/events: what changes, as server-sent events, to as many pages as listen. */
struct playground;
struct server_request;
struct task;

#define EVENTS_READERS_MAX 64

/* gateway: only what tells of the gateway. Ends when the client leaves. */
void events_serve(struct task *t, struct playground *pg, struct server_request *req, int gateway);

#endif
