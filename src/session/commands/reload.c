#include "base/buf.h"
#include "bus/escape.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

static void run(struct task *t, struct command_call *call)
{
	const struct sessions_options *options = &call->all->options;
	struct buf text = BUF_INIT;

	if (options->reload)
		options->reload(t, options->arg, &text);
	else
		buf_addstr(&text, "The configuration cannot be read again here.");
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

const struct command command_reload = {
    .name = "reload",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .help = "read the configuration again",
    .run = run,
};
