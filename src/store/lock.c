#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

#define NAP_NS 20000000
#define NAPS   100 /* two seconds in all */

/* Returns the process id in the file; 0 when there is none. */
static pid_t lock_owner(int fd)
{
	char owner[16] = "";
	ssize_t len = pread(fd, owner, sizeof(owner) - 1, 0);

	owner[len > 0 ? strcspn(owner, "\n") : 0] = '\0';
	return owner[strspn(owner, "0123456789")] == '\0' ? (pid_t)strtol(owner, NULL, 10) : 0;
}

static int refuse(const char *dir, int fd, struct error *err)
{
	long owner = lock_owner(fd);

	if (owner <= 0)
		return error_set(err, ERROR_OURS,
		    "another process uses the state directory %s: stop it first, or set another directory",
		    dir);
	return error_set(err, ERROR_OURS,
	    "the process %ld uses the state directory %s: stop it first, or set another directory", owner,
	    dir);
}

/*
 * Waits for a dead owner's lock: when a process is killed while it starts a program, its forked copy
 * holds the lock until the program begins.
 */
static int lock_wait(int fd)
{
	for (int naps = 0;; naps++) {
		pid_t owner;

		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		owner = lock_owner(fd);
		if (errno != EWOULDBLOCK || naps == NAPS || owner <= 0 || kill(owner, 0) == 0 ||
		    errno != ESRCH) {
			errno = EWOULDBLOCK;
			return -1;
		}
		nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
	}
}

int lock_acquire(const char *dir, struct error *err)
{
	char *path = xasprintf("%s/lock", dir), owner[16];
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), len;

	free(path);
	if (fd < 0)
		return error_set(err, ERROR_OURS, "cannot open %s/lock: %m", dir);
	if (lock_wait(fd) != 0) {
		if (errno == EWOULDBLOCK)
			refuse(dir, fd, err);
		else
			error_set(err, ERROR_OURS, "cannot lock %s/lock: %m", dir);
		close(fd);
		return -1;
	}
	/* The pid is only information for other processes: a full disk must not prevent a start. */
	len = snprintf(owner, sizeof(owner), "%ld\n", (long)getpid());
	if (ftruncate(fd, 0) != 0 || pwrite(fd, owner, (size_t)len, 0) != len)
		return fd;
	return fd;
}

void lock_release(int fd)
{
	if (fd >= 0)
		close(fd);
}
