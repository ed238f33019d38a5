#include <stdlib.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "base/time/duration.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/conversations.h"

#define PAGE_LINES 10
#define PAGES_MAX  100

enum { PAGE };

static const char *work_of(const struct session *s, bool open)
{
	if (s && s->state == SESSION_WAITING_FOR_MODEL)
		return ", waits for the model";
	if (s && session_has_turn(s) && s->state != SESSION_INTERRUPTED)
		return ", works";
	return open ? ", its turn has not ended" : "";
}

static void describe(struct buf *out, struct sessions *all, const struct store_conversation *c)
{
	const struct session *s = session_find(all, &c->where);
	char where[ADDRESS_TEXT_MAX];
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s: %lld message%s, active ", address_format(&c->where, where),
	    (long long)c->messages, c->messages == 1 ? "" : "s");
	duration_add(&line, clock_wall() - c->active_ms);
	buf_addf(&line, " ago%s", work_of(s, c->open));
	if (s && s->queue.count > 0)
		buf_addf(&line, ", %zu waiting", s->queue.count);
	buf_addstr(out, "- ");
	escape_markdown(out, line.data);
	buf_addch(out, '\n');
	buf_clear(&line);
}

static size_t page_of(const char *value)
{
	unsigned long page = value ? strtoul(value, NULL, 10) : 1;

	if (page < 1)
		return 1;
	return page < PAGES_MAX ? page : PAGES_MAX;
}

static void run(struct task *t, struct command_call *call)
{
	struct store_conversation list[PAGE_LINES];
	size_t page = page_of(call->values[PAGE]);
	struct error err = {0};
	bool more = false;
	int n = store_conversations(
	    t, call->all->options.agent->store, (page - 1) * PAGE_LINES, list, PAGE_LINES, &more, &err);

	if (n < 0) {
		escape_markdown(call->reply, err.text);
		return;
	}
	if (n == 0)
		buf_addstr(call->reply, page > 1 ? "There are no more." : "Nobody has talked to me yet.");
	for (int i = 0; i < n; i++)
		describe(call->reply, call->all, &list[i]);
	if (more && page < PAGES_MAX)
		buf_addf(call->reply, "/sessions %zu shows more.", page + 1);
}

static const struct channel_argument takes[] = {
    {.name = "page", .kind = CHANNEL_ARGUMENT_NUMBER, .help = "which page of the list, from 1"},
    {.name = NULL},
};

const struct command command_sessions = {
    .name = "sessions",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .takes = takes,
    .help = "list the conversations, the most recent first",
    .run = run,
};
