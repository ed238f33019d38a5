#ifndef TESTS_FLOW_TIME_SKIP_H
#define TESTS_FLOW_TIME_SKIP_H
/* Runs hours in seconds: when the loop has been idle for a millisecond, the replaced clock (base/clock)
 * jumps to the next timer, at most max_ms at a time. Programs that link this use its epoll_wait. */
#include <stdint.h>

/* Replaces the clock for the rest of the process. */
void time_skip_start(int64_t wall_ms, uint64_t seed, uint64_t max_ms);
void time_skip_stop(void);

#endif
