#include "store/turn/find.h"

#include "base/mem.h"
#include "store/journal/addresses.h"
#include "store/store_internal.h"

struct about_job {
	struct job job;
	struct address chat;
	char *message_id;
	struct store_turn_find found;
};

/* Both begin with the open turns, which are few: without the + 0, SQLite would read all turns by their ids.
 */
static const char *const searches[] = {
    "SELECT s.channel, s.chat, s.thread, t.id, i.sender_id FROM turns AS t JOIN inbox AS i ON i.turn = t.id "
    "+ 0 AND i.turn > 0 JOIN sessions AS s ON s.id = t.session WHERE t.state = 0 AND i.channel = ?1 AND "
    "i.chat = ?2 AND i.message_id = ?3 LIMIT 1",
    "SELECT s.channel, s.chat, s.thread, t.id, NULL FROM turns AS t JOIN sessions AS s ON s.id = t.session "
    "WHERE t.state = 0 AND t.preview = ?3 AND s.channel = ?1 AND s.chat = ?2 LIMIT 1",
};

static int search(struct about_job *j, struct db *db, const char *sql, struct error *err)
{
	struct db_row *row = db_select(
	    db, sql, DB_ARGS(db_text(j->chat.channel), db_text(j->chat.chat), db_text(j->message_id)), err);
	int rc = !row ? -1 : db_next(db, row, err);

	if (rc <= 0)
		return rc;
	rc = addresses_read(db, row, &j->found.where, err);
	j->found.turn = db_column_int(row, 3);
	j->found.sender_id = db_column_text(row, 4);
	db_end(row);
	return rc;
}

static int about_run(struct job *job, struct db *db, struct error *err)
{
	struct about_job *j = (struct about_job *)job;

	for (size_t i = 0; i < ARRAY_LEN(searches) && j->found.turn == 0; i++)
		if (search(j, db, searches[i], err) < 0)
			return -1;
	return 0;
}

static void about_free(struct job *job)
{
	struct about_job *j = (struct about_job *)job;

	free(j->message_id);
	free(j->found.sender_id);
	free(j);
}

int store_turn_find(struct task *t, struct store *s, const struct address *chat, const char *message_id,
    struct store_turn_find *out, struct error *err)
{
	struct about_job *j = job_new(sizeof(*j), JOB_READ, about_run, about_free);

	j->chat = *chat;
	j->message_id = xstrdup(message_id);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->found;
	j->found.sender_id = NULL;
	job_free(&j->job);
	return out->turn > 0;
}
