#include "store/conversations.h"

#include "base/mem.h"
#include "store/journal/addresses.h"
#include "store/store_internal.h"

struct list_job {
	struct job job;
	size_t skip, max;
	int64_t before; /* turns from this id on have been read */
	int64_t *seen;  /* sessions by their last turn, newest first */
	size_t seen_count;
	struct store_conversation *found;
	size_t count;
	bool more;
};

static void list_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;

	free(j->seen);
	free(j->found);
	free(j);
}

static bool is_seen(const struct list_job *j, int64_t session)
{
	for (size_t i = 0; i < j->seen_count; i++)
		if (j->seen[i] == session)
			return true;
	return false;
}

static int note(struct list_job *j, struct db *db, struct db_row *row, struct error *err)
{
	int64_t session = db_column_int(row, 3), ended_ms = db_column_int(row, 5);
	struct store_conversation *c;

	if (is_seen(j, session))
		return 0;
	j->seen = xrealloc(j->seen, (j->seen_count + 1) * sizeof(*j->seen));
	j->seen[j->seen_count++] = session;
	if (j->seen_count <= j->skip)
		return 0;
	if (j->count == j->max) {
		j->more = true;
		return 0;
	}
	c = &j->found[j->count++];
	c->session = session;
	c->open = ended_ms == 0;
	c->active_ms = c->open ? db_column_int(row, 4) : ended_ms;
	return addresses_read(db, row, &c->where, err);
}

static int count_messages(struct list_job *j, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT count(*) FROM transcript WHERE session = ?1";

	for (size_t i = 0; i < j->count; i++)
		if (db_number(db, sql, DB_ARGS(db_int(j->found[i].session)), &j->found[i].messages, err) < 0)
			return -1;
	return 0;
}

/* Reads one slice of the turns, newest first. */
static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char bound[] =
	    "SELECT min(id) FROM (SELECT id FROM turns WHERE id < ?1 ORDER BY id DESC LIMIT ?2) AS slice";
	static const char sql[] =
	    "SELECT channel, chat, thread, session, began_ms, ended_ms FROM turns CROSS JOIN sessions WHERE "
	    "sessions.id = turns.session"
	    " AND turns.id < ?1 AND turns.id >= ?2 AND closed_ms = 0 ORDER BY turns.id DESC";
	struct list_job *j = (struct list_job *)job;
	struct db_row *row;
	int64_t from;
	int rc = 0;

	if (db_number(db, bound, DB_ARGS(db_int(j->before), db_int(STORE_SLICE)), &from, err) < 0)
		return -1;
	row = from > 0 ? db_select(db, sql, DB_ARGS(db_int(j->before), db_int(from)), err) : NULL;
	if (from > 0 && !row)
		return -1;
	while (from > 0 && !j->more && (rc = db_next(db, row, err)) > 0)
		if (note(j, db, row, err) != 0)
			return -1;
	if (j->more)
		db_end(row);
	if (rc < 0)
		return -1;
	j->before = from;
	return from > 0 && !j->more ? 1 : count_messages(j, db, err);
}

int store_conversations(struct task *t, struct store *s, size_t skip, struct store_conversation *out,
    size_t max, bool *more, struct error *err)
{
	struct list_job *j = job_new(sizeof(*j), JOB_READ, list_run, list_free);
	int count;

	j->skip = skip;
	j->max = max;
	j->before = INT64_MAX;
	j->found = xcalloc(max + 1, sizeof(*j->found));
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	for (size_t i = 0; i < j->count; i++)
		out[i] = j->found[i];
	*more = j->more;
	count = (int)j->count;
	job_free(&j->job);
	return count;
}
