#ifndef BASE_TIME_CLOCK_SKIP_H
#define BASE_TIME_CLOCK_SKIP_H
/* For simulators, whose world may be ahead of the machine. */
#include <stdint.h>

/* Moves both clocks forward. Running timers are as far away as before. */
void clock_skip(uint64_t ms);
/* The sum of what was skipped. */
uint64_t clock_skipped(void);
/* clock_now() without it, for what waits for the machine or a peer. */
uint64_t clock_machine(void);

#endif
