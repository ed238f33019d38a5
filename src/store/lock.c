#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

static int refuse(const char *dir, int fd, struct error *err)
{
	char owner[16] = "";
	ssize_t len = pread(fd, owner, sizeof owner - 1, 0);

	owner[len > 0 ? strcspn(owner, "\n") : 0] = '\0';
	if (*owner == '\0' || owner[strspn(owner, "0123456789")] != '\0')
		return error_set(err, ERROR_OURS, "another process uses the state directory %s: stop it first, "
		    "or set another directory", dir);
	return error_set(err, ERROR_OURS, "the process %s uses the state directory %s: stop it first, "
	    "or set another directory", owner, dir);
}

int lock_take(const char *dir, struct error *err)
{
	char *path = xasprintf("%s/lock", dir), owner[16];
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), len;

	free(path);
	if (fd < 0)
		return error_set(err, ERROR_OURS, "cannot open %s/lock: %m", dir);
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK)
			refuse(dir, fd, err);
		else
			error_set(err, ERROR_OURS, "cannot lock %s/lock: %m", dir);
		close(fd);
		return -1;
	}
	/* Only a help for whoever is refused: a full disk must not keep us from starting. */
	len = snprintf(owner, sizeof owner, "%ld\n", (long)getpid());
	if (ftruncate(fd, 0) != 0 || pwrite(fd, owner, (size_t)len, 0) != len)
		return fd;
	return fd;
}

void lock_drop(int fd)
{
	if (fd >= 0)
		close(fd);
}
