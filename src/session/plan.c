#include "session/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/session_internal.h"
#include "store/plans.h"
#include "tools/services.h"
#include "tools/tools.h"

/* Minimum time between two edits of one message. */
#define EVERY_MS 1500
/* How long one step waits for the previous delivery before it checks again. */
#define AWAIT_MS (60 * 1000)
/* After a longer wait the plan may have changed. */
#define STALE_MS 100

/* Keeps the message of one plan up to date. */
struct shower {
	struct list link;
	struct sessions *all;
	int64_t plan;
	struct task *task;
	uint64_t due; /* clock_now(): no edit before */
};

/* Builds one delivery with all steps, each cut until all fit into one message. NULL with err. */
static struct outbound *row_of(
    const struct sessions *all, const struct address *where, const char *steps, struct error *err)
{
	static const size_t maxima[] = {200, 100, 60, 28};
	struct outbound **rows = NULL, *row = NULL;
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(maxima) && count != 1; i++) {
		char *text = plan_text(steps, maxima[i]);
		bus_rows_free(rows, count);
		rows = bus_rows(
		    all->options.agent->bus, where, OUTBOUND_REPLY, text, NULL, NULL, 0, &count, err);
		free(text);
		if (!rows)
			return NULL;
	}
	row = outbound_copy(rows[0]);
	row->part = row->parts = 1;
	bus_rows_free(rows, count);
	return row;
}

static int put_change(struct task *t, struct shower *sh, const struct store_plan *p,
    const struct outbound *before, struct error *err)
{
	const struct agent *agent = sh->all->options.agent;
	struct outbound *row = row_of(sh->all, &p->where, p->steps, err);
	/* A message id is invalid in a chat that has moved. */
	bool same = before && before->platform_id && strcmp(before->to.chat, p->where.chat) == 0;

	if (!row) {
		log_info("plan", "is not shown: %s plan=%lld", err->text, (long long)p->id);
		return store_plan_skip_version(t, agent->store, p->id, p->version, err);
	}
	row->turn = p->turn;
	if (same)
		row->edit_of = xstrdup(before->platform_id);
	task_shield(t);
	int rc = store_plan_show(t, agent->store, p->id, p->version, row, err);
	task_unshield(t);
	if (rc == 0)
		bus_wake(agent->bus, &row->to);
	sh->due = clock_now() + EVERY_MS;
	outbound_free(row);
	return rc;
}

/* Decides the next step from the last delivery, once that has ended. */
static int show_next(struct task *t, struct shower *sh, const struct store_plan *p, struct error *err)
{
	const struct agent *agent = sh->all->options.agent;
	uint64_t began = clock_now();
	struct outbound *row = bus_await(t, agent->bus, p->outbox, AWAIT_MS, err);
	bool waited = clock_now() > began + STALE_MS;
	int rc = 1;

	/* A row that is gone is replaced by a new message. */
	if (!row && err->kind != ERROR_REFUSED)
		return -1;
	if (row && row->state == OUTBOUND_FAILED)
		rc = store_plan_skip_version(t, agent->store, p->id, p->version, err) < 0 ? -1 : 1;
	else if (waited || (row && (row->state == OUTBOUND_QUEUED || row->state == OUTBOUND_SENDING)))
		rc = 1;
	else if (clock_now() < sh->due)
		rc = task_wait_until(t, sh->due, err) < 0 ? -1 : 1;
	else
		rc = put_change(t, sh, p, row, err) < 0 ? -1 : 1;
	outbound_free(row);
	return rc;
}

/* 1: check again. 0: the message is up to date. -1: the store failed, or the process stops. */
static int show_step(struct task *t, struct shower *sh, struct error *err)
{
	struct store_plan *p;
	int rc = store_plan_read(t, sh->all->options.agent->store, sh->plan, &p, err);

	if (rc > 0 && p->shown < p->version)
		rc = show_next(t, sh, p, err);
	else if (rc > 0 && clock_now() < sh->due)
		rc = task_wait_until(t, sh->due, err) < 0 ? -1 : 1;
	else if (rc > 0)
		rc = 0;
	store_plan_free(p);
	return rc;
}

static void show_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct shower *sh = arg;
	struct error err = {0};
	int rc;

	while (task_check(t, NULL) == 0 && (rc = show_step(t, sh, &err)) != 0) {
		if (rc > 0) {
			backoff_reset(&wait);
			continue;
		}
		if (task_check(t, NULL) < 0)
			break;
		log_error("plan", "cannot be shown for now, trying again: %s plan=%lld", err.text,
		    (long long)sh->plan);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	list_remove(&sh->link);
	free(sh);
}

static void show(struct sessions *all, int64_t plan)
{
	list_each(&all->plans, it, tmp) {
		struct shower *sh = list_entry(it, struct shower, link);
		if (sh->plan == plan) {
			task_wake(sh->task);
			return;
		}
	}
	struct shower *sh = xcalloc(1, sizeof(*sh));
	sh->all = all;
	sh->plan = plan;
	list_append(&all->plans, &sh->link);
	sh->task = task_start(&all->tasks, "plan", show_task, sh);
}

int plan_load(struct task *t, struct sessions *all, bool taking, struct error *err)
{
	struct store_plan *p;
	int64_t after_id = 0;
	int rc;

	while ((rc = store_plan_next(t, all->options.agent->store, after_id, &p, err)) > 0) {
		after_id = p->id;
		int known = bus_locate(t, all->options.agent->bus, &p->where, err);
		if (known == 0 && sessions_should_load(all, taking, &p->where))
			show(all, p->id);
		store_plan_free(p);
		if (known < 0)
			return -1;
	}
	return rc;
}

int plan_show(struct task *t, void *turn_owner, const struct tool_call *call, const struct tool_plan *plan,
    struct error *err)
{
	struct session *s = turn_owner;
	const struct agent *agent = s->all->options.agent;
	struct store_plan p = {.where = s->where,
	    .session = s->runner.turn->row.session,
	    .turn = call->turn,
	    .call_id = (char *)(uintptr_t)call->call_id,
	    .over = plan_is_over(plan),
	    .steps = plan_write(plan)};
	struct outbound *row = row_of(s->all, &s->where, p.steps, err);
	int rc = -1;

	if (!row)
		goto free_steps;
	row->turn = call->turn;
	row->reply_to = xstrdup(s->runner.turn->reply_to);
	task_shield(t);
	rc = store_plan_put(t, agent->store, &p, plan->count > 0 ? row : NULL, err);
	task_unshield(t);
	outbound_free(row);
	if (rc == 0 && p.id != 0 && p.shown < p.version)
		show(s->all, p.id);
	else if (rc == 0)
		bus_wake(agent->bus, &s->where);
free_steps:
	free(p.steps);
	return rc;
}
