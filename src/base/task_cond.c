#include "base/task_cond.h"

#include <assert.h>
#include <stdbool.h>

#include "base/task.h"

/* On the stack of the waiting task. */
struct waiter {
	struct list link;
	struct task *task;
	size_t units; /* of a semaphore */
	bool called;  /* signalled, or granted its units */
};

static struct waiter *first_waiter(struct list *waiting)
{
	struct list *first = list_first(waiting);

	return first ? list_entry(first, struct waiter, link) : NULL;
}

/* The waiter stays in called until it has run, so that it can pass its signal or units on if it is
 * cancelled. */
static void call(struct waiter *w, struct list *called)
{
	list_remove(&w->link);
	list_append(called, &w->link);
	w->called = true;
	task_wake(w->task);
}

void task_cond_init(struct task_cond *c)
{
	list_init(&c->waiting);
	list_init(&c->signalled);
}

void task_cond_clear(struct task_cond *c)
{
	assert(list_is_empty(&c->waiting) && list_is_empty(&c->signalled));
}

int task_cond_wait(struct task *t, struct task_cond *c, struct error *err)
{
	return task_cond_wait_until(t, c, UINT64_MAX, err);
}

int task_cond_wait_until(struct task *t, struct task_cond *c, uint64_t due_ms, struct error *err)
{
	struct waiter w = {.task = t};

	list_append(&c->waiting, &w.link);
	int rc = task_wait_until(t, due_ms, err);
	list_remove(&w.link);
	if (rc != 0 && w.called)
		task_cond_signal(c);
	return rc;
}

void task_cond_signal(struct task_cond *c)
{
	struct waiter *w = first_waiter(&c->waiting);

	if (w)
		call(w, &c->signalled);
}

void task_cond_broadcast(struct task_cond *c)
{
	struct waiter *w;

	while ((w = first_waiter(&c->waiting))) {
		list_remove(&w->link);
		task_wake(w->task);
	}
	/* No task is left to pass them on. */
	while ((w = first_waiter(&c->signalled))) {
		list_remove(&w->link);
		w->called = false;
	}
}

void task_semaphore_init(struct task_semaphore *s, size_t units)
{
	s->available = units;
	list_init(&s->waiting);
	list_init(&s->granted);
}

void task_semaphore_clear(struct task_semaphore *s)
{
	assert(list_is_empty(&s->waiting) && list_is_empty(&s->granted));
}

static void grant(struct task_semaphore *s)
{
	struct waiter *w;

	while ((w = first_waiter(&s->waiting)) && w->units <= s->available) {
		s->available -= w->units;
		call(w, &s->granted);
	}
}

int task_semaphore_acquire(struct task *t, struct task_semaphore *s, size_t units, struct error *err)
{
	return task_semaphore_acquire_until(t, s, units, UINT64_MAX, err);
}

int task_semaphore_acquire_until(
    struct task *t, struct task_semaphore *s, size_t units, uint64_t due_ms, struct error *err)
{
	struct waiter w = {.task = t, .units = units};
	int rc = 0;

	if (list_is_empty(&s->waiting) && units <= s->available) {
		s->available -= units;
		return 0;
	}
	list_append(&s->waiting, &w.link);
	while (!w.called && rc == 0)
		rc = task_wait_until(t, due_ms, err);
	list_remove(&w.link);
	/* Tasks after it may need less. */
	if (rc != 0)
		task_semaphore_release(s, w.called ? units : 0);
	return rc;
}

void task_semaphore_release(struct task_semaphore *s, size_t units)
{
	s->available += units;
	grant(s);
}
