#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_body.h"

static void wait_once(struct task *t, void *arg)
{
	struct error err = {0};
	int rc = task_wait(t, &err);

	finish(arg, rc, &err);
}

static void yield_for_ever(struct task *t, void *arg)
{
	struct trace *trace = arg;
	struct error err = {0};

	while (task_yield(t, &err) == 0)
		trace->steps++;
	finish(trace, -1, &err);
}

static char order[32];

static void write_name(struct task *t, void *arg)
{
	(void)arg;
	assert_ptr_equal(task_current(), t);
	str_copy(order + strlen(order), sizeof(order) - strlen(order), task_name(t));
}

static void a_task_starts_from_the_loop_in_the_order_of_the_calls(struct task *t, void *arg)
{
	(void)arg;
	order[0] = '\0';
	task_start(NULL, "a", write_name, NULL);
	task_start(NULL, "b", write_name, NULL);
	task_start(NULL, "c", write_name, NULL);
	assert_string_equal(order, "");
	assert_int_equal(task_count(), 4);
	assert_ptr_equal(task_current(), t);
	rest(t, 1);
	assert_string_equal(order, "abc");
	assert_int_equal(task_count(), 1);
	assert_ptr_equal(task_current(), t);
}

static void a_wake_before_the_wait_is_not_lost(struct task *t, void *arg)
{
	struct error err = {0};

	(void)arg;
	task_wake(t);
	task_wake(t);
	assert_int_equal(task_wait(t, &err), 0);
	/* Both wakes were one: now there is none left. */
	assert_int_equal(task_wait_until(t, clock_now() + 5, &err), 1);
}

static void a_wake_before_the_start_is_not_lost(struct task *t, void *arg)
{
	struct trace trace = {0};

	(void)arg;
	task_wake(task_start(NULL, "early", wait_once, &trace));
	rest(t, 1);
	assert_true(trace.done);
	assert_int_equal(trace.rc, 0);
}

static void a_waiting_task_runs_again_when_woken(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task *other = task_start(NULL, "other", wait_once, &trace);

	(void)arg;
	rest(t, 5);
	assert_false(trace.done);
	task_wake(other);
	assert_false(trace.done);
	rest(t, 1);
	assert_true(trace.done);
	assert_int_equal(trace.rc, 0);
}

static void wake_after_3_ms(struct task *t, void *arg)
{
	assert_int_equal(task_sleep(t, 3, NULL), 0);
	task_wake(arg);
}

static void a_sleep_lasts_though_woken_and_keeps_the_wake(struct task *t, void *arg)
{
	uint64_t begin = clock_now();

	(void)arg;
	task_start(NULL, "waker", wake_after_3_ms, t);
	assert_int_equal(task_sleep(t, 20, NULL), 0);
	assert_in_range(clock_now() - begin, 20, 2000);
	assert_int_equal(task_wait(t, NULL), 0);
	begin = clock_now();
	assert_int_equal(task_sleep_until(t, begin + 20, NULL), 0);
	assert_in_range(clock_now() - begin, 20, 2000);
	/* The time may come between a look at the clock and the call. */
	assert_int_equal(task_sleep_until(t, begin, NULL), 0);
	assert_in_range(clock_now() - begin, 20, 4000);
}

static void wait_until_says_whether_time_or_a_wake_ended_it(struct task *t, void *arg)
{
	uint64_t begin = clock_now();

	(void)arg;
	assert_int_equal(task_wait_until(t, begin + 10, NULL), 1);
	assert_true(clock_now() >= begin + 10);
	assert_int_equal(task_wait_until(t, begin, NULL), 1);
	task_wake(t);
	assert_int_equal(task_wait_until(t, begin, NULL), 0);
	task_start(NULL, "waker", wake_after_3_ms, t);
	assert_int_equal(task_wait_until(t, clock_now() + 3600000, NULL), 0);
	task_cancel(t);
	assert_int_equal(task_wait_until(t, begin, NULL), -1);
	assert_int_equal(task_wait_until(t, clock_now() + 3600000, NULL), -1);
}

static void cancel_and_expect_the_end(struct task *t, task_fn *fn)
{
	struct trace trace = {0};
	struct task *other = task_start(NULL, "other", fn, &trace);

	rest(t, 3);
	assert_false(trace.done);
	task_cancel(other);
	task_cancel(other);
	assert_true(task_is_cancelled(other));
	rest(t, 1);
	assert_true(trace.done);
	assert_int_equal(trace.rc, -1);
	assert_int_equal(trace.kind, ERROR_CANCELLED);
}

static void wait_until_an_hour_has_passed(struct task *t, void *arg)
{
	struct error err = {0};
	int rc = task_wait_until(t, clock_now() + 3600000, &err);

	finish(arg, rc, &err);
}

static void a_cancel_ends_every_kind_of_wait(struct task *t, void *arg)
{
	(void)arg;
	cancel_and_expect_the_end(t, wait_once);
	cancel_and_expect_the_end(t, sleep_an_hour);
	cancel_and_expect_the_end(t, wait_until_an_hour_has_passed);
	cancel_and_expect_the_end(t, yield_for_ever);
}

static void a_task_cancelled_before_its_start_runs_and_cannot_wait(struct task *t, void *arg)
{
	struct trace trace = {0};

	(void)arg;
	task_cancel(task_start(NULL, "early", sleep_an_hour, &trace));
	rest(t, 1);
	assert_true(trace.done);
	assert_int_equal(trace.kind, ERROR_CANCELLED);
}

static void a_cancel_wins_over_a_wake(struct task *t, void *arg)
{
	struct error err = {0};

	(void)arg;
	task_wake(t);
	task_cancel(t);
	assert_int_equal(task_check(t, &err), -1);
	assert_int_equal(task_wait(t, &err), -1);
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_int_equal(task_yield(t, NULL), -1);
}

static void sleep_under_two_shields(struct task *t, void *arg)
{
	struct trace *trace = arg;
	struct error err = {0};
	int rc;

	task_shield(t);
	task_shield(t);
	assert_int_equal(task_sleep(t, 20, &err), 0);
	assert_true(task_is_cancelled(t));
	task_unshield(t);
	assert_int_equal(task_check(t, &err), 0);
	assert_int_equal(task_yield(t, &err), 0);
	trace->steps = 1;
	task_unshield(t);
	rc = task_sleep(t, 3600000, &err);
	finish(trace, rc, &err);
}

static void inside_a_shield_a_cancelled_task_can_wait(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task_group group;
	uint64_t begin = clock_now();

	(void)arg;
	task_group_init(&group);
	task_start(&group, "shielded", sleep_under_two_shields, &trace);
	rest(t, 2);
	task_group_cancel(&group);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(trace.steps, 1);
	assert_int_equal(trace.kind, ERROR_CANCELLED);
	assert_in_range(trace.ended - begin, 20, 2000);
}

static void wait_once_under_a_shield(struct task *t, void *arg)
{
	task_shield(t);
	wait_once(t, arg);
	task_unshield(t);
}

static void a_cancel_does_not_disturb_a_shielded_wait(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task *other = task_start(NULL, "shielded", wait_once_under_a_shield, &trace);

	(void)arg;
	rest(t, 2);
	task_cancel(other);
	rest(t, 2);
	assert_false(trace.done);
	task_wake(other);
	rest(t, 1);
	assert_true(trace.done);
	assert_int_equal(trace.rc, 0);
}

static void sleep_shortly(struct task *t, void *arg)
{
	struct error err = {0};
	int rc = task_sleep(t, 5, &err);

	finish(arg, rc, &err);
}

static void a_group_waits_for_all_of_its_tasks(struct task *t, void *arg)
{
	struct trace traces[20] = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	assert_true(task_group_is_empty(&group));
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(traces); i++)
		task_start(&group, "short", sleep_shortly, &traces[i]);
	assert_false(task_group_is_empty(&group));
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_true(task_group_is_empty(&group));
	for (size_t i = 0; i < ARRAY_LEN(traces); i++)
		assert_true(traces[i].done && traces[i].rc == 0);
}

static void wait_for_group(struct task *t, void *arg)
{
	struct task_group *group = arg;
	struct error err = {0};

	assert_int_equal(task_group_wait(t, group, &err), -1);
	assert_int_equal(err.kind, ERROR_CANCELLED);
}

static void a_cancel_ends_the_wait_for_a_group_but_not_its_tasks(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task_group group;
	struct task *waiter;

	(void)arg;
	task_group_init(&group);
	task_start(&group, "member", sleep_an_hour, &trace);
	waiter = task_start(NULL, "waiter", wait_for_group, &group);
	rest(t, 2);
	task_cancel(waiter);
	rest(t, 2);
	assert_int_equal(task_count(), 2);
	assert_false(trace.done);
	task_group_finish(t, &group);
	assert_true(trace.done);
}

/* A tree of tasks: each starts two below it and finishes them when it is cancelled. */
struct branch {
	unsigned depth;
	unsigned *ended;
};

static void grow(struct task *t, void *arg)
{
	struct branch *branch = arg;
	struct branch below = {.depth = branch->depth - 1, .ended = branch->ended};
	struct task_group group;

	task_group_init(&group);
	for (int i = 0; branch->depth > 0 && i < 2; i++)
		task_start(&group, "branch", grow, &below);
	assert_int_equal(task_sleep(t, 3600000, NULL), -1);
	task_group_finish(t, &group);
	++*branch->ended;
}

static void cancelling_the_root_of_nested_groups_ends_the_whole_tree(struct task *t, void *arg)
{
	unsigned ended = 0;
	struct branch root = {.depth = 6, .ended = &ended};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	task_start(&group, "root", grow, &root);
	rest(t, 10);
	assert_int_equal(task_count(), 1 + 127);
	assert_int_equal(ended, 0);
	task_group_cancel(&group);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(ended, 127);
	assert_int_equal(task_count(), 1);
}

static void write_down_slowly(struct task *t, void *arg)
{
	struct error err = {0};
	int rc;

	assert_int_equal(task_sleep(t, 3600000, &err), -1);
	task_shield(t);
	rc = task_sleep(t, 15, NULL);
	task_unshield(t);
	finish(arg, rc, &err);
}

static void finish_waits_even_in_a_cancelled_task(struct task *t, void *arg)
{
	struct trace traces[3] = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	for (size_t i = 0; i < ARRAY_LEN(traces); i++)
		task_start(&group, "writer", write_down_slowly, &traces[i]);
	rest(t, 2);
	task_cancel(t);
	assert_int_equal(task_group_wait(t, &group, NULL), -1);
	task_group_finish(t, &group);
	assert_true(task_group_is_empty(&group));
	for (size_t i = 0; i < ARRAY_LEN(traces); i++)
		assert_true(traces[i].done && traces[i].rc == 0);
	assert_int_equal(task_wait(t, NULL), -1);
}

struct last_words {
	struct task_group *group;
	struct trace trace;
};

static void start_another_at_the_end(struct task *t, void *arg)
{
	struct last_words *words = arg;

	task_wait(t, NULL);
	task_start(words->group, "late", sleep_an_hour, &words->trace);
}

static void finish_cancels_what_its_tasks_start_meanwhile(struct task *t, void *arg)
{
	struct trace again = {0};
	struct last_words words = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	words.group = &group;
	task_start(&group, "starter", start_another_at_the_end, &words);
	rest(t, 2);
	task_group_finish(t, &group);
	assert_true(words.trace.done);
	assert_int_equal(words.trace.kind, ERROR_CANCELLED);
	task_start(&group, "again", sleep_shortly, &again);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(again.rc, 0);
}

static void count_turn(uv_check_t *check)
{
	unsigned *turns = check->data;

	++*turns;
}

static void busy_tasks_leave_io_its_turn(struct task *t, void *arg)
{
	static uv_check_t check;
	struct trace traces[300] = {0};
	struct task_group group;
	unsigned turns = 0;

	(void)arg;
	uv_check_init(uv_default_loop(), &check);
	check.data = &turns;
	uv_check_start(&check, count_turn);
	task_group_init(&group);
	for (size_t i = 0; i < ARRAY_LEN(traces); i++)
		task_start(&group, "busy", yield_for_ever, &traces[i]);
	rest(t, 20);
	/* No batch holds all of the 301. */
	assert_true(turns >= 40);
	assert_in_range(traces[0].steps, 18, 20);
	assert_in_range(traces[299].steps, 18, 20);
	assert_int_equal(task_sleep(t, 2, NULL), 0);
	task_group_finish(t, &group);
	uv_close((uv_handle_t *)&check, NULL);
	rest(t, 1);
}

static void a_task_that_waits_does_not_keep_the_loop_alive(void **state)
{
	struct trace trace = {0};
	struct task *t = task_start(NULL, "waiting", wait_once, &trace);

	(void)state;
	assert_int_equal(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
	assert_int_equal(task_count(), 1);
	task_wake(t);
	assert_int_equal(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
	assert_int_equal(task_count(), 0);
	assert_true(trace.done);
}

static void wait_for_nothing(struct task *t, void *arg)
{
	(void)arg;
	task_wait(t, NULL);
}

/* No timer may keep the loop alive. */
static void wait_without_a_limit(struct task *t, void *arg)
{
	(void)arg;
	task_wait_until(t, UINT64_MAX, NULL);
}

static void a_run_that_can_never_end_is_reported(void **state)
{
	static task_fn *const bodies[] = {wait_for_nothing, wait_without_a_limit};
	char out[4096];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		int status = run_child(bodies[i], out, sizeof(out));
		assert_non_null(
		    strstr(out, "myna: task diver waits, and nothing is left that could wake it\n"));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TASK(a_task_starts_from_the_loop_in_the_order_of_the_calls),
	    IN_TASK(a_wake_before_the_wait_is_not_lost),
	    IN_TASK(a_wake_before_the_start_is_not_lost),
	    IN_TASK(a_waiting_task_runs_again_when_woken),
	    IN_TASK(a_sleep_lasts_though_woken_and_keeps_the_wake),
	    IN_TASK(wait_until_says_whether_time_or_a_wake_ended_it),
	    IN_TASK(a_cancel_ends_every_kind_of_wait),
	    IN_TASK(a_task_cancelled_before_its_start_runs_and_cannot_wait),
	    IN_TASK(a_cancel_wins_over_a_wake),
	    IN_TASK(inside_a_shield_a_cancelled_task_can_wait),
	    IN_TASK(a_cancel_does_not_disturb_a_shielded_wait),
	    IN_TASK(a_group_waits_for_all_of_its_tasks),
	    IN_TASK(a_cancel_ends_the_wait_for_a_group_but_not_its_tasks),
	    IN_TASK(cancelling_the_root_of_nested_groups_ends_the_whole_tree),
	    IN_TASK(finish_waits_even_in_a_cancelled_task),
	    IN_TASK(finish_cancels_what_its_tasks_start_meanwhile),
	    IN_TASK(busy_tasks_leave_io_its_turn),
	    cmocka_unit_test(a_task_that_waits_does_not_keep_the_loop_alive),
	    cmocka_unit_test(a_run_that_can_never_end_is_reported),
	};

	return cmocka_run_group_tests_name("task", tests, NULL, NULL);
}
