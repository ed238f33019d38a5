#include "store/plans.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"

#define COLUMNS "channel, chat, thread, session, turn, version, shown, outbox, over, call_id, steps"

static const struct db_field fields[] = {
    {DB_CHARS, offsetof(struct store_plan, where.channel), sizeof((struct store_plan *)0)->where.channel},
    {DB_CHARS, offsetof(struct store_plan, where.chat), sizeof((struct store_plan *)0)->where.chat},
    {DB_CHARS, offsetof(struct store_plan, where.thread), sizeof((struct store_plan *)0)->where.thread},
    {DB_INT64, offsetof(struct store_plan, session), 0},
    {DB_INT64, offsetof(struct store_plan, turn), 0},
    {DB_INT64, offsetof(struct store_plan, version), 0},
    {DB_INT64, offsetof(struct store_plan, shown), 0},
    {DB_INT64, offsetof(struct store_plan, outbox), 0},
    {DB_BOOL, offsetof(struct store_plan, over), 0},
    {DB_TEXT, offsetof(struct store_plan, call_id), 0},
    {DB_TEXT, offsetof(struct store_plan, steps), 0},
};

struct plan_job {
	struct job job;
	struct store_plan *plan; /* NULL: not found */
	int64_t id, version;     /* id to find by; the version to mark */
	struct outbox_rows rows;
};

void store_plan_free(struct store_plan *p)
{
	if (!p)
		return;
	free(p->call_id);
	free(p->steps);
	free(p);
}

static void plan_job_free(struct job *job)
{
	struct plan_job *j = (struct plan_job *)job;

	store_plan_free(j->plan);
	outbox_clear(&j->rows);
	free(j);
}

/* Reads a row that begins with the id. */
static int read_plan(struct db *db, struct db_row *row, struct store_plan **out, struct error *err)
{
	int rc;

	*out = NULL;
	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 0;
	*out = xcalloc(1, sizeof **out);
	(*out)->id = db_column_int(row, 0);
	rc = db_read(db, row, 1, fields, ARRAY_LEN(fields), *out, err);
	db_end(row);
	if (rc == 0)
		return 1;
	store_plan_free(*out);
	*out = NULL;
	return -1;
}

static int find_last(struct db *db, const struct address *a, struct store_plan **out, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " COLUMNS
	    " FROM plans WHERE channel = ?1 AND chat = ?2 AND thread = ?3 ORDER BY id DESC LIMIT 1";

	return read_plan(db,
	    db_select(db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(a->thread)), err), out,
	    err);
}

static int insert(struct db *db, struct plan_job *j, struct error *err)
{
	static const char sql[] = "INSERT INTO plans (" COLUMNS
				  ", created_ms, ended_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	struct db_value values[ARRAY_LEN(fields) + 2];
	struct store_plan *p = j->plan;
	size_t count;

	if (j->rows.count == 0)
		return 0;
	if (outbox_insert(db, &j->rows, err) != 0)
		return -1;
	p->outbox = j->rows.rows[0]->id;
	p->version = p->shown = 1;
	count = db_values(values, fields, ARRAY_LEN(fields), p);
	values[count++] = db_int(j->job.now_ms);
	values[count++] = db_int(p->over ? j->job.now_ms : 0);
	return db_insert(db, sql, values, count, &p->id, err) < 0 ? -1 : 0;
}

static int update(struct db *db, struct plan_job *j, const struct store_plan *last, struct error *err)
{
	static const char sql[] = "UPDATE plans SET turn = ?2, call_id = ?3, over = ?4, steps = ?5, version "
				  "= ?6, ended_ms = ?7 WHERE id = ?1";
	struct store_plan *p = j->plan;

	p->id = last->id;
	p->outbox = last->outbox;
	p->shown = last->shown;
	p->version = last->version + (strcmp(p->steps, last->steps) != 0);
	return db_run(db, sql,
		   DB_ARGS(db_int(p->id), db_int(p->turn), db_text(p->call_id), db_int(p->over),
		       db_text(p->steps), db_int(p->version), db_int(p->over ? j->job.now_ms : 0)),
		   err) < 0 ?
	    -1 :
	    0;
}

static bool is_same_call(const struct store_plan *a, const struct store_plan *b)
{
	return a->turn == b->turn && a->call_id && b->call_id && strcmp(a->call_id, b->call_id) == 0;
}

static int put_run(struct job *job, struct db *db, struct error *err)
{
	struct plan_job *j = (struct plan_job *)job;
	struct store_plan *last;
	int rc = find_last(db, &j->plan->where, &last, err);

	if (rc > 0 && is_same_call(last, j->plan)) {
		store_plan_free(j->plan);
		j->plan = last;
		return 0;
	}
	if (rc >= 0 && last && !last->over && last->session == j->plan->session)
		rc = update(db, j, last, err);
	else if (rc >= 0)
		rc = insert(db, j, err);
	store_plan_free(last);
	return rc;
}

int store_plan_put(
    struct task *t, struct store *s, struct store_plan *p, struct outbound *row, struct error *err)
{
	struct plan_job *j = job_new(sizeof(*j), JOB_WRITE, put_run, plan_job_free);

	j->plan = xmemdup(p, sizeof(*p));
	j->plan->call_id = xstrdup(p->call_id);
	j->plan->steps = xstrdup(p->steps);
	store_redact(&j->plan->steps);
	outbox_copy(&j->rows, &row, row != NULL, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	p->id = j->plan->id;
	p->version = j->plan->version;
	p->shown = j->plan->shown;
	p->outbox = j->plan->outbox;
	job_free(&j->job);
	return 0;
}

static int show_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE plans SET shown = ?2, outbox = ?3 WHERE id = ?1";
	struct plan_job *j = (struct plan_job *)job;

	if (outbox_insert(db, &j->rows, err) != 0)
		return -1;
	return db_run(db, sql, DB_ARGS(db_int(j->id), db_int(j->version), db_int(j->rows.rows[0]->id)), err) <
		0 ?
	    -1 :
	    0;
}

int store_plan_show(
    struct task *t, struct store *s, int64_t id, int64_t version, struct outbound *row, struct error *err)
{
	struct plan_job *j = job_new(sizeof(*j), JOB_WRITE, show_run, plan_job_free);

	j->id = id;
	j->version = version;
	outbox_copy(&j->rows, &row, 1, j->job.now_ms);
	return job_queue_finish(t, &s->queue, &j->job, err);
}

static int leave_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE plans SET shown = ?2 WHERE id = ?1";
	struct plan_job *j = (struct plan_job *)job;

	return db_run(db, sql, DB_ARGS(db_int(j->id), db_int(j->version)), err) < 0 ? -1 : 0;
}

int store_plan_skip_version(struct task *t, struct store *s, int64_t id, int64_t version, struct error *err)
{
	struct plan_job *j = job_new(sizeof(*j), JOB_WRITE, leave_run, plan_job_free);

	j->id = id;
	j->version = version;
	return job_queue_finish(t, &s->queue, &j->job, err);
}

static int read_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT id, " COLUMNS " FROM plans WHERE id = ?1";
	struct plan_job *j = (struct plan_job *)job;

	return read_plan(db, db_select(db, sql, DB_ARGS(db_int(j->id)), err), &j->plan, err) < 0 ? -1 : 0;
}

static int next_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " COLUMNS " FROM plans WHERE shown < version AND id > ?1 ORDER BY id LIMIT 1";
	struct plan_job *j = (struct plan_job *)job;

	return read_plan(db, db_select(db, sql, DB_ARGS(db_int(j->id)), err), &j->plan, err) < 0 ? -1 : 0;
}

static int read_one(struct task *t, struct store *s, struct plan_job *j, int64_t id, struct store_plan **out,
    struct error *err)
{
	*out = NULL;
	j->id = id;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->plan;
	j->plan = NULL;
	job_free(&j->job);
	return *out != NULL;
}

int store_plan_read(struct task *t, struct store *s, int64_t id, struct store_plan **out, struct error *err)
{
	return read_one(
	    t, s, job_new(sizeof(struct plan_job), JOB_READ, read_run, plan_job_free), id, out, err);
}

int store_plan_next(
    struct task *t, struct store *s, int64_t after_id, struct store_plan **out, struct error *err)
{
	return read_one(
	    t, s, job_new(sizeof(struct plan_job), JOB_READ, next_run, plan_job_free), after_id, out, err);
}
