#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/wrong.h"
#include "bus/bus_internal.h"
#include "bus/outbox_sender.h"
#include "bus/quiet_hours.h"
#include "bus/outbox_file.h"

/* Interval of reading a delivery that another node sends. */
#define AWAIT_MIN_MS 20
#define AWAIT_MAX_MS 500

/* A channel may need this long to notice an outage, which an earlier repeat could meet. */
#define REPEAT_MS 2000
/* Time limit of sends in flight when the bus stops. */
#define BUS_DRAIN_MS 5000

struct waiter {
	struct list link;
	int64_t id;
	struct task *task;
	struct outbound *row; /* a copy, once it has ended */
};

struct bus *bus_new(const struct journal *journal, const struct bus_handler *handler)
{
	struct bus *b = xcalloc(1, sizeof(*b));

	b->journal = *journal;
	b->handler = *handler;
	list_init(&b->channels);
	list_init(&b->previews);
	list_init(&b->waiters);
	task_group_init(&b->tasks);
	b->repeat_ms = REPEAT_MS;
	return b;
}

void bus_set_repeat(struct bus *b, uint64_t ms)
{
	b->repeat_ms = ms;
}

static void stop_channels(struct task *t, struct bus *b)
{
	list_each(&b->channels, it, tmp) {
		struct channel *ch = list_entry(it, struct channel, link);
		if (ch->state)
			ch->ops->stop(t, ch);
	}
}

void bus_free(struct task *t, struct bus *b)
{
	if (!b)
		return;
	b->stopping = true;
	live_stop_all(b);
	outbox_sender_stop_idle(b);
	for (uint64_t until = clock_now() + BUS_DRAIN_MS;
	     b->sender_count + b->ack_removals > 0 && clock_now() < until;)
		if (task_sleep(t, 10, NULL) < 0)
			break;
	task_group_finish(t, &b->tasks);
	stop_channels(t, b);
	list_each(&b->channels, it, tmp)
		free(list_entry(it, struct channel, link));
	free(b->moves);
	unit_clear(b);
	free(b->files);
	free(b);
}

static struct channel *add_unit(
    struct bus *b, const char *name, unsigned unit, const struct channel_ops *ops, const void *settings)
{
	struct channel *ch = xcalloc(1, sizeof(*ch));

	str_copy(ch->channel, sizeof(ch->channel), name);
	if (unit == 0)
		str_copy(ch->name, sizeof(ch->name), name);
	else
		str_format(ch->name, sizeof(ch->name), "%s#%u", name, unit);
	ch->unit = unit;
	ch->ops = ops;
	ch->settings = settings;
	ch->bus = b;
	ch->status_since_ms = clock_wall();
	str_copy(ch->status_text, sizeof(ch->status_text), "not started");
	list_append(&b->channels, &ch->link);
	return ch;
}

struct channel *bus_add_channel(
    struct bus *b, const char *name, const struct channel_ops *ops, const void *settings)
{
	unsigned units = ops->units && settings ? ops->units(settings) : 1;
	struct channel *first = NULL;

	for (unsigned unit = 0; unit < units; unit++) {
		struct channel *ch = add_unit(b, name, unit, ops, settings);
		ch->units = units;
		first = first ? first : ch;
	}
	return first;
}

struct channel *bus_channel(struct bus *b, const char *name)
{
	list_each(&b->channels, it, tmp) {
		struct channel *ch = list_entry(it, struct channel, link);
		if (strcmp(ch->name, name) == 0)
			return ch;
	}
	return NULL;
}

bool bus_channel_works(const struct channel *ch)
{
	return ch->status == CHANNEL_READY || (ch->status == CHANNEL_DEGRADED && ch->shards_ready > 0);
}

struct channel *bus_next_channel(struct bus *b, struct channel *after)
{
	struct list *next = after ? after->link.next : b->channels.next;

	return next == &b->channels ? NULL : list_entry(next, struct channel, link);
}

int bus_resume(struct task *t, struct bus *b, struct error *err)
{
	if (move_resume(t, b, err) < 0 || outbox_file_sweep(t, b, err) < 0)
		return -1;
	int n = quiet_hours_wake_senders(t, b, err);

	if (n > 0 || b->shared)
		quiet_hours_watch(b);
	return n < 0 ? -1 : 0;
}

void bus_share(struct bus *b)
{
	b->shared = true;
}

bool bus_is_shared(const struct bus *b)
{
	return b->shared;
}

void bus_notify_owners(struct bus *b, const char *channel)
{
	for (struct channel *ch = bus_next_channel(b, NULL); ch && b->handler.put_elsewhere;
	     ch = bus_next_channel(b, ch))
		if (ch->status == CHANNEL_ELSEWHERE && strcmp(ch->channel, channel) == 0)
			b->handler.put_elsewhere(b->handler.arg, ch->name);
}

bool bus_serves(struct bus *b, const struct address *a)
{
	const struct channel *ch = bus_channel_of(b, a);

	return ch ? ch->status != CHANNEL_ELSEWHERE : !b->shared;
}

bool bus_has_owner(struct task *t, struct bus *b, const struct address *a)
{
	return !b->handler.has_owner || b->handler.has_owner(t, b->handler.arg, bus_unit(b, a));
}

void bus_check_outbox(struct bus *b)
{
	b->poll_now = true;
	if (b->watch)
		task_wake(b->watch);
}

/* Its senders start within a second: the watch finds what other nodes stored. */
int bus_take_channels(struct task *t, struct bus *b, struct error *err)
{
	if (move_resume(t, b, err) < 0)
		return -1;
	for (struct channel *ch = NULL; (ch = bus_next_channel(b, ch));)
		if (ch->gained)
			channel_set_status(ch, CHANNEL_STARTING, "taken over");
	return quiet_hours_wake_senders(t, b, err) < 0 ? -1 : 0;
}

bool bus_is_taking(const struct channel *ch)
{
	return ch->gained && ch->status != CHANNEL_ELSEWHERE;
}

void bus_leave_channel(struct task *t, struct channel *ch)
{
	channel_set_status(ch, CHANNEL_ELSEWHERE, "another node gets it");
	if (ch->state)
		ch->ops->stop(t, ch);
}

bool bus_is_idle(struct bus *b, const char *channel)
{
	return outbox_sender_count(b, channel) == 0 &&
	    task_group_count(&b->tasks) == b->sender_count + (b->watch != NULL);
}

static void wake_sender(struct bus *b, const struct address *to)
{
	struct journal_queue key = outbox_sender_key(to);

	outbox_sender_wake(b, &key);
}

void bus_wake(struct bus *b, const struct address *to)
{
	struct address now = *to;

	wake_sender(b, to);
	/* The delivery may have been addressed before or after its chat got another id. */
	if (bus_follow_move(b, &now))
		wake_sender(b, &now);
}

void bus_prepare(struct bus *b, struct outbound *const *rows, size_t count)
{
	struct outbound *first = count > 0 ? rows[0] : NULL;
	struct channel *ch = first ? bus_channel_of(b, &first->to) : NULL;

	if (!ch || !bus_channel_works(ch) || first->file || first->not_before_ms != 0)
		return;
	struct journal_queue key = outbox_sender_key(&first->to);
	if (!outbox_sender_is_free(b, &key) || (ch->ops->admit && ch->ops->admit(NULL, ch, first, NULL) < 0))
		return;
	outbox_sender_reserve(b, &key, first);
	if (WRONG("sending-not-committed"))
		return;
	first->state = OUTBOUND_SENDING;
	first->attempts = 1;
}

void bus_committed(struct bus *b, struct outbound *const *rows, size_t count, bool done)
{
	size_t given = 0;

	if (count > 0) {
		struct journal_queue key = outbox_sender_key(&rows[0]->to);
		given = outbox_sender_settle(b, &key, rows[0], done);
	}
	for (size_t i = given; done && i < count; i++)
		bus_wake(b, &rows[i]->to);
}

struct outbound **bus_rows(struct bus *b, const struct address *to, enum outbound_kind kind, const char *text,
    const char *reply_to, const char *key, int64_t turn, size_t *count, struct error *err)
{
	struct channel *ch = bus_channel(b, to->channel);
	struct address now = *to;

	*count = 0;
	if (!ch) {
		error_set(err, ERROR_REFUSED, "There is no channel named %s. Name one of the configuration.",
		    to->channel);
		return NULL;
	}
	if (bus_follow_move(b, &now))
		reply_to = NULL;
	char **parts = ch->ops->split(text);
	size_t n = 0;
	while (parts[n])
		n++;
	struct outbound **rows = xcalloc(n ? n : 1, sizeof(struct outbound *));
	for (size_t i = 0; i < n; i++) {
		struct outbound *o = rows[i] = outbound_new(&now, kind, parts[i]);
		o->part = (int)i + 1;
		o->parts = (int)n;
		o->turn = turn;
		o->created_ms = o->updated_ms = clock_wall();
		o->reply_to = i == 0 ? xstrdup(reply_to) : NULL;
		if (key)
			o->key = i == 0 ? xstrdup(key) : xasprintf("%s/%zu", key, i + 1);
		free(parts[i]);
	}
	free(parts);
	*count = n;
	return rows;
}

void bus_rows_free(struct outbound **rows, size_t count)
{
	for (size_t i = 0; rows && i < count; i++)
		outbound_free(rows[i]);
	free(rows);
}

int bus_send(struct task *t, struct bus *b, struct outbound *const *rows, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (bus_locate(t, b, &rows[i]->to, err) < 0)
			return -1;
	if (b->journal.ops->put_outbound(t, b->journal.self, rows, count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		bus_wake(b, &rows[i]->to);
	return 0;
}

static bool is_final(enum outbound_state state)
{
	return state == OUTBOUND_SENT || state == OUTBOUND_UNCERTAIN || state == OUTBOUND_FAILED;
}

struct histogram bus_delivery_time = {
    .name = "myna_delivery_seconds", .help = "From the commit of a reply to its arrival on the platform."};
struct counter bus_deliveries = {.name = "myna_deliveries_total",
    .label = "result",
    .help = "Messages that left the outbox, by what became of them.",
    .outcomes = {"sent", "uncertain", "failed"}};

static void count_delivery(const struct outbound *row)
{
	counter_add(&bus_deliveries, row->state - OUTBOUND_SENT, 1);
	if (row->state == OUTBOUND_SENT && row->kind == OUTBOUND_REPLY)
		histogram_observe(&bus_delivery_time, (clock_wall() - row->created_ms) * 1000);
}

void bus_delivered(struct bus *b, const struct outbound *row)
{
	count_delivery(row);
	list_each(&b->waiters, it, tmp) {
		struct waiter *w = list_entry(it, struct waiter, link);
		if (w->id != row->id || w->row)
			continue;
		w->row = outbound_copy(row);
		task_wake(w->task);
	}
	outbox_file_discard(b, row->file);
	if (b->handler.delivered)
		b->handler.delivered(b->handler.arg, row);
}

/* Another node sends it: reads it again, less and less often. Returns as task_wait_until. */
static int await_elsewhere(
    struct task *t, struct bus *b, struct outbound **row, uint64_t due, uint64_t *pause, struct error *err)
{
	uint64_t now = clock_now();
	struct outbound *again;
	int rc = task_wait_until(t, now + *pause < due ? now + *pause : due, err);

	if (rc <= 0)
		return rc;
	*pause = *pause * 2 < AWAIT_MAX_MS ? *pause * 2 : AWAIT_MAX_MS;
	again = b->journal.ops->get_outbound(t, b->journal.self, (*row)->id, err);
	if (again) {
		outbound_free(*row);
		*row = again;
	}
	return clock_now() >= due;
}

struct outbound *bus_await(struct task *t, struct bus *b, int64_t id, uint64_t ms, struct error *err)
{
	struct waiter w = {.id = id, .task = t};
	uint64_t due = clock_now() + ms, pause = AWAIT_MIN_MS;
	int rc = 0;

	/* Registered before the journal is asked, so that an end in between is not missed. */
	list_append(&b->waiters, &w.link);
	struct outbound *row = b->journal.ops->get_outbound(t, b->journal.self, id, err);
	while (row && !is_final(row->state) && !w.row && rc == 0)
		rc = bus_serves(b, &row->to) ? task_wait_until(t, due, err) :
					       await_elsewhere(t, b, &row, due, &pause, err);
	list_remove(&w.link);
	if (w.row) {
		outbound_free(row);
		row = w.row;
	}
	if (rc < 0) {
		outbound_free(row);
		return NULL;
	}
	return row;
}

const struct journal *bus_journal(struct bus *b)
{
	return &b->journal;
}
