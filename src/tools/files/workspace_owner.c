#include "tools/files/workspace_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

static void open_way(const char *state, const char *path)
{
	size_t len = strlen(state);
	struct stat st;

	if (strncmp(path, state, len) != 0 || path[len] != '/' || stat(state, &st) < 0)
		return;
	if (chmod(state, (st.st_mode & 07777) | S_IXGRP | S_IXOTH) < 0)
		log_warn("tools", "commands cannot pass through %s: %s", state, strerror(errno));
}

void workspace_owner_set(const char *user, const char *path, const char *state)
{
	char text[4096];
	struct passwd pw, *found = NULL;
	struct stat st;
	int fd;

	if (geteuid() != 0 || getpwnam_r(user, &pw, text, sizeof(text), &found) != 0 || !found ||
	    pw.pw_uid == 0)
		return;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == 0 && fchown(fd, pw.pw_uid, pw.pw_gid) < 0)
		log_warn("tools", "%s cannot be given to %s: %s", path, user, strerror(errno));
	close(fd);
	if (state)
		open_way(state, path);
}
