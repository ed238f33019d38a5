#ifndef CONTROL_SEND_H
#define CONTROL_SEND_H
/* Sending to addresses and targets, for the control socket: `myna send` and scripts. */
#include <stddef.h>

struct error;
struct gateway;
struct json_object;
struct task;

/* request: {"to":[…],"text","key"?,"dry_run"?}. Waits some seconds for each outcome: what is not there by
 * then is "queued", and a text of several parts is "sent" when all of them are. The answer:
 * {"results":[{"address","state","message_id","error"}]}, new; NULL with err for a bad request, of which then
 * nothing was sent. What was committed stays so when the task is cancelled. */
struct json_object *send_messages(
    struct task *t, struct gateway *g, struct json_object *request, struct error *err);
/* The same with a file, whose name is the member "file", and for which "text" is a caption that may be
 * missing. */
struct json_object *send_file(struct task *t, struct gateway *g, struct json_object *request,
    const void *data, size_t len, struct error *err);

#endif
