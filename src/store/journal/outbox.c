#include "store/journal/outbox.h"

#include "base/error.h"
#include "base/mem.h"
#include "store/schema.h"
#include "store/store_internal.h"

/* The states are stored as numbers, and some are in conditions of indexes. */
_Static_assert(OUTBOUND_QUEUED == 0 && OUTBOUND_SENDING == 1 && OUTBOUND_SENT == 2 &&
	OUTBOUND_UNCERTAIN == 3 && OUTBOUND_FAILED == 4,
    "stored states keep their numbers");

#define COLUMNS                                                                                         \
	"kind, state, channel, chat, thread, key, part, parts, turn, attempts, repeat, not_before_ms, " \
	"created_ms,"                                                                                   \
	" updated_ms, platform_id, reason, reply_to, edit_of, buttons, text, file"
#define MARKS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

static const struct db_field fields[] = {
    {DB_ENUM, offsetof(struct outbound, kind), OUTBOUND_NOTIFICATION},
    {DB_ENUM, offsetof(struct outbound, state), OUTBOUND_FAILED},
    {DB_CHARS, offsetof(struct outbound, to.channel), sizeof((struct outbound *)0)->to.channel},
    {DB_CHARS, offsetof(struct outbound, to.chat), sizeof((struct outbound *)0)->to.chat},
    {DB_CHARS, offsetof(struct outbound, to.thread), sizeof((struct outbound *)0)->to.thread},
    {DB_TEXT, offsetof(struct outbound, key), 0},
    {DB_UINT, offsetof(struct outbound, part), 0},
    {DB_UINT, offsetof(struct outbound, parts), 0},
    {DB_INT64, offsetof(struct outbound, turn), 0},
    {DB_UINT, offsetof(struct outbound, attempts), 0},
    {DB_BOOL, offsetof(struct outbound, repeat), 0},
    {DB_INT64, offsetof(struct outbound, not_before_ms), 0},
    {DB_INT64, offsetof(struct outbound, created_ms), 0},
    {DB_INT64, offsetof(struct outbound, updated_ms), 0},
    {DB_TEXT, offsetof(struct outbound, platform_id), 0},
    {DB_TEXT, offsetof(struct outbound, reason), 0},
    {DB_TEXT, offsetof(struct outbound, reply_to), 0},
    {DB_TEXT, offsetof(struct outbound, edit_of), 0},
    {DB_TEXT, offsetof(struct outbound, buttons), 0},
    {DB_TEXT, offsetof(struct outbound, text), 0},
};

/* Not held until later in the day. */
#define LISTED(now) "(attempts > 0 OR not_before_ms NOT BETWEEN " now " + 1 AND " now " + 24 * 3600 * 1000)"

static const struct db_field queue_fields[] = {
    {DB_CHARS, offsetof(struct journal_queue, channel), sizeof((struct journal_queue *)0)->channel},
    {DB_CHARS, offsetof(struct journal_queue, chat), sizeof((struct journal_queue *)0)->chat},
};

void outbox_copy(struct outbox_rows *to, struct outbound *const *rows, size_t count, int64_t now_ms)
{
	to->rows = xcalloc(count, sizeof(*to->rows));
	to->count = count;
	for (size_t i = 0; i < count; i++) {
		to->rows[i] = outbound_copy(rows[i]);
		store_redact(&to->rows[i]->text);
		store_redact(&to->rows[i]->reason);
		to->rows[i]->updated_ms = now_ms;
		if (to->rows[i]->created_ms == 0)
			to->rows[i]->created_ms = now_ms;
	}
}

void outbox_clear(struct outbox_rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		outbound_free(r->rows[i]);
	free(r->rows);
	*r = (struct outbox_rows){0};
}

void outbox_return(const struct outbox_rows *from, struct outbound *const *to)
{
	for (size_t i = 0; i < from->count; i++) {
		char *asked = to[i]->text;

		to[i]->text = from->rows[i]->text;
		from->rows[i]->text = asked;
		to[i]->id = from->rows[i]->id;
		to[i]->state = from->rows[i]->state;
		to[i]->known = from->rows[i]->known;
		to[i]->differs = from->rows[i]->differs;
		to[i]->created_ms = from->rows[i]->created_ms;
		to[i]->updated_ms = from->rows[i]->updated_ms;
	}
}

int outbox_run(struct task *t, struct store *s, struct job *job, struct outbox_rows *copies,
    struct outbound *const *rows, size_t count, struct error *err)
{
	outbox_copy(copies, rows, count, job->now_ms);
	if (job_queue_run(t, &s->queue, job, err) != 0)
		return -1;
	outbox_return(copies, rows);
	job_free(job);
	return 0;
}

/* 1: the key exists, and o gets the id and state of its row. */
static int find_key(struct db *db, struct outbound *o, struct error *err)
{
	static const char sql[] = "SELECT id, state, text, parts FROM outbox WHERE key = ?1";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_text(o->key)), err);
	int rc;

	if (!row)
		return -1;
	rc = db_next(db, row, err);
	if (rc > 0) {
		o->id = db_column_int(row, 0);
		rc = db_read(db, row, 1, &fields[1], 1, o, err) == 0 ? 1 : -1;
		char *text = db_column_text(row, 2);
		o->known = true;
		o->differs = (text && strcmp(text, o->text) != 0) || db_column_int(row, 3) != o->parts;
		free(text);
	}
	db_end(row);
	return rc;
}

/* Keeps the numbers of what failed. */
static int count_state(struct db *db, int64_t state, int more, struct error *err)
{
	if (state == OUTBOUND_UNCERTAIN)
		return schema_add(db, "outbox_uncertain", more, err);
	return state == OUTBOUND_FAILED ? schema_add(db, "outbox_failed", more, err) : 0;
}

#define OWED "EXISTS (SELECT 1 FROM outbox WHERE owed = 1 AND channel = ?1 AND chat = ?2)"
#define WAITS                                                                                      \
	"EXISTS (SELECT 1 FROM outbox WHERE state < 2 AND channel = ?1 AND chat = ?2 AND " LISTED( \
	    "?3") " AND id < ?4)"

static bool is_after_others(const struct outbound *o)
{
	return o->state == OUTBOUND_SENDING || (o->kind == OUTBOUND_REPLY && o->part <= 1);
}

/* Nearly always no delivery stands before this one: otherwise the transaction fails, and runs again without
 * presuming. Batched rows are stored before all of this. */
static int presume_nothing_before(struct db *db, const struct outbound *o, struct error *err)
{
	static const char none_owed[] = "SELECT 1 / CASE WHEN " OWED " THEN 0 ELSE 1 END " DB_FROM_ROWS,
			  neither[] =
			      "SELECT 1 / CASE WHEN " OWED " OR " WAITS " THEN 0 ELSE 1 END " DB_FROM_ROWS;
	bool sends = o->state == OUTBOUND_SENDING;

	if (!db_presumes(db) || !is_after_others(o))
		return 0;
	return db_run_batched(db, sends ? neither : none_owed,
		   (const struct db_value[]){
		       db_text(o->to.channel), db_text(o->to.chat), db_int(o->updated_ms), db_int(o->id)},
		   sends ? 4 : 2, err) < 0 ?
	    -1 :
	    0;
}

/* Finds what stands before a new delivery: notices that earlier ones may be missing (*owed), and what
 * list_outbound would return (*waits). */
static int check_before(struct db *db, const struct outbound *o, bool *owed, bool *waits, struct error *err)
{
	static const char sql[] = "SELECT " OWED ", " WAITS;
	struct db_row *row = db_select(db, sql,
	    DB_ARGS(db_text(o->to.channel), db_text(o->to.chat), db_int(o->updated_ms), db_int(INT64_MAX)),
	    err);

	if (!row || db_next(db, row, err) < 0)
		return -1;
	*owed = db_column_int(row, 0);
	*waits = db_column_int(row, 1);
	db_end(row);
	return 0;
}

/* Stores one row, unless its key exists. The first part decides for a whole text: if it exists, additional
 * parts of another text under the same key are not stored either. *known: whether the part before existed. */
static int put_row(
    struct db *db, struct outbound *o, const struct outbound *before, bool *known, struct error *err)
{
	static const char sql[] = "INSERT INTO outbox (" COLUMNS ", tried_ms, id) VALUES (" MARKS
				  ", ?, ?) ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING";
	struct db_value values[ARRAY_LEN(fields) + 3];
	char *file = NULL;
	size_t count;
	int put;

	o->known = o->differs = false;
	if (o->key && o->part > 1 && *known) {
		int found = find_key(db, o, err);
		if (found == 0) {
			o->id = before->id;
			o->state = before->state;
			o->known = o->differs = true;
		}
		return found < 0 ? -1 : 0;
	}
	count = db_values(values, fields, ARRAY_LEN(fields), o);
	file = attachments_encode(o->file, o->file != NULL);
	store_redact(&file);
	values[count++] = db_text(file);
	values[count++] = db_int(o->state == OUTBOUND_SENDING ? o->updated_ms : 0);
	put = db_new_id(db, DB_OUTBOX, &o->id, err);
	values[count++] = db_int(o->id);
	if (put == 0)
		put = (o->key ? db_run_batched_presumed : db_run_batched)(db, sql, values, count, err);
	free(file);
	if (put < 0)
		return -1;
	*known = put == 0;
	if (*known)
		return find_key(db, o, err) < 0 ? -1 : 0;
	return count_state(db, o->state, 1, err);
}

/* Puts a notice about each answer that may be missing before the chat's next reply. */
static int add_missing_notices(struct db *db, const struct outbound *next, struct error *err)
{
	static const char find[] =
	    "SELECT id FROM outbox WHERE owed = 1 AND channel = ?1 AND chat = ?2 ORDER BY id";
	static const char insert[] =
	    "INSERT INTO outbox (kind, state, channel, chat, thread, part, parts, turn, attempts, repeat, "
	    "not_before_ms, created_ms, updated_ms, reply_to, text, id)"
	    " SELECT kind, 0, channel, chat, thread, 1, 1, 0, 0, 0, 0, ?1, ?1, reply_to, ?2, ?3 FROM outbox "
	    "WHERE id = ?4";
	static const char clear[] =
	    "UPDATE outbox SET owed = 0 WHERE owed = 1 AND channel = ?1 AND chat = ?2";
	struct db_value channel = db_text(next->to.channel), chat = db_text(next->to.chat);
	int64_t *rows, id;
	int count = db_numbers(db, find, DB_ARGS(channel, chat), &rows, err), rc = count < 0 ? -1 : 0;

	for (int i = 0; i < count && rc == 0; i++)
		if (db_new_id(db, DB_OUTBOX, &id, err) != 0 ||
		    db_run_later(db, insert,
			DB_ARGS(db_int(next->updated_ms), db_text(JOURNAL_ANSWER_MISSING), db_int(id),
			    db_int(rows[i])),
			err) < 0)
			rc = -1;
	if (rc == 0 && count > 0 && db_run(db, clear, DB_ARGS(channel, chat), err) < 0)
		rc = -1;
	free(rows);
	return rc;
}

/* Makes room for what goes before the row. */
static int put_in_order(struct db *db, struct outbound *o, struct error *err)
{
	bool is_reply = o->kind == OUTBOUND_REPLY && o->part <= 1, owed = false, waits = false;

	if (db_presumes(db) || !is_after_others(o))
		return 0;
	if (check_before(db, o, &owed, &waits, err) != 0)
		return -1;
	owed &= is_reply;
	if (o->state == OUTBOUND_SENDING && (owed || waits)) {
		o->state = OUTBOUND_QUEUED;
		o->attempts = 0;
	}
	return owed ? add_missing_notices(db, o, err) : 0;
}

int outbox_insert(struct db *db, const struct outbox_rows *r, struct error *err)
{
	bool known = false;

	for (size_t i = 0; i < r->count; i++)
		if (put_in_order(db, r->rows[i], err) != 0 ||
		    put_row(db, r->rows[i], i > 0 ? r->rows[i - 1] : NULL, &known, err) != 0 ||
		    presume_nothing_before(db, r->rows[i], err) != 0)
			return -1;
	return 0;
}

struct put_job {
	struct job job;
	struct outbox_rows rows;
};

static int put_run(struct job *job, struct db *db, struct error *err)
{
	return outbox_insert(db, &((struct put_job *)job)->rows, err);
}

/* Marks the row only if its state is less than below. Returns the number of rows, or -1. */
static int mark(struct db *db, const struct outbound *o, enum outbound_state below, struct error *err)
{
	static const char sql[] =
	    "UPDATE outbox SET state = ?2, attempts = ?3, repeat = ?4, not_before_ms = ?5, platform_id = ?6, "
	    "reason = ?7, updated_ms = ?8, edit_of = ?9, owed = ?11,"
	    " tried_ms = CASE WHEN CAST(?2 AS BIGINT) = 1 THEN ?8 ELSE tried_ms END,"
	    " acked_ms = CASE WHEN CAST(?2 AS BIGINT) = 2 THEN ?10 ELSE acked_ms END " DB_FROM_ROWS
	    " WHERE id = ?1 AND state < ?12";

	/* A failed answer may need a notice, for which a later delivery looks. */
	return (below == OUTBOUND_UNCERTAIN ? db_run_batched_presumed : db_run_presumed)(db, sql,
	    DB_ARGS(db_int(o->id), db_int(o->state), db_int(o->attempts), db_int(o->repeat),
		db_int(o->not_before_ms), db_text(o->platform_id), db_text(o->reason), db_int(o->updated_ms),
		db_text(o->edit_of), db_int(o->acked_ms), db_int(o->notice_owed), db_int(below)),
	    err);
}

static int mark_run(struct job *job, struct db *db, struct error *err)
{
	const struct outbound *o = ((struct put_job *)job)->rows.rows[0];
	/* Nearly always: nothing has failed, and no number changes. */
	int changed = o->state < OUTBOUND_UNCERTAIN ? mark(db, o, OUTBOUND_UNCERTAIN, err) : 0;
	int64_t before;

	if (changed != 0)
		return changed < 0 ? -1 : 0;
	changed =
	    db_number(db, "SELECT state FROM outbox WHERE id = ?1", DB_ARGS(db_int(o->id)), &before, err);
	if (changed == 0)
		return error_set(err, ERROR_OURS, "there is no outbound message %lld", (long long)o->id);
	if (changed < 0 || mark(db, o, OUTBOUND_FAILED + 1, err) < 0)
		return -1;
	return count_state(db, before, -1, err) != 0 ? -1 : count_state(db, o->state, 1, err);
}

static void put_free(struct job *job)
{
	struct put_job *j = (struct put_job *)job;

	outbox_clear(&j->rows);
	free(j);
}

int outbox_put(struct task *t, void *self, struct outbound *const *rows, size_t count, struct error *err)
{
	struct store *s = self;
	struct put_job *j = job_new(sizeof(*j), JOB_WRITE, put_run, put_free);

	return outbox_run(t, s, &j->job, &j->rows, rows, count, err);
}

int outbox_mark(struct task *t, void *self, const struct outbound *row, struct error *err)
{
	struct store *s = self;
	struct put_job *j = job_new(sizeof(*j), JOB_WRITE, mark_run, put_free);
	/* What a mark does not change is not copied. */
	struct outbound marked = *row, *rows[] = {&marked};

	marked.text = (char *)(uintptr_t) "";
	marked.file = NULL;
	marked.reply_to = marked.buttons = marked.key = NULL;
	outbox_copy(&j->rows, rows, 1, j->job.now_ms);
	return job_queue_finish(t, &s->queue, &j->job, err);
}

struct list_job {
	struct job job;
	struct journal_queue queue;
	int64_t after_id;
	int64_t part, parts, turn;
	size_t max;
	struct outbox_rows found;
	struct journal_queue *queues;
	size_t sender_count;
};

static int read_file(struct db *db, struct db_row *row, struct outbound *o, struct error *err)
{
	char *text = db_column_text(row, 1 + ARRAY_LEN(fields));
	size_t count;
	int rc = attachments_decode(text, &o->file, &count);

	free(text);
	if (rc == 0 && count <= 1)
		return 0;
	attachments_free(o->file, count);
	o->file = NULL;
	return db_damaged(db, err, "the file of the outbound message %lld cannot be read", (long long)o->id);
}

static struct outbound *read_row(struct db *db, struct db_row *row, struct error *err)
{
	struct outbound *o = outbound_new(&(struct address){0}, OUTBOUND_REPLY, "");

	o->id = db_column_int(row, 0);
	if (db_read(db, row, 1, fields, ARRAY_LEN(fields), o, err) == 0 && read_file(db, row, o, err) == 0)
		return o;
	outbound_free(o);
	return NULL;
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " COLUMNS
	    " FROM outbox WHERE state < 2 AND channel = ?1 AND chat = ?2 AND id > ?3 AND " LISTED(
		"?5") " "
		      "ORDER BY id LIMIT ?4";
	struct list_job *j = (struct list_job *)job;
	size_t left = j->max - j->found.count, slice = left < STORE_SLICE ? left : STORE_SLICE;
	struct db_row *row;
	int rc;

	row = db_select(db, sql,
	    DB_ARGS(db_text(j->queue.channel), db_text(j->queue.chat), db_int(j->after_id),
		db_int((int64_t)slice), db_int(job->now_ms)),
	    err);
	if (!row)
		return -1;
	j->found.rows = xrealloc(j->found.rows, (j->found.count + slice + 1) * sizeof(*j->found.rows));
	while ((rc = db_next(db, row, err)) > 0) {
		struct outbound *o = read_row(db, row, err);

		if (!o)
			return -1;
		j->after_id = o->id;
		j->found.rows[j->found.count++] = o;
		slice--;
	}
	return rc < 0 ? -1 : slice == 0 && j->found.count < j->max;
}

static void list_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;

	outbox_clear(&j->found);
	free(j->queues);
	free(j);
}

int outbox_list(struct task *t, void *self, const struct journal_queue *queue, int64_t after_id,
    struct outbound **out, size_t max, struct error *err)
{
	struct store *s = self;
	struct list_job *j = job_new(sizeof(*j), JOB_READ, list_run, list_free);
	int count;

	j->queue = *queue;
	j->after_id = after_id;
	j->max = max;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->found.count;
	for (int i = 0; i < count; i++)
		out[i] = j->found.rows[i];
	j->found.count = 0;
	job_free(&j->job);
	return count;
}

/* Skips from queue to queue in the index: a long queue is read once for each slice that it fills. */
static int queues_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT channel, chat FROM outbox WHERE state < 2 AND (channel, chat) > "
				  "(?1, ?2) ORDER BY channel, chat LIMIT ?3";
	struct list_job *j = (struct list_job *)job;
	struct db_row *row = db_select(
	    db, sql, DB_ARGS(db_text(j->queue.channel), db_text(j->queue.chat), db_int(STORE_SLICE)), err);
	struct journal_queue next = {0};
	int rc = row ? 0 : -1, left = STORE_SLICE, order;

	for (; row && (rc = db_next(db, row, err)) > 0; left--) {
		if (db_read(db, row, 0, queue_fields, ARRAY_LEN(queue_fields), &next, err) != 0)
			return -1;
		order = strcmp(next.channel, j->queue.channel);
		order = order != 0 ? order : strcmp(next.chat, j->queue.chat);
		if (order < 0 || (order == 0 && left == STORE_SLICE))
			return db_damaged(db, err, "the queues of the outbox are out of order");
		if (order == 0)
			continue;
		j->queue = next;
		j->queues = xrealloc(j->queues, (j->sender_count + 1) * sizeof(*j->queues));
		j->queues[j->sender_count++] = next;
	}
	return rc < 0 ? -1 : left == 0;
}

int outbox_queues(struct task *t, void *self, struct journal_queue **out, struct error *err)
{
	struct store *s = self;
	struct list_job *j = job_new(sizeof(*j), JOB_READ, queues_run, list_free);
	int count;

	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->sender_count;
	*out = j->queues;
	j->queues = NULL;
	job_free(&j->job);
	return count;
}

static int take_one(struct list_job *j, struct db *db, struct db_row *row, struct error *err)
{
	int rc;

	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return error_set(
		    err, ERROR_REFUSED, "there is no outbound message %lld", (long long)j->after_id);
	j->found.rows = xcalloc(1, sizeof(*j->found.rows));
	j->found.rows[0] = read_row(db, row, err);
	j->found.count = j->found.rows[0] != NULL;
	db_end(row);
	return j->found.count == 1 ? 0 : -1;
}

static int get_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT id, " COLUMNS " FROM outbox WHERE id = ?1";
	struct list_job *j = (struct list_job *)job;

	return take_one(j, db, db_select(db, sql, DB_ARGS(db_int(j->after_id)), err), err);
}

/* The parts of a text are stored together: between their ids are only those that others have given. */
#define PART_AMONG "10000"

static int get_part_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " COLUMNS " FROM outbox WHERE id < ?1 AND id > ?1 - " PART_AMONG
	    " AND channel = ?2 AND chat = ?3 AND part = ?4 AND parts = ?5 AND turn = ?6 ORDER BY id "
	    "DESC LIMIT 1";
	struct list_job *j = (struct list_job *)job;

	return take_one(j, db,
	    db_select(db, sql,
		DB_ARGS(db_int(j->after_id), db_text(j->queue.channel), db_text(j->queue.chat),
		    db_int(j->part - 1), db_int(j->parts), db_int(j->turn)),
		err),
	    err);
}

static struct outbound *get(struct task *t, struct store *s, struct list_job *j, struct error *err)
{
	struct outbound *found;

	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return NULL;
	found = j->found.rows[0];
	j->found.count = 0;
	job_free(&j->job);
	return found;
}

struct outbound *outbox_get(struct task *t, void *self, int64_t id, struct error *err)
{
	struct list_job *j = job_new(sizeof(*j), JOB_READ, get_run, list_free);

	j->after_id = id;
	return get(t, self, j, err);
}

struct outbound *outbox_get_part_before(
    struct task *t, void *self, const struct outbound *part, struct error *err)
{
	struct list_job *j = job_new(sizeof(*j), JOB_READ, get_part_run, list_free);

	j->after_id = part->id;
	str_copy(j->queue.channel, sizeof(j->queue.channel), part->to.channel);
	str_copy(j->queue.chat, sizeof(j->queue.chat), part->to.chat);
	j->part = part->part;
	j->parts = part->parts;
	j->turn = part->turn;
	return get(t, self, j, err);
}
