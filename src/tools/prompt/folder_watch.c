#include "tools/prompt/folder_watch.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"

#define CHANGES                                                                                           \
	(IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MODIFY | IN_MOVE_SELF | \
	    IN_MOVED_FROM | IN_MOVED_TO | IN_ONESHOT | IN_ONLYDIR)

/* File systems that only this kernel changes. */
static const unsigned long local_types[] = {BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, F2FS_SUPER_MAGIC,
    OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC, XFS_SUPER_MAGIC};

int folder_watch_open(void)
{
	return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

static bool is_local(int folder)
{
	struct statfs fs;

	if (fstatfs(folder, &fs) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(local_types); i++)
		if ((unsigned long)fs.f_type == local_types[i])
			return true;
	return false;
}

void folder_watch_add(struct folder_watch *w, int folder)
{
	char path[40];
	int id = -1;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", folder);
	if (w->inotify >= 0 && w->count < FOLDER_WATCH_MAX && is_local(folder))
		id = inotify_add_watch(w->inotify, path, CHANGES);
	if (id >= 0)
		w->ids[w->count++] = id;
	else
		w->partial = true;
}

void folder_watch_file(struct folder_watch *w, int folder, const char *name)
{
	struct stat st;

	if (strchr(name, '/') ||
	    (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		(!S_ISREG(st.st_mode) || st.st_nlink > 1)))
		w->partial = true;
}

void folder_watch_changes(int inotify, folder_watch_fn *fn, void *arg)
{
	/* Static, because each turn comes here: on its stack they would stay as long as it runs. */
	static alignas(struct inotify_event) char events[4096];
	ssize_t n;

	while (inotify >= 0 && (n = read(inotify, events, sizeof(events))) > 0)
		for (size_t at = 0; at < (size_t)n;) {
			const struct inotify_event *e =
			    (const struct inotify_event *)(const void *)(events + at);

			if (!(e->mask & IN_IGNORED))
				fn(arg, e->mask & IN_Q_OVERFLOW ? -1 : e->wd);
			at += sizeof(*e) + e->len;
		}
}

void folder_watch_end(int inotify, int id)
{
	inotify_rm_watch(inotify, id);
}
