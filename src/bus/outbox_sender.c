#include "bus/outbox_sender.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/trace.h"
#include "base/wrong.h"
#include "bus/bus_internal.h"

/* Rows read from the journal at a time. */
#define SENDER_BATCH 16
/* Waits between tries of one row: doubled from the first to the last. */
#define SENDER_RETRY_FIRST_MS 1000
#define SENDER_RETRY_MAX_MS   30000
/* A row that could not be sent for this long is given up. */
#define SENDER_GIVE_UP_MS (24LL * 3600 * 1000)

struct outbox_sender {
	struct journal_queue key; /* first: what outbox_sender_compare sees */
	struct bus *bus;
	struct task *task;
	bool more;    /* woken since the journal was last read */
	bool busy;    /* a row is committed as sending, or its end is being written down */
	bool doubted; /* an earlier try of the row may have arrived, and it is sent again all the same */
	/* Of the row at hand, clock_now(): not before, and not after. The wall clock may jump meanwhile. */
	uint64_t due, give_up_at;
	/* The last row that ended, to know whether the next part of the same text may go. */
	int64_t last_id;
	enum outbound_state last_state;
};

static int outbox_sender_compare(const void *a, const void *b)
{
	const struct journal_queue *x = a, *y = b;
	int c = strcmp(x->chat, y->chat);

	return c ? c : strcmp(x->channel, y->channel);
}

static void delivery_trace(const struct outbound *row, const char *step)
{
	trace_step(.step = step, .row = row->id, .turn = row->turn, .channel = row->to.channel,
	    .chat = row->to.chat, .thread = row->to.thread, .message = row->platform_id,
	    .reason = row->reason, .try = row->attempts);
}

/* Writes the row's state down, however long that takes: what was sent must never be forgotten. */
static int delivery_mark(
    struct task *t, struct outbox_sender *l, const struct outbound *row, struct error *err)
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

static int delivery_end(struct task *t, struct outbox_sender *l, struct outbound *row,
    enum outbound_state state, const char *reason, struct error *err)
{
	row->state = state;
	free(row->reason);
	row->reason = xstrdup(reason);
	if (delivery_mark(t, l, row, err) < 0)
		return -1;
	delivery_trace(row, outbound_state_name(state));
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

static int delivery_retry_at(struct task *t, struct outbox_sender *l, struct outbound *row, uint64_t wait_ms,
    const char *why, struct error *err)
{
	row->state = l->doubted ? OUTBOUND_SENDING : OUTBOUND_QUEUED;
	row->not_before_ms = clock_wall() + (int64_t)wait_ms;
	l->due = clock_now() + wait_ms;
	free(row->reason);
	row->reason = xstrdup(why);
	delivery_trace(row, "waits");
	log_info("bus", "will send again in %llu ms: %s row=%lld", (unsigned long long)wait_ms, why,
	    (long long)row->id);
	return delivery_mark(t, l, row, err);
}

static bool may_repeat(const struct channel *ch, const struct outbound *row)
{
	if (row->repeat || ch->uncertain == CHANNEL_UNCERTAIN_HOLD)
		return false; /* a second doubt is never repeated again */
	return ch->uncertain == CHANNEL_UNCERTAIN_REPEAT ||
	    ((row->kind == OUTBOUND_REPLY || WRONG("notices-repeated")) && ch->ops->repeat_uncertain_replies);
}

/* The row may have been delivered. 1: it is to be sent once more, marked. 0: it is held. */
static int delivery_uncertain(struct task *t, struct outbox_sender *l, const struct channel *ch,
    struct outbound *row, const char *why, struct error *err)
{
	if (!may_repeat(ch, row))
		return delivery_end(t, l, row, OUTBOUND_UNCERTAIN, why, err);
	row->repeat = !WRONG("repeat-not-marked");
	row->state = OUTBOUND_QUEUED;
	log_warn("bus", "may have been delivered, sending once more with a mark: %s row=%lld", why,
	    (long long)row->id);
	return delivery_mark(t, l, row, err) < 0 ? -1 : 1;
}

/* The message that it replaces is gone, or must not be changed: the text goes as a new one. */
static int delivery_resend(
    struct task *t, struct outbox_sender *l, struct outbound *row, const char *why, struct error *err)
{
	log_info("bus", "sending as a new message: %s row=%lld", why, (long long)row->id);
	free(row->edit_of);
	row->edit_of = NULL;
	row->state = OUTBOUND_QUEUED;
	return delivery_mark(t, l, row, err) < 0 ? -1 : 1;
}

/* Between tries, longer with each. */
static uint64_t retry_wait(const struct outbound *row, const struct error *why)
{
	unsigned tries = row->attempts > 6 ? 6 : row->attempts;
	uint64_t most = (uint64_t)SENDER_RETRY_FIRST_MS << (tries ? tries - 1 : 0);

	if (why->kind == ERROR_LIMITED)
		return why->retry_ms;
	most = most > SENDER_RETRY_MAX_MS ? SENDER_RETRY_MAX_MS : most;
	return most / 2 + clock_random_below(most / 2 + 1);
}

/* The row may have been delivered. Where the channel can find out it stays `sending` until then. */
static int delivery_unsure(struct task *t, struct outbox_sender *l, const struct channel *ch,
    struct outbound *row, const char *why, struct error *err)
{
	if (!ch->ops->reconcile || clock_now() > l->give_up_at)
		return delivery_uncertain(t, l, ch, row, why, err);
	free(row->reason);
	row->reason = xstrdup(why);
	log_info("bus", "may have been delivered, finding out: %s row=%lld", why, (long long)row->id);
	return 1;
}

/* What follows from why. 1: try the row again. 0: it has ended. -1: cancelled. */
static int delivery_failed(struct task *t, struct outbox_sender *l, const struct channel *ch,
    struct outbound *row, const struct error *why, struct error *err)
{
	if (why->uncertain && !task_is_cancelled(t)) {
		if (WRONG("doubt-taken-for-unsent"))
			return delivery_resend(t, l, row, err);
		/* What is looked for too soon may still be on its way; a repeat need not wait. */
		if (ch->ops->reconcile)
			l->due = clock_now() + retry_wait(row, why);
		return delivery_unsure(t, l, ch, row, why->text, err);
	}
	if (task_is_cancelled(t) || why->kind == ERROR_CANCELLED) {
		/* Stopping: what may have left stays `sending`, and is in doubt at the next start. */
		if (!why->uncertain && !l->doubted) {
			row->state = OUTBOUND_QUEUED;
			task_shield(t);
			delivery_mark(t, l, row, err);
			task_unshield(t);
		}
		return error_cancelled(err);
	}
	bool later = why->kind == ERROR_NETWORK || why->kind == ERROR_LIMITED;
	if (!later && row->edit_of)
		return delivery_resend(t, l, row, why->text, err);
	if (!later || clock_now() > l->give_up_at)
		return delivery_end(
		    t, l, row, l->doubted ? OUTBOUND_UNCERTAIN : OUTBOUND_FAILED, why->text, err);
	return delivery_retry_at(t, l, row, retry_wait(row, why), why->text, err) < 0 ? -1 : 1;
}

static int64_t within(int64_t ms, int64_t most)
{
	if (ms < 0)
		return 0;
	return ms < most ? ms : most;
}

/* What the row says by the wall clock, which may have jumped since it was written: a wait is never longer
 * than it was meant, and what was never tried is not given up at its first failure. */
static void delivery_take_times(struct outbox_sender *l, const struct outbound *row)
{
	int64_t now = clock_wall(), age = row->attempts > 0 ? now - row->created_ms : 0;

	l->due = clock_now() +
	    (uint64_t)within(
		row->not_before_ms - now, within(row->not_before_ms - row->updated_ms, SENDER_GIVE_UP_MS));
	l->give_up_at = clock_now() + (uint64_t)within(SENDER_GIVE_UP_MS - age, SENDER_GIVE_UP_MS);
}

/* Waits until the row may go: its time has come, and its channel works. */
static int delivery_wait(struct task *t, struct outbox_sender *l, struct channel *ch, struct error *err)
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

static int delivery_sent(
    struct task *t, struct outbox_sender *l, struct outbound *row, char *platform_id, struct error *err)
{
	free(row->platform_id);
	row->platform_id = platform_id;
	row->acked_ms = clock_wall();
	delivery_trace(row, "acknowledged");
	task_shield(t);
	int rc = delivery_end(t, l, row, OUTBOUND_SENT, NULL, err);
	task_unshield(t);
	return rc;
}

/* Finds out whether the row, which was cut off, has arrived. 1: look at it again, 2: it may be sent now. Else
 * as delivery_try. */
static int delivery_reconcile(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *row, struct error *err)
{
	struct error why = {0};
	char *id = NULL;
	int rc = ch->ops->reconcile(t, ch, row, &id, &why);

	if (task_is_cancelled(t) && rc != CHANNEL_RECONCILED_SENT) {
		free(id);
		return error_cancelled(err);
	}
	if (rc == CHANNEL_RECONCILED_SENT)
		return delivery_sent(t, l, row, id, err);
	l->doubted = rc == CHANNEL_RECONCILED_REPEATABLE;
	if (rc == CHANNEL_RECONCILED_NOT_SENT || rc == CHANNEL_RECONCILED_REPEATABLE)
		return 2;
	bool later = rc < 0 && (why.kind == ERROR_NETWORK || why.kind == ERROR_LIMITED);
	if (!later || clock_now() > l->give_up_at)
		return delivery_uncertain(
		    t, l, ch, row, rc < 0 ? why.text : "Whether it arrived cannot be found out.", err);
	l->due = clock_now() + retry_wait(row, &why);
	log_info("bus", "cannot find out yet whether a message arrived: %s row=%lld", why.text,
	    (long long)row->id);
	return 1;
}

/* From the commit of `sending` to the commit of how it ended. */
static int delivery_attempt(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *row, struct error *err)
{
	struct error why = {0};
	char *id = NULL;

	row->state = OUTBOUND_SENDING;
	row->attempts++;
	if (!WRONG("sending-not-committed") && delivery_mark(t, l, row, err) < 0)
		return -1;
	delivery_trace(row, "sending");
	if (ch->ops->send(t, ch, row, &id, &why) < 0) {
		free(id);
		return delivery_failed(t, l, ch, row, &why, err);
	}
	return delivery_sent(t, l, row, id, err);
}

/* 1: once more. 0: the row has ended. -1: cancelled. */
static int delivery_try(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *row, struct error *err)
{
	if (delivery_wait(t, l, ch, err) < 0)
		return -1;
	if (ch->ops->admit && ch->ops->admit(t, ch, row, err) < 0)
		return -1;
	if (l->bus->stopping)
		return error_cancelled(err);
	int rc = row->state == OUTBOUND_SENDING && !row->edit_of ? delivery_reconcile(t, l, ch, row, err) : 2;
	if (rc != 2)
		return rc;
	if (l->bus->stopping)
		return error_cancelled(err);
	l->busy = true;
	rc = delivery_attempt(t, l, ch, row, err);
	l->busy = false;
	return rc;
}

static int outbox_unreadable(struct error *err)
{
	return error_prefix(err, "cannot read the outbox");
}

/* A part of a text goes only when the one before it is known to have arrived. 1: it may go, 0: no, -1:
 * error. */
static int delivery_may_follow(
    struct task *t, struct outbox_sender *l, const struct outbound *row, struct error *err)
{
	if (row->part <= 1)
		return 1;
	if (l->last_id == row->id - 1)
		return l->last_state == OUTBOUND_SENT;
	struct outbound *before =
	    l->bus->journal.ops->get_outbound(t, l->bus->journal.self, row->id - 1, err);
	if (!before)
		return err->kind == ERROR_REFUSED ? 1 : outbox_unreadable(err);
	bool ok = before->part != row->part - 1 || before->state == OUTBOUND_SENT;
	outbound_free(before);
	return ok;
}

/* The chat has another id by now: what the row names in the old one does not exist there. */
static void delivery_follow(const struct bus *b, struct outbound *row)
{
	if (!bus_follow_move(b, &row->to))
		return;
	free(row->reply_to);
	free(row->edit_of);
	row->reply_to = row->edit_of = NULL;
}

static int delivery_send(struct task *t, struct outbox_sender *l, struct outbound *row, struct error *err)
{
	struct channel *ch = bus_channel(l->bus, row->to.channel);

	if (row->attempts == 0)
		delivery_trace(row, "to be sent");
	if (!ch)
		return delivery_end(t, l, row, OUTBOUND_FAILED,
		    "There is no channel of this name in the configuration any more.", err);
	int rc = delivery_may_follow(t, l, row, err);
	if (rc < 0)
		return -1;
	if (rc == 0)
		return delivery_end(t, l, row, OUTBOUND_FAILED, BUS_PART_LOST, err);
	delivery_take_times(l, row);
	l->doubted = false;
	if (row->state == OUTBOUND_SENDING && !row->edit_of) {
		rc = delivery_unsure(t, l, ch, row, "The process ended while this was being sent.", err);
		if (rc <= 0)
			return rc;
	}
	do
		delivery_follow(l->bus, row);
	while ((rc = delivery_try(t, l, ch, row, err)) > 0);
	return rc;
}

/* Sends what the journal has: how many rows it had, or -1. */
static int outbox_sender_batch(struct task *t, struct outbox_sender *l, struct error *err)
{
	struct outbound *rows[SENDER_BATCH];
	int n = l->bus->journal.ops->list_outbound(
	    t, l->bus->journal.self, &l->key, l->last_id, rows, SENDER_BATCH, err);
	int rc = 0;

	if (n < 0)
		return outbox_unreadable(err);
	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = delivery_send(t, l, rows[i], err);
		outbound_free(rows[i]);
	}
	return rc < 0 ? -1 : n;
}

static void outbox_sender_run(struct task *t, void *arg)
{
	struct outbox_sender *l = arg;
	struct error err = {0};

	while (!l->bus->stopping) {
		l->more = false;
		int n = outbox_sender_batch(t, l, &err);
		if (n < 0) {
			if (task_is_cancelled(t) || l->bus->stopping)
				break;
			log_error("bus", "cannot send now, trying again: %s to=%s:%s", err.text,
			    l->key.channel, l->key.chat);
			if (task_sleep(t, 1000, &err) < 0)
				break;
		} else if (n < SENDER_BATCH && !l->more) {
			break;
		}
	}
	tdelete(l, &l->bus->senders, outbox_sender_compare);
	l->bus->sender_count--;
	free(l);
}

void outbox_sender_wake(struct bus *b, const struct journal_queue *key)
{
	struct outbox_sender **at = tfind(key, &b->senders, outbox_sender_compare);

	if (at) {
		(*at)->more = true;
		return;
	}
	if (b->stopping)
		return;
	struct outbox_sender *l = xcalloc(1, sizeof(*l));
	l->key = *key;
	l->bus = b;
	tsearch(l, &b->senders, outbox_sender_compare);
	b->sender_count++;
	l->task = task_start(&b->tasks, "outbox_sender", outbox_sender_run, l);
}

static void wake_one(const void *node, VISIT which, void *channel)
{
	struct outbox_sender *l = *(struct outbox_sender *const *)node;

	if ((which == postorder || which == leaf) && strcmp(l->key.channel, channel) == 0)
		task_wake(l->task);
}

void outbox_sender_wake_channel(struct bus *b, const char *channel)
{
	twalk_r(b->senders, wake_one, (void *)(uintptr_t)channel);
}

static void cancel_idle(const void *node, VISIT which, void *unused)
{
	struct outbox_sender *l = *(struct outbox_sender *const *)node;

	(void)unused;
	if ((which == postorder || which == leaf) && !l->busy)
		task_cancel(l->task);
}

void outbox_sender_stop_idle(struct bus *b)
{
	twalk_r(b->senders, cancel_idle, NULL);
}

struct visit {
	void (*fn)(void *arg, const char *channel, const char *chat, bool busy, uint64_t wait_ms);
	void *arg;
};

static void visit_one(const void *node, VISIT which, void *visit)
{
	const struct outbox_sender *l = *(struct outbox_sender *const *)node;
	const struct visit *v = visit;
	uint64_t now = clock_now();

	if (which == postorder || which == leaf)
		v->fn(v->arg, l->key.channel, l->key.chat, l->busy, l->due > now ? l->due - now : 0);
}

void bus_each_sender(const struct bus *b,
    void (*fn)(void *arg, const char *channel, const char *chat, bool busy, uint64_t wait_ms), void *arg)
{
	struct visit v = {fn, arg};

	twalk_r(b->senders, visit_one, &v);
}
