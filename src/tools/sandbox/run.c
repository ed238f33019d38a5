#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "tools/sandbox/sandbox_internal.h"

#define GRACE_MS 2000
/* Time for the helper to end everything after the program's grace period, before it is killed itself. */
#define HELPER_MS  30000
#define REPORT_MAX 1024
#define REPORT_MS  1000
/* Intervals of checks of the free space: a fast disk takes 200 MB in the first. */
#define CHECK_MS              100
#define CHECK_LONG_RUNNING_MS 2000
/* Address space that is reserved is not used: programs with a garbage collector reserve a multiple of their
 * memory, and Node.js 10 GiB for each module of WebAssembly, of which its fetch() is one. */
#define RESERVED_TIMES              8
#define RESERVED_TIMES_LONG_RUNNING 64

struct sandboxed {
	struct child *child;
	struct buf report;
	child_sink_fn *sink;
	void *sink_arg;
	char *program; /* its name, for errors */
	struct sandbox *sandbox;
	bool only_removes; /* the quota was passed before */
	struct disk_watch disk;
};

/* A growing argument list that owns its words. */
struct words {
	char **items;
	size_t count;
};

static void add_word(struct words *w, char *word)
{
	w->items = xrealloc(w->items, (w->count + 2) * sizeof(*w->items));
	w->items[w->count++] = word;
	w->items[w->count] = NULL;
}

static void words_clear(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i]);
	free(w->items);
}

static void add_number(struct words *w, const char *name, int64_t n)
{
	add_word(w, xasprintf("--%s=%lld", name, (long long)n));
}

static void add_text(struct words *w, const char *name, const char *text)
{
	add_word(w, xasprintf("--%s=%s", name, text));
}

static const char *workspace_of(const struct sandbox *s, const struct sandbox_run *run)
{
	return run->workspace ? run->workspace : s->folders[0].real;
}

static bool has_home(const struct sandbox *s, const struct sandbox_run *run)
{
	return run->home && strcmp(run->home, workspace_of(s, run)) != 0;
}

/* Returns the folder without links: inside the sandbox there are none on the way. */
static char *real_dir(const struct sandbox *s, const struct sandbox_run *run)
{
	const char *dir = run->dir ? run->dir : workspace_of(s, run);

	for (size_t i = 0; i < s->folder_count; i++) {
		const struct sandbox_folder *f = &s->folders[i];
		size_t len = strlen(f->name);

		if (strncmp(dir, f->name, len) == 0 && (dir[len] == '/' || dir[len] == '\0'))
			return xasprintf("%s%s", f->real, dir + len);
	}
	return xstrdup(dir);
}

static void add_folders(struct words *w, const struct sandbox *s, const struct sandbox_run *run)
{
	char *dir = real_dir(s, run);

	add_text(w, "dir", dir);
	if (!run->no_files)
		add_text(w, "write", workspace_of(s, run));
	if (has_home(s, run))
		add_text(w, "write", run->home);
	for (size_t i = 1; i < s->folder_count && !run->no_files; i++)
		add_text(w, "write", s->folders[i].real);
	for (const char *const *path = run->readable; path && *path; path++)
		add_text(w, "read", *path);
	for (const char *const *path = run->writable; path && *path; path++)
		add_text(w, "write", *path);
	/* A configuration that is not a file has a name without a folder. */
	for (char **path = s->hidden; *path; path++) {
		if (**path == '/')
			add_text(w, "hide", *path);
	}
	free(dir);
}

static struct words command_line(const struct sandbox *s, const char *helper, enum sandbox_level level,
    const struct sandbox_run *run, bool only_removes, bool no_names)
{
	const struct sandbox_options *o = &s->limits;
	struct words w = {0};

	add_word(&w, xstrdup(helper));
	add_number(&w, "level", level);
	add_text(&w, "run-as", s->run_as);
	add_number(&w, "parent", getpid());
	add_number(&w, "grace", (int64_t)(run->grace_ms ? run->grace_ms : GRACE_MS));
	add_number(&w, "memory", o->memory_bytes);
	add_number(&w, "memory-all", o->memory_all_bytes);
	add_number(&w, "address-space",
	    o->memory_bytes * (run->long_running ? RESERVED_TIMES_LONG_RUNNING : RESERVED_TIMES));
	add_number(&w, "file", only_removes ? 1 : o->file_bytes);
	add_number(&w, "processes", o->processes);
	add_number(&w, "files", o->open_files);
	if (!run->long_running)
		add_number(&w, "cpu", o->cpu_s);
	if (run->network)
		add_word(&w, xstrdup("--network"));
	if (no_names)
		add_word(&w, xstrdup("--no-names"));
	add_folders(&w, s, run);
	add_word(&w, xstrdup("--"));
	for (const char *const *word = run->argv; *word; word++)
		add_word(&w, xstrdup(*word));
	return w;
}

static const char **environment(const struct sandbox *s, const struct sandbox_run *run)
{
	char *home = xasprintf("HOME=%s", run->home ? run->home : workspace_of(s, run));
	bool home_set = false;
	size_t count = 0, n = 0;
	const char **all, **env;

	for (; run->env && run->env[count]; count++)
		home_set = home_set || strncmp(run->env[count], "HOME=", 5) == 0;
	all = xcalloc(count + 4, sizeof(*all));
	if (!home_set)
		all[n++] = home;
	all[n++] = "SHELL=/bin/sh";
	all[n++] = "TERM=dumb";
	for (size_t i = 0; i < count; i++)
		all[n++] = run->env[i];
	env = child_environment(all);
	free(all);
	free(home);
	return env;
}

/* Returns the rest of the report's line that begins with this word; NULL for none. */
static const char *find_line(const char *report, const char *word)
{
	size_t len = strlen(word);

	for (; *report; report += strcspn(report, "\n"), report += *report == '\n') {
		if (strncmp(report, word, len) == 0 && report[len] == ' ')
			return report + len + 1;
	}
	return NULL;
}

/* The first line says where temporary files are, unless they are in memory. */
static void read_temp(struct sandboxed *p)
{
	char **temp = &p->disk.own[DISK_TEMP];
	/* A program that is being ended still reports, but nobody watches it. */
	const char *path = *temp || !p->disk.sandbox ? NULL : find_line(p->report.data, "temp"),
		   *end = path ? strchr(path, '\n') : NULL;

	if (end)
		*temp = xstrndup(path, (size_t)(end - path));
}

static void on_output(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct sandboxed *p = arg;

	if (stream != CHILD_REPORT)
		p->sink(p->sink_arg, stream, data, len);
	else if (p->report.len + len <= REPORT_MAX)
		buf_add(&p->report, data, len);
	if (stream == CHILD_REPORT)
		read_temp(p);
}

static struct sandboxed *start(
    const struct sandbox_run *run, const struct words *w, const char *const *env, struct error *err)
{
	struct sandboxed *p = xcalloc(1, sizeof(*p));
	const struct child_options o = {
	    .argv = (const char *const *)w->items,
	    .env = env,
	    .dir = "/",
	    .input = run->input,
	    .merge = run->merge,
	    .report = true,
	    .deadline_ms = run->deadline_ms,
	    .grace_ms = (run->grace_ms ? run->grace_ms : GRACE_MS) + HELPER_MS,
	    .sink = run->sink ? on_output : NULL,
	    .sink_arg = p,
	};

	buf_init(&p->report);
	p->sink = run->sink;
	p->sink_arg = run->sink_arg;
	p->child = child_start(&o, err);
	if (p->child) {
		p->program = xstrdup(run->argv[0]);
		return p;
	}
	free(p);
	return NULL;
}

/* used: what is in its folders; NULL when there is no quota, or it is unknown. */
static struct sandboxed *start_at(const struct sandbox *s, enum sandbox_level level,
    const struct sandbox_run *run, const struct disk_usage *used, struct error *err)
{
	char *helper = helper_path(SANDBOX_HELPER, err);
	bool is_over = used && used->bytes > run->quota, is_unknown = used && disk_usage_is_unknown(used);
	const char **env;
	const char *const own[DISK_OWN] = {is_unknown ? NULL : workspace_of(s, run),
	    is_unknown || !has_home(s, run) ? NULL : run->home, NULL};
	struct sandboxed *p;
	struct words w;

	if (!helper)
		return NULL;
	w = command_line(s, helper, level, run, is_over, is_unknown);
	env = environment(s, run);
	p = start(run, &w, env, err);
	if (p) {
		p->sandbox = sandbox_ref((struct sandbox *)(uintptr_t)s);
		p->only_removes = is_over;
		/* If the usage is unknown, no names are made, and the temporary files have the quota. */
		disk_watch_start(&p->disk, s, p->child, own,
		    is_over && !is_unknown ? used->bytes : run->quota, run->keep_free,
		    run->long_running ? CHECK_LONG_RUNNING_MS : CHECK_MS);
	}
	if (p && is_over)
		disk_usage_describe(used, run->quota, p->disk.advice, sizeof(p->disk.advice));
	free(env);
	words_clear(&w);
	free(helper);
	return p;
}

struct sandboxed *sandbox_start_at(
    const struct sandbox *s, enum sandbox_level level, const struct sandbox_run *run, struct error *err)
{
	return start_at(s, level, run, NULL, err);
}

/* Returns -1 when it must not start, or t was cancelled. */
static int check_space(struct task *t, struct sandbox *s, const struct sandbox_run *run, struct error *err)
{
	int low = run->keep_free && s->limits.disk_reserve > 0 ? disk_is_low(t, s, err) : 0;

	if (low <= 0)
		return low;
	return error_set(err, ERROR_LIMITED,
	    "Less than %lld MiB, or hardly any names of files, are free on a disk where tools write "
	    "(tools.disk_reserve). Ask a person to remove files.",
	    (long long)(s->limits.disk_reserve >> 20));
}

struct sandboxed *sandbox_start(
    struct task *t, struct sandbox *s, const struct sandbox_run *run, struct error *err)
{
	const char *const own[DISK_OWN] = {workspace_of(s, run), has_home(s, run) ? run->home : NULL, NULL};
	struct disk_usage used;

	if (sandbox_prove(t, s, err) < 0 || check_space(t, s, run, err) < 0)
		return NULL;
	if (run->quota > 0 && disk_count(t, own, &used, err) < 0)
		return NULL;
	return start_at(s, s->proved, run, run->quota > 0 ? &used : NULL, err);
}

struct child *sandboxed_child(struct sandboxed *p)
{
	return p->child;
}

static int failed(const struct sandboxed *p, const char *what, struct error *err)
{
	char *rest;
	long number = strtol(what, &rest, 10);
	int len = (int)strcspn(rest, "\n");

	error_set(err, ERROR_OURS, "Cannot run \"%.60s\": cannot%.*s: %s.", p->program, len, rest,
	    strerror((int)number));
	if (err)
		err->code = (int)number;
	return -1;
}

static const char *limit_of(const struct child_end *end)
{
	static const struct {
		int signal;
		const char *name;
	} limits[] = {{SIGXCPU, "cpu"}, {SIGXFSZ, "file size"}};

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		/* A shell returns its child's signal as a status. */
		if (end->signal == limits[i].signal || end->status == 128 + limits[i].signal)
			return limits[i].name;
	}
	return NULL;
}

static int read_report(const struct sandboxed *p, struct sandbox_end *end, struct error *err)
{
	const char *what = find_line(p->report.data, "failed"), *status = find_line(p->report.data, "exit");
	const char *signo = find_line(p->report.data, "signal");

	/* If the program was stopped during its setup, it counts as stopped, whatever failed meanwhile. */
	if (what && !end->child.stopped && !end->child.timed_out)
		return failed(p, what, err);
	if (signo) {
		end->child.signal = (int)strtol(signo, NULL, 10);
		end->child.status = 128 + end->child.signal;
	} else if (status) {
		end->child.signal = 0;
		end->child.status = (int)strtol(status, NULL, 10);
	}
	end->limit = p->disk.limit             ? p->disk.limit :
	    find_line(p->report.data, "limit") ? "memory" :
						 limit_of(&end->child);
	if (p->only_removes && end->limit && strcmp(end->limit, "file size") == 0)
		end->limit = "quota";
	snprintf(end->advice, sizeof(end->advice), "%s", p->disk.advice);
	return 0;
}

int sandboxed_wait(struct task *t, struct sandboxed *p, struct sandbox_end *end, struct error *err)
{
	int rc = 1;

	*end = (struct sandbox_end){0};
	if (child_wait(t, p->child, &end->child, err) < 0)
		return -1;
	while (!p->sink && rc == 1 && p->report.len < REPORT_MAX)
		rc = child_read(t, p->child, CHILD_REPORT, &p->report, REPORT_MS, NULL);
	if (task_check(t, err) < 0)
		return -1;
	return read_report(p, end, err);
}

void sandboxed_free(struct task *t, struct sandboxed *p)
{
	if (!p)
		return;
	disk_watch_stop(t, &p->disk);
	child_free(t, p->child);
	buf_clear(&p->report);
	sandbox_unref(p->sandbox);
	free(p->program);
	free(p);
}
