#include "tools/prompt/files.h"

#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fnv.h"
#include "base/list.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task_cond.h"
#include "base/worker.h"
#include "tools/prompt/folder_watch.h"
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
	struct folder_watch watch; /* with a descriptor of its own */
	struct prompt_files out;
};

/* What was read last is used until a folder that it came from changes. */
struct prompt_files_cache {
	int inotify;         /* -1 where there is none: everything is read each time */
	struct list folders; /* used last at the end */
	void *by_key;        /* the same folders */
	void *watched;       /* struct watched by id */
	size_t folder_count, bytes;
	uint64_t changes; /* reported so far */
};

/* Most folders, and bytes of their texts, that are kept. With fewer folders than chats that talk, each turn
 * reads its files anew. */
#define FOLDERS_MAX 4096
#define BYTES_MAX   (4 * 1024 * 1024)

/* Many turns start at the same time. Those that ask while files are being read share the next read, which
 * starts after they asked. */
struct folder {
	struct list link;
	uint64_t hash; /* of the key */
	char *key;
	unsigned users;
	struct prompt_read *next; /* not started yet: new callers join it; NULL for none */
	struct prompt_read *last; /* still true; NULL for none */
	size_t bytes;             /* of its texts */
	int *ids;                 /* its watches */
	size_t id_count;
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

/* A folder has one watch, however many chats depend on it. */
struct watched {
	int id;
	unsigned users;
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
	struct prompt_files_cache *c = xcalloc(1, sizeof(*c));

	c->inotify = folder_watch_open();
	list_init(&c->folders);
	return c;
}

static bool is_watched(const struct folder *f, int id)
{
	for (size_t i = 0; i < f->id_count; i++)
		if (f->ids[i] == id)
			return true;
	return false;
}

static int compare_ids(const void *a, const void *b)
{
	int x = ((const struct watched *)a)->id, y = ((const struct watched *)b)->id;

	return (x > y) - (x < y);
}

static void watch_use(struct prompt_files_cache *c, int id)
{
	struct watched key = {.id = id}, **found = tsearch(&key, &c->watched, compare_ids);

	if (*found == &key)
		*found = xmemdup(&key, sizeof(key));
	(*found)->users++;
}

static void watch_leave(struct prompt_files_cache *c, int id)
{
	struct watched key = {.id = id}, *w = *(struct watched **)tfind(&key, &c->watched, compare_ids);

	if (--w->users > 0)
		return;
	folder_watch_end(c->inotify, id);
	tdelete(w, &c->watched, compare_ids);
	free(w);
}

/* Takes ids. */
static void set_watches(struct prompt_files_cache *c, struct folder *f, int *ids, size_t count)
{
	int *old = f->ids;
	size_t old_count = f->id_count;

	f->ids = ids;
	f->id_count = count;
	for (size_t i = 0; i < count; i++)
		watch_use(c, ids[i]);
	for (size_t i = 0; i < old_count; i++)
		watch_leave(c, old[i]);
	free(old);
}

static void forget_last(struct prompt_files_cache *c, struct folder *f)
{
	set_watches(c, f, NULL, 0);
	if (f->last)
		read_unref(f->last);
	f->last = NULL;
	c->bytes -= f->bytes;
	f->bytes = 0;
}

static int compare_keys(const void *a, const void *b)
{
	const struct folder *x = a, *y = b;

	return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash) : strcmp(x->key, y->key);
}

static void folder_free(struct prompt_files_cache *c, struct folder *f)
{
	forget_last(c, f);
	list_remove(&f->link);
	tdelete(f, &c->by_key, compare_keys);
	c->folder_count--;
	task_cond_clear(&f->idle);
	free(f->key);
	free(f);
}

void prompt_files_cache_free(struct prompt_files_cache *c)
{
	if (!c)
		return;
	list_each(&c->folders, it, tmp)
		folder_free(c, list_entry(it, struct folder, link));
	if (c->inotify >= 0)
		close(c->inotify);
	free(c);
}

static void on_change(void *arg, int id)
{
	struct prompt_files_cache *c = arg;

	c->changes++;
	list_each(&c->folders, it, tmp) {
		struct folder *f = list_entry(it, struct folder, link);
		if (id < 0 || is_watched(f, id))
			forget_last(c, f);
	}
}

/* Takes key. */
static struct folder *folder_of(struct prompt_files_cache *c, char *key)
{
	struct folder wanted = {.hash = fnv_text(key), .key = key},
		      **found = tsearch(&wanted, &c->by_key, compare_keys), *f = *found;

	if (f == &wanted) {
		f = *found = xmemdup(&wanted, sizeof(wanted));
		list_init(&f->link);
		task_cond_init(&f->idle);
		c->folder_count++;
	} else {
		free(key);
	}
	list_remove(&f->link);
	list_append(&c->folders, &f->link);
	return f;
}

/* Frees what was used longest ago, until the rest is within the limits. */
static void shrink(struct prompt_files_cache *c)
{
	list_each(&c->folders, it, tmp) {
		struct folder *f = list_entry(it, struct folder, link);
		if (c->folder_count <= FOLDERS_MAX && c->bytes <= BYTES_MAX)
			return;
		if (f->users == 0)
			folder_free(c, f);
	}
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
	if (j->watch.inotify >= 0)
		close(j->watch.inotify);
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

	/* Files above the folders of chats, where no tool reaches, are for all chats that lack them. */
	if (rc < 0 && strcmp(why.code, "NOT_FOUND") == 0 && roots_base(j->roots) != j->roots) {
		why = (struct path_error){0};
		p->from_parent = true;
		rc = trusted_file_read(roots_base(j->roots), p->name, by, &text, &p->size, &why);
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

/* Before anything there is read. */
static void watch_folder(struct files_job *j, const struct roots *r)
{
	struct path_error why = {0};
	int folder = root_open_folder(r, ".", &why);

	if (folder < 0) {
		j->watch.partial = true;
		return;
	}
	folder_watch_add(&j->watch, folder);
	for (size_t i = 0; i < j->out.file_count; i++)
		folder_watch_file(&j->watch, folder, j->out.files[i].name);
	for (size_t i = 0; i < j->out.note_count; i++)
		folder_watch_file(&j->watch, folder, j->out.notes[i].name);
	close(folder);
}

static void job_run(struct worker_job *job)
{
	struct files_job *j = (struct files_job *)job;

	untrusted_user_find(&j->by);
	watch_folder(j, j->roots);
	if (roots_base(j->roots) != j->roots)
		watch_folder(j, roots_base(j->roots));
	for (size_t i = 0; i < j->out.file_count; i++)
		read_text(j, &j->out.files[i], true);
	for (size_t i = 0; i < j->out.note_count; i++)
		read_text(j, &j->out.notes[i], false);
	skills_scan_run(&j->scan, &j->by, &j->watch, &j->out.skills);
}

static struct prompt_text *name_all(const struct config_strings *names, size_t *count)
{
	struct prompt_text *list = xcalloc(names->count + 1, sizeof(*list));

	for (*count = 0; *count < names->count; ++*count)
		list[*count].name = xstrdup(names->items[*count]);
	return list;
}

static struct files_job *job_new(const struct tools *ts, int inotify)
{
	struct files_job *j = xcalloc(1, sizeof(*j));
	const struct prompt_settings *s = &ts->prompt;

	j->job = (struct worker_job){.run = job_run, .free = job_free};
	j->roots = roots_ref(ts->prompt_roots ? ts->prompt_roots : ts->roots);
	j->by.user = xstrdup(ts->settings.run_as);
	j->left = (size_t)s->bytes;
	j->file_max = (size_t)s->file_bytes;
	skills_scan_init(&j->scan, ts);
	j->watch.inotify = inotify < 0 ? -1 : fcntl(inotify, F_DUPFD_CLOEXEC, 0);
	j->out.files = name_all(&s->files, &j->out.file_count);
	j->out.notes = name_all(&s->notes, &j->out.note_count);
	return j;
}

static struct prompt_read *read_join(struct folder *f)
{
	if (!f->next)
		f->next = xcalloc(1, sizeof(*f->next));
	f->next->refs++;
	return f->next;
}

static void read_leave(struct folder *f, struct prompt_read *r)
{
	if (r == f->next && r->refs == 1)
		f->next = NULL;
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

/* above: checks the workspace above the folders of chats, for the files that the chat lacks. */
static void look_for_lost(
    struct prompt_watch *w, const struct roots *roots, bool above, const struct prompt_files *f)
{
	const char *folder = roots_workspace(above ? roots_base(roots) : roots);

	for (size_t i = 0; i < f->file_count; i++) {
		const struct prompt_text *p = &f->files[i];
		bool has_text = p->text && p->from_parent == above;
		struct place *place = place_of(w, folder, f->file_count, has_text);
		if (!place || (above && !p->from_parent))
			continue;
		/* A file that is left out for now is not forgotten. */
		bool left_out = p->problem && p->from_parent == above;
		if (place->had_text[i] && !has_text && !left_out)
			tell_lost(roots_base(roots), folder, p->name);
		place->had_text[i] = has_text || (left_out && place->had_text[i]);
	}
}

static size_t texts_size(const struct prompt_text *list, size_t count)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += sizeof(*list) + list[i].shown;
	return bytes;
}

/* Caches what was read, unless a folder may have changed during the read, before its watches were assigned to
 * it. */
static void keep(struct prompt_files_cache *c, struct folder *f, struct prompt_read *r,
    const struct folder_watch *w, uint64_t changes)
{
	folder_watch_changes(c->inotify, on_change, c);
	set_watches(c, f, xmemdup(w->ids, sizeof(w->ids)), w->count);
	if (w->partial || c->changes != changes) {
		forget_last(c, f);
		return;
	}
	if (f->last)
		read_unref(f->last);
	c->bytes -= f->bytes;
	f->last = r;
	r->refs++;
	f->bytes =
	    texts_size(r->files.files, r->files.file_count) + texts_size(r->files.notes, r->files.note_count);
	c->bytes += f->bytes;
}

/* If the reading task is cancelled, another one that shares the read restarts it. */
static int read_now(
    struct task *t, const struct tools *ts, struct folder *f, struct prompt_read *r, struct error *err)
{
	struct prompt_files_cache *c = ts->prompt_files_cache;
	struct files_job *j = job_new(ts, c->inotify);
	uint64_t changes = c->changes;

	f->busy = true;
	if (f->next == r)
		f->next = NULL;
	int rc = worker_await(t, &j->job, err);
	f->busy = false;
	if (rc == 0) {
		r->files = j->out;
		r->done = true;
		look_for_lost(ts->prompt_watch, j->roots, false, &r->files);
		if (roots_base(j->roots) != j->roots)
			look_for_lost(ts->prompt_watch, j->roots, true, &r->files);
		j->out = (struct prompt_files){0};
		keep(c, f, r, &j->watch, changes);
		job_free(&j->job);
	}
	task_cond_broadcast(&f->idle);
	return rc;
}

static int read_files(
    struct task *t, const struct tools *ts, struct folder *f, struct prompt_read **out, struct error *err)
{
	struct prompt_read *r = f->last ? f->last : read_join(f);
	int rc = 0;

	if (r == f->last)
		r->refs++;
	while (rc == 0 && !r->done)
		rc = f->busy ? task_cond_wait(t, &f->idle, err) : read_now(t, ts, f, r, err);
	if (rc == 0)
		*out = r;
	else
		read_leave(f, r);
	return rc;
}

int prompt_files_read(struct task *t, const struct tools *ts, struct prompt_files *out, struct error *err)
{
	struct prompt_files_cache *c = ts->prompt_files_cache;
	struct prompt_read *r = NULL;

	*out = (struct prompt_files){0};
	if (!ts->roots)
		return 0;
	/* Skills come from the workspace, too. */
	char *key = xasprintf(
	    "%s\n%s", ts->prompt_roots ? roots_workspace(ts->prompt_roots) : "", roots_workspace(ts->roots));
	folder_watch_changes(c->inotify, on_change, c);
	struct folder *f = folder_of(c, key);
	f->users++;
	int rc = read_files(t, ts, f, &r, err);
	f->users--;
	if (rc == 0) {
		*out = r->files;
		out->read = r;
	}
	shrink(c);
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
