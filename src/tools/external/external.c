#include "tools/external/external.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "tools/external/external_internal.h"
#include "tools/tools_internal.h"
#include "tools/source_internal.h"

/* Programs that are asked for their schema at the same time. */
#define ASKED_AT_ONCE 4

struct external {
	struct tool_source *source;
	struct external_folder folder;
	struct config_strings network;    /* the setting with which the list was made */
	struct task_semaphore refreshing; /* one at a time */
};

/* A task that asks programs for their schema, one after another. */
struct asking {
	struct task *t;
	const struct tools *ts;
	struct external_folder *folder;
	size_t *next;
	struct error err;
	int rc;
};

struct external *external_new(struct tool_sources *all)
{
	struct external *e = xcalloc(1, sizeof(*e));

	e->source = source_new(all, "external");
	task_semaphore_init(&e->refreshing, 1);
	return e;
}

void external_free(struct external *e)
{
	if (!e)
		return;
	tool_source_free(e->source);
	external_folder_clear(&e->folder);
	config_strings_clear(&e->network);
	task_semaphore_clear(&e->refreshing);
	free(e);
}

/* Copies the schema of an unchanged file. */
static void recall(struct external_folder *had, struct external_folder *has)
{
	for (size_t i = 0, k = 0; i < has->count; i++) {
		while (k < had->count && strcmp(had->programs[k].file, has->programs[i].file) < 0)
			k++;
		if (k == had->count || strcmp(had->programs[k].file, has->programs[i].file) != 0 ||
		    !had->programs[k].schema_read ||
		    memcmp(&had->programs[k].stamp, &has->programs[i].stamp, sizeof(struct external_stamp)) !=
			0)
			continue;
		struct external_program old = had->programs[k];
		had->programs[k] = has->programs[i];
		has->programs[i] = old;
	}
}

/* Must the program still be asked? */
static bool is_open(const struct external_program *p)
{
	return !p->schema_read && !p->refusal;
}

static void schema_task(struct task *t, void *arg)
{
	struct asking *a = arg;

	while (a->rc == 0 && *a->next < a->folder->count) {
		struct external_program *p = &a->folder->programs[(*a->next)++];
		if (is_open(p))
			a->rc = external_read_schema(t, a->ts, a->folder->path, p, &a->err);
	}
}

/* Returns -1 when not all programs could be asked. */
static int read_schemas(
    struct task *t, const struct tools *ts, struct external_folder *folder, struct error *err)
{
	struct asking asking[ASKED_AT_ONCE];
	struct task_group group;
	size_t next = 0;
	int rc = 0;

	task_group_init(&group);
	for (size_t i = 0; i < ASKED_AT_ONCE; i++) {
		asking[i] = (struct asking){.ts = ts, .folder = folder, .next = &next};
		task_start(&group, "external", schema_task, &asking[i]);
	}
	if (task_group_wait(t, &group, NULL) < 0)
		task_group_finish(t, &group);
	for (size_t i = 0; i < ASKED_AT_ONCE; i++) {
		if (asking[i].rc == 0)
			continue;
		*err = asking[i].err;
		rc = -1;
	}
	return rc;
}

static bool may_network(const struct tools *ts, const char *name)
{
	const struct tool tool = {.name = name};

	return tool_is_among(&tool, &ts->settings.external_network);
}

static struct tool_definition define(
    const struct tools *ts, const struct external_folder *folder, const struct external_program *p)
{
	struct tool_definition d = {.name = p->tool ? p->tool : p->file,
	    .summary = p->summary,
	    .refusal = p->refusal,
	    .schema = json_object_get(p->schema),
	    .flags = TOOL_TIMED,
	    .guard = GUARD_TEXTS,
	    .run = external_run,
	    .context = xasprintf("%s/%s", folder->path, p->file),
	    .free_context = free};

	if (!p->read_only)
		d.flags |= TOOL_WRITES;
	if (may_network(ts, d.name))
		d.flags |= TOOL_NETWORK;
	return d;
}

static void show(struct external *e, const struct tools *ts)
{
	const struct external_folder *f = &e->folder;
	struct tool_definition *list = xcalloc(f->count + 1, sizeof(*list));

	size_t n = 0;

	for (size_t i = 0; i < f->count; i++)
		if (!is_open(&f->programs[i]))
			list[n++] = define(ts, f, &f->programs[i]);
	tool_source_problem(e->source, f->problem);
	tool_source_replace(e->source, list, n);
	free(list);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_strings(const struct config_strings *a, const struct config_strings *b)
{
	for (size_t i = 0; a->count == b->count && i < a->count; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return a->count == b->count;
}

/* Does the scan show the same files as the current list? */
static bool is_same(const struct external_folder *a, const struct external_folder *b)
{
	if (a->count != b->count || !same_text(a->path, b->path) || !same_text(a->problem, b->problem))
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct external_program *x = &a->programs[i], *y = &b->programs[i];
		if (strcmp(x->file, y->file) != 0 || memcmp(&x->stamp, &y->stamp, sizeof(x->stamp)) != 0 ||
		    is_open(x))
			return false;
	}
	return true;
}

static void put_network(struct external *e, const struct config_strings *names)
{
	config_strings_clear(&e->network);
	e->network.items = xcalloc(names->count + 1, sizeof(char *));
	for (; e->network.count < names->count; e->network.count++)
		e->network.items[e->network.count] = xstrdup(names->items[e->network.count]);
}

static void refresh(struct task *t, struct external *e, const struct tools *ts)
{
	const struct config_strings *network = &ts->settings.external_network;
	struct external_folder found = {0};
	struct error err = {0};

	if (ts->settings.external && external_scan(t, ts, &found) < 0)
		return;
	if (same_strings(&e->network, network) && is_same(&e->folder, &found)) {
		external_folder_clear(&found);
		return;
	}
	recall(&e->folder, &found);
	if (read_schemas(t, ts, &found, &err) < 0 && err.kind != ERROR_CANCELLED && !found.problem)
		found.problem = xasprintf("Programs cannot be run: %s",
		    err.kind == ERROR_OURS && err.code ? strerror(err.code) : err.text);
	external_folder_clear(&e->folder);
	e->folder = found;
	put_network(e, network);
	show(e, ts);
}

void external_refresh(struct task *t, struct external *e, const struct tools *ts)
{
	if (!ts->settings.external && e->folder.count == 0 && !e->folder.problem)
		return;
	if (task_semaphore_acquire(t, &e->refreshing, 1, NULL) < 0)
		return;
	refresh(t, e, ts);
	task_semaphore_release(&e->refreshing, 1);
}
