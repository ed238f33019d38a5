#ifndef STORE_TURN_SUMMARIES_H
#define STORE_TURN_SUMMARIES_H
/*
 * Summaries of conversations. The newest summary of a session replaces its transcript up to a row; those
 * rows are kept, but no longer part of the history. Calls behave as in store.h.
 */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;
struct outbound;
struct store;
struct store_usage;
struct task;

struct store_summary {
	int64_t session;
	int64_t upto; /* last transcript row that it replaces */
	const char *text;
	const struct store_usage *spent; /* cost of making it; NULL when stored elsewhere */
};

/* Adds a summary in one commit with its messages and the end of the inbound message that asked for it (0
 * for none). ERROR_REFUSED when a summary already covers as much. */
int store_summary_add(struct task *t, struct store *s, const struct store_summary *summary, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);

/* On the store's thread: gets the last row that the newest summary covers, 0 for none; *text, unless NULL,
 * is malloc'd, NULL for none. */
int summary_find(struct db *db, int64_t session, int64_t *upto, char **text, struct error *err);

#endif
