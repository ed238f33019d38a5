#ifndef OPS_STATUS_H
#define OPS_STATUS_H
/* The gateway's status for `myna status`, /status in a chat, and scripts. */
#include <stdbool.h>

struct buf;
struct gateway;
struct json_object;
struct task;

/* Returns a new {"ready":…,"version":…,"safe_mode":…,"config_errors"?:…,"uptime_ms":…,"channels":[…],
 * "cluster"?:{…},"queue":{…},"model":{…},"spent"?:{…},"sandbox":{…},"mcp":[…],"turns_running":…,
 * "notices":[…]}. Suspends. */
struct json_object *status_collect(struct task *t, struct gateway *g);
/* Appends lines for people; details: includes what only an operator needs. */
void status_describe(struct json_object *status, bool details, struct buf *out);

#endif
