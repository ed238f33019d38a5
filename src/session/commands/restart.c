#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "base/time/duration.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

/* How long the notice may take to arrive; after that the next process sends it. */
#define SENT_MS   3000
#define SOON_TEXT "I restart now. What is running continues afterwards."

/* Commits the notice to the chat. */
static int announce(struct task *t, struct command_call *call, struct error *err)
{
	struct bus *bus = call->all->options.agent->bus;
	const struct message *m = call->asked;
	char *key = xasprintf("restart:%lld", (long long)m->id);
	size_t count = 0;
	struct outbound **rows =
	    bus_rows(bus, &m->from, OUTBOUND_REPLY, SOON_TEXT, m->message_id, key, 0, &count, err);
	int rc = rows ? bus_send(t, bus, rows, count, err) : -1;

	if (rc == 0)
		outbound_free(bus_await(t, bus, rows[count - 1]->id, SENT_MS, NULL));
	bus_rows_free(rows, count);
	free(key);
	return rc;
}

static void run(struct task *t, struct command_call *call)
{
	const struct sessions_options *options = &call->all->options;
	struct error err = {0};

	/* The command stays pending over the restart, so a process that finds it in the journal has
	 * restarted. */
	if (call->asked->id <= call->all->resumed_id) {
		buf_addstr(call->reply, "I have restarted, ");
		duration_add(call->reply, (int64_t)(clock_now() - call->all->started_ms));
		buf_addstr(call->reply, " ago.");
	} else if (!options->restart) {
		buf_addstr(call->reply, "Only the gateway can be restarted, and I run in a terminal.");
	} else if (announce(t, call, &err) < 0) {
		escape_markdown(call->reply, err.text);
	} else {
		log_info("command", "restarting, as asked by=\"%s\"", call->asked->sender_id);
		options->restart(options->arg);
		message_free(call->asked);
		call->asked = NULL;
	}
}

const struct command command_restart = {
    .name = "restart",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .help = "stop and start again, without losing anything",
    .run = run,
};
