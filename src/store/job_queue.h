#ifndef STORE_JOB_QUEUE_H
#define STORE_JOB_QUEUE_H
/*
 * The store's thread, and the queue of jobs that it runs one after another on the only connection. Writes
 * that arrive in one iteration of the loop, or while a commit runs, share the next transaction; a failed one
 * is undone alone: when one fails after a change, or a presumed result was wrong, all of them run again, each
 * in a savepoint of its own. They also run again after the connection was lost, unless their commit happened;
 * while that is unknown, they wait. Other jobs fail at once while the database is unreachable. Writes run
 * before reads, but a read waits for one commit at most. Idle jobs run when the queue is empty. A job owns
 * all memory that it touches: a cancelled task abandons its job.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "base/error.h"
#include "base/list.h"
#include "base/metric.h"

struct db;
struct task;

enum job_class {
	JOB_WRITE, /* inside a transaction */
	JOB_READ,
	JOB_IDLE /* no task waits; starts and commits its own transactions */
};

#define JOB_CLASSES 3

/* The first member of a struct with a job's arguments and results. */
struct job {
	struct list link;
	enum job_class class;
	/* On the store's thread, within 50 ms. Returns 0 when done, 1 to be called again (not JOB_WRITE), -1
	 * with err set: its open statements and its transaction end without effect. A JOB_WRITE may run again
	 * after its changes were undone. */
	int (*run)(struct job *job, struct db *db, struct error *err);
	void (*free)(struct job *job); /* on the loop's thread; frees the job too */
	/* May be NULL. Sends the first read of run by db_select_ahead, so that the jobs of a group wait once
	 * for all their reads; run reads from ahead, or sends the read itself when that is NULL. */
	struct db_row *(*select_ahead)(struct job *job, struct db *db);
	struct db_row *ahead;
	int64_t now_ms;      /* wall clock at its creation */
	struct task *waiter; /* loop thread only */
	bool done;           /* loop thread only */
	bool overtaken;      /* a commit overtook it */
	int rc;
	struct error err;
};

/* Returns a job with zeroed arguments. size is that of the whole struct. */
void *job_new(size_t size, enum job_class class,
    int (*run)(struct job *job, struct db *db, struct error *err), void (*free)(struct job *job));
void job_free(struct job *job);

/* A sentence for the operator. */
struct job_queue_notice {
	const char *text;
	unsigned trouble; /* enum db_trouble that begins, or is over for now; 0: none */
	bool over;
};

struct job_queue_ops {
	/* On the store's thread, after each group of writes and each other job. */
	void (*ran)(void *arg, struct db *db);
	/* On the loop: receives each notice of job_queue_notify. */
	void (*notified)(void *arg, const struct job_queue_notice *notice);
};

struct queue {
	const struct job_queue_ops *ops;
	void *arg;
	struct db *db;
	uv_thread_t thread;
	uv_async_t async;
	uv_mutex_t lock; /* guards the fields below */
	uv_cond_t wake;
	struct list waiting[JOB_CLASSES];
	struct list finished;
	struct list notices;
	struct list uncertain; /* writes of a commit that may have happened; the thread's own */
	bool draining, stopping;
	/* Loop thread only. */
	struct list arrived[JOB_CLASSES]; /* in this turn of the loop */
	size_t open;                      /* jobs that have not come back yet */
	uv_prepare_t prepare;
	struct task *closer;
	bool started;
	unsigned closed; /* handles */
};

/* Starts the thread, without opening a database. Call job_queue_stop even after a failure. */
int job_queue_start(
    struct queue *q, const struct job_queue_ops *ops, void *arg, struct db *db, struct error *err);
/* Drops idle jobs, runs all others, then last (an idle job, taken; may be NULL), and ends the thread. Waits
 * even when t is cancelled. */
void job_queue_stop(struct task *t, struct queue *q, struct job *last);
/* Takes the job and waits for it. Returns 0 when the job is the caller's again. Returns -1 when it failed
 * or t was cancelled; the job is not the caller's then. */
int job_queue_run(struct task *t, struct queue *q, struct job *job, struct error *err);
/* The same for a job without a result, which it frees. */
int job_queue_finish(struct task *t, struct queue *q, struct job *job, struct error *err);
/* Takes the job; no task waits for it. */
void job_queue_put(struct queue *q, struct job *job);
/* On the store's thread: passes a sentence to the loop. */
void job_queue_notify(struct queue *q, const char *text);
void job_queue_notify_trouble(struct queue *q, const struct job_queue_notice *notice);

#endif
