#include <stdlib.h>

#include "agent/budget.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/usage.h"

static void describe(struct buf *out, const char *of, const struct store_usage *u, const char *currency)
{
	buf_addf(out, "- %s: %lld in (%lld of them cached), %lld out, in %lld request%s", of,
	    (long long)u->input, (long long)u->cached, (long long)u->output, (long long)u->requests,
	    u->requests == 1 ? "" : "s");
	buf_addstr(out, "; cost: ");
	budget_add_cost(out, u->requests, u->unpriced, u->cost, currency);
	if (u->seconds > 0)
		buf_addf(out, "; %lld:%02lld minutes of speech", (long long)u->seconds / 60,
		    (long long)u->seconds % 60);
	if (u->estimated > 0)
		buf_addf(out, "; what %lld of the requests took is estimated, as the provider did not say it",
		    (long long)u->estimated);
	buf_addch(out, '\n');
}

/* today, this month, in total */
static int tell(struct task *t, const struct command_call *call, enum store_scope scope, const char *whose,
    struct buf *out, struct error *err)
{
	static const char *const whens[] = {"today", "this month", "in total"};
	const struct agent *a = call->all->options.agent;
	const struct store_account key =
	    budget_account_of(a, scope, &call->asked->from, call->asked->sender_id);
	int64_t day = budget_day(a->budget), periods[] = {day, day / 100, 0};
	struct store_usage found[ARRAY_LEN(periods)] = {{0}};

	if (store_usage_total(t, a->store, &key, periods, ARRAY_LEN(periods), found, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
		char *of = xasprintf("%s, %s", whose, whens[i]);
		describe(out, of, &found[i], budget_currency(a->budget));
		free(of);
	}
	return 0;
}

static void run(struct task *t, struct command_call *call)
{
	const struct budget *b = call->all->options.agent->budget;
	struct error err = {0};
	struct buf text = BUF_INIT;

	buf_addf(&text, "Tokens, as the models' providers count them (a day begins at midnight, %s):\n",
	    budget_zone(b));
	int rc = tell(t, call, STORE_CHAT, "this chat", &text, &err);
	if (rc == 0 && call->asked->chat_kind != CHAT_PRIVATE && !call->asked->sender_is_chat)
		rc = tell(t, call, STORE_PERSON, "you, in all chats", &text, &err);
	if (rc == 0 && call->channel_role >= ACCESS_ADMIN)
		rc = tell(t, call, STORE_ALL, "all chats", &text, &err);
	if (rc < 0)
		escape_markdown(call->reply, err.text);
	else
		buf_addstr(call->reply, text.data);
	buf_clear(&text);
}

const struct command command_usage_tokens = {
    .name = "usage",
    .role = ACCESS_USER,
    .help = "show tokens and their cost: here, by you and (for admins) in all chats",
    .run = run,
};
