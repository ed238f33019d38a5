#include "store/journal/addresses.h"

#include <stdlib.h>

#include "base/mem.h"
#include "store/store_internal.h"

static const struct db_field address_fields[] = {
    {DB_CHARS, offsetof(struct address, channel), sizeof((struct address *)0)->channel},
    {DB_CHARS, offsetof(struct address, chat), sizeof((struct address *)0)->chat},
    {DB_CHARS, offsetof(struct address, thread), sizeof((struct address *)0)->thread},
};

int addresses_read(struct db *db, struct db_row *row, struct address *out, struct error *err)
{
	*out = (struct address){0};
	return db_read(db, row, 0, address_fields, ARRAY_LEN(address_fields), out, err);
}

struct addresses_job {
	struct job job;
	struct address last;
	struct address *found;
	size_t count;
};

static void add_address(struct addresses_job *j, const struct address *a)
{
	j->found = xrealloc(j->found, (j->count + 1) * sizeof(*j->found));
	j->found[j->count++] = *a;
}

static int compare_addresses(const struct address *a, const struct address *b)
{
	int order = strcmp(a->channel, b->channel);

	if (order == 0)
		order = strcmp(a->chat, b->chat);
	return order != 0 ? order : strcmp(a->thread, b->thread);
}

/* In three queries: for (channel, chat, thread) > (?1, ?2, ?3), SQLite would pass all messages of the last
 * address. */
#define NEXT(condition)                                                                         \
	"SELECT * FROM (SELECT channel, chat, thread FROM inbox WHERE state = 0 AND " condition \
	" ORDER BY channel, chat, thread LIMIT 1) AS next"

static int next_address(struct db *db, struct address *last, struct error *err)
{
	/* clang-format off */
	static const char sql[] =
	    NEXT("channel = ?1 AND chat = ?2 AND thread > ?3") " UNION ALL "
	    NEXT("channel = ?1 AND chat > ?2") " UNION ALL "
	    NEXT("channel > ?1") " LIMIT 1";
	/* clang-format on */
	struct address next = {0};
	struct db_row *row;
	int rc;

	row = db_select(
	    db, sql, DB_ARGS(db_text(last->channel), db_text(last->chat), db_text(last->thread)), err);
	if (!row)
		return -1;
	rc = db_next(db, row, err);
	if (rc > 0 && addresses_read(db, row, &next, err) != 0)
		rc = -1;
	db_end(row);
	if (rc > 0 && compare_addresses(&next, last) <= 0)
		return db_damaged(db, err, "the addresses of the inbox are out of order");
	*last = next;
	return rc;
}

static int add_open_turns(struct addresses_job *j, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT channel, chat, thread FROM turns JOIN sessions ON sessions.id = "
				  "turns.session WHERE turns.state = 0";
	struct db_row *row = db_select(db, sql, DB_NO_ARGS, err);
	struct address found;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		if (addresses_read(db, row, &found, err) != 0)
			return -1;
		add_address(j, &found);
	}
	return rc;
}

static int by_address(const void *a, const void *b)
{
	return compare_addresses(a, b);
}

static void drop_doubles(struct addresses_job *j)
{
	size_t kept = 0;

	if (j->count > 0)
		qsort(j->found, j->count, sizeof(*j->found), by_address);
	for (size_t i = 0; i < j->count; i++)
		if (kept == 0 || !address_equal(&j->found[kept - 1], &j->found[i]))
			j->found[kept++] = j->found[i];
	j->count = kept;
}

/* Skips from address to address in the index, however many rows each has. */
static int addresses_run(struct job *job, struct db *db, struct error *err)
{
	struct addresses_job *j = (struct addresses_job *)job;
	int rc;

	for (int slice = STORE_SLICE; slice > 0; slice--) {
		rc = next_address(db, &j->last, err);
		if (rc < 0)
			return -1;
		if (rc == 0) {
			rc = add_open_turns(j, db, err);
			drop_doubles(j);
			return rc;
		}
		add_address(j, &j->last);
	}
	return 1;
}

static void addresses_free(struct job *job)
{
	struct addresses_job *j = (struct addresses_job *)job;

	free(j->found);
	free(j);
}

int addresses_pending(struct task *t, void *self, struct address **out, struct error *err)
{
	struct store *s = self;
	struct addresses_job *j = job_new(sizeof(*j), JOB_READ, addresses_run, addresses_free);
	int count;

	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->count;
	*out = j->found;
	j->found = NULL;
	job_free(&j->job);
	return count;
}
