#include "base/buf.h"
#include "bus/escape.h"
#include "session/commands/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	struct buf text = BUF_INIT;

	sessions_doctor(t, call->all, &text);
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

const struct command command_doctor = {
    .name = "doctor",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .help = "check for problems, and say how to fix them",
    .run = run,
};
