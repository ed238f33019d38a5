#ifndef FLOW_KILL_H
#define FLOW_KILL_H
/* Runs the gateway of a flow with the shim of the crash tests (crash/shim.h), which kills it at a chosen
 * point. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crash/shim.h"

struct flow;

/* What is started between these two dies at that point; 0: never. */
void kill_next(const struct flow *f, uint64_t at, enum shim_mode mode);
void kill_none(void);
/* Starts the gateway, to die at that point; 0: never. */
void kill_run(struct flow *f, uint64_t at, enum shim_mode mode);
/* Returns the number of points so far. */
uint64_t kill_last_point(const struct flow *f);
/* Returns how many points to try: a hundredth of MYNA_KILL_POINTS, at least one; fallback if unset. */
size_t kill_count(size_t fallback);
/* Has the gateway died since the last call? Then f no longer owns it, and deaths is incremented. */
bool kill_has_died(struct flow *f, size_t *deaths);

#endif
