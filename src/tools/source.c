#include "tools/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/list.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/external/external.h"
#include "tools/tools_internal.h"
#include "tools/schema.h"
#include "tools/source_internal.h"

/* A tool of a source. Lists and running calls hold a reference. */
struct tool_row {
	struct tool tool; /* first: a pointer to the tool is a pointer to the row */
	struct json_object *schema;
	char *refusal; /* NULL for none */
	char *taken;   /* what already has its name; NULL when the row has it */
	void (*free_context)(void *context);
	unsigned refs;
	bool gone; /* no longer in the source */
};

struct tool_source {
	struct list link;
	struct tool_sources *all;
	char *name, *problem;
	struct tool_row **rows; /* in byte order of name */
	size_t count;
};

struct tool_sources {
	struct list sources;       /* in order of registration */
	struct list users;         /* the registries that show them */
	struct external *external; /* NULL until first used */
	unsigned refs;
};

static struct tool_row *row_of(const struct tool *tool)
{
	return tool->origin ? (struct tool_row *)tool : NULL;
}

void tool_hold(const struct tool *tool)
{
	struct tool_row *row = row_of(tool);

	if (row)
		row->refs++;
}

void tool_release(const struct tool *tool)
{
	struct tool_row *row = row_of(tool);

	if (!row || --row->refs > 0)
		return;
	if (row->free_context)
		row->free_context(row->tool.context);
	json_object_put(row->schema);
	free(row->refusal);
	free(row->taken);
	free((char *)row->tool.name);
	free((char *)row->tool.summary);
	free((char *)row->tool.schema);
	free((char *)row->tool.origin);
	free(row);
}

bool tool_is_gone(const struct tool *tool)
{
	return tool->origin && row_of(tool)->gone;
}

struct json_object *tool_own_schema(const struct tool *tool)
{
	return row_of(tool)->schema;
}

static bool is_name(const char *s)
{
	size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return len > 0 && len <= TOOL_NAME_MAX && s[len] == '\0';
}

/* Returns why a definition cannot be offered, malloc'd; NULL if it can. */
static char *find_fault(const struct tool_definition *d)
{
	struct error err = {0};

	if (d->refusal)
		return xstrdup(d->refusal);
	if (!is_name(d->name))
		return xasprintf("A name has 1 to %d letters, digits, _ or -.", TOOL_NAME_MAX);
	if (!d->summary || !*d->summary)
		return xstrdup("It has no description.");
	if (!d->schema || schema_check(d->schema, d->flags & TOOL_UNTRUSTED_SCHEMA, &err) < 0)
		return xstrdup(d->schema ? err.text : "It has no schema of its parameters.");
	return NULL;
}

static struct tool_row *row_new(const struct tool_source *s, const struct tool_definition *d)
{
	struct tool_row *row = xcalloc(1, sizeof(*row));

	row->refs = 1;
	row->refusal = find_fault(d);
	row->schema = d->schema;
	row->free_context = d->free_context;
	row->tool = (struct tool){.name = xstrdup(d->name),
	    .summary = xstrdup(d->summary ? d->summary : ""),
	    .schema = d->schema ? json_text(d->schema) : NULL,
	    .flags = d->flags,
	    .guard = d->guard,
	    .run = d->run,
	    .origin = xstrdup(s->name),
	    .context = d->context};
	return row;
}

static int by_name(const void *a, const void *b)
{
	const struct tool_row *const *x = a, *const *y = b;

	return strcmp((*x)->tool.name, (*y)->tool.name);
}

/* Of the tools of one source that have the same name, one is offered: providers refuse a request with two. */
static void refuse_twins(struct tool_source *s)
{
	const struct tool_row *offered = NULL;

	for (size_t i = 0; i < s->count; i++) {
		struct tool_row *row = s->rows[i];
		if (row->refusal)
			continue;
		if (offered && strcmp(offered->tool.name, row->tool.name) == 0)
			row->refusal = xstrdup("The same source has another tool of this name.");
		else
			offered = row;
	}
}

static const struct tool_row *find_row(const struct tool_source *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (!s->rows[i]->refusal && strcmp(s->rows[i]->tool.name, name) == 0)
			return s->rows[i];
	return NULL;
}

/* Returns what already has this row's name; NULL for nothing. */
static const char *taker_of(const struct tools *ts, const struct tool_source *s, const struct tool_row *row)
{
	for (size_t i = 0; i < ts->builtin_count; i++)
		if (tool_answers_to(ts->builtins[i].tool, row->tool.name))
			return "a built-in tool";
	list_each(&ts->sources->sources, link, next) {
		const struct tool_source *other = list_entry(link, struct tool_source, link);
		if (other == s)
			break;
		for (size_t i = 0; i < other->count; i++)
			if (!other->rows[i]->refusal && !other->rows[i]->taken &&
			    tool_answers_to(&other->rows[i]->tool, row->tool.name))
				return other->name;
	}
	return NULL;
}

static void settle_row(const struct tools *ts, const struct tool_source *s, struct tool_row *row)
{
	const char *taker = row->refusal ? NULL : taker_of(ts, s, row);

	free(row->taken);
	row->taken = taker ? xasprintf("The name is taken by %s.", taker) : NULL;
}

static int by_tool(const void *a, const void *b)
{
	const struct tools_entry *x = a, *y = b;

	return strcmp(x->tool->name, y->tool->name);
}

/* Rebuilds the list of built-in tools and those of the sources. */
static void merge(struct tools *ts)
{
	size_t room = ts->builtin_count, n = ts->builtin_count;

	list_each(&ts->sources->sources, link, next)
		room += list_entry(link, struct tool_source, link)->count;
	ts->entries = xrealloc(ts->entries, (room + 1) * sizeof(*ts->entries));
	for (size_t i = 0; i < n; i++)
		ts->entries[i] = ts->builtins[i];
	list_each(&ts->sources->sources, link, next) {
		struct tool_source *s = list_entry(link, struct tool_source, link);
		for (size_t i = 0; i < s->count; i++) {
			settle_row(ts, s, s->rows[i]);
			if (!s->rows[i]->refusal && !s->rows[i]->taken)
				ts->entries[n++] = tools_entry_of(&s->rows[i]->tool, s->rows[i]->schema);
		}
	}
	qsort(ts->entries, n, sizeof(*ts->entries), by_tool);
	ts->count = n;
}

static void merge_all(struct tool_sources *all)
{
	list_each(&all->users, link, next)
		merge(list_entry(link, struct tools, user));
}

static void log_absent(const struct tool_source *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const char *why = s->rows[i]->refusal ? s->rows[i]->refusal : s->rows[i]->taken;
		if (why)
			log_warn("tools", "tool=\"%.64s\" of %s is not offered: %s", s->rows[i]->tool.name,
			    s->name, why);
	}
}

/* Releases the old rows of a source, and marks those as gone that it no longer has. */
static void drop_rows(const struct tool_source *s, struct tool_row **rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rows[i]->gone = !find_row(s, rows[i]->tool.name);
		tool_release(&rows[i]->tool);
	}
	free(rows);
}

struct tool_source *source_new(struct tool_sources *all, const char *name)
{
	struct tool_source *s = xcalloc(1, sizeof(*s));

	s->all = all;
	s->name = xstrdup(name);
	list_append(&s->all->sources, &s->link);
	return s;
}

struct tool_source *tool_source_new(struct tools *ts, const char *name)
{
	return source_new(ts->sources, name);
}

void tool_source_replace(struct tool_source *s, const struct tool_definition *list, size_t count)
{
	struct tool_row **had = s->rows;
	size_t had_count = s->count;

	s->rows = xcalloc(count + 1, sizeof(struct tool_row *));
	for (size_t i = 0; i < count; i++)
		s->rows[i] = row_new(s, &list[i]);
	s->count = count;
	qsort(s->rows, count, sizeof(struct tool_row *), by_name);
	refuse_twins(s);
	merge_all(s->all);
	log_absent(s);
	drop_rows(s, had, had_count);
}

void tool_source_problem(struct tool_source *s, const char *problem)
{
	char *had = s->problem;

	s->problem = xstrdup(problem);
	if (problem && !(had && strcmp(had, problem) == 0))
		log_warn("tools", "of %s nothing new is offered: %s", s->name, problem);
	free(had);
}

void tool_source_free(struct tool_source *s)
{
	if (!s)
		return;
	tool_source_replace(s, NULL, 0);
	list_remove(&s->link);
	free(s->rows);
	free(s->problem);
	free(s->name);
	free(s);
}

struct tool_absent *tools_absent(const struct tools *ts, const struct tool_call *call, size_t *count)
{
	struct tool_absent *out = NULL;
	size_t n = 0;

	list_each(&ts->sources->sources, link, next) {
		const struct tool_source *s = list_entry(link, struct tool_source, link);
		out = xrealloc(out, (n + s->count + 1) * sizeof(*out));
		if (s->problem)
			out[n++] = (struct tool_absent){s->name, NULL, s->problem};
		for (size_t i = 0; i < s->count; i++) {
			const struct tool_row *row = s->rows[i];
			if ((row->refusal || row->taken) && (!call || tools_allow(&row->tool, call)))
				out[n++] = (struct tool_absent){
				    s->name, row->tool.name, row->refusal ? row->refusal : row->taken};
		}
	}
	*count = n;
	return out;
}

void sources_join(struct tools *ts, struct tool_sources *all)
{
	if (!all) {
		all = xcalloc(1, sizeof(*all));
		list_init(&all->sources);
		list_init(&all->users);
	}
	all->refs++;
	ts->sources = all;
	list_append(&all->users, &ts->user);
	merge(ts);
}

void sources_leave(struct tools *ts)
{
	struct tool_sources *all = ts->sources;

	list_remove(&ts->user);
	ts->sources = NULL;
	if (--all->refs > 0)
		return;
	external_free(all->external);
	free(all);
}

struct external *sources_external(struct tool_sources *all)
{
	if (!all->external)
		all->external = external_new(all);
	return all->external;
}
