#include "bus/outbox_sender_internal.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "base/task.h"
#include "bus/bus_internal.h"
#include "bus/outbox_sender.h"

int outbox_sender_compare_keys(const struct journal_queue *a, const struct journal_queue *b)
{
	int c = strcmp(a->chat, b->chat);

	return c ? c : strcmp(a->channel, b->channel);
}

static int outbox_sender_compare(const void *a, const void *b)
{
	const struct outbox_sender *x = a, *y = b;
	int c = outbox_sender_compare_keys(&x->key, &y->key);

	return c ? c : (x->file > y->file) - (x->file < y->file);
}

struct journal_queue outbox_sender_key(const struct address *to)
{
	struct journal_queue key = {0};

	memcpy(key.channel, to->channel, sizeof(key.channel));
	memcpy(key.chat, to->chat, sizeof(key.chat));
	return key;
}

struct address outbox_sender_address(const struct journal_queue *key)
{
	struct address to = {0};

	memcpy(to.channel, key->channel, sizeof(to.channel));
	memcpy(to.chat, key->chat, sizeof(to.chat));
	return to;
}

struct outbox_sender *outbox_sender_find(const struct bus *b, const struct journal_queue *key, int64_t file)
{
	const struct outbox_sender wanted = {.key = *key, .file = file};
	struct outbox_sender **at = tfind(&wanted, &b->senders, outbox_sender_compare);

	return at ? *at : NULL;
}

void outbox_sender_start(
    struct bus *b, const struct journal_queue *key, int64_t file, void (*run)(struct task *t, void *arg))
{
	struct outbox_sender *l = xcalloc(1, sizeof(*l));

	l->key = *key;
	l->file = file;
	l->bus = b;
	tsearch(l, &b->senders, outbox_sender_compare);
	b->sender_count++;
	l->task = task_start(&b->tasks, "outbox_sender", run, l);
}

bool outbox_sender_is_elsewhere(struct task *t, struct outbox_sender *l)
{
	const struct address to = outbox_sender_address(&l->key);
	struct error err = {0};

	if (l->reserved || l->committed)
		return false;
	while (bus_locate(t, l->bus, &to, &err) < 0)
		if (l->bus->stopping || task_sleep(t, 1000, NULL) < 0)
			return true;
	if (bus_serves(l->bus, &to))
		return false;
	if (l->bus->shared && l->bus->handler.put_elsewhere)
		l->bus->handler.put_elsewhere(l->bus->handler.arg, bus_unit(l->bus, &to));
	return true;
}

bool outbox_sender_must_end(const struct task *t, struct outbox_sender *l)
{
	const struct address to = outbox_sender_address(&l->key);

	return task_is_cancelled(t) || l->bus->stopping || !bus_serves(l->bus, &to);
}

void outbox_sender_end(struct outbox_sender *l)
{
	tdelete(l, &l->bus->senders, outbox_sender_compare);
	l->bus->sender_count--;
	free(l);
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

bool outbox_sender_has_reservation(const struct bus *b, const struct journal_queue *key)
{
	const struct outbox_sender *l = outbox_sender_find(b, key, 0);

	return l && (l->reserved || l->committed);
}

struct count {
	struct bus *bus;
	const char *channel;
	size_t found;
};

static void count_one(const void *node, VISIT which, void *arg)
{
	const struct outbox_sender *l = *(struct outbox_sender *const *)node;
	struct count *c = arg;

	const struct address to = outbox_sender_address(&l->key);

	if (which == postorder || which == leaf)
		c->found += strcmp(bus_unit(c->bus, &to), c->channel) == 0;
}

size_t outbox_sender_count(struct bus *b, const char *channel)
{
	struct count c = {.bus = b, .channel = channel};

	twalk_r(b->senders, count_one, &c);
	return c.found;
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
