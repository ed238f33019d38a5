#include "base/open_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"

#define WANTED 65536
/* A failed attempt may just have closed some. */
#define RESERVE 4

static unsigned long long limit_now(bool hard)
{
	struct rlimit now;

	return getrlimit(RLIMIT_NOFILE, &now) < 0 ? WANTED : hard ? now.rlim_max : now.rlim_cur;
}

void open_files_raise(void)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_NOFILE, &now) < 0 || now.rlim_cur >= WANTED)
		return;
	now.rlim_cur = now.rlim_max < WANTED ? now.rlim_max : WANTED;
	setrlimit(RLIMIT_NOFILE, &now);
}

bool open_files_are_few(char *sentence, size_t size)
{
	unsigned long long limit = limit_now(true);

	if (limit >= OPEN_FILES_NEEDED)
		return false;
	snprintf(sentence, size,
	    "At most %llu files may be open, and the gateway needs %d, for connections, too. Raise "
	    "LimitNOFILE of the service, or ulimit -Hn.",
	    limit, OPEN_FILES_NEEDED);
	return true;
}

bool open_files_used_up(struct error *err)
{
	int fds[RESERVE];
	size_t count = 0;

	while (count < RESERVE && (fds[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		count++;
	bool used_up = count < RESERVE && (errno == EMFILE || errno == ENFILE);
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
	if (used_up)
		error_set(err, ERROR_NETWORK,
		    "too many files are open (at most %llu): raise LimitNOFILE of the service, or ulimit -n",
		    limit_now(false));
	return used_up;
}
