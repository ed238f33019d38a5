#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

/* Entries beyond this number are only counted. */
#define LIST_KEPT_MAX 1000000

struct list_job {
	struct worker_job job;
	struct roots *roots;
	char *path;
	int64_t offset, limit;
	/* Results. */
	struct path_error why;
	char **names; /* in byte order */
	size_t count, room;
	int64_t total;
	struct json_object *entries; /* created on the worker thread, which alone uses it while it runs */
};

static void job_free(struct worker_job *job)
{
	struct list_job *l = (struct list_job *)job;

	roots_unref(l->roots);
	for (size_t i = 0; i < l->count; i++)
		free(l->names[i]);
	free(l->names);
	json_object_put(l->entries);
	free(l->path);
	free(l);
}

static void keep_name(struct list_job *l, const char *name)
{
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return;
	l->total++;
	if (l->count == LIST_KEPT_MAX)
		return;
	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->names = xrealloc(l->names, l->room * sizeof(*l->names));
	}
	l->names[l->count++] = xstrdup(name);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *type_of(mode_t mode)
{
	static const struct {
		mode_t kind;
		const char *name;
	} types[] = {{S_IFBLK, "device"}, {S_IFCHR, "device"}, {S_IFIFO, "fifo"}, {S_IFLNK, "symlink"},
	    {S_IFSOCK, "socket"}};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (types[i].kind == (mode & S_IFMT))
			return types[i].name;
	return NULL;
}

/* An entry that has vanished meanwhile is listed without details. */
static struct json_object *entry_of(int folder, const char *name)
{
	struct json_object *o = json_object_new_object();
	struct stat st = {0};

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
		st = (struct stat){0};
	json_set_str(o, "name", name);
	json_set_bool(o, "is_dir", S_ISDIR(st.st_mode));
	json_set_int(o, "size", S_ISREG(st.st_mode) ? st.st_size : 0);
	json_set_str(o, "type", type_of(st.st_mode));
	return o;
}

/* Takes folder. */
static void list(struct list_job *l, int folder)
{
	DIR *dir = fdopendir(folder);
	struct dirent *entry;

	if (!dir) {
		path_error_io(&l->why, "OPEN_FAILED", "Cannot open directory: ", l->path);
		close(folder);
		return;
	}
	while (errno = 0, (entry = readdir(dir)))
		keep_name(l, entry->d_name);
	if (errno)
		path_error_io(&l->why, "READ_FAILED", "Failed to read directory: ", l->path);
	if (l->count > 0)
		qsort(l->names, l->count, sizeof(*l->names), compare);
	for (int64_t i = l->offset; i < (int64_t)l->count && i - l->offset < l->limit; i++)
		json_object_array_add(l->entries, entry_of(dirfd(dir), l->names[i]));
	closedir(dir);
}

static void job_run(struct worker_job *job)
{
	struct list_job *l = (struct list_job *)job;
	int folder = root_open_folder(l->roots, l->path, &l->why);

	if (folder >= 0)
		list(l, folder);
}

static struct json_object *result_of(const struct list_job *l, bool clamped)
{
	struct json_object *o = json_object_new_object(), *limits;

	json_set(o, "entries", json_object_get(l->entries));
	json_set_int(o, "total", l->total);
	if (l->offset + (int64_t)json_object_array_length(l->entries) < l->total)
		json_set_bool(o, "truncated", true);
	if (clamped) {
		limits = json_object_new_object();
		json_set_int(limits, "limit", l->limit);
		json_set(o, "clamped", limits);
	}
	return o;
}

static struct list_job *job_new(const struct tools *ts, struct json_object *args)
{
	struct list_job *l = xcalloc(1, sizeof(*l));

	l->job = (struct worker_job){.run = job_run, .free = job_free};
	l->roots = roots_ref(ts->roots);
	l->path = xstrdup(json_get_str(args, "path"));
	l->offset = json_get_int(args, "offset", 0);
	l->limit = json_get_int(args, "limit", ts->settings.list_entries);
	l->entries = json_object_new_array();
	return l;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct list_job *l = job_new(call->tools, args);
	int64_t most = call->tools->settings.list_entries;
	bool clamped = l->limit > most;
	struct error err = {0};

	l->limit = clamped ? most : l->limit;
	if (tool_worker_await(t, call, &l->job, &err) < 0)
		return tool_failure("list_directory", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the folder was read.");
	struct json_object *o =
	    l->why.code ? tool_path_failure("list_directory", &l->why) : result_of(l, clamped);
	job_free(&l->job);
	return o;
}

static const char *const aliases[] = {"list_dir", "list_files", NULL};
static const struct tool_alias param_aliases[] = {{"directory", "path"}, {NULL, NULL}};

const struct tool tool_list_directory = {
    .name = "list_directory",
    .aliases = aliases,
    .param_aliases = param_aliases,
    .summary = "List a folder, sorted by name. Each entry has name, is_dir, size and, if it is neither a "
	       "file nor a folder, type. "
	       "Returns: {entries, total, truncated?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"path\":{\"type\":\"string\",\"description\":\"Folder to list, relative to the workspace; . "
	      "is the workspace\"},"
	      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"How many entries to return "
	      "(default: 1000)\"},\"offset\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"How many "
	      "entries to skip (default: 0)\"}"
	      "},\"required\":[\"path\"]}",
    .errors = "ACCESS_DENIED, BLOCKED, IO_ERROR, NOT_FOUND",
    .run = run,
};
