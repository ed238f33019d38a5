#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H
/*
 * The control socket: HTTP on a unix socket (mode 0600), through which the other commands
 * talk to the daemon.
 *   GET  /v1/status    the object of status_collect
 *   POST /v1/messages  {"to":["ops","telegram:77"],"text","key"?,"dry_run"?} ->
 *                      {"results":[{"address","state","message_id","error"}]}
 *   POST /v1/tool      {"name","arguments":{}} -> what a model would get
 *   GET  /v1/events    what becomes of messages, see event_stream.h
 *   POST /v1/reload    {} -> {"ok","text"}: reads the configuration again
 * and those of terminals, see control_console.h.
 */
struct control;
struct error;
struct gateway;
struct task;

struct control *control_new(struct gateway *g, const char *path, struct error *err);
void control_free(struct task *t, struct control *c);

#endif
