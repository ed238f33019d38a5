#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "crash/events.h"
#include "crash/judge.h"
#include "crash/world.h"

const char *const finding_names[FINDING_COUNT] = {
    [FINDING_LOST] = "lost",
    [FINDING_TWO_TURNS] = "answered by two turns",
    [FINDING_DOUBLED] = "unmarked duplicates",
    [FINDING_EFFECTS] = "side effects twice",
    [FINDING_MARKED_WRONGLY] = "marked wrongly",
    [FINDING_BROKEN] = "broken",
};

void findings_add(struct findings *f, enum finding what, const char *fmt, ...)
{
	va_list ap;

	f->count[what]++;
	buf_addf(&f->text, "%s: ", finding_names[what]);
	va_start(ap, fmt);
	buf_vaddf(&f->text, fmt, ap);
	va_end(ap);
	buf_addch(&f->text, '\n');
}

bool findings_any(const struct findings *f)
{
	for (size_t i = 0; i < FINDING_COUNT; i++)
		if (f->count[i] > 0)
			return true;
	return false;
}

static void add_string(char ***list, size_t *count, const char *text)
{
	*list = xrealloc(*list, (*count + 1) * sizeof(**list));
	(*list)[(*count)++] = xstrdup(text);
}

static void clear_strings(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

void witness_clear(struct witness *s)
{
	clear_strings(s->in_doubt, s->in_doubt_count);
	clear_strings(s->read, s->read_count);
	free(s->send_state);
}

/* The offset of a getUpdates request; one that was cut off confirms nothing. */
static int64_t offset_of(const struct event *e)
{
	static const char method[] = "/getUpdates ", key[] = "\"offset\":";
	const char *at = memmem(e->data, e->data_len, key, sizeof(key) - 1);

	if (!at || e->data[e->data_len - 1] != '}' ||
	    !memmem(e->data, e->data_len, method, sizeof(method) - 1))
		return 0;
	return strtoll(at + sizeof(key) - 1, NULL, 10);
}

void witness_events(struct witness *s, const char *side)
{
	struct events ev = {0};
	struct event e;

	events_load(&ev, side);
	while (events_next(&ev, &e)) {
		if (e.op == SHIM_READ)
			add_string(&s->read, &s->read_count, e.path);
		if (e.op == SHIM_SEND && e.data_len > 0 && offset_of(&e) > s->confirmed)
			s->confirmed = offset_of(&e);
	}
	events_clear(&ev);
}

static int take_text(void *arg, int columns, char **values, char **names)
{
	struct witness *s = arg;

	(void)columns;
	(void)names;
	add_string(&s->in_doubt, &s->in_doubt_count, values[0]);
	return 0;
}

static int take_number(void *arg, int columns, char **values, char **names)
{
	(void)columns;
	(void)names;
	*(int64_t *)arg = values[0] ? strtoll(values[0], NULL, 10) : 0;
	return 0;
}

/* What the database says: 0, or -1 when it cannot be read. Before its first commit it has no tables. */
static int read_database(sqlite3 *db, struct witness *s, int64_t *cursor)
{
	static const char tables[] = "SELECT count(*) FROM sqlite_schema WHERE name IN ('outbox', 'cursors')";
	static const char doubt[] = "SELECT text FROM outbox WHERE state = 1";
	static const char offset[] = "SELECT value FROM cursors WHERE name = 'offset'";
	int64_t count = 0;

	if (sqlite3_exec(db, tables, take_number, &count, NULL) != SQLITE_OK)
		return -1;
	if (count < 2)
		return 0;
	if (sqlite3_exec(db, doubt, take_text, s, NULL) != SQLITE_OK)
		return -1;
	return sqlite3_exec(db, offset, take_number, cursor, NULL) == SQLITE_OK ? 0 : -1;
}

void witness_database(struct witness *s, struct world *w, struct findings *f)
{
	char *copy = xasprintf("%s/copy", w->dir), *path = xasprintf("%s/myna.db", copy);
	int64_t cursor = 0;
	sqlite3 *db = NULL;

	mkdir(copy, 0700);
	world_copy(w->state, copy);
	if (access(path, F_OK) == 0 &&
	    (sqlite3_open(path, &db) != SQLITE_OK || read_database(db, s, &cursor) < 0))
		findings_add(
		    f, FINDING_BROKEN, "the database cannot be read after the crash: %s", sqlite3_errmsg(db));
	else if (cursor < s->confirmed)
		findings_add(f, FINDING_LOST, "the platform was told %lld, and the database holds %lld",
		    (long long)s->confirmed, (long long)cursor);
	sqlite3_close(db);
	world_remove(copy);
	free(path);
	free(copy);
}
