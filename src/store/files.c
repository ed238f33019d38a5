#include "store/files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

int files_sync(const char *dir, struct error *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;

	/* EINVAL: a file system that has nothing to sync. */
	if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL))
		rc = error_set(err, ERROR_OURS, "cannot sync the directory %s: %m", dir);
	if (fd >= 0)
		close(fd);
	return rc;
}

int files_make_dir(const char *dir, struct error *err)
{
	char *copy;
	int rc;

	if (mkdir(dir, 0700) != 0)
		return errno == EEXIST ?
		    0 :
		    error_set(err, ERROR_OURS, "cannot make the state directory %s: %m", dir);
	copy = xstrdup(dir);
	rc = files_sync(dirname(copy), err);
	free(copy);
	return rc;
}

int64_t files_size(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

int64_t files_free_space(const char *dir)
{
	struct statvfs fs;

	return statvfs(dir, &fs) == 0 ? (int64_t)(fs.f_bavail * fs.f_frsize) : -1;
}

char *files_aside(const char *path, const char *kind, int64_t now_ms)
{
	time_t seconds = (time_t)(now_ms / 1000);
	struct tm tm = {0};
	char stamp[32], *name;

	for (;; seconds++) {
		gmtime_r(&seconds, &tm);
		strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
		name = xasprintf("%s.%s-%s", path, kind, stamp);
		if (access(name, F_OK) != 0)
			return name;
		free(name);
	}
}

static int copy_bytes(int in, int out)
{
	char block[65536];
	ssize_t got, put;

	while ((got = read(in, block, sizeof(block))) > 0)
		for (ssize_t at = 0; at < got; at += put) {
			put = write(out, block + at, (size_t)(got - at));
			if (put < 0)
				return -1;
		}
	return got < 0 ? -1 : 0;
}

static bool is_full(int why)
{
	return why == ENOSPC || why == EDQUOT || why == EFBIG;
}

int files_copy(const char *from, const char *to, struct error *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out = -1, rc = -1;

	if (in >= 0)
		out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (out >= 0)
		rc = copy_bytes(in, out);
	if (rc != 0)
		error_set(err, ERROR_OURS, "cannot copy %s to %s: %m%s", from, to,
		    is_full(errno) ? ": free space there" : "");
	if (rc != 0 && out >= 0)
		unlink(to);
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return rc;
}
