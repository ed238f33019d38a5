#include "bus/typing.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus_private.h"

/* Telegram shows it for 5 s, Discord for 10 s. */
#define TYPING_EVERY_MS 4000
/* Who is answered sooner needs no sign that an answer comes, and its call is saved. */
#define TYPING_FIRST_MS 250
/* However long a turn runs, the indicator ends after this. */
#define TYPING_MOST_MS (10 * 60 * 1000)

struct typing {
	struct list link;
	struct bus *bus;
	struct address where;
	unsigned wanted;
	struct clock_timer timer;	/* until it is first shown */
	struct task *task;		/* from then on */
};

static void typing_run(struct task *t, void *arg)
{
	struct typing *y = arg;
	struct channel *ch = bus_channel(y->bus, y->where.channel);
	uint64_t until = clock_now() + TYPING_MOST_MS;
	struct error err = {0};

	while (ch && clock_now() < until) {
		if (ch->status == CHANNEL_READY && ch->ops->typing(t, ch, &y->where, &err) < 0) {
			if (!task_is_cancelled(t))
				log_debug("bus", "typing is not shown: %s", err.text);
			break;
		}
		if (task_sleep(t, TYPING_EVERY_MS, &err) < 0)
			break;
	}
	/* Stays in the list until nobody wants it, so that it is not started again. */
	while (!task_is_cancelled(t))
		task_wait(t, NULL);
	free(y);
}

static void typing_show(struct clock_timer *timer, void *arg)
{
	struct typing *y = arg;

	(void)timer;
	y->task = task_start(&y->bus->tasks, "typing", typing_run, y);
}

static void typing_end(struct typing *y)
{
	list_remove(&y->link);
	clock_timer_stop(&y->timer);
	if (y->task)
		task_cancel(y->task);
	else
		free(y);
}

static struct typing *typing_find(struct bus *b, const struct address *where)
{
	list_each(&b->typings, it, tmp) {
		struct typing *y = list_entry(it, struct typing, link);
		if (address_equal(&y->where, where))
			return y;
	}
	return NULL;
}

void bus_typing_start(struct bus *b, const struct address *where)
{
	struct channel *ch = bus_channel(b, where->channel);
	struct typing *y = typing_find(b, where);

	if (y) {
		y->wanted++;
		return;
	}
	if (!ch || !(ch->ops->caps & CHANNEL_TYPING) || b->stopping)
		return;
	y = xcalloc(1, sizeof(*y));
	y->bus = b;
	y->where = *where;
	y->wanted = 1;
	list_append(&b->typings, &y->link);
	clock_timer_start(&y->timer, TYPING_FIRST_MS, typing_show, y);
}

void bus_typing_stop(struct bus *b, const struct address *where)
{
	struct typing *y = typing_find(b, where);

	if (y && --y->wanted == 0)
		typing_end(y);
}

void typing_stop_all(struct bus *b)
{
	list_each(&b->typings, it, tmp)
		typing_end(list_entry(it, struct typing, link));
}
