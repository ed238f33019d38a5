/* Writes the text to a new file beside the old one, syncs it, and renames it over the old one. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/disk_free.h"
#include "base/io_full.h"
#include "base/wrong.h"
#include "tools/files/disk_usage.h"
#include "tools/files/write_target.h"
#include "tools/files/path_error.h"
#include "tools/files/roots_internal.h"

/* Other names to try: an earlier process with the same pid may have left a file. */
#define NAME_TRIES 1000
#define NAME_SIZE  64

/* Creates a new file in the folder, and its name; -1 with errno. */
static int make_beside(const struct write_target *p, char *name, mode_t mode)
{
	static atomic_uint counter;
	int fd = -1;

	for (int i = 0; fd < 0 && i < NAME_TRIES; i++) {
		snprintf(name, NAME_SIZE, ".myna-%ld-%u.tmp", (long)getpid(), atomic_fetch_add(&counter, 1));
		fd = openat(p->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

/* The owner first: changing it clears set-user-id bits, as does a write by any user but root. */
static int keep_owner(int fd, const struct write_target *p)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	if ((st.st_uid != p->st.st_uid || st.st_gid != p->st.st_gid) &&
	    fchown(fd, p->st.st_uid, p->st.st_gid) < 0)
		return -1;
	return fchmod(fd, p->st.st_mode & 01777);
}

/* If we are root, a new file gets the folder's owner: commands, which do not run as root, use it, too. */
static int give_to_owner(int fd, const struct write_target *p)
{
	struct stat st;

	if (geteuid() != 0)
		return 0;
	if (fstat(p->folder, &st) < 0)
		return -1;
	return st.st_uid == 0 ? 0 : fchown(fd, st.st_uid, st.st_gid);
}

static int fill(int fd, const struct write_target *p, const struct write_target_content *text)
{
	if ((p->exists ? keep_owner(fd, p) : give_to_owner(fd, p)) < 0)
		return -1;
	if (io_write_full(fd, text->data, text->len) < 0)
		return -1;
	return fsync(fd);
}

/* Is the file still the one that write_target_refresh saw? */
static bool is_unchanged(const struct write_target *p)
{
	struct stat st;

	if (fstatat(p->folder, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT && !p->exists;
	return p->exists && st.st_dev == p->st.st_dev && st.st_ino == p->st.st_ino &&
	    st.st_size == p->st.st_size && st.st_mtim.tv_sec == p->st.st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == p->st.st_mtim.tv_nsec && st.st_nlink == 1;
}

/* Renames the old file to the backup's name and the new one into its place, by an exchange, so that there is
 * always a complete file and never one with two names. On a file system that cannot exchange, the old file
 * has both names for a moment. */
static int rename_both(const struct write_target *p, const char *name, const struct write_target *backup)
{
	char old[NAME_SIZE];

	if (renameat2(p->folder, name, p->folder, p->name, RENAME_EXCHANGE) == 0) {
		if (renameat(p->folder, name, p->folder, backup->name) == 0)
			return 0;
		/* The caller removes what has that name, which must not be the old file. */
		int why = errno;
		renameat2(p->folder, name, p->folder, p->name, RENAME_EXCHANGE);
		errno = why;
		return -1;
	}
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	int fd = make_beside(p, old, 0600);
	if (fd < 0)
		return -1;
	close(fd);
	unlinkat(p->folder, old, 0);
	if (linkat(p->folder, p->name, p->folder, old, 0) < 0)
		return -1;
	if (renameat(p->folder, old, p->folder, backup->name) < 0) {
		int why = errno;
		unlinkat(p->folder, old, 0);
		errno = why;
		return -1;
	}
	return renameat(p->folder, name, p->folder, p->name);
}

static int rename_new(const struct write_target *p, const char *name)
{
	/* A file that somebody created meanwhile stays. */
	if (!p->exists && renameat2(p->folder, name, p->folder, p->name, RENAME_NOREPLACE) == 0)
		return 0;
	if (!p->exists && errno != EINVAL && errno != ENOSYS)
		return -1;
	return renameat(p->folder, name, p->folder, p->name);
}

static int put_in_place(const struct write_target *p, const char *name, const char *path,
    const struct write_target_content *text, struct path_error *why)
{
	int rc;

	if (is_unchanged(p))
		rc = p->exists && text->backup ? rename_both(p, name, text->backup) : rename_new(p, name);
	else
		rc = -1, errno = EEXIST;
	if (rc < 0 && (errno == EEXIST || errno == ENOENT))
		return path_error_set(why, "IO_ERROR", "WRITE_FAILED", "Failed to write file: ", path,
		    ": it is being replaced. Look at it, then try again.");
	return rc < 0 ? path_error_write(why, path) : 0;
}

/* A power cut can undo a rename that is not synced; the file is complete either way. */
static int sync_folder(const struct write_target *p, const char *path, struct path_error *why)
{
	if (fsync(p->folder) == 0 || errno == EINVAL)
		return 0;
	return path_error_io(why, "WRITE_FAILED", "It was written, but the disk did not confirm it: ", path);
}

static int check_space(const struct write_target *p, const char *path, size_t len, struct path_error *why)
{
	if (disk_has_room(p->folder, p->roots->disk_reserve, (int64_t)len))
		return 0;
	return path_error_set(why, "LIMIT_REACHED", "DISK", "Not written: ", path,
	    ". Too little space would be left on the disk (tools.disk_reserve). Remove files, or ask a "
	    "person.");
}

int write_target_check_quota(
    const struct write_target *p, const char *path, int64_t change, struct path_error *why)
{
	int64_t quota = p->root == &p->roots->items[0] ? p->roots->quota : 0;
	struct disk_usage used = {0};
	char usage_text[400], after[sizeof(usage_text) + 4];

	if (quota == 0 || WRONG("quota-forgotten"))
		return 0;
	int fd = root_reopen_folder(root_open_folder_in(p->roots, p->root, "."));
	if (fd < 0)
		return path_error_write(why, path);
	disk_usage_add(fd, &used);
	close(fd);
	used.bytes += change;
	if (used.bytes <= quota)
		return 0;
	disk_usage_describe(&used, quota, usage_text, sizeof(usage_text));
	snprintf(after, sizeof(after), ". %s", usage_text);
	return path_error_set(why, "LIMIT_REACHED", "QUOTA", "Not written: ", path, after);
}

/* Counts the new file, which is complete beside the old one: two writes at the same time count each other. */
static int check_quota(const struct write_target *p, const char *path,
    const struct write_target_content *text, struct path_error *why)
{
	const struct write_target *replaced = text->backup ? text->backup : p;
	int64_t freed = p->exists && replaced->exists ? disk_usage_of_file(&replaced->st) : 0;

	if (disk_usage_of_length((int64_t)text->len) <= freed)
		return 0;
	return write_target_check_quota(p, path, -freed, why);
}

int write_target_replace(const struct write_target *p, const char *path,
    const struct write_target_content *text, struct path_error *why)
{
	char name[NAME_SIZE];
	int fd, rc;

	/* Renaming needs only the folder's permission, so check the file's own. */
	if (p->exists && faccessat(p->folder, p->name, W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) < 0)
		return path_error_write(why, path);
	if (check_space(p, path, text->len, why) < 0)
		return -1;
	fd = make_beside(p, name, p->exists ? 0600 : text->mode);
	if (fd < 0)
		return path_error_write(why, path);
	rc = fill(fd, p, text);
	if (rc < 0)
		path_error_write(why, path);
	/* Network file systems report only at close that they are full. */
	if (close(fd) < 0 && rc == 0)
		rc = path_error_write(why, path);
	if (rc == 0)
		rc = check_quota(p, path, text, why);
	if (rc == 0)
		rc = put_in_place(p, name, path, text, why);
	if (rc < 0) {
		unlinkat(p->folder, name, 0);
		return -1;
	}
	return sync_folder(p, path, why);
}
