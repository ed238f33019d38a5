#ifndef STORE_SEARCH_INDEX_H
#define STORE_SEARCH_INDEX_H
/*
 * Keeps the full-text index in step with the transcript. New messages come into it in batches, in an idle
 * job, or before a search. A message deleted from the transcript leaves it in the same commit. Each step is
 * short, however large the index is.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;
struct store;
struct transcript_rows;

/* On the loop: starts an idle job that indexes what is new and merges; nothing when one runs. */
void search_index_start(struct store *s);
/* On the loop, after these were committed: starts it when enough are new. In a cluster, one node does it. */
void search_index_added(struct store *s, const struct transcript_rows *added);
/* Indexes the next messages, at most one batch. Returns their number or -1. */
int search_index_catch_up(struct db *db, struct error *err);
/* Runs a part of the merges that are due. Returns 1 when more may be, 0, or -1. */
int search_index_merge(struct db *db, struct error *err);
/* Inside a write job, before one message or all of a turn are deleted. */
int search_index_remove(struct db *db, int64_t id, struct error *err);
int search_index_remove_turn(struct db *db, int64_t turn, struct error *err);

/* Messages of a batch. A shared index rewrites a part of itself at each change, which costs little more for
 * many messages than for one. */
#define SEARCH_INDEX_BATCH 104

#endif
