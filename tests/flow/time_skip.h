#ifndef TESTS_FLOW_TIME_SKIP_H
#define TESTS_FLOW_TIME_SKIP_H
/*
 * Hours in seconds: the replaced clock (base/clock) moves on to the next timer whenever the loop had nothing
 * to do for a millisecond, at most max_ms at a time. Programs that link this have its epoll_wait.
 */
#include <stdint.h>

/* Replaces the clock for the rest of the process. */
void time_skip_start(int64_t wall_ms, uint64_t seed, uint64_t max_ms);
void time_skip_stop(void);

#endif
