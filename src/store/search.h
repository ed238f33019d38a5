#ifndef STORE_SEARCH_H
#define STORE_SEARCH_H
/*
 * What was said in a chat, found by its words: an index that takes in the newest messages many at a time, at
 * the latest before a search. What is removed from the transcript leaves it in the same commit, so that what
 * is forgotten is not found. The functions are as those of store.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct db;
struct error;
struct store;
struct task;

struct store_search_hit {
	struct address where;
	bool by_agent;
	int64_t said_ms;
	char *text; /* around the words */
};

/* The newest first, at most max, of all conversations of the chat and its threads, without those that were
 * taken back, and without one turn. Each word of words begins a word of the text, whatever its case and
 * accents. *out is a malloc'd array; how many, or -1. */
int store_search(struct task *t, struct store *s, const struct address *chat, const char *words,
    int64_t without_turn, size_t max, struct store_search_hit **out, struct error *err);
/* Inside a write job: a message of the transcript was put, or it, or all of a turn, is about to be
 * removed. */
int search_index_add(struct db *db, int64_t id, struct error *err);
int search_index_remove(struct db *db, int64_t id, struct error *err);
int search_index_remove_turn(struct db *db, int64_t turn, struct error *err);
void store_search_free(struct store_search_hit *said, size_t count);

#endif
