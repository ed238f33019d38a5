#ifndef PLAYGROUND_CONTROL_CONTROL_H
#define PLAYGROUND_CONTROL_CONTROL_H
/*
 * The control interface /control/...: acts as people on the platforms, reads chats and requests, sets faults
 * and settings. Bodies are JSON objects. Errors are {"ok":false,"error":"sentence"} with status 400, 404 or
 * 408.
 */
#include <stdbool.h>

struct buf;
struct error;
struct json_object;
struct platform;
struct platform_instance;
struct playground;
struct server_request;
struct task;

void control_serve(struct task *t, struct playground *pg, struct server_request *req);
/* Runs one call by its name, as POST where it has both methods. Appends the JSON answer to out. May
 * suspend. */
int control_call(struct task *t, struct playground *pg, const char *name, struct json_object *in,
    struct buf *out, struct error *err);
bool control_knows(const char *name);
/* Is a bot connected to the platform? Where bots poll: has one sent a request? */
bool control_has_bot(struct playground *pg, struct platform_instance *s);
/* Returns a sentence about a call that is not known, for the caller to free. */
char *control_unknown(const char *name);
/* Is it an action of people on that platform whose body may have that member? */
bool control_takes(const struct platform *p, const char *name, const char *member);

#endif
