#include "store/journal/chat_move.h"

#include "base/mem.h"
#include "store/schema.h"
#include "store/store_internal.h"
#include "store/usage.h"

struct move_job {
	struct job job;
	struct journal_move move;
	int64_t after_id;
	struct journal_move *found;
	size_t count;
};

static const struct db_field move_fields[] = {
    {DB_CHARS, offsetof(struct journal_move, channel), sizeof((struct journal_move *)0)->channel},
    {DB_CHARS, offsetof(struct journal_move, old_chat), sizeof((struct journal_move *)0)->old_chat},
    {DB_CHARS, offsetof(struct journal_move, new_chat), sizeof((struct journal_move *)0)->new_chat},
};

/* Handles a conversation of the old chat when the new chat has one already: the new one continues, and gets
 * the old one's transcript before its own. An open turn of the old chat keeps its transcript. */
static int merge_session(struct db *db, int64_t old, int64_t new, int64_t now_ms, struct error *err)
{
	static const char open[] = "SELECT id FROM turns WHERE session = ?1 AND state = 0";
	static const char close[] = "UPDATE sessions SET closed_ms = ?2 WHERE id = ?1";
	static const char *const moves[] = {
	    /* Turns have no index by session, but the transcript has. */
	    "UPDATE turns SET session = ?2 WHERE id IN (SELECT turn FROM transcript WHERE session = ?1)",
	    "UPDATE transcript SET session = ?2 WHERE session = ?1",
	    "UPDATE summaries SET session = ?2 WHERE session = ?1",
	};
	int64_t turn;
	int found = db_number(db, open, DB_ARGS(db_int(old)), &turn, err);

	for (size_t i = 0; i < ARRAY_LEN(moves) && found == 0; i++)
		if (db_run(db, moves[i], DB_ARGS(db_int(old), db_int(new)), err) < 0)
			return -1;
	if (found < 0 || db_run(db, close, DB_ARGS(db_int(old), db_int(now_ms)), err) < 0)
		return -1;
	return schema_add(db, "sessions", -1, err);
}

/* Each thread of a chat has one current session. */
static int merge_sessions(struct db *db, const struct journal_move *m, int64_t now_ms, struct error *err)
{
	static const char sql[] =
	    "SELECT old.id, new.id FROM sessions AS old JOIN sessions AS new ON new.channel = old.channel "
	    "AND new.chat = ?3 AND new.thread = old.thread AND new.closed_ms = 0 WHERE old.channel = ?1 AND "
	    "old.chat = ?2 AND old.closed_ms = 0 LIMIT 1";

	for (;;) {
		struct db_row *row = db_select(
		    db, sql, DB_ARGS(db_text(m->channel), db_text(m->old_chat), db_text(m->new_chat)), err);
		int64_t old = 0, new = 0;
		int rc;

		if (!row)
			return -1;
		rc = db_next(db, row, err);
		if (rc <= 0)
			return rc;
		old = db_column_int(row, 0);
		new = db_column_int(row, 1);
		db_end(row);
		if (merge_session(db, old, new, now_ms, err) != 0)
			return -1;
	}
}

static int move_run(struct job *job, struct db *db, struct error *err)
{
	static const char note[] =
	    "INSERT INTO moves (channel, old_chat, new_chat, moved_ms) VALUES (?1, ?2, ?3, ?4) ON CONFLICT "
	    "(channel, old_chat) DO UPDATE SET new_chat = excluded.new_chat";
	/* Message ids of the old chat are invalid in the new one. */
	static const char *const follow[] = {
	    "UPDATE inbox SET chat = ?3, message_id = NULL, reply_to = NULL"
	    " WHERE state = 0 AND channel = ?1 AND chat = ?2",
	    "UPDATE inbox SET chat = ?3, message_id = NULL, reply_to = NULL"
	    " WHERE turn IN (SELECT turns.id FROM turns WHERE turns.state = 0) AND turn > 0 AND channel = ?1 "
	    "AND chat = ?2",
	    "UPDATE inbox SET chat = ?3, message_id = NULL, reply_to = NULL"
	    " WHERE state = 4 AND channel = ?1 AND chat = ?2",
	    "UPDATE outbox SET chat = ?3, reply_to = NULL WHERE owed = 1 AND channel = ?1 AND chat = ?2",
	    "UPDATE sessions SET chat = ?3 WHERE channel = ?1 AND chat = ?2",
	    "INSERT INTO chats (channel, chat, queue, model, instructions) SELECT channel, ?3, queue, model, "
	    "instructions FROM chats WHERE channel = ?1 AND chat = ?2 AND ?3 <> ?2 ON CONFLICT (channel, "
	    "chat) DO UPDATE SET queue = CASE excluded.queue WHEN 0 THEN chats.queue ELSE "
	    "excluded.queue END, model = coalesce(excluded.model, chats.model), instructions = "
	    "coalesce(excluded.instructions, chats.instructions)",
	    "DELETE FROM chats WHERE channel = ?1 AND chat = ?2 AND ?3 <> ?2",
	    "UPDATE works SET chat = ?3 WHERE channel = ?1 AND chat = ?2",
	    "UPDATE schedules SET chat = ?3 WHERE channel = ?1 AND chat = ?2",
	    "UPDATE plans SET chat = ?3 WHERE channel = ?1 AND chat = ?2",
	    "INSERT INTO spending (scope, channel, who, period, turns, requests, unpriced, input, cached, "
	    "written, output, cost, estimated, seconds)"
	    " SELECT scope, channel, ?3, period, turns, requests, unpriced, input, cached, written, output, "
	    "cost, estimated, seconds FROM spending"
	    " WHERE scope = 1 AND channel = ?1 AND who = ?2 AND ?3 <> ?2"
	    " ON CONFLICT (scope, channel, who, period) DO UPDATE SET " USAGE_MERGE,
	    "DELETE FROM spending WHERE scope = 1 AND channel = ?1 AND who = ?2 AND ?3 <> ?2",
	    /* The old chat's rows replace those of the new one. */
	    "DELETE FROM budgets WHERE scope = 1 AND channel = ?1 AND who = ?3 AND ?3 <> ?2 AND span IN "
	    "(SELECT span FROM budgets WHERE scope = 1 AND channel = ?1 AND who = ?2)",
	    "UPDATE budgets SET who = ?3 WHERE scope = 1 AND channel = ?1 AND who = ?2",
	    "DELETE FROM lifts WHERE scope = 1 AND channel = ?1 AND who = ?3 AND ?3 <> ?2 AND EXISTS (SELECT "
	    "1 FROM lifts AS old WHERE old.scope = 1 AND old.channel = ?1 AND old.who = ?2)",
	    "UPDATE lifts SET who = ?3 WHERE scope = 1 AND channel = ?1 AND who = ?2",
	    "DELETE FROM warnings WHERE scope = 1 AND channel = ?1 AND who = ?3 AND ?3 <> ?2 AND EXISTS "
	    "(SELECT 1 FROM warnings AS old WHERE old.scope = 1 AND old.channel = ?1 AND old.who = ?2 AND "
	    "old.span = warnings.span AND old.measure = warnings.measure AND old.period = warnings.period "
	    "AND old.most = warnings.most)",
	    "UPDATE warnings SET who = ?3 WHERE scope = 1 AND channel = ?1 AND who = ?2",
	};
	const struct journal_move *m = &((struct move_job *)job)->move;

	if (db_run(db, note,
		DB_ARGS(db_text(m->channel), db_text(m->old_chat), db_text(m->new_chat), db_int(job->now_ms)),
		err) < 0 ||
	    merge_sessions(db, m, job->now_ms, err) != 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(follow); i++)
		if (db_run(db, follow[i],
			DB_ARGS(db_text(m->channel), db_text(m->old_chat), db_text(m->new_chat)), err) < 0)
			return -1;
	return 0;
}

static void move_free(struct job *job)
{
	struct move_job *j = (struct move_job *)job;

	free(j->found);
	free(j);
}

int move_chat(struct task *t, void *self, const struct journal_move *move, struct error *err)
{
	struct store *s = self;
	struct move_job *j = job_new(sizeof(*j), JOB_WRITE, move_run, move_free);

	warm_histories_changed(&s->warm, 0);
	j->move = *move;
	return job_queue_finish(t, &s->queue, &j->job, err);
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, channel, old_chat, new_chat FROM moves WHERE id > ?1 ORDER BY id LIMIT ?2";
	struct move_job *j = (struct move_job *)job;
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(j->after_id), db_int(STORE_SLICE)), err);
	size_t before = j->count;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		j->after_id = db_column_int(row, 0);
		j->found = xrealloc(j->found, (j->count + 1) * sizeof(*j->found));
		if (db_read(db, row, 1, move_fields, ARRAY_LEN(move_fields), &j->found[j->count], err) != 0)
			return -1;
		j->count++;
	}
	return rc < 0 ? -1 : j->count - before == STORE_SLICE;
}

int move_list(struct task *t, void *self, struct journal_move **out, struct error *err)
{
	struct store *s = self;
	struct move_job *j = job_new(sizeof(*j), JOB_READ, list_run, move_free);
	int count;

	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->count;
	*out = j->found;
	j->found = NULL;
	job_free(&j->job);
	return count;
}
