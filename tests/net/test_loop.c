#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/task.h"
#include "net/loop.h"

struct seen {
	int signo, times;
	bool stop;
};

static void on_signal(int signo, void *arg)
{
	struct seen *seen = arg;

	seen->signo = signo;
	seen->times++;
	if (seen->stop)
		loop_stop();
}

static void a_signal_is_a_callback_on_the_loop(void **state)
{
	struct seen term = {.stop = true}, hup = {0};

	(void)state;
	assert_int_equal(loop_on_signal(SIGTERM, on_signal, &term, NULL), 0);
	assert_int_equal(loop_on_signal(SIGHUP, on_signal, &hup, NULL), 0);
	assert_false(loop_caught(SIGTERM));
	raise(SIGHUP);
	raise(SIGTERM);
	assert_int_equal(term.times, 0);
	assert_true(loop_caught(SIGTERM));
	assert_false(loop_caught(SIGINT));
	loop_run();
	assert_int_equal(term.times, 1);
	assert_int_equal(term.signo, SIGTERM);
	assert_int_equal(hup.times, 1);
	assert_int_equal(hup.signo, SIGHUP);
	loop_finish();
}

static void a_signal_that_cannot_be_watched_is_an_error(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(loop_on_signal(SIGKILL, on_signal, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_OURS);
	assert_non_null(strstr(err.text, "signal 9"));
	loop_finish();
}

static void writing_to_a_closed_pipe_does_not_end_the_process(void **state)
{
	int fds[2];

	(void)state;
	loop_init();
	loop_init();
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	assert_int_equal(write(fds[1], "x", 1), -1);
	close(fds[1]);
}

static void stop_task(struct task *t, void *arg)
{
	int *turns = arg;

	while (*turns < 3 && task_sleep(t, 1, NULL) == 0)
		(*turns)++;
	loop_stop();
}

static void the_loop_runs_until_it_is_stopped(void **state)
{
	int turns = 0;
	struct seen term = {0};

	(void)state;
	assert_int_equal(loop_on_signal(SIGTERM, on_signal, &term, NULL), 0);
	task_start(NULL, "stop", stop_task, &turns);
	loop_run();
	assert_int_equal(turns, 3);
	loop_finish();
	/* The watcher is gone, so that nothing keeps the loop. */
	loop_run();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_signal_is_a_callback_on_the_loop),
	    cmocka_unit_test(a_signal_that_cannot_be_watched_is_an_error),
	    cmocka_unit_test(writing_to_a_closed_pipe_does_not_end_the_process),
	    cmocka_unit_test(the_loop_runs_until_it_is_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
