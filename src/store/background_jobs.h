#ifndef STORE_BACKGROUND_JOBS_H
#define STORE_BACKGROUND_JOBS_H
/* Work that goes on behind a conversation, as long as it has not ended: what a start finds was interrupted.
 * As in store.h. */
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"
#include "store/usage.h"

struct error;
struct outbound;
struct store;
struct task;

struct store_background_job {
	int64_t id;
	struct address where;
	int64_t session, turn; /* that it was begun in */
	int64_t began_ms;      /* wall clock; set by the commit */
	char *what;            /* for people */
};

void store_background_job_clear(struct store_background_job *w);
/* Before it begins. */
int store_background_job_begin(
    struct task *t, struct store *s, const struct store_background_job *w, int64_t *id, struct error *err);
/* All of them: *out is a malloc'd array of such that are to be cleared. Count or -1. */
int store_background_jobs(
    struct task *t, struct store *s, struct store_background_job **out, struct error *err);

struct store_background_job_end {
	int64_t id;
	struct store_usage spent;     /* counted for the chat */
	const char *note;             /* told the agent with the next turn there, NULL: nothing */
	struct outbound *const *rows; /* what the chat is told */
	size_t row_count;
};
/* Its end, in one commit. ERROR_REFUSED when it has ended before. */
int store_background_job_finish(
    struct task *t, struct store *s, const struct store_background_job_end *end, struct error *err);

#endif
