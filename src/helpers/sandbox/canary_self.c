#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "helpers/sandbox/canary.h"

/* A process that survives the canary reports it after this time; otherwise it is killed before. */
#define LATER_MS 600

static int be_root(const struct canary_facts *f)
{
	(void)f;
	if (getuid() == 0 || geteuid() == 0)
		return 0;
	return setuid(0) < 0 ? errno : 0;
}

static int gain_privileges(const struct canary_facts *f)
{
	(void)f;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}

static int have_capabilities(const struct canary_facts *f)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}};

	(void)f;
	if (syscall(SYS_capget, &head, data) < 0)
		return errno;
	return data[0].effective | data[0].permitted | data[1].effective | data[1].permitted ? 0 : EPERM;
}

static int find_environment(const struct canary_facts *f)
{
	static const char *const clean[] = {
	    "HOME=", "LANG=", "PATH=", "SHELL=", "TERM=", "TMPDIR=", "TZ=", "USER="};

	(void)f;
	for (char **e = environ; *e; e++) {
		bool known = false;

		for (size_t i = 0; i < sizeof(clean) / sizeof(clean[0]); i++)
			known = known || strncmp(*e, clean[i], strlen(clean[i])) == 0;
		if (!known)
			return 0;
	}
	return ENOENT;
}

static int find_descriptors(const struct canary_facts *f)
{
	(void)f;
	for (int fd = 3; fd < 1024; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			return 0;
	}
	return EBADF;
}

static int dump_core(const struct canary_facts *f)
{
	struct rlimit now;

	(void)f;
	return getrlimit(RLIMIT_CORE, &now) == 0 && now.rlim_max <= 1 ? EPERM : 0;
}

static int have_no_limits(const struct canary_facts *f)
{
	static const int all[] = {
	    RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_STACK};
	struct rlimit now;

	(void)f;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (getrlimit(all[i], &now) < 0 || now.rlim_max == RLIM_INFINITY)
			return 0;
	}
	return EPERM;
}

static void live_on(int alive)
{
	struct pollfd end = {.fd = alive, .events = POLLIN};
	static const char line[] = "0 outlive done 0\n";

	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	setsid();
	if (fork() != 0)
		_exit(0);
	setsid();
	/* Ends when the canary does. */
	poll(&end, 1, -1);
	usleep(LATER_MS * 1000);
	if (write(1, line, sizeof(line) - 1) < 0)
		_exit(1);
	_exit(0);
}

/* Assumed to be prevented; a later line says otherwise. */
static int outlive(const struct canary_facts *f)
{
	int ends[2];
	pid_t pid;

	(void)f;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		live_on(ends[0]);
	}
	close(ends[0]);
	return pid < 0 ? errno : ESRCH;
}

const struct canary_act canary_self[] = {
    {0, "be-root", be_root},
    {0, "gain-privileges", gain_privileges},
    {0, "have-capabilities", have_capabilities},
    {0, "find-environment", find_environment},
    {0, "find-descriptors", find_descriptors},
    {0, "dump-core", dump_core},
    {0, "have-no-limits", have_no_limits},
    {0, "outlive", outlive},
    {0, NULL, NULL},
};
