#include "store/journal/inbox.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/wrong.h"
#include "store/journal/context.h"
#include "store/journal/cursor.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"

_Static_assert(MESSAGE_TEXT == 0 && MESSAGE_EDIT == 1 && MESSAGE_PRESS == 2 && MESSAGE_JOINED == 3 &&
	MESSAGE_MOVED == 4 && MESSAGE_SCHEDULE == 5,
    "stored kinds keep their numbers");
_Static_assert(CHAT_PRIVATE == 0 && CHAT_GROUP == 1 && CHAT_CHANNEL == 2, "stored kinds keep their numbers");

#define MARKS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

static const struct db_field fields[] = {
    {DB_TEXT, offsetof(struct message, account), 0},
    {DB_TEXT, offsetof(struct message, event_id), 0},
    {DB_ENUM, offsetof(struct message, kind), MESSAGE_SCHEDULE},
    {DB_CHARS, offsetof(struct message, from.channel), sizeof((struct message *)0)->from.channel},
    {DB_CHARS, offsetof(struct message, from.chat), sizeof((struct message *)0)->from.chat},
    {DB_CHARS, offsetof(struct message, from.thread), sizeof((struct message *)0)->from.thread},
    {DB_ENUM, offsetof(struct message, chat_kind), CHAT_CHANNEL},
    {DB_BOOL, offsetof(struct message, sender_is_chat), 0},
    {DB_BOOL, offsetof(struct message, sender_is_bot), 0},
    {DB_BOOL, offsetof(struct message, addressed), 0},
    {DB_BOOL, offsetof(struct message, to_another), 0},
    {DB_BOOL, offsetof(struct message, continues), 0},
    {DB_INT64, offsetof(struct message, sent_ms), 0},
    {DB_INT64, offsetof(struct message, received_ms), 0},
    {DB_TEXT, offsetof(struct message, message_id), 0},
    {DB_TEXT, offsetof(struct message, reply_to), 0},
    {DB_TEXT, offsetof(struct message, sender_id), 0},
    {DB_TEXT, offsetof(struct message, sender_name), 0},
    {DB_TEXT, offsetof(struct message, chat_title), 0},
    {DB_TEXT, offsetof(struct message, reply_text), 0},
    {DB_TEXT, offsetof(struct message, reply_sender_id), 0},
    {DB_TEXT, offsetof(struct message, reply_sender_name), 0},
    {DB_TEXT, offsetof(struct message, press_id), 0},
    {DB_TEXT, offsetof(struct message, text), 0},
};

struct message *inbox_copy(const struct message *m, int64_t now_ms)
{
	struct message *copy = message_copy(m);

	store_redact(&copy->text);
	store_redact(&copy->reply_text);
	store_redact(&copy->reply_sender_name);
	store_redact(&copy->chat_title);
	store_redact(&copy->sender_name);
	if (copy->received_ms == 0)
		copy->received_ms = now_ms;
	return copy;
}

struct put_job {
	struct job job;
	struct message **messages;
	size_t count;
	char *account, *name, *value; /* of the cursor; NULL: none */
};

int inbox_insert(struct db *db, struct message *m, struct error *err)
{
	static const char sql[] = "INSERT INTO inbox (" INBOX_COLUMNS ", stored_ms, id) VALUES (" MARKS
				  ", ?, ?) ON CONFLICT (account, event_id) DO NOTHING";
	char *attachments = attachments_encode(m->attachments, m->attachment_count);
	struct db_value values[ARRAY_LEN(fields) + 3];
	size_t count = db_values(values, fields, ARRAY_LEN(fields), m);
	int64_t id = 0;
	int put;

	store_redact(&attachments);
	values[count++] = db_text(attachments);
	values[count++] = db_int(clock_wall());
	put = db_new_id(db, DB_INBOX, &id, err);
	values[count++] = db_int(id);
	if (WRONG("no-dedupe"))
		values[1] = db_int((int64_t)clock_random_below(INT64_MAX)); /* event_id */
	m->id = 0;
	if (put == 0)
		put = db_insert_later(db, sql, values, count, &m->id, err);
	free(attachments);
	return put < 0 ? -1 : 0;
}

/* How many of the newest messages are searched for the edited one: there is no index by its id. */
#define EDITED_AMONG "5000"

/* An edit that adds a mention is a message to the bot, once: neither the message nor an earlier edit of it
 * was for the bot. Those that were not have a reason why not, once their end is committed. */
static int read_edit(struct db *db, struct message *m, struct error *err)
{
	static const char sql[] = "SELECT EXISTS (SELECT 1 FROM (SELECT channel, chat, message_id, kind, "
				  "addressed, state, why FROM inbox ORDER BY id DESC LIMIT " EDITED_AMONG
				  ") AS newest WHERE message_id = ?3 AND chat = ?2 AND channel = "
				  "?1 AND kind < 2 AND (addressed <> 0 OR (state <> 0 AND why IS NULL)))";
	int64_t was_for_us;

	if (m->kind != MESSAGE_EDIT || !m->addressed || m->chat_kind != CHAT_GROUP || !m->message_id)
		return 0;
	/* An edit never runs a command, nor grants anything. */
	if (m->text[0] == '/')
		return 0;
	if (db_number(db, sql,
		DB_ARGS(db_text(m->from.channel), db_text(m->from.chat), db_text(m->message_id)), &was_for_us,
		err) < 0)
		return -1;
	if (!was_for_us)
		m->kind = MESSAGE_TEXT;
	return 0;
}

static int put_run(struct job *job, struct db *db, struct error *err)
{
	struct put_job *j = (struct put_job *)job;

	for (size_t i = 0; i < j->count; i++)
		if (read_edit(db, j->messages[i], err) != 0 || inbox_insert(db, j->messages[i], err) != 0)
			return -1;
	if (!j->name)
		return 0;
	return cursor_set(db, &(struct journal_cursor){j->account, j->name, j->value}, job->now_ms, err);
}

static void put_free(struct job *job)
{
	struct put_job *j = (struct put_job *)job;

	for (size_t i = 0; i < j->count; i++)
		message_free(j->messages[i]);
	free(j->messages);
	free(j->account);
	free(j->name);
	free(j->value);
	free(j);
}

int inbox_put(struct task *t, void *self, struct message *const *messages, size_t count,
    const struct journal_cursor *cursor, struct error *err)
{
	struct store *s = self;
	struct put_job *j = job_new(sizeof(*j), JOB_WRITE, put_run, put_free);

	j->messages = xcalloc(count, sizeof(*j->messages));
	j->count = count;
	for (size_t i = 0; i < count; i++)
		j->messages[i] = inbox_copy(messages[i], j->job.now_ms);
	if (cursor) {
		j->account = xstrdup(cursor->account);
		j->name = xstrdup(cursor->name);
		j->value = xstrdup(cursor->value);
	}
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		messages[i]->id = j->messages[i]->id;
		messages[i]->kind = j->messages[i]->kind;
	}
	job_free(&j->job);
	return 0;
}

struct list_job {
	struct job job;
	struct address from;
	int64_t after_id;
	size_t max;
	struct message **messages;
	size_t count;
};

static int read_attachments(struct db *db, struct db_row *row, struct message *m, struct error *err)
{
	char *text = db_column_text(row, 1 + ARRAY_LEN(fields));
	int rc = attachments_decode(text, &m->attachments, &m->attachment_count);

	free(text);
	return rc == 0 ?
	    0 :
	    db_damaged(db, err, "the attachments of the message %lld cannot be read", (long long)m->id);
}

struct message *inbox_read(struct db *db, struct db_row *row, struct error *err)
{
	struct message *m = message_new();

	m->id = db_column_int(row, 0);
	if (db_read(db, row, 1, fields, ARRAY_LEN(fields), m, err) == 0 &&
	    read_attachments(db, row, m, err) == 0)
		return m;
	message_free(m);
	return NULL;
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " INBOX_COLUMNS " FROM inbox WHERE state = 0 AND channel = ?1 AND chat = ?2 AND "
	    "thread = ?3 AND id > ?4 ORDER BY id LIMIT ?5";
	struct list_job *j = (struct list_job *)job;
	size_t left = j->max - j->count, slice = left < STORE_SLICE ? left : STORE_SLICE;
	struct db_row *row;
	struct message *m;
	int rc;

	row = db_select(db, sql,
	    DB_ARGS(db_text(j->from.channel), db_text(j->from.chat), db_text(j->from.thread),
		db_int(j->after_id), db_int((int64_t)slice)),
	    err);
	if (!row)
		return -1;
	j->messages = xrealloc(j->messages, (j->count + slice + 1) * sizeof(struct message *));
	while ((rc = db_next(db, row, err)) > 0) {
		m = inbox_read(db, row, err);
		if (!m)
			return -1;
		j->after_id = m->id;
		j->messages[j->count++] = m;
		slice--;
	}
	return rc < 0 ? -1 : slice == 0 && j->count < j->max;
}

static void list_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;

	for (size_t i = 0; i < j->count; i++)
		message_free(j->messages[i]);
	free(j->messages);
	free(j);
}

int inbox_list(struct task *t, void *self, const struct address *from, int64_t after_id, struct message **out,
    size_t max, struct error *err)
{
	struct store *s = self;
	struct list_job *j = job_new(sizeof(*j), JOB_READ, list_run, list_free);
	int count;

	j->from = *from;
	j->after_id = after_id;
	j->max = max;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->count;
	for (int i = 0; i < count; i++)
		out[i] = j->messages[i];
	j->count = 0;
	job_free(&j->job);
	return count;
}

static int not_pending(int64_t id, struct error *err)
{
	return error_set(err, ERROR_REFUSED,
	    "the message %lld waits no more: it was handled, or a turn has it", (long long)id);
}

int inbox_end(
    struct db *db, const int64_t *ids, size_t count, const char *why, int64_t now_ms, struct error *err)
{
	static const char sql[] =
	    "UPDATE inbox SET state = ?4, done_ms = ?2, why = ?3 WHERE id = ?1 AND state = 0";
	bool keep = strcmp(why, JOURNAL_CONTEXT) == 0;
	int changed;

	for (size_t i = 0; i < count; i++) {
		changed = db_run_presumed(db, sql,
		    DB_ARGS(db_int(ids[i]), db_int(now_ms), db_text(why), db_int(keep ? 4 : 2)), err);
		if (changed <= 0)
			return changed < 0 ? -1 : not_pending(ids[i], err);
		if (keep && context_trim(db, ids[i], err) != 0)
			return -1;
	}
	return 0;
}

int inbox_claim(
    struct db *db, const int64_t *ids, size_t count, int64_t turn, int64_t now_ms, struct error *err)
{
	static const char sql[] = "UPDATE inbox SET state = 2, turn = ?2, done_ms = ?3 " DB_FROM_ROWS
				  " WHERE id = ?1 AND state IN (0, 4)";
	int changed;

	for (size_t i = 0; i < count; i++) {
		changed = db_run_batched_presumed(
		    db, sql, DB_ARGS(db_int(ids[i]), db_int(turn), db_int(now_ms)), err);
		if (changed <= 0)
			return changed < 0 ? -1 : not_pending(ids[i], err);
	}
	return 0;
}

int inbox_end_dead(struct db *db, int64_t turn, int64_t now_ms, struct error *err)
{
	static const char sql[] = "UPDATE inbox SET state = 3, done_ms = ?2 WHERE turn = ?1 AND turn > 0";

	return db_run(db, sql, DB_ARGS(db_int(turn), db_int(now_ms)), err) < 0 ? -1 : 0;
}

int inbox_read_claimed(
    struct db *db, int64_t turn, int64_t **ids, size_t *count, struct message **last, struct error *err)
{
	/* The row to answer comes last: after context messages, and after edits, which name an older
	 * message. */
	static const char sql[] =
	    "SELECT id, " INBOX_COLUMNS
	    " FROM inbox WHERE turn = ?1 AND turn > 0 ORDER BY why IS NULL, kind <> 1, id";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(turn)), err);
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		message_free(*last);
		*last = inbox_read(db, row, err);
		if (!*last)
			return -1;
		*ids = xrealloc(*ids, (*count + 1) * sizeof **ids);
		(*ids)[(*count)++] = (*last)->id;
	}
	/* A reminder's text is delivered even when no model answers. */
	if (rc == 0 && *last && (*last)->kind != MESSAGE_SCHEDULE)
		(*last)->text[0] = '\0';
	return rc;
}

struct finish_job {
	struct job job;
	int64_t *ids;
	size_t count;
	char *why;
	struct outbox_rows answers;
};

static int finish_run(struct job *job, struct db *db, struct error *err)
{
	struct finish_job *j = (struct finish_job *)job;

	if (inbox_end(db, j->ids, j->count, j->why, job->now_ms, err) != 0)
		return -1;
	return outbox_insert(db, &j->answers, err);
}

static void finish_free(struct job *job)
{
	struct finish_job *j = (struct finish_job *)job;

	outbox_clear(&j->answers);
	free(j->ids);
	free(j->why);
	free(j);
}

int inbox_finish(struct task *t, void *self, const int64_t *ids, size_t count, const char *why,
    struct outbound *const *answers, size_t answer_count, struct error *err)
{
	struct store *s = self;
	struct finish_job *j = job_new(sizeof(*j), JOB_WRITE, finish_run, finish_free);

	j->ids = xcalloc(count, sizeof(*j->ids));
	j->count = count;
	for (size_t i = 0; i < count; i++)
		j->ids[i] = ids[i];
	j->why = xstrdup(why);
	store_redact(&j->why);
	return outbox_run(t, s, &j->job, &j->answers, answers, answer_count, err);
}
