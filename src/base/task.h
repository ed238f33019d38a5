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

/* Owns running tasks, so that they can be cancelled and awaited together. */
struct task_group {
	struct list tasks;
	struct task *waiter;
	bool finishing;
};

void task_group_init(struct task_group *group);
/* Waits until every task of the group has ended. Returns -1 when cancelled meanwhile. Only one task may
 * wait for a group, and none of its own. */
int task_group_wait(struct task *t, struct task_group *group, struct error *err);
void task_group_cancel(struct task_group *group);
/* Cancels all tasks, also those that start meanwhile, and waits for their end even when t is cancelled. The
 * group can be used again. */
void task_group_finish(struct task *t, struct task_group *group);
bool task_group_is_empty(const struct task_group *group);
size_t task_group_count(struct task_group *group);

/* Schedules fn(task, arg) on the loop; it never runs inside this call. The task frees itself when fn
 * returns; the pointer is valid until then. group may be NULL. name is borrowed and must outlive the task
 * (a literal). */
struct task *task_start(struct task_group *group, const char *name, task_fn *fn, void *arg);

/* Suspends until task_wake. May return early: call it in a loop on your condition. Returns -1
 * (ERROR_CANCELLED) when the task is cancelled and not shielded. */
int task_wait(struct task *t, struct error *err);
/* Resumes a task in task_wait soon. A wake that arrives while it runs, sleeps or waits for a group is not
 * lost: its next task_wait returns at once. */
void task_wake(struct task *t);
/* Suspends for ms milliseconds, regardless of wakes. */
int task_sleep(struct task *t, uint64_t ms, struct error *err);
/* The same until clock_now() has reached due_ms: it may have already. */
int task_sleep_until(struct task *t, uint64_t due_ms, struct error *err);
/* task_wait with a time limit: returns 1 when clock_now() has reached due_ms (at once if it already had), 0
 * when woken, -1 when cancelled. UINT64_MAX: no limit. */
int task_wait_until(struct task *t, uint64_t due_ms, struct error *err);
/* Lets the loop run other work, including I/O. */
int task_yield(struct task *t, struct error *err);

/* Returns -1 (ERROR_CANCELLED) when a wait would fail because of a cancel. Does not suspend. */
int task_check(const struct task *t, struct error *err);

/* Makes every further wait of the task fail with ERROR_CANCELLED, so that it unwinds through its ordinary
 * clean-up. A second cancel has no effect. */
void task_cancel(struct task *t);
bool task_is_cancelled(const struct task *t);
/* Inside a shield a cancelled task can still wait, for clean-up that must be recorded. Shields nest. */
void task_shield(struct task *t);
void task_unshield(struct task *t);

const char *task_name(const struct task *t);
/* The running task, NULL on the loop itself. */
struct task *task_current(void);
/* Calls fn for each task in order of start, with what it waits for and for how long; waits is NULL for one
 * that runs or is about to run. */
void task_each(void (*fn)(void *arg, const char *name, const char *waits, uint64_t ms), void *arg);
/* The number of tasks. */
size_t task_count(void);
/* Installs the handler that reports a stack overflow as a sentence, for the loop's thread; once, at
 * startup. Other faults keep their handling. */
void task_catch_overflow(void);

/* For tests and tools without a loop of their own: runs the loop until fn has returned. Aborts with a
 * sentence when the task waits and the loop has nothing left to do. */
void task_run(const char *name, task_fn *fn, void *arg);

#endif
