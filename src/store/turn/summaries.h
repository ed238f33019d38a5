#ifndef STORE_TURN_SUMMARIES_H
#define STORE_TURN_SUMMARIES_H
/*
 * Summaries of conversations. The newest of a session stands for all of its transcript up to a row; what it
 * stands for is kept, but no longer read into its history. As in store.h.
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
	int64_t upto; /* the last row of the transcript that it stands for */
	const char *text;
	const struct store_usage *spent; /* on it; NULL: that is stored elsewhere */
};

/* One commit with the rows that tell of it and the end of the inbound message that asked for it (0: none).
 * ERROR_REFUSED when there is one already that stands for as much. */
int store_summary_add(struct task *t, struct store *s, const struct store_summary *summary, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);

/* On the store's thread: up to where the newest summary of a session stands, 0 when there is none; *text,
 * unless NULL, is malloc'd, NULL when there is none. */
int summary_find(struct db *db, int64_t session, int64_t *upto, char **text, struct error *err);

#endif
