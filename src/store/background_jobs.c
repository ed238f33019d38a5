#include "store/background_jobs.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "bus/journal.h"
#include "store/journal/context.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"

struct background_job {
	struct job job;
	struct store_background_job work;
	struct store_usage spent;
	char *note;
	struct outbox_rows rows;
	struct store_background_job *found;
	size_t count;
};

static const struct db_field fields[] = {
    {DB_INT64, offsetof(struct store_background_job, id), 0},
    {DB_CHARS, offsetof(struct store_background_job, where.channel),
	sizeof((struct store_background_job *)0)->where.channel},
    {DB_CHARS, offsetof(struct store_background_job, where.chat),
	sizeof((struct store_background_job *)0)->where.chat},
    {DB_CHARS, offsetof(struct store_background_job, where.thread),
	sizeof((struct store_background_job *)0)->where.thread},
    {DB_INT64, offsetof(struct store_background_job, session), 0},
    {DB_INT64, offsetof(struct store_background_job, turn), 0},
    {DB_INT64, offsetof(struct store_background_job, began_ms), 0},
    {DB_TEXT, offsetof(struct store_background_job, what), 0},
};

void store_background_job_clear(struct store_background_job *w)
{
	free(w->what);
	w->what = NULL;
}

static void background_free(struct job *job)
{
	struct background_job *j = (struct background_job *)job;

	for (size_t i = 0; i < j->count; i++)
		store_background_job_clear(&j->found[i]);
	free(j->found);
	store_background_job_clear(&j->work);
	free(j->note);
	outbox_clear(&j->rows);
	free(j);
}

static int begin_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "INSERT INTO works (channel, chat, thread, session, turn, began_ms, what) "
				  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
	struct store_background_job *w = &((struct background_job *)job)->work;

	return db_insert(db, sql,
		   DB_ARGS(db_text(w->where.channel), db_text(w->where.chat), db_text(w->where.thread),
		       db_int(w->session), db_int(w->turn), db_int(job->now_ms), db_text(w->what)),
		   &w->id, err) < 0 ?
	    -1 :
	    0;
}

int store_background_job_begin(
    struct task *t, struct store *s, const struct store_background_job *w, int64_t *id, struct error *err)
{
	struct background_job *j = job_new(sizeof(*j), JOB_WRITE, begin_run, background_free);

	j->work = *w;
	j->work.what = xstrdup(w->what);
	store_redact(&j->work.what);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*id = j->work.id;
	job_free(&j->job);
	return 0;
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT id, channel, chat, thread, session, turn, began_ms, what FROM "
				  "works WHERE id > ?1 ORDER BY id LIMIT ?2";
	struct background_job *j = (struct background_job *)job;
	int64_t after_id = j->count > 0 ? j->found[j->count - 1].id : 0;
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(after_id), db_int(STORE_SLICE)), err);
	size_t before = j->count;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		j->found = xrealloc(j->found, (j->count + 1) * sizeof(*j->found));
		j->found[j->count] = (struct store_background_job){0};
		if (db_read(db, row, 0, fields, ARRAY_LEN(fields), &j->found[j->count++], err) != 0)
			return -1;
	}
	return rc < 0 ? -1 : j->count - before == STORE_SLICE;
}

int store_background_jobs(
    struct task *t, struct store *s, struct store_background_job **out, struct error *err)
{
	struct background_job *j = job_new(sizeof(*j), JOB_READ, list_run, background_free);
	int count;

	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->count;
	*out = j->found;
	j->found = NULL;
	j->count = 0;
	job_free(&j->job);
	return count;
}

/* Stores the outcome as a context message of that chat. */
static int put_note(struct background_job *j, struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO inbox (state, done_ms, why, account, event_id, kind, channel, chat, thread, "
	    "chat_kind, sender_is_chat, sender_is_bot, addressed, sent_ms, received_ms, sender_name, text, "
	    "id) "
	    "SELECT 4, ?2, '" JOURNAL_CONTEXT "', 'work', CAST(id AS TEXT), 0, channel, chat, thread, 0, 0, "
	    "0, 0, ?2, ?2, 'the gateway', ?3, ?4 FROM works WHERE "
	    "id = ?1 ON CONFLICT (account, event_id) DO NOTHING";
	int64_t id;
	int put = db_new_id(db, DB_INBOX, &id, err);

	if (put == 0)
		put = db_run(db, sql,
		    DB_ARGS(db_int(j->work.id), db_int(j->job.now_ms), db_text(j->note), db_int(id)), err);
	return put <= 0 ? put : context_trim(db, id, err);
}

static int finish_run(struct job *job, struct db *db, struct error *err)
{
	static const char find[] = "SELECT session FROM works WHERE id = ?1",
			  drop[] = "DELETE FROM works WHERE id = ?1";
	struct background_job *j = (struct background_job *)job;
	int64_t session = 0;
	int found = db_number(db, find, DB_ARGS(db_int(j->work.id)), &session, err);

	if (found == 0)
		return error_set(err, ERROR_REFUSED, "the work %lld has ended before", (long long)j->work.id);
	if (found < 0 || (j->note && put_note(j, db, err) != 0) ||
	    usage_add(db, session, &j->spent, job->now_ms, err) != 0 || outbox_insert(db, &j->rows, err) != 0)
		return -1;
	return db_run(db, drop, DB_ARGS(db_int(j->work.id)), err) < 0 ? -1 : 0;
}

int store_background_job_finish(
    struct task *t, struct store *s, const struct store_background_job_end *end, struct error *err)
{
	struct background_job *j = job_new(sizeof(*j), JOB_WRITE, finish_run, background_free);

	j->work.id = end->id;
	j->spent = end->spent;
	j->note = xstrdup(end->note);
	store_redact(&j->note);
	return outbox_run(t, s, &j->job, &j->rows, end->rows, end->row_count, err);
}
