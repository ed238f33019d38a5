#include "ops/state_dump.h"

#include "base/log.h"
#include "base/task.h"
#include "bus/address.h"
#include "bus/bus.h"
#include "ops/gateway_view.h"
#include "ops/process.h"
#include "session/session.h"

/* Lines of each kind, to keep the log short. */
#define DUMP_LINES 300

struct count {
	size_t lines, all;
};

static bool may_log(struct count *c)
{
	return c->all++ < DUMP_LINES && ++c->lines > 0;
}

static void log_task(void *arg, const char *name, const char *waits, uint64_t ms)
{
	if (may_log(arg))
		log_info("state", "task %s: %s%s ms=%llu", name, waits ? "waits " : "runs",
		    waits ? waits : "", (unsigned long long)ms);
}

static void log_sender(void *arg, const char *channel, const char *chat, bool busy, uint64_t wait_ms)
{
	if (may_log(arg))
		log_info("state", "sender %s:%s: %s ms=%llu", channel, chat,
		    busy        ? "sends" :
			wait_ms ? "waits for its time" :
				  "is about to send",
		    (unsigned long long)wait_ms);
}

static void log_session(void *arg, const struct session_view *v)
{
	char where[ADDRESS_TEXT_MAX];

	if (may_log(arg))
		log_info("state", "session %s: %s queued=%zu backlog=%zu", address_format(v->where, where),
		    v->doing, v->queued, v->backlog);
}

static void log_channels(struct gateway *g)
{
	for (struct channel *ch = NULL; (ch = bus_next_channel(gateway_bus(g), ch));)
		log_info("state", "channel %s: %s, %s", ch->name, channel_status_name(ch->status),
		    ch->status_text);
}

void state_dump_log(struct gateway *g)
{
	struct count tasks = {0}, senders = {0}, sessions = {0};

	log_info("state", "up ms=%llu memory=%lld files=%zu tasks=%zu",
	    (unsigned long long)gateway_uptime_ms(g), (long long)process_memory(), process_files(),
	    task_count());
	if (gateway_bus(g)) {
		log_channels(g);
		bus_each_sender(gateway_bus(g), log_sender, &senders);
	}
	if (gateway_sessions(g))
		sessions_each(gateway_sessions(g), log_session, &sessions);
	task_each(log_task, &tasks);
	log_info("state", "end sessions=%zu senders=%zu tasks=%zu", sessions.all, senders.all, tasks.all);
}
