#include "bus/outbox_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/disk_free.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/worker.h"
#include "bus/bus_internal.h"

#define BLOCK   65536
#define HOUR_MS (3600 * 1000)

void bus_set_files(struct bus *b, const char *dir)
{
	free(b->files);
	b->files = xstrdup(dir);
}

void bus_share_files(struct bus *b)
{
	b->files_are_shared = true;
}

const char *bus_files(const struct bus *b)
{
	return b->files;
}

/* Copies all of in, at most `max` bytes. */
static int copy_bytes(int in, int out, int64_t max, int64_t *size, struct error *err)
{
	char block[BLOCK];
	ssize_t got, put;

	*size = 0;
	while ((got = read(in, block, sizeof(block))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set(err, ERROR_OURS, "the file cannot be read: %m");
		*size += got;
		if (max > 0 && *size > max)
			return error_set(
			    err, ERROR_REFUSED, "the file is larger than %lld bytes", (long long)max);
		for (ssize_t at = 0; at < got; at += put) {
			put = write(out, block + at, (size_t)(got - at));
			if (put < 0)
				return error_set(err, ERROR_OURS,
				    "the file cannot be copied into the state directory: %m");
		}
	}
	return fsync(out) == 0 ?
	    0 :
	    error_set(err, ERROR_OURS, "the file cannot be copied into the state directory: %m");
}

static int sync_folder(const char *dir, struct error *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;

	/* EINVAL: a file system that has nothing to sync. */
	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
		rc = error_set(err, ERROR_OURS, "cannot sync the directory %s: %m", dir);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Creates the directory durably: otherwise its files would be lost with it in a power cut. */
static int make_folder(const char *dir, struct error *err)
{
	char *parent = xstrdup(dir), *slash = strrchr(parent, '/');
	int rc = 0;

	if (mkdir(dir, 0700) == 0) {
		if (slash)
			slash[slash == parent] = '\0';
		rc = sync_folder(slash ? parent : ".", err);
	} else if (errno != EEXIST) {
		rc = error_set(err, ERROR_OURS, "cannot make the directory %s: %m", dir);
	}
	free(parent);
	return rc;
}

/* Creates a new file in the directory and returns its path. */
static int make_file(const char *dir, char **path, struct error *err)
{
	static atomic_uint counter;

	for (;;) {
		*path = xasprintf("%s/%ld-%u", dir, (long)getpid(), atomic_fetch_add(&counter, 1));
		int fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0)
			return fd;
		free(*path);
		*path = NULL;
		/* An earlier process with the same pid may have left files. */
		if (errno != EEXIST)
			return error_set(err, ERROR_OURS, "cannot make a file in %s: %m", dir);
	}
}

static int check_space(int in, int out, int64_t reserve, struct error *err)
{
	struct stat st;

	if (fstat(in, &st) < 0 || disk_has_room(out, reserve, st.st_size))
		return 0;
	return error_set(err, ERROR_LIMITED, "too little space would be left for the state");
}

int outbox_file_copy(
    const char *dir, int fd, int64_t max, int64_t reserve, struct attachment *out, struct error *err)
{
	char *path;
	int copy, rc;

	if (make_folder(dir, err) < 0)
		return -1;
	copy = make_file(dir, &path, err);
	if (copy < 0)
		return -1;
	rc = check_space(fd, copy, reserve, err);
	if (rc == 0)
		rc = copy_bytes(fd, copy, max, &out->size, err);
	if (rc == 0)
		rc = sync_folder(dir, err);
	close(copy);
	if (rc < 0) {
		unlink(path);
		free(path);
		return -1;
	}
	free(out->path);
	out->path = path;
	return 0;
}

void outbox_file_remove(const struct attachment *file)
{
	if (file->path)
		unlink(file->path);
}

static struct outbound *file_row(const struct address *to, enum outbound_kind kind, struct attachment *file,
    const char *caption, const char *reply_to, int64_t turn)
{
	struct outbound *o = outbound_new(to, kind, caption);

	o->file = xmemdup(file, sizeof(*file));
	*file = (struct attachment){.size = -1, .seconds = -1};
	o->reply_to = xstrdup(reply_to);
	o->turn = turn;
	o->created_ms = o->updated_ms = clock_wall();
	return o;
}

/* Puts one delivery before the others and renumbers the parts. */
static struct outbound **rows_prepend(
    struct outbound *first, struct outbound **rows, size_t *count, const char *key)
{
	rows = xrealloc(rows, (*count + 1) * sizeof(*rows));
	for (size_t i = *count; i > 0; i--)
		rows[i] = rows[i - 1];
	rows[0] = first;
	(*count)++;
	for (size_t i = 0; i < *count; i++) {
		rows[i]->part = (int)i + 1;
		rows[i]->parts = (int)*count;
		free(rows[i]->key);
		rows[i]->key = key && i > 0 ? xasprintf("%s/%zu", key, i + 1) : xstrdup(key);
	}
	return rows;
}

struct outbound **bus_file_rows(struct bus *b, const struct address *to, enum outbound_kind kind,
    struct attachment *file, const char *caption, const char *reply_to, const char *key, int64_t turn,
    size_t *count, struct error *err)
{
	const struct channel *ch = bus_channel(b, to->channel);
	struct outbound **rows = NULL;
	struct address now = *to;
	bool blank = caption[strspn(caption, " \t\r\n")] == '\0', fits;

	*count = 0;
	if (!ch || !(ch->ops->caps & CHANNEL_FILES)) {
		error_set(err, ERROR_REFUSED,
		    ch ? "The channel %s cannot send files." : "There is no channel named %s.", to->channel);
		return NULL;
	}
	if (!bus_serves(b, to) && !b->files_are_shared) {
		error_set(err, ERROR_REFUSED,
		    "Another node serves the channel %s, and does not have this file. Send it there, or set "
		    "cluster.shared.",
		    to->channel);
		return NULL;
	}
	if (bus_follow_move(b, &now))
		reply_to = NULL;
	fits = blank || utf8_count(caption, strlen(caption), UTF8_UTF16) <= ch->ops->caption_max;
	if (!fits && !(rows = bus_rows(b, to, kind, caption, NULL, NULL, turn, count, err)))
		return NULL;
	return rows_prepend(
	    file_row(&now, kind, file, fits && !blank ? caption : "", reply_to, turn), rows, count, key);
}

struct load_job {
	struct worker_job job;
	struct attachment file;
	struct buf bytes;
	struct error err;
	int rc;
};

/* A lack of descriptors passes, and so may an error of the disk: the copy is still there. */
static int cannot_read(struct load_job *l)
{
	if (errno == ENOENT || errno == ELOOP)
		return error_set(&l->err, ERROR_REFUSED, "the copy of the file %s is gone: %m", l->file.name);
	return error_set(
	    &l->err, ERROR_NETWORK, "the copy of the file %s cannot be read now: %m", l->file.name);
}

static int read_all(struct load_job *l, int fd)
{
	ssize_t got = 1;

	buf_reserve(&l->bytes, (size_t)l->file.size);
	for (char block[BLOCK]; got > 0 && l->bytes.len <= (size_t)l->file.size;) {
		got = read(fd, block, sizeof(block));
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			buf_add(&l->bytes, block, (size_t)got);
	}
	if (got < 0)
		return cannot_read(l);
	if (l->bytes.len != (size_t)l->file.size)
		return error_set(&l->err, ERROR_REFUSED, "the copy of the file %s is not what was to be sent",
		    l->file.name);
	return 0;
}

static void load_run(struct worker_job *job)
{
	struct load_job *l = (struct load_job *)job;
	int fd = open(l->file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	l->rc = fd < 0 ? cannot_read(l) : read_all(l, fd);
	if (fd >= 0)
		close(fd);
}

static void load_free(struct worker_job *job)
{
	struct load_job *l = (struct load_job *)job;

	attachment_clear(&l->file);
	buf_clear(&l->bytes);
	free(l);
}

int outbox_file_load(struct task *t, const struct outbound *row, struct buf *out, struct error *err)
{
	struct load_job *l = xcalloc(1, sizeof(*l));
	int rc;

	l->job = (struct worker_job){.run = load_run, .free = load_free};
	l->file = attachment_copy(row->file);
	if (!l->file.name)
		l->file.name = xstrdup("to send");
	buf_init(&l->bytes);
	if (worker_await(t, &l->job, err) < 0)
		return -1;
	rc = l->rc;
	if (rc < 0 && err)
		*err = l->err;
	if (rc == 0 && out->len == 0) {
		buf_clear(out);
		*out = l->bytes;
		buf_init(&l->bytes);
	} else if (rc == 0) {
		buf_add(out, l->bytes.data, l->bytes.len);
	}
	load_free(&l->job);
	return rc;
}

/* Removes one file, or the files of a directory that no delivery uses. */
struct sweep_job {
	struct worker_job job;
	char *path;
	bool folder;
	int64_t before_ms; /* removes only older files, wall clock */
	char **keep;
	size_t keep_count;
	size_t removed;
};

static bool is_kept(const struct sweep_job *s, const char *path)
{
	for (size_t i = 0; i < s->keep_count; i++)
		if (strcmp(s->keep[i], path) == 0)
			return true;
	return false;
}

/* A file that is being copied has no delivery yet. */
static bool is_old(const struct sweep_job *s, const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 &&
	    st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000 < s->before_ms;
}

static void sweep_folder(struct sweep_job *s)
{
	DIR *dir = opendir(s->path);

	for (struct dirent *e; dir && (e = readdir(dir));) {
		char *path = xasprintf("%s/%s", s->path, e->d_name);
		if (e->d_name[0] != '.' && is_old(s, path) && !is_kept(s, path))
			s->removed += unlink(path) == 0;
		free(path);
	}
	if (dir)
		closedir(dir);
}

static void sweep_run(struct worker_job *job)
{
	struct sweep_job *s = (struct sweep_job *)job;

	if (s->folder)
		sweep_folder(s);
	else if (unlink(s->path) < 0 && errno != ENOENT)
		log_warn(
		    "bus", "cannot remove the copy of a file that is not sent any more: %m path=%s", s->path);
}

static void sweep_free(struct worker_job *job)
{
	struct sweep_job *s = (struct sweep_job *)job;

	for (size_t i = 0; i < s->keep_count; i++)
		free(s->keep[i]);
	free(s->keep);
	free(s->path);
	free(s);
}

static struct sweep_job *sweep_new(const char *path, bool folder)
{
	struct sweep_job *s = xcalloc(1, sizeof(*s));

	s->job = (struct worker_job){.run = sweep_run, .free = sweep_free};
	s->path = xstrdup(path);
	s->folder = folder;
	return s;
}

static void remove_task(struct task *t, void *arg)
{
	struct sweep_job *s = arg;

	if (worker_await(t, &s->job, NULL) == 0)
		sweep_free(&s->job);
}

void outbox_file_discard(struct bus *b, const struct attachment *file)
{
	/* The next start removes what a stop leaves. */
	if (file && file->path && !b->stopping)
		task_start(&b->tasks, "outfile", remove_task, sweep_new(file->path, false));
}

int outbox_file_sweep(struct task *t, struct bus *b, struct error *err)
{
	int64_t now_ms = clock_wall();
	char **keep;
	int n;

	if (!b->files)
		return 0;
	n = b->journal.ops->list_files(t, b->journal.self, &keep, err);
	if (n < 0)
		return -1;
	struct sweep_job *s = sweep_new(b->files, true);
	/* Another node may be about to store the delivery. */
	s->before_ms = b->files_are_shared ? now_ms - HOUR_MS : now_ms;
	s->keep = keep;
	s->keep_count = (size_t)n;
	if (worker_await(t, &s->job, err) < 0)
		return -1;
	if (s->removed > 0)
		log_info("bus", "removed copies of files that are not sent any more: count=%zu", s->removed);
	sweep_free(&s->job);
	return 0;
}
