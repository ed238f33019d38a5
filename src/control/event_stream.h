#ifndef CONTROL_EVENT_STREAM_H
#define CONTROL_EVENT_STREAM_H
/* GET /v1/events, on the control socket and over HTTP: the message trace (base/trace.h) as server-sent
 * events, until the client disconnects. A slow client is told how many events it missed:
 * {"step":"lost","lost":5}. */
struct server_request;
struct task;

void event_stream(struct task *t, struct server_request *req);

#endif
