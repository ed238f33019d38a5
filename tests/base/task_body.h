#ifndef TESTS_BASE_TASK_BODY_H
#define TESTS_BASE_TASK_BODY_H
/* For tests whose body is a task. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/task.h"

struct body {
	task_fn *fn;
};

/* Ends a body whose machine lacks what it needs: skip() would leave its task. */
#define SKIP_BODY()                     \
	do {                            \
		body_is_skipped = true; \
		return;                 \
	} while (0)
static bool body_is_skipped;

static inline void run_body(void **state)
{
	struct body *body = *state;

	body_is_skipped = false;
	task_run("test", body->fn, NULL);
	assert_int_equal(task_count(), 0);
	assert_null(task_current());
	if (body_is_skipped)
		skip();
}

#define IN_TASK(test)                                       \
	{                                                   \
#test, run_body, NULL, NULL, &(struct body) \
		{                                           \
			test                                \
		}                                           \
	}

/* What one task of a test did. */
struct trace {
	int rc;
	enum error_kind kind;
	uint64_t ended;
	unsigned steps;
	bool done;
};

static inline void finish(struct trace *trace, int rc, const struct error *err)
{
	trace->rc = rc;
	trace->kind = err->kind;
	trace->ended = clock_now();
	trace->done = true;
}

static inline void sleep_an_hour(struct task *t, void *arg)
{
	struct error err = {0};
	int rc = task_sleep(t, 3600000, &err);

	finish(arg, rc, &err);
}

static inline void rest(struct task *t, unsigned turns)
{
	while (turns-- > 0)
		assert_int_equal(task_yield(t, NULL), 0);
}

/* Runs fn in a child; returns its wait status, with what it wrote to stderr in out. */
static inline int run_child(task_fn *fn, char *out, size_t size)
{
	const struct rlimit no_core = {0, 0};
	int status, ends[2];
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		setrlimit(RLIMIT_CORE, &no_core);
		signal(SIGSEGV, SIG_DFL);
		signal(SIGBUS, SIG_DFL);
		uv_loop_fork(uv_default_loop());
		task_catch_overflow();
		task_run("diver", fn, NULL);
		_exit(0);
	}
	close(ends[1]);
	while (len + 1 < size && (n = read(ends[0], out + len, size - 1 - len)) > 0)
		len += (size_t)n;
	out[len] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

#endif
