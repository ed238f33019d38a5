#include "base/buf.h"
#include "session/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	sessions_status(t, call->all, call->role == ACCESS_ADMIN, call->reply);
}

const struct command command_status = {
    .name = "status",
    .role = ACCESS_USER,
    .help = "how I am",
    .run = run,
};
