#include "base/mem.h"
#include "bus/bus.h"
#include "store/journal/context.h"
#include "store/store_internal.h"

struct delivery_job {
	struct job job;
	int64_t turn;
	char *event, *text;
};

/* Stores it as a context message of that chat; once per event. */
static int delivery_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO inbox (state, done_ms, why, account, event_id, kind, channel, chat, thread, "
	    "chat_kind, sender_is_chat, sender_is_bot, addressed, sent_ms, received_ms, sender_name, text, "
	    "id) "
	    "SELECT 4, ?2, '" JOURNAL_CONTEXT "', 'delivery', ?1, 0, s.channel, s.chat, s.thread, 0, 0, 0, "
	    "0, ?2, ?2, 'the gateway', ?3, ?5 FROM "
	    "turns AS t JOIN sessions AS s ON s.id = t.session WHERE t.id = ?4"
	    " ON CONFLICT (account, event_id) DO NOTHING";
	struct delivery_job *j = (struct delivery_job *)job;
	int64_t id;
	int put = db_new_id(db, DB_INBOX, &id, err);

	if (put == 0)
		put = db_run(db, sql,
		    DB_ARGS(db_text(j->event), db_int(job->now_ms), db_text(j->text), db_int(j->turn),
			db_int(id)),
		    err);
	return put <= 0 ? put : context_trim(db, id, err);
}

static void delivery_free(struct job *job)
{
	struct delivery_job *j = (struct delivery_job *)job;

	free(j->event);
	free(j->text);
	free(j);
}

int store_note_delivery(
    struct task *t, struct store *s, int64_t turn, const char *event, const char *text, struct error *err)
{
	struct delivery_job *j = job_new(sizeof(*j), JOB_WRITE, delivery_run, delivery_free);

	j->turn = turn;
	j->event = xstrdup(event);
	j->text = xstrdup(text);
	store_redact(&j->text);
	return job_queue_finish(t, &s->queue, &j->job, err);
}

struct sweep_job {
	struct job job;
	int64_t since_ms, late_ms;
};

static int sweep_run(struct job *job, struct db *db, struct error *err)
{
	static const char find[] =
	    "SELECT o.id FROM outbox AS o JOIN turns AS t ON t.id = o.turn JOIN sessions AS s ON s.id = "
	    "t.session WHERE o.state > 2 AND o.state IN (3, 4) AND o.updated_ms > ?1 AND (o.kind = 0 OR "
	    "o.updated_ms - o.created_ms >= ?2) AND o.reason IS DISTINCT FROM '" BUS_PART_LOST
	    "' ORDER BY o.updated_ms DESC LIMIT 100";
	static const char sql[] =
	    "INSERT INTO inbox (state, done_ms, why, account, event_id, kind, channel, chat, thread, "
	    "chat_kind, sender_is_chat, sender_is_bot, addressed, sent_ms, received_ms, sender_name, text, "
	    "id) SELECT 4, ?1, '" JOURNAL_CONTEXT
	    "', 'delivery', 'row:' || o.id, 0, s.channel, s.chat, s.thread, 0, 0, 0, 0, o.updated_ms, ?1, "
	    "'the gateway', 'What became of ' || CASE o.kind WHEN 0 THEN 'your answer' ELSE 'a message that "
	    "you sent' END || ': ' || o.channel || ':' || o.chat || CASE o.thread WHEN '' THEN '' ELSE '/' "
	    "|| o.thread END || CASE o.state WHEN 3 THEN ': uncertain' ELSE ': failed' END || coalesce(', ' "
	    "|| o.reason, ''), ?2 FROM outbox AS o JOIN turns AS t ON t.id = o.turn JOIN sessions AS s ON "
	    "s.id = t.session WHERE o.id = ?3 ON CONFLICT (account, event_id) DO NOTHING";
	const struct sweep_job *j = (const struct sweep_job *)job;
	int64_t *rows, id;
	int count = db_numbers(db, find, DB_ARGS(db_int(j->since_ms), db_int(j->late_ms)), &rows, err);
	int rc = count < 0 ? -1 : 0;

	for (int i = 0; i < count && rc == 0; i++)
		if (db_new_id(db, DB_INBOX, &id, err) != 0 ||
		    db_run_later(db, sql, DB_ARGS(db_int(job->now_ms), db_int(id), db_int(rows[i])), err) < 0)
			rc = -1;
	free(rows);
	return rc;
}

static void sweep_free(struct job *job)
{
	free(job);
}

int store_note_undelivered(
    struct task *t, struct store *s, int64_t since_ms, int64_t late_ms, struct error *err)
{
	struct sweep_job *j = job_new(sizeof(*j), JOB_WRITE, sweep_run, sweep_free);

	j->since_ms = since_ms;
	j->late_ms = late_ms;
	return job_queue_finish(t, &s->queue, &j->job, err);
}
