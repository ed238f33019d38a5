#ifndef BASE_WORKER_H
#define BASE_WORKER_H
/*
 * Work that may block (files, searches) runs on libuv's threads. A job owns its
 * memory: when the task that waits is cancelled, the job is left behind, and its
 * result is dropped when it ends.
 */
#include <stdatomic.h>

struct error;
struct task;
struct worker_job;

/* Stands in the struct that holds what the job needs and yields. */
struct worker_job {
	void (*run)(struct worker_job *job);  /* on a worker thread: touches the job only */
	void (*free)(struct worker_job *job); /* on the loop's thread */
	atomic_bool unwanted; /* nobody waits any more: what runs long looks at it, and ends */
};

/* Takes job. 0: it has run and is the caller's again (free it with job->free), also when
 * a cancel came in the moment it ended. -1: cancelled; the job is no longer the caller's:
 * it did not begin, or is freed when it ends. */
int worker_await(struct task *t, struct worker_job *job, struct error *err);

#endif
