#include <string.h>

#include "base/buf.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "session/commands/command.h"
#include "session/direct_reply.h"

enum { COMMAND };

static void list(const struct command_call *call)
{
	buf_addstr(call->reply, "Write to me, and I answer. Commands:\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];
		if (call->role < c->role)
			continue;
		command_usage(c, call->reply);
		buf_addf(call->reply, " - %s%s\n", c->help, c->role >= ACCESS_ADMIN ? " (admins)" : "");
	}
}

static void explain(const struct command *c, struct buf *out)
{
	command_usage(c, out);
	buf_addf(out, "\n%s. For %s.", c->help,
	    c->role >= ACCESS_ADMIN ? "admins" : "everybody who may talk to me");
	if (c->takes)
		arguments_explain(c->takes, out);
}

static void run(struct task *t, struct command_call *call)
{
	const char *name = call->values[COMMAND];
	struct buf text = BUF_INIT;

	(void)t;
	if (!name) {
		list(call);
		return;
	}
	name += *name == '/';
	const struct command *c = command_find(name, strlen(name));
	if (c) {
		explain(c, call->reply);
	} else {
		buf_addf(&text, "There is no command /%.32s. /help lists them.", name);
		escape_markdown(call->reply, text.data);
	}
	buf_clear(&text);
}

static const struct channel_argument takes[] = {
    {.name = "command", .help = "the command to explain"},
    {.name = NULL},
};

static void start(struct task *t, struct command_call *call)
{
	(void)t;
	direct_reply_welcome(call->all, call->reply);
}

const struct command command_start = {
    .name = "start",
    .role = ACCESS_GUEST,
    .help = "introduce myself, with examples",
    .ignores_words = true,
    .run = start,
};

const struct command command_help = {
    .name = "help",
    .role = ACCESS_GUEST,
    .takes = takes,
    .help = "list what you can say here, or explain a command",
    .run = run,
};
