#include <stdlib.h>

#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

#define LIMIT_MAX 100
/* Undocumented: the source of the official server (github.com/tdlib/telegram-bot-api). */
#define TIMEOUT_MAX        50   /* seconds; longer ones are cut to this */
#define SAME_OFFSET_MS     3000 /* a poll that repeats its offset sooner waits at least this long … */
#define SAME_OFFSET_S      3
#define SAME_OFFSET_ONE_MS 500  /* … and gets only one update if it comes within this time */
#define CONFLICT_PAUSE_MS  3000 /* another 409 within that time is delayed by this */
#define FUTURE_OFFSET      10   /* an offset further ahead is ignored: everything is returned */

static const char other_poll[] =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
static const char webhook_active[] = "Conflict: can't use getUpdates method while webhook is active; use "
				     "deleteWebhook to delete the webhook first";

struct query {
	int64_t offset;
	size_t limit;
	uint64_t due_ms; /* 0 without a long poll */
};

static int fail_conflict(struct task *t, struct call *call, const char *text)
{
	struct bot *b = call->bot;

	if (clock_now() >= b->next_conflict_ms)
		b->next_conflict_ms = clock_now() + CONFLICT_PAUSE_MS;
	else if (task_sleep(t, CONFLICT_PAUSE_MS, NULL) != 0)
		return -1;
	return call_fail(call, 409, "%s", text);
}

static struct query read_query(struct call *call)
{
	struct bot *b = call->bot;
	uint64_t now = clock_now();
	int64_t timeout = call_within(call, "timeout", 0, 0, TIMEOUT_MAX);
	struct query w = {
	    .offset = call_within(call, "offset", 0, INT32_MIN, INT32_MAX),
	    .limit = (size_t)call_within(call, "limit", LIMIT_MAX, 1, LIMIT_MAX),
	};

	if (w.offset == b->last_offset && now < b->last_poll_ms + SAME_OFFSET_MS && timeout < SAME_OFFSET_S)
		timeout = SAME_OFFSET_S;
	if (w.offset == b->last_offset && now < b->last_poll_ms + SAME_OFFSET_ONE_MS)
		w.limit = 1;
	b->last_offset = w.offset;
	b->last_poll_ms = now;
	if (timeout > 0)
		w.due_ms = now + (uint64_t)timeout * 1000;
	return w;
}

/* Drops the updates that the offset confirms. */
static void confirm(struct update_queue *q, int64_t offset)
{
	update_queue_expire(q);
	if (offset < 0)
		update_queue_keep(q, (size_t)-offset);
	else if (offset <= (int64_t)update_queue_next_id(q) + FUTURE_OFFSET)
		update_queue_confirm(q, (int32_t)offset);
}

/* Returns 0 when an update came or the time is up; 1 when another request ended the poll; -1 when the client
 * has disconnected. */
static int wait_for_updates(struct task *t, struct bot *b, const struct query *w, const char **conflict)
{
	struct poll *poll = xcalloc(1, sizeof(*poll));
	int ret = 0;

	poll->task = t;
	bot_end_poll(b, other_poll);
	b->poll = poll;
	while (ret == 0 && !poll->conflict && b->updates.count == 0) {
		ret = task_wait_until(t, w->due_ms, NULL);
		if (w->offset > 0)
			confirm(&b->updates, w->offset);
	}
	if (b->poll == poll)
		b->poll = NULL;
	*conflict = poll->conflict;
	free(poll);
	return ret < 0 ? -1 : *conflict != NULL;
}

int method_get_updates(struct task *t, struct call *call)
{
	struct bot *b = call->bot;
	const char *conflict = NULL;
	struct query w;
	int ret = 0;

	if (b->webhook.url)
		return fail_conflict(t, call, webhook_active);
	call_read_allowed(call);
	w = read_query(call);
	confirm(&b->updates, w.offset);
	if (b->updates.count == 0 && w.due_ms != 0)
		ret = wait_for_updates(t, b, &w, &conflict);
	if (ret > 0)
		return fail_conflict(t, call, conflict);
	if (ret < 0)
		return -1;
	update_queue_write(&b->updates, w.limit, &call->result);
	return 0;
}
