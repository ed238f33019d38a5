#ifndef STORE_SEARCH_INTERNAL_H
#define STORE_SEARCH_INTERNAL_H
/* What an engine does for full-text search. */
#include "base/buf.h"
#include "bus/address.h"
#include "store/job_queue.h"
#include "store/search.h"

struct search_job {
	struct job job;
	struct address chat;
	char *words;
	struct buf match; /* the engine's query for the words */
	int64_t without_turn, before_id;
	bool caught_up, indexed; /* indexed: so much that merges are due */
	size_t max;
	struct store_search_hit *found;
	size_t count;
};

/* Takes the hit. */
void search_add(struct search_job *j, const struct store_search_hit *hit);

struct search_ops {
	int interval; /* the index catches up after this many ids */
	/* Once after the opening, in the index's job; may be NULL. */
	int (*tune)(struct db *db, struct error *err);
	/* As in search_index.h. */
	int (*catch_up)(struct db *db, struct error *err);
	int (*remove)(struct db *db, int64_t id, struct error *err);
	int (*remove_turn)(struct db *db, int64_t turn, struct error *err);
	int (*merge)(struct db *db, struct error *err); /* may be NULL */
	/* Sets j->match, which stays empty when there is no word. */
	int (*make_match)(struct search_job *j, struct db *db, struct error *err);
	/* Adds the hits of one slice before before_id, newest first, and moves it down. Returns 1 when there
	 * may be more, 0, or -1. */
	int (*slice)(struct search_job *j, struct db *db, struct error *err);
};

extern const struct search_ops search_sqlite;

#endif
