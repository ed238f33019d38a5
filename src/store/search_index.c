#include "store/search_index.h"

#include <sqlite3.h>

#include "store/store_internal.h"
#include "store/turn/transcript.h"

#define TEXT_OF(x) #x
#define NUMBER(x)  TEXT_OF(x)

/* The newest message in the index, which has a row for each. */
#define LAST "coalesce((SELECT max(id) FROM said_words_docsize), 0)"
/* Pages that one step of a merge writes: a millisecond or two. It ends between two words only, so a list of
 * a word that is in every message can make it longer. */
#define MERGE_PAGES "16"

/* Tool results are not indexed. */
int search_index_catch_up(struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO said_words (rowid, text) SELECT id, text FROM transcript WHERE id > " LAST
	    " AND role < 2 AND text <> '' ORDER BY id LIMIT " NUMBER(SEARCH_INDEX_BATCH);

	return db_run(db, sql, DB_NO_ARGS, err);
}

int search_index_merge(struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO said_words (said_words, rank) VALUES ('merge', " MERGE_PAGES ")";
	int before = sqlite3_total_changes(db->handle);

	if (db_run(db, sql, DB_NO_ARGS, err) < 0)
		return -1;
	/* The command itself counts as one change. */
	return sqlite3_total_changes(db->handle) - before > 1;
}

#define REMOVE                                                                                       \
	"INSERT INTO said_words (said_words, rowid, text) SELECT 'delete', id, text FROM transcript" \
	" WHERE id <= " LAST " AND role < 2 AND text <> ''"

int search_index_remove(struct db *db, int64_t id, struct error *err)
{
	return db_run(db, REMOVE " AND id = ?1", DB_ARGS(db_int(id)), err) < 0 ? -1 : 0;
}

int search_index_remove_turn(struct db *db, int64_t turn, struct error *err)
{
	static const char sql[] =
	    REMOVE " AND session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1";

	return db_run(db, sql, DB_ARGS(db_int(turn)), err) < 0 ? -1 : 0;
}

struct index_job {
	struct job job;
	struct store *store;
	bool merging, full; /* full: the last batch was, so there may be another one */
};

static int index_run(struct job *job, struct db *db, struct error *err)
{
	struct index_job *j = (struct index_job *)job;
	int rc;

	if (j->merging) {
		rc = search_index_merge(db, err);
		j->merging = rc > 0;
	} else {
		rc = search_index_catch_up(db, err);
		j->merging = rc > 0;
		j->full = rc == SEARCH_INDEX_BATCH;
	}
	return rc < 0 ? -1 : j->merging || j->full;
}

static void index_free(struct job *job)
{
	struct index_job *j = (struct index_job *)job;

	j->store->index_running = false;
	free(j);
}

void search_index_start(struct store *s)
{
	struct index_job *j;

	if (s->index_running)
		return;
	s->index_running = true;
	j = job_new(sizeof(*j), JOB_IDLE, index_run, index_free);
	j->store = s;
	j->merging = true;
	j->full = true;
	job_queue_put(&s->queue, &j->job);
}

void search_index_added(struct store *s, const struct transcript_rows *added)
{
	for (size_t i = 0; i < added->count; i++)
		if (added->messages[i]->id % SEARCH_INDEX_BATCH == 0)
			search_index_start(s);
}
