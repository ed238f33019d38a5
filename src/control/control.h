#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H
/*
 * The control socket: HTTP on a unix socket (mode 0600), used by the other commands to talk to the daemon.
 * - GET /v1/status: the object of status_collect
 * - POST /v1/messages {"to":["ops","telegram:77"],"text","key"?,"dry_run"?}:
 *   {"results":[{"address","state","message_id","error"}]}
 * - POST /v1/file: a line of JSON as for /v1/messages, with "file" for its name, then the bytes of the file
 * - GET /v1/tools: the object of tools_listing
 * - POST /v1/tool {"name","arguments":{}}: the result as a model would get it
 * - POST /v1/prompt {"chat"}: {"text"}, what a model would get of the chat
 * - GET /v1/doctor: {"findings":[…]}, see ops/doctor.h
 * - GET /v1/events: the message trace, see event_stream.h
 * - POST /v1/reload {}: reloads the configuration; {"ok","text"}
 * See also console.c (terminals), pairings.c (strangers) and store.c (queries).
 */
struct control;
struct error;
struct gateway;
struct task;

struct control *control_new(struct gateway *g, const char *path, struct error *err);
void control_free(struct task *t, struct control *c);

#endif
