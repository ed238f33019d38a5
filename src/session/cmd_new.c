#include "base/buf.h"
#include "base/error.h"
#include "session/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	struct error err = {0};

	buf_addstr(call->reply, "A new conversation begins. What was said before is kept, but I no longer see it.");
	if (sessions_renew(t, call->all, call, &err) == 0)
		return;
	buf_reset(call->reply);
	buf_addf(call->reply, "The conversation could not be closed: %s", err.text);
}

const struct command command_new = {
    .name = "new",
    .role = ACCESS_USER,
    .help = "begin a new conversation",
    .run = run,
};
