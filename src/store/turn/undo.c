#include "store/turn/undo.h"

#include "base/buf.h"
#include "base/error.h"
#include "llm/image.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/turn/session.h"
#include "store/store_internal.h"

struct undo_job {
	struct job job;
	struct address where;
	struct store_exchange found;
	int64_t inbound;
	struct outbox_rows answers;
};

/* Uses the transcript's index, so that a chat that was silent for long costs no more than another one. */
static int last_turn(struct db *db, int64_t session, int64_t *turn, struct error *err)
{
	/* An exchange that is part of a summary cannot be removed. */
	static const char sql[] =
	    "SELECT turn FROM transcript WHERE session = ?1"
	    " AND id > (SELECT coalesce(max(upto), 0) FROM summaries WHERE session = "
	    "?1) AND turn NOT IN (SELECT id FROM turns WHERE state = 4 UNION ALL "
	    "SELECT id FROM turns WHERE session = ?1 AND hidden = 1) ORDER BY id DESC LIMIT 1";

	return db_number(db, sql, DB_ARGS(db_int(session)), turn, err);
}

int undo_turn(struct db *db, int64_t session, int64_t turn, struct error *err)
{
	static const char sql[] = "UPDATE turns SET hidden = 1 WHERE id = ?1";
	int64_t last;
	int rc = session_refuse_open(db, session, err);

	if (rc == 0)
		rc = last_turn(db, session, &last, err);
	if (rc < 0)
		return -1;
	if (rc == 0 || last != turn)
		return error_set(err, ERROR_REFUSED,
		    "the turn %lld is not the last of its conversation any more", (long long)turn);
	return db_run(db, sql, DB_ARGS(db_int(turn)), err) < 0 ? -1 : 0;
}

static int read_person(struct db *db, struct store_exchange *x, struct error *err)
{
	static const char sql[] = "SELECT person FROM turns WHERE id = ?1";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(x->turn)), err);
	int rc = !row ? -1 : db_next(db, row, err);

	if (rc > 0) {
		x->person = db_column_text(row, 0);
		db_end(row);
	}
	return rc < 0 ? -1 : 0;
}

static int read_user_text(struct db *db, struct store_exchange *x, struct error *err)
{
	static const char sql[] =
	    "SELECT text, images FROM transcript WHERE session = ?1 AND turn = ?2 AND role = 0 ORDER BY id";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(x->session), db_int(x->turn)), err);
	struct buf said = BUF_INIT;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		char *text = db_column_text(row, 0);

		buf_addf(&said, "%s%s", said.len > 0 ? "\n" : "", text ? text : "");
		free(text);
		text = db_column_text(row, 1);
		llm_images_parse(text, &x->images, &x->image_count);
		free(text);
	}
	x->user_text = buf_take(&said);
	return rc;
}

static int last_run(struct job *job, struct db *db, struct error *err)
{
	struct undo_job *j = (struct undo_job *)job;
	struct store_exchange *x = &j->found;
	int rc = session_current(db, &j->where, &x->session, err);

	if (rc <= 0)
		return rc;
	if (session_refuse_open(db, x->session, err) != 0)
		return -1;
	rc = last_turn(db, x->session, &x->turn, err);
	if (rc <= 0)
		return rc;
	return read_person(db, x, err) != 0 || read_user_text(db, x, err) != 0 ? -1 : 0;
}

static void undo_free(struct job *job)
{
	struct undo_job *j = (struct undo_job *)job;

	store_exchange_clear(&j->found);
	outbox_clear(&j->answers);
	free(j);
}

void store_exchange_clear(struct store_exchange *x)
{
	free(x->user_text);
	llm_images_free(x->images, x->image_count);
	free(x->person);
	*x = (struct store_exchange){0};
}

int store_exchange_last(struct task *t, struct store *s, const struct address *where,
    struct store_exchange *out, struct error *err)
{
	struct undo_job *j = job_new(sizeof(*j), JOB_READ, last_run, undo_free);
	int found;

	j->where = *where;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	found = j->found.turn != 0;
	*out = j->found;
	j->found = (struct store_exchange){0};
	job_free(&j->job);
	return found;
}

static int undo_run(struct job *job, struct db *db, struct error *err)
{
	struct undo_job *j = (struct undo_job *)job;

	if (undo_turn(db, j->found.session, j->found.turn, err) != 0 ||
	    inbox_end(db, &j->inbound, 1, "command", job->now_ms, err) != 0)
		return -1;
	return outbox_insert(db, &j->answers, err);
}

int store_exchange_undo(struct task *t, struct store *s, const struct store_exchange *x, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, struct error *err)
{
	struct undo_job *j = job_new(sizeof(*j), JOB_WRITE, undo_run, undo_free);

	warm_histories_changed(&s->warm, x->session);
	j->found = (struct store_exchange){.session = x->session, .turn = x->turn};
	j->inbound = inbound;
	return outbox_run(t, s, &j->job, &j->answers, answers, answer_count, err);
}
