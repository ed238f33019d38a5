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

struct read_job {
	struct job job;
	char *account, *name;
	char *value;
};

static int read_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT value FROM cursors WHERE account = ?1 AND name = ?2";
	struct read_job *j = (struct read_job *)job;
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

static void read_free(struct job *job)
{
	struct read_job *j = (struct read_job *)job;

	free(j->account);
	free(j->name);
	free(j->value);
	free(j);
}

int cursor_read(
    struct task *t, void *self, const char *account, const char *name, char **value, struct error *err)
{
	struct store *s = self;
	struct read_job *j = job_new(sizeof(*j), JOB_READ, read_run, read_free);

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
