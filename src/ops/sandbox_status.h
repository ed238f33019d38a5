#ifndef OPS_SANDBOX_STATUS_H
#define OPS_SANDBOX_STATUS_H
/* The sandbox of tools as the gateway sees to it: proved once it is up, and shown wherever it says how it
 * is. */
#include <stdbool.h>

struct buf;
struct gateway;
struct gateway_config;
struct json_object;
struct task;

/* Has the sandbox of the configuration in force proved soon, beside everything else; a tool that comes before
 * has it proved at once. */
void sandbox_status_prove(struct gateway *g);
/* {level, number, required, proved, enough, reason}; level "unproved" before the verdict. */
struct json_object *sandbox_status_object(const struct gateway_config *gc);
void sandbox_status_describe(struct json_object *boundary, bool details, struct buf *out);
/* Proves it first, if that was not done. */
void sandbox_status_add_finding(struct task *t, struct json_object *list, const struct gateway_config *gc);
/* Without a daemon: proves it here, and appends what was tried. Runs the loop. The object as above; NULL when
 * tools have no folder to work in, and why is appended. */
struct json_object *sandbox_status_prove_here(const struct gateway_config *gc, struct buf *acts);

#endif
