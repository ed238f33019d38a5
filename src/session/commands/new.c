#include <stddef.h>

#include "base/buf.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	(void)t;
	if (call->role <= ACCESS_GUEST && call->asked->chat_kind != CHAT_PRIVATE) {
		buf_addstr(call->reply, "In a group that is not for guests: others talk here, too.");
		return;
	}
	sessions_renew(call->all, call->asked,
	    "A new conversation begins. What was said before is kept, but I no longer see it.");
	call->asked = NULL;
}

const struct command command_new = {
    .name = "new",
    .role = ACCESS_GUEST,
    .help = "begin a new conversation",
    .run = run,
};
