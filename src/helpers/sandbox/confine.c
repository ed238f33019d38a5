#include "helpers/sandbox/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/sandbox/landlock.h"
#include "helpers/sandbox/system_paths.h"
#include "helpers/sandbox/options.h"
#include "helpers/sandbox/report.h"
#include "helpers/sandbox/supervise.h"
#include "helpers/sandbox/user.h"

static size_t grant_all(const struct grant *grants, size_t count, struct grant *out, size_t n)
{
	memcpy(out + n, grants, count * sizeof(*grants));
	return n + count;
}

static size_t grant_paths(const char *const *paths, size_t count, bool writable, struct grant *out, size_t n)
{
	for (size_t i = 0; i < count; i++)
		out[n++] = (struct grant){.path = paths[i], .writable = writable};
	return n;
}

static void confine_files(
    const struct options *p, const struct grant *system, size_t count, const char *scratch)
{
	static struct grant *all;
	struct grant devices[SYSTEM_PATHS_MAX];
	bool view = p->level >= OPTIONS_S3;
	const char *own = scratch ? scratch : "/tmp", *root = "/";
	size_t n = 0;

	all = calloc(2 * SYSTEM_PATHS_MAX + p->reads + p->writes + 2, sizeof(*all));
	if (!all)
		report_failed("get memory");
	n = grant_all(system, count, all, n);
	n = grant_all(devices, system_paths_devices(devices), all, n);
	n = grant_paths(p->read, p->reads, false, all, n);
	n = grant_paths(p->write, p->writes, true, all, n);
	if (p->writes > 0)
		all[n - p->writes].no_names = p->no_names;
	n = grant_paths(&own, 1, true, all, n);
	/* What is granted above it would be there, too. */
	all[n - 1].no_names = p->no_names && p->writes > 0 && strncmp(p->write[0], own, strlen(own)) == 0;
	/* In a view of its own, nothing else is visible. */
	n = grant_paths(&root, view ? 1 : 0, false, all, n);
	if (landlock_confine(all, n) < 0 && !(view && (errno == ENOSYS || errno == EOPNOTSUPP)))
		report_failed("confine files with Landlock");
}

static void confine_calls(const struct options *p)
{
	const struct seccomp_options given = {
	    .network = p->network,
	    .view = p->level >= OPTIONS_S3,
	    .scopes = landlock_version() >= LANDLOCK_SCOPES,
	    .truncate = landlock_version() >= LANDLOCK_TRUNCATE,
	};

	if (seccomp_confine(&given) < 0)
		report_failed("confine system calls with seccomp");
}

void confine_and_run(const struct options *p, const struct grant *system, size_t count, const char *scratch)
{
	supervise_restore_signals();
	setsid();
	umask(077);
	limits_set(p, p->level >= OPTIONS_S3);
	if (fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC) < 0 || close_range(REPORT_FD + 1, ~0U, 0) < 0)
		report_failed("close descriptors");
	if (setenv("TMPDIR", scratch ? scratch : "/tmp", 1) < 0 || chdir(p->dir) < 0)
		report_failed_at("enter the folder to work in", p->dir);
	user_drop_capabilities();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		report_failed("give up new privileges");
	if (p->level >= OPTIONS_S1)
		confine_files(p, system, count, scratch);
	if (p->level >= OPTIONS_S2)
		confine_calls(p);
	execvp(p->argv[0], p->argv);
	report_failed(errno == ENOENT ? "find the program" : "start the program");
}
