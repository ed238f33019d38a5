#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/post.h"
#include "session/commands/broadcast.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "tools/tools.h"

enum { TO, TEXT };

static void run(struct task *t, struct command_call *call)
{
	const struct agent *agent = call->all->options.agent;
	/* The key is the same when a crash makes the command run again, which then finds what was sent. */
	char *key = xasprintf("command:%lld", (long long)call->asked->id);
	struct post p = {.bus = agent->bus, .key = key, .text = call->values[TEXT]};
	struct error err = {0};

	if (post_add_named(&p, tools_targets(agent->tools), call->values[TO], &err) < 0)
		escape_markdown(call->reply, err.text);
	else
		broadcast_send(t, &p, call->reply);
	post_clear(&p);
	free(key);
}

static const struct channel_argument takes[] = {
    {.name = "to", .required = true, .help = "an address, as telegram:-100123/42, or the name of a target"},
    {.name = "text", .kind = CHANNEL_ARGUMENT_TEXT, .required = true, .help = "what to say"},
    {.name = NULL},
};

const struct command command_send = {
    .name = "send",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .takes = takes,
    .help = "send a text to another chat",
    .run = run,
};
