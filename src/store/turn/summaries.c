#include "store/turn/summaries.h"

#include "base/error.h"
#include "base/mem.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"
#include "store/usage.h"

struct summary_job {
	struct job job;
	int64_t session, upto, inbound;
	char *text;
	struct store_usage spent;
	struct outbox_rows rows;
};

static void summary_free(struct job *job)
{
	struct summary_job *j = (struct summary_job *)job;

	outbox_clear(&j->rows);
	free(j->text);
	free(j);
}

int summary_find(struct db *db, int64_t session, int64_t *upto, char **text, struct error *err)
{
	static const char sql[] =
	    "SELECT upto, text FROM summaries WHERE session = ?1 ORDER BY upto DESC LIMIT 1";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(session)), err);
	int rc = !row ? -1 : db_next(db, row, err);

	*upto = 0;
	if (text)
		*text = NULL;
	if (rc <= 0)
		return rc;
	*upto = db_column_int(row, 0);
	if (text)
		*text = db_column_text(row, 1);
	db_end(row);
	return 0;
}

static int add_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO summaries (session, upto, created_ms, text) VALUES (?1, ?2, ?3, ?4)";
	struct summary_job *j = (struct summary_job *)job;
	int64_t upto;

	if (summary_find(db, j->session, &upto, NULL, err) != 0)
		return -1;
	if (upto >= j->upto)
		return error_set(err, ERROR_REFUSED, "that much of the conversation is summarised already");
	if (j->inbound != 0 && inbox_end(db, &j->inbound, 1, "command", job->now_ms, err) != 0)
		return -1;
	if (db_run(db, sql,
		DB_ARGS(db_int(j->session), db_int(j->upto), db_int(job->now_ms), db_text(j->text)), err) < 0)
		return -1;
	if (usage_add(db, j->session, &j->spent, job->now_ms, err) != 0)
		return -1;
	return outbox_insert(db, &j->rows, err);
}

int store_summary_add(struct task *t, struct store *s, const struct store_summary *summary, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err)
{
	struct summary_job *j = job_new(sizeof(*j), JOB_WRITE, add_run, summary_free);

	warm_histories_changed(&s->warm, summary->session);
	j->session = summary->session;
	j->upto = summary->upto;
	j->inbound = inbound;
	if (summary->spent)
		j->spent = *summary->spent;
	j->text = xstrdup(summary->text);
	store_redact(&j->text);
	return outbox_run(t, s, &j->job, &j->rows, rows, count, err);
}
