#include "store/retention/messages.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/time/civil.h"
#include "store/store_internal.h"
#include "store/usage.h"

/* The minimum: how long a redelivered message is recognised. */
#define KEEP_MS (INT64_C(30) * 24 * 3600 * 1000)
/* Rows examined in one slice. */
#define SLICE 100

/* Rows are stored in order of time, so the first one younger than the limit ends the search, and no index is
 * needed, which every message would pay for. Columns: id, creation time, end (0: not ended). */
static const struct {
	const char *look, *forget;
	const char *before; /* what is done before it is forgotten; NULL: nothing */
	bool by_day;        /* times are days, such as 20261122; smaller numbers are none */
} tables[] = {
    {"SELECT id, received_ms, done_ms FROM inbox WHERE id > ?1 ORDER BY id LIMIT ?2",
	"DELETE FROM inbox WHERE id = ?1", NULL, false},
    {"SELECT id, created_ms, CASE WHEN state > 1 THEN updated_ms ELSE 0 END FROM outbox WHERE id > ?1 ORDER "
     "BY id LIMIT ?2",
	"DELETE FROM outbox WHERE id = ?1",
	"UPDATE meta SET value = value - 1 WHERE name = (SELECT CASE state WHEN 3 THEN 'outbox_uncertain' "
	"ELSE 'outbox_failed' END FROM outbox WHERE id = ?1 AND state > 2)",
	false},
    {"SELECT id, created_ms, ended_ms FROM prompts WHERE id > ?1 ORDER BY id LIMIT ?2",
	"DELETE FROM prompts WHERE id = ?1", NULL, false},
    {"SELECT id, created_ms, expires_ms FROM pairings WHERE id > ?1 ORDER BY id LIMIT ?2",
	"DELETE FROM pairings WHERE id = ?1", NULL, false},
    /* Includes a chat's current plan: a later plan gets a new message. */
    {"SELECT id, created_ms, created_ms FROM plans WHERE id > ?1 ORDER BY id LIMIT ?2",
	"DELETE FROM plans WHERE id = ?1", NULL, false},
    /* What was spent on the day goes to the month and the total. */
    {"SELECT id, period, period FROM spending WHERE id > ?1 ORDER BY id LIMIT ?2",
	"DELETE FROM spending WHERE id = ?1",
	"INSERT INTO spending (scope, channel, who, period, turns, requests, unpriced, input, cached, "
	"written, output, cost, estimated, seconds) SELECT scope, channel, who, whole, turns, requests, "
	"unpriced, input, cached, written, output, cost, estimated, seconds FROM spending CROSS JOIN (SELECT "
	"period / 100 AS whole FROM spending WHERE id = ?1 UNION ALL SELECT 0) AS wholes WHERE id = ?1 ON "
	"CONFLICT (scope, channel, who, period) DO UPDATE SET " USAGE_MERGE,
	true},
};

struct messages_job {
	struct job job;
	struct store *store;
	size_t table;
	int64_t after_id;
};

static int64_t time_of(size_t table, int64_t column)
{
	if (!tables[table].by_day)
		return column;
	return column > USAGE_MONTH_LAST ?
	    civil_seconds(&(struct civil){
		.year = column / 10000, .month = (int)(column / 100 % 100), .day = (int)(column % 100)}) *
		1000 :
	    0;
}

static int forget(struct db *db, size_t table, int64_t id, struct error *err)
{
	const char *first = tables[table].before;

	if (first && db_run(db, first, DB_ARGS(db_int(id)), err) < 0)
		return -1;
	return db_run(db, tables[table].forget, DB_ARGS(db_int(id)), err);
}

/* Deletes one slice of a table. 1: there is more. */
static int messages_slice(struct messages_job *j, struct db *db, struct error *err)
{
	int64_t keep_ms = j->store->options.retention.messages_ms,
		limit_ms = j->job.now_ms - (keep_ms > KEEP_MS ? keep_ms : KEEP_MS);
	int64_t before = j->after_id, ended_ms, old[SLICE];
	struct db_row *row;
	bool young = false;
	int rc = 1;
	size_t count = 0;

	row = db_select(db, tables[j->table].look, DB_ARGS(db_int(j->after_id), db_int(SLICE)), err);
	if (!row)
		return -1;
	while (!young && (rc = db_next(db, row, err)) > 0) {
		young = time_of(j->table, db_column_int(row, 1)) > limit_ms;
		ended_ms = time_of(j->table, db_column_int(row, 2));
		j->after_id = db_column_int(row, 0);
		if (!young && ended_ms != 0 && ended_ms <= limit_ms && count < SLICE)
			old[count++] = j->after_id;
	}
	db_end(row);
	for (size_t i = 0; i < count && rc >= 0; i++)
		rc = forget(db, j->table, old[i], err);
	return rc < 0 ? -1 : j->after_id > before && !young;
}

static int messages_run(struct job *job, struct db *db, struct error *err)
{
	struct messages_job *j = (struct messages_job *)job;
	int rc;

	if (db_begin(db, err) != 0 || (rc = messages_slice(j, db, err)) < 0 || db_commit(db, err) != 0)
		return -1;
	if (rc == 0) {
		j->table++;
		j->after_id = 0;
	}
	return j->table < ARRAY_LEN(tables);
}

static void messages_free(struct job *job)
{
	struct messages_job *j = (struct messages_job *)job;

	j->store->messages_running = false;
	free(j);
}

void retention_messages_start(struct store *s)
{
	struct messages_job *j;

	if (s->messages_running)
		return;
	s->messages_running = true;
	j = job_new(sizeof(*j), JOB_IDLE, messages_run, messages_free);
	j->store = s;
	job_queue_put(&s->queue, &j->job);
}
