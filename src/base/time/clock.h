#ifndef BASE_TIME_CLOCK_H
#define BASE_TIME_CLOCK_H
/*
 * Time, timers and randomness come from here alone, so that a test can replace
 * them. Everything runs on uv_default_loop(), on its thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Monotonic milliseconds; never jumps with the wall clock. */
uint64_t clock_now(void);
/* Milliseconds since 1970-01-01 UTC, as the wall clock says. */
int64_t clock_wall(void);
/* The same in microseconds, for measurements. */
int64_t clock_wall_us(void);
/* Monotonic microseconds, never replaced: for how long something took, and nothing else. */
uint64_t clock_measure_us(void);
void clock_random(void *out, size_t len);
/* Uniform in [0, bound); 0 when bound is 0. */
uint64_t clock_random_below(uint64_t bound);

struct clock_timer;
typedef void clock_timer_fn(struct clock_timer *timer, void *arg);

/* Embedded anywhere, also on a task's stack; zero-initialised before first use.
 * Started again while running: moved. The callback runs on the loop, once, never
 * early; by then the timer is not running: it may be started again or freed. A running
 * timer keeps the loop alive. */
struct clock_timer {
	uint64_t due;
	uint64_t order; /* equal times fire in the order of their start */
	size_t place;   /* heap index + 1; 0 = not running */
	clock_timer_fn *fn;
	void *arg;
};

void clock_timer_start(struct clock_timer *timer, uint64_t ms, clock_timer_fn *fn, void *arg);
void clock_timer_stop(struct clock_timer *timer); /* not running: nothing happens */
static inline bool clock_timer_running(const struct clock_timer *timer)
{
	return timer->place != 0;
}

/* Tests: from here on time stands still, at the present clock_now, until clock_advance;
 * randomness follows seed, and the wall clock starts at wall_ms. A waiting timer does not
 * keep the loop alive then; one of 0 ms still fires on the next turn of the loop. */
void clock_fake(int64_t wall_ms, uint64_t seed);
/* Fires the timers that fall due within ms, in order, each at its own time, also those that
 * a callback starts. Fires timers only: a task that one wakes runs when the loop runs next
 * and finds all of ms passed, so that a test advances in the steps that it wants seen. */
void clock_advance(uint64_t ms);
/* Tests: somebody sets the wall clock, forward by ms or back when below 0. The other clock goes on as it
 * did. */
void clock_set_ahead(int64_t ms);
/* When the first timer falls due, by clock_now; UINT64_MAX when none is running. */
uint64_t clock_first_due(void);

#endif
