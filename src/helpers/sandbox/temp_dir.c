#include "helpers/sandbox/sandbox_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/sandbox/report.h"

/* Deeper folders are moved up instead, because each level needs a descriptor. */
#define DEEPEST 32

const char *temp_dir_make(void)
{
	static char path[] = "/tmp/myna-tool-XXXXXX";

	if (!mkdtemp(path))
		report_failed("make a folder for temporary files in /tmp");
	return path;
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Opens a folder, and no link to one. If its owner removed his own permissions, he gets them back. */
static int open_whole(int dir, const char *name)
{
	int path = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), fd;
	char self[64];

	if (path < 0)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", path);
	chmod(self, 0700);
	fd = openat(path, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	close(path);
	return fd;
}

/* Empties the folder open at dir; folders that are too deep move to top under another name. Returns false to
 * scan again. */
static bool empty(int dir, int top, int depth)
{
	static unsigned moved;
	DIR *entries = fdopendir(dup(dir));
	const struct dirent *e;
	bool done = true;

	while (entries && (e = readdir(entries))) {
		char name[32];
		int fd;

		if (is_dot(e->d_name) || unlinkat(dir, e->d_name, 0) == 0)
			continue;
		snprintf(name, sizeof(name), ".deep-%u", moved++);
		if (depth == DEEPEST && renameat(dir, e->d_name, top, name) == 0) {
			done = false;
			continue;
		}
		fd = open_whole(dir, e->d_name);
		if (fd >= 0) {
			done = empty(fd, top, depth + 1) && done;
			close(fd);
		}
		unlinkat(dir, e->d_name, AT_REMOVEDIR);
	}
	if (entries)
		closedir(entries);
	return done;
}

void temp_dir_remove(const char *path)
{
	int top = open_whole(AT_FDCWD, path);

	if (top < 0)
		return;
	while (!empty(top, top, 0))
		;
	close(top);
	rmdir(path);
}
