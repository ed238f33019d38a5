/* Turns that wait for the model, and the attempts of open ones: see turns.h. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"
#include "store/turn/turn.h"
#include "store/turn/turns.h"

struct waiting_job {
	struct job job;
	struct address where;
	int64_t turn, since_ms;
	unsigned attempts;
	bool has_effects;
	struct outbox_rows rows;
};

static void waiting_free(struct job *job)
{
	struct waiting_job *j = (struct waiting_job *)job;

	outbox_clear(&j->rows);
	free(j);
}

static int open_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT attempts, preview IS NOT NULL OR EXISTS (SELECT 1 FROM calls WHERE calls.turn = turns.id "
	    "AND "
	    "finished = 0) FROM sessions CROSS JOIN turns WHERE turns.session = sessions.id AND "
	    "turns.state = 0 AND channel = ?1 AND chat = ?2 AND thread = ?3 ORDER BY +turns.id LIMIT 1";
	struct waiting_job *j = (struct waiting_job *)job;
	const struct address *a = &j->where;
	struct db_row *row =
	    db_select(db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(a->thread)), err);
	int rc = row ? db_next(db, row, err) : -1;

	if (rc > 0) {
		j->attempts = (unsigned)db_column_int(row, 0);
		j->has_effects = db_column_int(row, 1) != 0;
		db_end(row);
	}
	return rc < 0 ? -1 : 0;
}

int store_turn_attempts(struct task *t, struct store *s, const struct address *where, unsigned *attempts,
    bool *has_effects, struct error *err)
{
	struct waiting_job *j = job_new(sizeof(*j), JOB_READ, open_run, waiting_free);

	j->where = *where;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*attempts = j->attempts;
	if (has_effects)
		*has_effects = j->has_effects;
	job_free(&j->job);
	return 0;
}

struct list_job {
	struct job job;
	size_t count, max;
	int64_t sessions[];
};

static void list_free(struct job *job)
{
	free(job);
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT session FROM turns WHERE state = 0 AND waits_ms > 0 LIMIT ?1";
	struct list_job *j = (struct list_job *)job;
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int((int64_t)j->max)), err);
	int rc = row ? 0 : -1;

	while (row && (rc = db_next(db, row, err)) > 0)
		j->sessions[j->count++] = db_column_int(row, 0);
	return rc;
}

int store_turns_waiting(struct task *t, struct store *s, int64_t *sessions, size_t max, struct error *err)
{
	struct list_job *j = job_new(sizeof(*j) + max * sizeof(*sessions), JOB_READ, list_run, list_free);

	j->max = max;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	int count = (int)j->count;
	memcpy(sessions, j->sessions, j->count * sizeof(*sessions));
	job_free(&j->job);
	return count;
}

static int wait_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE turns SET waits_ms = ?2, attempts = 0 WHERE id = ?1 AND +state = 0";
	struct waiting_job *j = (struct waiting_job *)job;
	int changed = db_run_presumed(db, sql, DB_ARGS(db_int(j->turn), db_int(j->since_ms)), err);

	if (changed == 0)
		return error_set(err, ERROR_REFUSED, "the turn %lld has ended already", (long long)j->turn);
	return changed < 0 ? -1 : outbox_insert(db, &j->rows, err);
}

int store_turn_wait(struct task *t, struct store *s, struct store_turn *turn, struct outbound *const *rows,
    size_t row_count, struct error *err)
{
	struct waiting_job *j = job_new(sizeof(*j), JOB_WRITE, wait_run, waiting_free);
	int64_t since_ms = turn->waiting_since_ms > 0 ? turn->waiting_since_ms : j->job.now_ms;

	j->turn = turn->id;
	j->since_ms = since_ms;
	outbox_copy(&j->rows, rows, row_count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	outbox_return(&j->rows, rows);
	turn->waiting_since_ms = since_ms;
	turn->attempts = 0;
	job_free(&j->job);
	return 0;
}

static int uncount_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE turns SET attempts = 0 WHERE id = ?1 AND +state = 0";

	return db_run(db, sql, DB_ARGS(db_int(((struct waiting_job *)job)->turn)), err) < 0 ? -1 : 0;
}

int store_turn_uncount_attempt(struct task *t, struct store *s, int64_t turn, struct error *err)
{
	struct waiting_job *j = job_new(sizeof(*j), JOB_WRITE, uncount_run, waiting_free);

	j->turn = turn;
	return job_queue_finish(t, &s->queue, &j->job, err);
}

int turn_uncount_open_attempts(struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE turns SET attempts = attempts - 1 WHERE state = 0 AND attempts > 0";

	return db_run(db, sql, DB_NO_ARGS, err) < 0 ? -1 : 0;
}
