#include "base/task.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/time/clock_skip.h"
#include "base/coroutine.h"
#include "base/error.h"
#include "base/mem.h"

/* Maximum tasks to run before I/O is polled. */
#define BATCH 128

enum task_state { TASK_READY, TASK_RUNNING, TASK_WAITING };

struct task {
	struct coroutine coroutine;
	struct list ready;  /* in ready_tasks while TASK_READY */
	struct list member; /* in group->tasks */
	struct list all;    /* in all_tasks */
	struct task_group *group;
	task_fn *fn;
	void *arg;
	enum task_state state;
	unsigned shields;
	bool cancelled;
	bool woken;        /* and no task_wait has returned for it yet */
	const char *waits; /* what it waits for, while TASK_WAITING */
	uint64_t since_ms; /* clock_machine() */
	struct clock_world *world;
};

static struct list ready_tasks = LIST_INIT(ready_tasks);
static struct list all_tasks = LIST_INIT(all_tasks);
static size_t ready_count, count;
static struct task *current;
/* Active while a task is ready, so that the loop does not block. */
static uv_idle_t idle;

static void task_end(struct task *t);

static void task_resume(struct task *t)
{
	struct clock_world *was = clock_enter(t->world);
	bool alive;

	list_remove(&t->ready);
	ready_count--;
	t->state = TASK_RUNNING;
	current = t;
	alive = coroutine_enter(&t->coroutine);
	current = NULL;
	t->world = clock_enter(was);
	if (!alive)
		task_end(t);
}

static void on_idle(uv_idle_t *handle)
{
	/* Tasks that become ready meanwhile run after the next poll for I/O. */
	size_t batch = ready_count < BATCH ? ready_count : BATCH;

	while (batch-- > 0)
		task_resume(list_entry(list_first(&ready_tasks), struct task, ready));
	if (ready_count == 0)
		uv_idle_stop(handle);
}

static void make_ready(struct task *t)
{
	if (!idle.loop)
		uv_idle_init(uv_default_loop(), &idle);
	t->state = TASK_READY;
	list_append(&ready_tasks, &t->ready);
	if (ready_count++ == 0)
		uv_idle_start(&idle, on_idle);
}

static void end_wait(struct task *t)
{
	if (t->state == TASK_WAITING)
		make_ready(t);
}

static void task_main(void *arg)
{
	struct task *t = arg;

	t->fn(t, t->arg);
}

struct task *task_start(struct task_group *group, const char *name, task_fn *fn, void *arg)
{
	struct task *t = xcalloc(1, sizeof(*t));

	coroutine_init(&t->coroutine, name, task_main, t);
	list_init(&t->member);
	list_append(&all_tasks, &t->all);
	t->group = group;
	t->fn = fn;
	t->arg = arg;
	t->world = clock_entered();
	if (group) {
		list_append(&group->tasks, &t->member);
		t->cancelled = group->finishing;
	}
	count++;
	make_ready(t);
	return t;
}

static void task_end(struct task *t)
{
	struct task_group *group = t->group;

	assert(t->shields == 0);
	list_remove(&t->member);
	list_remove(&t->all);
	if (group && group->waiter && list_is_empty(&group->tasks))
		end_wait(group->waiter);
	count--;
	free(t);
}

int task_check(const struct task *t, struct error *err)
{
	return t->cancelled && t->shields == 0 ? error_cancelled(err) : 0;
}

/* Suspends until end_wait; a cancel ends it, too. The caller checks woken. */
static int task_suspend(struct task *t, const char *waits, struct error *err)
{
	assert(t == current);
	if (task_check(t, err) < 0)
		return -1;
	t->state = TASK_WAITING;
	t->waits = waits;
	t->since_ms = clock_machine();
	coroutine_leave(&t->coroutine);
	return task_check(t, err);
}

int task_wait(struct task *t, struct error *err)
{
	if (task_check(t, err) < 0)
		return -1;
	if (!t->woken && task_suspend(t, "to be woken", err) < 0)
		return -1;
	t->woken = false;
	return 0;
}

void task_each(void (*fn)(void *arg, const char *name, const char *waits, uint64_t ms), void *arg)
{
	uint64_t now = clock_machine();

	list_each(&all_tasks, it, next) {
		const struct task *t = list_entry(it, struct task, all);
		bool waits = t->state == TASK_WAITING;
		fn(arg, task_name(t), waits ? t->waits : NULL, waits ? now - t->since_ms : 0);
	}
}

void task_wake(struct task *t)
{
	t->woken = true;
	end_wait(t);
}

static void on_timer(struct clock_timer *timer, void *arg)
{
	(void)timer;
	end_wait(arg);
}

int task_sleep(struct task *t, uint64_t ms, struct error *err)
{
	struct clock_timer timer = {0};
	int rc = 0;

	clock_timer_start(&timer, ms, on_timer, t);
	while (rc == 0 && clock_timer_running(&timer))
		rc = task_suspend(t, "for a time", err);
	clock_timer_stop(&timer);
	return rc;
}

int task_sleep_until(struct task *t, uint64_t due_ms, struct error *err)
{
	uint64_t now = clock_now();

	return task_sleep(t, due_ms > now ? due_ms - now : 0, err);
}

int task_wait_until(struct task *t, uint64_t due_ms, struct error *err)
{
	struct clock_timer timer = {0};
	uint64_t now = clock_now();
	int rc = task_check(t, err);

	if (due_ms == UINT64_MAX)
		return task_wait(t, err);
	if (due_ms > now)
		clock_timer_start(&timer, due_ms - now, on_timer, t);
	while (rc == 0 && !t->woken && clock_timer_running(&timer))
		rc = task_suspend(t, "to be woken, or for a time", err);
	clock_timer_stop(&timer);
	if (rc < 0)
		return -1;
	if (!t->woken)
		return 1;
	t->woken = false;
	return 0;
}

int task_yield(struct task *t, struct error *err)
{
	assert(t == current);
	if (task_check(t, err) < 0)
		return -1;
	make_ready(t);
	coroutine_leave(&t->coroutine);
	return task_check(t, err);
}

void task_cancel(struct task *t)
{
	if (t->cancelled)
		return;
	t->cancelled = true;
	if (t->shields == 0)
		end_wait(t);
}

bool task_is_cancelled(const struct task *t)
{
	return t->cancelled;
}

void task_shield(struct task *t)
{
	t->shields++;
}

void task_unshield(struct task *t)
{
	assert(t->shields > 0);
	t->shields--;
}

void task_group_init(struct task_group *group)
{
	list_init(&group->tasks);
	group->waiter = NULL;
	group->finishing = false;
}

int task_group_wait(struct task *t, struct task_group *group, struct error *err)
{
	int rc = 0;

	assert(!group->waiter && t->group != group);
	group->waiter = t;
	while (rc == 0 && !list_is_empty(&group->tasks))
		rc = task_suspend(t, "for its tasks", err);
	group->waiter = NULL;
	return rc;
}

void task_group_cancel(struct task_group *group)
{
	list_each(&group->tasks, it, next)
		task_cancel(list_entry(it, struct task, member));
}

void task_group_finish(struct task *t, struct task_group *group)
{
	group->finishing = true;
	task_group_cancel(group);
	task_shield(t);
	task_group_wait(t, group, NULL);
	task_unshield(t);
	group->finishing = false;
}

bool task_group_is_empty(const struct task_group *group)
{
	return list_is_empty(&group->tasks);
}

size_t task_group_count(struct task_group *group)
{
	size_t n = 0;

	list_each(&group->tasks, it, tmp)
		n++;
	return n;
}

const char *task_name(const struct task *t)
{
	return t->coroutine.name;
}

struct task *task_current(void)
{
	return current;
}

size_t task_count(void)
{
	return count;
}

struct run {
	task_fn *fn;
	void *arg;
	bool done;
};

static void run_and_stop(struct task *t, void *arg)
{
	struct run *run = arg;

	run->fn(t, run->arg);
	run->done = true;
	uv_stop(uv_default_loop());
}

void task_run(const char *name, task_fn *fn, void *arg)
{
	struct run run = {.fn = fn, .arg = arg};

	assert(!current);
	task_start(NULL, name, run_and_stop, &run);
	while (!run.done) {
		if (uv_run(uv_default_loop(), UV_RUN_DEFAULT) == 0 && !run.done) {
			fprintf(
			    stderr, "myna: task %s waits, and nothing is left that could wake it\n", name);
			abort();
		}
	}
}

void task_catch_overflow(void)
{
	coroutine_catch_overflow();
}
