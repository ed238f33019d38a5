#include "store/journal/context.h"

#include <string.h>

#include "store/journal/inbox.h"
#include "store/store_internal.h"

#define TEXT_OF(x) #x
#define NUMBER(x)  TEXT_OF(x)

int context_trim(struct db *db, int64_t id, struct error *err)
{
	/* CROSS JOIN makes SQLite start from the one new row. */
	static const char sql[] =
	    "UPDATE inbox SET state = 2, text = '' WHERE id IN (SELECT old.id FROM inbox AS new CROSS JOIN "
	    "inbox AS old WHERE old.state = 4 AND old.channel = new.channel AND old.chat = new.chat AND "
	    "old.thread = new.thread AND new.id = ?1 ORDER BY old.id DESC LIMIT 1000000000 OFFSET " NUMBER(
		JOURNAL_CONTEXT_MAX) ")";

	return db_run(db, sql, DB_ARGS(db_int(id)), err) < 0 ? -1 : 0;
}

int context_forget(struct db *db, const struct address *where, int64_t before_id, struct error *err)
{
	static const char sql[] = "UPDATE inbox SET state = 2, text = '' WHERE state = 4 AND channel = ?1 "
				  "AND chat = ?2 AND thread = ?3 AND id < ?4";

	return db_run(db, sql,
		   DB_ARGS(db_text(where->channel), db_text(where->chat), db_text(where->thread),
		       db_int(before_id != 0 ? before_id : INT64_MAX)),
		   err) < 0 ?
	    -1 :
	    0;
}

int context_read(
    struct db *db, const struct address *where, struct message **out, size_t *count, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " INBOX_COLUMNS " FROM inbox WHERE state = 4 AND channel = ?1 AND chat = ?2 AND "
	    "thread = ?3 ORDER BY id DESC LIMIT " NUMBER(JOURNAL_CONTEXT_MAX);
	struct db_row *row = db_select(
	    db, sql, DB_ARGS(db_text(where->channel), db_text(where->chat), db_text(where->thread)), err);
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		struct message *m = inbox_read(db, row, err);

		if (!m)
			return -1;
		memmove(out + 1, out, *count * sizeof(*out));
		out[0] = m;
		++*count;
	}
	return rc;
}

/* Maximum number of rows searched, newest first, past those of other chats. */
#define ROWS_MAX 20000

struct newest_job {
	struct job job;
	struct address where;
	struct message *found;
};

static int newest_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, " INBOX_COLUMNS
	    " FROM inbox WHERE channel = ?1 AND chat = ?2 AND kind < 2 AND id > (SELECT coalesce(max(id), 0) "
	    "- " NUMBER(ROWS_MAX) " FROM inbox) ORDER BY id DESC LIMIT 1";
	struct newest_job *j = (struct newest_job *)job;
	struct db_row *row =
	    db_select(db, sql, DB_ARGS(db_text(j->where.channel), db_text(j->where.chat)), err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 0;
	j->found = inbox_read(db, row, err);
	db_end(row);
	return j->found ? 0 : -1;
}

static void newest_free(struct job *job)
{
	message_free(((struct newest_job *)job)->found);
	free(job);
}

int store_newest_message(
    struct task *t, struct store *s, const struct address *where, struct message **out, struct error *err)
{
	struct newest_job *j = job_new(sizeof(*j), JOB_READ, newest_run, newest_free);

	*out = NULL;
	j->where = *where;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->found;
	j->found = NULL;
	job_free(&j->job);
	return 0;
}
