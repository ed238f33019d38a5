#ifndef OPS_SANDBOX_STATUS_H
#define OPS_SANDBOX_STATUS_H
/* Shows the state of the tools' sandbox to the operator. */
#include <stdbool.h>

struct buf;
struct gateway_config;
struct json_object;
struct task;

/* {level, number, required, proved, enough, reason}; level "unproved" before the verdict. */
struct json_object *sandbox_status_object(const struct gateway_config *gc);
void sandbox_status_describe(struct json_object *sandbox, bool details, struct buf *out);
/* Tests the sandbox first if necessary. Suspends. */
void sandbox_status_add_finding(struct task *t, struct json_object *list, const struct gateway_config *gc);
/* Without a daemon: tests the sandbox in this process and appends the attempted acts. Runs the loop.
 * Returns the object above; NULL, with the reason appended, when tools have no folder to work in. */
struct json_object *sandbox_status_prove_here(const struct gateway_config *gc, struct buf *acts);

#endif
