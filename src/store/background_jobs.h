#ifndef STORE_BACKGROUND_JOBS_H
#define STORE_BACKGROUND_JOBS_H
/* Background jobs of conversations, stored while they run: a row found at startup belongs to an interrupted
 * job. Calls behave as in store.h. */
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
	int64_t session, turn; /* in which it started */
	int64_t began_ms;      /* wall clock; set by the commit */
	char *what;            /* description for people */
};

void store_background_job_clear(struct store_background_job *w);
/* Records the job before it starts. */
int store_background_job_begin(
    struct task *t, struct store *s, const struct store_background_job *w, int64_t *id, struct error *err);
/* Lists all jobs; *out is a malloc'd array, and the caller clears its members. Returns the count or -1. */
int store_background_jobs(
    struct task *t, struct store *s, struct store_background_job **out, struct error *err);

struct store_background_job_end {
	int64_t id;
	struct store_usage spent;     /* charged to the chat */
	const char *note;             /* context for the agent's next turn there; NULL for none */
	struct outbound *const *rows; /* messages to the chat */
	size_t row_count;
};
/* Ends the job in one commit. ERROR_REFUSED when it has already ended. */
int store_background_job_finish(
    struct task *t, struct store *s, const struct store_background_job_end *end, struct error *err);

#endif
