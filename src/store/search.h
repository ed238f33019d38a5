#ifndef STORE_SEARCH_H
#define STORE_SEARCH_H
/* Full-text search over the transcript. Calls behave as in store.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct error;
struct store;
struct task;

struct store_search_hit {
	struct address where;
	bool by_agent;
	int64_t sent_ms;
	char *text; /* the passage around the words */
};

/* Searches all conversations of the chat and its threads, newest first, at most max, without undone
 * exchanges and without one turn. Each word of words matches the start of a word, one of fewer than three
 * bytes or with which very many begin a whole word, ignoring case and accents. *out is a malloc'd array.
 * Returns the count or -1. */
int store_search(struct task *t, struct store *s, const struct address *chat, const char *words,
    int64_t without_turn, size_t max, struct store_search_hit **out, struct error *err);
void store_search_free(struct store_search_hit *hits, size_t count);

#endif
