#include "store/search_index.h"

#include "store/db_engine.h"
#include "store/search_internal.h"
#include "store/store_internal.h"
#include "store/turn/transcript.h"

int search_index_catch_up(struct db *db, struct error *err)
{
	return db->ops->search->catch_up(db, err);
}

int search_index_merge(struct db *db, struct error *err)
{
	return db->ops->search->merge ? db->ops->search->merge(db, err) : 0;
}

int search_index_remove(struct db *db, int64_t id, struct error *err)
{
	return db->ops->search->remove(db, id, err);
}

int search_index_remove_turn(struct db *db, int64_t turn, struct error *err)
{
	return db->ops->search->remove_turn(db, turn, err);
}

struct index_job {
	struct job job;
	struct store *store;
	bool untuned, merging, full; /* full: the last batch was, so there may be another one */
};

static int index_run(struct job *job, struct db *db, struct error *err)
{
	struct index_job *j = (struct index_job *)job;
	int rc;

	if (j->untuned) {
		j->untuned = false;
		rc = db->ops->search->tune ? db->ops->search->tune(db, err) : 0;
	} else if (j->merging) {
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
	j->untuned = !s->index_tuned;
	s->index_tuned = true;
	j->merging = true;
	j->full = true;
	job_queue_put(&s->queue, &j->job);
}

void search_index_added(struct store *s, const struct transcript_rows *added)
{
	for (size_t i = 0; i < added->count; i++)
		if (added->messages[i]->id % s->db.ops->search->interval == 0)
			search_index_start(s);
}
