#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "base/mem.h"
#include "base/error.h"
#include "tools/sandbox/sandbox_fixture.h"
#include "tools/sandbox/sandbox_internal.h"

static struct sandbox_fixture *place;
static bool has_namespaces, has_landlock;

static int make(void **state)
{
	(void)state;
	place = sandbox_fixture_new();
	has_namespaces = machine_has_namespaces();
	has_landlock = machine_has_landlock();
	return 0;
}

static int clear(void **state)
{
	(void)state;
	sandbox_fixture_free(place);
	return 0;
}

/* Proves with what is in place of the sandbox program now, and puts the right one back. */
static enum sandbox_level prove(struct task *t, enum sandbox_level required, char **reason)
{
	struct sandbox *s = sandbox_fixture_sandbox(place, required, MANY);
	enum sandbox_level level;
	struct error err = {0};
	const char *why;
	int rc = sandbox_prove(t, s, &err);

	level = sandbox_level(s, &why);
	*reason = xstrdup(why);
	assert_int_equal(rc, level >= required ? 0 : -1);
	assert_int_equal(sandbox_may_run(s), level >= required);
	if (rc < 0)
		assert_int_equal(err.kind, ERROR_REFUSED);
	sandbox_unref(s);
	sandbox_fixture_restore(place);
	return level;
}

static void assert_reason(char *reason, const char *word)
{
	if (!strstr(reason, word))
		fail_msg("\"%s\" does not speak of %s", reason, word);
	free(reason);
}

static void missing_landlock_is_noticed(struct task *t, void *arg)
{
	char *reason;
	enum sandbox_level level;

	(void)arg;
	sandbox_fixture_use(place, "without_landlock");
	level = prove(t, SANDBOX_S2, &reason);
	/* In a view of its own nothing is there that Landlock would have to keep. */
	assert_int_equal(level, has_namespaces ? SANDBOX_S3 : SANDBOX_S0);
	if (!has_namespaces)
		assert_reason(reason, "S1: read-a-file is not refused");
	else
		free(reason);
}

static void missing_seccomp_is_noticed(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	sandbox_fixture_use(place, "without_seccomp");
	assert_int_equal(prove(t, SANDBOX_S2, &reason), has_landlock ? SANDBOX_S1 : SANDBOX_S0);
	if (has_landlock)
		assert_non_null(strstr(reason, "watch-another-chat is not refused"));
	assert_reason(reason, "is not refused");
}

static void a_view_that_hides_nothing_is_noticed(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	sandbox_fixture_use(place, "without_namespaces");
	assert_int_equal(prove(t, SANDBOX_S3, &reason), has_landlock ? SANDBOX_S2 : SANDBOX_S0);
	assert_reason(reason, "see-a-file is not refused");
}

static void signals_that_get_out_are_noticed(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	/* What root starts runs as another user, who may send it no signal anyway. */
	if (!has_landlock || geteuid() == 0)
		SKIP_BODY();
	sandbox_fixture_refuse(place, "without_scopes", "namespaces");
	assert_int_equal(prove(t, SANDBOX_S2, &reason), SANDBOX_S1);
	assert_reason(reason, "a signal came out");
}

static void an_older_kernel_without_scopes_keeps_signals_inside(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	if (!has_landlock)
		SKIP_BODY();
	sandbox_fixture_refuse(place, "older_kernel", "namespaces");
	if (prove(t, SANDBOX_S2, &reason) != SANDBOX_S2)
		fail_msg("%s", reason);
	free(reason);
}

static void what_lives_on_is_noticed(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	/* With process 1 of a namespace everything in it ends, looked after or not. */
	sandbox_fixture_refuse(place, "without_sweep", "namespaces");
	assert_int_equal(prove(t, SANDBOX_S0, &reason), SANDBOX_NONE);
	assert_reason(reason, "outlive is not refused");
}

static void another_program_in_its_place_proves_nothing(struct task *t, void *arg)
{
	char *command = xasprintf("printf '#!/bin/sh\\nexit 0\\n' >'%s/" SANDBOX_HELPER "'", place->helpers),
	     *reason;

	(void)arg;
	assert_int_equal(system(command), 0);
	assert_int_equal(prove(t, SANDBOX_S0, &reason), SANDBOX_NONE);
	assert_reason(reason, "the canary did not try everything");
	free(command);
}

static void a_missing_program_proves_nothing(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	/* Neither here nor beside the test; where it is installed, it would be found there. */
	char *command = xasprintf("rm '%s/" SANDBOX_HELPER "'", place->helpers), *elsewhere;

	assert_int_equal(system(command), 0);
	elsewhere = helper_path(SANDBOX_HELPER, NULL);
	if (elsewhere) {
		sandbox_fixture_restore(place);
	} else {
		assert_int_equal(prove(t, SANDBOX_S0, &reason), SANDBOX_NONE);
		assert_reason(reason, "The helper program myna-sandbox is missing");
	}
	free(elsewhere);
	free(command);
}

static void a_container_without_namespaces_has_landlock_and_seccomp(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	sandbox_fixture_refuse(place, sandbox_fixture_real, "namespaces");
	assert_int_equal(prove(t, SANDBOX_S2, &reason), has_landlock ? SANDBOX_S2 : SANDBOX_S0);
	assert_reason(reason, "S3: cannot make namespaces");
}

static void a_kernel_without_landlock_has_namespaces_and_seccomp(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	sandbox_fixture_refuse(place, sandbox_fixture_real, "landlock");
	assert_int_equal(prove(t, SANDBOX_S2, &reason), has_namespaces ? SANDBOX_S3 : SANDBOX_S0);
	free(reason);
}

static void with_neither_no_program_runs(struct task *t, void *arg)
{
	char *reason;

	(void)arg;
	sandbox_fixture_refuse(place, sandbox_fixture_real, "namespaces landlock");
	assert_int_equal(prove(t, SANDBOX_S2, &reason), SANDBOX_S0);
	assert_reason(reason, "confine files with Landlock");
}

/* The filter that etc/systemd/myna.service puts over the daemon and all that it starts. */
static void the_filter_of_the_service_leaves_the_sandbox_whole(struct task *t, void *arg)
{
	char *reason, *command;
	enum sandbox_level level;
	struct buf calls = BUF_INIT;
	char block[4096];
	size_t n;
	FILE *f;

	(void)arg;
	if (system("command -v systemd-analyze >/dev/null") != 0)
		SKIP_BODY();
	command = xasprintf("sh '%s'", SOURCE_DIR "/tests/service-calls.sh");
	f = popen(command, "re");
	while (f && (n = fread(block, 1, sizeof(block), f)) > 0)
		buf_add(&calls, block, n);
	assert_int_equal(pclose(f), 0);
	sandbox_fixture_refuse(place, sandbox_fixture_real, "only");
	free(command);
	command = xasprintf("%s/hindrance", place->helpers);
	f = fopen(command, "we");
	fprintf(f, "only\n%s", calls.data);
	fclose(f);
	level = prove(t, SANDBOX_S2, &reason);
	/* Only as the user of the service: root would have to give up root, which the filter forbids. */
	if (geteuid() == 0)
		assert_int_equal(level, SANDBOX_NONE);
	else if (level != (has_namespaces ? SANDBOX_S3 : has_landlock ? SANDBOX_S2 : SANDBOX_S0))
		fail_msg("%s: %s", sandbox_level_name(level), reason);
	free(reason);
	free(command);
	buf_clear(&calls);
}

/* The sandbox's own processes have these numbers, too, in their namespace. */
static void the_first_processes_of_a_container_prove_the_highest_level(struct task *t, void *arg)
{
	char *reason;
	enum sandbox_level level = prove(t, SANDBOX_S2, &reason);

	(void)arg;
	assert_in_range(getpid(), 1, 2);
	if (level != (has_namespaces ? SANDBOX_S3 : has_landlock ? SANDBOX_S2 : SANDBOX_S0))
		fail_msg("%s: %s", sandbox_level_name(level), reason);
	free(reason);
}

static void set_old(const char *path)
{
	const struct timespec times[2] = {{0}, {0}};

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Another gateway's clock may be far ahead. */
static void targets_in_use_stay_however_old_they_look(struct task *t, void *arg)
{
	struct canary_targets used, next;
	char *left = xasprintf("%s/.myna-canary-left", place->workspace),
	     *of_left = xasprintf("%s/own", left);
	struct error err = {0};

	(void)arg;
	assert_int_equal(canary_targets_create(t, &used, place->workspace, &err), 0);
	assert_int_equal(mkdir(left, 0700), 0);
	assert_int_equal(mkdir(of_left, 0700), 0);
	set_old(used.dir);
	set_old(used.chats);
	set_old(left);
	assert_int_equal(canary_targets_create(t, &next, place->workspace, &err), 0);
	assert_null(canary_targets_touched_files(t, &used, true));
	assert_int_not_equal(access(left, F_OK), 0);
	canary_targets_clear(t, &used);
	canary_targets_clear(t, &next);
	free(left);
	free(of_left);
}

static const struct CMUnitTest tests[] = {
    IN_TASK(targets_in_use_stay_however_old_they_look),
    IN_TASK(missing_landlock_is_noticed),
    IN_TASK(missing_seccomp_is_noticed),
    IN_TASK(a_view_that_hides_nothing_is_noticed),
    IN_TASK(signals_that_get_out_are_noticed),
    IN_TASK(an_older_kernel_without_scopes_keeps_signals_inside),
    IN_TASK(what_lives_on_is_noticed),
    IN_TASK(another_program_in_its_place_proves_nothing),
    IN_TASK(a_missing_program_proves_nothing),
    IN_TASK(a_container_without_namespaces_has_landlock_and_seccomp),
    IN_TASK(a_kernel_without_landlock_has_namespaces_and_seccomp),
    IN_TASK(with_neither_no_program_runs),
    IN_TASK(the_filter_of_the_service_leaves_the_sandbox_whole),
};

static const struct CMUnitTest service_tests[] = {
    IN_TASK(the_filter_of_the_service_leaves_the_sandbox_whole),
};

static const struct CMUnitTest container_tests[] = {
    IN_TASK(the_first_processes_of_a_container_prove_the_highest_level),
};

static void become_user(void)
{
	if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
		_exit(99);
}

static int run_as_user(void)
{
	become_user();
	return cmocka_run_group_tests_name("canary, an ordinary user", tests, make, clear);
}

/* What the unit does before it starts the daemon: mounts (ProtectSystem=strict, a /tmp that can be written,
 * ProtectKernelTunables), no capability that could come back, no new privileges. 77: not to be had here. */
static int run_under_the_service(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0 ||
	    mount("/tmp", "/tmp", NULL, MS_BIND, NULL) < 0 ||
	    mount(NULL, "/tmp", NULL, MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV, NULL) < 0 ||
	    mount("/proc/sys", "/proc/sys", NULL, MS_BIND | MS_REC, NULL) < 0 ||
	    mount(NULL, "/proc/sys", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) < 0 ||
	    mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) < 0)
		return 77;
	for (int cap = 0; prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0; cap++)
		;
	become_user();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return 99;
	return cmocka_run_group_tests_name("canary, under the service", service_tests, make, clear);
}

/* Process PID of namespaces of its own. 77: not to be had here. */
static int run_as_number(int pid)
{
	int status = 0;

	if (getpid() != 1 && getpid() != pid && unshare(CLONE_NEWPID) < 0)
		return 77;
	if (getpid() != pid) {
		pid_t child = fork();

		if (child == 0)
			_exit(run_as_number(pid));
		return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	}
	become_user();
	return cmocka_run_group_tests_name("canary, in a container", container_tests, make, clear);
}

static int run_as_first(void)
{
	return run_as_number(1);
}

static int run_as_second(void)
{
	return run_as_number(2);
}

static int run_apart(int (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(fn());
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status) == 77 ? 0 : WEXITSTATUS(status);
}

int main(void)
{
	int failed = geteuid() == 0 ? run_apart(run_as_user) + run_apart(run_under_the_service) +
		run_apart(run_as_first) + run_apart(run_as_second) :
				      0;

	return failed + cmocka_run_group_tests_name("canary", tests, make, clear);
}
