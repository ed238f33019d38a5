#include "base/buf.h"
#include "base/error.h"
#include "bus/literal.h"
#include "bus/message.h"
#include "session/command.h"
#include "session/session_private.h"
#include "store/usage.h"

static void describe(struct buf *out, const char *of, const struct store_usage *u)
{
	buf_addf(out, "- %s: %lld in (%lld of them cached), %lld out, in %lld request%s\n", of, (long long)u->input,
	    (long long)u->cached, (long long)u->output, (long long)u->requests, u->requests == 1 ? "" : "s");
}

static void run(struct task *t, struct command_call *call)
{
	struct error err = {0};
	struct store_usages u;

	if (store_usage_read(t, call->all->options.agent->store, &call->asked->from, &u, &err) < 0) {
		literal_add(call->reply, err.text);
		return;
	}
	buf_addstr(call->reply, "Tokens, as the models' providers count them (a day begins at 0:00 UTC):\n");
	describe(call->reply, "this chat, today", &u.chat_today);
	describe(call->reply, "this chat, in total", &u.chat);
	if (call->role < ACCESS_ADMIN)
		return;
	describe(call->reply, "all chats, today", &u.all_today);
	describe(call->reply, "all chats, in total", &u.all);
}

const struct command command_usage_tokens = {
    .name = "usage",
    .role = ACCESS_USER,
    .help = "how many tokens were used, here and (for admins) in all chats",
    .run = run,
};
