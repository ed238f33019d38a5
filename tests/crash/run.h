#ifndef CRASH_RUN_H
#define CRASH_RUN_H
/* One conversation with one crash in it. */
#include <stdbool.h>
#include <stdint.h>

#include "crash/judge.h"
#include "crash/shim.h"

struct scenario;
struct world;

struct run_plan {
	const struct scenario *scenario;
	uint64_t point; /* 0: the gateway is killed when all is done */
	enum shim_mode mode;
	bool cut; /* a power cut, with what seed lets survive of what was not synced */
	uint64_t seed;
	uint64_t again; /* the point at which it dies once more, while it recovers; 0: not */
};

struct run_result { /* zeroed, with findings.text BUF_INIT */
	struct findings findings;
	bool died; /* at the point, and not before or after */
	unsigned starts;
};

/* Makes the world's template; before all else. */
void run_template(struct world *w);
void run_crash(struct world *w, const struct run_plan *plan, struct run_result *r);
/* A conversation without a crash: the points that it has, a malloc'd array of kinds (enum shim_op) from point
 * 1 on. Its findings also say whether the shim saw all that was written. */
unsigned char *run_dry(
    struct world *w, const struct scenario *scenario, struct run_result *r, uint64_t *points);

#endif
