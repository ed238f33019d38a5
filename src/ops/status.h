#ifndef OPS_STATUS_H
#define OPS_STATUS_H
/* How the gateway is, for `myna status`, /status in a chat, and scripts. */
#include <stdbool.h>

struct buf;
struct gateway;
struct json_object;
struct task;

/* {"ready":…,"version":…,"uptime_ms":…,"channels":[…],"queue":{…},"model":{…},"turns_running":…,"notices":[…]}
 */
struct json_object *status_collect(struct task *t, struct gateway *g);
/* The same as lines that a person reads; details: with what only an operator needs. */
void status_describe(struct json_object *status, bool details, struct buf *out);

#endif
