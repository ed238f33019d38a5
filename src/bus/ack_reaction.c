#include <stdlib.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus_internal.h"

/* Interval of retries while the rate limit leaves no room or the platform is not reached. */
#define RETRY_MS 1000
/* A reaction that cannot be removed for so long stays. */
#define GIVE_UP_MS (10 * 60 * 1000)

struct removal {
	struct bus *bus;
	struct address where;
	char *message_id;
};

/* Returns the time until the next attempt, or 0 when there is nothing left to do. */
static uint64_t try_remove(struct task *t, const struct removal *r, struct channel *ch)
{
	struct error err = {0};

	if (ch->status != CHANNEL_READY)
		return RETRY_MS;
	int rc = ch->ops->react(t, ch, &r->where, r->message_id, "", &err);
	if (rc > 0)
		return RETRY_MS;
	if (rc == 0 || err.kind == ERROR_CANCELLED)
		return 0;
	if (err.kind == ERROR_LIMITED || err.kind == ERROR_NETWORK)
		return err.retry_ms > RETRY_MS ? err.retry_ms : RETRY_MS;
	log_debug("bus", "a reaction is not removed: %s", err.text);
	return 0;
}

static void remove_run(struct task *t, void *arg)
{
	struct removal *r = arg;
	uint64_t until_ms = clock_now() + GIVE_UP_MS, wait_ms;
	struct channel *ch;

	while ((ch = bus_channel(r->bus, r->where.channel)) && (wait_ms = try_remove(t, r, ch)) > 0)
		if (r->bus->stopping || clock_now() > until_ms || task_sleep(t, wait_ms, NULL) < 0)
			break;
	r->bus->ack_removals--;
	free(r->message_id);
	free(r);
}

bool ack_reaction_wanted(const struct channel *ch)
{
	return ch && ch->ops->react && ch->ack_reaction && *ch->ack_reaction != '\0';
}

void ack_reaction_remove(struct bus *b, const struct address *where, const char *message_id)
{
	if (b->stopping)
		return;
	struct removal *r = xcalloc(1, sizeof(*r));
	r->bus = b;
	r->where = *where;
	r->message_id = xstrdup(message_id);
	b->ack_removals++;
	task_start(&b->tasks, "remove reaction", remove_run, r);
}
