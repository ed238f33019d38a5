#include "tools/files/file_search.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/files/glob_pattern.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

void file_search_init(
    struct file_search *s, const struct tools *ts, struct json_object *args, struct glob_pattern *pattern)
{
	const char *directory = json_get_str(args, "directory");

	s->roots = roots_ref(ts->roots);
	s->directory = xstrdup(directory ? directory : ".");
	s->pattern = pattern;
	s->max_ms = (uint64_t)ts->settings.walk_ms;
	s->result_bytes = (size_t)ts->settings.result_bytes;
	s->offset = json_get_int(args, "offset", 0);
	s->limit = json_get_int(args, "head_limit", INT64_MAX);
	walk_init(&s->walk);
	s->walk.cpu_max_ms = ts->settings.walk_cpu_ms;
	s->walk.roots = s->roots;
	s->walk.pattern = pattern;
	s->walk.entries_max = ts->settings.walk_entries;
	s->walk.depth_max = ts->settings.walk_depth;
	s->walk.unwanted = &s->job.abandoned;
	s->walk.timed_out = &s->timed_out;
	s->walk.arg = s;
}

void file_search_clear(struct file_search *s)
{
	walk_clear(&s->walk);
	glob_pattern_free(s->pattern);
	roots_unref(s->roots);
	free(s->directory);
}

struct glob_pattern *file_search_pattern(
    const char *tool, struct json_object *args, const char *name, bool deep, struct json_object **failure)
{
	const char *text = json_get_str(args, name);
	struct buf problem = BUF_INIT;
	struct glob_pattern *p = glob_pattern_new(text && *text ? text : "**/*", deep, &problem);

	if (p && *glob_pattern_start(p) == '/' && json_get_str(args, "directory")) {
		buf_addf(&problem,
		    "Invalid glob pattern: %s is absolute, and there is a directory. Leave one of both out.",
		    name);
		glob_pattern_free(p);
		p = NULL;
	}
	if (!p)
		*failure = tool_failure(tool, "INVALID_ARGUMENT", "INVALID_PATTERN", "%s", problem.data);
	buf_clear(&problem);
	return p;
}

/* Appends the components of path with a '/' each, without empty and "." ones. */
static void add_path(struct buf *out, const char *path)
{
	if (*path == '/')
		buf_addch(out, '/');
	for (size_t len; *path; path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/");
		if (len > 0 && !(len == 1 && *path == '.'))
			buf_addf(out, "%.*s/", (int)len, path);
	}
}

int file_search_open(struct file_search *s)
{
	const char *start = glob_pattern_start(s->pattern);
	int folder = *start == '/' ? -1 : root_open_folder(s->roots, s->directory, &s->why);

	if (*start != '/')
		add_path(&s->walk.path, s->directory);
	if (*start == '\0' || s->why.code)
		return folder;
	if (folder >= 0)
		close(folder);
	add_path(&s->walk.path, start);
	folder = root_open_folder(s->roots, s->walk.path.len ? s->walk.path.data : ".", &s->why);
	bool absent = s->why.cause &&
	    (strcmp(s->why.cause, "FILE_NOT_FOUND") == 0 || strcmp(s->why.cause, "NOT_A_DIRECTORY") == 0);
	if (absent)
		s->why = (struct path_error){0};
	return folder;
}

void file_search_walk(struct file_search *s, int folder)
{
	char *path = xstrdup(s->walk.path.len ? s->walk.path.data : ".");

	walk_run(&s->walk, folder, path);
	free(path);
}

bool file_search_count_match(struct file_search *s)
{
	s->total++;
	/* Matches that cannot fit into a result are only counted. */
	if (s->total <= s->offset || s->count >= s->limit || s->kept_bytes > s->result_bytes)
		return false;
	s->count++;
	return true;
}

static void on_late(struct clock_timer *timer, void *arg)
{
	struct file_search *s = arg;

	(void)timer;
	atomic_store(&s->timed_out, true);
}

struct json_object *file_search_await(struct task *t, const struct tool_call *call, struct file_search *s)
{
	struct clock_timer timer = {0};
	struct error err = {0};

	clock_timer_start(&timer, s->max_ms, on_late, s);
	int rc = tool_worker_await(t, call, &s->job, &err);
	clock_timer_stop(&timer);
	if (rc == 0)
		return NULL;
	return tool_failure(
	    call->tool->name, "INTERRUPTED", "STOPPED", "The turn was stopped while files were searched.");
}

struct json_object *file_search_result(
    const struct file_search *s, struct json_object *matches, int64_t total_found)
{
	struct json_object *o = json_object_new_object();
	int64_t count = (int64_t)json_object_array_length(matches);

	json_set(o, "matches", matches);
	json_set_int(o, "count", count);
	json_set_int(o, "total_found", total_found);
	if (s->walk.end_reason || s->offset + count < s->total)
		json_set_bool(o, "truncated", true);
	if (s->walk.skipped > 0)
		json_set_int(o, "skipped", s->walk.skipped);
	json_set_str(o, "message", s->walk.end_reason);
	return o;
}
