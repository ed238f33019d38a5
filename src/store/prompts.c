#include "store/prompts.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "store/inbox.h"
#include "store/outbox.h"
#include "store/store_private.h"

_Static_assert(STORE_PROMPT_OPEN == 0 && STORE_PROMPT_PRESSED == 1 && STORE_PROMPT_EXPIRED == 2,
    "stored states keep their numbers");

#define COLUMNS                                                                             \
	"state, outbox, channel, chat, thread, created_ms, expires_ms, press, turn, token," \
	" choice, call_id, hash, decider, way, reason, heard, person, action, data"
#define MARKS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

static const struct db_field fields[] = {
    {DB_ENUM, offsetof(struct store_prompt, state), STORE_PROMPT_EXPIRED},
    {DB_INT64, offsetof(struct store_prompt, outbox), 0},
    {DB_CHARS, offsetof(struct store_prompt, where.channel), sizeof((struct store_prompt *)0)->where.channel},
    {DB_CHARS, offsetof(struct store_prompt, where.chat), sizeof((struct store_prompt *)0)->where.chat},
    {DB_CHARS, offsetof(struct store_prompt, where.thread), sizeof((struct store_prompt *)0)->where.thread},
    {DB_INT64, offsetof(struct store_prompt, created_ms), 0},
    {DB_INT64, offsetof(struct store_prompt, expires_ms), 0},
    {DB_INT64, offsetof(struct store_prompt, press), 0},
    {DB_INT64, offsetof(struct store_prompt, turn), 0},
    {DB_TEXT, offsetof(struct store_prompt, token), 0},
    {DB_TEXT, offsetof(struct store_prompt, choice), 0},
    {DB_TEXT, offsetof(struct store_prompt, call_id), 0},
    {DB_TEXT, offsetof(struct store_prompt, hash), 0},
    {DB_TEXT, offsetof(struct store_prompt, decider), 0},
    {DB_TEXT, offsetof(struct store_prompt, way), 0},
    {DB_TEXT, offsetof(struct store_prompt, reason), 0},
    {DB_INT64, offsetof(struct store_prompt, heard), 0},
    {DB_TEXT, offsetof(struct store_prompt, person), 0},
    {DB_TEXT, offsetof(struct store_prompt, action), 0},
    {DB_TEXT, offsetof(struct store_prompt, data), 0},
};

struct prompt_job {
	struct job job;
	struct store_prompt *prompt;    /* NULL: not found */
	char *token, *call_id, *action; /* to find by; NULL: not */
	int64_t turn, after_id;         /* to find by; 0: not */
	int64_t inbound;
	struct outbox_rows rows;
};

void store_prompt_free(struct store_prompt *p)
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
	free(p->way);
	free(p->reason);
	free(p);
}

struct store_prompt *store_prompt_copy(const struct store_prompt *p)
{
	struct store_prompt *c = xmemdup(p, sizeof(*p));

	c->token = xstrdup(p->token);
	c->person = xstrdup(p->person);
	c->action = xstrdup(p->action);
	c->data = xstrdup(p->data);
	c->choice = xstrdup(p->choice);
	c->call_id = xstrdup(p->call_id);
	c->hash = xstrdup(p->hash);
	c->decider = xstrdup(p->decider);
	c->way = xstrdup(p->way);
	c->reason = xstrdup(p->reason);
	store_redact(&c->data);
	store_redact(&c->reason);
	return c;
}

static void prompt_job_free(struct job *job)
{
	struct prompt_job *j = (struct prompt_job *)job;

	store_prompt_free(j->prompt);
	free(j->token);
	free(j->call_id);
	free(j->action);
	outbox_clear(&j->rows);
	free(j);
}

int prompt_insert(struct db *db, struct store_prompt *p, struct error *err)
{
	static const char sql[] = "INSERT INTO prompts (" COLUMNS ") VALUES (" MARKS ")";
	struct db_value values[ARRAY_LEN(fields)];

	if (db_run(db, sql, values, db_values(values, fields, ARRAY_LEN(fields), p), err) < 0)
		return -1;
	p->id = db_last_id(db);
	return 0;
}

static int put_run(struct job *job, struct db *db, struct error *err)
{
	static const char newest[] = "SELECT coalesce(max(id), 0) FROM inbox";
	struct prompt_job *j = (struct prompt_job *)job;

	if (j->inbound != 0 &&
	    inbox_end(db, &j->inbound, 1, "answered with a question", job->now_ms, err) != 0)
		return -1;
	if (outbox_insert(db, &j->rows, err) != 0)
		return -1;
	j->prompt->outbox = j->rows.rows[j->rows.count - 1]->id;
	if (db_number(db, newest, DB_NO_ARGS, &j->prompt->heard, err) < 0)
		return -1;
	return prompt_insert(db, j->prompt, err);
}

int store_prompt_put(struct task *t, struct store *s, struct store_prompt *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err)
{
	struct prompt_job *j = job_new(sizeof(*j), JOB_WRITE, put_run, prompt_job_free);

	p->created_ms = j->job.now_ms;
	j->prompt = store_prompt_copy(p);
	j->inbound = inbound;
	outbox_copy(&j->rows, rows, count, j->job.now_ms);
	if (queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	p->id = j->prompt->id;
	p->outbox = j->prompt->outbox;
	p->heard = j->prompt->heard;
	outbox_return(&j->rows, rows);
	job_free(&j->job);
	return 0;
}

/* By what the job says. */
static struct sqlite3_stmt *select_prompt(const struct prompt_job *j, struct db *db, struct error *err)
{
	static const char by_token[] = "SELECT id, " COLUMNS " FROM prompts WHERE token = ?1";
	static const char next[] =
	    "SELECT id, " COLUMNS " FROM prompts WHERE state = 0 ORDER BY expires_ms LIMIT 1";
	static const char by_call[] =
	    "SELECT id, " COLUMNS " FROM prompts WHERE turn > 0 AND turn = ?1 AND call_id = ?2";
	static const char by_turn[] =
	    "SELECT id, " COLUMNS " FROM prompts WHERE turn > 0 AND turn = ?1 AND state = 0 LIMIT 1";
	static const char by_action[] =
	    "SELECT id, " COLUMNS
	    " FROM prompts WHERE state = 0 AND action = ?1 AND id > ?2 ORDER BY id LIMIT 1";

	if (j->token)
		return db_select(db, by_token, DB_ARGS(db_text(j->token)), err);
	if (j->call_id)
		return db_select(db, by_call, DB_ARGS(db_int(j->turn), db_text(j->call_id)), err);
	if (j->turn != 0)
		return db_select(db, by_turn, DB_ARGS(db_int(j->turn)), err);
	if (j->action)
		return db_select(db, by_action, DB_ARGS(db_text(j->action), db_int(j->after_id)), err);
	return db_select(db, next, DB_NO_ARGS, err);
}

static int find_run(struct job *job, struct db *db, struct error *err)
{
	struct prompt_job *j = (struct prompt_job *)job;
	struct sqlite3_stmt *row = select_prompt(j, db, err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 0;
	j->prompt = xcalloc(1, sizeof(*j->prompt));
	j->prompt->id = db_column_int(row, 0);
	rc = db_read(db, row, 1, fields, ARRAY_LEN(fields), j->prompt, err);
	db_end(row);
	return rc;
}

static struct prompt_job *find_job(void)
{
	return job_new(sizeof(struct prompt_job), JOB_READ, find_run, prompt_job_free);
}

static int find(
    struct task *t, struct store *s, struct prompt_job *j, struct store_prompt **out, struct error *err)
{
	*out = NULL;
	if (queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->prompt;
	j->prompt = NULL;
	job_free(&j->job);
	return *out != NULL;
}

int store_prompt_find(
    struct task *t, struct store *s, const char *token, struct store_prompt **out, struct error *err)
{
	struct prompt_job *j = find_job();

	j->token = xstrdup(token);
	return find(t, s, j, out, err);
}

int store_prompt_of(struct task *t, struct store *s, int64_t turn, const char *call_id,
    struct store_prompt **out, struct error *err)
{
	struct prompt_job *j = find_job();

	j->turn = turn;
	j->call_id = xstrdup(call_id);
	return find(t, s, j, out, err);
}

int store_prompt_open(struct task *t, struct store *s, const char *action, int64_t after_id,
    struct store_prompt **out, struct error *err)
{
	struct prompt_job *j = find_job();

	j->action = xstrdup(action);
	j->after_id = after_id;
	return find(t, s, j, out, err);
}

int store_prompt_next(struct task *t, struct store *s, struct store_prompt **out, struct error *err)
{
	return find(t, s, find_job(), out, err);
}

static int end_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE prompts SET state = ?2, choice = ?3, press = ?4, ended_ms = ?5, "
				  "decider = ?6, way = ?7, reason = ?8 WHERE id = ?1 AND state = 0";
	struct prompt_job *j = (struct prompt_job *)job;
	const struct store_prompt *p = j->prompt;
	const char *why;
	int changed = db_run(db, sql,
	    DB_ARGS(db_int(p->id), db_int(p->state), db_text(p->choice), db_int(p->press),
		db_int(job->now_ms), db_text(p->decider), db_text(p->way), db_text(p->reason)),
	    err);

	if (changed < 0)
		return -1;
	if (changed == 0)
		return error_set(
		    err, ERROR_REFUSED, "the question %lld is not open any more", (long long)p->id);
	why = p->way && strcmp(p->way, "words") == 0 ? "an answer" : "command";
	if (j->inbound != 0 && inbox_end(db, &j->inbound, 1, why, job->now_ms, err) != 0)
		return -1;
	return outbox_insert(db, &j->rows, err);
}

int store_prompt_end(struct task *t, struct store *s, const struct store_prompt *p, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err)
{
	struct prompt_job *j = job_new(sizeof(*j), JOB_WRITE, end_run, prompt_job_free);

	j->prompt = store_prompt_copy(p);
	j->inbound = inbound;
	outbox_copy(&j->rows, rows, count, j->job.now_ms);
	if (queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	outbox_return(&j->rows, rows);
	job_free(&j->job);
	return 0;
}
