#include "store/retention/conversations.h"

#include "base/error.h"
#include "store/search_index.h"
#include "store/store_internal.h"

/* Limits of one transaction: rows examined or deleted. */
#define SLICE       100
#define SLICE_BYTES (1024 * 1024)

struct conversations_job {
	struct job job;
	struct store *store;
	int64_t after_id; /* sessions up to this id have been checked */
	int64_t session;  /* the session being deleted; 0: none */
	bool merging;     /* the index, after a slice */
};

/* Messages of the session that are deleted together. */
struct slice {
	int64_t ids[SLICE], turns[SLICE];
	size_t count;
	int64_t next_turn; /* of the message after them; 0: none */
};

/* Computes the time before which a session must have ended to be deleted now. */
static int find_limit(const struct conversations_job *j, struct db *db, int64_t *limit_ms, struct error *err)
{
	const struct retention *keep = &j->store->options.retention;
	struct db_size size;

	*limit_ms = keep->conversations_ms > 0 ? j->job.now_ms - keep->conversations_ms : 0;
	if (keep->size == 0)
		return 0;
	if (db_size(db, &size, err) != 0)
		return -1;
	if (size.used > keep->size)
		*limit_ms = j->job.now_ms;
	return 0;
}

/* A turn that was open when its session ended must end first. */
static int is_open(struct db *db, int64_t session, struct error *err)
{
	int64_t turn;

	return db_number(db, "SELECT id FROM turns WHERE session = ?1 AND state = 0",
	    DB_ARGS(db_int(session)), &turn, err);
}

/* 1: call again, for the session found or the next ones. 0: there are no more. */
static int find_session(struct conversations_job *j, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT id, closed_ms FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2";
	int64_t limit_ms, found = 0;
	struct db_row *row;
	size_t seen = 0;
	int rc = 1, open;

	if (find_limit(j, db, &limit_ms, err) != 0)
		return -1;
	row = db_select(db, sql, DB_ARGS(db_int(j->after_id), db_int(SLICE)), err);
	if (!row)
		return -1;
	while (found == 0 && (rc = db_next(db, row, err)) > 0) {
		j->after_id = db_column_int(row, 0);
		if (db_column_int(row, 1) != 0 && db_column_int(row, 1) <= limit_ms)
			found = j->after_id;
		seen++;
	}
	if (found != 0)
		db_end(row);
	if (rc < 0 || found == 0)
		return rc < 0 ? -1 : seen == SLICE;
	open = is_open(db, found, err);
	if (open == 0)
		j->session = found;
	return open < 0 ? -1 : 1;
}

static int read_slice(struct db *db, int64_t session, struct slice *s, struct error *err)
{
	static const char sql[] =
	    "SELECT id, turn, bytes FROM transcript WHERE session = ?1 ORDER BY id LIMIT ?2";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(session), db_int(SLICE + 1)), err);
	int64_t bytes = 0;
	int rc = 1;

	if (!row)
		return -1;
	while (s->next_turn == 0 && (rc = db_next(db, row, err)) > 0) {
		if (bytes >= SLICE_BYTES || s->count == SLICE) {
			s->next_turn = db_column_int(row, 1);
			continue;
		}
		s->ids[s->count] = db_column_int(row, 0);
		s->turns[s->count++] = db_column_int(row, 1);
		bytes += db_column_int(row, 2);
	}
	if (rc > 0)
		db_end(row);
	return rc < 0 ? -1 : 0;
}

static int remove_turn(struct db *db, int64_t turn, struct error *err)
{
	if (db_run(db, "DELETE FROM calls WHERE turn = ?1", DB_ARGS(db_int(turn)), err) < 0)
		return -1;
	return db_run(db, "DELETE FROM turns WHERE id = ?1", DB_ARGS(db_int(turn)), err) < 0 ? -1 : 0;
}

/* Deletes a turn with its last message. */
static int conversations_slice(struct conversations_job *j, struct db *db, struct error *err)
{
	struct slice s = {.count = 0};

	if (read_slice(db, j->session, &s, err) != 0)
		return -1;
	for (size_t i = 0; i < s.count; i++) {
		int64_t next = i + 1 < s.count ? s.turns[i + 1] : s.next_turn;

		if (search_index_remove(db, s.ids[i], err) != 0)
			return -1;
		if (db_run(db, "DELETE FROM transcript WHERE id = ?1", DB_ARGS(db_int(s.ids[i])), err) < 0)
			return -1;
		if (next != s.turns[i] && remove_turn(db, s.turns[i], err) != 0)
			return -1;
	}
	if (s.next_turn == 0 &&
	    db_run(db, "DELETE FROM summaries WHERE session = ?1", DB_ARGS(db_int(j->session)), err) < 0)
		return -1;
	if (s.next_turn == 0 &&
	    db_run(db, "DELETE FROM sessions WHERE id = ?1", DB_ARGS(db_int(j->session)), err) < 0)
		return -1;
	return s.next_turn == 0;
}

static int conversations_run(struct job *job, struct db *db, struct error *err)
{
	struct conversations_job *j = (struct conversations_job *)job;
	int rc;

	if (j->merging) {
		rc = search_index_merge(db, err);
		j->merging = rc > 0;
		return rc < 0 ? -1 : 1;
	}
	if (j->session == 0)
		return find_session(j, db, err);
	if (db_begin(db, err) != 0 || (rc = conversations_slice(j, db, err)) < 0 || db_commit(db, err) != 0)
		return -1;
	if (rc > 0)
		j->session = 0;
	j->merging = true;
	return 1;
}

static void conversations_free(struct job *job)
{
	struct conversations_job *j = (struct conversations_job *)job;

	j->store->conversations_running = false;
	free(j);
}

void retention_conversations_start(struct store *s)
{
	struct conversations_job *j;

	if (s->conversations_running)
		return;
	s->conversations_running = true;
	j = job_new(sizeof(*j), JOB_IDLE, conversations_run, conversations_free);
	j->store = s;
	job_queue_put(&s->queue, &j->job);
}
