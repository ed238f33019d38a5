#include "store/models.h"

#include "base/mem.h"
#include "store/inbox.h"
#include "store/outbox.h"
#include "store/store_private.h"

struct model_job {
	struct job job;
	struct address where;
	char *name;
	int64_t inbound;
	struct outbox_rows answers;
};

static void model_free(struct job *job)
{
	struct model_job *j = (struct model_job *)job;

	outbox_clear(&j->answers);
	free(j->name);
	free(j);
}

int model_find(struct db *db, const struct address *where, char **name, struct error *err)
{
	static const char sql[] = "SELECT name FROM models WHERE channel = ?1 AND chat = ?2";
	struct sqlite3_stmt *row = db_select(db, sql, DB_ARGS(db_text(where->channel), db_text(where->chat)), err);
	int rc;

	if (row == NULL || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc > 0) {
		*name = db_column_text(row, 0);
		db_end(row);
	}
	return 0;
}

static int read_run(struct job *job, struct db *db, struct error *err)
{
	struct model_job *j = (struct model_job *)job;

	return model_find(db, &j->where, &j->name, err);
}

int store_model_read(struct task *t, struct store *s, const struct address *where, char **name, struct error *err)
{
	struct model_job *j = job_new(sizeof *j, JOB_READ, read_run, model_free);

	*name = NULL;
	j->where = *where;
	if (queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*name = j->name;
	j->name = NULL;
	job_free(&j->job);
	return 0;
}

static int choose_run(struct job *job, struct db *db, struct error *err)
{
	static const char choose[] = "INSERT INTO models (channel, chat, name) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT (channel, chat) DO UPDATE SET name = excluded.name";
	static const char forget[] = "DELETE FROM models WHERE channel = ?1 AND chat = ?2";
	struct model_job *j = (struct model_job *)job;
	const struct address *a = &j->where;

	if (inbox_end(db, &j->inbound, 1, "command", job->now_ms, err) != 0)
		return -1;
	if (j->name != NULL && db_run(db, choose, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(j->name)), err) < 0)
		return -1;
	if (j->name == NULL && db_run(db, forget, DB_ARGS(db_text(a->channel), db_text(a->chat)), err) < 0)
		return -1;
	return outbox_insert(db, &j->answers, err);
}

int store_model_choose(struct task *t, struct store *s, const struct address *where, const char *name, int64_t inbound,
    struct outbound *const *answers, size_t count, struct error *err)
{
	struct model_job *j = job_new(sizeof *j, JOB_WRITE, choose_run, model_free);

	j->where = *where;
	j->name = xstrdup(name);
	j->inbound = inbound;
	outbox_copy(&j->answers, answers, count, j->job.now_ms);
	if (queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	outbox_return(&j->answers, answers);
	job_free(&j->job);
	return 0;
}
