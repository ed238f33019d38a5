#include "tools/sandbox/sandbox.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/sandbox/sandbox_internal.h"

/* Resolves links; a missing path keeps its name, and fails where it is needed. */
static char *real_path(const char *path)
{
	char real[PATH_MAX];

	return xstrdup(realpath(path, real) ? real : path);
}

static void add_folder(struct sandbox *s, const char *path)
{
	if (path)
		s->folders[s->folder_count++] = (struct sandbox_folder){xstrdup(path), real_path(path)};
}

static char **real_paths(const char *const *paths)
{
	size_t count = 0;
	char **real;

	while (paths && paths[count])
		count++;
	real = xcalloc(count + 1, sizeof(*real));
	for (size_t i = 0; i < count; i++)
		real[i] = real_path(paths[i]);
	return real;
}

/* All options as text: what differs in it is another sandbox. */
static char *make_fingerprint(const struct sandbox *s)
{
	const struct sandbox_options *o = &s->limits;
	struct buf all = BUF_INIT;

	for (size_t i = 0; i < s->folder_count; i++)
		buf_addf(&all, "%s\n%s\n", s->folders[i].name, s->folders[i].real);
	for (char **path = s->hidden; *path; path++)
		buf_addf(&all, "-%s\n", *path);
	buf_addf(&all, "%s %d %lld %lld %lld %lld %lld %lld %lld", s->run_as, (int)s->required,
	    (long long)o->memory_bytes, (long long)o->memory_all_bytes, (long long)o->file_bytes,
	    (long long)o->processes, (long long)o->open_files, (long long)o->cpu_s,
	    (long long)o->disk_reserve);
	return buf_take(&all);
}

struct sandbox *sandbox_new(const struct sandbox_options *o)
{
	struct sandbox *s = xcalloc(1, sizeof(*s));
	size_t roots = o->roots ? o->roots->count : 0;

	s->folders = xcalloc(roots + 1, sizeof(*s->folders));
	add_folder(s, o->workspace);
	for (size_t i = 0; i < roots; i++)
		add_folder(s, o->roots->items[i]);
	s->hidden = real_paths(o->hidden);
	s->run_as = xstrdup(o->run_as ? o->run_as : "nobody");
	s->required = o->required;
	s->proved = SANDBOX_NONE;
	s->limits = *o;
	s->fingerprint = make_fingerprint(s);
	s->refs = 1;
	task_cond_init(&s->verdict);
	buf_init(&s->reason);
	buf_init(&s->acts);
	return s;
}

struct sandbox *sandbox_ref(struct sandbox *s)
{
	s->refs++;
	return s;
}

bool sandbox_equal(const struct sandbox *a, const struct sandbox *b)
{
	return strcmp(a->fingerprint, b->fingerprint) == 0;
}

void sandbox_unref(struct sandbox *s)
{
	if (!s || --s->refs > 0)
		return;
	for (size_t i = 0; i < s->folder_count; i++) {
		free(s->folders[i].name);
		free(s->folders[i].real);
	}
	free(s->folders);
	for (char **path = s->hidden; *path; path++)
		free(*path);
	free(s->hidden);
	free(s->run_as);
	free(s->fingerprint);
	task_cond_clear(&s->verdict);
	buf_clear(&s->reason);
	buf_clear(&s->acts);
	free(s);
}

/* Not the kernel but the folder is at fault, at every level. Models see the reason, too, so it does not
 * contain the path. */
static void name_workspace(struct sandbox *s)
{
	buf_reset(&s->reason);
	buf_addf(&s->reason,
	    "%s%s may not write to tools.workspace: chown it, and let the user pass the folders above it",
	    geteuid() == 0 ? "the user " : "this user", geteuid() == 0 ? s->run_as : "");
}

/* Tries the levels from the highest down to the first that works. Returns -1 when cancelled. */
static int find_level(struct task *t, struct sandbox *s)
{
	buf_reset(&s->reason);
	for (int level = SANDBOX_S3; level >= SANDBOX_S0; level--) {
		int rc;

		buf_reset(&s->acts);
		if (s->reason.len > 0)
			buf_addstr(&s->reason, "; ");
		rc = sandbox_canary_run(t, s, (enum sandbox_level)level, &s->reason, &s->acts);
		if (rc < 0)
			return -1;
		if (rc > 0)
			continue;
		s->proved = (enum sandbox_level)level;
		if (s->reason.len >= 2)
			buf_truncate(&s->reason, s->reason.len - 2);
		return 0;
	}
	s->proved = SANDBOX_NONE;
	if (strstr(s->acts.data, "+ use-the-workspace refused\n"))
		name_workspace(s);
	return 0;
}

static void log_result(const struct sandbox *s, uint64_t ms)
{
	const char *name = sandbox_level_name(s->proved), *wanted = sandbox_level_name(s->required);

	if (s->proved < s->required)
		log_error("tools", "sandbox=%s required=%s: tools that start programs are off: %s", name,
		    wanted, s->reason.data);
	else if (s->reason.len > 0)
		log_warn("tools", "sandbox=%s required=%s ms=%llu: %s", name, wanted, (unsigned long long)ms,
		    s->reason.data);
	else
		log_info("tools", "sandbox=%s required=%s ms=%llu", name, wanted, (unsigned long long)ms);
}

static int prove(struct task *t, struct sandbox *s)
{
	uint64_t begun = clock_now();
	int rc;

	s->proving = true;
	rc = find_level(t, s);
	s->proving = false;
	s->is_proved = rc == 0;
	if (s->is_proved)
		log_result(s, clock_now() - begun);
	/* After a cancel, one of the waiting tasks continues. */
	task_cond_broadcast(&s->verdict);
	return rc;
}

int sandbox_prove(struct task *t, struct sandbox *s, struct error *err)
{
	while (!s->is_proved) {
		if (s->proving) {
			if (task_cond_wait(t, &s->verdict, err) < 0)
				return -1;
		} else if (prove(t, s) < 0) {
			return error_cancelled(err);
		}
	}
	if (s->proved >= s->required)
		return 0;
	return error_set(err, ERROR_REFUSED,
	    "Programs cannot be run: tools.sandbox requires %s, and this machine proves %s (%.120s). An "
	    "operator finds more with myna check --sandbox.",
	    sandbox_level_name(s->required), sandbox_level_name(s->proved), s->reason.data);
}

bool sandbox_may_run(const struct sandbox *s)
{
	return s && (!s->is_proved || s->proved >= s->required);
}

bool sandbox_is_proved(const struct sandbox *s)
{
	return s->is_proved;
}

enum sandbox_level sandbox_level(const struct sandbox *s, const char **reason)
{
	if (reason)
		*reason = s->reason.data;
	return s->is_proved ? s->proved : SANDBOX_NONE;
}

enum sandbox_level sandbox_required(const struct sandbox *s)
{
	return s->required;
}

const char *sandbox_acts(const struct sandbox *s)
{
	return s->acts.data;
}

const char *sandbox_user(const struct sandbox *s)
{
	return s->run_as;
}

const char *sandbox_level_name(enum sandbox_level level)
{
	static const char *const names[] = {"none", "S0", "S1", "S2", "S3"};

	return names[level - SANDBOX_NONE];
}
