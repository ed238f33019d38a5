#ifndef FLOW_KILL_H
#define FLOW_KILL_H
/* The gateway of a flow under the shim of the crash tests (crash/shim.h), which ends it at a chosen point of
 * its calls. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crash/shim.h"

struct flow;

/* Starts the gateway, which dies at that point of its calls; 0: none. */
void kill_run(struct flow *f, uint64_t at, enum shim_mode mode);
/* The last point of its calls so far. */
uint64_t kill_last_point(const struct flow *f);
/* How many points are tried: a hundredth of MYNA_KILL_POINTS, at least one; without it fallback. */
size_t kill_count(size_t fallback);
/* Has the gateway died by itself since the last look? Then it is no more f's, and deaths counts it. */
bool kill_has_died(struct flow *f, size_t *deaths);

#endif
