#include "store/schedules.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"

#define COLUMNS                                                                                          \
	"channel, chat, thread, chat_kind, paused, created_ms, next_ms, last_ms, fired, missed, at_ms, " \
	"every_ms, cron, zone,"                                                                          \
	" person, person_name, chat_title, note, content"
#define MARKS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

static const struct db_field fields[] = {
    {DB_CHARS, offsetof(struct store_schedule, where.channel),
	sizeof((struct store_schedule *)0)->where.channel},
    {DB_CHARS, offsetof(struct store_schedule, where.chat), sizeof((struct store_schedule *)0)->where.chat},
    {DB_CHARS, offsetof(struct store_schedule, where.thread),
	sizeof((struct store_schedule *)0)->where.thread},
    {DB_ENUM, offsetof(struct store_schedule, chat_kind), CHAT_CHANNEL},
    {DB_BOOL, offsetof(struct store_schedule, paused), 0},
    {DB_INT64, offsetof(struct store_schedule, created_ms), 0},
    {DB_INT64, offsetof(struct store_schedule, next_ms), 0},
    {DB_INT64, offsetof(struct store_schedule, last_ms), 0},
    {DB_INT64, offsetof(struct store_schedule, fired), 0},
    {DB_INT64, offsetof(struct store_schedule, missed), 0},
    {DB_INT64, offsetof(struct store_schedule, at_ms), 0},
    {DB_INT64, offsetof(struct store_schedule, every_ms), 0},
    {DB_TEXT, offsetof(struct store_schedule, cron), 0},
    {DB_TEXT, offsetof(struct store_schedule, zone), 0},
    {DB_TEXT, offsetof(struct store_schedule, person), 0},
    {DB_TEXT, offsetof(struct store_schedule, person_name), 0},
    {DB_TEXT, offsetof(struct store_schedule, chat_title), 0},
    {DB_TEXT, offsetof(struct store_schedule, note), 0},
    {DB_TEXT, offsetof(struct store_schedule, content), 0},
};

void store_schedule_free(struct store_schedule *e)
{
	if (!e)
		return;
	free(e->cron);
	free(e->zone);
	free(e->person);
	free(e->person_name);
	free(e->chat_title);
	free(e->note);
	free(e->content);
	free(e);
}

struct store_schedule *store_schedule_copy(const struct store_schedule *e)
{
	struct store_schedule *c = xmemdup(e, sizeof(*e));

	c->cron = xstrdup(e->cron);
	c->zone = xstrdup(e->zone);
	c->person = xstrdup(e->person);
	c->person_name = xstrdup(e->person_name);
	c->chat_title = xstrdup(e->chat_title);
	c->note = xstrdup(e->note);
	c->content = xstrdup(e->content);
	return c;
}

void store_schedules_free(struct store_schedule **list, int count)
{
	for (int i = 0; i < count; i++)
		store_schedule_free(list[i]);
	free(list);
}

struct list_job {
	struct job job;
	struct address chat;
	int64_t now_ms, after_ms, after_id, next_ms;
	struct store_schedule **found;
	size_t count;
};

static void list_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;

	store_schedules_free(j->found, (int)j->count);
	free(j);
}

/* Returns the number of rows, or -1. */
static int read_rows(struct list_job *j, struct db *db, struct db_row *row, struct error *err)
{
	size_t before = j->count;
	int rc = 0;

	while (row && (rc = db_next(db, row, err)) > 0) {
		struct store_schedule *e = xcalloc(1, sizeof(*e));

		j->found = xrealloc(j->found, (j->count + 1) * sizeof(struct store_schedule *));
		j->found[j->count++] = e;
		e->id = db_column_int(row, 0);
		if (db_read(db, row, 1, fields, ARRAY_LEN(fields), e, err) != 0)
			return -1;
	}
	return !row || rc < 0 ? -1 : (int)(j->count - before);
}

static int chat_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " COLUMNS
	    " FROM schedules WHERE channel = ?1 AND chat = ?2 AND id > ?3 ORDER BY id LIMIT ?4";
	struct list_job *j = (struct list_job *)job;
	int64_t after_id = j->count > 0 ? j->found[j->count - 1]->id : 0;
	int count = read_rows(j, db,
	    db_select(db, sql,
		DB_ARGS(
		    db_text(j->chat.channel), db_text(j->chat.chat), db_int(after_id), db_int(STORE_SLICE)),
		err),
	    err);

	return count < 0 ? -1 : count == STORE_SLICE;
}

static int give_list(struct list_job *j, struct store_schedule ***out)
{
	int count = (int)j->count;

	*out = j->found;
	j->found = NULL;
	j->count = 0;
	job_free(&j->job);
	return count;
}

int store_schedules(struct task *t, struct store *s, const struct address *chat, struct store_schedule ***out,
    struct error *err)
{
	struct list_job *j = job_new(sizeof(*j), JOB_READ, chat_run, list_free);

	*out = NULL;
	j->chat = *chat;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	return give_list(j, out);
}

static int due_run(struct job *job, struct db *db, struct error *err)
{
	static const char due[] =
	    "SELECT id, " COLUMNS " FROM schedules WHERE paused = 0 AND next_ms <= ?1 AND (next_ms, id) > "
	    "(?2, ?3) ORDER BY next_ms, id LIMIT ?4";
	static const char next[] =
	    "SELECT next_ms FROM schedules WHERE paused = 0 AND next_ms > ?1 ORDER BY next_ms LIMIT 1";
	struct list_job *j = (struct list_job *)job;

	if (read_rows(j, db,
		db_select(db, due,
		    DB_ARGS(db_int(j->now_ms), db_int(j->after_ms), db_int(j->after_id),
			db_int(STORE_SCHEDULES_AT_ONCE)),
		    err),
		err) < 0)
		return -1;
	return db_number(db, next, DB_ARGS(db_int(j->now_ms)), &j->next_ms, err) < 0 ? -1 : 0;
}

int store_schedules_due(struct task *t, struct store *s, int64_t now_ms, const struct store_schedule *after,
    struct store_schedule ***out, int64_t *next_ms, struct error *err)
{
	struct list_job *j = job_new(sizeof(*j), JOB_READ, due_run, list_free);

	*out = NULL;
	j->now_ms = now_ms;
	j->after_ms = after ? after->next_ms : INT64_MIN;
	j->after_id = after ? after->id : 0;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*next_ms = j->next_ms;
	return give_list(j, out);
}

static int ahead_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " COLUMNS " FROM schedules WHERE last_ms > ?1 AND id > ?2 ORDER BY id LIMIT ?3";
	struct list_job *j = (struct list_job *)job;
	int64_t after_id = j->count > 0 ? j->found[j->count - 1]->id : 0;
	int count = read_rows(j, db,
	    db_select(db, sql, DB_ARGS(db_int(j->now_ms), db_int(after_id), db_int(STORE_SLICE)), err), err);

	return count < 0 ? -1 : count == STORE_SLICE;
}

int store_schedules_ahead(
    struct task *t, struct store *s, int64_t after_ms, struct store_schedule ***out, struct error *err)
{
	struct list_job *j = job_new(sizeof(*j), JOB_READ, ahead_run, list_free);

	*out = NULL;
	j->now_ms = after_ms;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	return give_list(j, out);
}

struct step_job {
	struct job job;
	struct store_schedule *before, *after;
	int64_t id, max, inbound;
	const char *why;
	struct message *message;
	struct outbox_rows rows;
};

static void step_free(struct job *job)
{
	struct step_job *j = (struct step_job *)job;

	store_schedule_free(j->before);
	store_schedule_free(j->after);
	message_free(j->message);
	outbox_clear(&j->rows);
	free(j);
}

static int add(struct step_job *j, struct db *db, struct error *err)
{
	static const char count[] = "SELECT count(*) FROM schedules WHERE channel = ?1 AND chat = ?2";
	static const char sql[] = "INSERT INTO schedules (" COLUMNS ") VALUES (" MARKS ")";
	static const char with_id[] = "INSERT INTO schedules (" COLUMNS ", id) VALUES (" MARKS ", ?)";
	const struct store_schedule *e = j->after;
	struct db_value values[ARRAY_LEN(fields) + 1];
	size_t n = db_values(values, fields, ARRAY_LEN(fields), e);
	int64_t there = 0;

	if (db_number(db, count, DB_ARGS(db_text(e->where.channel), db_text(e->where.chat)), &there, err) < 0)
		return -1;
	if (there >= j->max)
		return error_limited(err, 0,
		    "this chat has %lld reminders, and may have %lld: remove one first", (long long)there,
		    (long long)j->max);
	if (e->id != 0)
		values[n++] = db_int(e->id);
	return db_insert(db, e->id != 0 ? with_id : sql, values, n, &j->id, err) < 0 ? -1 : 0;
}

/* Changes an entry only if it is unchanged since it was read, so that no step happens twice. */
static int change(struct step_job *j, struct db *db, struct error *err)
{
	static const char update[] =
	    "UPDATE schedules SET paused = ?5, next_ms = ?6, last_ms = ?7, fired = ?8, missed = ?9, note = "
	    "?10 WHERE id = ?1 AND fired = ?2 AND next_ms = ?3 AND paused = ?4";
	static const char drop[] =
	    "DELETE FROM schedules WHERE id = ?1 AND fired = ?2 AND next_ms = ?3 AND paused = ?4";
	const struct store_schedule *b = j->before, *a = j->after;
	int changed;

	j->id = b->id;
	if (!a)
		changed = db_run(db, drop,
		    DB_ARGS(db_int(b->id), db_int(b->fired), db_int(b->next_ms), db_int(b->paused)), err);
	else
		changed = db_run(db, update,
		    DB_ARGS(db_int(b->id), db_int(b->fired), db_int(b->next_ms), db_int(b->paused),
			db_int(a->paused), db_int(a->next_ms), db_int(a->last_ms), db_int(a->fired),
			db_int(a->missed), db_text(a->note)),
		    err);
	if (changed == 0)
		return error_set(err, ERROR_REFUSED, "the reminder %lld was changed meanwhile: look again",
		    (long long)b->id);
	return changed < 0 ? -1 : 0;
}

static int step_run(struct job *job, struct db *db, struct error *err)
{
	struct step_job *j = (struct step_job *)job;

	if ((!j->before ? add(j, db, err) : change(j, db, err)) != 0)
		return -1;
	if (j->message && inbox_insert(db, j->message, err) != 0)
		return -1;
	if (j->inbound != 0 && inbox_end(db, &j->inbound, 1, j->why, job->now_ms, err) != 0)
		return -1;
	return outbox_insert(db, &j->rows, err);
}

static void notify_changed(struct store *s)
{
	if (s->schedules_changed)
		s->schedules_changed(s->schedules_arg);
}

int store_schedule_commit(
    struct task *t, struct store *s, const struct store_schedule_step *step, int64_t *id, struct error *err)
{
	struct step_job *j = job_new(sizeof(*j), JOB_WRITE, step_run, step_free);

	j->before = step->before ? store_schedule_copy(step->before) : NULL;
	j->after = step->after ? store_schedule_copy(step->after) : NULL;
	if (j->after)
		store_redact(&j->after->content);
	j->max = step->max_per_chat;
	j->inbound = step->inbound;
	j->why = step->why;
	j->message = step->message ? inbox_copy(step->message, j->job.now_ms) : NULL;
	outbox_copy(&j->rows, step->rows, step->row_count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	if (id)
		*id = j->id;
	if (step->message)
		step->message->id = j->message->id;
	outbox_return(&j->rows, step->rows);
	job_free(&j->job);
	notify_changed(s);
	return 0;
}

/* AUTOINCREMENT never gives an id again, even if its row was deleted. */
static int reserve_run(struct job *job, struct db *db, struct error *err)
{
	static const char put[] =
	    "INSERT INTO schedules (channel, chat, thread, chat_kind, paused, created_ms, next_ms, last_ms, "
	    "fired, missed, at_ms, every_ms, zone, person, content) VALUES ('', '', '', 0, 1, 0, 0, 0, 0, 0, "
	    "0, 0, '', '', '')";
	static const char drop[] = "DELETE FROM schedules WHERE id = ?1";
	struct step_job *j = (struct step_job *)job;

	if (db_insert(db, put, DB_NO_ARGS, &j->id, err) < 0)
		return -1;
	return db_run(db, drop, DB_ARGS(db_int(j->id)), err) < 0 ? -1 : 0;
}

int store_schedule_reserve(struct task *t, struct store *s, int64_t *id, struct error *err)
{
	struct step_job *j = job_new(sizeof(*j), JOB_WRITE, reserve_run, step_free);

	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*id = j->id;
	job_free(&j->job);
	return 0;
}

void store_schedules_watch(struct store *s, void (*changed)(void *arg), void *arg)
{
	s->schedules_changed = changed;
	s->schedules_arg = arg;
}
