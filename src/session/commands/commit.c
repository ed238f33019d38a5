#include "session/commands/commit.h"

#include "base/error.h"
#include "base/log.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/direct_reply.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

static int commit_until_stored(struct task *t, const struct message *asked, struct outbound *const *rows,
    size_t count, const struct command_change *effect, struct error *err)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	int rc;

	while ((rc = effect->commit(t, effect->arg, asked->id, rows, count, err)) < 0 &&
	    err->kind != ERROR_REFUSED) {
		if (task_check(t, NULL) < 0)
			break;
		log_error("command", "cannot record what a command does, trying again: %s inbound=%lld",
		    err->text, (long long)asked->id);
		if (task_sleep(t, backoff_next(&wait), NULL) < 0)
			break;
	}
	return rc;
}

int command_commit(struct task *t, struct command_call *call, const char *text,
    const struct command_change *effect, struct error *err)
{
	struct bus *bus = call->all->options.agent->bus;
	struct message *asked = call->asked;
	size_t count = 0;
	struct outbound **rows = direct_reply_outbound(call->all, asked, text, &count, err);
	int rc = rows ? commit_until_stored(t, asked, rows, count, effect, err) : -1;

	bus_rows_free(rows, count);
	if (rc < 0)
		return -1;
	bus_wake(bus, &asked->from);
	message_free(asked);
	call->asked = NULL;
	return 0;
}
