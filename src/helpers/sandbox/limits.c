#include "helpers/sandbox/sandbox_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "helpers/sandbox/options.h"
#include "helpers/sandbox/report.h"

static void limit(int what, unsigned long long soft, unsigned long long hard)
{
	struct rlimit now, want = {.rlim_cur = soft, .rlim_max = hard};

	if (soft == 0 && what != RLIMIT_CORE)
		return;
	if (getrlimit(what, &now) < 0)
		report_failed("read a limit");
	if (now.rlim_max < want.rlim_max)
		want.rlim_max = now.rlim_max;
	if (want.rlim_max < want.rlim_cur)
		want.rlim_cur = want.rlim_max;
	if (setrlimit(what, &want) < 0)
		report_failed("set a limit");
}

/* The program may raise it up to that: no other limit counts the stack. */
static void limit_stack(unsigned long long memory)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_STACK, &now) < 0)
		report_failed("read a limit");
	limit(RLIMIT_STACK, now.rlim_cur < memory ? now.rlim_cur : memory, memory);
}

static unsigned long long count_threads(const char *pid)
{
	char path[64], text[2048];
	const char *uid, *threads;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/status", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	uid = strstr(text, "\nUid:");
	threads = strstr(text, "\nThreads:");
	if (!uid || !threads || strtoul(uid + 5, NULL, 10) != getuid())
		return 0;
	return strtoull(threads + 9, NULL, 10);
}

/* The kernel counts threads by user: what the user has already is added to what is allowed. */
static unsigned long long count_of_user(void)
{
	unsigned long long count = 0;
	DIR *dir = opendir("/proc");
	const struct dirent *e;

	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
			count += count_threads(e->d_name);
	}
	if (dir)
		closedir(dir);
	return count;
}

void limits_set(const struct options *p, bool own_users)
{
	unsigned long long others = own_users ? 0 : count_of_user();

	/* Not 0: only for 1 the kernel starts no program, as root, that would take the core (core_pattern).
	 */
	limit(RLIMIT_CORE, 1, 1);
	limit(RLIMIT_CPU, (unsigned long long)p->cpu, (unsigned long long)p->cpu + 2);
	limit(RLIMIT_DATA, (unsigned long long)p->memory, (unsigned long long)p->memory);
	limit(RLIMIT_AS, (unsigned long long)p->address_space, (unsigned long long)p->address_space);
	limit_stack((unsigned long long)p->memory);
	limit(RLIMIT_FSIZE, (unsigned long long)p->file, (unsigned long long)p->file);
	limit(RLIMIT_NOFILE, (unsigned long long)p->files, (unsigned long long)p->files);
	limit(RLIMIT_NPROC, p->processes ? (unsigned long long)p->processes + others : 0,
	    (unsigned long long)p->processes + others);
}

void limits_set_oom_score(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1000", 4) < 0)
		report_failed("be the first to end when memory runs out");
	close(fd);
}
