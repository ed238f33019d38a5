#ifndef BASE_TIME_CLOCK_H
#define BASE_TIME_CLOCK_H
/*
 * The only source of time, timers and randomness, so that a test can replace it. Everything runs on
 * uv_default_loop(), on its thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Monotonic milliseconds, independent of the wall clock. */
uint64_t clock_now(void);
/* Wall clock: milliseconds since 1970-01-01 UTC. */
int64_t clock_wall(void);
/* Wall clock in microseconds, for measurements. */
int64_t clock_wall_us(void);
/* Monotonic microseconds, real even in tests: only for measuring durations. */
uint64_t clock_measure_us(void);
/* Monotonic milliseconds that count while the machine sleeps, too, real even in tests; on any thread. */
uint64_t clock_boot_ms(void);
/* A forked process that runs on would get the same bytes as its parent. */
void clock_random(void *out, size_t len);
/* Writes that many bytes, at most 32, as two digits each, and a NUL. */
void clock_random_hex(char *out, size_t bytes);
/* Uniform in [0, bound); 0 when bound is 0. */
uint64_t clock_random_below(uint64_t bound);

struct clock_timer;
struct clock_world;
typedef void clock_timer_fn(struct clock_timer *timer, void *arg);

/* Embedded anywhere, also on a task's stack; zero-initialised before first use. Starting a running timer
 * reschedules it. The callback runs on the loop, once, never early; the timer is stopped by then, so the
 * callback may start it again or free it. A running timer keeps the loop alive. */
struct clock_timer {
	uint64_t due;      /* of the machine's clock */
	uint64_t order;    /* timers with equal due times fire in order of start */
	size_t heap_index; /* heap index + 1; 0 = not running */
	clock_timer_fn *fn;
	void *arg;
	struct clock_world *world; /* see clock_skip.h */
};

void clock_timer_start(struct clock_timer *timer, uint64_t ms, clock_timer_fn *fn, void *arg);
void clock_timer_stop(struct clock_timer *timer); /* no effect when it is not running */
static inline bool clock_timer_running(const struct clock_timer *timer)
{
	return timer->heap_index != 0;
}

/* Tests: stops time at the current clock_now until clock_advance; seed determines the randomness, and the
 * wall clock starts at wall_ms. A waiting timer no longer keeps the loop alive; one of 0 ms still fires in
 * the next iteration of the loop. */
void clock_fake(int64_t wall_ms, uint64_t seed);
/* Fires the timers due within ms, in order, each at its own time, including those that a callback starts.
 * Fires timers only: a task that one wakes runs in the next iteration of the loop and sees all of ms
 * passed, so a test advances in the steps that it needs. */
void clock_advance(uint64_t ms);
/* Tests: moves the wall clock forward by ms, or back when below 0. The monotonic clock is unaffected. */
void clock_set_ahead(int64_t ms);
/* The due time of the first timer, by clock_now; UINT64_MAX when none is running. */
uint64_t clock_first_due(void);

#endif
