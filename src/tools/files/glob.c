#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "tools/tools_internal.h"
#include "tools/files/file_search.h"

/* Minimum size of a path in a result. */
#define MATCH_MIN 4

struct match {
	char *path;
	int64_t key; /* the largest first, then by path */
};

struct glob_job {
	struct file_search s;                  /* first */
	int64_t (*key)(const struct stat *st); /* NULL: sort by name, the order of the walk */
	struct match *matches;
	size_t match_count, room;
	size_t most; /* with a key: number of matches up to the end of the requested page */
};

static int64_t key_modified(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

static int64_t key_size(const struct stat *st)
{
	return st->st_size;
}

static const struct {
	const char *name;
	int64_t (*key)(const struct stat *st);
} sorts[] = {{"modified", key_modified}, {"name", NULL}, {"size", key_size}};

static void job_free(struct worker_job *job)
{
	struct glob_job *g = (struct glob_job *)job;

	for (size_t i = 0; i < g->match_count; i++)
		free(g->matches[i].path);
	free(g->matches);
	file_search_clear(&g->s);
	free(g);
}

static int compare(const void *a, const void *b)
{
	const struct match *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return strcmp(x->path, y->path);
}

static void keep(struct glob_job *g, const char *path, int64_t key)
{
	if (g->match_count == g->room) {
		g->room = g->room ? 2 * g->room : 64;
		g->matches = xrealloc(g->matches, g->room * sizeof(*g->matches));
	}
	g->matches[g->match_count++] = (struct match){xstrdup(path), key};
}

/* Sorts, and drops all but the first `most`. */
static void sort_out(struct glob_job *g, size_t most)
{
	if (g->match_count > 0)
		qsort(g->matches, g->match_count, sizeof(*g->matches), compare);
	while (g->match_count > most)
		free(g->matches[--g->match_count].path);
}

static void visit(struct walk *w, int folder, const char *name)
{
	struct glob_job *g = w->arg;
	struct stat st = {0};

	if (!g->key) {
		if (file_search_count_match(&g->s)) {
			keep(g, w->path.data, 0);
			g->s.kept_bytes += w->path.len + MATCH_MIN;
		}
		return;
	}
	g->s.total++;
	/* A file that has vanished meanwhile sorts last. */
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
		st = (struct stat){0};
	keep(g, w->path.data, g->key(&st));
	if (g->match_count >= 2 * g->most)
		sort_out(g, g->most);
}

/* Moves the requested page of the sorted matches to the front. */
static void take_page(struct glob_job *g)
{
	size_t before = (uint64_t)g->s.offset < g->match_count ? (size_t)g->s.offset : g->match_count;

	sort_out(g, g->most);
	for (size_t i = 0; i < before; i++)
		free(g->matches[i].path);
	memmove(g->matches, g->matches + before, (g->match_count - before) * sizeof(*g->matches));
	g->match_count -= before;
	sort_out(g, (uint64_t)g->s.limit < SIZE_MAX ? (size_t)g->s.limit : SIZE_MAX);
}

static void job_run(struct worker_job *job)
{
	struct glob_job *g = (struct glob_job *)job;
	int folder = file_search_open(&g->s);

	if (folder < 0)
		return;
	g->s.walk.visit = visit;
	file_search_walk(&g->s, folder);
	if (g->key && g->match_count > 0)
		take_page(g);
}

static struct json_object *result_of(const struct glob_job *g)
{
	struct json_object *matches = json_object_new_array();

	for (size_t i = 0; i < g->match_count; i++)
		json_object_array_add(matches, json_object_new_string(g->matches[i].path));
	struct json_object *o = file_search_result(&g->s, matches, g->s.total);
	json_set_bool(o, "truncated", json_get_bool(o, "truncated", false));
	return o;
}

static struct glob_job *job_new(
    const struct tools *ts, struct json_object *args, struct glob_pattern *pattern)
{
	struct glob_job *g = xcalloc(1, sizeof(*g));
	const char *sort = json_get_str(args, "sort");

	g->s.job = (struct worker_job){.run = job_run, .free = job_free};
	file_search_init(&g->s, ts, args, pattern);
	for (size_t i = 0; sort && i < ARRAY_LEN(sorts); i++)
		if (strcmp(sorts[i].name, sort) == 0)
			g->key = sorts[i].key;
	int64_t page = (int64_t)g->s.result_bytes / MATCH_MIN + 1;
	if (g->s.limit < page)
		page = g->s.limit;
	g->most = (size_t)ts->settings.walk_entries;
	if (g->s.offset < ts->settings.walk_entries)
		g->most = (size_t)(g->s.offset + page);
	return g;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o = NULL;
	struct glob_pattern *pattern = file_search_pattern("glob", args, "pattern", false, &o);

	if (!pattern)
		return o;
	struct glob_job *g = job_new(call->tools, args, pattern);
	o = file_search_await(t, call, &g->s);
	if (o)
		return o;
	o = g->s.why.code ? tool_path_failure("glob", &g->s.why) : result_of(g);
	job_free(&g->s.job);
	return o;
}

static const struct tool_alias param_aliases[] = {{"path", "directory"}, {NULL, NULL}};

const struct tool tool_glob = {
    .name = "glob",
    .param_aliases = param_aliases,
    .summary = "Find files whose paths match a pattern. Prefer this to shell commands such as find and ls. "
	       "Returns: {matches, count, total_found, truncated, skipped?, message?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"pattern\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"Such as "
	      "*.md or src/**/*.{c,h}: * ? [a-z] within a name, ** for any folders; a / at its end asks for "
	      "folders. Wildcards do not match a leading dot\"},"
	      "\"directory\":{\"type\":\"string\",\"description\":\"Folder to search (default: the "
	      "workspace)\"},\"sort\":{\"type\":\"string\",\"enum\":[\"name\",\"modified\",\"size\"],"
	      "\"description\":\"Order: by name, newest first or largest first (default: name)\"},"
	      "\"head_limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"How many matches to "
	      "return (default: all that fit)\"},"
	      "\"offset\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"How many matches to skip "
	      "(default: 0)\"}"
	      "},\"required\":[\"pattern\"]}",
    .errors = "ACCESS_DENIED, BLOCKED, IO_ERROR, NOT_FOUND",
    .run = run,
};
