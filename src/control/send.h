#ifndef CONTROL_SEND_H
#define CONTROL_SEND_H
/* Sends messages to addresses and targets, for the control socket: `myna send` and scripts. */
#include <stddef.h>

struct error;
struct gateway;
struct json_object;
struct task;

/* request: {"to":[…],"text","key"?,"dry_run"?}. Waits up to 10 s for all outcomes, 30 s with a file: a later
 * one is "queued", and a text of several parts is "sent" when all are. Suspends. Returns a new
 * {"results":[{"address","state","message_id","error"}]}, or NULL with err for a bad request, and nothing
 * was sent then. Committed messages stay so when the task is cancelled. */
struct json_object *send_messages(
    struct task *t, struct gateway *g, struct json_object *request, struct error *err);
/* Like send_messages with a file, named by the member "file"; "text" is an optional caption. */
struct json_object *send_file(struct task *t, struct gateway *g, struct json_object *request,
    const void *data, size_t len, struct error *err);

#endif
