#include "tools/files/roots_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* openat2 fails with EAGAIN when a directory was renamed meanwhile. */
#define OPEN_TRIES 64

/* O_PATH allows no flags for reading. */
static int flags_of(int flags)
{
	return flags & O_PATH ? O_PATH | O_CLOEXEC : flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
}

int path_open_beneath(int dir, const char *path, int flags)
{
	struct open_how how = {
	    .flags = (unsigned long long)flags_of(flags),
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;

	for (int i = 0; i < OPEN_TRIES; i++) {
		fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return (int)fd;
}

bool path_open_has_openat2(int dir)
{
	int fd = path_open_beneath(dir, ".", O_PATH);

	if (fd >= 0)
		close(fd);
	/* Seccomp filters of containers return EPERM for unknown system calls. */
	return fd >= 0 || (errno != ENOSYS && errno != EPERM);
}

/* Appends a component: "." is dropped, ".." removes the last one. The walk follows no links, so ".." can be
 * resolved by its text. */
static int add_part(char *out, size_t size, const char *part, size_t len)
{
	size_t have = strlen(out);

	if (len == 0 || (len == 1 && part[0] == '.'))
		return 0;
	if (len == 2 && memcmp(part, "..", 2) == 0) {
		char *last = strrchr(out, '/');
		if (have == 0) {
			errno = EXDEV;
			return -1;
		}
		*(last ? last : out) = '\0';
		return 0;
	}
	if (have + len + 2 > size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (have > 0)
		out[have++] = '/';
	memcpy(out + have, part, len);
	out[have + len] = '\0';
	return 0;
}

/* Resolves empty, "." and ".." components. *folder: the path can only name a folder. */
static int normalize_path(const char *path, char *out, size_t size, bool *folder)
{
	*out = '\0';
	*folder = true;
	for (size_t len; *path; path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/");
		*folder = path[len] == '/' || len == 0 || strncmp(path, ".", len) == 0 ||
		    strncmp(path, "..", len) == 0;
		if (add_part(out, size, path, len) < 0)
			return -1;
	}
	return 0;
}

/* Opens one component without following a link; as a folder if wanted. Takes dir. */
static int step(int dir, const char *part, bool folder)
{
	struct stat st;
	int fd = openat(dir, part, O_PATH | O_NOFOLLOW | O_CLOEXEC), problem = fd < 0 ? errno : 0;

	close(dir);
	if (!problem && fstat(fd, &st) < 0)
		problem = errno;
	else if (!problem && S_ISLNK(st.st_mode))
		problem = ELOOP;
	else if (!problem && folder && !S_ISDIR(st.st_mode))
		problem = ENOTDIR;
	if (!problem)
		return fd;
	if (fd >= 0)
		close(fd);
	errno = problem;
	return -1;
}

/* Opens the last component for reading; a link fails with ELOOP. Takes dir. */
static int step_last(int dir, const char *part, int flags)
{
	int fd = openat(dir, part, flags_of(flags) | O_NOFOLLOW), problem = errno;

	close(dir);
	errno = problem;
	return fd;
}

int path_open_walk(int dir, const char *path, int flags)
{
	char straight[PATH_MAX], *part = straight, *end;
	bool folder;

	if (normalize_path(path, straight, sizeof(straight), &folder) < 0)
		return -1;
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	while (at >= 0 && (end = strchr(part, '/'))) {
		*end = '\0';
		at = step(at, part, true);
		part = end + 1;
	}
	if (at < 0)
		return -1;
	if (*part == '\0')
		return step_last(at, ".", flags);
	if (flags & O_PATH)
		return step(at, part, folder);
	return step_last(at, part, flags | (folder ? O_DIRECTORY : 0));
}
