#include <stdlib.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus_internal.h"

/* Interval of retries while the rate limit leaves no room or the platform is not reached. */
#define RETRY_MS 1000
/* After this long a reaction that cannot be removed stays. */
#define GIVE_UP_MS (10 * 60 * 1000)

struct ack_reaction {
	struct bus *bus;
	struct address where;
	char *message_id;
	struct task *task; /* sets and removes it, one after the other; NULL: not begun */
	bool set;          /* may be on the message */
	bool shown;        /* was asked for */
	bool ended, keep;
};

static bool is_wanted(const struct ack_reaction *a)
{
	const struct channel *ch = bus_channel(a->bus, a->where.channel);

	return ch && ch->ops->react && ch->ack_reaction && *ch->ack_reaction != '\0';
}

static void set_reaction(struct task *t, struct ack_reaction *a)
{
	struct channel *ch = bus_channel_of(a->bus, &a->where);
	struct error err = {0};

	if (!ch || !ch->state || !is_wanted(a))
		return;
	/* The configuration that has it may be replaced meanwhile. */
	char *emoji = xstrdup(ch->ack_reaction);
	int rc = ch->ops->react(t, ch, &a->where, a->message_id, emoji, &err);
	free(emoji);
	a->set |= rc == 0 || (rc < 0 && (err.kind == ERROR_NETWORK || err.kind == ERROR_CANCELLED));
	if (rc < 0 && err.kind != ERROR_CANCELLED)
		log_debug("bus", "a reaction is not shown: %s", err.text);
}

/* Returns the time until the next attempt, or 0 when there is nothing left to do. */
static uint64_t try_remove(struct task *t, const struct ack_reaction *a, struct channel *ch)
{
	struct error err = {0};

	if (!bus_channel_works(ch))
		return RETRY_MS;
	int rc = ch->ops->react(t, ch, &a->where, a->message_id, "", &err);
	if (rc > 0)
		return RETRY_MS;
	if (rc == 0 || err.kind == ERROR_CANCELLED)
		return 0;
	if (err.kind == ERROR_LIMITED || err.kind == ERROR_NETWORK)
		return err.retry_ms > RETRY_MS ? err.retry_ms : RETRY_MS;
	log_debug("bus", "a reaction is not removed: %s", err.text);
	return 0;
}

static void remove_reaction(struct task *t, struct ack_reaction *a)
{
	uint64_t until_ms = clock_now() + GIVE_UP_MS, wait_ms;
	struct channel *ch;

	a->bus->ack_removals++;
	while ((ch = bus_channel_of(a->bus, &a->where)) && (wait_ms = try_remove(t, a, ch)) > 0)
		if (a->bus->stopping || clock_now() > until_ms || task_sleep(t, wait_ms, NULL) < 0)
			break;
	a->bus->ack_removals--;
}

static void ack_free(struct ack_reaction *a)
{
	free(a->message_id);
	free(a);
}

static void ack_run(struct task *t, void *arg)
{
	struct ack_reaction *a = arg;

	if (a->shown)
		set_reaction(t, a);
	while (!a->ended && task_wait(t, NULL) == 0)
		;
	if (a->ended && a->set && !a->keep && !a->bus->stopping && is_wanted(a))
		remove_reaction(t, a);
	a->task = NULL;
	if (a->ended)
		ack_free(a);
}

static void start(struct ack_reaction *a)
{
	a->task = task_start(&a->bus->tasks, "acknowledge", ack_run, a);
}

struct ack_reaction *ack_reaction_new(
    struct bus *b, const struct address *where, const char *message_id, bool set)
{
	struct ack_reaction *a = xcalloc(1, sizeof(*a));

	a->bus = b;
	a->where = *where;
	a->message_id = xstrdup(message_id);
	a->set = set;
	return a;
}

void ack_reaction_show(struct ack_reaction *a)
{
	if (!a || a->shown || !is_wanted(a))
		return;
	a->shown = true;
	start(a);
}

void ack_reaction_end(struct ack_reaction *a, bool keep)
{
	if (!a)
		return;
	a->ended = true;
	a->keep = keep;
	if (a->task)
		task_wake(a->task);
	else if (a->set && !keep && !a->bus->stopping && !a->shown)
		start(a);
	else
		ack_free(a);
}
