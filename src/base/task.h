#ifndef BASE_TASK_H
#define BASE_TASK_H
/*
 * Tasks: straight-line code on the one loop (uv_default_loop). A task is a stackful
 * coroutine; it runs until it waits, and nothing else of the loop's thread runs
 * meanwhile, so that no lock is needed.
 *
 * The rule: a function that may suspend takes struct task * as its first parameter.
 * A function that does not take one never suspends.
 *
 * Stacks are TASK_STACK bytes with a guard below; running into it ends the process with a
 * sentence that names the task. Pages are touched only as they are used: a waiting task costs
 * 5 KiB and more, as deep as it is, so that there can be thousands.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct error;
struct task;
typedef void task_fn(struct task *t, void *arg);

#define TASK_STACK (256 * 1024)

/* Owns running tasks, so that they can be cancelled and waited for together. */
struct task_group {
	struct list tasks;
	struct task *waiter;
	bool finishing;
};

void task_group_init(struct task_group *group);
/* Waits until every task of the group has ended. Cancelled while waiting: -1.
 * One task waits for a group at a time, and none of its own. */
int task_group_wait(struct task *t, struct task_group *group, struct error *err);
void task_group_cancel(struct task_group *group);
/* Cancels all, also those that start meanwhile, and waits until they are gone, whatever
 * happens to t. The group can be used again. */
void task_group_finish(struct task *t, struct task_group *group);
bool task_group_is_empty(const struct task_group *group);

/* Starts fn(task, arg) from the loop, soon, never inside this call. The task frees
 * itself when fn returns; the pointer is good until then. group may be NULL.
 * name is borrowed and must outlive the task (a literal). */
struct task *task_start(struct task_group *group, const char *name, task_fn *fn, void *arg);

/* Suspends until task_wake. May also return early: call it in a loop on your condition.
 * -1 (ERROR_CANCELLED) when the task is cancelled and not shielded. */
int task_wait(struct task *t, struct error *err);
/* Makes a task in task_wait run again soon. A wake that comes while it runs, sleeps or
 * waits for a group is not lost: its next task_wait returns at once. */
void task_wake(struct task *t);
/* Waits ms milliseconds, whatever wakes it. */
int task_sleep(struct task *t, uint64_t ms, struct error *err);
/* task_wait with a limit: 1 when clock_now() has reached due_ms (at once if it had), 0 woken,
 * -1 cancelled. UINT64_MAX: no limit. */
int task_wait_until(struct task *t, uint64_t due_ms, struct error *err);
/* Lets other work of the loop run, I/O as well. */
int task_yield(struct task *t, struct error *err);

/* -1 (ERROR_CANCELLED) when a wait would fail for a cancel. Does not suspend. */
int task_check(const struct task *t, struct error *err);

/* From now on every wait of the task fails with ERROR_CANCELLED, so that it unwinds
 * through its ordinary clean-up. A second cancel changes nothing. */
void task_cancel(struct task *t);
bool task_is_cancelled(const struct task *t);
/* Inside a shield a cancelled task can still wait: for clean-up that must be written down.
 * Shields nest. */
void task_shield(struct task *t);
void task_unshield(struct task *t);

const char *task_name(const struct task *t);
/* The task that is running now, NULL on the loop itself. */
struct task *task_current(void);
/* Each task, in the order of their start: what it waits for and since when; waits is NULL for one that runs
 * or is about to. */
void task_each(void (*fn)(void *arg, const char *name, const char *waits, uint64_t ms), void *arg);
/* How many tasks exist. */
size_t task_count(void);
/* Installs the handler that turns a hit guard into a sentence, for the thread of the loop;
 * once, at start. Other faults do what they did before. */
void task_catch_overflow(void);

/* Tests and tools without a loop of their own: runs the loop until fn has returned. Aborts
 * with a sentence when the task waits and the loop has nothing left to do. */
void task_run(const char *name, task_fn *fn, void *arg);

#endif
