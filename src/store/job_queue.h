#ifndef STORE_JOB_QUEUE_H
#define STORE_JOB_QUEUE_H
/*
 * The store's thread and the jobs that it runs, one after another, on the one connection.
 *
 * Writes that come in one turn of the loop, or wait while a commit runs, share the next transaction, each
 * under a savepoint, so that one that fails is undone alone. Writes go before reads, but a read waits behind
 * one commit at most. Idle jobs run when there is nothing else. A job owns all memory that it touches: a task
 * that is cancelled leaves its job behind.
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
	JOB_IDLE /* nobody waits; begins and commits by itself what it writes */
};

#define JOB_CLASSES 3

/* The first member of a struct that holds a job's arguments and results. */
struct job {
	struct list link;
	enum job_class class;
	/* On the store's thread, within 50 ms. 0: done. 1: there is more, to be called again (not JOB_WRITE).
	 * -1 with err. */
	int (*run)(struct job *job, struct db *db, struct error *err);
	void (*free)(struct job *job); /* on the loop's thread; frees the job too */
	int64_t now_ms;                /* the wall clock when it was made */
	struct task *waiter;           /* the loop's */
	bool done;                     /* the loop's */
	bool passed;                   /* a commit went before it */
	int rc;
	struct error err;
};

/* Zeroed but for the job itself. size is that of the whole struct. */
void *job_new(size_t size, enum job_class class,
    int (*run)(struct job *job, struct db *db, struct error *err), void (*free)(struct job *job));
void job_free(struct job *job);

struct job_queue_ops {
	/* On the store's thread, after each group and each other job. */
	void (*ran)(void *arg, struct db *db);
	/* On the loop: what job_queue_notify was given. */
	void (*told)(void *arg, const char *text);
};

struct queue {
	const struct job_queue_ops *ops;
	void *arg;
	struct db *db;
	uv_thread_t thread;
	uv_async_t async;
	uv_mutex_t lock; /* guards what follows */
	uv_cond_t wake;
	struct list waiting[JOB_CLASSES];
	struct list finished;
	struct list told;
	bool draining, stopping;
	/* The loop's. */
	uv_prepare_t prepare;
	struct task *closer;
	bool started;
	unsigned closed; /* handles */
};

/* Starts the thread; it opens nothing by itself. job_queue_stop is due also after a failure. */
int job_queue_start(
    struct queue *q, const struct job_queue_ops *ops, void *arg, struct db *db, struct error *err);
/* Drops idle jobs, runs all others that wait, then last if it is not NULL (an idle job, taken), and ends the
 * thread. Waits, whether t is cancelled or not. */
void job_queue_stop(struct task *t, struct queue *q, struct job *last);
/* Takes the job and waits for it. 0: the job is the caller's again. -1: it failed, or t was cancelled; it is
 * not. */
int job_queue_run(struct task *t, struct queue *q, struct job *job, struct error *err);
/* Takes the job; nobody waits. */
void job_queue_put(struct queue *q, struct job *job);
/* On the store's thread: hands a sentence to the loop. */
void job_queue_notify(struct queue *q, const char *text);

#endif
