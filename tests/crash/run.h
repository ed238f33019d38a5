#ifndef CRASH_RUN_H
#define CRASH_RUN_H
/* Runs one conversation with one crash. */
#include <stdbool.h>
#include <stdint.h>

#include "crash/judge.h"
#include "crash/shim.h"

struct scenario;
struct world;

struct run_plan {
	const struct scenario *scenario;
	uint64_t point; /* 0: kill the gateway after all is done */
	enum shim_mode mode;
	bool cut; /* a power cut; seed decides which unsynced data survives */
	uint64_t seed;
	uint64_t again; /* point of a second crash during recovery; 0: none */
};

struct run_result { /* zero-initialised, with findings.text BUF_INIT */
	struct findings findings;
	bool died; /* exactly at the point */
	unsigned starts;
};

/* Creates the world's template. Call it first. */
void run_template(struct world *w);
void run_crash(struct world *w, const struct run_plan *plan, struct run_result *r);
/* Runs without a crash. Returns a malloc'd array with the kind (enum shim_op) of each point from 1 on. Its
 * findings also check that the shim saw all writes. */
unsigned char *run_dry(
    struct world *w, const struct scenario *scenario, struct run_result *r, uint64_t *points);

#endif
