#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_body.h"
#include "base/worker.h"

/* What main sets UV_THREADPOOL_SIZE to. */
enum { THREADS = 4 };

static pthread_t loop_thread;
static atomic_uint begun, ended, freed;
/* Closed: jobs that look at it stay on their thread. */
static uv_sem_t gate;

struct square {
	struct worker_job job;
	unsigned n;
	unsigned *result; /* on the heap, as what a job reads from a file would be */
	bool gated;
};

static void square_run(struct worker_job *job)
{
	struct square *square = (struct square *)job;

	begun++;
	assert_false(pthread_equal(pthread_self(), loop_thread));
	if (square->gated)
		uv_sem_wait(&gate);
	square->result = xmalloc(sizeof(*square->result));
	*square->result = square->n * square->n;
	ended++;
}

static void square_free(struct worker_job *job)
{
	struct square *square = (struct square *)job;

	assert_true(pthread_equal(pthread_self(), loop_thread));
	freed++;
	free(square->result);
	free(square);
}

static struct square *square_new(unsigned n, bool gated)
{
	struct square *square = xcalloc(1, sizeof(*square));

	square->job = (struct worker_job){.run = square_run, .free = square_free};
	square->n = n;
	square->gated = gated;
	return square;
}

static int forget(void **state)
{
	(void)state;
	loop_thread = pthread_self();
	begun = ended = freed = 0;
	return uv_sem_init(&gate, 0);
}

static int remove_gate(void **state)
{
	(void)state;
	uv_sem_destroy(&gate);
	return 0;
}

static void wait_for(struct task *t, atomic_uint *counter, unsigned value)
{
	uint64_t limit = clock_now() + 60000;

	while (*counter < value && clock_now() < limit)
		assert_int_equal(task_sleep(t, 1, NULL), 0);
	assert_int_equal(*counter, value);
}

/* Awaits one square; trace->steps becomes the result. */
static void await_square(struct task *t, struct trace *trace, struct square *square)
{
	struct error err = {0};
	int rc = worker_await(t, &square->job, &err);

	if (rc == 0) {
		trace->steps = *square->result;
		square->job.free(&square->job);
	}
	finish(trace, rc, &err);
}

static void square_7(struct task *t, void *arg)
{
	await_square(t, arg, square_new(7, false));
}

static void square_7_behind_the_gate(struct task *t, void *arg)
{
	await_square(t, arg, square_new(7, true));
}

static void a_job_runs_on_a_thread_and_comes_back(struct task *t, void *arg)
{
	struct trace trace = {0};

	(void)arg;
	square_7(t, &trace);
	assert_int_equal(trace.rc, 0);
	assert_int_equal(trace.steps, 49);
	assert_int_equal(freed, 1);
}

static void the_loop_goes_on_while_a_job_runs(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	task_start(&group, "slow", square_7_behind_the_gate, &trace);
	wait_for(t, &begun, 1);
	assert_false(trace.done);
	uv_sem_post(&gate);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(trace.steps, 49);
}

static void a_wake_does_not_end_the_wait_for_a_job(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task *other = task_start(NULL, "slow", square_7_behind_the_gate, &trace);

	(void)arg;
	wait_for(t, &begun, 1);
	task_wake(other);
	rest(t, 3);
	assert_false(trace.done);
	uv_sem_post(&gate);
	wait_for(t, &freed, 1);
	assert_int_equal(trace.steps, 49);
}

static void the_result_of_a_cancelled_wait_is_dropped_when_the_job_ends(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task *other = task_start(NULL, "slow", square_7_behind_the_gate, &trace);

	(void)arg;
	wait_for(t, &begun, 1);
	task_cancel(other);
	rest(t, 1);
	assert_true(trace.done);
	assert_int_equal(trace.rc, -1);
	assert_int_equal(trace.kind, ERROR_CANCELLED);
	assert_int_equal(freed, 0);
	uv_sem_post(&gate);
	wait_for(t, &freed, 1);
	assert_int_equal(task_count(), 1);
}

static void a_job_that_no_thread_has_begun_is_not_run_after_a_cancel(struct task *t, void *arg)
{
	struct trace traces[THREADS + 3] = {0};
	struct task_group running, queued;

	(void)arg;
	task_group_init(&running);
	task_group_init(&queued);
	for (size_t i = 0; i < THREADS; i++)
		task_start(&running, "running", square_7_behind_the_gate, &traces[i]);
	wait_for(t, &begun, THREADS);
	for (size_t i = THREADS; i < ARRAY_LEN(traces); i++)
		task_start(&queued, "queued", square_7_behind_the_gate, &traces[i]);
	rest(t, 2);
	task_group_finish(t, &queued);
	wait_for(t, &freed, 3);
	for (size_t i = 0; i < THREADS; i++)
		uv_sem_post(&gate);
	assert_int_equal(task_group_wait(t, &running, NULL), 0);
	assert_int_equal(begun, THREADS);
	assert_int_equal(freed, THREADS + 3);
	assert_int_equal(traces[THREADS].kind, ERROR_CANCELLED);
}

static void a_cancelled_task_begins_no_job(struct task *t, void *arg)
{
	struct trace trace = {0};

	(void)arg;
	task_cancel(t);
	square_7(t, &trace);
	assert_int_equal(trace.rc, -1);
	assert_int_equal(trace.kind, ERROR_CANCELLED);
	assert_int_equal(begun, 0);
	assert_int_equal(freed, 1);
	task_shield(t);
	square_7(t, &trace);
	task_unshield(t);
	assert_int_equal(trace.rc, 0);
	assert_int_equal(trace.steps, 49);
}

static void a_job_that_ended_before_the_cancel_is_handed_over(struct task *t, void *arg)
{
	struct trace trace = {0};
	struct task *other = task_start(NULL, "other", square_7_behind_the_gate, &trace);

	(void)arg;
	wait_for(t, &begun, 1);
	uv_sem_post(&gate);
	while (ended == 0)
		uv_sleep(1);
	uv_sleep(50);
	/* The loop learns here of the end and makes the other task ready, behind this one. */
	rest(t, 1);
	task_cancel(other);
	rest(t, 1);
	assert_true(trace.done);
	assert_int_equal(trace.rc, 0);
	assert_int_equal(trace.kind, ERROR_NONE);
	assert_int_equal(trace.steps, 49);
	assert_int_equal(freed, 1);
}

static void of_client(struct task *t, struct trace *trace, const char *client)
{
	struct square *square = square_new(7, true);
	struct error err = {0};
	int rc = worker_await_client(t, client, &square->job, &err);

	if (rc == 0)
		square->job.free(&square->job);
	finish(trace, rc, &err);
}

static void of_ann(struct task *t, void *arg)
{
	of_client(t, arg, "ann");
}

static void of_bob(struct task *t, void *arg)
{
	of_client(t, arg, "bob");
}

static void of_cy(struct task *t, void *arg)
{
	of_client(t, arg, "cy");
}

static void the_jobs_of_clients_leave_threads_to_others(struct task *t, void *arg)
{
	struct trace traces[24] = {0}, own = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	for (unsigned i = 0; i < ARRAY_LEN(traces); i++)
		task_start(&group, "client", i < 8 ? of_ann : i < 16 ? of_bob : of_cy, &traces[i]);
	wait_for(t, &begun, WORKER_CLIENTS_MAX);
	square_7(t, &own);
	assert_int_equal(own.steps, 49);
	assert_int_equal(begun, WORKER_CLIENTS_MAX + 1);
	for (unsigned i = 0; i < ARRAY_LEN(traces); i++)
		uv_sem_post(&gate);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(ended, ARRAY_LEN(traces) + 1);
}

static void one_client_has_one_thread(struct task *t, void *arg)
{
	struct trace anns[8] = {0}, bob = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	for (unsigned i = 0; i < ARRAY_LEN(anns); i++)
		task_start(&group, "ann", of_ann, &anns[i]);
	wait_for(t, &begun, 1);
	rest(t, 3);
	assert_int_equal(begun, 1);
	task_start(&group, "bob", of_bob, &bob);
	wait_for(t, &begun, 2);
	for (unsigned i = 0; i < ARRAY_LEN(anns) + 1; i++)
		uv_sem_post(&gate);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(bob.rc, 0);
}

static void an_abandoned_job_of_a_client_counts_until_it_ends(struct task *t, void *arg)
{
	struct trace first = {0}, waits = {0}, last = {0};
	struct task *task = task_start(NULL, "first", of_ann, &first), *waiting;

	(void)arg;
	wait_for(t, &begun, 1);
	waiting = task_start(NULL, "waits", of_ann, &waits);
	task_start(NULL, "last", of_ann, &last);
	rest(t, 2);
	task_cancel(task);
	task_cancel(waiting);
	rest(t, 3);
	assert_int_equal(first.kind, ERROR_CANCELLED);
	assert_int_equal(waits.kind, ERROR_CANCELLED);
	assert_int_equal(begun, 1);
	assert_int_equal(freed, 1); /* the one that waited */
	uv_sem_post(&gate);
	uv_sem_post(&gate);
	wait_for(t, &freed, 3);
	assert_int_equal(last.rc, 0);
}

struct sum {
	unsigned from;
	unsigned total;
};

static void sum_squares(struct task *t, void *arg)
{
	struct sum *sum = arg;

	for (unsigned n = sum->from; n < sum->from + 10; n++) {
		struct trace trace = {0};

		await_square(t, &trace, square_new(n, false));
		assert_int_equal(trace.steps, n * n);
		sum->total += trace.steps;
	}
}

static void many_tasks_await_jobs_and_each_gets_its_own(struct task *t, void *arg)
{
	struct sum sums[200] = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	for (unsigned i = 0; i < ARRAY_LEN(sums); i++) {
		sums[i].from = i;
		task_start(&group, "adder", sum_squares, &sums[i]);
	}
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(sums[0].total, 285);
	assert_int_equal(begun, 2000);
	assert_int_equal(ended, 2000);
	assert_int_equal(freed, 2000);
}

#define WORKER_TEST(test)                                            \
	{                                                            \
#test, run_body, forget, remove_gate, &(struct body) \
		{                                                    \
			test                                         \
		}                                                    \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WORKER_TEST(a_job_runs_on_a_thread_and_comes_back),
	    WORKER_TEST(the_loop_goes_on_while_a_job_runs),
	    WORKER_TEST(a_wake_does_not_end_the_wait_for_a_job),
	    WORKER_TEST(the_result_of_a_cancelled_wait_is_dropped_when_the_job_ends),
	    WORKER_TEST(a_job_that_no_thread_has_begun_is_not_run_after_a_cancel),
	    WORKER_TEST(a_cancelled_task_begins_no_job),
	    WORKER_TEST(a_job_that_ended_before_the_cancel_is_handed_over),
	    WORKER_TEST(the_jobs_of_clients_leave_threads_to_others),
	    WORKER_TEST(one_client_has_one_thread),
	    WORKER_TEST(an_abandoned_job_of_a_client_counts_until_it_ends),
	    WORKER_TEST(many_tasks_await_jobs_and_each_gets_its_own),
	};

	setenv("UV_THREADPOOL_SIZE", "4", 1);
	return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}
