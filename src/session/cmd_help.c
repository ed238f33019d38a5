#include "base/buf.h"
#include "session/command.h"

static void run(struct task *t, struct command_call *call)
{
	(void)t;
	buf_addstr(call->reply, "Write to me, and I answer. Commands:\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];
		if (call->role >= c->role)
			buf_addf(call->reply, "/%s%s%s - %s\n", c->name, c->arguments ? " " : "",
			    c->arguments ? c->arguments : "", c->help);
	}
}

const struct command command_help = {
    .name = "help",
    .role = ACCESS_USER,
    .help = "what you can say here",
    .run = run,
};
