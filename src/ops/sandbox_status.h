#ifndef OPS_SANDBOX_STATUS_H
#define OPS_SANDBOX_STATUS_H
/* What the operator is shown of the sandbox of tools. */
#include <stdbool.h>

struct buf;
struct gateway_config;
struct json_object;
struct task;

/* {level, number, required, proved, enough, reason}; level "unproved" before the verdict. */
struct json_object *sandbox_status_object(const struct gateway_config *gc);
void sandbox_status_describe(struct json_object *boundary, bool details, struct buf *out);
/* Proves it first, if that was not done. */
void sandbox_status_add_finding(struct task *t, struct json_object *list, const struct gateway_config *gc);
/* Without a daemon: proves it here, and appends what was tried. Runs the loop. The object as above; NULL when
 * tools have no folder to work in, and why is appended. */
struct json_object *sandbox_status_prove_here(const struct gateway_config *gc, struct buf *acts);

#endif
