#include "store/grants.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/questions.h"
#include "store/store_internal.h"

_Static_assert(STORE_PAIRING_OPEN == 0 && STORE_PAIRING_ADMITTED == 1 && STORE_PAIRING_REFUSED == 2,
    "stored states keep their numbers");

#define GRANT_ROLE_MAX 3

static const struct db_field grant_fields[] = {
    {DB_CHARS, offsetof(struct store_grant, channel), sizeof((struct store_grant *)0)->channel},
    {DB_TEXT, offsetof(struct store_grant, person), 0},
    {DB_INT64, offsetof(struct store_grant, role), 0},
    {DB_BOOL, offsetof(struct store_grant, private_only), 0},
    {DB_TEXT, offsetof(struct store_grant, by), 0},
    {DB_INT64, offsetof(struct store_grant, since_ms), 0},
};

static const struct db_field pairing_fields[] = {
    {DB_ENUM, offsetof(struct store_pairing, state), STORE_PAIRING_REFUSED},
    {DB_CHARS, offsetof(struct store_pairing, where.channel),
	sizeof((struct store_pairing *)0)->where.channel},
    {DB_CHARS, offsetof(struct store_pairing, where.chat), sizeof((struct store_pairing *)0)->where.chat},
    {DB_CHARS, offsetof(struct store_pairing, where.thread), sizeof((struct store_pairing *)0)->where.thread},
    {DB_INT64, offsetof(struct store_pairing, created_ms), 0},
    {DB_INT64, offsetof(struct store_pairing, expires_ms), 0},
    {DB_TEXT, offsetof(struct store_pairing, code), 0},
    {DB_TEXT, offsetof(struct store_pairing, person), 0},
    {DB_TEXT, offsetof(struct store_pairing, name), 0},
    {DB_TEXT, offsetof(struct store_pairing, by), 0},
};

void store_grant_free(struct store_grant *g)
{
	if (!g)
		return;
	free(g->person);
	free(g->by);
	free(g);
}

struct store_grant *store_grant_copy(const struct store_grant *g)
{
	struct store_grant *c = xmemdup(g, sizeof(*g));

	c->person = xstrdup(g->person);
	c->by = xstrdup(g->by);
	return c;
}

void store_pairing_free(struct store_pairing *p)
{
	if (!p)
		return;
	free(p->code);
	free(p->person);
	free(p->name);
	free(p->by);
	free(p);
}

struct store_pairing *store_pairing_copy(const struct store_pairing *p)
{
	struct store_pairing *c = xmemdup(p, sizeof(*p));

	c->code = xstrdup(p->code);
	c->person = xstrdup(p->person);
	c->name = xstrdup(p->name);
	c->by = xstrdup(p->by);
	return c;
}

struct list_job {
	struct job job;
	void **items; /* grants or pairings */
	size_t count;
};

static void grants_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;

	for (size_t i = 0; i < j->count; i++)
		store_grant_free(j->items[i]);
	free(j->items);
	free(j);
}

static void pairings_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;

	for (size_t i = 0; i < j->count; i++)
		store_pairing_free(j->items[i]);
	free(j->items);
	free(j);
}

/* Appends a zeroed item of that size. */
static void *list_add(struct list_job *j, size_t size)
{
	j->items = xrealloc(j->items, (j->count + 1) * sizeof(*j->items));
	return j->items[j->count++] = xcalloc(1, size);
}

/* One slice reads all: people grant access by hand, so there are few. */
static int grants_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT channel, person, role, private_only, by, since_ms FROM grants ORDER BY id";
	struct list_job *j = (struct list_job *)job;
	struct db_row *row = db_select(db, sql, DB_NO_ARGS, err);
	int rc = -1;

	while (row && (rc = db_next(db, row, err)) > 0) {
		struct store_grant *g = list_add(j, sizeof(*g));
		rc = db_read(db, row, 0, grant_fields, ARRAY_LEN(grant_fields), g, err);
		if (rc == 0 && (!g->person || g->role < 0 || g->role > GRANT_ROLE_MAX))
			rc = db_damaged(db, err, "a grant has the role %lld", (long long)g->role);
		if (rc < 0)
			return -1;
	}
	return rc;
}

static int pairings_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT id, state, channel, chat, thread, created_ms, expires_ms, code, "
				  "person, name, by FROM pairings WHERE expires_ms > ?1 ORDER BY id";
	struct list_job *j = (struct list_job *)job;
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(job->now_ms)), err);
	int rc = -1;

	while (row && (rc = db_next(db, row, err)) > 0) {
		struct store_pairing *p = list_add(j, sizeof(*p));
		p->id = db_column_int(row, 0);
		if (db_read(db, row, 1, pairing_fields, ARRAY_LEN(pairing_fields), p, err) != 0)
			return -1;
	}
	return rc;
}

/* The caller owns the items. */
static int list(struct task *t, struct store *s, struct list_job *j, void ***out, struct error *err)
{
	int count;

	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->items;
	count = (int)j->count;
	j->items = NULL;
	j->count = 0;
	job_free(&j->job);
	return count;
}

int store_grants(struct task *t, struct store *s, struct store_grant ***out, struct error *err)
{
	return list(
	    t, s, job_new(sizeof(struct list_job), JOB_READ, grants_run, grants_free), (void ***)out, err);
}

int store_pairings(struct task *t, struct store *s, struct store_pairing ***out, struct error *err)
{
	return list(t, s, job_new(sizeof(struct list_job), JOB_READ, pairings_run, pairings_free),
	    (void ***)out, err);
}

struct change_job {
	struct job job;
	int64_t inbound;
	const char *why;
	struct store_grant *grant;
	struct store_pairing *new_request, *decision;
	struct outbox_rows rows;
	struct store_question **questions;
	size_t question_count, questions_from;
};

static void change_free(struct job *job)
{
	struct change_job *j = (struct change_job *)job;

	store_grant_free(j->grant);
	store_pairing_free(j->new_request);
	store_pairing_free(j->decision);
	outbox_clear(&j->rows);
	for (size_t i = 0; i < j->question_count; i++)
		store_question_free(j->questions[i]);
	free(j->questions);
	free(j);
}

static int put_grant(struct db *db, struct store_grant *g, int64_t now_ms, struct error *err)
{
	static const char sql[] = "INSERT INTO grants (channel, person, role, private_only, by, since_ms) "
				  "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (channel, person)"
				  " DO UPDATE SET role = ?3, private_only = ?4, by = ?5, since_ms = ?6";

	return db_run(db, sql,
		   DB_ARGS(db_text(g->channel), db_text(g->person), db_int(g->role), db_int(g->private_only),
		       db_text(g->by), db_int(now_ms)),
		   err) < 0 ?
	    -1 :
	    0;
}

static int put_pairing(struct db *db, const struct store_pairing *p, struct error *err)
{
	static const char sql[] = "INSERT INTO pairings (state, channel, chat, thread, created_ms, "
				  "expires_ms, code, person, name, by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	struct db_value values[ARRAY_LEN(pairing_fields)];

	return db_run(db, sql, values, db_values(values, pairing_fields, ARRAY_LEN(pairing_fields), p), err) <
		0 ?
	    -1 :
	    0;
}

/* The first decision counts and ends the open questions about it. */
static int end_pairing(struct db *db, const struct store_pairing *p, int64_t now_ms, struct error *err)
{
	static const char sql[] =
	    "UPDATE pairings SET state = ?3, by = ?4 WHERE channel = ?1 AND code = ?2 AND state = 0";
	static const char ask[] = "UPDATE prompts SET state = 2, ended_ms = ?2, way = 'elsewhere' WHERE "
				  "state = 0 AND action = '" STORE_PAIRING_ACTION "' AND data = ?1";
	int changed = db_run(db, sql,
	    DB_ARGS(db_text(p->where.channel), db_text(p->code), db_int(p->state), db_text(p->by)), err);

	if (changed == 0)
		return error_set(err, ERROR_REFUSED, "someone has already decided this");
	return changed < 0 || db_run(db, ask, DB_ARGS(db_text(p->code), db_int(now_ms)), err) < 0 ? -1 : 0;
}

static int change_run(struct job *job, struct db *db, struct error *err)
{
	struct change_job *j = (struct change_job *)job;

	if (j->inbound != 0 && inbox_end(db, &j->inbound, 1, j->why, job->now_ms, err) != 0)
		return -1;
	if (j->decision && end_pairing(db, j->decision, job->now_ms, err) != 0)
		return -1;
	if (j->grant && put_grant(db, j->grant, job->now_ms, err) != 0)
		return -1;
	if (j->new_request && put_pairing(db, j->new_request, err) != 0)
		return -1;
	if (outbox_insert(db, &j->rows, err) != 0)
		return -1;
	for (size_t i = 0; i < j->question_count; i++) {
		j->questions[i]->created_ms = job->now_ms;
		j->questions[i]->outbox = j->rows.rows[j->questions_from + i]->id;
		if (question_insert(db, j->questions[i], err) != 0)
			return -1;
	}
	return 0;
}

int store_access_commit(
    struct task *t, struct store *s, const struct store_access_change *c, struct error *err)
{
	struct change_job *j = job_new(sizeof(*j), JOB_WRITE, change_run, change_free);

	j->inbound = c->inbound;
	j->why = c->why;
	j->grant = c->grant ? store_grant_copy(c->grant) : NULL;
	j->new_request = c->new_request ? store_pairing_copy(c->new_request) : NULL;
	j->decision = c->decision ? store_pairing_copy(c->decision) : NULL;
	outbox_copy(&j->rows, c->rows, c->row_count, j->job.now_ms);
	j->questions = xcalloc(c->question_count + 1, sizeof(*j->questions));
	j->questions_from = c->questions_from;
	for (; j->question_count < c->question_count; j->question_count++)
		j->questions[j->question_count] = store_question_copy(&c->questions[j->question_count]);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	outbox_return(&j->rows, c->rows);
	job_free(&j->job);
	return 0;
}
