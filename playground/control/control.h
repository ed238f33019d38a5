#ifndef PLAYGROUND_CONTROL_CONTROL_H
#define PLAYGROUND_CONTROL_CONTROL_H
/*
 * The control interface, /control/…: what people do on the platforms, what can be seen
 * there, what was asked of us, faults and settings. Bodies are JSON objects; what is wrong
 * is answered {"ok":false,"error":"sentence"} with status 400, 404 or 408.
 */
#include <stdbool.h>

struct buf;
struct error;
struct json_object;
struct playground;
struct server_request;
struct task;

void control_serve(struct task *t, struct playground *pg, struct server_request *req);
/* One call by its name, by POST where it takes both: appends the JSON answer to out. May suspend. */
int control_call(struct task *t, struct playground *pg, const char *name, struct json_object *in,
    struct buf *out, struct error *err);
bool control_knows(const char *name);

#endif
