#include "store/turn/session.h"

#include "base/error.h"
#include "store/journal/addresses.h"
#include "store/journal/context.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/schema.h"
#include "store/store_internal.h"

struct session_job {
	struct job job;
	struct address where;
	bool renew;
	int64_t inbound;
	struct outbox_rows answers; /* without renew: only for the first session of the chat */
	int64_t session;
};

int session_current(struct db *db, const struct address *a, int64_t *session, struct error *err)
{
	static const char sql[] =
	    "SELECT id FROM sessions WHERE channel = ?1 AND chat = ?2 AND thread = ?3 AND closed_ms = 0";

	return db_number(
	    db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(a->thread)), session, err);
}

/* closed: how many it replaces. */
static int make_session(
    struct db *db, const struct address *a, int64_t now_ms, int closed, int64_t *session, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO sessions (channel, chat, thread, created_ms) VALUES (?1, ?2, ?3, ?4)";

	if (db_insert(db, sql,
		DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(a->thread), db_int(now_ms)), session,
		err) < 0)
		return -1;
	return closed == 1 ? 0 : schema_add(db, "sessions", 1 - closed, err);
}

int session_replace(
    struct db *db, const struct address *a, int64_t now_ms, int64_t *session, struct error *err)
{
	static const char sql[] = "UPDATE sessions SET closed_ms = ?4 WHERE channel = ?1 AND chat = ?2 AND "
				  "thread = ?3 AND closed_ms = 0";
	int closed = db_run(
	    db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(a->thread), db_int(now_ms)), err);

	return closed < 0 ? -1 : make_session(db, a, now_ms, closed, session, err);
}

int session_refuse_open(struct db *db, int64_t session, struct error *err)
{
	static const char sql[] = "SELECT id FROM turns WHERE session = ?1 AND state = 0";
	int64_t open;
	int rc = db_number(db, sql, DB_ARGS(db_int(session)), &open, err);

	if (rc > 0)
		return error_set(err, ERROR_REFUSED, "the session %lld has the open turn %lld already",
		    (long long)session, (long long)open);
	return rc;
}

/* Did the chat or one of its threads ever have a session? A closed one has a successor. */
static int chat_is_known(struct db *db, const struct address *a, struct error *err)
{
	static const char sql[] =
	    "SELECT 1 FROM sessions WHERE channel = ?1 AND chat = ?2 AND closed_ms = 0 LIMIT 1";
	int64_t one;

	return db_number(db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat)), &one, err);
}

static int session_run(struct job *job, struct db *db, struct error *err)
{
	struct session_job *j = (struct session_job *)job;
	const struct address *a = &j->where;
	int found = session_current(db, a, &j->session, err);
	int known = found ? found : chat_is_known(db, a, err);

	if (known < 0)
		return -1;
	if (j->renew && session_replace(db, a, job->now_ms, &j->session, err) != 0)
		return -1;
	if (found == 0 && !j->renew && make_session(db, a, job->now_ms, 0, &j->session, err) != 0)
		return -1;
	if (j->renew && context_forget(db, a, j->inbound, err) != 0)
		return -1;
	if (j->inbound != 0 &&
	    inbox_end(db, &j->inbound, 1, j->renew ? "new session" : "opened", job->now_ms, err) != 0)
		return -1;
	return j->renew || !known ? outbox_insert(db, &j->answers, err) : 0;
}

static void session_free(struct job *job)
{
	struct session_job *j = (struct session_job *)job;

	outbox_clear(&j->answers);
	free(j);
}

int store_session(
    struct task *t, struct store *s, const struct address *where, int64_t *session, struct error *err)
{
	return store_session_welcome(t, s, where, 0, NULL, 0, session, err);
}

int store_session_welcome(struct task *t, struct store *s, const struct address *where, int64_t inbound,
    struct outbound *const *rows, size_t count, int64_t *session, struct error *err)
{
	struct session_job *j = job_new(sizeof(*j), JOB_WRITE, session_run, session_free);

	j->where = *where;
	j->inbound = inbound;
	outbox_copy(&j->answers, rows, count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*session = j->session;
	outbox_return(&j->answers, rows);
	job_free(&j->job);
	return 0;
}

int store_session_renew(struct task *t, struct store *s, const struct address *where, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, int64_t *session, struct error *err)
{
	struct session_job *j = job_new(sizeof(*j), JOB_WRITE, session_run, session_free);

	j->where = *where;
	j->renew = true;
	j->inbound = inbound;
	outbox_copy(&j->answers, answers, answer_count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*session = j->session;
	outbox_return(&j->answers, answers);
	job_free(&j->job);
	return 0;
}

int session_read_address(struct db *db, int64_t session, struct address *where, struct error *err)
{
	static const char sql[] = "SELECT channel, chat, thread FROM sessions WHERE id = ?1";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(session)), err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return error_set(err, ERROR_OURS, "there is no session %lld", (long long)session);
	rc = addresses_read(db, row, where, err);
	db_end(row);
	return rc;
}
