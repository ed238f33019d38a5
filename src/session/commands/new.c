#include <stddef.h>

#include "session/commands/command.h"
#include "session/session.h"

static void run(struct task *t, struct command_call *call)
{
	(void)t;
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
