#include "base/buf.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	size_t waiting = 0, behind = 0;
	bool found = sessions_stop(call->all, &call->asked->from, &waiting, &behind);

	(void)t;
	if (!found && behind == 0) {
		buf_addstr(call->reply, "Nothing is running here.");
		return;
	}
	buf_addstr(call->reply, "Stopped.");
	if (behind > 0)
		buf_addf(call->reply, " %zu background task%s too.", behind, behind == 1 ? "" : "s");
	if (waiting > 0)
		buf_addf(call->reply, " %zu more message%s waiting; send /stop again to stop each.", waiting,
		    waiting == 1 ? " is" : "s are");
}

const struct command command_stop = {
    .name = "stop",
    .role = ACCESS_GUEST,
    .help = "stop what I am doing",
    .any_words = true,
    .run = run,
};
