#include "ops/health.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/time/clock.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "base/worker.h"
#include "bus/bus.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"

#define VIEW_FRESH_MS 1000
/* Longer than a commit on a slow disk. */
#define VIEW_WAIT_MS 5000

struct health {
	struct gateway *gateway;
	struct task_group tasks;
	struct health_view view;
	uint64_t taken_ms; /* clock_now(); 0: never */
	bool checking;
	struct task_cond checked;
};

struct disk_job {
	struct worker_job job;
	char *dir;
	struct statvfs found;
	int rc;
	struct error err;
};

static void disk_run(struct worker_job *job)
{
	struct disk_job *j = (struct disk_job *)job;

	if (statvfs(j->dir, &j->found) != 0)
		j->rc = error_set(&j->err, ERROR_OURS, "cannot look at the disk of %s: %m", j->dir);
}

static void disk_free(struct worker_job *job)
{
	struct disk_job *j = (struct disk_job *)job;

	free(j->dir);
	free(j);
}

static void check_disk(struct task *t, const char *dir, struct health_view *v)
{
	struct disk_job *j = xcalloc(1, sizeof(*j));
	struct error err = {0};

	j->job = (struct worker_job){.run = disk_run, .free = disk_free};
	j->dir = xstrdup(dir);
	if (worker_await(t, &j->job, &err) < 0) {
		v->disk_error = xstrdup(err.text);
		return;
	}
	if (j->rc < 0)
		v->disk_error = xstrdup(j->err.text);
	v->disk_free = (int64_t)(j->found.f_bavail * j->found.f_frsize);
	v->disk_bytes = (int64_t)(j->found.f_blocks * j->found.f_frsize);
	v->files_free = j->found.f_files > 0 ? (int64_t)j->found.f_favail : -1;
	disk_free(&j->job);
}

static void view_clear(struct health_view *v)
{
	free(v->store_error);
	free(v->disk_error);
	*v = (struct health_view){0};
}

static void look(struct task *t, void *arg)
{
	struct health *h = arg;
	struct health_view v = {0};
	struct error err = {0};

	if (store_count(t, gateway_store(h->gateway), &v.counts, &err) < 0)
		v.store_error = xstrdup(err.text);
	check_disk(t, gateway_config(h->gateway)->top.state, &v);
	view_clear(&h->view);
	h->view = v;
	h->taken_ms = clock_now();
	h->checking = false;
	task_cond_broadcast(&h->checked);
}

struct health *health_new(struct gateway *g)
{
	struct health *h = xcalloc(1, sizeof(*h));

	h->gateway = g;
	task_group_init(&h->tasks);
	task_cond_init(&h->checked);
	return h;
}

void health_free(struct task *t, struct health *h)
{
	if (!h)
		return;
	task_group_finish(t, &h->tasks);
	view_clear(&h->view);
	task_cond_clear(&h->checked);
	free(h);
}

static bool is_fresh(const struct health *h)
{
	return h->taken_ms > 0 && clock_now() - h->taken_ms < VIEW_FRESH_MS;
}

const struct health_view *health_view_get(struct task *t, struct health *h)
{
	uint64_t due = clock_now() + VIEW_WAIT_MS;

	if (is_fresh(h))
		return &h->view;
	if (!h->checking)
		task_start(&h->tasks, "health", look, h);
	h->checking = true;
	while (h->checking && task_cond_wait_until(t, &h->checked, due, NULL) == 0)
		;
	h->view.stale = h->checking;
	return &h->view;
}

static struct json_object *add_reason(struct json_object *reasons, const char *what, const char *text)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "what", what);
	json_set_str(o, "text", text);
	json_object_array_add(reasons, o);
	return o;
}

static void add_channels(struct json_object *reasons, struct gateway *g)
{
	for (struct channel *ch = NULL; (ch = bus_next_channel(gateway_bus(g), ch));) {
		if (ch->status == CHANNEL_READY || ch->status == CHANNEL_ELSEWHERE)
			continue;
		struct buf text = BUF_INIT;
		channel_describe(ch, &text);
		struct json_object *o = add_reason(reasons, "channel", text.data);
		buf_clear(&text);
		json_set_str(o, "name", ch->name);
		json_set_str(o, "state", channel_status_name(ch->status));
		json_set_int(o, "since_ms", ch->status_since_ms);
	}
}

static void add_store(struct json_object *reasons, const struct health_view *v)
{
	if (v->stale)
		add_reason(
		    reasons, "store", "The store or its disk does not answer: look for a disk that hangs.");
	else if (v->store_error)
		add_reason(reasons, "store", v->store_error);
	if (v->counts.is_damaged)
		add_reason(reasons, "store", "The database is damaged: restart to recover what can be read.");
	if (v->counts.is_failing)
		add_reason(
		    reasons, "store", "The disk answers with errors: nothing is accepted until it works.");
	if (v->counts.is_full)
		add_reason(reasons, "disk",
		    "No space was left for the last write: nothing is accepted until there is.");
}

static void add_disk(struct json_object *reasons, const struct health_view *v)
{
	char *text = NULL;

	if (v->disk_error)
		text = xstrdup(v->disk_error);
	else if (!v->stale && v->disk_free < HEALTH_DISK_MIN)
		text = xasprintf("Only %lld MiB are free on the disk of the state directory: free space "
				 "there, at least %lld MiB.",
		    (long long)(v->disk_free >> 20), (long long)(HEALTH_DISK_MIN >> 20));
	else if (!v->stale && v->files_free == 0)
		text = xstrdup("The disk of the state directory has no free inode: remove files there.");
	if (text)
		add_reason(reasons, "disk", text);
	free(text);
}

struct json_object *health_reasons(struct task *t, struct health *h)
{
	struct json_object *reasons = json_object_new_array();
	const struct health_view *v = health_view_get(t, h);

	add_channels(reasons, h->gateway);
	add_store(reasons, v);
	add_disk(reasons, v);
	return reasons;
}
