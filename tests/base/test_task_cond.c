#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/task_body.h"
#include "base/task_cond.h"

/* A task of a test: it waits as often as times says, or for units, and notes its name whenever a wait ends
 * well. */
struct sleeper {
	struct task *task;
	struct task_cond *cond;
	struct task_semaphore *semaphore;
	size_t units;
	uint64_t due_ms;
	unsigned times;
	struct trace trace;
};

static char order[64];

static void note(struct task *t)
{
	str_copy(order + strlen(order), sizeof(order) - strlen(order), task_name(t));
}

static void sleep_on(struct task *t, void *arg)
{
	struct sleeper *s = arg;
	struct error err = {0};
	int rc = 0;

	for (unsigned i = 0; i < s->times && rc == 0; i++) {
		rc = s->cond ? task_cond_wait_until(t, s->cond, s->due_ms, &err) :
			       task_semaphore_acquire_until(t, s->semaphore, s->units, s->due_ms, &err);
		if (rc == 0)
			note(t);
	}
	finish(&s->trace, rc, &err);
}

/* Starts a task that waits once, and lets it begin to. */
static void start(struct task *t, struct sleeper *s, const char *name)
{
	s->due_ms = s->due_ms ? s->due_ms : UINT64_MAX;
	s->times = s->times ? s->times : 1;
	s->task = task_start(NULL, name, sleep_on, s);
	rest(t, 1);
}

static void assert_order(struct task *t, const char *want)
{
	rest(t, 2);
	assert_string_equal(order, want);
	order[0] = '\0';
}

static void assert_cancelled(const struct sleeper *s)
{
	assert_true(s->trace.done);
	assert_int_equal(s->trace.rc, -1);
	assert_int_equal(s->trace.kind, ERROR_CANCELLED);
}

static void a_signal_wakes_the_one_that_has_waited_longest(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond}, b = a, c = a;

	(void)arg;
	task_cond_init(&cond);
	task_cond_signal(&cond);
	start(t, &a, "a");
	start(t, &b, "b");
	start(t, &c, "c");
	assert_order(t, "");
	task_cond_signal(&cond);
	assert_order(t, "a");
	/* Two signals before anybody has run are two. */
	task_cond_signal(&cond);
	task_cond_signal(&cond);
	assert_order(t, "bc");
	task_cond_clear(&cond);
}

static void a_broadcast_wakes_all_in_their_order(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond}, b = a, c = a;

	(void)arg;
	task_cond_init(&cond);
	start(t, &a, "a");
	start(t, &b, "b");
	start(t, &c, "c");
	task_cond_broadcast(&cond);
	assert_order(t, "abc");
	task_cond_clear(&cond);
}

static void a_broadcast_does_not_wake_who_waits_again(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond, .times = 3}, b = a;

	(void)arg;
	task_cond_init(&cond);
	start(t, &a, "a");
	start(t, &b, "b");
	task_cond_broadcast(&cond);
	assert_order(t, "ab");
	task_cond_broadcast(&cond);
	assert_order(t, "ab");
	/* Those who wait again wait behind the others. */
	task_cond_signal(&cond);
	assert_order(t, "a");
	assert_true(a.trace.done && !b.trace.done);
	task_cond_broadcast(&cond);
	assert_order(t, "b");
	task_cond_clear(&cond);
}

static void a_wake_from_elsewhere_ends_the_wait_and_takes_no_signal(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond}, b = a;

	(void)arg;
	task_cond_init(&cond);
	start(t, &a, "a");
	start(t, &b, "b");
	task_wake(a.task);
	assert_order(t, "a");
	task_cond_signal(&cond);
	assert_order(t, "b");
	task_cond_clear(&cond);
}

static void a_cancelled_task_leaves_the_queue(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond}, b = a;

	(void)arg;
	task_cond_init(&cond);
	start(t, &a, "a");
	start(t, &b, "b");
	task_cancel(a.task);
	assert_order(t, "");
	assert_cancelled(&a);
	task_cond_signal(&cond);
	assert_order(t, "b");
	task_cond_clear(&cond);
}

static void a_task_cancelled_after_its_signal_passes_it_on(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond}, b = a, c = a;

	(void)arg;
	task_cond_init(&cond);
	start(t, &a, "a");
	start(t, &b, "b");
	start(t, &c, "c");
	task_cond_signal(&cond);
	task_cancel(a.task);
	assert_order(t, "b");
	assert_cancelled(&a);
	/* And one cancelled before it passes on nothing. */
	task_cancel(c.task);
	task_cond_signal(&cond);
	assert_order(t, "");
	task_cond_clear(&cond);
}

static void a_condition_may_go_right_after_a_broadcast(struct task *t, void *arg)
{
	struct task_cond *cond = xmalloc(sizeof(*cond));
	struct sleeper a = {.cond = cond}, b = a;

	(void)arg;
	task_cond_init(cond);
	start(t, &a, "a");
	start(t, &b, "b");
	task_cond_signal(cond);
	task_cond_broadcast(cond);
	task_cancel(a.task);
	task_cond_clear(cond);
	free(cond);
	assert_order(t, "b");
	assert_cancelled(&a);
}

static void a_wait_ends_at_its_deadline(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper late = {.cond = &cond}, in_time, for_ever, at_once;

	(void)arg;
	clock_fake(0, 1);
	task_cond_init(&cond);
	late.due_ms = clock_now() + 100;
	in_time = at_once = late;
	for_ever = (struct sleeper){.cond = &cond};
	start(t, &late, "late ");
	start(t, &in_time, "in_time ");
	start(t, &for_ever, "for_ever ");
	clock_advance(99);
	assert_order(t, "");
	task_cancel(late.task);
	rest(t, 1);
	assert_cancelled(&late);
	/* Signalled before the deadline, and it runs after it. */
	task_cond_signal(&cond);
	clock_advance(1);
	assert_order(t, "in_time ");
	start(t, &at_once, "at_once ");
	assert_true(at_once.trace.done);
	assert_int_equal(at_once.trace.rc, 1);
	late = (struct sleeper){.cond = &cond, .due_ms = clock_now() + 100};
	start(t, &late, "late ");
	clock_advance(100);
	assert_order(t, "");
	assert_int_equal(late.trace.rc, 1);
	/* It left the queue. */
	task_cond_signal(&cond);
	assert_order(t, "for_ever ");
	task_cond_clear(&cond);
}

static void units_are_granted_in_the_order_of_asking(struct task *t, void *arg)
{
	struct task_semaphore s;
	struct sleeper a = {.semaphore = &s, .units = 2}, b = a, c = a, d = a;

	(void)arg;
	task_semaphore_init(&s, 3);
	b.units = 3;
	c.units = d.units = 1;
	start(t, &a, "a");
	start(t, &b, "b");
	/* There is one left, but b is first. */
	start(t, &c, "c");
	start(t, &d, "d");
	assert_order(t, "a");
	task_semaphore_release(&s, 2);
	assert_order(t, "b");
	task_semaphore_release(&s, 3);
	assert_order(t, "cd");
	assert_int_equal(s.available, 1);
	task_semaphore_clear(&s);
}

static void nobody_overtakes_a_task_that_was_granted_units(struct task *t, void *arg)
{
	struct task_semaphore s;
	struct sleeper a = {.semaphore = &s, .units = 1};

	(void)arg;
	task_semaphore_init(&s, 0);
	start(t, &a, "a");
	task_semaphore_release(&s, 1);
	assert_int_equal(s.available, 0);
	task_cancel(task_current());
	assert_int_equal(task_semaphore_acquire(t, &s, 1, NULL), -1);
	/* What can be had at once is had, cancelled or not. */
	assert_int_equal(task_semaphore_acquire(t, &s, 0, NULL), 0);
	task_shield(t);
	assert_order(t, "a");
	task_semaphore_release(&s, 1);
	assert_int_equal(task_semaphore_acquire(t, &s, 1, NULL), 0);
	task_unshield(t);
	task_semaphore_clear(&s);
}

static void cancelling_who_asks_for_much_lets_the_next_pass(struct task *t, void *arg)
{
	struct task_semaphore s;
	struct sleeper a = {.semaphore = &s, .units = 2}, b = a;

	(void)arg;
	task_semaphore_init(&s, 1);
	b.units = 1;
	start(t, &a, "a");
	start(t, &b, "b");
	assert_order(t, "");
	task_cancel(a.task);
	assert_order(t, "b");
	assert_cancelled(&a);
	assert_int_equal(s.available, 0);
	task_semaphore_clear(&s);
}

static void a_task_cancelled_after_its_grant_gives_the_units_back(struct task *t, void *arg)
{
	struct task_semaphore s;
	struct sleeper a = {.semaphore = &s, .units = 1}, b = a;

	(void)arg;
	task_semaphore_init(&s, 0);
	start(t, &a, "a");
	start(t, &b, "b");
	task_semaphore_release(&s, 1);
	task_cancel(a.task);
	assert_order(t, "b");
	assert_cancelled(&a);
	assert_int_equal(s.available, 0);
	task_semaphore_clear(&s);
}

static void asking_for_units_ends_at_its_deadline(struct task *t, void *arg)
{
	struct task_semaphore s;
	struct sleeper a = {.semaphore = &s, .units = 2}, b = a;

	(void)arg;
	clock_fake(0, 1);
	task_semaphore_init(&s, 1);
	a.due_ms = b.due_ms = clock_now() + 100;
	b.units = 1;
	start(t, &a, "a");
	start(t, &b, "b");
	/* A wake from elsewhere grants nothing. */
	task_wake(a.task);
	assert_order(t, "");
	clock_advance(100);
	assert_order(t, "");
	assert_int_equal(a.trace.rc, 1);
	assert_int_equal(b.trace.rc, 1);
	assert_int_equal(s.available, 1);
	task_semaphore_clear(&s);
}

static void clear_a_condition_in_use(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond};

	(void)arg;
	task_cond_init(&cond);
	start(t, &a, "a");
	task_cond_clear(&cond);
}

static void clear_a_condition_that_was_signalled(struct task *t, void *arg)
{
	struct task_cond cond;
	struct sleeper a = {.cond = &cond};

	(void)arg;
	task_cond_init(&cond);
	start(t, &a, "a");
	task_cond_signal(&cond);
	task_cond_clear(&cond);
}

static void clear_a_semaphore_in_use(struct task *t, void *arg)
{
	struct task_semaphore s;
	struct sleeper a = {.semaphore = &s, .units = 1};

	(void)arg;
	task_semaphore_init(&s, 0);
	start(t, &a, "a");
	task_semaphore_clear(&s);
}

static void clearing_what_somebody_waits_for_aborts(void **state)
{
	static task_fn *const bodies[] = {
	    clear_a_condition_in_use, clear_a_condition_that_was_signalled, clear_a_semaphore_in_use};
	char out[4096];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		int status = run_child(bodies[i], out, sizeof(out));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
		assert_non_null(strstr(out, "_clear: Assertion"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TASK(a_signal_wakes_the_one_that_has_waited_longest),
	    IN_TASK(a_broadcast_wakes_all_in_their_order),
	    IN_TASK(a_broadcast_does_not_wake_who_waits_again),
	    IN_TASK(a_wake_from_elsewhere_ends_the_wait_and_takes_no_signal),
	    IN_TASK(a_cancelled_task_leaves_the_queue),
	    IN_TASK(a_task_cancelled_after_its_signal_passes_it_on),
	    IN_TASK(a_condition_may_go_right_after_a_broadcast),
	    IN_TASK(a_wait_ends_at_its_deadline),
	    IN_TASK(units_are_granted_in_the_order_of_asking),
	    IN_TASK(nobody_overtakes_a_task_that_was_granted_units),
	    IN_TASK(cancelling_who_asks_for_much_lets_the_next_pass),
	    IN_TASK(a_task_cancelled_after_its_grant_gives_the_units_back),
	    IN_TASK(asking_for_units_ends_at_its_deadline),
	    cmocka_unit_test(clearing_what_somebody_waits_for_aborts),
	};

	return cmocka_run_group_tests_name("task_cond", tests, NULL, NULL);
}
