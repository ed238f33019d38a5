#include "base/buf.h"
#include "bus/escape.h"
#include "session/commands/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	struct buf text = BUF_INIT;

	sessions_status(t, call->all, call->channel_role >= ACCESS_ADMIN, &text);
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

const struct command command_status = {
    .name = "status",
    .role = ACCESS_USER,
    .help = "show my state",
    .run = run,
};
