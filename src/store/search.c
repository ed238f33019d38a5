#include "store/search.h"

#include <stdlib.h>

#include "base/mem.h"
#include "store/db_engine.h"
#include "store/search_index.h"
#include "store/search_internal.h"
#include "store/store_internal.h"

void store_search_free(struct store_search_hit *hits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(hits[i].text);
	free(hits);
}

static void search_free(struct job *job)
{
	struct search_job *j = (struct search_job *)job;

	store_search_free(j->found, j->count);
	free(j->words);
	buf_clear(&j->match);
	free(j);
}

void search_add(struct search_job *j, const struct store_search_hit *hit)
{
	j->found = xrealloc(j->found, (j->count + 1) * sizeof(*j->found));
	j->found[j->count++] = *hit;
}

static int search_run(struct job *job, struct db *db, struct error *err)
{
	struct search_job *j = (struct search_job *)job;
	int rc;

	if (!j->caught_up) {
		rc = search_index_catch_up(db, err);
		j->caught_up = rc < SEARCH_INDEX_BATCH;
		j->indexed |= !j->caught_up;
		return rc < 0 ? -1 : 1;
	}
	if (j->match.len == 0 && db->ops->search->make_match(j, db, err) != 0)
		return -1;
	return j->match.len == 0 || j->count == j->max ? 0 : db->ops->search->slice(j, db, err);
}

int store_search(struct task *t, struct store *s, const struct address *chat, const char *words,
    int64_t without_turn, size_t max, struct store_search_hit **out, struct error *err)
{
	struct search_job *j = job_new(sizeof(*j), JOB_READ, search_run, search_free);
	int count;

	*out = NULL;
	j->chat = *chat;
	j->words = xstrdup(words);
	j->without_turn = without_turn;
	j->before_id = INT64_MAX;
	j->max = max;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	if (j->indexed)
		search_index_start(s);
	count = (int)j->count;
	*out = j->found;
	j->found = NULL;
	j->count = 0;
	job_free(&j->job);
	return count;
}
