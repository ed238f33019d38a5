#ifndef OPS_PROBE_H
#define OPS_PROBE_H
/* Asks every platform and every model provider of a configuration whether they accept us. Changes nothing
 * there. */
#include <stddef.h>

struct buf;
struct gateway_config;
struct task;

/* Appends a line for each: what was found, or what to do. Returns how many refused or did not answer. */
size_t probe_all(struct task *t, const struct gateway_config *gc, struct buf *out);

#endif
