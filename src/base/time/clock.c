#include "base/time/clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uv.h>

#include "base/mem.h"
#include "base/time/clock_jump.h"
#include "base/time/clock_skip.h"

#define NEVER UINT64_MAX

/* A binary heap of running timers, the next to fire first. */
static struct clock_timer **heap;
static size_t heap_count, heap_cap;
static uint64_t next_order;

/* The only libuv timer, set to the first of ours. */
static uv_timer_t alarm_timer;
static uint64_t alarm_due = NEVER;
static bool firing;

static struct {
	bool on;
	uint64_t now, since;
	int64_t wall;   /* at since */
	uint64_t state; /* of the generator */
} fake;

/* How far a test has set the wall clock ahead. The store's thread reads it, too. */
static _Atomic int64_t ahead;

/* The process's own world, and that of the running task. */
static struct clock_world own_world;
static _Thread_local struct clock_world *world = &own_world;

uint64_t clock_machine(void)
{
	return fake.on ? fake.now : uv_hrtime() / 1000000;
}

uint64_t clock_now(void)
{
	return clock_machine() + world->skipped;
}

uint64_t clock_skipped(void)
{
	return world->skipped;
}

struct clock_world *clock_enter(struct clock_world *w)
{
	struct clock_world *was = world;

	world = w ? w : &own_world;
	return was;
}

struct clock_world *clock_entered(void)
{
	return world;
}

uint64_t clock_measure_us(void)
{
	return uv_hrtime() / 1000;
}

uint64_t clock_boot_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

int64_t clock_wall_us(void)
{
	struct timespec ts;

	if (fake.on)
		return (fake.wall + (int64_t)(clock_now() - fake.since) + ahead) * 1000;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000 + (ahead + (int64_t)world->skipped) * 1000;
}

void clock_set_ahead(int64_t ms)
{
	ahead += ms;
	clock_jumped();
}

int64_t clock_wall(void)
{
	return clock_wall_us() / 1000;
}

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t fake_random(void)
{
	uint64_t z = (fake.state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void fake_fill(unsigned char *out, size_t len)
{
	while (len > 0) {
		uint64_t word = fake_random();
		size_t n = len < sizeof(word) ? len : sizeof(word);

		memcpy(out, &word, n);
		out += n;
		len -= n;
	}
}

static void kernel_fill(unsigned char *p, size_t len)
{
	while (len > 0) {
		ssize_t n = getrandom(p, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			fprintf(stderr, "myna: the kernel gives no random bytes: %s\n", strerror(errno));
			abort();
		}
		p += n;
		len -= (size_t)n;
	}
}

void clock_random(void *out, size_t len)
{
	/* Unused random bytes: the kernel is asked for many at once. */
	static _Thread_local unsigned char spare[256];
	static _Thread_local size_t left;

	if (fake.on) {
		fake_fill(out, len);
		return;
	}
	if (len > sizeof(spare) / 4) {
		kernel_fill(out, len);
		return;
	}
	if (len > left) {
		kernel_fill(spare, sizeof(spare));
		left = sizeof(spare);
	}
	left -= len;
	memcpy(out, spare + left, len);
	memset(spare + left, 0, len);
}

void clock_random_hex(char *out, size_t bytes)
{
	unsigned char random[32];

	clock_random(random, bytes);
	for (size_t i = 0; i < bytes; i++)
		snprintf(out + 2 * i, 3, "%02x", random[i]);
}

uint64_t clock_random_below(uint64_t bound)
{
	uint64_t x, last;

	if (bound == 0)
		return 0;
	/* Values above the last whole multiple of bound would favour small results. */
	last = UINT64_MAX - (UINT64_MAX % bound + 1) % bound;
	do {
		clock_random(&x, sizeof(x));
	} while (x > last);
	return x % bound;
}

static bool fires_before(const struct clock_timer *a, const struct clock_timer *b)
{
	return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void heap_put(size_t i, struct clock_timer *timer)
{
	heap[i] = timer;
	timer->heap_index = i + 1;
}

/* Finds the position of timer, starting from the free position i. */
static void heap_sift(size_t i, struct clock_timer *timer)
{
	while (i > 0 && fires_before(timer, heap[(i - 1) / 2])) {
		heap_put(i, heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap_count && fires_before(heap[child + 1], heap[child]))
			child++;
		if (child >= heap_count || !fires_before(heap[child], timer))
			break;
		heap_put(i, heap[child]);
		i = child;
	}
	heap_put(i, timer);
}

static void heap_add(struct clock_timer *timer)
{
	if (heap_count == heap_cap) {
		heap_cap = heap_cap ? 2 * heap_cap : 64;
		heap = xrealloc(heap, heap_cap * sizeof(struct clock_timer *));
	}
	heap_count++;
	heap_sift(heap_count - 1, timer);
}

static void heap_remove(struct clock_timer *timer)
{
	size_t i = timer->heap_index - 1;
	struct clock_timer *last = heap[--heap_count];

	timer->heap_index = 0;
	if (last != timer)
		heap_sift(i, last);
}

static void fire_first(void)
{
	struct clock_timer *timer = heap[0];
	struct clock_world *was = clock_enter(timer->world);

	heap_remove(timer);
	timer->fn(timer, timer->arg); /* may free timer */
	clock_enter(was);
}

static void alarm_set(uint64_t at_least);

static void on_alarm(uv_timer_t *handle)
{
	uint64_t now = clock_machine(), limit = next_order;

	(void)handle;
	alarm_due = NEVER;
	firing = true;
	/* Timers that a callback starts wait for the next iteration of the loop. */
	while (heap_count > 0 && heap[0]->due <= now && heap[0]->order < limit)
		fire_first();
	firing = false;
	/* libuv 1.44 runs a timer set to 0 here again at once, before any I/O. */
	alarm_set(1);
}

/* Sets libuv's timer to our first one, at least at_least ms from now. While time stands still, only for a
 * timer that is already due. */
static void alarm_set(uint64_t at_least)
{
	uint64_t now, due, ms;

	if (firing)
		return;
	now = clock_machine();
	due = heap_count > 0 && (!fake.on || heap[0]->due <= now) ? heap[0]->due : NEVER;
	if (due == alarm_due)
		return;
	alarm_due = due;
	if (due == NEVER) {
		uv_timer_stop(&alarm_timer);
		return;
	}
	ms = due > now ? due - now : 0;
	/* libuv counts from the start of this iteration of the loop, which may be long ago. */
	uv_update_time(uv_default_loop());
	uv_timer_start(&alarm_timer, on_alarm, ms > at_least ? ms : at_least, 0);
}

void clock_timer_start(struct clock_timer *timer, uint64_t ms, clock_timer_fn *fn, void *arg)
{
	uint64_t now = clock_machine();

	if (!alarm_timer.loop)
		uv_timer_init(uv_default_loop(), &alarm_timer);
	if (timer->heap_index)
		heap_remove(timer);
	timer->due = ms < NEVER - now ? now + ms : NEVER - 1;
	timer->order = next_order++;
	timer->world = world;
	timer->fn = fn;
	timer->arg = arg;
	heap_add(timer);
	alarm_set(0);
}

void clock_timer_stop(struct clock_timer *timer)
{
	if (!timer->heap_index)
		return;
	heap_remove(timer);
	alarm_set(0);
}

void clock_skip(uint64_t ms)
{
	world->skipped += ms;
}

void clock_fake(int64_t wall_ms, uint64_t seed)
{
	fake.now = clock_machine();
	fake.since = fake.now + world->skipped;
	fake.wall = wall_ms;
	fake.state = seed;
	fake.on = true;
	if (alarm_timer.loop)
		alarm_set(0);
}

uint64_t clock_first_due(void)
{
	return heap_count > 0 ? heap[0]->due + world->skipped : NEVER;
}

void clock_advance(uint64_t ms)
{
	uint64_t end = fake.now + ms;

	assert(fake.on);
	firing = true;
	while (heap_count > 0 && heap[0]->due <= end) {
		if (heap[0]->due > fake.now)
			fake.now = heap[0]->due;
		fire_first();
	}
	fake.now = end;
	firing = false;
	if (alarm_timer.loop)
		alarm_set(0);
}
