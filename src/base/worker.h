#ifndef BASE_WORKER_H
#define BASE_WORKER_H
/*
 * Runs work that may block (files, searches) on libuv's threads. A job owns its memory: when the waiting
 * task is cancelled, the job is abandoned, and its result is dropped when it ends.
 */
#include <stdatomic.h>

struct error;
struct task;
struct worker_job;

/* Embedded in the struct with the job's input and output. */
struct worker_job {
	void (*run)(struct worker_job *job);  /* on a worker thread: touches the job only */
	void (*free)(struct worker_job *job); /* on the loop's thread */
	atomic_bool abandoned; /* set when no task waits any more: a long job checks it and ends */
};

/* Takes job. Returns 0 when it has run and is the caller's again (free it with job->free), even if a cancel
 * arrived at the moment it ended. Returns -1 when cancelled; the job is no longer the caller's: it did not
 * start, or is freed when it ends. Suspends. */
int worker_await(struct task *t, struct worker_job *job, struct error *err);

/* Less than the 4 threads of libuv, so that other jobs, and name lookups, never wait behind clients. */
#define WORKER_CLIENTS_MAX 2
/* The same for work that people cause. A job waits, first come first served, while its client (a chat, say)
 * has another one on a thread, or WORKER_CLIENTS_MAX clients have. An abandoned job counts until it ends. */
int worker_await_client(struct task *t, const char *client, struct worker_job *job, struct error *err);

#endif
