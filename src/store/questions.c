#include "store/questions.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"

_Static_assert(STORE_QUESTION_OPEN == 0 && STORE_QUESTION_PRESSED == 1 && STORE_QUESTION_EXPIRED == 2,
    "stored states keep their numbers");

#define COLUMNS                                                                             \
	"state, outbox, channel, chat, thread, created_ms, expires_ms, press, turn, token," \
	" choice, call_id, hash, decider, way, reason, heard, person, action, data"
#define MARKS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

static const struct db_field fields[] = {
    {DB_ENUM, offsetof(struct store_question, state), STORE_QUESTION_EXPIRED},
    {DB_INT64, offsetof(struct store_question, outbox), 0},
    {DB_CHARS, offsetof(struct store_question, where.channel),
	sizeof((struct store_question *)0)->where.channel},
    {DB_CHARS, offsetof(struct store_question, where.chat), sizeof((struct store_question *)0)->where.chat},
    {DB_CHARS, offsetof(struct store_question, where.thread),
	sizeof((struct store_question *)0)->where.thread},
    {DB_INT64, offsetof(struct store_question, created_ms), 0},
    {DB_INT64, offsetof(struct store_question, expires_ms), 0},
    {DB_INT64, offsetof(struct store_question, press), 0},
    {DB_INT64, offsetof(struct store_question, turn), 0},
    {DB_TEXT, offsetof(struct store_question, token), 0},
    {DB_TEXT, offsetof(struct store_question, choice), 0},
    {DB_TEXT, offsetof(struct store_question, call_id), 0},
    {DB_TEXT, offsetof(struct store_question, hash), 0},
    {DB_TEXT, offsetof(struct store_question, decider), 0},
    {DB_TEXT, offsetof(struct store_question, ended_by), 0},
    {DB_TEXT, offsetof(struct store_question, reason), 0},
    {DB_INT64, offsetof(struct store_question, last_inbound), 0},
    {DB_TEXT, offsetof(struct store_question, person), 0},
    {DB_TEXT, offsetof(struct store_question, action), 0},
    {DB_TEXT, offsetof(struct store_question, data), 0},
};

struct question_job {
	struct job job;
	struct store_question *question;          /* NULL: not found */
	char *token, *call_id, *action, *channel; /* search keys; NULL: unused */
	int64_t turn, after_id;                   /* search keys; 0: unused */
	int64_t inbound;
	struct outbox_rows rows;
};

void store_question_free(struct store_question *p)
{
	if (!p)
		return;
	free(p->token);
	free(p->person);
	free(p->action);
	free(p->data);
	free(p->choice);
	free(p->call_id);
	free(p->hash);
	free(p->decider);
	free(p->ended_by);
	free(p->reason);
	free(p);
}

struct store_question *store_question_copy(const struct store_question *p)
{
	struct store_question *c = xmemdup(p, sizeof(*p));

	c->token = xstrdup(p->token);
	c->person = xstrdup(p->person);
	c->action = xstrdup(p->action);
	c->data = xstrdup(p->data);
	c->choice = xstrdup(p->choice);
	c->call_id = xstrdup(p->call_id);
	c->hash = xstrdup(p->hash);
	c->decider = xstrdup(p->decider);
	c->ended_by = xstrdup(p->ended_by);
	c->reason = xstrdup(p->reason);
	store_redact(&c->data);
	store_redact(&c->reason);
	return c;
}

static void question_job_free(struct job *job)
{
	struct question_job *j = (struct question_job *)job;

	store_question_free(j->question);
	free(j->token);
	free(j->channel);
	free(j->call_id);
	free(j->action);
	outbox_clear(&j->rows);
	free(j);
}

int question_insert(struct db *db, struct store_question *p, struct error *err)
{
	static const char sql[] = "INSERT INTO prompts (" COLUMNS ") VALUES (" MARKS ")";
	struct db_value values[ARRAY_LEN(fields)];

	return db_insert(db, sql, values, db_values(values, fields, ARRAY_LEN(fields), p), &p->id, err) < 0 ?
	    -1 :
	    0;
}

static int put_run(struct job *job, struct db *db, struct error *err)
{
	struct question_job *j = (struct question_job *)job;

	if (j->inbound != 0 &&
	    inbox_end(db, &j->inbound, 1, "answered with a question", job->now_ms, err) != 0)
		return -1;
	if (outbox_insert(db, &j->rows, err) != 0)
		return -1;
	j->question->outbox = j->rows.rows[j->rows.count - 1]->id;
	/* What the person says from now on has a higher id. */
	if (db_new_id(db, DB_INBOX, &j->question->last_inbound, err) != 0)
		return -1;
	return question_insert(db, j->question, err);
}

int store_question_put(struct task *t, struct store *s, struct store_question *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err)
{
	struct question_job *j = job_new(sizeof(*j), JOB_WRITE, put_run, question_job_free);

	p->created_ms = j->job.now_ms;
	j->question = store_question_copy(p);
	j->inbound = inbound;
	outbox_copy(&j->rows, rows, count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	p->id = j->question->id;
	p->outbox = j->question->outbox;
	p->last_inbound = j->question->last_inbound;
	outbox_return(&j->rows, rows);
	job_free(&j->job);
	return 0;
}

/* Selects by the keys that the job has. */
static struct db_row *select_question(const struct question_job *j, struct db *db, struct error *err)
{
	static const char by_token[] = "SELECT id, " COLUMNS " FROM prompts WHERE token = ?1";
	static const char next[] =
	    "SELECT id, " COLUMNS " FROM prompts WHERE state = 0 AND (channel = ?1 OR ?1 IS NULL) ORDER BY "
	    "expires_ms LIMIT 1";
	static const char by_call[] =
	    "SELECT id, " COLUMNS " FROM prompts WHERE turn > 0 AND turn = ?1 AND call_id = ?2";
	static const char by_turn[] =
	    "SELECT id, " COLUMNS " FROM prompts WHERE turn > 0 AND turn = ?1 AND state = 0 LIMIT 1";
	static const char by_action[] =
	    "SELECT id, " COLUMNS
	    " FROM prompts WHERE state = 0 AND action = ?1 AND +id > ?2 ORDER BY +id LIMIT 1";

	if (j->token)
		return db_select(db, by_token, DB_ARGS(db_text(j->token)), err);
	if (j->call_id)
		return db_select(db, by_call, DB_ARGS(db_int(j->turn), db_text(j->call_id)), err);
	if (j->turn != 0)
		return db_select(db, by_turn, DB_ARGS(db_int(j->turn)), err);
	if (j->action)
		return db_select(db, by_action, DB_ARGS(db_text(j->action), db_int(j->after_id)), err);
	return db_select(db, next, DB_ARGS(db_text(j->channel)), err);
}

static int find_run(struct job *job, struct db *db, struct error *err)
{
	struct question_job *j = (struct question_job *)job;
	struct db_row *row = select_question(j, db, err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 0;
	j->question = xcalloc(1, sizeof(*j->question));
	j->question->id = db_column_int(row, 0);
	rc = db_read(db, row, 1, fields, ARRAY_LEN(fields), j->question, err);
	db_end(row);
	return rc;
}

static struct question_job *find_job(void)
{
	return job_new(sizeof(struct question_job), JOB_READ, find_run, question_job_free);
}

static int find(
    struct task *t, struct store *s, struct question_job *j, struct store_question **out, struct error *err)
{
	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->question;
	j->question = NULL;
	job_free(&j->job);
	return *out != NULL;
}

int store_question_find(
    struct task *t, struct store *s, const char *token, struct store_question **out, struct error *err)
{
	struct question_job *j = find_job();

	j->token = xstrdup(token);
	return find(t, s, j, out, err);
}

int store_question_of(struct task *t, struct store *s, int64_t turn, const char *call_id,
    struct store_question **out, struct error *err)
{
	struct question_job *j = find_job();

	j->turn = turn;
	j->call_id = xstrdup(call_id);
	return find(t, s, j, out, err);
}

int store_question_open(struct task *t, struct store *s, const char *action, int64_t after_id,
    struct store_question **out, struct error *err)
{
	struct question_job *j = find_job();

	j->action = xstrdup(action);
	j->after_id = after_id;
	return find(t, s, j, out, err);
}

int store_question_next(
    struct task *t, struct store *s, const char *channel, struct store_question **out, struct error *err)
{
	struct question_job *j = find_job();

	j->channel = xstrdup(channel);
	return find(t, s, j, out, err);
}

static int end_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE prompts SET state = ?2, choice = ?3, press = ?4, ended_ms = ?5, "
				  "decider = ?6, way = ?7, reason = ?8 WHERE id = ?1 AND state = 0";
	struct question_job *j = (struct question_job *)job;
	const struct store_question *p = j->question;
	const char *why;
	int changed = db_run(db, sql,
	    DB_ARGS(db_int(p->id), db_int(p->state), db_text(p->choice), db_int(p->press),
		db_int(job->now_ms), db_text(p->decider), db_text(p->ended_by), db_text(p->reason)),
	    err);

	if (changed < 0)
		return -1;
	if (changed == 0)
		return error_set(
		    err, ERROR_REFUSED, "the question %lld is not open any more", (long long)p->id);
	why = p->ended_by && strcmp(p->ended_by, "words") == 0 ? "an answer" : "command";
	if (j->inbound != 0 && inbox_end(db, &j->inbound, 1, why, job->now_ms, err) != 0)
		return -1;
	return outbox_insert(db, &j->rows, err);
}

int store_question_end(struct task *t, struct store *s, const struct store_question *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err)
{
	struct question_job *j = job_new(sizeof(*j), JOB_WRITE, end_run, question_job_free);

	j->question = store_question_copy(p);
	j->inbound = inbound;
	return outbox_run(t, s, &j->job, &j->rows, rows, count, err);
}
