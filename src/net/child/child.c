#include "net/child/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "net/child/child_internal.h"
#include "net/egress.h"

#define GRACE_MS 2000
/* How long we wait, after the end of the child, for the output of a process that left its group. */
#define DRAIN_MS 1000
/* A process that survives SIGKILL hangs in the kernel; after this time we stop waiting for it. */
#define STUCK_MS 10000

struct child {
	struct list link; /* in children */
	pid_t pid;
	size_t place; /* in running; RUNNING_MAX: none */
	bool ended, stopping, drained, abandoned;
	struct child_end end;
	uint64_t grace_ms;
	struct child_pipe *input, *output[CHILD_STREAMS]; /* NULL: closed, or never opened */
	struct clock_timer deadline, kill, drain;
	struct task_cond changed;
	child_sink_fn *sink;
	void *sink_arg;
};

/* Process groups, for child_kill_all alone, which is on another thread. */
#define RUNNING_MAX 4096
/* Between the signal that the supervisor of a sandbox ends its tree on, and the one that ends all others. */
#define KILL_ALL_NS 200000000

static _Atomic pid_t running[RUNNING_MAX];
static struct list children = LIST_INIT(children);
static uv_signal_t ended_signal;

static void wake_all(void *arg)
{
	struct child *c = arg;

	task_cond_broadcast(&c->changed);
}

static size_t enter_running(pid_t pid)
{
	size_t place = 0;

	while (place < RUNNING_MAX && running[place] != 0)
		place++;
	if (place < RUNNING_MAX)
		running[place] = pid;
	return place;
}

static void signal_all(int signo)
{
	for (size_t i = 0; i < RUNNING_MAX; i++) {
		pid_t pid = running[i];

		if (pid != 0)
			kill(-pid, signo);
	}
}

void child_kill_all(void)
{
	signal_all(SIGTERM);
	nanosleep(&(struct timespec){.tv_nsec = KILL_ALL_NS}, NULL);
	signal_all(SIGKILL);
	/* What is started in place of this process does not know them. */
	nanosleep(&(struct timespec){.tv_nsec = KILL_ALL_NS / 10}, NULL);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void close_streams(struct child *c)
{
	child_close_input(c);
	for (int i = 0; i < CHILD_STREAMS; i++) {
		child_pipe_close(c->output[i]);
		c->output[i] = NULL;
	}
}

static void release(struct child *c)
{
	clock_timer_stop(&c->deadline);
	clock_timer_stop(&c->kill);
	clock_timer_stop(&c->drain);
	close_streams(c);
	list_remove(&c->link);
	task_cond_clear(&c->changed);
	free(c);
}

static void on_drained(struct clock_timer *timer, void *arg)
{
	struct child *c = arg;

	(void)timer;
	c->drained = true;
	wake_all(c);
}

static void note_end(struct child *c, int status, int signo)
{
	c->ended = true;
	c->end.signal = signo;
	c->end.status = status;
	list_remove(&c->link);
	if (c->place < RUNNING_MAX)
		running[c->place] = 0;
	clock_timer_stop(&c->deadline);
	clock_timer_stop(&c->kill);
	if (c->abandoned) {
		release(c);
		return;
	}
	clock_timer_start(&c->drain, DRAIN_MS, on_drained, c);
	wake_all(c);
}

/* Peeks before it reaps: until the leader is reaped, nobody else can have its process group. */
static void reap(struct child *c)
{
	siginfo_t info = {0};
	int status;

	if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0)
		return;
	kill(-c->pid, SIGKILL);
	if (waitpid(c->pid, &status, WNOHANG) != c->pid)
		note_end(c, -1, 0);
	else if (WIFSIGNALED(status))
		note_end(c, 128 + WTERMSIG(status), WTERMSIG(status));
	else
		note_end(c, WEXITSTATUS(status), 0);
}

static void on_ended(uv_signal_t *handle, int signo)
{
	(void)signo;
	list_each(&children, it, next)
		reap(list_entry(it, struct child, link));
	if (list_is_empty(&children))
		uv_unref((uv_handle_t *)handle);
}

/* Keeps the loop alive only while there are children. */
static int watch_ends(struct error *err)
{
	int rc = ended_signal.loop ? 0 : uv_signal_init(uv_default_loop(), &ended_signal);

	if (rc == 0 && !uv_is_active((uv_handle_t *)&ended_signal)) {
		rc = uv_signal_start(&ended_signal, on_ended, SIGCHLD);
		uv_unref((uv_handle_t *)&ended_signal);
	}
	return rc == 0 ? 0 : error_set(err, ERROR_OURS, "cannot watch child processes: %s.", uv_strerror(rc));
}

static void on_kill(struct clock_timer *timer, void *arg)
{
	struct child *c = arg;

	(void)timer;
	kill(-c->pid, SIGKILL);
}

static void begin_end(struct child *c)
{
	if (c->ended || c->stopping)
		return;
	c->stopping = true;
	kill(-c->pid, SIGTERM);
	clock_timer_start(&c->kill, c->grace_ms, on_kill, c);
}

static void on_deadline(struct clock_timer *timer, void *arg)
{
	struct child *c = arg;

	(void)timer;
	if (!c->stopping)
		c->end.timed_out = true;
	begin_end(c);
}

void child_stop(struct child *c)
{
	if (!c->ended && !c->stopping)
		c->end.stopped = true;
	begin_end(c);
}

static void on_data(void *arg, int which, const char *data, size_t len)
{
	struct child *c = arg;

	c->sink(c->sink_arg, (enum child_stream)which, data, len);
}

struct child *child_start(const struct child_options *o, struct error *err)
{
	struct child_pipe_user user = {.data = o->sink ? on_data : NULL, .changed = wake_all};
	struct child_ends ends;
	struct child *c;
	pid_t pid;

	if (!egress_is_open()) {
		error_set(err, ERROR_OURS, "This process may start nothing any more.");
		return NULL;
	}
	if (watch_ends(err) < 0 || child_spawn(o, &pid, &ends, err) < 0)
		return NULL;
	user.arg = c = xcalloc(1, sizeof(*c));
	c->pid = pid;
	c->place = enter_running(pid);
	c->grace_ms = o->grace_ms ? o->grace_ms : GRACE_MS;
	c->sink = o->sink;
	c->sink_arg = o->sink_arg;
	task_cond_init(&c->changed);
	list_append(&children, &c->link);
	uv_ref((uv_handle_t *)&ended_signal);
	if (ends.input >= 0)
		c->input = child_pipe_open(ends.input, -1, true, &user);
	for (int i = 0; i < CHILD_STREAMS; i++) {
		if (ends.output[i] >= 0)
			c->output[i] = child_pipe_open(ends.output[i], i, false, &user);
	}
	if (o->deadline_ms)
		clock_timer_start(&c->deadline, o->deadline_ms, on_deadline, c);
	return c;
}

int child_pid(const struct child *c)
{
	return (int)c->pid;
}

bool child_ended(const struct child *c, struct child_end *end)
{
	if (end)
		*end = c->end;
	return c->ended;
}

/* Has the sink received all output, as far as we wait for it? */
static bool sink_is_done(const struct child *c)
{
	if (!c->sink || c->drained)
		return true;
	for (int i = 0; i < CHILD_STREAMS; i++) {
		if (c->output[i] && !c->output[i]->at_end)
			return false;
	}
	return true;
}

int child_wait(struct task *t, struct child *c, struct child_end *end, struct error *err)
{
	while (!c->ended || !sink_is_done(c)) {
		if (task_cond_wait(t, &c->changed, err) < 0)
			return -1;
	}
	if (end)
		*end = c->end;
	return 0;
}

int child_wait_stream(struct task *t, struct child *c, enum child_stream stream, struct error *err)
{
	while (!c->ended && c->output[stream] && !c->output[stream]->at_end) {
		if (task_cond_wait(t, &c->changed, err) < 0)
			return -1;
	}
	return 0;
}

int child_read(struct task *t, struct child *c, enum child_stream stream, struct buf *out, uint64_t wait_ms,
    struct error *err)
{
	struct child_pipe *p = c->output[stream];
	uint64_t due = clock_now() + wait_ms;
	int rc = 0;

	if (!p)
		return error_set(err, ERROR_OURS, "The program was started without this stream.");
	while (rc == 0 && p->held.len == 0 && !p->at_end && !c->drained)
		rc = task_cond_wait_until(t, &c->changed, due, err);
	if (c->drained)
		child_pipe_pull(p);
	if (rc < 0)
		return -1;
	if (p->held.len > 0) {
		buf_add(out, p->held.data, p->held.len);
		buf_reset(&p->held);
		child_pipe_resume(p);
		return 1;
	}
	if (p->at_end || c->drained)
		return error_set(err, ERROR_NETWORK, "The program has closed its output.");
	return 0;
}

int child_write(struct task *t, struct child *c, const void *data, size_t len, struct error *err)
{
	const char *rest = data;
	long n = 0;

	while (len > 0) {
		if (task_check(t, err) < 0)
			return -1;
		n = c->input ? child_pipe_write(c->input, rest, len) : -1;
		if (n < 0)
			return error_set(err, ERROR_NETWORK, "The program has closed its input.");
		if (n == 0 && task_cond_wait(t, &c->changed, err) < 0)
			return -1;
		rest += n;
		len -= (size_t)n;
	}
	return 0;
}

void child_close_input(struct child *c)
{
	child_pipe_close(c->input);
	c->input = NULL;
}

void child_free(struct task *t, struct child *c)
{
	uint64_t due;

	if (!c)
		return;
	child_stop(c);
	due = clock_now() + c->grace_ms + STUCK_MS;
	task_shield(t);
	while (!c->ended && task_cond_wait_until(t, &c->changed, due, NULL) == 0)
		;
	task_unshield(t);
	close_streams(c);
	if (c->ended)
		release(c);
	else
		c->abandoned = true;
}
