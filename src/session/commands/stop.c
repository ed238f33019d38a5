#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "base/time/duration.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

#define THREADS_MAX 10

/* Whose answers the command may stop: in a group a guest stops their own alone. NULL: anybody's. */
static const char *whose(const struct command_call *call)
{
	const struct message *m = call->asked;

	return call->role <= ACCESS_GUEST && m->chat_kind != CHAT_PRIVATE ? m->sender_id : NULL;
}

static void say_nothing(struct command_call *call)
{
	buf_addstr(call->reply,
	    whose(call) ?
		"No answer to you is running. In a group, guests can stop only answers to themselves." :
		"Nothing is running here.");
}

static void describe(struct buf *out, const struct session *s)
{
	const struct message *asked = s->runner.turn ? s->runner.turn->row.asked : NULL;
	struct buf text = BUF_INIT;

	buf_addstr(&text, "the answer");
	if (asked && asked->sender_name)
		buf_addf(&text, " to %s", asked->sender_name);
	buf_addf(&text, " in the thread %s", s->where.thread);
	if (asked && asked->received_ms > 0) {
		buf_addstr(&text, ", asked ");
		duration_add(&text, clock_wall() - asked->received_ms);
		buf_addstr(&text, " ago");
	}
	escape_markdown(out, text.data);
	buf_clear(&text);
}

static void stop_one(struct command_call *call, const struct session *s)
{
	size_t waiting, background;
	struct address where = s->where;

	buf_addf(call->reply, "%sStopped ", call->reply->len > 0 ? "\n" : "");
	describe(call->reply, s);
	buf_addch(call->reply, '.');
	sessions_stop(call->all, &where, whose(call), &waiting, &background);
}

static void list(struct command_call *call, struct session *const *found, size_t count)
{
	buf_addf(call->reply, "I am answering in %zu threads here:\n", count);
	for (size_t i = 0; i < count && i < THREADS_MAX; i++) {
		buf_addf(call->reply, "%zu. ", i + 1);
		describe(call->reply, found[i]);
		buf_addch(call->reply, '\n');
	}
	buf_addstr(call->reply, "\n/stop 1 stops the first, and so on; /stop all stops them all.");
}

static void stop_all(struct command_call *call, size_t count)
{
	struct session **found = xcalloc(count, sizeof(struct session *));

	sessions_in_threads(call->all, &call->asked->from, whose(call), found, count);
	for (size_t i = 0; i < count; i++)
		stop_one(call, found[i]);
	free(found);
}

/* A platform's commands need not work in threads. */
static void stop_in_threads(struct command_call *call)
{
	struct session *found[THREADS_MAX];
	size_t count = sessions_in_threads(call->all, &call->asked->from, whose(call), found, THREADS_MAX);
	size_t listed = count < THREADS_MAX ? count : THREADS_MAX, chosen = strtoul(call->args, NULL, 10);

	if (count == 0)
		say_nothing(call);
	else if (count == 1)
		stop_one(call, found[0]);
	else if (strcmp(call->args, "all") == 0)
		stop_all(call, count);
	else if (chosen >= 1 && chosen <= listed)
		stop_one(call, found[chosen - 1]);
	else
		list(call, found, count);
}

static void run(struct task *t, struct command_call *call)
{
	size_t waiting = 0, background = 0;
	bool found = sessions_stop(call->all, &call->asked->from, whose(call), &waiting, &background);

	(void)t;
	if (!found && background == 0) {
		if (*call->asked->from.thread)
			say_nothing(call);
		else
			stop_in_threads(call);
		return;
	}
	buf_addstr(call->reply, "Stopped");
	if (background > 0)
		buf_addf(call->reply, "%s %zu background task%s", found ? ", with" : "", background,
		    background == 1 ? "" : "s");
	buf_addch(call->reply, '.');
	if (waiting > 0)
		buf_addf(call->reply, " %zu more message%s waiting; send /stop again to stop each.", waiting,
		    waiting == 1 ? " is" : "s are");
}

const struct command command_stop = {
    .name = "stop",
    .role = ACCESS_GUEST,
    .help = "stop what I am doing",
    .ignores_words = true,
    .run = run,
};
