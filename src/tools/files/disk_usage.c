#include "tools/files/disk_usage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define NAME_BYTES  4096
#define STAT_BLOCK  512
#define UNKNOWN     (INT64_MAX / 4)
#define FOLDER_OPEN (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Folders that are being read, each in the one before. Of the others nothing is kept: they may be many. */
struct walk {
	struct disk_usage *used;
	struct buf path; /* below the first folder */
	struct {
		DIR *dir;
		size_t len; /* of its path */
	} open[DISK_USAGE_DEPTH_MAX + 1];
	size_t count;
};

int64_t disk_usage_of_length(int64_t len)
{
	int64_t bytes = (len + NAME_BYTES - 1) / NAME_BYTES * NAME_BYTES;

	return bytes < NAME_BYTES ? NAME_BYTES : bytes;
}

int64_t disk_usage_of_file(const struct stat *st)
{
	int64_t bytes = (int64_t)st->st_blocks * STAT_BLOCK;

	if (S_ISREG(st->st_mode) && st->st_nlink > 1)
		bytes /= (int64_t)st->st_nlink;
	return bytes < NAME_BYTES ? NAME_BYTES : bytes;
}

/* Names are any bytes, and a sentence shows them. */
static void show_path(const char *path, char *out, size_t size)
{
	struct buf text = BUF_INIT;

	utf8_sanitize(&text, path, strlen(path));
	for (size_t i = 0; i < text.len; i++)
		if (strchr("\t\n\r", text.data[i]))
			text.data[i] = ' ';
	snprintf(out, size, "%.*s", (int)utf8_cut(text.data, text.len, size - 1, UTF8_BYTES), text.data);
	buf_clear(&text);
}

static void note_largest(struct disk_usage *u, const char *path, int64_t bytes)
{
	size_t at = DISK_USAGE_LARGEST;

	while (at > 0 && bytes > u->largest[at - 1].bytes)
		at--;
	if (at == DISK_USAGE_LARGEST)
		return;
	memmove(&u->largest[at + 1], &u->largest[at], (DISK_USAGE_LARGEST - 1 - at) * sizeof(u->largest[0]));
	u->largest[at].bytes = bytes;
	show_path(path, u->largest[at].path, sizeof(u->largest[at].path));
}

/* Our own folder, unreadable for us, could hold anything. */
static bool make_readable(int fd)
{
	struct stat st;
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	    chmod(self, (st.st_mode & 07777) | S_IRUSR | S_IXUSR) == 0;
}

/* Returns -1 with *ours when it is our own, and somebody changed it back meanwhile. */
static int open_below(int folder, const char *name, bool *ours)
{
	int fd = openat(folder, name, FOLDER_OPEN), place;

	*ours = false;
	if (fd >= 0 && (faccessat(fd, ".", X_OK, AT_EACCESS) == 0 || errno != EACCES))
		return fd;
	if (fd < 0 && errno != EACCES)
		return -1;
	place = strcmp(name, ".") == 0 ? fcntl(folder, F_DUPFD_CLOEXEC, 0) :
					 openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (place >= 0) {
		*ours = make_readable(place);
		close(place);
	}
	if (fd >= 0)
		return fd;
	fd = *ours ? openat(folder, name, FOLDER_OPEN) : -1;
	errno = fd < 0 ? EACCES : 0;
	return fd;
}

/* Returns whether this is a temporary file of one of our writes: it counts, but people cannot remove it. */
static bool is_being_written(const char *name)
{
	long pid;

	return sscanf(name, ".myna-%ld-", &pid) == 1 && pid == (long)getpid();
}

/* Returns whether it is a folder; its path is the walk's then. */
static bool add_entry(struct walk *w, DIR *dir, const char *name)
{
	struct disk_usage *u = w->used;
	struct stat st;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	if (fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		u->hidden =
		    u->hidden || (errno == EACCES && fstat(dirfd(dir), &st) == 0 && st.st_uid == geteuid());
		return false;
	}
	u->bytes += disk_usage_of_file(&st);
	u->files += !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode);
	buf_addf(&w->path, "%s%s", w->path.len > 0 ? "/" : "", name);
	if (!S_ISDIR(st.st_mode) && !is_being_written(name))
		note_largest(u, w->path.data, disk_usage_of_file(&st));
	return S_ISDIR(st.st_mode);
}

static void enter(struct walk *w, int folder, const char *name)
{
	bool too_deep = w->count == ARRAY_LEN(w->open), ours = false;
	int fd = too_deep ? -1 : open_below(folder, name, &ours);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	w->used->too_deep = w->used->too_deep || too_deep;
	w->used->hidden = w->used->hidden || (fd < 0 && ours);
	if (dir) {
		w->open[w->count].dir = dir;
		w->open[w->count++].len = w->path.len;
	} else if (fd >= 0) {
		close(fd);
	}
}

void disk_usage_add(int folder, struct disk_usage *out)
{
	struct walk w = {.used = out, .path = BUF_INIT};

	enter(&w, folder, ".");
	while (w.count > 0) {
		DIR *dir = w.open[w.count - 1].dir;
		const struct dirent *e = readdir(dir);

		buf_truncate(&w.path, w.open[w.count - 1].len);
		if (!e) {
			closedir(dir);
			w.count--;
		} else if (add_entry(&w, dir, e->d_name)) {
			enter(&w, dirfd(dir), e->d_name);
		}
	}
	buf_clear(&w.path);
	if (disk_usage_is_unknown(out) && out->bytes < UNKNOWN)
		out->bytes = UNKNOWN;
}

bool disk_usage_is_unknown(const struct disk_usage *u)
{
	return u->too_deep || u->hidden;
}

void disk_usage_add_path(const char *path, struct disk_usage *out)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	disk_usage_add(fd, out);
	close(fd);
}

static void add_size(struct buf *out, int64_t bytes)
{
	if (bytes >= 1 << 30)
		buf_addf(out, "%.1f GiB", (double)bytes / (1 << 30));
	else
		buf_addf(out, "%.1f MiB", (double)bytes / (1 << 20));
}

void disk_usage_describe(const struct disk_usage *u, int64_t quota, char *out, size_t size)
{
	struct buf text = BUF_INIT;

	if (u->hidden) {
		buf_addstr(&text,
		    "A folder was made unreadable again and again while its files were counted, so nobody "
		    "can "
		    "tell what it holds (tools.workspace_quota). Leave its permissions alone.");
	} else if (u->too_deep) {
		buf_addf(&text,
		    "Folders are nested more than %d deep, so nobody can tell what they hold "
		    "(tools.workspace_quota). Remove them, or ask an admin for help.",
		    DISK_USAGE_DEPTH_MAX);
	} else {
		add_size(&text, u->bytes);
		buf_addstr(&text, " of ");
		add_size(&text, quota);
		buf_addstr(
		    &text, " are used (tools.workspace_quota). Remove files, or ask an admin for more.");
	}
	for (size_t i = 0; i < DISK_USAGE_LARGEST && u->largest[i].bytes > 0 && !disk_usage_is_unknown(u);
	     i++) {
		if (i > 0)
			buf_truncate(&text, text.len - 1);
		buf_addf(&text, "%s%s (", i == 0 ? " Largest: " : ", ", u->largest[i].path);
		add_size(&text, u->largest[i].bytes);
		buf_addstr(&text, ").");
	}
	snprintf(out, size, "%.*s", (int)utf8_cut(text.data, text.len, size - 1, UTF8_BYTES), text.data);
	buf_clear(&text);
}
