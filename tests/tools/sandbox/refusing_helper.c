/*
 * Stands in for the sandbox program on a machine that refuses something: a container without namespaces, a
 * kernel without Landlock, the filter of a service. What is refused stands in the file "hindrance" beside it,
 * a line each: "namespaces", "landlock", or "only" followed by the names of all system calls that are
 * allowed. Then it runs the real one, "real".
 */
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[4096];

static void refuse(scmp_filter_ctx ctx, int nr)
{
	seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), nr, 0);
}

static void refuse_namespaces(scmp_filter_ctx ctx)
{
	refuse(ctx, SCMP_SYS(unshare));
	refuse(ctx, SCMP_SYS(mount));
	seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
	    SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
}

static void hinder(void)
{
	char path[sizeof(folder) + 16], word[256];
	scmp_filter_ctx ctx = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "%s/hindrance", folder);
	f = fopen(path, "re");
	if (!f)
		exit(120);
	while (fscanf(f, "%255s", word) == 1) {
		if (strcmp(word, "only") == 0) {
			ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
			continue;
		}
		if (!ctx)
			ctx = seccomp_init(SCMP_ACT_ALLOW);
		if (strcmp(word, "namespaces") == 0)
			refuse_namespaces(ctx);
		else if (strcmp(word, "landlock") == 0)
			seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
		else if (seccomp_syscall_resolve_name(word) != __NR_SCMP_ERROR)
			seccomp_rule_add(ctx, SCMP_ACT_ALLOW, seccomp_syscall_resolve_name(word), 0);
	}
	fclose(f);
	/* As root without no_new_privs, because the real one gives up root itself. */
	if (ctx && geteuid() == 0)
		seccomp_attr_set(ctx, SCMP_FLTATR_CTL_NNP, 0);
	if (!ctx || seccomp_load(ctx) < 0)
		exit(121);
	seccomp_release(ctx);
}

int main(int argc, char **argv)
{
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	char path[sizeof(folder) + 16];
	const char *dir = folder;

	/* Inside there is no /proc, and the name that we were started by is a path. */
	if (n <= 0)
		snprintf(folder, sizeof(folder), "%s", argv[0]);
	if (strrchr(folder, '/'))
		*strrchr(folder, '/') = '\0';
	if (argc < 2 || strcmp(argv[1], "--canary") != 0)
		hinder();
	snprintf(path, sizeof(path), "%s/real", dir);
	argv[0] = path;
	execv(path, argv);
	return 122;
}
