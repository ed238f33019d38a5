#ifndef BASE_TIME_CLOCK_SKIP_H
#define BASE_TIME_CLOCK_SKIP_H
/* For simulators, whose worlds may be ahead of the machine, each by its own time. */
#include <stdatomic.h>
#include <stdint.h>

struct clock_world { /* zero-initialised */
	_Atomic uint64_t skipped;
	unsigned moving; /* how many are about to move it on */
};

/* From now on the running task goes by the clocks of that world (NULL: the process's own), and so do the
 * tasks and timers that it starts. Returns the world before. */
struct clock_world *clock_enter(struct clock_world *w);
struct clock_world *clock_entered(void);

/* Moves both clocks of the world forward. Running timers are as far away as before. */
void clock_skip(uint64_t ms);
/* The sum of what was skipped. */
uint64_t clock_skipped(void);
/* clock_now() without it, for what waits for the machine or a peer. */
uint64_t clock_machine(void);

#endif
