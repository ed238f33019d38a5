/* Keeps space free where programs write, for the state, which the gateway needs, is often on the same disk;
 * and keeps the files of a workspace within its quota. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/disk_free.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "base/worker.h"
#include "tools/sandbox/sandbox_internal.h"

#define AGAIN_MS 20
/* Files are counted when the free space says that the quota may be passed, and in any case after this time,
 * since others may free space meanwhile. But counting takes at most one part in COUNT_SHARE of the time. */
#define COUNT_LOOKS 50
#define COUNT_SHARE 20

struct space_job {
	struct worker_job job;
	char **folders;
	size_t count;
	char *own[DISK_OWN];
	int64_t least;     /* free bytes, of the folders, or what the free inodes are worth */
	int64_t own_bytes; /* free bytes where its own files are */
};

static int64_t free_bytes(const char *folder)
{
	struct statvfs st;

	return folder && statvfs(folder, &st) == 0 ? (int64_t)(st.f_bavail * st.f_frsize) : 0;
}

static void own_copy(char *to[DISK_OWN], const char *const own[DISK_OWN])
{
	for (size_t i = 0; i < DISK_OWN; i++)
		to[i] = xstrdup(own[i]);
}

static void own_free(char *own[DISK_OWN])
{
	for (size_t i = 0; i < DISK_OWN; i++)
		free(own[i]);
}

static void keep_minimum(struct space_job *j, const char *folder)
{
	struct statvfs st;

	if (folder && statvfs(folder, &st) == 0 && disk_free(&st) < j->least)
		j->least = disk_free(&st);
}

static void space_run(struct worker_job *job)
{
	struct space_job *j = (struct space_job *)job;

	for (size_t i = 0; i < j->count; i++)
		keep_minimum(j, j->folders[i]);
	for (size_t i = 0; i < DISK_OWN; i++) {
		keep_minimum(j, j->own[i]);
		j->own_bytes += free_bytes(j->own[i]);
	}
}

static void space_free(struct worker_job *job)
{
	struct space_job *j = (struct space_job *)job;

	for (size_t i = 0; i < j->count; i++)
		free(j->folders[i]);
	free(j->folders);
	own_free(j->own);
	free(j);
}

/* w may be NULL. Returns NULL when cancelled. */
static struct space_job *look(
    struct task *t, const struct sandbox *s, const struct disk_watch *w, struct error *err)
{
	struct space_job *j = xcalloc(1, sizeof(*j));

	j->job = (struct worker_job){.run = space_run, .free = space_free};
	j->least = INT64_MAX;
	j->folders = xcalloc(s->folder_count, sizeof(*j->folders));
	for (; j->count < s->folder_count; j->count++)
		j->folders[j->count] = xstrdup(s->folders[j->count].real);
	if (w)
		own_copy(j->own, (const char *const *)w->own);
	return worker_await(t, &j->job, err) < 0 ? NULL : j;
}

int disk_is_low(struct task *t, const struct sandbox *s, struct error *err)
{
	struct space_job *j = look(t, s, NULL, err);

	if (!j)
		return -1;
	int low = j->least < s->limits.disk_reserve;
	space_free(&j->job);
	return low;
}

struct count_job {
	struct worker_job job;
	char *own[DISK_OWN];
	struct disk_usage used;
};

static void count_run(struct worker_job *job)
{
	struct count_job *j = (struct count_job *)job;

	for (size_t i = 0; i < DISK_OWN; i++)
		if (j->own[i])
			disk_usage_add_path(j->own[i], &j->used);
}

static void count_free(struct worker_job *job)
{
	struct count_job *j = (struct count_job *)job;

	own_free(j->own);
	free(j);
}

int disk_count(struct task *t, const char *const own[DISK_OWN], struct disk_usage *used, struct error *err)
{
	struct count_job *j = xcalloc(1, sizeof(*j));

	j->job = (struct worker_job){.run = count_run, .free = count_free};
	own_copy(j->own, own);
	/* One at a time: many files take long. */
	if (worker_await_client(t, "disk usage", &j->job, err) < 0)
		return -1;
	*used = j->used;
	count_free(&j->job);
	return 0;
}

/* Counts the files when that is due. Returns true when they are more than the quota. */
static bool is_over_quota(struct task *t, struct disk_watch *w, int64_t free_now)
{
	struct disk_usage used;
	uint64_t began = clock_measure_us(), now = clock_now();

	if (w->quota == 0 || now < w->count_after ||
	    (now < w->count_before && w->counted_bytes + w->free_at_count - free_now <= w->quota))
		return false;
	if (disk_count(t, (const char *const *)w->own, &used, NULL) < 0)
		return false;
	uint64_t pause = (clock_measure_us() - began) / 1000 * COUNT_SHARE;
	w->counted_bytes = used.bytes;
	w->free_at_count = free_now;
	w->count_after = clock_now() + pause;
	w->count_before =
	    clock_now() + (pause > COUNT_LOOKS * w->every_ms ? pause : COUNT_LOOKS * w->every_ms);
	if (used.bytes <= w->quota)
		return false;
	disk_usage_describe(&used, w->quota, w->advice, sizeof(w->advice));
	return true;
}

static void watch(struct task *t, void *arg)
{
	struct disk_watch *w = arg;
	struct space_job *j;

	while (!w->limit && task_sleep(t, w->every_ms, NULL) == 0 && (j = look(t, w->sandbox, w, NULL))) {
		if (w->keep_free && j->least < w->sandbox->limits.disk_reserve)
			w->limit = "disk";
		else if (is_over_quota(t, w, j->own_bytes))
			w->limit = "quota";
		space_free(&j->job);
	}
	if (!w->limit)
		return;
	child_stop(w->child);
	/* It writes on as long as it can; asked again, the supervisor kills it. */
	while (!child_ended(w->child, NULL) && task_sleep(t, AGAIN_MS, NULL) == 0) {
		if (!child_ended(w->child, NULL))
			kill(child_pid(w->child), SIGTERM);
	}
}

void disk_watch_start(struct disk_watch *w, const struct sandbox *s, struct child *child,
    const char *const own[DISK_OWN], int64_t quota, bool keep_free, uint64_t every_ms)
{
	*w = (struct disk_watch){.sandbox = s,
	    .child = child,
	    .quota = quota,
	    .every_ms = every_ms,
	    .keep_free = keep_free && s->limits.disk_reserve > 0};
	own_copy(w->own, own);
	task_group_init(&w->tasks);
	if (w->keep_free || w->quota > 0)
		task_start(&w->tasks, "disk watch", watch, w);
}

void disk_watch_stop(struct task *t, struct disk_watch *w)
{
	if (w->sandbox)
		task_group_finish(t, &w->tasks);
	w->sandbox = NULL;
	own_free(w->own);
}
