#ifndef BASE_TASK_COND_H
#define BASE_TASK_COND_H
/*
 * What tasks wait for: a condition that others change, or a share of something scarce. On the loop's thread
 * alone. Nothing is allocated: a waiting task is linked from its own stack. Both structs are embedded in what
 * they guard, whose owner initialises and clears them.
 *
 * A wait returns at once when the task is cancelled (-1, ERROR_CANCELLED); the task has then left the queue.
 * Only the calls that take a struct task * may suspend.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct error;
struct task;

/* Tasks that wait until a condition holds:
 *	while (!ready && rc == 0)
 *		rc = task_cond_wait(t, &cond, err);
 * and whoever sets ready signals or broadcasts. The condition is read again after every wait: it may have
 * changed back, and task_wake ends a wait as well. */
struct task_cond {
	struct list waiting;   /* first come, first signalled */
	struct list signalled; /* and have not run since */
};

#define TASK_COND_INIT(name)                                           \
	{                                                              \
		LIST_INIT((name).waiting), LIST_INIT((name).signalled) \
	}
void task_cond_init(struct task_cond *c);
/* Asserts that nobody waits, and that nobody is about to return from a signal. After a broadcast it may be
 * called at once: a task that a broadcast woke does not touch c again. */
void task_cond_clear(struct task_cond *c);
/* 0: look at the condition again. -1: cancelled; a signal that had come is passed on to the next. */
int task_cond_wait(struct task *t, struct task_cond *c, struct error *err);
/* The same, and 1 when clock_now() (milliseconds) has reached due_ms, at once if it had. A task that was
 * signalled in time returns 0. UINT64_MAX: no limit. */
int task_cond_wait_until(struct task *t, struct task_cond *c, uint64_t due_ms, struct error *err);
/* Wakes the task that has waited longest; nothing happens when nobody waits. */
void task_cond_signal(struct task_cond *c);
/* Wakes every task that waits now, but none that begins to wait after this call. */
void task_cond_broadcast(struct task_cond *c);

/* A number of units, handed out in the order of asking: nobody overtakes a task that waits for more units. */
struct task_semaphore {
	size_t available;
	struct list waiting;
	struct list granted; /* have their units, and have not run since */
};

#define TASK_SEMAPHORE_INIT(name, units)                                      \
	{                                                                     \
		(units), LIST_INIT((name).waiting), LIST_INIT((name).granted) \
	}
void task_semaphore_init(struct task_semaphore *s, size_t units);
/* Asserts that nobody waits. */
void task_semaphore_clear(struct task_semaphore *s);
/* Takes units of s, which the caller gives back with task_semaphore_release. Does not suspend, nor fail, when
 * they can be had at once. -1: cancelled, and holds none. Asking for more than there are in all waits for
 * ever. */
int task_semaphore_acquire(struct task *t, struct task_semaphore *s, size_t units, struct error *err);
/* The same, and 1, holding none, when clock_now() (milliseconds) has reached due_ms. UINT64_MAX: no limit. */
int task_semaphore_acquire_until(
    struct task *t, struct task_semaphore *s, size_t units, uint64_t due_ms, struct error *err);
/* Gives units back, to those that wait first. Any task, or none, may call it. */
void task_semaphore_release(struct task_semaphore *s, size_t units);

#endif
