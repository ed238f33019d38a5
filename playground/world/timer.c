#include "playground/world/timer.h"

#include "base/task.h"
#include "base/time/clock_skip.h"

static struct list running = {&running, &running};

static void forget(struct world_timer *w)
{
	if (w->fn)
		list_remove(&w->link);
	w->fn = NULL;
}

static void fire(struct clock_timer *timer, void *arg)
{
	struct world_timer *w = arg;
	clock_timer_fn *fn = w->fn;

	forget(w);
	fn(timer, w->arg); /* may free it */
}

void world_timer_start(struct world_timer *w, uint64_t ms, clock_timer_fn *fn, void *arg)
{
	forget(w);
	w->due = clock_now() + ms;
	w->fn = fn;
	w->arg = arg;
	list_append(&running, &w->link);
	clock_timer_start(&w->timer, ms, fire, w);
}

void world_timer_stop(struct world_timer *w)
{
	forget(w);
	clock_timer_stop(&w->timer);
}

bool world_timer_running(const struct world_timer *w)
{
	return w->fn != NULL;
}

static void wake(struct clock_timer *timer, void *arg)
{
	(void)timer;
	task_wake(arg);
}

int world_sleep(struct task *t, uint64_t ms, struct error *err)
{
	struct world_timer w = {0};
	int ret = 0;

	world_timer_start(&w, ms, wake, t);
	while (ret == 0 && world_timer_running(&w))
		ret = task_wait(t, err);
	world_timer_stop(&w);
	return ret;
}

uint64_t world_skip(uint64_t ms)
{
	struct world_timer *first = NULL;
	const struct clock_world *here = clock_entered();
	uint64_t now = clock_now(), step = ms;

	list_each_entry(&running, struct world_timer, w, link)
		if (w->timer.world == here && w->due <= now + ms && (!first || w->due < first->due))
			first = w;
	if (first)
		step = first->due > now ? first->due - now : 0;
	clock_skip(step);
	list_each_entry(&running, struct world_timer, w, link)
		if (w->timer.world == here)
			clock_timer_start(&w->timer, w->due > now + step ? w->due - now - step : 0, fire, w);
	if (first) {
		clock_timer_stop(&first->timer);
		fire(&first->timer, first);
	}
	return step;
}

int world_pass(struct task *t, uint64_t ms, struct error *err)
{
	struct clock_world *here = clock_entered();
	uint64_t end = clock_now() + ms, now;
	int ret = 0;

	here->moving++;
	while (ret == 0 && (now = clock_now()) < end) {
		world_skip(end - now);
		ret = task_sleep(t, 0, err);
	}
	here->moving--;
	return ret;
}

bool world_is_passing(void)
{
	return clock_entered()->moving > 0;
}
