#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "tools/files/grep_scan.h"
#include "tools/files/regex.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/files/file_search.h"

#define HARD_FILES \
	"In %lld of the skipped files the pattern takes too long. Use one with fewer nested repetitions."

struct grep_job {
	struct file_search s; /* first */
	struct grep_scan scan;
	const struct file_type *type; /* NULL for any */
};

static const struct {
	const char *name;
	enum grep_mode mode;
} modes[] = {{"content", GREP_CONTENT}, {"count", GREP_COUNT}, {"files_with_matches", GREP_FILES}};

static void job_free(struct worker_job *job)
{
	struct grep_job *g = (struct grep_job *)job;

	grep_scan_clear(&g->scan);
	regex_free(g->scan.regex);
	json_object_put(g->scan.matches);
	file_search_clear(&g->s);
	free(g);
}

static void visit(struct walk *w, int folder, const char *name)
{
	struct grep_job *g = w->arg;
	struct stat st;
	int fd;

	if (g->type && !file_type_has(g->type, name))
		return;
	fd = walk_may_read(w) ?
	    openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) :
	    -1;
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		grep_scan_file(&g->scan, fd, w->path.data);
	else
		w->skipped++;
	if (fd >= 0)
		close(fd);
}

/* A single file is searched whatever its name. */
static void scan_alone(struct grep_job *g)
{
	int fd = root_open_file(g->s.roots, g->s.directory, &g->s.why);

	if (fd < 0)
		return;
	g->s.why = (struct path_error){0};
	grep_scan_file(&g->scan, fd, g->s.directory);
	walk_set_end_reason(&g->s.walk);
	close(fd);
}

static void job_run(struct worker_job *job)
{
	struct grep_job *g = (struct grep_job *)job;
	int folder = file_search_open(&g->s);

	g->s.walk.visit = visit;
	if (folder >= 0)
		file_search_walk(&g->s, folder);
	else if (g->s.why.cause && strcmp(g->s.why.cause, "NOT_A_DIRECTORY") == 0)
		scan_alone(g);
}

static struct json_object *result_of(const struct grep_job *g)
{
	const struct grep_scan *scan = &g->scan;
	int64_t total = scan->mode == GREP_COUNT ? scan->lines_found : g->s.total;
	struct json_object *o;

	if (g->s.walk.done && g->s.total == 0)
		return tool_failure("grep", "LIMIT_REACHED", "BUDGET", "%s", g->s.walk.end_reason);
	o = file_search_result(&g->s, json_object_get(scan->matches), total);
	if (scan->hard_files > 0 && !g->s.walk.end_reason) {
		char *text = xasprintf(HARD_FILES, (long long)scan->hard_files);
		json_set_str(o, "message", text);
		free(text);
	}
	return o;
}

static struct json_object *check_type(struct json_object *args, const struct file_type **type)
{
	const char *name = json_get_str(args, "type");
	struct json_object *failure;
	struct buf names = BUF_INIT;

	*type = name && *name ? file_type_find(name) : NULL;
	if (!name || !*name || *type)
		return NULL;
	file_type_list(&names);
	failure = tool_failure("grep", "INVALID_ARGUMENT", "UNKNOWN",
	    "There is no type '%.64s'. Take one of %s; or use file_pattern.", name, names.data);
	buf_clear(&names);
	return failure;
}

static struct json_object *check_regex(struct json_object *args, struct regex **regex)
{
	struct json_object *failure = NULL;
	struct buf problem = BUF_INIT;

	*regex = regex_new(
	    json_get_str(args, "pattern"), json_get_bool(args, "case_insensitive", false), &problem);
	if (!*regex)
		failure = tool_failure("grep", "INVALID_ARGUMENT", "INVALID_PATTERN", "%s", problem.data);
	buf_clear(&problem);
	return failure;
}

/* Takes pattern and regex. */
static struct grep_job *job_new(
    const struct tools *ts, struct json_object *args, struct glob_pattern *pattern, struct regex *regex)
{
	struct grep_job *g = xcalloc(1, sizeof(*g));
	const char *mode = json_get_str(args, "output_mode");
	int64_t context = json_get_int(args, "context", 0);

	g->s.job = (struct worker_job){.run = job_run, .free = job_free};
	file_search_init(&g->s, ts, args, pattern);
	grep_scan_init(&g->scan, &g->s);
	g->scan.regex = regex;
	g->scan.matches = json_object_new_array();
	for (size_t i = 0; mode && i < ARRAY_LEN(modes); i++)
		if (strcmp(modes[i].name, mode) == 0)
			g->scan.mode = modes[i].mode;
	if (g->scan.mode == GREP_CONTENT) {
		g->scan.before = json_get_int(args, "before_context", context);
		g->scan.after = json_get_int(args, "after_context", context);
	}
	return g;
}

/* Checks all arguments before the search starts. */
static struct json_object *prepare(
    const struct tool_call *call, struct json_object *args, struct grep_job **g)
{
	const struct file_type *type;
	struct glob_pattern *pattern = NULL;
	struct regex *regex = NULL;
	struct json_object *failure = check_type(args, &type);

	if (!failure)
		failure = check_regex(args, &regex);
	if (!failure)
		pattern = file_search_pattern("grep", args, "file_pattern", true, &failure);
	if (failure) {
		regex_free(regex);
		return failure;
	}
	*g = job_new(call->tools, args, pattern, regex);
	(*g)->type = type;
	return NULL;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct grep_job *g = NULL;
	struct json_object *o = prepare(call, args, &g);

	if (!o)
		o = file_search_await(t, call, &g->s);
	if (o)
		return o;
	o = g->s.why.code ? tool_path_failure("grep", &g->s.why) : result_of(g);
	job_free(&g->s.job);
	return o;
}

static const struct tool_alias param_aliases[] = {
    {"path", "directory"}, {"glob", "file_pattern"}, {NULL, NULL}};

const struct tool tool_grep = {
    .name = "grep",
    .param_aliases = param_aliases,
    .summary =
	"Search the text of files by a regular expression (PCRE2), line by line. Prefer this to shell "
	"commands such as grep. Returns: {matches, count, total_found, truncated?, skipped?, message?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"pattern\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"Regular "
	      "expression\"},\"directory\":{\"type\":\"string\",\"description\":\"Folder to search, or a "
	      "file (default: the "
	      "workspace)\"},\"file_pattern\":{\"type\":\"string\",\"maxLength\":4096,\"description\":"
	      "\"Which files, as in glob; without / it matches the name in any folder (default: **/*)\"},"
	      "\"type\":{\"type\":\"string\",\"description\":\"Kind of files, such as c, go, js, md, py, rs, "
	      "ts (default: any)\"},"
	      "\"output_mode\":{\"type\":\"string\",\"enum\":[\"content\",\"files_with_matches\",\"count\"],"
	      "\"description\":\"Return the lines, the paths of the files, or the number of lines in each "
	      "(default: "
	      "content)\"},\"case_insensitive\":{\"type\":\"boolean\",\"description\":\"Ignore case "
	      "(default: false)\"},"
	      "\"context\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":50,\"description\":\"Lines to "
	      "show around each match (default: 0)\"},"
	      "\"before_context\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":50,\"description\":\"Lines "
	      "to show before it (default: context)\"},"
	      "\"after_context\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":50,\"description\":\"Lines "
	      "to show after it (default: context)\"},"
	      "\"head_limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"How many matches to "
	      "return (default: all that fit)\"},"
	      "\"offset\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"How many matches to skip "
	      "(default: 0)\"}"
	      "},\"required\":[\"pattern\"]}",
    .errors = "ACCESS_DENIED, BLOCKED, IO_ERROR, NOT_FOUND",
    .run = run,
};
