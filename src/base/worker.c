#include "base/worker.h"

#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"

struct work {
	uv_work_t request;
	struct worker_job *job;
	struct task *task; /* NULL: cancelled, nobody waits */
	bool done;
};

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

int worker_await(struct task *t, struct worker_job *job, struct error *err)
{
	struct work *work;

	if (task_check(t, err) < 0) {
		job->free(job);
		return -1;
	}
	work = xcalloc(1, sizeof(*work));
	work->request.data = work;
	work->job = job;
	work->task = t;
	/* Fails only without a function to run. */
	uv_queue_work(uv_default_loop(), &work->request, on_thread, on_done);
	if (await_end(t, work, err) < 0) {
		work->task = NULL;
		atomic_store(&job->unwanted, true);
		/* Has an effect only on a job that no thread has started; on_done is called in both cases. */
		uv_cancel((uv_req_t *)&work->request);
		return -1;
	}
	free(work);
	return 0;
}
