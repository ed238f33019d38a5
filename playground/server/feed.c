#include "playground/server/feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "base/task.h"

#define LOOK_AHEAD 64

void feed_init(struct feed *f)
{
	uint64_t random;

	*f = (struct feed){.ring = NULL};
	list_init(&f->readers);
	clock_random(&random, sizeof(random));
	snprintf(f->run, sizeof(f->run), "%016" PRIx64, random);
}

static void forget(struct feed *f)
{
	for (size_t i = 0; f->ring && i < FEED_MAX; i++) {
		free(f->ring[i].text);
		f->ring[i].text = NULL;
	}
	f->count = 0;
}

void feed_clear(struct feed *f)
{
	forget(f);
	free(f->ring);
	f->ring = NULL;
}

bool feed_is_wanted(const struct feed *f)
{
	return f->reader_count > 0 || (f->keep_until_ms != 0 && clock_now() < f->keep_until_ms);
}

static struct feed_mark *at(const struct feed *f, uint64_t n)
{
	return &f->ring[n % FEED_MAX];
}

struct feed_mark *feed_add(struct feed *f, enum feed_type type, const char *platform, const char *what)
{
	struct feed_mark *m;

	if (!feed_is_wanted(f)) {
		/* A stream cannot be resumed at an event without a mark. */
		f->last_n++;
		f->count = 0;
		return NULL;
	}
	if (!f->ring)
		f->ring = xcalloc(FEED_MAX, sizeof(*f->ring));
	m = at(f, ++f->last_n);
	free(m->text);
	*m = (struct feed_mark){.n = f->last_n, .type = type, .platform = platform, .what = what};
	if (f->count < FEED_MAX)
		f->count++;
	list_each_entry(&f->readers, struct feed_reader, entry, link)
		task_wake(entry->task);
	return m;
}

void feed_add_text(struct feed *f, enum feed_type type, const char *what, const char *text)
{
	struct feed_mark *m = strlen(text) <= FEED_TEXT_MAX ? feed_add(f, type, NULL, what) : NULL;

	if (m)
		m->text = xstrdup(text);
}

void feed_join(struct feed *f, struct feed_reader *r, struct task *task)
{
	r->task = task;
	r->next = f->last_n + 1;
	list_append(&f->readers, &r->link);
	f->reader_count++;
}

void feed_leave(struct feed *f, struct feed_reader *r)
{
	list_remove(&r->link);
	if (--f->reader_count == 0)
		f->keep_until_ms = clock_now() + FEED_KEEP_MS;
}

bool feed_resume(const struct feed *f, struct feed_reader *r, const char *after)
{
	size_t len = strlen(f->run);
	uint64_t n;
	char *end;

	if (strncmp(after, f->run, len) != 0 || after[len] != '.' || after[len + 1] < '0' ||
	    after[len + 1] > '9')
		return false;
	n = strtoull(after + len + 1, &end, 10);
	if (*end != '\0' || n > f->last_n || n < f->last_n - f->count)
		return false;
	r->next = n + 1;
	return true;
}

const struct feed_mark *feed_take(const struct feed *f, struct feed_reader *r, bool *lost)
{
	*lost = r->next <= f->last_n - f->count;
	if (*lost)
		r->next = f->last_n + 1;
	return r->next <= f->last_n ? at(f, r->next++) : NULL;
}

/* These events show the state when they are sent; others report that something happened. */
static bool shows_state(enum feed_type type)
{
	return type != FEED_MODEL_REQUEST && type != FEED_GATEWAY && type != FEED_REQUEST &&
	    type != FEED_TRACE;
}

static bool is_same_word(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same(const struct feed_mark *a, const struct feed_mark *b)
{
	return a->type == b->type && is_same_word(a->platform, b->platform) &&
	    is_same_word(a->what, b->what) && a->number == b->number && strcmp(a->chat, b->chat) == 0 &&
	    strcmp(a->thread, b->thread) == 0 && strcmp(a->id, b->id) == 0;
}

bool feed_is_old(const struct feed *f, const struct feed_mark *m)
{
	for (uint64_t n = m->n + 1; shows_state(m->type) && n <= f->last_n && n <= m->n + LOOK_AHEAD; n++)
		if (is_same(m, at(f, n)))
			return true;
	return false;
}
