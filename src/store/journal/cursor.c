#include "store/journal/cursor.h"

#include "base/mem.h"
#include "store/store_internal.h"

int cursor_set(struct db *db, const struct journal_cursor *cursor, int64_t now_ms, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO cursors (account, name, value, updated_ms) VALUES (?1, ?2, ?3, ?4) ON CONFLICT "
	    "(account, name) DO UPDATE SET value = excluded.value, updated_ms = excluded.updated_ms";

	return db_run_later(db, sql,
		   DB_ARGS(db_text(cursor->account), db_text(cursor->name), db_text(cursor->value),
		       db_int(now_ms)),
		   err) < 0 ?
	    -1 :
	    0;
}

struct cursor_job {
	struct job job;
	char *account, *name, *value;
	int64_t gap_ms, wait_ms;
};

static void cursor_job_free(struct job *job)
{
	struct cursor_job *j = (struct cursor_job *)job;

	free(j->account);
	free(j->name);
	free(j->value);
	free(j);
}

static int read_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT value FROM cursors WHERE account = ?1 AND name = ?2";
	struct cursor_job *j = (struct cursor_job *)job;
	struct db_row *row = db_select(db, sql, DB_ARGS(db_text(j->account), db_text(j->name)), err);
	int rc;

	if (!row)
		return -1;
	rc = db_next(db, row, err);
	if (rc > 0)
		j->value = db_column_text(row, 0);
	db_end(row);
	return rc < 0 ? -1 : 0;
}

int cursor_read(
    struct task *t, void *self, const char *account, const char *name, char **value, struct error *err)
{
	struct store *s = self;
	struct cursor_job *j = job_new(sizeof(*j), JOB_READ, read_run, cursor_job_free);

	*value = NULL;
	j->account = xstrdup(account);
	j->name = xstrdup(name);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*value = j->value;
	j->value = NULL;
	job_free(&j->job);
	return 0;
}

/* A repeat after an uncertain commit finds its own value. It reads the clock first, so that a claim looks
 * older to those who wait for it, and they wait longer. */
static int claim_run(struct job *job, struct db *db, struct error *err)
{
	static const char clock[] =
	    "/* PostgreSQL */ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
			  claim[] =
			      "INSERT INTO cursors (account, name, value, updated_ms) VALUES (?1, ?2, ?3, "
			      "?4) ON CONFLICT (account, name) DO UPDATE SET value = excluded.value, "
			      "updated_ms = excluded.updated_ms WHERE cursors.value = excluded.value OR "
			      "cursors.updated_ms + ?5 <= excluded.updated_ms OR cursors.updated_ms > "
			      "excluded.updated_ms + ?5",
			  find[] = "SELECT updated_ms FROM cursors WHERE account = ?1 AND name = ?2";
	struct cursor_job *j = (struct cursor_job *)job;
	int64_t now_ms = job->now_ms, last_ms = 0;
	int changed;

	j->wait_ms = 0;
	if (db->node && db_number(db, clock, DB_NO_ARGS, &now_ms, err) < 0)
		return -1;
	changed = db_run(db, claim,
	    DB_ARGS(
		db_text(j->account), db_text(j->name), db_text(j->value), db_int(now_ms), db_int(j->gap_ms)),
	    err);
	if (changed != 0)
		return changed < 0 ? -1 : 0;
	if (db_number(db, find, DB_ARGS(db_text(j->account), db_text(j->name)), &last_ms, err) < 0)
		return -1;
	j->wait_ms = last_ms + j->gap_ms - now_ms;
	j->wait_ms = j->wait_ms < 1 ? 1 : j->wait_ms;
	return 0;
}

int cursor_claim(struct task *t, void *self, const struct journal_cursor *cursor, uint64_t gap_ms,
    uint64_t *wait_ms, struct error *err)
{
	struct store *s = self;
	struct cursor_job *j = job_new(sizeof(*j), JOB_WRITE, claim_run, cursor_job_free);

	j->account = xstrdup(cursor->account);
	j->name = xstrdup(cursor->name);
	j->value = xstrdup(cursor->value);
	j->gap_ms = (int64_t)gap_ms;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*wait_ms = (uint64_t)j->wait_ms;
	job_free(&j->job);
	return 0;
}
