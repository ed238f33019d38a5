#include "store/store_internal.h"

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "store/journal/addresses.h"
#include "store/search_index.h"

/* Maximum listed, newest first. */
#define DEAD_TURNS_MAX "100"

static int read_dead(struct db *db, struct db_row *row, struct json_object *list, struct error *err)
{
	struct json_object *o;
	struct address where;
	char text[ADDRESS_TEXT_MAX], *said;

	if (addresses_read(db, row, &where, err) != 0)
		return -1;
	said = db_column_text(row, 7);
	o = json_object_new_object();
	json_set_int(o, "turn", db_column_int(row, 3));
	json_set_str(o, "chat", address_format(&where, text));
	json_set_int(o, "ended_ms", db_column_int(row, 4));
	json_set_int(o, "attempts", db_column_int(row, 5));
	json_set_int(o, "rounds", db_column_int(row, 6));
	json_set_str(o, "text", said);
	json_object_array_add(list, o);
	free(said);
	return 0;
}

struct json_object *dead_turns_list(struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT channel, chat, thread, turns.id, ended_ms, attempts, rounds, (SELECT substr(text, 1, "
	    "200) FROM transcript WHERE transcript.session = turns.session AND transcript.turn = turns.id "
	    "AND role = 0 ORDER BY id LIMIT 1) FROM turns CROSS JOIN sessions WHERE sessions.id = "
	    "turns.session AND turns.state = 4 ORDER BY turns.id DESC LIMIT " DEAD_TURNS_MAX;
	struct db_row *row = db_select(db, sql, DB_NO_ARGS, err);
	struct json_object *list = json_object_new_array();
	int rc = row ? 1 : -1;

	while (rc > 0 && (rc = db_next(db, row, err)) > 0)
		if (read_dead(db, row, list, err) != 0)
			rc = -1;
	if (rc == 0)
		return list;
	json_object_put(list);
	return NULL;
}

struct dead_job {
	struct job job;
	struct json_object *list;
	int64_t turn;
	bool retry;
	struct address where;
	size_t count; /* of its messages */
};

static void dead_free(struct job *job)
{
	struct dead_job *j = (struct dead_job *)job;

	json_object_put(j->list);
	free(j);
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	struct dead_job *j = (struct dead_job *)job;

	j->list = dead_turns_list(db, err);
	return j->list ? 0 : -1;
}

int store_dead_turns(struct task *t, struct store *s, struct json_object **out, struct error *err)
{
	struct dead_job *j = job_new(sizeof(*j), JOB_READ, list_run, dead_free);

	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->list;
	j->list = NULL;
	job_free(&j->job);
	return 0;
}

/* Gets the address of the turn's messages, and how many are still kept. */
static int read_messages(struct dead_job *j, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT channel, chat, thread FROM inbox WHERE turn = ?1 AND turn > 0 AND state = 3";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(j->turn)), err);
	int rc;

	j->count = 0;
	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		if (addresses_read(db, row, &j->where, err) != 0)
			return -1;
		j->count++;
	}
	if (rc == 0 && j->retry && j->count == 0)
		return error_set(err, ERROR_REFUSED,
		    "there is no dead letter %lld whose messages are still kept", (long long)j->turn);
	return rc;
}

/* Deletes the turn's transcript, so that what may have crashed it never reaches a model again. */
static int end_run(struct job *job, struct db *db, struct error *err)
{
	static const char forget[] =
	    "DELETE FROM transcript WHERE session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1";
	static const char end[] = "UPDATE turns SET state = 3 WHERE id = ?1 AND state = 4";
	static const char wait[] =
	    "UPDATE inbox SET state = 0, turn = 0, done_ms = 0 WHERE turn = ?1 AND turn > "
	    "0 AND state = 3";
	static const char drop[] =
	    "UPDATE inbox SET state = 2, why = 'dropped by an operator' WHERE turn = ?1 AND "
	    "turn > 0 AND state = 3";
	struct dead_job *j = (struct dead_job *)job;
	int changed = db_run(db, end, DB_ARGS(db_int(j->turn)), err);

	if (changed == 0)
		return error_set(err, ERROR_REFUSED, "there is no dead letter %lld", (long long)j->turn);
	if (changed < 0 || search_index_remove_turn(db, j->turn, err) != 0 ||
	    db_run(db, forget, DB_ARGS(db_int(j->turn)), err) < 0 || read_messages(j, db, err) != 0)
		return -1;
	return db_run(db, j->retry ? wait : drop, DB_ARGS(db_int(j->turn)), err) < 0 ? -1 : 0;
}

static struct dead_job *end_job(int64_t turn, bool retry)
{
	struct dead_job *j = job_new(sizeof(*j), JOB_WRITE, end_run, dead_free);

	j->turn = turn;
	j->retry = retry;
	return j;
}

static int where_run(struct job *job, struct db *db, struct error *err)
{
	return read_messages((struct dead_job *)job, db, err);
}

int store_dead_turn_where(
    struct task *t, struct store *s, int64_t turn, struct address *where, struct error *err)
{
	struct dead_job *j = job_new(sizeof(*j), JOB_READ, where_run, dead_free);

	j->turn = turn;
	j->retry = true;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*where = j->where;
	job_free(&j->job);
	return 0;
}

int store_dead_turn_drop(struct task *t, struct store *s, int64_t turn, struct error *err)
{
	return job_queue_finish(t, &s->queue, &end_job(turn, false)->job, err);
}

int store_dead_turn_retry(
    struct task *t, struct store *s, int64_t turn, struct address *where, size_t *count, struct error *err)
{
	struct dead_job *j = end_job(turn, true);

	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*where = j->where;
	*count = j->count;
	job_free(&j->job);
	return 0;
}
