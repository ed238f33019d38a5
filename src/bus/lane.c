#include "bus/lane.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/watch.h"
#include "bus/bus_private.h"

/* Rows read from the journal at a time. */
#define LANE_BATCH 16
/* Waits between tries of one row: doubled from the first to the last. */
#define LANE_RETRY_FIRST_MS 1000
#define LANE_RETRY_LAST_MS  30000
/* A row that could not be sent for this long is given up. */
#define LANE_GIVE_UP_MS (24LL * 3600 * 1000)

struct lane {
	struct journal_lane key; /* first: what lane_compare sees */
	struct bus *bus;
	struct task *task;
	bool more; /* woken since the journal was last read */
	bool busy; /* a row is committed as sending, or its end is being written down */
	/* Outcome of the row that is being sent. */
	bool has_outcome, sent;
	bool doubted; /* an earlier try of it may have arrived, and it is sent again all the same */
	char *platform_id;
	struct error why;
	/* Of the row at hand, clock_now(): not before, and not after. The wall clock may jump meanwhile. */
	uint64_t due, give_up_at;
	/* The last row that ended, to know whether the next part of the same text may go. */
	int64_t last_id;
	enum outbound_state last_state;
};

static int lane_compare(const void *a, const void *b)
{
	const struct journal_lane *x = a, *y = b;
	int c = strcmp(x->chat, y->chat);

	return c ? c : strcmp(x->channel, y->channel);
}

void lane_sent(const struct outbound *row, const char *platform_id)
{
	struct lane *l = row->sender;

	if (l->has_outcome)
		abort(); /* an adapter reported one send twice */
	l->has_outcome = l->sent = true;
	l->platform_id = xstrdup(platform_id);
}

void lane_failed(const struct outbound *row, const struct error *why)
{
	struct lane *l = row->sender;

	if (l->has_outcome)
		abort();
	l->has_outcome = true;
	l->sent = false;
	l->why = *why;
}

static void row_tell(const struct outbound *row, const char *step)
{
	watch(.step = step, .row = row->id, .turn = row->turn, .channel = row->to.channel,
	    .chat = row->to.chat, .thread = row->to.thread, .message = row->platform_id,
	    .reason = row->reason, .try = row->attempts);
}

/* Writes the row's state down, however long that takes: what was sent must never be forgotten. */
static int row_mark(struct task *t, struct lane *l, const struct outbound *row, struct error *err)
{
	uint64_t wait_ms = 100;

	while (l->bus->journal.ops->mark_outbound(t, l->bus->journal.self, row, err) < 0) {
		if (task_is_cancelled(t))
			return -1;
		log_error("bus", "cannot record that a message is %s, trying again: %s row=%lld",
		    outbound_state_name(row->state), err->text, (long long)row->id);
		if (task_sleep(t, wait_ms, err) < 0)
			return -1;
		wait_ms = wait_ms < 10000 ? wait_ms * 2 : wait_ms;
	}
	return 0;
}

static int row_end(struct task *t, struct lane *l, struct outbound *row, enum outbound_state state,
    const char *reason, struct error *err)
{
	row->state = state;
	free(row->reason);
	row->reason = xstrdup(reason);
	if (row_mark(t, l, row, err) < 0)
		return -1;
	row_tell(row, outbound_state_name(state));
	l->last_id = row->id;
	l->last_state = state;
	char to[ADDRESS_TEXT_MAX];
	if (state == OUTBOUND_SENT)
		log_debug("bus", "sent row=%lld to=%s id=%s", (long long)row->id,
		    address_format(&row->to, to), row->platform_id);
	else
		log_warn("bus", "message %s: %s row=%lld to=%s", outbound_state_name(state), reason,
		    (long long)row->id, address_format(&row->to, to));
	bus_delivered(l->bus, row);
	return 0;
}

static int row_retry_at(
    struct task *t, struct lane *l, struct outbound *row, uint64_t wait_ms, struct error *err)
{
	row->state = l->doubted ? OUTBOUND_SENDING : OUTBOUND_QUEUED;
	row->not_before_ms = clock_wall() + (int64_t)wait_ms;
	l->due = clock_now() + wait_ms;
	free(row->reason);
	row->reason = xstrdup(l->why.text);
	row_tell(row, "waits");
	log_info("bus", "will send again in %llu ms: %s row=%lld", (unsigned long long)wait_ms, l->why.text,
	    (long long)row->id);
	return row_mark(t, l, row, err);
}

static bool may_repeat(const struct channel *ch, const struct outbound *row)
{
	if (row->repeat || ch->uncertain == CHANNEL_UNCERTAIN_HOLD)
		return false; /* a second doubt is never repeated again */
	return ch->uncertain == CHANNEL_UNCERTAIN_REPEAT ||
	    (row->kind == OUTBOUND_REPLY && ch->ops->repeat_uncertain_replies);
}

/* The row may have been delivered. 1: it is to be sent once more, marked. 0: it is held. */
static int row_doubt(struct task *t, struct lane *l, const struct channel *ch, struct outbound *row,
    const char *why, struct error *err)
{
	if (!may_repeat(ch, row))
		return row_end(t, l, row, OUTBOUND_UNCERTAIN, why, err);
	row->repeat = true;
	row->state = OUTBOUND_QUEUED;
	log_warn("bus", "may have been delivered, sending once more with a mark: %s row=%lld", why,
	    (long long)row->id);
	return row_mark(t, l, row, err) < 0 ? -1 : 1;
}

/* The message that it replaces is gone, or must not be changed: the text goes as a new one. */
static int row_send_anew(struct task *t, struct lane *l, struct outbound *row, struct error *err)
{
	log_info("bus", "sending as a new message: %s row=%lld", l->why.text, (long long)row->id);
	free(row->edit_of);
	row->edit_of = NULL;
	row->state = OUTBOUND_QUEUED;
	return row_mark(t, l, row, err) < 0 ? -1 : 1;
}

/* Between tries, longer with each. */
static uint64_t retry_wait(const struct outbound *row, const struct error *why)
{
	unsigned tries = row->attempts > 6 ? 6 : row->attempts;
	uint64_t most = (uint64_t)LANE_RETRY_FIRST_MS << (tries ? tries - 1 : 0);

	if (why->kind == ERROR_LIMITED)
		return why->retry_ms;
	most = most > LANE_RETRY_LAST_MS ? LANE_RETRY_LAST_MS : most;
	return most / 2 + clock_random_below(most / 2 + 1);
}

/* The row may have been delivered. Where the channel can find out it stays `sending` until then. */
static int row_unsure(struct task *t, struct lane *l, const struct channel *ch, struct outbound *row,
    const char *why, struct error *err)
{
	if (!ch->ops->settle || clock_now() > l->give_up_at)
		return row_doubt(t, l, ch, row, why, err);
	free(row->reason);
	row->reason = xstrdup(why);
	log_info("bus", "may have been delivered, finding out: %s row=%lld", why, (long long)row->id);
	return 1;
}

/* What follows from l->why. 1: try the row again. 0: it has ended. -1: cancelled. */
static int row_failed(
    struct task *t, struct lane *l, const struct channel *ch, struct outbound *row, struct error *err)
{
	const struct error *why = &l->why;

	if (why->uncertain && !task_is_cancelled(t)) {
		/* What is looked for too soon may still be on its way; a repeat need not wait. */
		if (ch->ops->settle)
			l->due = clock_now() + retry_wait(row, why);
		return row_unsure(t, l, ch, row, why->text, err);
	}
	if (task_is_cancelled(t) || why->kind == ERROR_CANCELLED) {
		/* Stopping: what may have left stays `sending`, and is in doubt at the next start. */
		if (!why->uncertain && !l->doubted) {
			row->state = OUTBOUND_QUEUED;
			task_shield(t);
			row_mark(t, l, row, NULL);
			task_unshield(t);
		}
		return error_cancelled(err);
	}
	bool later = why->kind == ERROR_NETWORK || why->kind == ERROR_LIMITED;
	if (!later && row->edit_of)
		return row_send_anew(t, l, row, err);
	if (!later || clock_now() > l->give_up_at)
		return row_end(t, l, row, l->doubted ? OUTBOUND_UNCERTAIN : OUTBOUND_FAILED, why->text, err);
	return row_retry_at(t, l, row, retry_wait(row, why), err) < 0 ? -1 : 1;
}

static int64_t within(int64_t ms, int64_t most)
{
	if (ms < 0)
		return 0;
	return ms < most ? ms : most;
}

/* What the row says by the wall clock, which may have jumped since it was written: a wait is never longer
 * than it was meant, and what was never tried is not given up at its first failure. */
static void row_take_times(struct lane *l, const struct outbound *row)
{
	int64_t now = clock_wall(), age = row->attempts > 0 ? now - row->created_ms : 0;

	l->due = clock_now() +
	    (uint64_t)within(
		row->not_before_ms - now, within(row->not_before_ms - row->updated_ms, LANE_GIVE_UP_MS));
	l->give_up_at = clock_now() + (uint64_t)within(LANE_GIVE_UP_MS - age, LANE_GIVE_UP_MS);
}

/* Waits until the row may go: its time has come, and its channel works. */
static int row_wait(struct task *t, struct lane *l, struct channel *ch, struct error *err)
{
	for (;;) {
		if (clock_now() < l->due) {
			if (task_sleep(t, l->due - clock_now(), err) < 0)
				return -1;
			continue;
		}
		if (l->bus->stopping)
			return error_cancelled(err);
		if (ch->status == CHANNEL_READY || ch->status == CHANNEL_DEGRADED)
			return 0;
		if (task_wait(t, err) < 0)
			return -1;
	}
}

static int row_sent(
    struct task *t, struct lane *l, struct outbound *row, char *platform_id, struct error *err)
{
	free(row->platform_id);
	row->platform_id = platform_id;
	row->acked_ms = clock_wall();
	row_tell(row, "acknowledged");
	task_shield(t);
	int rc = row_end(t, l, row, OUTBOUND_SENT, NULL, err);
	task_unshield(t);
	return rc;
}

/* Finds out whether the row, which was cut off, has arrived. 1: look at it again, 2: it may be sent now. Else
 * as row_try. */
static int row_settle(
    struct task *t, struct lane *l, struct channel *ch, struct outbound *row, struct error *err)
{
	struct error why = {0};
	char *id = NULL;
	int rc = ch->ops->settle(t, ch, row, &id, &why);

	if (task_is_cancelled(t) && rc != CHANNEL_SETTLED_SENT) {
		free(id);
		return error_cancelled(err);
	}
	if (rc == CHANNEL_SETTLED_SENT)
		return row_sent(t, l, row, id, err);
	l->doubted = rc == CHANNEL_SETTLED_REPEATABLE;
	if (rc == CHANNEL_SETTLED_NOT_SENT || rc == CHANNEL_SETTLED_REPEATABLE)
		return 2;
	bool later = rc < 0 && (why.kind == ERROR_NETWORK || why.kind == ERROR_LIMITED);
	if (!later || clock_now() > l->give_up_at)
		return row_doubt(
		    t, l, ch, row, rc < 0 ? why.text : "Whether it arrived cannot be found out.", err);
	l->due = clock_now() + retry_wait(row, &why);
	log_info("bus", "cannot find out yet whether a message arrived: %s row=%lld", why.text,
	    (long long)row->id);
	return 1;
}

/* From the commit of `sending` to the commit of how it ended. */
static int row_attempt(
    struct task *t, struct lane *l, struct channel *ch, struct outbound *row, struct error *err)
{
	row->state = OUTBOUND_SENDING;
	row->attempts++;
	if (row_mark(t, l, row, err) < 0)
		return -1;
	row_tell(row, "sending");
	l->has_outcome = false;
	row->sender = l;
	ch->ops->send(t, ch, row);
	if (!l->has_outcome)
		abort(); /* an adapter returned without an outcome */
	if (!l->sent)
		return row_failed(t, l, ch, row, err);
	char *id = l->platform_id;
	l->platform_id = NULL;
	return row_sent(t, l, row, id, err);
}

/* 1: once more. 0: the row has ended. -1: cancelled. */
static int row_try(
    struct task *t, struct lane *l, struct channel *ch, struct outbound *row, struct error *err)
{
	if (row_wait(t, l, ch, err) < 0)
		return -1;
	if (ch->ops->admit && ch->ops->admit(t, ch, row, err) < 0)
		return -1;
	if (l->bus->stopping)
		return error_cancelled(err);
	int rc = row->state == OUTBOUND_SENDING && !row->edit_of ? row_settle(t, l, ch, row, err) : 2;
	if (rc != 2)
		return rc;
	if (l->bus->stopping)
		return error_cancelled(err);
	l->busy = true;
	rc = row_attempt(t, l, ch, row, err);
	l->busy = false;
	return rc;
}

/* A part of a text goes only when the one before it is known to have arrived. 1: it may go, 0: no, -1:
 * error. */
static int row_follows(struct task *t, struct lane *l, const struct outbound *row, struct error *err)
{
	if (row->part <= 1)
		return 1;
	if (l->last_id == row->id - 1)
		return l->last_state == OUTBOUND_SENT;
	struct outbound *before =
	    l->bus->journal.ops->get_outbound(t, l->bus->journal.self, row->id - 1, err);
	if (!before)
		return task_is_cancelled(t) ? -1 : 1;
	bool ok = before->part != row->part - 1 || before->state == OUTBOUND_SENT;
	outbound_free(before);
	return ok;
}

/* The chat has another id by now: what the row names in the old one does not exist there. */
static void row_follow(const struct bus *b, struct outbound *row)
{
	if (!bus_follow(b, &row->to))
		return;
	free(row->reply_to);
	free(row->edit_of);
	row->reply_to = row->edit_of = NULL;
}

static int row_send(struct task *t, struct lane *l, struct outbound *row, struct error *err)
{
	struct channel *ch = bus_channel(l->bus, row->to.channel);

	if (row->attempts == 0)
		row_tell(row, "to be sent");
	if (!ch)
		return row_end(t, l, row, OUTBOUND_FAILED,
		    "There is no channel of this name in the configuration any more.", err);
	int rc = row_follows(t, l, row, err);
	if (rc < 0)
		return -1;
	if (rc == 0)
		return row_end(t, l, row, OUTBOUND_FAILED, BUS_PART_LOST, err);
	row_take_times(l, row);
	l->doubted = false;
	if (row->state == OUTBOUND_SENDING && !row->edit_of) {
		rc = row_unsure(t, l, ch, row, "The process ended while this was being sent.", err);
		if (rc <= 0)
			return rc;
	}
	do
		row_follow(l->bus, row);
	while ((rc = row_try(t, l, ch, row, err)) > 0);
	return rc;
}

/* Sends what the journal has: how many rows it had, or -1. */
static int lane_batch(struct task *t, struct lane *l, struct error *err)
{
	struct outbound *rows[LANE_BATCH];
	int n = l->bus->journal.ops->list_outbound(
	    t, l->bus->journal.self, &l->key, l->last_id, rows, LANE_BATCH, err);
	int rc = 0;

	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = row_send(t, l, rows[i], err);
		outbound_free(rows[i]);
	}
	return rc < 0 ? -1 : n;
}

static void lane_run(struct task *t, void *arg)
{
	struct lane *l = arg;
	struct error err = {0};

	while (!l->bus->stopping) {
		l->more = false;
		int n = lane_batch(t, l, &err);
		if (n < 0) {
			if (task_is_cancelled(t) || l->bus->stopping)
				break;
			log_error("bus", "cannot read the outbox, trying again: %s", err.text);
			if (task_sleep(t, 1000, &err) < 0)
				break;
		} else if (n < LANE_BATCH && !l->more) {
			break;
		}
	}
	tdelete(l, &l->bus->lanes, lane_compare);
	l->bus->lane_count--;
	free(l);
}

void lane_wake(struct bus *b, const struct journal_lane *key)
{
	struct lane **at = tfind(key, &b->lanes, lane_compare);

	if (at) {
		(*at)->more = true;
		return;
	}
	if (b->stopping)
		return;
	struct lane *l = xcalloc(1, sizeof(*l));
	l->key = *key;
	l->bus = b;
	tsearch(l, &b->lanes, lane_compare);
	b->lane_count++;
	l->task = task_start(&b->tasks, "lane", lane_run, l);
}

static void wake_one(const void *node, VISIT which, void *channel)
{
	struct lane *l = *(struct lane *const *)node;

	if ((which == postorder || which == leaf) && strcmp(l->key.channel, channel) == 0)
		task_wake(l->task);
}

void lane_wake_channel(struct bus *b, const char *channel)
{
	twalk_r(b->lanes, wake_one, (void *)(uintptr_t)channel);
}

static void cancel_idle(const void *node, VISIT which, void *unused)
{
	struct lane *l = *(struct lane *const *)node;

	(void)unused;
	if ((which == postorder || which == leaf) && !l->busy)
		task_cancel(l->task);
}

void lane_stop_idle(struct bus *b)
{
	twalk_r(b->lanes, cancel_idle, NULL);
}

struct visit {
	void (*fn)(void *arg, const char *channel, const char *chat, bool busy, uint64_t wait_ms);
	void *arg;
};

static void visit_one(const void *node, VISIT which, void *visit)
{
	const struct lane *l = *(struct lane *const *)node;
	const struct visit *v = visit;
	uint64_t now = clock_now();

	if (which == postorder || which == leaf)
		v->fn(v->arg, l->key.channel, l->key.chat, l->busy, l->due > now ? l->due - now : 0);
}

void bus_each_lane(const struct bus *b,
    void (*fn)(void *arg, const char *channel, const char *chat, bool busy, uint64_t wait_ms), void *arg)
{
	struct visit v = {fn, arg};

	twalk_r(b->lanes, visit_one, &v);
}
