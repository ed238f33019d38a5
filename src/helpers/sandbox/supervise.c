#include "helpers/sandbox/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "helpers/sandbox/sandbox_internal.h"
#include "helpers/sandbox/options.h"
#include "helpers/sandbox/report.h"

/* Rounds of SIGSTOP before everything is killed: a process that forks meanwhile is caught in the next
 * round. */
#define STOP_ROUNDS 100
#define SWEEP_MS    20000
#define NAP_NS      2000000
/* Interval between two checks of the memory. A program that runs for weeks has no limit of processor time. */
#define LOOK_MS         100
#define LOOK_LASTING_MS 1000

struct watch {
	const struct options *plan;
	pid_t program;
	bool all, ended, ending;
	int status;
	int64_t kill_at; /* deadline in ms; while ending */
};

static sigset_t watched(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	return set;
}

void supervise_prepare(void)
{
	sigset_t set = watched();

	sigprocmask(SIG_BLOCK, &set, NULL);
}

void supervise_restore_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void signal_all(const struct watch *w, int signo)
{
	if (w->all)
		kill(-1, signo);
	else
		descendants_signal(signo);
}

/* Reaps ended children. Returns false when no child is left. */
static bool reap(struct watch *w)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == w->program) {
			w->ended = true;
			w->status = status;
		}
	}
	return pid == 0;
}

/* Returns the next signal, or SIGALRM when none has come in time. */
static int wait_signal(int64_t ms)
{
	sigset_t set = watched();
	const struct timespec wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	int signo = sigtimedwait(&set, NULL, &wait);

	return signo < 0 && errno == EAGAIN ? SIGALRM : signo;
}

/* Returns the next signal, or SIGALRM when too much memory is taken. */
static int watch_memory(const struct options *p)
{
	sigset_t set = watched();
	int signo;

	if (!memory_is_limited())
		return sigwaitinfo(&set, NULL);
	do
		signo = wait_signal(p->cpu ? LOOK_MS : LOOK_LASTING_MS);
	while (signo == SIGALRM && !memory_is_exceeded());
	if (signo == SIGALRM)
		report("limit memory\n");
	return signo;
}

/* Returns the next signal, or SIGALRM when it is time to kill. */
static int next_signal(const struct watch *w)
{
	int64_t left = w->kill_at - now_ms();

	if (!w->ending)
		return watch_memory(w->plan);
	return left <= 0 ? SIGALRM : wait_signal(left);
}

static void wait_for_program(struct watch *w)
{
	while (!w->ended) {
		int signo = next_signal(w);

		if (signo == SIGCHLD) {
			reap(w);
		} else if (signo == SIGALRM) {
			w->ending = true;
			signal_all(w, SIGKILL);
			w->kill_at = now_ms() + 100;
		} else if (signo > 0 && !w->ending) {
			w->ending = true;
			w->kill_at = now_ms() + w->plan->grace_ms;
			signal_all(w, SIGTERM);
		} else if (signo > 0) {
			w->kill_at = now_ms(); /* asked again: at once */
		}
	}
}

/* Stops everything first: a stopped process cannot fork while the others are killed. */
static void sweep(struct watch *w)
{
	int64_t until = now_ms() + SWEEP_MS;

	while (reap(w) && now_ms() < until) {
		for (int round = 0; round < STOP_ROUNDS && descendants_signal(SIGSTOP) > 0; round++)
			;
		descendants_signal(SIGKILL);
		nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
	}
}

int supervise(const struct options *p, pid_t program, bool all)
{
	struct watch w = {.plan = p, .program = program, .all = all};

	wait_for_program(&w);
	if (!all) {
		sweep(&w);
		return w.status;
	}
	while (reap(&w)) {
		kill(-1, SIGKILL);
		nanosleep(&(struct timespec){.tv_nsec = NAP_NS / 10}, NULL);
	}
	return w.status;
}

int supervise_namespace(const struct options *p, pid_t first)
{
	int status;

	for (;;) {
		int signo = watch_memory(p);

		if (signo == SIGALRM) {
			report("signal %d\n", SIGKILL);
			memory_limit(0);
			kill(first, SIGKILL);
			continue;
		}
		if (signo == SIGCHLD && waitpid(first, &status, WNOHANG) == first)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		if (signo > 0 && signo != SIGCHLD)
			kill(first, SIGTERM);
	}
}
