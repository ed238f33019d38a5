#ifndef PLAYGROUND_WORLD_TIMER_H
#define PLAYGROUND_WORLD_TIMER_H
/* Timers of the simulated world, which fire at once when its time is moved. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/time/clock.h"

struct error;
struct task;

struct world_timer { /* zero-initialised, as clock_timer */
	struct clock_timer timer;
	struct list link;
	uint64_t due; /* of clock_now() */
	clock_timer_fn *fn;
	void *arg;
};

void world_timer_start(struct world_timer *w, uint64_t ms, clock_timer_fn *fn, void *arg);
void world_timer_stop(struct world_timer *w);
bool world_timer_running(const struct world_timer *w);
/* As task_sleep. */
int world_sleep(struct task *t, uint64_t ms, struct error *err);

/* Moves time forward by at most ms: to the first timer, which it fires. Returns how far. */
uint64_t world_skip(uint64_t ms);
/* Suspends. Moves time forward by ms; what timers do, and the tasks that they wake, sees their own times. */
int world_pass(struct task *t, uint64_t ms, struct error *err);
/* Is that going on? What clients are asked meanwhile has the machine's time for an answer. */
bool world_is_passing(void);

#endif
