#include "store/usage.h"

#include <stdlib.h>

#include "base/time/civil.h"
#include "base/mem.h"
#include "store/db_engine.h"
#include "store/store_internal.h"

struct usage_job {
	struct job job;
	struct store_account account;
	int64_t *periods;
	struct store_usage *found;
	size_t count;
	int64_t session;
	struct store_usage spent;
};

static const struct db_field fields[] = {
    {DB_INT64, offsetof(struct store_usage, turns), 0},
    {DB_INT64, offsetof(struct store_usage, requests), 0},
    {DB_INT64, offsetof(struct store_usage, unpriced), 0},
    {DB_INT64, offsetof(struct store_usage, input), 0},
    {DB_INT64, offsetof(struct store_usage, cached), 0},
    {DB_INT64, offsetof(struct store_usage, written), 0},
    {DB_INT64, offsetof(struct store_usage, output), 0},
    {DB_INT64, offsetof(struct store_usage, cost), 0},
    {DB_INT64, offsetof(struct store_usage, estimated), 0},
    {DB_INT64, offsetof(struct store_usage, seconds), 0},
};

void store_usage_sum(struct store_usage *to, const struct store_usage *spent)
{
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		*(int64_t *)((char *)to + fields[i].offset) +=
		    *(const int64_t *)((const char *)spent + fields[i].offset);
	if (spent->requests > 0) {
		to->day = spent->day;
		to->person = spent->person;
	}
}

void store_usage_raise(struct store_usage *to, const struct store_usage *spent)
{
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		int64_t *mine = (int64_t *)((char *)to + fields[i].offset),
			other = *(const int64_t *)((const char *)spent + fields[i].offset);

		*mine = other > *mine ? other : *mine;
	}
}

static int64_t day_of(int64_t now_ms)
{
	struct civil c = civil_of(now_ms / 1000);

	return (c.year * 100 + c.month) * 100 + c.day;
}

/* What is spent comes first, then the scope and the day; then an account's name, or the session of a chat. */
#define SUM(n) "sum(CAST(?" #n " AS BIGINT))"
#define SPENT                                                                                         \
	SUM(1)                                                                                        \
	", " SUM(2) ", " SUM(3) ", " SUM(4) ", " SUM(5) ", " SUM(6) ", " SUM(7) ", " SUM(8) ", " SUM( \
	    9) ", " SUM(10) ", CAST(?11 AS BIGINT), CAST(?12 AS BIGINT)"
#define BY_NAME "channel = ?13 AND who = ?14"
#define BY_CHAT "(channel, who) = (SELECT channel, chat FROM sessions WHERE id = ?13)"
#define ADD(whose)                                                                                     \
	"UPDATE spending SET turns = turns + ?1, requests = requests + ?2, unpriced = unpriced + ?3, " \
	"input = input + ?4, cached = cached + ?5, written = written + ?6, output = output + ?7, "     \
	"cost = cost + ?8, estimated = estimated + ?9, seconds = seconds + ?10 WHERE scope = ?11 AND " \
	"period = ?12 AND " whose
#define BEGIN(values)                                                                                     \
	"INSERT INTO spending (turns, requests, unpriced, input, cached, written, output, cost, "         \
	"estimated, seconds, scope, period, channel, who) SELECT " SPENT ", " values                      \
	" GROUP BY 11, 12, 13, 14 ON CONFLICT (scope, channel, who, period) DO UPDATE SET "               \
	"turns = spending.turns + "                                                                       \
	"excluded.turns, requests = spending.requests + excluded.requests, unpriced = spending.unpriced " \
	"+ excluded.unpriced, input = spending.input + excluded.input, cached = spending.cached + "       \
	"excluded.cached, written = spending.written + excluded.written, output = spending.output + "     \
	"excluded.output, cost = spending.cost + excluded.cost, estimated = spending.estimated + "        \
	"excluded.estimated, seconds = spending.seconds + excluded.seconds"

/* Nearly always the account has a row of that day: an upsert would look for it twice. Where an answer takes a
 * round trip, that matters less, and an account may be there more than once. */
static int add(struct db *db, const char *more, const char *begin, const struct db_value *values,
    size_t count, struct error *err)
{
	int changed = db_presumes(db) ? 0 : db_run(db, more, values, count, err);

	if (changed == 0)
		changed = db_run_batched(db, begin, values, count, err);
	return changed < 0 ? -1 : 0;
}

static int add_to(struct db *db, const struct store_account *a, int64_t day, const struct store_usage *spent,
    struct error *err)
{
	static const char more[] = ADD(BY_NAME), begin[] = BEGIN("?13, ?14 " DB_FROM_ROWS);
	struct db_value values[ARRAY_LEN(fields) + 4];
	size_t count = db_values(values, fields, ARRAY_LEN(fields), spent);

	values[count++] = db_int(a->scope);
	values[count++] = db_int(day);
	values[count++] = db_text(a->channel);
	values[count++] = db_text(a->who);
	return add(db, more, begin, values, count, err);
}

/* A session that is gone counts nowhere. */
static int add_to_chat(
    struct db *db, int64_t session, int64_t day, const struct store_usage *spent, struct error *err)
{
	static const char more[] = ADD(BY_CHAT),
			  begin[] = BEGIN("channel, chat FROM sessions " DB_AND_ROWS " WHERE id = ?13");
	struct db_value values[ARRAY_LEN(fields) + 3];
	size_t count = db_values(values, fields, ARRAY_LEN(fields), spent);

	values[count++] = db_int(STORE_CHAT);
	values[count++] = db_int(day);
	values[count++] = db_int(session);
	return add(db, more, begin, values, count, err);
}

int usage_write(struct db *db, struct error *err)
{
	struct store_account all = {.scope = STORE_ALL};

	if (db->node)
		str_copy(all.who, sizeof(all.who), db->node);
	int rc = db->spent ? add_to(db, &all, db->spent->day, db->spent, err) : 0;

	usage_forget(db);
	return rc;
}

void usage_forget(struct db *db)
{
	free(db->spent);
	db->spent = NULL;
}

static int add_to_all(struct db *db, int64_t day, const struct store_usage *spent, struct error *err)
{
	if (db->spent && db->spent->day != day && usage_write(db, err) != 0)
		return -1;
	if (!db->spent)
		db->spent = xcalloc(1, sizeof(*db->spent));
	store_usage_sum(db->spent, spent);
	db->spent->day = day;
	db->changes++;
	return 0;
}

int usage_add(
    struct db *db, int64_t session, const struct store_usage *spent, int64_t now_ms, struct error *err)
{
	struct store_account person = spent->person;
	int64_t day = spent->day != 0 ? spent->day : day_of(now_ms);

	if (spent->requests == 0)
		return 0;
	if (add_to_all(db, day, spent, err) != 0 || add_to_chat(db, session, day, spent, err) != 0)
		return -1;
	person.scope = STORE_PERSON;
	return person.who[0] != '\0' ? add_to(db, &person, day, spent, err) : 0;
}

#define SUM_SPENDING                                                                               \
	"SELECT sum(turns), sum(requests), sum(unpriced), sum(input), sum(cached), sum(written), " \
	"sum(output), sum(cost), sum(estimated), sum(seconds) FROM spending WHERE "

static int read_one(
    struct db *db, const struct store_account *a, int64_t period, struct store_usage *out, struct error *err)
{
	/* A month and the total have what was spent on days that are kept no more, and the other days. */
	static const char of_one[] = SUM_SPENDING
	    "scope = ?1 AND channel = ?2 AND who = ?3 AND (period = ?4 OR period BETWEEN ?5 AND ?6)",
			  of_all[] = SUM_SPENDING
	    "scope = ?1 AND channel = ?2 AND who >= ?3 AND (period = ?4 OR period BETWEEN ?5 AND ?6)";
	bool day = period > USAGE_MONTH_LAST;
	int64_t from = period == 0 ? USAGE_MONTH_LAST + 1 :
	    day                    ? 1 :
				     period * 100,
		to = period == 0 ? INT64_MAX :
	    day                  ? 0 :
				   from + 99;
	struct db_row *row = db_select(db, a->scope == STORE_ALL ? of_all : of_one,
	    DB_ARGS(db_int(a->scope), db_text(a->channel), db_text(a->who), db_int(period), db_int(from),
		db_int(to)),
	    err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 0;
	rc = db_read(db, row, 0, fields, ARRAY_LEN(fields), out, err);
	db_end(row);
	return rc;
}

static int read_run(struct job *job, struct db *db, struct error *err)
{
	struct usage_job *j = (struct usage_job *)job;

	for (size_t i = 0; i < j->count; i++)
		if (read_one(db, &j->account, j->periods[i], &j->found[i], err) != 0)
			return -1;
	return 0;
}

static void usage_free(struct job *job)
{
	struct usage_job *j = (struct usage_job *)job;

	free(j->periods);
	free(j->found);
	free(j);
}

int store_usage_total(struct task *t, struct store *s, const struct store_account *a, const int64_t *periods,
    size_t count, struct store_usage *out, struct error *err)
{
	struct usage_job *j = job_new(sizeof(*j), JOB_READ, read_run, usage_free);

	j->account = *a;
	j->count = count;
	j->periods = xcalloc(count, sizeof(*j->periods));
	j->found = xcalloc(count, sizeof(*j->found));
	for (size_t i = 0; i < count; i++)
		j->periods[i] = periods[i];
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		out[i] = j->found[i];
	job_free(&j->job);
	return 0;
}

static int spend_run(struct job *job, struct db *db, struct error *err)
{
	struct usage_job *j = (struct usage_job *)job;

	return usage_add(db, j->session, &j->spent, job->now_ms, err);
}

int store_usage_add(
    struct task *t, struct store *s, int64_t session, const struct store_usage *spent, struct error *err)
{
	struct usage_job *j = job_new(sizeof(*j), JOB_WRITE, spend_run, usage_free);

	j->session = session;
	j->spent = *spent;
	return job_queue_finish(t, &s->queue, &j->job, err);
}
