#include "tools/prompt/files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task_cond.h"
#include "base/worker.h"
#include "tools/prompt/settings.h"
#include "tools/files/path_error.h"
#include "tools/scope.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/sandbox/sandbox.h"
#include "tools/files/trusted_file.h"

struct files_job {
	struct worker_job job;
	struct roots *roots; /* the first one is the folder */
	struct untrusted_user by;
	size_t left, file_max; /* bytes that are still allowed in all files together, and in one file */
	struct skills_scan scan;
	struct prompt_files out;
};

/* Many turns start at the same time. Those that ask while files are being read share the next read, which
 * starts after they asked. */
struct prompt_files_cache {
	struct prompt_read *next; /* not started yet: new callers join it; NULL for none */
	bool busy;
	struct task_cond idle;
};

/* What each folder had at the last read: those of chats, and the workspace above them. */
struct prompt_watch {
	struct list places;
};

struct place {
	struct list link;
	char *folder;
	bool *had_text; /* by the files' order */
};

struct prompt_read {
	unsigned refs;
	bool done;
	struct prompt_files files;
};

static void text_clear(struct prompt_text *p)
{
	free(p->name);
	free(p->text);
	free(p->problem);
}

static void files_clear(struct prompt_files *f)
{
	for (size_t i = 0; i < f->file_count; i++)
		text_clear(&f->files[i]);
	for (size_t i = 0; i < f->note_count; i++)
		text_clear(&f->notes[i]);
	free(f->files);
	free(f->notes);
	skill_list_clear(&f->skills);
	*f = (struct prompt_files){0};
}

static void read_unref(struct prompt_read *r)
{
	if (--r->refs > 0)
		return;
	files_clear(&r->files);
	free(r);
}

void prompt_files_clear(struct prompt_files *f)
{
	if (f->read)
		read_unref(f->read);
	*f = (struct prompt_files){0};
}

struct prompt_files_cache *prompt_files_cache_new(void)
{
	struct prompt_files_cache *g = xcalloc(1, sizeof(*g));

	task_cond_init(&g->idle);
	return g;
}

void prompt_files_cache_free(struct prompt_files_cache *g)
{
	if (!g)
		return;
	task_cond_clear(&g->idle);
	free(g);
}

struct prompt_watch *prompt_watch_new(void)
{
	struct prompt_watch *w = xcalloc(1, sizeof(*w));

	list_init(&w->places);
	return w;
}

void prompt_watch_free(struct prompt_watch *w)
{
	if (!w)
		return;
	list_each(&w->places, it, tmp) {
		struct place *p = list_entry(it, struct place, link);
		list_remove(it);
		free(p->folder);
		free(p->had_text);
		free(p);
	}
	free(w);
}

static void job_free(struct worker_job *job)
{
	struct files_job *j = (struct files_job *)job;

	files_clear(&j->out);
	skills_scan_clear(&j->scan);
	untrusted_user_clear(&j->by);
	roots_unref(j->roots);
	free(j);
}

/* Cuts to complete lines; a first line that is too long is cut between two characters. */
static size_t cut_lines(const struct buf *text, size_t most)
{
	size_t cut = text->len;

	if (cut <= most)
		return cut;
	for (cut = most; cut > 0 && text->data[cut - 1] != '\n'; cut--)
		;
	return cut > 0 ? cut : trusted_file_cut(text->data, text->len, most);
}

static void read_text(struct files_job *j, struct prompt_text *p, bool instructs)
{
	size_t most = j->left < j->file_max ? j->left : j->file_max;
	struct buf text = BUF_INIT;
	struct path_error why = {0};
	const struct untrusted_user *by = instructs ? &j->by : NULL;
	int rc = trusted_file_read(j->roots, p->name, by, &text, &p->size, &why);

	/* What stands above the folders of chats, where no tool reaches, is for all that have none of it. */
	if (rc < 0 && strcmp(why.code, "NOT_FOUND") == 0 && roots_whole(j->roots) != j->roots) {
		why = (struct path_error){0};
		p->above = true;
		rc = trusted_file_read(roots_whole(j->roots), p->name, by, &text, &p->size, &why);
	}
	if (rc < 0 && strcmp(why.code, "NOT_FOUND") != 0)
		p->problem = xstrdup(why.text);
	if (rc == 0 && !str_is_blank(text.data)) {
		p->shown = cut_lines(&text, most);
		p->text = xstrndup(text.data, p->shown);
		j->left -= p->shown;
	}
	buf_clear(&text);
}

static void job_run(struct worker_job *job)
{
	struct files_job *j = (struct files_job *)job;

	untrusted_user_find(&j->by);
	for (size_t i = 0; i < j->out.file_count; i++)
		read_text(j, &j->out.files[i], true);
	for (size_t i = 0; i < j->out.note_count; i++)
		read_text(j, &j->out.notes[i], false);
	skills_scan_run(&j->scan, &j->by, &j->out.skills);
}

static struct prompt_text *name_all(const struct config_strings *names, size_t *count)
{
	struct prompt_text *list = xcalloc(names->count + 1, sizeof(*list));

	for (*count = 0; *count < names->count; ++*count)
		list[*count].name = xstrdup(names->items[*count]);
	return list;
}

static struct files_job *job_new(const struct tools *ts)
{
	struct files_job *j = xcalloc(1, sizeof(*j));
	const struct prompt_settings *s = &ts->prompt;

	j->job = (struct worker_job){.run = job_run, .free = job_free};
	j->roots = roots_ref(ts->prompt_roots ? ts->prompt_roots : ts->roots);
	j->by.user = xstrdup(ts->settings.run_as);
	j->left = (size_t)s->bytes;
	j->file_max = (size_t)s->file_bytes;
	skills_scan_init(&j->scan, ts);
	j->out.files = name_all(&s->files, &j->out.file_count);
	j->out.notes = name_all(&s->notes, &j->out.note_count);
	return j;
}

static struct prompt_read *read_join(struct prompt_files_cache *g)
{
	if (!g->next)
		g->next = xcalloc(1, sizeof(*g->next));
	g->next->refs++;
	return g->next;
}

static void read_leave(struct prompt_files_cache *g, struct prompt_read *r)
{
	if (r == g->next && r->refs == 1)
		g->next = NULL;
	read_unref(r);
}

static prompt_file_lost_fn *lost_fn;
static void *lost_arg;

void prompt_files_listen(prompt_file_lost_fn *fn, void *arg)
{
	lost_fn = fn;
	lost_arg = arg;
}

/* Only a folder that has a file is kept. NULL: there is none. */
static struct place *place_of(struct prompt_watch *w, const char *folder, size_t file_count, bool has_text)
{
	list_each(&w->places, it, tmp) {
		struct place *p = list_entry(it, struct place, link);
		if (strcmp(p->folder, folder) == 0)
			return p;
	}
	if (!has_text)
		return NULL;
	struct place *p = xcalloc(1, sizeof(*p));
	p->folder = xstrdup(folder);
	p->had_text = xcalloc(file_count + 1, sizeof(*p->had_text));
	list_append(&w->places, &p->link);
	return p;
}

static void tell_lost(const struct roots *whole, const char *folder, const char *file)
{
	const char *top = roots_workspace(whole);
	size_t len = strlen(top);
	bool below = strncmp(folder, top, len) == 0 && folder[len] == '/';
	char *name = below ? xasprintf("%s/%s", folder + len + 1, file) : xstrdup(file);

	log_warn("prompt", "%s is gone, or empty: the model no longer gets these instructions", name);
	if (lost_fn)
		lost_fn(lost_arg, name);
	free(name);
}

/* above: looks at the workspace above the folders of chats, where those files are that the chat has not. */
static void look_for_lost(
    struct prompt_watch *w, const struct roots *roots, bool above, const struct prompt_files *f)
{
	const char *folder = roots_workspace(above ? roots_whole(roots) : roots);

	for (size_t i = 0; i < f->file_count; i++) {
		const struct prompt_text *p = &f->files[i];
		bool has_text = p->text && p->above == above;
		struct place *place = place_of(w, folder, f->file_count, has_text);
		if (!place || (above && !p->above))
			continue;
		/* A file that is left out for now is not forgotten. */
		bool left_out = p->problem && p->above == above;
		if (place->had_text[i] && !has_text && !left_out)
			tell_lost(roots_whole(roots), folder, p->name);
		place->had_text[i] = has_text || (left_out && place->had_text[i]);
	}
}

/* If the reading task is cancelled, another one that shares the read restarts it. */
static int read_now(struct task *t, const struct tools *ts, struct prompt_files_cache *g,
    struct prompt_read *r, struct error *err)
{
	struct files_job *j = job_new(ts);

	g->busy = true;
	if (g->next == r)
		g->next = NULL;
	int rc = worker_await(t, &j->job, err);
	g->busy = false;
	if (rc == 0) {
		r->files = j->out;
		r->done = true;
		look_for_lost(ts->prompt_watch, j->roots, false, &r->files);
		if (roots_whole(j->roots) != j->roots)
			look_for_lost(ts->prompt_watch, j->roots, true, &r->files);
		j->out = (struct prompt_files){0};
		job_free(&j->job);
	}
	task_cond_broadcast(&g->idle);
	return rc;
}

int prompt_files_read(struct task *t, const struct tools *ts, struct prompt_files *out, struct error *err)
{
	*out = (struct prompt_files){0};
	if (!ts->roots)
		return 0;
	struct prompt_files_cache *own = ts->prompt_files_cache ? NULL : prompt_files_cache_new(),
				  *g = own ? own : ts->prompt_files_cache;
	struct prompt_read *r = read_join(g);
	int rc = 0;
	while (rc == 0 && !r->done)
		rc = g->busy ? task_cond_wait(t, &g->idle, err) : read_now(t, ts, g, r, err);
	if (rc == 0) {
		*out = r->files;
		out->read = r;
	} else {
		read_leave(g, r);
	}
	prompt_files_cache_free(own);
	return rc;
}

bool prompt_files_open_to_commands(const struct tools *ts)
{
	/* If commands run as another user, files that this user owns are left out. */
	bool same = geteuid() != 0 || strcmp(ts->settings.run_as, "root") == 0;

	bool reached = !ts->prompt_roots && ts->settings.workspace_scope == WORKSPACE_SHARED;

	return same && reached && sandbox_may_run(ts->sandbox);
}

const struct prompt_settings *tools_prompt(const struct tools *ts)
{
	return &ts->prompt;
}
