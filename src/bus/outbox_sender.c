#include "bus/outbox_sender.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/trace.h"
#include "base/wrong.h"
#include "bus/bus_internal.h"
#include "bus/outbox_sender_internal.h"

/* Deliveries read from the journal at a time. */
#define SENDER_BATCH 16
/* Delays between retries of one delivery, doubled from the first to the last. */
#define SENDER_RETRY_FIRST_MS 1000
#define SENDER_RETRY_MAX_MS   30000
/* A delivery that could not be sent for this long has failed. */
#define SENDER_GIVE_UP_MS (24LL * 3600 * 1000)
/* The lead of a file: deliveries after it in its chat wait this long for it, then pass it. */
#define SENDER_FILE_LEAD_MS 5000
/* A repeat waits until the channel is ready, so that it does not meet the outage of the first try, but no
 * longer than this, because a channel that stays degraded may send all the same. */
#define SENDER_REPEAT_MAX_MS (5 * 60 * 1000)

/* The next step for a delivery. */
enum next {
	NEXT_STOP = -1, /* err says why: cancelled, or the journal failed */
	NEXT_NONE,      /* it has ended */
	NEXT_TRY,       /* try again */
	NEXT_SEND       /* now */
};

static void delivery_trace(const struct outbound *delivery, const char *step)
{
	trace_step(.step = step, .row = delivery->id, .turn = delivery->turn, .channel = delivery->to.channel,
	    .chat = delivery->to.chat, .thread = delivery->to.thread, .message = delivery->platform_id,
	    .reason = delivery->reason, .try = delivery->attempts);
}

/* Commits the delivery's state, retrying while the journal fails: an outcome must not be lost. */
static int delivery_mark(
    struct task *t, struct outbox_sender *l, const struct outbound *delivery, struct error *err)
{
	uint64_t wait_ms = 100;

	while (l->bus->journal.ops->mark_outbound(t, l->bus->journal.self, delivery, err) < 0) {
		if (task_is_cancelled(t))
			return -1;
		log_error("bus", "cannot record that a message is %s, trying again: %s row=%lld",
		    outbound_state_name(delivery->state), err->text, (long long)delivery->id);
		if (task_sleep(t, wait_ms, err) < 0)
			return -1;
		wait_ms = wait_ms < 5000 ? wait_ms * 2 : wait_ms;
	}
	return 0;
}

static enum next delivery_end(struct task *t, struct outbox_sender *l, struct outbound *delivery,
    enum outbound_state state, const char *reason, struct error *err)
{
	delivery->state = state;
	delivery->notice_owed = delivery->kind == OUTBOUND_REPLY &&
	    (state == OUTBOUND_UNCERTAIN || (state == OUTBOUND_FAILED && clock_now() > l->give_up_at));
	free(delivery->reason);
	delivery->reason = xstrdup(reason);
	if (delivery_mark(t, l, delivery, err) < 0)
		return NEXT_STOP;
	delivery_trace(delivery, outbound_state_name(state));
	l->last_id = delivery->id;
	l->last_state = state;
	char to[ADDRESS_TEXT_MAX];
	if (state == OUTBOUND_SENT)
		log_debug("bus", "sent row=%lld to=%s id=%s", (long long)delivery->id,
		    address_format(&delivery->to, to), delivery->platform_id);
	else
		log_warn("bus", "message %s: %s row=%lld to=%s", outbound_state_name(state), reason,
		    (long long)delivery->id, address_format(&delivery->to, to));
	bus_delivered(l->bus, delivery);
	return NEXT_NONE;
}

static enum next delivery_retry_at(struct task *t, struct outbox_sender *l, struct outbound *delivery,
    uint64_t wait_ms, const char *why, struct error *err)
{
	delivery->state = l->may_have_arrived ? OUTBOUND_SENDING : OUTBOUND_QUEUED;
	delivery->not_before_ms = clock_wall() + (int64_t)wait_ms;
	l->due = clock_now() + wait_ms;
	free(delivery->reason);
	delivery->reason = xstrdup(why);
	delivery_trace(delivery, "waits");
	log_info("bus", "will send again in %llu ms: %s row=%lld", (unsigned long long)wait_ms, why,
	    (long long)delivery->id);
	return delivery_mark(t, l, delivery, err) < 0 ? NEXT_STOP : NEXT_TRY;
}

static bool may_repeat(const struct channel *ch, const struct outbound *delivery)
{
	if (delivery->repeat || ch->uncertain == CHANNEL_UNCERTAIN_HOLD)
		return false; /* only one repeat */
	return ch->uncertain == CHANNEL_UNCERTAIN_REPEAT ||
	    ((delivery->kind == OUTBOUND_REPLY || WRONG("notices-repeated")) &&
		ch->ops->repeat_uncertain_replies);
}

/* The message may have arrived: repeats it once, marked, or holds it. */
static enum next delivery_uncertain(struct task *t, struct outbox_sender *l, const struct channel *ch,
    struct outbound *delivery, const char *why, struct error *err)
{
	if (!may_repeat(ch, delivery))
		return delivery_end(t, l, delivery, OUTBOUND_UNCERTAIN, why, err);
	delivery->repeat = !WRONG("repeat-not-marked");
	delivery->state = OUTBOUND_QUEUED;
	l->repeat_by = clock_now() + SENDER_REPEAT_MAX_MS;
	log_warn("bus", "may have been delivered, sending once more with a mark: %s row=%lld", why,
	    (long long)delivery->id);
	return delivery_mark(t, l, delivery, err) < 0 ? NEXT_STOP : NEXT_TRY;
}

/* The message to edit is gone or cannot be edited: sends the text as a new one. */
static enum next delivery_resend(
    struct task *t, struct outbox_sender *l, struct outbound *delivery, const char *why, struct error *err)
{
	log_info("bus", "sending as a new message: %s row=%lld", why, (long long)delivery->id);
	free(delivery->edit_of);
	delivery->edit_of = NULL;
	delivery->state = OUTBOUND_QUEUED;
	return delivery_mark(t, l, delivery, err) < 0 ? NEXT_STOP : NEXT_TRY;
}

/* Returns the delay before the next try, longer each time. */
static uint64_t retry_wait(const struct outbound *delivery, const struct error *why)
{
	unsigned tries = delivery->attempts > 6 ? 6 : delivery->attempts;
	uint64_t max = (uint64_t)SENDER_RETRY_FIRST_MS << (tries ? tries - 1 : 0);

	if (why->kind == ERROR_LIMITED)
		return why->retry_ms;
	max = max > SENDER_RETRY_MAX_MS ? SENDER_RETRY_MAX_MS : max;
	return max / 2 + clock_random_below(max / 2 + 1);
}

/* Returns whether its sending was interrupted. Edits are idempotent and never in doubt. */
static bool is_in_doubt(const struct outbound *delivery)
{
	return delivery->state == OUTBOUND_SENDING && !delivery->edit_of;
}

/* The message may have arrived. If the channel can find out, it stays `sending` until then. */
static enum next delivery_await_outcome(struct task *t, struct outbox_sender *l, const struct channel *ch,
    struct outbound *delivery, const char *why, struct error *err)
{
	if (!ch->ops->reconcile || clock_now() > l->give_up_at)
		return delivery_uncertain(t, l, ch, delivery, why, err);
	free(delivery->reason);
	delivery->reason = xstrdup(why);
	log_info("bus", "may have been delivered, finding out: %s row=%lld", why, (long long)delivery->id);
	return NEXT_TRY;
}

/* Decides the next step after an error. */
static enum next delivery_failed(struct task *t, struct outbox_sender *l, const struct channel *ch,
    struct outbound *delivery, const struct error *why, struct error *err)
{
	if (why->uncertain && !task_is_cancelled(t)) {
		if (WRONG("doubt-taken-for-unsent"))
			return delivery_resend(t, l, delivery, why->text, err);
		/* A message may take a while to show up, and an outage a while to be noticed. */
		l->due = clock_now() + (ch->ops->reconcile ? retry_wait(delivery, why) : l->bus->repeat_ms);
		return delivery_await_outcome(t, l, ch, delivery, why->text, err);
	}
	if (task_is_cancelled(t) || why->kind == ERROR_CANCELLED) {
		/* Stopping: a delivery that may have arrived stays `sending`, and is reconciled at the next
		 * start. */
		if (!why->uncertain && !l->may_have_arrived) {
			delivery->state = OUTBOUND_QUEUED;
			task_shield(t);
			delivery_mark(t, l, delivery, err);
			task_unshield(t);
		}
		return error_cancelled(err);
	}
	bool later = why->kind == ERROR_NETWORK || why->kind == ERROR_LIMITED;
	if (!later && delivery->edit_of)
		return delivery_resend(t, l, delivery, why->text, err);
	if (!later || clock_now() > l->give_up_at)
		return delivery_end(t, l, delivery,
		    l->may_have_arrived ? OUTBOUND_UNCERTAIN : OUTBOUND_FAILED, why->text, err);
	return delivery_retry_at(t, l, delivery, retry_wait(delivery, why), why->text, err);
}

static int64_t within(int64_t ms, int64_t max)
{
	if (ms < 0)
		return 0;
	return ms < max ? ms : max;
}

/* Converts the delivery's wall clock times, as the wall clock may have jumped since: no wait gets longer than
 * it was set, and a delivery never tried is not given up at its first failure. */
static void delivery_take_times(struct outbox_sender *l, const struct outbound *delivery)
{
	int64_t now = clock_wall(), age = delivery->attempts > 0 ? now - delivery->created_ms : 0;

	l->due = clock_now() +
	    (uint64_t)within(delivery->not_before_ms - now,
		within(delivery->not_before_ms - delivery->updated_ms, SENDER_GIVE_UP_MS));
	l->give_up_at = clock_now() + (uint64_t)within(SENDER_GIVE_UP_MS - age, SENDER_GIVE_UP_MS);
	l->repeat_by = clock_now() + SENDER_REPEAT_MAX_MS;
}

/* Waits until the delivery is due and its channel is ready. Fails when another node gets the channel. */
static int delivery_wait(struct task *t, struct outbox_sender *l, struct channel *ch,
    const struct outbound *delivery, struct error *err)
{
	for (;;) {
		bool repeat = delivery->repeat && l->bus->repeat_ms > 0 && clock_now() < l->repeat_by;

		if (clock_now() < l->due) {
			if (task_sleep_until(t, l->due, err) < 0)
				return -1;
			continue;
		}
		if (l->bus->stopping || ch->status == CHANNEL_ELSEWHERE)
			return error_cancelled(err);
		if (bus_channel_works(ch) || (ch->status == CHANNEL_DEGRADED && !repeat))
			return 0;
		/* Woken by the channel's status; cut short by repeat_by alone. */
		struct error late = {0};
		if (repeat && task_wait_until(t, l->repeat_by, &late) < 0 && task_is_cancelled(t))
			return error_cancelled(err);
		if (!repeat && task_wait(t, err) < 0)
			return -1;
	}
}

/* remark: how the sent message differs from the delivery; NULL: not at all. */
static enum next delivery_sent(struct task *t, struct outbox_sender *l, struct outbound *delivery,
    char *platform_id, const char *remark, struct error *err)
{
	free(delivery->platform_id);
	delivery->platform_id = platform_id;
	delivery->acked_ms = clock_wall();
	delivery_trace(delivery, "acknowledged");
	task_shield(t);
	enum next next = delivery_end(t, l, delivery, OUTBOUND_SENT, remark, err);
	task_unshield(t);
	return next;
}

/* Asks the channel whether the interrupted delivery has arrived. */
static enum next delivery_reconcile(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *delivery, struct error *err)
{
	struct error why = {0};
	char *id = NULL;
	int rc = ch->ops->reconcile(t, ch, delivery, &id, &why);

	if (task_is_cancelled(t) && rc != CHANNEL_RECONCILED_SENT) {
		free(id);
		return error_cancelled(err);
	}
	if (rc == CHANNEL_RECONCILED_SENT)
		return delivery_sent(t, l, delivery, id, NULL, err);
	l->may_have_arrived = rc == CHANNEL_RECONCILED_REPEATABLE;
	if (rc == CHANNEL_RECONCILED_NOT_SENT || rc == CHANNEL_RECONCILED_REPEATABLE)
		return NEXT_SEND;
	bool later = rc < 0 && (why.kind == ERROR_NETWORK || why.kind == ERROR_LIMITED);
	if (!later || clock_now() > l->give_up_at)
		return delivery_uncertain(
		    t, l, ch, delivery, rc < 0 ? why.text : "Whether it arrived cannot be found out.", err);
	l->due = clock_now() + retry_wait(delivery, &why);
	log_info("bus", "cannot find out yet whether a message arrived: %s row=%lld", why.text,
	    (long long)delivery->id);
	return NEXT_TRY;
}

/* Sends a delivery that is committed as sending, and commits the outcome. */
static enum next delivery_transmit(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *delivery, struct error *err)
{
	struct error why = {0};
	char *id = NULL;

	delivery_trace(delivery, "sending");
	if (ch->ops->send(t, ch, delivery, &id, &why) < 0) {
		free(id);
		return delivery_failed(t, l, ch, delivery, &why, err);
	}
	return delivery_sent(t, l, delivery, id, why.kind == ERROR_NONE && *why.text ? why.text : NULL, err);
}

static enum next delivery_attempt(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *delivery, struct error *err)
{
	enum next next = NEXT_STOP;

	l->busy = true;
	delivery->state = OUTBOUND_SENDING;
	delivery->attempts++;
	if (WRONG("sending-not-committed") || delivery_mark(t, l, delivery, err) == 0)
		next = delivery_transmit(t, l, ch, delivery, err);
	l->busy = false;
	return next;
}

static enum next delivery_try(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *delivery, struct error *err)
{
	enum next next = NEXT_SEND;

	if (delivery_wait(t, l, ch, delivery, err) < 0)
		return NEXT_STOP;
	if (ch->ops->admit && ch->ops->admit(t, ch, delivery, err) < 0)
		return NEXT_STOP;
	if (l->bus->stopping)
		return error_cancelled(err);
	if (is_in_doubt(delivery))
		next = delivery_reconcile(t, l, ch, delivery, err);
	if (next != NEXT_SEND)
		return next;
	if (l->bus->stopping)
		return error_cancelled(err);
	return delivery_attempt(t, l, ch, delivery, err);
}

static int outbox_unreadable(struct error *err)
{
	return error_prefix(err, "cannot read the outbox");
}

/* Decides whether a part may be sent: only after the one before it is known to have arrived. 1: yes, 0: no,
 * -1: error. */
static int delivery_may_follow(
    struct task *t, struct outbox_sender *l, const struct outbound *delivery, struct error *err)
{
	if (delivery->part <= 1)
		return 1;
	if (l->last_id == delivery->id - 1)
		return l->last_state == OUTBOUND_SENT;
	struct outbound *before =
	    l->bus->journal.ops->get_part_before(t, l->bus->journal.self, delivery, err);
	if (!before)
		return err->kind == ERROR_REFUSED ? 1 : outbox_unreadable(err);
	bool ok = before->state == OUTBOUND_SENT;
	outbound_free(before);
	return ok;
}

/* Follows a chat to its new id, where message ids of the old one are invalid. */
static void delivery_follow(const struct bus *b, struct outbound *delivery)
{
	if (!bus_follow_move(b, &delivery->to))
		return;
	free(delivery->reply_to);
	free(delivery->edit_of);
	delivery->reply_to = delivery->edit_of = NULL;
}

/* The first attempt of a delivery that was committed as sending with what it answers. If it cannot be sent
 * now after all, it is queued before it waits. */
static enum next delivery_first_attempt(
    struct task *t, struct outbox_sender *l, struct channel *ch, struct outbound *delivery, struct error *err)
{
	enum next next = NEXT_TRY;

	delivery_follow(l->bus, delivery);
	if (bus_channel_works(ch)) {
		next = delivery_transmit(t, l, ch, delivery, err);
	} else {
		delivery->state = OUTBOUND_QUEUED;
		delivery->attempts = 0;
		if (delivery_mark(t, l, delivery, err) < 0)
			next = NEXT_STOP;
	}
	l->busy = false;
	return next;
}

static enum next delivery_send(
    struct task *t, struct outbox_sender *l, struct outbound *delivery, struct error *err)
{
	struct channel *ch = bus_channel_of(l->bus, &delivery->to);

	bool begun = delivery == l->committed;

	if (delivery->attempts == 0 || begun)
		delivery_trace(delivery, "to be sent");
	if (!ch)
		return delivery_end(t, l, delivery, OUTBOUND_FAILED,
		    "There is no channel of this name in the configuration any more.", err);
	int rc = delivery_may_follow(t, l, delivery, err);
	if (rc < 0)
		return NEXT_STOP;
	if (rc == 0)
		return delivery_end(t, l, delivery, OUTBOUND_FAILED, BUS_PART_LOST, err);
	delivery_take_times(l, delivery);
	l->may_have_arrived = false;
	enum next next = NEXT_TRY;
	/* The former owner of the channel may be about to send it. */
	while (!begun && is_in_doubt(delivery) && clock_now() < ch->held_until)
		if (task_sleep_until(t, ch->held_until, err) < 0)
			return NEXT_STOP;
	if (begun)
		next = delivery_first_attempt(t, l, ch, delivery, err);
	else if (is_in_doubt(delivery))
		next = delivery_await_outcome(
		    t, l, ch, delivery, "The process ended while this was being sent.", err);
	while (next == NEXT_TRY) {
		delivery_follow(l->bus, delivery);
		next = delivery_try(t, l, ch, delivery, err);
	}
	return next;
}

/* Sends the file; the caller repeats a failure. 0: it has ended. */
static int file_send(struct task *t, struct outbox_sender *l, struct error *err)
{
	struct outbound *delivery = l->bus->journal.ops->get_outbound(t, l->bus->journal.self, l->file, err);
	int rc = 0;

	if (!delivery)
		return err->kind == ERROR_REFUSED ? 0 : outbox_unreadable(err);
	if (delivery->state == OUTBOUND_QUEUED || delivery->state == OUTBOUND_SENDING)
		rc = delivery_send(t, l, delivery, err) == NEXT_STOP ? -1 : 0;
	outbound_free(delivery);
	return rc;
}

static void file_sender_run(struct task *t, void *arg)
{
	struct outbox_sender *l = arg, *main;
	struct error err = {0};

	while (!l->bus->stopping && file_send(t, l, &err) < 0) {
		if (outbox_sender_must_end(t, l))
			break;
		log_error(
		    "bus", "cannot send a file now, trying again: %s row=%lld", err.text, (long long)l->file);
		if (task_sleep(t, 1000, &err) < 0)
			break;
	}
	main = outbox_sender_find(l->bus, &l->key, 0);
	if (main && main->awaited_file == l->file) {
		main->awaited_file = 0;
		task_wake(main->task);
	}
	outbox_sender_end(l);
}

/* A file may take minutes, or be in trouble while its chat is not: it has a sender of its own, and a lead. */
static enum next file_wait(
    struct task *t, struct outbox_sender *l, const struct outbound *delivery, struct error *err)
{
	struct channel *ch = bus_channel_of(l->bus, &delivery->to);
	uint64_t until;

	if (!outbox_sender_find(l->bus, &l->key, delivery->id)) {
		l->due = l->repeat_by = 0;
		if (delivery_wait(t, l, ch, delivery, err) < 0)
			return NEXT_STOP;
		l->awaited_file = delivery->id;
		outbox_sender_start(l->bus, &l->key, delivery->id, file_sender_run);
	}
	until = clock_now() + SENDER_FILE_LEAD_MS;
	while (l->awaited_file == delivery->id && clock_now() < until)
		if (task_wait_until(t, until, err) < 0)
			return NEXT_STOP;
	if (l->awaited_file != 0)
		log_info("bus", "what comes after a file no longer waits for it: row=%lld",
		    (long long)delivery->id);
	l->awaited_file = 0;
	l->last_id = delivery->id;
	l->last_state = OUTBOUND_SENDING;
	return l->bus->stopping ? error_cancelled(err) : NEXT_NONE;
}

/* Parts that follow a file (a long caption) need to know its outcome. */
static bool has_own_sender(const struct outbox_sender *l, const struct outbound *delivery)
{
	return l->file == 0 && delivery->file && delivery->parts <= 1 &&
	    bus_channel(l->bus, delivery->to.channel);
}

/* Waits for the commit of what the sender was reserved for, and sends that. 0: it has ended, or there is
 * nothing to send. */
static int committed_send(struct task *t, struct outbox_sender *l, struct error *err)
{
	int rc = 0;

	task_shield(t);
	while (l->reserved)
		task_wait(t, NULL);
	task_unshield(t);
	if (l->committed)
		rc = delivery_send(t, l, l->committed, err) == NEXT_STOP ? -1 : 0;
	outbound_free(l->committed);
	l->committed = NULL;
	l->busy = false;
	return rc;
}

/* Sends a batch from the journal. Returns the number of deliveries read, or -1. */
static int outbox_sender_batch(struct task *t, struct outbox_sender *l, struct error *err)
{
	struct outbound *deliveries[SENDER_BATCH];
	int rc = 0;

	if (l->reserved || l->committed)
		return committed_send(t, l, err);
	int n = l->bus->journal.ops->list_outbound(
	    t, l->bus->journal.self, &l->key, l->last_id, deliveries, SENDER_BATCH, err);

	if (n < 0)
		return outbox_unreadable(err);
	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = has_own_sender(l, deliveries[i]) ? file_wait(t, l, deliveries[i], err) :
								delivery_send(t, l, deliveries[i], err);
		outbound_free(deliveries[i]);
	}
	return rc < 0 ? -1 : n;
}

static void outbox_sender_run(struct task *t, void *arg)
{
	struct outbox_sender *l = arg;
	struct error err = {0};

	if (outbox_sender_is_elsewhere(t, l)) {
		outbox_sender_end(l);
		return;
	}
	while (!l->bus->stopping || l->reserved || l->committed) {
		/* A delivery of another node may have a lower id than those already sent. */
		if (l->woken && l->bus->shared)
			l->last_id = 0;
		l->woken = false;
		int n = outbox_sender_batch(t, l, &err);
		if (n < 0) {
			if (outbox_sender_must_end(t, l))
				break;
			log_error("bus", "cannot send now, trying again: %s to=%s:%s", err.text,
			    l->key.channel, l->key.chat);
			if (task_sleep(t, 1000, &err) < 0)
				break;
		} else if (n < SENDER_BATCH && !l->woken) {
			break;
		}
	}
	outbox_sender_end(l);
}

bool outbox_sender_is_free(const struct bus *b, const struct journal_queue *key)
{
	return !b->stopping && !outbox_sender_find(b, key, 0);
}

void outbox_sender_reserve(struct bus *b, const struct journal_queue *key, const struct outbound *delivery)
{
	outbox_sender_start(b, key, 0, outbox_sender_run);
	struct outbox_sender *l = outbox_sender_find(b, key, 0);
	l->reserved = delivery;
	l->busy = true;
}

bool outbox_sender_settle(
    struct bus *b, const struct journal_queue *key, const struct outbound *delivery, bool committed)
{
	struct outbox_sender *l = outbox_sender_find(b, key, 0);
	bool sends = committed && !delivery->known &&
	    (delivery->state == OUTBOUND_SENDING || WRONG("sending-not-committed"));

	if (!l || l->reserved != delivery)
		return false;
	l->reserved = NULL;
	if (sends) {
		l->committed = outbound_copy(delivery);
		l->committed->state = OUTBOUND_SENDING;
		l->committed->attempts = 1;
	}
	task_wake(l->task);
	return sends;
}

void outbox_sender_wake(struct bus *b, const struct journal_queue *key)
{
	struct outbox_sender *l = outbox_sender_find(b, key, 0);
	const struct address to = outbox_sender_address(key);

	if (l)
		l->woken = true;
	else if (!b->stopping && bus_serves(b, &to))
		outbox_sender_start(b, key, 0, outbox_sender_run);
	else if (!b->stopping && b->shared && b->handler.put_elsewhere)
		b->handler.put_elsewhere(b->handler.arg, bus_unit(b, &to));
}
