#include "store/budgets.h"

#include <stdlib.h>

#include "base/mem.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"

_Static_assert(STORE_ALL == 0 && STORE_CHAT == 1 && STORE_PERSON == 2 && STORE_DAY == 0 && STORE_MONTH == 1 &&
	STORE_EVER == 2,
    "stored scopes and windows keep their numbers");
_Static_assert(
    STORE_TURNS == 0 && STORE_CALLS == 1 && STORE_TOKENS == 2 && STORE_MONEY == 3, "so do measures");

struct budget_job {
	struct job job;
	struct store_budgets found;
	struct store_budget set;
	struct store_lift lift;
	struct store_account restore;
	bool sets, lifts, restores, fresh;
	struct store_warning warning;
	int64_t inbound;
	struct outbox_rows rows;
};

#define ACCOUNT_FIELDS(type)                                                                 \
	{DB_ENUM, offsetof(type, account.scope), STORE_PERSON},                              \
	    {DB_CHARS, offsetof(type, account.channel), sizeof((type *)0)->account.channel}, \
	{                                                                                    \
		DB_CHARS, offsetof(type, account.who), sizeof((type *)0)->account.who        \
	}

static const struct db_field budget_fields[] = {
    ACCOUNT_FIELDS(struct store_budget),
    {DB_ENUM, offsetof(struct store_budget, window), STORE_EVER},
    {DB_INT64, offsetof(struct store_budget, limits[STORE_TURNS]), 0},
    {DB_INT64, offsetof(struct store_budget, limits[STORE_CALLS]), 0},
    {DB_INT64, offsetof(struct store_budget, limits[STORE_TOKENS]), 0},
    {DB_INT64, offsetof(struct store_budget, limits[STORE_MONEY]), 0},
};

static const struct db_field lift_fields[] = {
    ACCOUNT_FIELDS(struct store_lift),
    {DB_INT64, offsetof(struct store_lift, day), 0},
};

static const struct db_field warning_fields[] = {
    ACCOUNT_FIELDS(struct store_warning),
    {DB_ENUM, offsetof(struct store_warning, window), STORE_EVER},
    {DB_ENUM, offsetof(struct store_warning, measure), STORE_MONEY},
    {DB_INT64, offsetof(struct store_warning, period), 0},
    {DB_INT64, offsetof(struct store_warning, limit), 0},
    {DB_INT64, offsetof(struct store_warning, level), 0},
};

void store_budgets_clear(struct store_budgets *b)
{
	free(b->set);
	free(b->lifts);
	*b = (struct store_budgets){0};
}

static void budget_free(struct job *job)
{
	struct budget_job *j = (struct budget_job *)job;

	store_budgets_clear(&j->found);
	outbox_clear(&j->rows);
	free(j);
}

/* One slice reads all: people set budgets by hand, so there are few. */
static int read_set(struct budget_job *j, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT scope, channel, who, span, turns, calls, tokens, money FROM budgets ORDER BY id";
	struct db_row *row = db_select(db, sql, DB_NO_ARGS, err);
	struct store_budgets *f = &j->found;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		f->set = xrealloc(f->set, (f->set_count + 1) * sizeof(*f->set));
		f->set[f->set_count] = (struct store_budget){0};
		if (db_read(
			db, row, 0, budget_fields, ARRAY_LEN(budget_fields), &f->set[f->set_count], err) != 0)
			return -1;
		f->set_count++;
	}
	return rc;
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT scope, channel, who, day FROM lifts ORDER BY id";
	struct budget_job *j = (struct budget_job *)job;
	struct store_budgets *f = &j->found;
	struct db_row *row;
	int rc;

	if (read_set(j, db, err) != 0 || !(row = db_select(db, sql, DB_NO_ARGS, err)))
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		f->lifts = xrealloc(f->lifts, (f->lift_count + 1) * sizeof(*f->lifts));
		f->lifts[f->lift_count] = (struct store_lift){0};
		if (db_read(db, row, 0, lift_fields, ARRAY_LEN(lift_fields), &f->lifts[f->lift_count], err) !=
		    0)
			return -1;
		f->lift_count++;
	}
	return rc;
}

int store_budgets(struct task *t, struct store *s, struct store_budgets *out, struct error *err)
{
	struct budget_job *j = job_new(sizeof(*j), JOB_READ, list_run, budget_free);

	*out = (struct store_budgets){0};
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->found;
	j->found = (struct store_budgets){0};
	job_free(&j->job);
	return 0;
}

static int put(struct db *db, const char *sql, const struct db_field *fields, size_t count,
    const void *object, struct error *err)
{
	struct db_value values[8];

	db_values(values, fields, count, object);
	return db_run(db, sql, values, count, err);
}

static int forget(struct db *db, const struct store_account *a, struct error *err)
{
	static const char *const sql[] = {
	    "DELETE FROM budgets WHERE scope = ?1 AND channel = ?2 AND who = ?3",
	    "DELETE FROM lifts WHERE scope = ?1 AND channel = ?2 AND who = ?3"};

	for (size_t i = 0; i < ARRAY_LEN(sql); i++)
		if (db_run(db, sql[i], DB_ARGS(db_int(a->scope), db_text(a->channel), db_text(a->who)), err) <
		    0)
			return -1;
	return 0;
}

static int change_run(struct job *job, struct db *db, struct error *err)
{
	static const char set[] =
	    "INSERT INTO budgets (scope, channel, who, span, turns, calls, tokens, money) VALUES (?1, ?2, "
	    "?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (scope, channel, who, span) DO UPDATE SET turns = "
	    "excluded.turns, calls = excluded.calls, tokens = excluded.tokens, money = excluded.money";
	static const char lift[] = "INSERT INTO lifts (scope, channel, who, day) VALUES (?1, ?2, ?3, ?4) ON "
				   "CONFLICT (scope, channel, who) DO UPDATE SET day = excluded.day";
	struct budget_job *j = (struct budget_job *)job;

	if (inbox_end(db, &j->inbound, 1, "command", job->now_ms, err) != 0)
		return -1;
	if (j->sets && put(db, set, budget_fields, ARRAY_LEN(budget_fields), &j->set, err) < 0)
		return -1;
	if (j->lifts && put(db, lift, lift_fields, ARRAY_LEN(lift_fields), &j->lift, err) < 0)
		return -1;
	if (j->restores && forget(db, &j->restore, err) != 0)
		return -1;
	return outbox_insert(db, &j->rows, err);
}

int store_budget_commit(struct task *t, struct store *s, const struct store_budget_change *c, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err)
{
	struct budget_job *j = job_new(sizeof(*j), JOB_WRITE, change_run, budget_free);

	j->inbound = inbound;
	if ((j->sets = c->set))
		j->set = *c->set;
	if ((j->lifts = c->lift))
		j->lift = *c->lift;
	if ((j->restores = c->restore))
		j->restore = *c->restore;
	return outbox_run(t, s, &j->job, &j->rows, rows, count, err);
}

static int warn_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO warnings (scope, channel, who, span, measure, period, most, level) VALUES (?1, ?2, "
	    "?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (scope, channel, who, span, measure, period, most) DO "
	    "UPDATE SET level = excluded.level WHERE excluded.level > warnings.level";
	/* Compares periods of one window. The clock may have been set back, so only long past periods go. */
	static const char old[] = "DELETE FROM warnings WHERE scope = ?1 AND channel = ?2 AND who = ?3 AND "
				  "span = ?4 AND period < ?5 - 300";
	struct budget_job *j = (struct budget_job *)job;
	const struct store_warning *w = &j->warning;
	int changed = put(db, sql, warning_fields, ARRAY_LEN(warning_fields), w, err);

	j->fresh = changed > 0;
	if (changed <= 0)
		return changed;
	if (db_run(db, old,
		DB_ARGS(db_int(w->account.scope), db_text(w->account.channel), db_text(w->account.who),
		    db_int(w->window), db_int(w->period)),
		err) < 0)
		return -1;
	return outbox_insert(db, &j->rows, err);
}

int store_budget_warn(struct task *t, struct store *s, const struct store_warning *w,
    struct outbound *const *rows, size_t count, bool *fresh, struct error *err)
{
	struct budget_job *j = job_new(sizeof(*j), JOB_WRITE, warn_run, budget_free);

	j->warning = *w;
	outbox_copy(&j->rows, rows, count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*fresh = j->fresh;
	if (j->fresh)
		outbox_return(&j->rows, rows);
	job_free(&j->job);
	return 0;
}
