#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/post.h"
#include "session/commands/broadcast_send.h"
#include "session/commands/command.h"
#include "session/approval/question.h"
#include "session/session_internal.h"
#include "tools/tools.h"

/* How long a dry run offers to send. */
#define ASK_MS (10 * 60 * 1000)

enum { DRY_RUN, TARGET, TEXT };

static void say(struct buf *reply, const char *text)
{
	escape_markdown(reply, text);
}

/* Shows the recipients, with a button that sends. */
static void ask(struct task *t, struct command_call *call, const struct post *p)
{
	struct buf text = BUF_INIT;
	struct error err = {0};
	char *data = broadcast_encode(p);

	buf_addf(&text, "This would go to %zu address%s:\n", p->count, p->count == 1 ? "" : "es");
	broadcast_list(p, &text);
	struct question_request q = {.action = &question_broadcast,
	    .asked = call->asked,
	    .data = data,
	    .text = text.data,
	    .ms = ASK_MS};
	if (!question_is_possible(call->all, call->asked)) {
		buf_addstr(call->reply, text.data);
	} else if (question_ask(t, call->all, &q, &err) < 0) {
		say(call->reply, err.text);
	} else {
		message_free(call->asked);
		call->asked = NULL;
	}
	buf_clear(&text);
	free(data);
}

static void run(struct task *t, struct command_call *call)
{
	const struct agent *agent = call->all->options.agent;
	/* The key is the same when a crash makes the command run again, which then finds what was sent. */
	char *key = xasprintf("command:%lld", (long long)call->asked->id);
	struct post p = {.bus = agent->bus, .key = key, .text = call->values[TEXT]};
	struct error err = {0};

	if (post_add_named(&p, tools_targets(agent->tools), call->values[TARGET], &err) < 0)
		say(call->reply, err.text);
	else if (call->values[DRY_RUN])
		ask(t, call, &p);
	else
		broadcast_send(t, &p, call->reply);
	post_clear(&p);
	free(key);
}

static const struct channel_argument takes[] = {
    {.name = "dry-run", .kind = CHANNEL_ARGUMENT_FLAG, .help = "show first who would get it, and ask"},
    {.name = "target", .required = true, .help = "the name of a target, or an address"},
    {.name = "text", .kind = CHANNEL_ARGUMENT_TEXT, .required = true, .help = "what to say"},
    {.name = NULL},
};

const struct command command_broadcast = {
    .name = "broadcast",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "send a text to all chats of a target",
    .run = run,
};
