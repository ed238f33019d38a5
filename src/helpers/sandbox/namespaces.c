#include "helpers/sandbox/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "helpers/sandbox/landlock.h"
#include "helpers/sandbox/system_paths.h"
#include "helpers/sandbox/options.h"
#include "helpers/sandbox/report.h"

/* Where the new root is built: a folder that every system has. */
#define BASE "/tmp"
/* Bytes of /tmp for each file that it may have. */
#define TMP_FILE 16384

/* mount_setattr(2), which this libc may lack. */
#define NR_MOUNT_SETATTR 442
struct setattr {
	uint64_t set, clear, propagation, userns_fd;
};
#define ATTR_RDONLY 1
#define ATTR_NOSUID 2
#define ATTR_NODEV  4

enum what { READ, WRITE, HIDE };

/* A path to mount, opened before it is covered. */
struct item {
	const char *path;
	enum what what;
	int fd; /* -1: of what is hidden, which may be more than the files that a process can open */
	bool is_dir;
};

static void write_map(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		report_failed("map the user into a namespace");
	close(fd);
}

void namespaces_enter(const struct options *p)
{
	const unsigned flags =
	    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | (p->network ? 0 : CLONE_NEWNET);
	unsigned uid = geteuid(), gid = getegid();
	char text[64];

	/* Otherwise root owns its files in /proc, such as the maps. */
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	if (unshare((int)flags) < 0)
		report_failed("make namespaces");
	write_map("/proc/self/setgroups", "deny");
	snprintf(text, sizeof(text), "%u %u 1", uid, uid);
	write_map("/proc/self/uid_map", text);
	snprintf(text, sizeof(text), "%u %u 1", gid, gid);
	write_map("/proc/self/gid_map", text);
}

static unsigned long present_flags(const char *path)
{
	static const struct {
		unsigned long st, ms;
	} flags[] = {
	    {ST_NOSUID, MS_NOSUID},
	    {ST_NODEV, MS_NODEV},
	    {ST_NOEXEC, MS_NOEXEC},
	    {ST_RDONLY, MS_RDONLY},
	    {ST_NOATIME, MS_NOATIME},
	    {ST_NODIRATIME, MS_NODIRATIME},
	    {ST_RELATIME, MS_RELATIME},
	};
	struct statvfs vfs;
	unsigned long found = 0;

	if (statvfs(path, &vfs) < 0)
		return 0;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (vfs.f_flag & flags[i].st)
			found |= flags[i].ms;
	}
	return found;
}

/* Restricts a mount and, where the kernel can (5.12), all mounts below it. */
static void restrict_mount(const char *path, bool read_only, unsigned at_flags)
{
	const struct setattr attr = {.set = ATTR_NOSUID | ATTR_NODEV | (read_only ? ATTR_RDONLY : 0)};
	const unsigned long flags = MS_BIND | MS_REMOUNT | MS_NOSUID | MS_NODEV | (read_only ? MS_RDONLY : 0);

	if (syscall(NR_MOUNT_SETATTR, AT_FDCWD, path, at_flags, &attr, sizeof(attr)) == 0)
		return;
	if (mount(NULL, path, NULL, flags | present_flags(path), NULL) < 0)
		report_failed("restrict what is granted");
}

/* Creates the folders above the last part of path. */
static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST && errno != EROFS)
			report_failed("make a folder of the new root");
		*slash = '/';
	}
}

/* It may exist already, from a folder that was mounted before. */
static void make_target(char *path, bool is_dir)
{
	struct stat st;
	int fd;

	if (stat(path, &st) == 0)
		return;
	make_parents(path);
	if (is_dir) {
		if (mkdir(path, 0755) < 0)
			report_failed("make a folder of the new root");
		return;
	}
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
	if (fd < 0)
		report_failed("make a file of the new root");
	close(fd);
}

static void mount_tmpfs(const char *path, const char *options)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		report_failed("make a folder of the new root");
	if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
		report_failed("mount an empty folder");
}

static void put(const struct item *item)
{
	char source[64], target[PATH_MAX];

	if (snprintf(target, sizeof(target), BASE "%s", item->path) >= (int)sizeof(target)) {
		errno = ENAMETOOLONG;
		report_failed("put a place into the new root");
	}
	if (item->what == HIDE && access(target, F_OK) != 0)
		return;
	if (item->what == HIDE && item->is_dir) {
		mount_tmpfs(target, "mode=0755,size=64k,nr_inodes=64");
		return;
	}
	make_target(target, item->is_dir);
	snprintf(source, sizeof(source), "/proc/self/fd/%d", item->fd);
	if (mount(item->what == HIDE ? "/dev/null" : source, target, NULL, MS_BIND | MS_REC, NULL) < 0)
		report_failed("put a place into the new root");
	/* /dev/null over a hidden file stays unchanged. */
	if (item->what != HIDE)
		restrict_mount(target, item->what == READ, AT_RECURSIVE);
}

/* A shorter path is above or beside a longer one; hiding comes after granting of the same path. */
static int by_depth(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	size_t m = strlen(x->path), n = strlen(y->path);

	if (m != n)
		return m < n ? -1 : 1;
	return (int)x->what - (int)y->what;
}

static size_t take(struct item *items, size_t count, const char *path, enum what what)
{
	struct item *item = &items[count];
	struct stat st;

	*item = (struct item){.path = path, .what = what, .fd = -1};
	if (what == HIDE) {
		bool found = stat(path, &st) == 0;
		item->is_dir = found && S_ISDIR(st.st_mode);
		return count + found;
	}
	item->fd = open(path, O_PATH | O_CLOEXEC);
	if (item->fd < 0) {
		if (what != WRITE)
			return count;
		report_failed_at("reach a folder that is granted", path);
	}
	if (fstat(item->fd, &st) < 0)
		report_failed("look at a place that is granted");
	item->is_dir = S_ISDIR(st.st_mode);
	return count + 1;
}

/* /bin is a link to usr/bin on most systems, and stays one. */
static bool put_link(const char *path)
{
	char text[PATH_MAX], target[PATH_MAX];
	ssize_t n = strchr(path + 1, '/') ? -1 : readlink(path, text, sizeof(text) - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	snprintf(target, sizeof(target), BASE "%s", path);
	if (symlink(text, target) < 0)
		report_failed("make a link in the new root");
	return true;
}

/* Before any other mount: granted paths may be in /tmp. The size does not count what the kernel keeps for
 * each file, about 1 KiB. */
static void put_own(const struct options *p)
{
	long long size = p->memory ? p->memory : 64 * 1024 * 1024;
	char options[96];

	snprintf(options, sizeof(options), "mode=1777,size=%lld,nr_inodes=%lld", size, size / TMP_FILE + 1);
	mount_tmpfs(BASE "/tmp", options);
	if (mkdir(BASE "/proc", 0555) < 0 || mkdir(BASE "/var", 0755) < 0 ||
	    symlink("../tmp", BASE "/var/tmp") < 0)
		report_failed("make a folder of the new root");
}

/* Fails when a path to hide is gone from a granted folder: it may be there under another name. */
static void refuse_moved(const struct options *p)
{
	struct stat st;

	for (size_t i = 0; i < p->hides; i++)
		if (system_paths_exposing(p, p->hide[i]) && lstat(p->hide[i], &st) < 0 && errno == ENOENT)
			report_failed(
			    "hide a file of the daemon, which was moved inside a folder that is granted");
}

static void put_all(const struct options *p, const struct grant *system, size_t count)
{
	static struct item *items;
	size_t n = 0;

	items = calloc(SYSTEM_PATHS_MAX + p->reads + p->writes + p->hides, sizeof(*items));
	if (!items)
		report_failed("get memory");
	for (size_t i = 0; i < count; i++)
		n = take(items, n, system[i].path, READ);
	for (size_t i = 0; i < p->reads; i++)
		n = take(items, n, p->read[i], READ);
	for (size_t i = 0; i < p->writes; i++)
		n = take(items, n, p->write[i], WRITE);
	refuse_moved(p);
	for (size_t i = 0; i < p->hides; i++)
		n = take(items, n, p->hide[i], HIDE);
	qsort(items, n, sizeof(items[0]), by_depth);
	mount_tmpfs(BASE, "mode=0755,size=1m");
	put_own(p);
	for (size_t i = 0; i < n; i++) {
		if (items[i].what != READ || !put_link(items[i].path))
			put(&items[i]);
		if (items[i].fd >= 0)
			close(items[i].fd);
	}
}

static void put_devices(void)
{
	struct grant devices[SYSTEM_PATHS_MAX];
	size_t count = system_paths_devices(devices);
	const char *source;
	char target[64];

	if (mkdir(BASE "/dev", 0755) < 0)
		report_failed("make /dev");
	for (size_t i = 0; i < count; i++) {
		snprintf(target, sizeof(target), BASE "%s", devices[i].path);
		make_target(target, false);
		/* Read, /dev/full gives the same zeros, and it cannot be mapped: where there is no Landlock,
		 * /dev/zero would be memory to share. Not restrict_mount: nodev would make them useless. */
		source = strcmp(devices[i].path, "/dev/zero") == 0 ? "/dev/full" : devices[i].path;
		if (mount(source, target, NULL, MS_BIND, NULL) < 0)
			report_failed("put a device into the new root");
	}
}

void namespaces_mount_root(const struct options *p, const struct grant *system, size_t count)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		report_failed("keep mounts apart");
	put_all(p, system, count);
	put_devices();
	if (chdir(BASE) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 ||
	    chdir("/") < 0)
		report_failed("enter the new root");
	restrict_mount("/", true, 0);
}
