#include "store/chats.h"

#include "base/mem.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/store_internal.h"

#define QUEUE_LAST 4

struct chats_job {
	struct job job;
	struct store_chat set;
	char *model, *instructions;
	int64_t inbound;
	struct outbox_rows answers;
	int64_t after_id;
	struct store_chat *found;
	size_t count;
};

static const struct db_field fields[] = {
    {DB_CHARS, offsetof(struct store_chat, where.channel), sizeof((struct store_chat *)0)->where.channel},
    {DB_CHARS, offsetof(struct store_chat, where.chat), sizeof((struct store_chat *)0)->where.chat},
    {DB_ENUM, offsetof(struct store_chat, queue), QUEUE_LAST},
};

static void chats_free(struct job *job)
{
	struct chats_job *j = (struct chats_job *)job;

	outbox_clear(&j->answers);
	free(j->found);
	free(j->model);
	free(j->instructions);
	free(j);
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, channel, chat, queue FROM chats WHERE id > ?1 AND queue > 0 ORDER BY id LIMIT ?2";
	struct chats_job *j = (struct chats_job *)job;
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(j->after_id), db_int(STORE_SLICE)), err);
	size_t before = j->count;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		j->after_id = db_column_int(row, 0);
		j->found = xrealloc(j->found, (j->count + 1) * sizeof(*j->found));
		j->found[j->count] = (struct store_chat){0};
		if (db_read(db, row, 1, fields, ARRAY_LEN(fields), &j->found[j->count], err) != 0)
			return -1;
		j->count++;
	}
	return rc < 0 ? -1 : j->count - before == STORE_SLICE;
}

int store_chats(struct task *t, struct store *s, struct store_chat **out, struct error *err)
{
	struct chats_job *j = job_new(sizeof(*j), JOB_READ, list_run, chats_free);
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

static int finish_command(struct chats_job *j, struct db *db, struct error *err)
{
	if (inbox_end(db, &j->inbound, 1, "command", j->job.now_ms, err) != 0)
		return -1;
	return outbox_insert(db, &j->answers, err);
}

static int queue_mode_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "INSERT INTO chats (channel, chat, queue) VALUES (?1, ?2, ?3) ON CONFLICT "
				  "(channel, chat) DO UPDATE SET queue = excluded.queue";
	struct chats_job *j = (struct chats_job *)job;
	const struct address *a = &j->set.where;

	if (db_run(db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat), db_int(j->set.queue)), err) < 0)
		return -1;
	return finish_command(j, db, err);
}

static int choose_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "INSERT INTO chats (channel, chat, queue, model) VALUES (?1, ?2, 0, ?3) ON "
				  "CONFLICT (channel, chat) DO UPDATE SET model = excluded.model";
	struct chats_job *j = (struct chats_job *)job;
	const struct address *a = &j->set.where;

	if (db_run(db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(j->model)), err) < 0)
		return -1;
	return finish_command(j, db, err);
}

static int instruct_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO chats (channel, chat, queue, instructions) VALUES (?1, ?2, 0, ?3) ON CONFLICT "
	    "(channel, chat) DO UPDATE SET instructions = excluded.instructions";
	struct chats_job *j = (struct chats_job *)job;
	const struct address *a = &j->set.where;

	if (db_run(db, sql, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(j->instructions)), err) <
	    0)
		return -1;
	return finish_command(j, db, err);
}

static int command_job(struct task *t, struct store *s, struct chats_job *j, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, struct error *err)
{
	j->inbound = inbound;
	return outbox_run(t, s, &j->job, &j->answers, answers, answer_count, err);
}

int store_chat_set_queue(struct task *t, struct store *s, const struct store_chat *chat, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, struct error *err)
{
	struct chats_job *j = job_new(sizeof(*j), JOB_WRITE, queue_mode_run, chats_free);

	j->set = *chat;
	return command_job(t, s, j, inbound, answers, answer_count, err);
}

int store_chat_set_model(struct task *t, struct store *s, const struct address *where, const char *name,
    int64_t inbound, struct outbound *const *answers, size_t answer_count, struct error *err)
{
	struct chats_job *j = job_new(sizeof(*j), JOB_WRITE, choose_run, chats_free);

	j->set.where = *where;
	j->model = xstrdup(name);
	return command_job(t, s, j, inbound, answers, answer_count, err);
}

int store_chat_set_instructions(struct task *t, struct store *s, const struct address *where,
    const char *text, int64_t inbound, struct outbound *const *answers, size_t answer_count,
    struct error *err)
{
	struct chats_job *j = job_new(sizeof(*j), JOB_WRITE, instruct_run, chats_free);

	j->set.where = *where;
	j->instructions = xstrdup(text);
	return command_job(t, s, j, inbound, answers, answer_count, err);
}

int chats_read(
    struct db *db, const struct address *where, char **model, char **instructions, struct error *err)
{
	static const char sql[] = "SELECT model, instructions FROM chats WHERE channel = ?1 AND chat = ?2";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_text(where->channel), db_text(where->chat)), err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc > 0) {
		free(*model);
		free(*instructions);
		*model = db_column_text(row, 0);
		*instructions = db_column_text(row, 1);
		db_end(row);
	}
	return 0;
}

static int read_run(struct job *job, struct db *db, struct error *err)
{
	struct chats_job *j = (struct chats_job *)job;

	return chats_read(db, &j->set.where, &j->model, &j->instructions, err);
}

static struct chats_job *read_job(
    struct task *t, struct store *s, const struct address *where, struct error *err)
{
	struct chats_job *j = job_new(sizeof(*j), JOB_READ, read_run, chats_free);

	j->set.where = *where;
	return job_queue_run(t, &s->queue, &j->job, err) != 0 ? NULL : j;
}

int store_chat_model(
    struct task *t, struct store *s, const struct address *where, char **name, struct error *err)
{
	struct chats_job *j = read_job(t, s, where, err);

	*name = j ? j->model : NULL;
	if (!j)
		return -1;
	j->model = NULL;
	job_free(&j->job);
	return 0;
}

int store_chat_instructions(
    struct task *t, struct store *s, const struct address *where, char **text, struct error *err)
{
	struct chats_job *j = read_job(t, s, where, err);

	*text = j ? j->instructions : NULL;
	if (!j)
		return -1;
	j->instructions = NULL;
	job_free(&j->job);
	return 0;
}
