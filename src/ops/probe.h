#ifndef OPS_PROBE_H
#define OPS_PROBE_H
/* Tests whether every configured platform and model provider accepts the configured credentials. Changes
 * nothing there. */
#include <stddef.h>

struct buf;
struct gateway_config;
struct task;

/* Appends a line for each: the result, or what to do. Returns how many refused or did not answer.
 * Suspends. */
size_t probe_all(struct task *t, const struct gateway_config *gc, struct buf *out);

#endif
