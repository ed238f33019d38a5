#include "store/usage.h"

#include "base/mem.h"
#include "store/store_private.h"

#define DAY_MS (INT64_C(24) * 3600 * 1000)

struct usage_job {
	struct job job;
	struct address where;
	struct store_usages found;
};

static const struct db_field fields[] = {
	{ DB_INT64, offsetof(struct store_usage, requests), 0 },
	{ DB_INT64, offsetof(struct store_usage, input), 0 },
	{ DB_INT64, offsetof(struct store_usage, cached), 0 },
	{ DB_INT64, offsetof(struct store_usage, output), 0 },
};

int usage_add(struct db *db, int64_t session, const struct store_usage *spent, int64_t now_ms, struct error *err)
{
	/* Day 0 is the total, and a chat without a name all of them. */
	static const char sql[] = "WITH days (day) AS (VALUES (0), (?2)), places (channel, chat) AS"
	    " (SELECT '', '' UNION ALL SELECT channel, chat FROM sessions WHERE id = ?1)"
	    " INSERT INTO usage (channel, chat, day, requests, input, cached, output)"
	    " SELECT channel, chat, day, ?3, ?4, ?5, ?6 FROM places CROSS JOIN days WHERE true"
	    " ON CONFLICT (channel, chat, day) DO UPDATE SET requests = requests + excluded.requests,"
	    " input = input + excluded.input, cached = cached + excluded.cached, output = output + excluded.output";

	if (spent->requests == 0)
		return 0;
	return db_run(db, sql, DB_ARGS(db_int(session), db_int(now_ms / DAY_MS), db_int(spent->requests), db_int(spent->input),
	    db_int(spent->cached), db_int(spent->output)), err) < 0 ? -1 : 0;
}

static int read_one(struct db *db, const char *channel, const char *chat, int64_t day, struct store_usage *out,
    struct error *err)
{
	static const char sql[] = "SELECT requests, input, cached, output FROM usage"
	    " WHERE channel = ?1 AND chat = ?2 AND day = ?3";
	struct sqlite3_stmt *row = db_select(db, sql, DB_ARGS(db_text(channel), db_text(chat), db_int(day)), err);
	int rc;

	if (row == NULL || (rc = db_next(db, row, err)) < 0)
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
	const struct address *a = &j->where;
	int64_t today = job->now_ms / DAY_MS;

	if (read_one(db, a->channel, a->chat, today, &j->found.chat_today, err) != 0 ||
	    read_one(db, a->channel, a->chat, 0, &j->found.chat, err) != 0)
		return -1;
	if (read_one(db, "", "", today, &j->found.all_today, err) != 0)
		return -1;
	return read_one(db, "", "", 0, &j->found.all, err);
}

static void usage_free(struct job *job)
{
	free((struct usage_job *)job);
}

int store_usage_read(struct task *t, struct store *s, const struct address *where, struct store_usages *out,
    struct error *err)
{
	struct usage_job *j = job_new(sizeof *j, JOB_READ, read_run, usage_free);

	j->where = *where;
	if (queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->found;
	job_free(&j->job);
	return 0;
}
