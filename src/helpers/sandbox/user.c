#include "helpers/sandbox/user.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "helpers/sandbox/report.h"

void user_drop(const char *name)
{
	const struct passwd *pw;

	if (geteuid() != 0)
		return;
	errno = 0;
	pw = getpwnam(name);
	if (!pw) {
		errno = errno ? errno : ENOENT;
		report_failed("find the user that tools run as");
	}
	if (pw->pw_uid == 0)
		return;
	if (setgroups(0, NULL) < 0 || setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) < 0 ||
	    setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) < 0)
		report_failed("become the user that tools run as");
}

void user_drop_capabilities(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};

	for (int cap = 0; prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0; cap++)
		;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	/* A filter of the service may forbid this; then the exec of a program that is not root's drops
	 * them. */
	syscall(SYS_capset, &head, none);
}
