#ifndef TESTS_BENCH_SLOWCLOCK_H
#define TESTS_BENCH_SLOWCLOCK_H
#include <stdint.h>

struct slow_clock {
	int64_t since_ns; /* of the monotonic clock */
	int64_t factor;   /* since then it takes so many seconds for one; 0: it does not go slower */
};

#endif
