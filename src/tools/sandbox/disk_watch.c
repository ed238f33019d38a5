/* Keeps space free where programs write: the state, which the gateway needs, is often on the same disk. */
#include <signal.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/worker.h"
#include "tools/sandbox/sandbox_internal.h"

#define AGAIN_MS 20

struct look_job {
	struct worker_job job;
	char **folders;
	size_t count;
	int64_t free_bytes; /* the least */
};

static void look_run(struct worker_job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct statvfs st;

	for (size_t i = 0; i < j->count; i++) {
		if (statvfs(j->folders[i], &st) < 0)
			continue;
		int64_t bytes = (int64_t)(st.f_bavail * st.f_frsize);
		j->free_bytes = bytes < j->free_bytes ? bytes : j->free_bytes;
	}
}

static void look_free(struct worker_job *job)
{
	struct look_job *j = (struct look_job *)job;

	for (size_t i = 0; i < j->count; i++)
		free(j->folders[i]);
	free(j->folders);
	free(j);
}

int disk_is_low(struct task *t, const struct sandbox *s, struct error *err)
{
	struct look_job *j = xcalloc(1, sizeof(*j));

	j->job = (struct worker_job){.run = look_run, .free = look_free};
	j->free_bytes = INT64_MAX;
	j->folders = xcalloc(s->folder_count, sizeof(*j->folders));
	for (; j->count < s->folder_count; j->count++)
		j->folders[j->count] = xstrdup(s->folders[j->count].real);
	if (worker_await(t, &j->job, err) < 0)
		return -1;
	int low = j->free_bytes < s->limits.disk_reserve;
	look_free(&j->job);
	return low;
}

static void watch(struct task *t, void *arg)
{
	struct disk_watch *w = arg;

	while (!w->low && task_sleep(t, w->every_ms, NULL) == 0)
		w->low = disk_is_low(t, w->sandbox, NULL) > 0;
	if (!w->low)
		return;
	child_stop(w->child);
	/* It writes on while it may; the supervisor kills when it is asked again. */
	while (!child_ended(w->child, NULL) && task_sleep(t, AGAIN_MS, NULL) == 0) {
		if (!child_ended(w->child, NULL))
			kill(child_pid(w->child), SIGTERM);
	}
}

void disk_watch_start(struct disk_watch *w, const struct sandbox *s, struct child *child, uint64_t every_ms)
{
	*w = (struct disk_watch){.sandbox = s, .child = child, .every_ms = every_ms};
	task_group_init(&w->tasks);
	task_start(&w->tasks, "disk watch", watch, w);
}

void disk_watch_stop(struct task *t, struct disk_watch *w)
{
	if (w->sandbox)
		task_group_finish(t, &w->tasks);
}
