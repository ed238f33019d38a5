/* The folder of one chat or person in the workspace: made at its first use, and moved with the chat. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "tools/files/roots_internal.h"

/* Folders that are merged into one another. */
#define MERGE_DEPTH 16

/* Otherwise it stays root's, with the permissions that the umask leaves to others. */
static void give_to_owner(int folder, const char *name)
{
	int fd = geteuid() == 0 ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	struct stat above;

	if (fd < 0)
		return;
	if (fstat(folder, &above) == 0 && above.st_uid != 0 && fchown(fd, above.st_uid, above.st_gid) < 0)
		log_warn("tools", "a new folder cannot be given to the owner of the one above it: %s",
		    strerror(errno));
	close(fd);
}

int root_make_folder(int folder, const char *name)
{
	if (mkdirat(folder, name, 0777) < 0)
		return -1;
	give_to_owner(folder, name);
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	int rc = fsync(fd) < 0 && errno != EINVAL ? -1 : 0, problem = errno;
	close(fd);
	errno = problem;
	return rc;
}

/* With the permissions of the workspace, which may be root's and open to the user of commands. */
static int make_part_folder(const struct root *root, int folder, const char *name)
{
	struct stat st;

	if (root_make_folder(folder, name) < 0)
		return errno == EEXIST ? 0 : -1;
	return fstat(root->fd, &st) < 0 ? -1 : fchmodat(folder, name, st.st_mode & 0777, 0);
}

/* Makes the folders of the part that are missing. Others may make them at the same time. */
static int make_part(const struct root *root)
{
	char *name = root->below, *slash;
	int at = fcntl(root->fd, F_DUPFD_CLOEXEC, 0), rc = at < 0 ? -1 : 0;

	for (; rc == 0 && (slash = strchr(name, '/')); name = slash + 1) {
		char *parent = xstrndup(root->below, (size_t)(slash - root->below)),
		     *last = xstrndup(name, (size_t)(slash - name));
		rc = make_part_folder(root, at, last);
		close(at);
		at = path_open_walk(root->fd, parent, O_PATH);
		rc = at < 0 ? -1 : rc;
		free(parent);
		free(last);
	}
	/* The chat was here under another id. */
	if (rc == 0 && root->former &&
	    renameat2(root->fd, root->former, root->fd, root->below, RENAME_NOREPLACE) == 0)
		log_info(
		    "tools", "the files of a chat moved with it: %s is now %s", root->former, root->below);
	else if (rc == 0)
		rc = make_part_folder(root, at, name);
	int problem = errno;
	if (at >= 0)
		close(at);
	errno = problem;
	return rc;
}

static int open_folder(int folder, const char *name)
{
	return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Moves what is in one folder into another one, and removes the first if nothing is left in it. What has its
 * name there already stays, except that folders are merged. Takes from. */
static void merge_folder(int parent, const char *name, int from, int to, int depth)
{
	DIR *dir = fdopendir(from);

	for (const struct dirent *e; dir && (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    renameat2(from, e->d_name, to, e->d_name, RENAME_NOREPLACE) == 0 || errno != EEXIST)
			continue;
		int inner = depth < MERGE_DEPTH ? open_folder(from, e->d_name) : -1,
		    other = inner >= 0 ? open_folder(to, e->d_name) : -1;
		if (other >= 0)
			merge_folder(from, e->d_name, inner, other, depth + 1);
		else if (inner >= 0)
			close(inner);
		if (other >= 0)
			close(other);
	}
	unlinkat(parent, name, AT_REMOVEDIR);
	if (dir)
		closedir(dir);
	else
		close(from);
}

/* Files can come under the chat's former id when it has a folder under the new one: 'myna workspace move'
 * knows only the old one. */
static void take_over_former(const struct root *root)
{
	int from = path_open_walk(root->fd, root->former, O_RDONLY | O_DIRECTORY), to;

	if (from < 0)
		return;
	to = path_open_walk(root->fd, root->below, O_RDONLY | O_DIRECTORY);
	if (to < 0) {
		close(from);
		return;
	}
	merge_folder(root->fd, root->former, from, to, 0);
	close(to);
	if (faccessat(root->fd, root->former, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		log_info(
		    "tools", "the files of a chat moved with it: %s is in %s now", root->former, root->below);
}

/* A command can take the permissions of its folder from us, who are its user, and so from everybody in the
 * chat. */
static void make_usable(int folder)
{
	struct stat st;
	char self[64];

	if (geteuid() == 0 || fstat(folder, &st) < 0 || st.st_uid != geteuid() ||
	    (st.st_mode & S_IRWXU) == S_IRWXU)
		return;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", folder);
	if (chmod(self, (st.st_mode & 07777) | S_IRWXU) < 0)
		log_warn("tools", "the folder of a chat cannot be opened to us again: %s", strerror(errno));
}

int root_open_part(const struct root *root)
{
	int fd = path_open_walk(root->fd, root->below, O_PATH);

	if (fd >= 0)
		make_usable(fd);
	if (fd >= 0 && root->former)
		take_over_former(root);
	if (fd >= 0 || errno != ENOENT || make_part(root) < 0)
		return fd;
	return path_open_walk(root->fd, root->below, O_PATH);
}
