#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "bus/escape.h"
#include "session/commands/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	struct error err = {0};

	if (sessions_retry(t, call->all, call->asked, &err) == 0)
		call->asked = NULL;
	else if (err.kind == ERROR_REFUSED)
		buf_addstr(call->reply, "I am working on an answer here. Wait for it, or send /stop first.");
	else
		escape_markdown(call->reply, err.text);
}

const struct command command_retry = {
    .name = "retry",
    .role = ACCESS_USER,
    .help = "answer your last message again",
    .run = run,
};
