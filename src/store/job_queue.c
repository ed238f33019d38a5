#include "store/job_queue.h"

#include <malloc.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/task.h"
#include "store/db_engine.h"
#include "store/store.h"
#include "store/usage.h"

/* Maximum jobs per commit, so that the first of many writes does not wait for all. */
#define GROUP_MAX 256
/* Checkpoint the log at this length: the first when no job waits, the second in any case. */
#define CHECKPOINT_IDLE_PAGES 1000
#define CHECKPOINT_PAGES      4000
/* The memory that SQLite and the process have to spare goes back to the system after this time without a job.
 */
#define SHRINK_NS    2000000000ull
#define THREAD_STACK (512 * 1024)
/* Interval of attempts to reach a lost database. */
#define RECOVER_NS 100000000ull
/* How often writes run when the connection is lost each time. */
#define TRIES_MAX 4

struct queued_notice {
	struct list link;
	struct job_queue_notice notice;
	char text[];
};

void *job_new(size_t size, enum job_class class,
    int (*run)(struct job *job, struct db *db, struct error *err), void (*free)(struct job *job))
{
	struct job *job = xcalloc(1, size);

	list_init(&job->link);
	job->class = class;
	job->run = run;
	job->free = free;
	job->now_ms = clock_wall();
	return job;
}

void job_free(struct job *job)
{
	if (job)
		job->free(job);
}

static void list_move(struct list *to, struct list *from)
{
	list_each(from, link, next) {
		list_remove(link);
		list_append(to, link);
	}
}

/* Returns finished jobs to the loop. */
static void finish(struct queue *q, struct list *jobs)
{
	uv_mutex_lock(&q->lock);
	list_move(&q->finished, jobs);
	uv_mutex_unlock(&q->lock);
	uv_async_send(&q->async);
}

static int run_under_savepoint(struct job *job, struct db *db)
{
	if (db_run(db, "SAVEPOINT job", DB_NO_ARGS, &job->err) < 0)
		return -1;
	if (job->run(job, db, &job->err) == 0 && usage_write(db, &job->err) == 0 &&
	    db_run(db, "RELEASE job", DB_NO_ARGS, &job->err) >= 0)
		return 0;
	usage_forget(db);
	db_end_all(db);
	/* An error such as a full disk may have undone the whole transaction. */
	if (!db_is_idle(db)) {
		db_run(db, "ROLLBACK TO job", DB_NO_ARGS, NULL);
		db_run(db, "RELEASE job", DB_NO_ARGS, NULL);
	}
	db_undo_ids(db);
	return -1;
}

/* A failure before any change needs no savepoint. Returns false when there is something to undo, or nothing
 * else in the transaction. */
static bool run_bare(struct job *job, struct db *db, bool alone)
{
	unsigned changes = db->changes;

	job->rc = job->run(job, db, &job->err);
	if (job->rc == 0)
		return true;
	db_end_all(db);
	return !alone && !db_is_idle(db) && !db_is_broken(db) && db->changes == changes;
}

/* Returns whether savepoints may help: one of several jobs has failed, or a presumed result was wrong. */
static bool is_worth_savepoints(const struct list *group, const struct db *db)
{
	return !db->lost && !db->conflict && (db->ops->presumes || group->next != group->prev);
}

static void select_ahead(const struct list *group, struct db *db)
{
	list_each(group, link, next) {
		struct job *job = list_entry(link, struct job, link);

		if (job->select_ahead)
			job->ahead = job->select_ahead(job, db);
	}
}

static void drop_ahead(const struct list *group)
{
	list_each(group, link, next) {
		struct job *job = list_entry(link, struct job, link);

		if (job->ahead)
			db_end(job->ahead);
		job->ahead = NULL;
	}
}

static int run_jobs(struct list *group, struct db *db, bool bare, struct error *err)
{
	bool alone = group->next == group->prev;

	list_each(group, link, next) {
		struct job *job = list_entry(link, struct job, link);

		if (bare && run_bare(job, db, alone))
			continue;
		if (bare) {
			if (!db_is_idle(db))
				db_rollback(db);
			*err = job->err;
			return is_worth_savepoints(group, db) ? 1 : -1;
		}
		job->rc = run_under_savepoint(job, db);
		if (db_is_idle(db)) {
			*err = job->err;
			return -1;
		}
	}
	if (db_commit(db, err) == 0)
		return 0;
	return bare && db->ops->presumes && is_worth_savepoints(group, db) ? 1 : -1;
}

/* Returns 1 when the jobs have to run again, with savepoints. */
static int run_transaction(struct list *group, struct db *db, bool bare, struct error *err)
{
	int rc;

	db->must_await = !bare;
	db->conflict = false;
	if (db_begin(db, err) != 0)
		return -1;
	if (db_presumes(db))
		select_ahead(group, db);
	rc = run_jobs(group, db, bare, err);
	drop_ahead(group);
	return rc;
}

struct histogram store_commit_time = {.name = "myna_store_commit_seconds",
    .help = "From the begin of a commit to its end on disk; several changes share one."};

static void fail(struct list *group, const struct error *err)
{
	list_each(group, link, next) {
		struct job *job = list_entry(link, struct job, link);

		job->rc = -1;
		job->err = *err;
	}
}

/* Runs the writes until they are stored, or fail. Returns 0 when they have ended, 1 when that is unknown. */
static int store_group(struct list *group, struct db *db)
{
	struct error err, why;

	for (int tries = 1;; tries++) {
		int rc = run_transaction(group, db, true, &err), recovered;

		if (rc > 0)
			rc = run_transaction(group, db, false, &err);
		db->must_await = false;
		if (rc == 0)
			return 0;
		if (db->conflict && !db->lost && tries < TRIES_MAX)
			continue;
		if (!db->lost)
			break;
		recovered = db_recover(db, &why);
		if (recovered > 0)
			return 0;
		if (recovered < 0 && db->commit_uncertain)
			return 1;
		if (recovered < 0 || tries == TRIES_MAX)
			break;
	}
	fail(group, &err);
	return 0;
}

static void run_group(struct queue *q, struct list *group)
{
	uint64_t began_us = clock_measure_us();
	struct error err;
	int uncertain;

	/* Uncertain writes come first. */
	if (!list_is_empty(&q->uncertain)) {
		db_begin(q->db, &err);
		fail(group, &err);
		finish(q, group);
		return;
	}
	uncertain = store_group(group, q->db);
	histogram_observe(&store_commit_time, (int64_t)(clock_measure_us() - began_us));
	if (uncertain)
		list_move(&q->uncertain, group);
	else
		finish(q, group);
}

/* Reconnects, if that is possible now, and settles the uncertain commit. */
static void recover(struct queue *q)
{
	struct list group;
	struct error err;
	int recovered = db_recover(q->db, &err);

	q->ops->ran(q->arg, q->db);
	if (recovered < 0)
		return;
	list_init(&group);
	list_move(&group, &q->uncertain);
	if (list_is_empty(&group))
		return;
	if (recovered > 0)
		finish(q, &group);
	else
		run_group(q, &group);
}

/* At the end, when the database has not come back: fails the uncertain writes. */
static void fail_uncertain(struct queue *q)
{
	struct error err;

	if (list_is_empty(&q->uncertain))
		return;
	error_set(
	    &err, ERROR_OURS, "the database did not tell whether this was stored before the gateway stopped");
	err.uncertain = true;
	fail(&q->uncertain, &err);
	finish(q, &q->uncertain);
}

/* Runs a read or an idle job; a job that is not done waits again. */
static void run_single(struct queue *q, struct job *job)
{
	bool again, uncertain = q->db->commit_uncertain;
	struct list done;

	job->rc = job->run(job, q->db, &job->err);
	if (job->rc < 0)
		db_end_all(q->db);
	if (!db_is_idle(q->db))
		db_rollback(q->db);
	/* A commit of an idle job that may have happened: the next one begins with what it finds. */
	q->db->commit_uncertain = uncertain;
	uv_mutex_lock(&q->lock);
	again = job->rc > 0 && !(q->draining && job->class == JOB_IDLE);
	if (again) {
		job->overtaken = false;
		list_append(&q->waiting[job->class], &job->link);
	}
	uv_mutex_unlock(&q->lock);
	if (again)
		return;
	list_init(&done);
	list_append(&done, &job->link);
	finish(q, &done);
}

/* Moves the next jobs into group: writes, or one other job. Returns false when nothing waits. */
static bool take(struct queue *q, struct list *group)
{
	struct list *read = list_first(&q->waiting[JOB_READ]), *write,
		    *idle = list_first(&q->waiting[JOB_IDLE]);
	size_t count = 0;

	if (!read || !list_entry(read, struct job, link)->overtaken)
		while (count < GROUP_MAX && (write = list_first(&q->waiting[JOB_WRITE]))) {
			list_remove(write);
			list_append(group, write);
			count++;
		}
	if (count == 0 && (read || idle)) {
		read = read ? read : idle;
		list_remove(read);
		list_append(group, read);
	}
	if (count > 0)
		list_each(&q->waiting[JOB_READ], link, next)
			list_entry(link, struct job, link)->overtaken = true;
	return !list_is_empty(group);
}

static bool anything_waits(struct queue *q)
{
	bool waits = false;

	uv_mutex_lock(&q->lock);
	for (size_t i = 0; i < JOB_CLASSES; i++)
		waits |= !list_is_empty(&q->waiting[i]);
	uv_mutex_unlock(&q->lock);
	return waits;
}

/* Sleeps until there is a group to run. Returns false when the thread is to end, or to look for its
 * connection. */
static bool wait_for_work(struct queue *q, struct list *group)
{
	bool shrunk = false, found;

	uv_mutex_lock(&q->lock);
	while (!(found = take(q, group)) && !q->stopping) {
		if (q->db->lost) {
			uv_cond_timedwait(&q->wake, &q->lock, RECOVER_NS);
			found = take(q, group);
			break;
		} else if (shrunk) {
			uv_cond_wait(&q->wake, &q->lock);
		} else if (uv_cond_timedwait(&q->wake, &q->lock, SHRINK_NS) == UV_ETIMEDOUT) {
			uv_mutex_unlock(&q->lock);
			db_shrink(q->db);
			malloc_trim(0);
			uv_mutex_lock(&q->lock);
			shrunk = true;
		}
	}
	uv_mutex_unlock(&q->lock);
	return found;
}

static void thread_main(void *arg)
{
	struct queue *q = arg;
	struct list group;

	list_init(&group);
	for (;;) {
		if (q->db->lost)
			recover(q);
		if (!wait_for_work(q, &group)) {
			if (q->stopping)
				break;
			continue;
		}
		struct job *first = list_entry(list_first(&group), struct job, link);

		if (first->class == JOB_WRITE) {
			run_group(q, &group);
		} else {
			list_remove(&first->link);
			run_single(q, first);
		}
		db_checkpoint(q->db, anything_waits(q) ? CHECKPOINT_PAGES : CHECKPOINT_IDLE_PAGES);
		q->ops->ran(q->arg, q->db);
	}
	fail_uncertain(q);
}

static void on_async(uv_async_t *async)
{
	struct queue *q = async->data;
	struct list finished, notices;

	list_init(&finished);
	list_init(&notices);
	uv_mutex_lock(&q->lock);
	list_move(&finished, &q->finished);
	list_move(&notices, &q->notices);
	uv_mutex_unlock(&q->lock);
	list_each(&notices, link, next) {
		struct queued_notice *n = list_entry(link, struct queued_notice, link);

		q->ops->notified(q->arg, &n->notice);
		free(n);
	}
	list_each(&finished, link, next) {
		struct job *job = list_entry(link, struct job, link);

		list_remove(link);
		job->done = true;
		q->open--;
		if (job->waiter)
			task_wake(job->waiter);
		else
			job_free(job);
	}
}

/* Gives the thread all jobs that came in this turn of the loop at once, so that their writes share a commit.
 */
static void pass_on(struct queue *q)
{
	uv_prepare_stop(&q->prepare);
	uv_mutex_lock(&q->lock);
	for (size_t i = 0; i < JOB_CLASSES; i++)
		list_move(&q->waiting[i], &q->arrived[i]);
	uv_cond_signal(&q->wake);
	uv_mutex_unlock(&q->lock);
}

static void on_prepare(uv_prepare_t *prepare)
{
	pass_on(prepare->data);
}

int job_queue_start(
    struct queue *q, const struct job_queue_ops *ops, void *arg, struct db *db, struct error *err)
{
	const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = THREAD_STACK};
	int rc;

	*q = (struct queue){.ops = ops, .arg = arg, .db = db};
	for (size_t i = 0; i < JOB_CLASSES; i++) {
		list_init(&q->waiting[i]);
		list_init(&q->arrived[i]);
	}
	list_init(&q->finished);
	list_init(&q->notices);
	list_init(&q->uncertain);
	uv_mutex_init(&q->lock);
	uv_cond_init(&q->wake);
	uv_async_init(uv_default_loop(), &q->async, on_async);
	uv_prepare_init(uv_default_loop(), &q->prepare);
	q->async.data = q->prepare.data = q;
	rc = uv_thread_create_ex(&q->thread, &options, thread_main, q);
	if (rc != 0)
		return error_set(err, ERROR_OURS, "cannot start the store's thread: %s", uv_strerror(rc));
	q->started = true;
	return 0;
}

static void on_closed(uv_handle_t *handle)
{
	struct queue *q = handle->data;

	q->closed++;
	task_wake(q->closer);
}

static void drop_idle(struct queue *q)
{
	struct list dropped;

	list_init(&dropped);
	pass_on(q);
	uv_mutex_lock(&q->lock);
	q->draining = true;
	list_move(&dropped, &q->waiting[JOB_IDLE]);
	uv_mutex_unlock(&q->lock);
	list_each(&dropped, link, next)
		job_free(list_entry(link, struct job, link));
}

static void end_thread(struct queue *q)
{
	pass_on(q);
	uv_mutex_lock(&q->lock);
	q->stopping = true;
	uv_cond_signal(&q->wake);
	uv_mutex_unlock(&q->lock);
	uv_thread_join(&q->thread);
	on_async(&q->async);
}

void job_queue_stop(struct task *t, struct queue *q, struct job *last)
{
	task_shield(t);
	drop_idle(q);
	if (last && job_queue_run(t, q, last, NULL) == 0)
		job_free(last);
	if (q->started)
		end_thread(q);
	q->closer = t;
	uv_close((uv_handle_t *)&q->async, on_closed);
	uv_close((uv_handle_t *)&q->prepare, on_closed);
	while (q->closed < 2)
		task_wait(t, NULL);
	task_unshield(t);
	uv_mutex_destroy(&q->lock);
	uv_cond_destroy(&q->wake);
}

void job_queue_put(struct queue *q, struct job *job)
{
	list_append(&q->arrived[job->class], &job->link);
	q->open++;
	uv_prepare_start(&q->prepare, on_prepare);
}

int job_queue_run(struct task *t, struct queue *q, struct job *job, struct error *err)
{
	job->waiter = t;
	job_queue_put(q, job);
	while (!job->done)
		if (task_wait(t, err) != 0 && !job->done) {
			job->waiter = NULL;
			return -1;
		}
	if (job->rc == 0)
		return 0;
	if (err)
		*err = job->err;
	job_free(job);
	return -1;
}

int job_queue_finish(struct task *t, struct queue *q, struct job *job, struct error *err)
{
	int rc = job_queue_run(t, q, job, err);

	if (rc == 0)
		job_free(job);
	return rc;
}

void job_queue_notify(struct queue *q, const char *text)
{
	job_queue_notify_trouble(q, &(struct job_queue_notice){.text = text});
}

void job_queue_notify_trouble(struct queue *q, const struct job_queue_notice *notice)
{
	size_t size = strlen(notice->text) + 1;
	struct queued_notice *n = xcalloc(1, sizeof(*n) + size);

	memcpy(n->text, notice->text, size);
	n->notice = *notice;
	n->notice.text = n->text;
	uv_mutex_lock(&q->lock);
	list_append(&q->notices, &n->link);
	uv_mutex_unlock(&q->lock);
	uv_async_send(&q->async);
}
