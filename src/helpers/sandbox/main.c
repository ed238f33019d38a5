/*
 * myna-sandbox: runs one program inside a boundary that the kernel enforces, and ends everything that it
 * started when it ends. The daemon starts it once for each program. It is small, has one thread, and works
 * in the order that the kernel requires: first the user, then namespaces and mounts, then the program's own
 * limits, files and calls.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "helpers/sandbox/canary.h"
#include "helpers/sandbox/sandbox_internal.h"
#include "helpers/sandbox/landlock.h"
#include "helpers/sandbox/system_paths.h"
#include "helpers/sandbox/options.h"
#include "helpers/sandbox/report.h"
#include "helpers/sandbox/supervise.h"
#include "helpers/sandbox/user.h"

static struct grant places[SYSTEM_PATHS_MAX];
static size_t place_count;

static void report_end(int status)
{
	if (WIFSIGNALED(status))
		report("signal %d\n", WTERMSIG(status));
	else
		report("exit %d\n", WEXITSTATUS(status));
}

/* The program alone holds its streams, so that the daemon notices when it closes one. */
static void close_streams(void)
{
	for (int fd = 0; fd < REPORT_FD; fd++)
		close(fd);
}

/* Supervises the program; returns our own exit status. */
static int run(const struct options *p, bool all, const char *scratch)
{
	pid_t program = fork();
	int status;

	if (program < 0)
		report_failed("make a process");
	if (program == 0)
		confine_and_run(p, places, place_count, scratch);
	close_streams();
	/* When the daemon is gone, there is still the temporary folder to remove. */
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	status = supervise(p, program, all);
	report_end(status);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_plain(const struct options *p)
{
	const char *scratch;
	int status;

	for (size_t i = 0; i < p->hides && p->level > OPTIONS_S0; i++) {
		if (system_paths_exposing(p, p->hide[i])) {
			errno = EPERM;
			report_failed(
			    "hide a file of the daemon that lies in a folder that is granted: that takes S3");
		}
	}
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		report_failed("take care of what loses its parent");
	memory_limit(p->memory_all);
	scratch = temp_dir_make();
	report("temp %s\n", scratch);
	status = run(p, false, scratch);
	temp_dir_remove(scratch);
	return status;
}

/* Process 1 of the namespaces: when it ends, everything in them ends. */
static int run_first(const struct options *p, int outside)
{
	struct pollfd gone = {.fd = outside, .events = POLLIN};

	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		report_failed("end with the daemon");
	/* Our parent may have ended before that was set. */
	if (poll(&gone, 1, 0) != 0)
		_exit(REPORT_FAILED);
	close(outside);
	namespaces_mount_root(p, places, place_count);
	return run(p, true, NULL);
}

static int run_in_view(const struct options *p)
{
	pid_t first;
	int ends[2];

	namespaces_enter(p);
	if (pipe(ends) < 0)
		report_failed("make a pipe");
	first = fork();
	if (first < 0)
		report_failed("make the first process");
	if (first == 0) {
		close(ends[1]);
		_exit(run_first(p, ends[0]));
	}
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	close(ends[0]);
	close_streams();
	memory_limit(p->memory_all);
	return supervise_namespace(p, first);
}

/* We end with the daemon; requested again, because a change of the user clears it. */
static void end_with(long long parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) < 0)
		report_failed("end with the daemon");
	if (parent && getppid() != parent)
		_exit(REPORT_FAILED);
}

int main(int argc, char **argv)
{
	struct options plan;

	if (argc > 1 && strcmp(argv[1], CANARY_OPTION) == 0)
		return canary_run(argc - 2, argv + 2);
	if (options_read(&plan, argc, argv) < 0)
		return REPORT_FAILED;
	umask(022);
	supervise_prepare();
	limits_set_oom_score();
	user_drop(plan.run_as);
	end_with(plan.parent);
	place_count = system_paths_add(places);
	descendants_open();
	return plan.level >= OPTIONS_S3 ? run_in_view(&plan) : run_plain(&plan);
}
