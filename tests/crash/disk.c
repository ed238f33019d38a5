#include "crash/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "crash/events.h"
#include "crash/random.h"

#define SECTOR 512

/* Bytes or a size that were not synced. */
struct change {
	int64_t at;
	char *data; /* NULL: the file is cut to at */
	size_t len;
};

struct file {
	bool is_dir;
	struct buf durable;
	struct change *changes;
	size_t count;
	struct file *next;
};

struct name {
	char *path;
	struct file *file; /* NULL: removed */
};

struct names {
	struct name *list;
	size_t count;
};

/* A change of a name that was not synced: what the path leads to since then. */
struct pending {
	char *path;
	struct file *file;
	bool with_next; /* the other half of a rename: both or none */
};

struct disk {
	struct file *files; /* all that ever were */
	struct names now, durable;
	struct pending *pending;
	size_t pending_count;
};

static struct file *file_new(struct disk *d, bool is_dir)
{
	struct file *f = xcalloc(1, sizeof(*f));

	f->is_dir = is_dir;
	buf_init(&f->durable);
	f->next = d->files;
	d->files = f;
	return f;
}

static struct file *names_get(const struct names *n, const char *path)
{
	for (size_t i = 0; i < n->count; i++)
		if (strcmp(n->list[i].path, path) == 0)
			return n->list[i].file;
	return NULL;
}

static void names_set(struct names *n, const char *path, struct file *file)
{
	for (size_t i = 0; i < n->count; i++) {
		if (strcmp(n->list[i].path, path) == 0) {
			n->list[i].file = file;
			return;
		}
	}
	n->list = xrealloc(n->list, (n->count + 1) * sizeof(*n->list));
	n->list[n->count++] = (struct name){xstrdup(path), file};
}

static void names_clear(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i].path);
	free(n->list);
}

static void read_file(const char *path, struct buf *out)
{
	char chunk[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(out, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
}

/* Files and directories below root, relative path first; sockets are of no account. */
static void scan(struct disk *d, const char *root, const char *prefix)
{
	char *path = xasprintf("%s/%s", root, prefix);
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    (entry->d_type != DT_REG && entry->d_type != DT_DIR))
			continue;
		char *inner = xasprintf("%s%s%s", prefix, *prefix ? "/" : "", entry->d_name);
		char *whole = xasprintf("%s/%s", root, inner);
		struct file *f = file_new(d, entry->d_type == DT_DIR);
		names_set(&d->now, inner, f);
		names_set(&d->durable, inner, f);
		if (f->is_dir)
			scan(d, root, inner);
		else
			read_file(whole, &f->durable);
		free(whole);
		free(inner);
	}
	if (dir)
		closedir(dir);
	free(path);
}

struct disk *disk_new(const char *dir)
{
	struct disk *d = xcalloc(1, sizeof(*d));

	scan(d, dir, "");
	return d;
}

static void file_forget_changes(struct file *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->changes[i].data);
	free(f->changes);
	f->changes = NULL;
	f->count = 0;
}

void disk_free(struct disk *d)
{
	if (!d)
		return;
	for (struct file *f = d->files, *next; f; f = next) {
		next = f->next;
		file_forget_changes(f);
		buf_clear(&f->durable);
		free(f);
	}
	for (size_t i = 0; i < d->pending_count; i++)
		free(d->pending[i].path);
	free(d->pending);
	names_clear(&d->now);
	names_clear(&d->durable);
	free(d);
}

static void resize(struct buf *b, size_t len)
{
	size_t had = b->len;

	if (len <= had) {
		buf_truncate(b, len);
		return;
	}
	buf_reserve(b, len - had);
	memset(b->data + had, 0, len - had + 1);
	b->len = len;
}

static void put(struct buf *b, size_t at, const char *data, size_t len)
{
	if (at + len > b->len)
		resize(b, at + len);
	memcpy(b->data + at, data, len);
}

static void apply(struct buf *b, const struct change *c)
{
	if (c->data)
		put(b, (size_t)c->at, c->data, c->len);
	else
		resize(b, (size_t)c->at);
}

static void add_change(struct disk *d, const struct event *e)
{
	struct file *f = names_get(&d->now, e->path);

	if (!f || (e->op == SHIM_WRITE && e->data_len == 0))
		return;
	f->changes = xrealloc(f->changes, (f->count + 1) * sizeof(*f->changes));
	f->changes[f->count++] = (struct change){
	    .at = e->at,
	    .data = e->op == SHIM_WRITE ? xmemdup(e->data, e->data_len) : NULL,
	    .len = e->data_len,
	};
}

static void add_name(struct disk *d, const char *path, struct file *file, bool with_next)
{
	names_set(&d->now, path, file);
	d->pending = xrealloc(d->pending, (d->pending_count + 1) * sizeof(*d->pending));
	d->pending[d->pending_count++] = (struct pending){xstrdup(path), file, with_next};
}

static bool is_in_dir(const char *path, const char *dir)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	return strlen(dir) == len && strncmp(path, dir, len) == 0;
}

static void sync_dir(struct disk *d, const char *dir)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->pending_count; i++) {
		struct pending *p = &d->pending[i];
		if (is_in_dir(p->path, dir)) {
			names_set(&d->durable, p->path, p->file);
			free(p->path);
		} else {
			d->pending[kept++] = *p;
		}
	}
	d->pending_count = kept;
}

static void sync_path(struct disk *d, const char *path)
{
	struct file *f = names_get(&d->now, path);

	if (*path == '\0' || (f && f->is_dir)) {
		sync_dir(d, path);
		return;
	}
	for (size_t i = 0; f && i < f->count; i++)
		apply(&f->durable, &f->changes[i]);
	if (f)
		file_forget_changes(f);
}

static void rename_path(struct disk *d, const struct event *e)
{
	char *to = xstrndup(e->data, e->data_len);
	struct file *f = names_get(&d->now, e->path);

	if (f) {
		add_name(d, e->path, NULL, true);
		add_name(d, to, f, false);
	}
	free(to);
}

void disk_play(struct disk *d, const struct event *e)
{
	switch (e->op) {
	case SHIM_WRITE:
	case SHIM_TRUNCATE:
		add_change(d, e);
		break;
	case SHIM_SYNC:
		sync_path(d, e->path);
		break;
	case SHIM_UNLINK:
		if (names_get(&d->now, e->path))
			add_name(d, e->path, NULL, false);
		break;
	case SHIM_RENAME:
		rename_path(d, e);
		break;
	case SHIM_CREATE:
	case SHIM_MKDIR:
		add_name(d, e->path, file_new(d, e->op == SHIM_MKDIR), false);
		break;
	case SHIM_SEND:
	case SHIM_READ:
	case SHIM_DIED:
		break;
	}
}

/* Some sectors of a write reach the disk, in no order. */
static void apply_sectors(struct buf *b, const struct change *c, uint64_t *seed)
{
	for (size_t from = 0, len; from < c->len; from += len) {
		len = SECTOR - ((size_t)c->at + from) % SECTOR;
		len = len > c->len - from ? c->len - from : len;
		if (random_below(seed, 2))
			put(b, (size_t)c->at + from, c->data + from, len);
	}
}

/* Of changes that were not synced: the first ones and a piece of the next, or any. */
static void survive(struct file *f, uint64_t *seed)
{
	bool in_order = random_below(seed, 2);
	size_t whole = f->count ? random_below(seed, f->count + 1) : 0;

	for (size_t i = 0; i < f->count; i++) {
		struct change c = f->changes[i];
		if (!in_order && c.data) {
			apply_sectors(&f->durable, &c, seed);
			continue;
		}
		if (in_order ? i > whole : !random_below(seed, 2))
			continue;
		if (in_order && i == whole && c.data)
			c.len = random_below(seed, c.len + 1);
		if (!c.data || c.len > 0)
			apply(&f->durable, &c);
	}
	file_forget_changes(f);
}

/* Names survive in their order, as with the journal of a file system. */
static void survive_names(struct disk *d, uint64_t *seed)
{
	size_t n = random_below(seed, d->pending_count + 1);

	if (n > 0 && d->pending[n - 1].with_next)
		n--;
	for (size_t i = 0; i < n; i++)
		names_set(&d->durable, d->pending[i].path, d->pending[i].file);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	return at->level == 0 ? 0 : remove(path);
}

static int by_length(const void *a, const void *b)
{
	size_t x = strlen(((const struct name *)a)->path), y = strlen(((const struct name *)b)->path);

	return x < y ? -1 : x > y;
}

static void write_file(const char *path, const struct buf *b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	/* A name below a directory that was lost is lost too. */
	if (fd < 0)
		return;
	if (write(fd, b->data, b->len) != (ssize_t)b->len)
		perror(path);
	close(fd);
}

void disk_cut(struct disk *d, const char *dir, uint64_t seed)
{
	for (struct file *f = d->files; f && seed; f = f->next)
		survive(f, &seed);
	if (seed)
		survive_names(d, &seed);
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	if (d->durable.count > 0)
		qsort(d->durable.list, d->durable.count, sizeof(*d->durable.list), by_length);
	for (size_t i = 0; i < d->durable.count; i++) {
		struct name *n = &d->durable.list[i];
		char *path = xasprintf("%s/%s", dir, n->path);
		if (n->file && n->file->is_dir)
			mkdir(path, 0700);
		else if (n->file)
			write_file(path, &n->file->durable);
		free(path);
	}
}

char *disk_differs(struct disk *d, const char *dir)
{
	for (size_t i = 0; i < d->now.count; i++) {
		struct name *n = &d->now.list[i];
		struct buf wanted = BUF_INIT, found = BUF_INIT;
		bool same;
		if (!n->file || n->file->is_dir)
			continue;
		char *path = xasprintf("%s/%s", dir, n->path);
		read_file(path, &found);
		buf_add(&wanted, n->file->durable.data, n->file->durable.len);
		for (size_t k = 0; k < n->file->count; k++)
			apply(&wanted, &n->file->changes[k]);
		same = wanted.len == found.len && memcmp(wanted.data, found.data, found.len) == 0;
		buf_clear(&wanted);
		buf_clear(&found);
		if (!same)
			return path;
		free(path);
	}
	return NULL;
}
