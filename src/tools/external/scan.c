/* Scans the folder of external tools and checks whether its files can be trusted. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/external/external_internal.h"
#include "tools/tools_internal.h"

struct scan_job {
	struct worker_job job;
	char *path, *workspace;
	struct config_strings roots;
	struct external_folder found;
};

void external_program_clear(struct external_program *p)
{
	free(p->file);
	free(p->refusal);
	free(p->tool);
	free(p->summary);
	json_object_put(p->schema);
	*p = (struct external_program){0};
}

void external_folder_clear(struct external_folder *f)
{
	for (size_t i = 0; i < f->count; i++)
		external_program_clear(&f->programs[i]);
	free(f->programs);
	free(f->path);
	free(f->problem);
	*f = (struct external_folder){0};
}

static bool is_ours(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

/* Returns whether another user could replace something in this folder. */
static const char *distrust_folder(const char *path)
{
	struct stat st;
	char *copy = xstrdup(path), *end;
	const char *why = NULL;

	while (!why) {
		bool top = copy[0] == '\0' || strcmp(copy, "/") == 0;
		if (stat(top ? "/" : copy, &st) < 0)
			why = "It cannot be looked at.";
		else if (!is_ours(&st))
			why = "It, or a folder above it, belongs to another user than the gateway's or root.";
		else if (st.st_mode & (S_IWGRP | S_IWOTH) &&
		    !(st.st_mode & S_ISVTX && strcmp(copy, path) != 0))
			why = "It, or a folder above it, can be written by others: chmod go-w.";
		if (top)
			break;
		end = strrchr(copy, '/');
		*end = '\0';
	}
	free(copy);
	return why;
}

static bool is_within(const char *path, const char *root)
{
	char real[PATH_MAX];
	size_t len;

	if (!root || !realpath(root, real))
		return false;
	len = strlen(real);
	return strncmp(path, real, len) == 0 &&
	    (path[len] == '/' || path[len] == '\0' || strcmp(real, "/") == 0);
}

/* File tools must not be able to write a program that runs as a tool. */
static bool is_writable_by_tools(const struct scan_job *s, const char *path)
{
	if (is_within(path, s->workspace))
		return true;
	for (size_t i = 0; i < s->roots.count; i++)
		if (is_within(path, s->roots.items[i]))
			return true;
	return false;
}

static const char *distrust_file(const struct stat *st)
{
	if (S_ISLNK(st->st_mode))
		return "It is a link. Put the program itself here, or a script that starts it.";
	if (!is_ours(st))
		return "It belongs to another user than the gateway's or root.";
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return "It can be written by others: chmod go-w.";
	return NULL;
}

static int64_t nanoseconds(const struct timespec *ts)
{
	return (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;
}

static struct external_stamp stamp_of(const struct stat *st)
{
	return (struct external_stamp){.device = st->st_dev,
	    .inode = st->st_ino,
	    .size = st->st_size,
	    .changed_ns = nanoseconds(&st->st_ctim),
	    .modified_ns = nanoseconds(&st->st_mtim),
	    .mode = st->st_mode,
	    .owner = st->st_uid};
}

/* Hidden files, folders and files that are not executable are ignored. */
static bool is_program(const char *name, const struct stat *st)
{
	if (name[0] == '.')
		return false;
	return S_ISLNK(st->st_mode) || (S_ISREG(st->st_mode) && st->st_mode & (S_IXUSR | S_IXGRP | S_IXOTH));
}

static int by_file(const void *a, const void *b)
{
	return strcmp(((const struct external_program *)a)->file, ((const struct external_program *)b)->file);
}

static void list_programs(struct external_folder *f, DIR *dir)
{
	struct stat st;

	for (struct dirent *d; (d = readdir(dir)) && f->count < EXTERNAL_MAX;) {
		if (fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !is_program(d->d_name, &st))
			continue;
		f->programs = xrealloc(f->programs, (f->count + 1) * sizeof(*f->programs));
		f->programs[f->count++] = (struct external_program){.file = xstrdup(d->d_name),
		    .stamp = stamp_of(&st),
		    .refusal = xstrdup(distrust_file(&st))};
	}
	if (f->count > 0)
		qsort(f->programs, f->count, sizeof(*f->programs), by_file);
}

static char *find_problem(const struct scan_job *s, const char *path)
{
	if (is_writable_by_tools(s, path))
		return xstrdup(
		    "It is in the workspace or a root, where tools write. Name a folder elsewhere.");
	return xstrdup(distrust_folder(path));
}

static void scan_run(struct worker_job *job)
{
	struct scan_job *s = (struct scan_job *)job;
	struct external_folder *f = &s->found;
	DIR *dir = NULL;

	f->path = realpath(s->path, NULL);
	if (!f->path)
		f->problem = xasprintf("The folder cannot be opened: %s.", strerror(errno));
	else if (!(f->problem = find_problem(s, f->path)) && !(dir = opendir(f->path)))
		f->problem = xasprintf("The folder cannot be read: %s.", strerror(errno));
	if (!dir)
		return;
	list_programs(f, dir);
	closedir(dir);
}

static void scan_free(struct worker_job *job)
{
	struct scan_job *s = (struct scan_job *)job;

	external_folder_clear(&s->found);
	config_strings_clear(&s->roots);
	free(s->workspace);
	free(s->path);
	free(s);
}

int external_scan(struct task *t, const struct tools *ts, struct external_folder *out)
{
	struct scan_job *s = xcalloc(1, sizeof(*s));
	const struct config_strings *roots = &ts->settings.roots;

	s->job.run = scan_run;
	s->job.free = scan_free;
	s->path = xstrdup(ts->settings.external);
	s->workspace = xstrdup(ts->settings.workspace);
	s->roots.items = xcalloc(roots->count + 1, sizeof(char *));
	for (; s->roots.count < roots->count; s->roots.count++)
		s->roots.items[s->roots.count] = xstrdup(roots->items[s->roots.count]);
	if (worker_await(t, &s->job, NULL) < 0)
		return -1;
	*out = s->found;
	s->found = (struct external_folder){0};
	scan_free(&s->job);
	return 0;
}
