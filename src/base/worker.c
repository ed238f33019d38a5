#include "base/worker.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/error.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"

/* Exists while it has jobs, waiting ones included. */
struct client {
	struct list link;
	char *name;
	size_t jobs;
	struct task_semaphore thread; /* its only one */
};

struct work {
	uv_work_t request;
	struct worker_job *job;
	struct task *task;     /* NULL: cancelled, nobody waits */
	struct client *client; /* NULL for the gateway's own work */
	bool done;
};

static struct list clients = LIST_INIT(clients);
static struct task_semaphore client_threads = TASK_SEMAPHORE_INIT(client_threads, WORKER_CLIENTS_MAX);

static struct client *client_join(const char *name)
{
	struct client *c;

	list_each(&clients, it, next) {
		c = list_entry(it, struct client, link);
		if (strcmp(c->name, name) == 0) {
			c->jobs++;
			return c;
		}
	}
	c = xcalloc(1, sizeof(*c));
	c->name = xstrdup(name);
	c->jobs = 1;
	task_semaphore_init(&c->thread, 1);
	list_append(&clients, &c->link);
	return c;
}

static void client_leave(struct client *c)
{
	if (--c->jobs > 0)
		return;
	list_remove(&c->link);
	task_semaphore_clear(&c->thread);
	free(c->name);
	free(c);
}

/* Returns NULL when cancelled. */
static struct client *client_acquire(struct task *t, const char *name, struct error *err)
{
	struct client *c = client_join(name);

	if (task_semaphore_acquire(t, &c->thread, 1, err) < 0)
		goto leave;
	if (task_semaphore_acquire(t, &client_threads, 1, err) < 0)
		goto release;
	return c;
release:
	task_semaphore_release(&c->thread, 1);
leave:
	client_leave(c);
	return NULL;
}

static void client_release(struct client *c)
{
	task_semaphore_release(&client_threads, 1);
	task_semaphore_release(&c->thread, 1);
	client_leave(c);
}

static void on_thread(uv_work_t *request)
{
	struct work *work = request->data;

	work->job->run(work->job);
}

static void on_done(uv_work_t *request, int status)
{
	struct work *work = request->data;

	(void)status; /* UV_ECANCELED after uv_cancel, when nobody waits any more */
	work->done = true;
	if (work->client)
		client_release(work->client);
	if (work->task) {
		task_wake(work->task);
		return;
	}
	work->job->free(work->job);
	free(work);
}

/* Waits for the end of the job; returns -1 when a cancel came first. */
static int await_end(struct task *t, struct work *work, struct error *err)
{
	while (!work->done) {
		if (task_wait(t, NULL) < 0 && !work->done)
			return error_cancelled(err);
	}
	return 0;
}

/* Takes client, which may be NULL. */
static int run_job(struct task *t, struct client *client, struct worker_job *job, struct error *err)
{
	struct work *work = xcalloc(1, sizeof(*work));

	work->request.data = work;
	work->job = job;
	work->task = t;
	work->client = client;
	/* Fails only without a function to run. */
	uv_queue_work(uv_default_loop(), &work->request, on_thread, on_done);
	if (await_end(t, work, err) < 0) {
		work->task = NULL;
		atomic_store(&job->abandoned, true);
		/* Has an effect only on a job that no thread has started; on_done is called in both cases. */
		uv_cancel((uv_req_t *)&work->request);
		return -1;
	}
	free(work);
	return 0;
}

int worker_await(struct task *t, struct worker_job *job, struct error *err)
{
	if (task_check(t, err) < 0) {
		job->free(job);
		return -1;
	}
	return run_job(t, NULL, job, err);
}

int worker_await_client(struct task *t, const char *client, struct worker_job *job, struct error *err)
{
	struct client *c = task_check(t, err) == 0 ? client_acquire(t, client, err) : NULL;

	if (!c) {
		job->free(job);
		return -1;
	}
	return run_job(t, c, job, err);
}
