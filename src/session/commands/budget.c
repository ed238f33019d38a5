#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/budget.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "llm/llm.h"
#include "session/commands/budget_parse.h"
#include "session/commands/command.h"
#include "session/commands/grant.h"
#include "session/session_internal.h"

#define OTHERS_MAX 20
#define HOW_TEXT                                                                                             \
	"To change one: /budget chat 500k tokens a day, /budget me 20 turns a day, /budget person ID 5 %s "  \
	"a month, /budget all 100 %s a month, "                                                              \
	"/budget chat no tokens a day. /budget chat lift lets it rest for today, /budget chat default goes " \
	"back to the configuration."

enum { WHAT };

static const char *const whose[] = {
    [STORE_ALL] = "all chats together", [STORE_CHAT] = "this chat", [STORE_PERSON] = "you, in all chats"};

static enum budget_role role_of(enum access_role role)
{
	return role >= ACCESS_ADMIN ? BUDGET_ADMIN : role <= ACCESS_GUEST ? BUDGET_GUEST : BUDGET_USER;
}

static struct budget *budget_of(const struct command_call *call)
{
	return call->all->options.agent->budget;
}

/* Appends the limits. */
static bool add_limits(struct buf *out, const struct budget_state states[STORE_WINDOWS], const char *currency)
{
	bool any = false;

	for (size_t w = 0; w < STORE_WINDOWS; w++)
		for (size_t m = 0; m < STORE_MEASURES; m++) {
			if (states[w].most[m] == STORE_NO_LIMIT)
				continue;
			buf_addstr(out, any ? "; " : "");
			budget_add_use(out, &states[w], (enum store_measure)m, currency);
			buf_addf(out, " %s%s", budget_window_now[w],
			    states[w].from_chat ? " (set with /budget)" : "");
			any = true;
		}
	return any;
}

static int add_account(struct task *t, const struct command_call *call, const struct store_account *key,
    const char *name, enum budget_role role, struct buf *out, struct error *err)
{
	struct budget *b = budget_of(call);
	struct budget_state states[STORE_WINDOWS];

	if (budget_read_state(t, b, key, role, states, err) < 0)
		return -1;
	buf_addf(out, "- %s: ", name);
	if (!add_limits(out, states, budget_currency(b))) {
		buf_addstr(out, "no limit; ");
		budget_add_amount(
		    out, STORE_TOKENS, states[STORE_DAY].used[STORE_TOKENS], budget_currency(b));
		buf_addstr(out, " today");
	} else if (states[0].lifted) {
		buf_addstr(out, " - lifted for today");
	}
	buf_addch(out, '\n');
	return 0;
}

/* Appends the limits set for others, for admins. */
static int add_others(struct task *t, const struct command_call *call, const struct store_account *own,
    struct buf *out, struct error *err)
{
	const struct store_budgets *all = budget_from_chat(budget_of(call));
	struct store_account *keys = xcalloc(all->set_count + 1, sizeof(*keys));
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i < all->set_count; i++) {
		const struct store_account *a = &all->set[i].account;
		bool known = a->scope == STORE_ALL;
		for (size_t k = 0; k <= STORE_PERSON; k++)
			known |= memcmp(&own[k], a, sizeof(*a)) == 0;
		for (size_t k = 0; k < n; k++)
			known |= memcmp(&keys[k], a, sizeof(*a)) == 0;
		if (!known)
			keys[n++] = *a;
	}
	for (size_t i = 0; i < n && i < OTHERS_MAX && rc == 0; i++) {
		char *name = xasprintf("%s %s:%s", keys[i].scope == STORE_CHAT ? "chat" : "person",
		    keys[i].channel, keys[i].who);
		rc = add_account(t, call, &keys[i], name, BUDGET_USER, out, err);
		free(name);
	}
	if (n > OTHERS_MAX)
		buf_addf(out, "- and %zu more\n", n - OTHERS_MAX);
	free(keys);
	return rc;
}

static void show(struct task *t, const struct command_call *call, struct buf *out)
{
	const struct agent *a = call->all->options.agent;
	const struct message *asked = call->asked;
	struct store_account own[STORE_PERSON + 1];
	struct error err = {0};
	int rc = 0;

	memset(own, 0, sizeof(own));
	buf_addf(out, "Budgets (a day begins at midnight, %s):\n", budget_zone(budget_of(call)));
	for (enum store_scope s = STORE_ALL; s <= STORE_PERSON; s++)
		if (s != STORE_PERSON || !asked->sender_is_chat)
			own[s] = budget_account_of(a, s, &asked->from, asked->sender_id);
	for (int s = STORE_PERSON; s >= STORE_CHAT && rc == 0; s--)
		if (*own[s].who)
			rc = add_account(t, call, &own[s], whose[s], role_of(call->role), out, &err);
	if (rc == 0 && call->channel_role >= ACCESS_ADMIN)
		rc = add_account(t, call, &own[STORE_ALL], whose[STORE_ALL], BUDGET_ADMIN, out, &err);
	if (rc == 0 && call->channel_role >= ACCESS_ADMIN)
		rc = add_others(t, call, own, out, &err);
	if (rc == 0 && call->role >= ACCESS_ADMIN)
		buf_addf(out, HOW_TEXT, budget_currency(budget_of(call)), budget_currency(budget_of(call)));
	if (rc < 0) {
		buf_reset(out);
		buf_addstr(out, err.text);
	}
}

/* A change of one account's budget. */
struct plan {
	struct budget *budget;
	struct store_account account;
	enum budget_role role;
	char *name; /* shown to people */
	struct store_budget set;
	struct store_lift lift;
	struct store_budget_change change;
};

static bool find_person(struct command_call *call, const struct budget_request *request, struct plan *p)
{
	const struct agent *a = call->all->options.agent;
	struct grant_subject who = {0};
	struct address where = call->asked->from;

	bool answered = strcasecmp(request->whom, BUDGET_THEM) == 0;

	if (answered && !grant_answers_person(call)) {
		buf_addstr(call->reply,
		    "Who do you mean? Reply to one of their messages with this command, or write person and "
		    "an id "
		    "instead.");
		return false;
	}
	if (!*request->whom) {
		p->account = budget_account_of(a, STORE_PERSON, &where, call->asked->sender_id);
		p->role = role_of(call->role);
		p->name = xstrdup(whose[STORE_PERSON]);
		return true;
	}
	if (!grant_subject_read(call, answered ? NULL : request->whom, &who)) {
		grant_subject_clear(&who);
		return false;
	}
	str_copy(where.channel, sizeof(where.channel), who.channel);
	p->account = budget_account_of(a, STORE_PERSON, &where, who.person);
	p->role = role_of(grant_subject_role(call->all, who.channel, who.person));
	p->name = xasprintf("the person %s:%s", who.channel, who.person);
	bool may = who.sender_role >= ACCESS_ADMIN;
	if (!may)
		buf_addstr(call->reply, "You are not an admin of that channel.");
	grant_subject_clear(&who);
	return may;
}

/* Finds another chat by its address. */
static bool find_chat(struct command_call *call, const char *text, struct plan *p)
{
	struct error err = {0};
	struct address where;

	if (address_parse(text, &where, &err) < 0) {
		escape_markdown(call->reply, err.text);
		return false;
	}
	if (!bus_channel(call->all->options.agent->bus, where.channel)) {
		buf_addstr(call->reply, "There is no such channel. /status lists them.");
		return false;
	}
	if (grant_sender_role(call, where.channel) < ACCESS_ADMIN) {
		buf_addstr(call->reply, "You are not an admin of that channel.");
		return false;
	}
	p->account = budget_account_of(call->all->options.agent, STORE_CHAT, &where, NULL);
	p->name = xasprintf("the chat %s:%s", where.channel, where.chat);
	return true;
}

/* Admins of one group decide about that chat alone. */
static bool find_account(struct command_call *call, const struct budget_request *request, struct plan *p)
{
	if (request->scope != STORE_CHAT && call->channel_role < ACCESS_ADMIN) {
		buf_addstr(call->reply, "That reaches beyond this chat: it is for admins of the channel.");
		return false;
	}
	if (request->scope == STORE_PERSON)
		return find_person(call, request, p);
	if (*request->whom)
		return find_chat(call, request->whom, p);
	p->account = budget_account_of(call->all->options.agent, request->scope, &call->asked->from, NULL);
	p->role = role_of(call->role);
	p->name = xstrdup(whose[request->scope]);
	return true;
}

static bool check_price(struct command_call *call, const struct budget_request *request)
{
	const struct llm_provider *unpriced = NULL;
	int64_t cost;

	if (request->measure != STORE_MONEY || request->most == STORE_NO_LIMIT ||
	    llm_price_max(call->all->options.agent->llm, NULL, 0, 0, &cost, &unpriced))
		return true;
	buf_addf(call->reply,
	    "Nothing was changed: what the model of %s costs is not known. The operator has to add it to "
	    "llm.prices.",
	    unpriced->name);
	return false;
}

/* Keeps the other limits of the account. */
static int plan_set(struct task *t, const struct budget_request *request, struct plan *p, struct buf *plain,
    struct error *err)
{
	struct budget_state states[STORE_WINDOWS];
	struct budget_state *s = &states[request->window];
	const char *currency = budget_currency(p->budget);

	if (budget_read_state(t, p->budget, &p->account, p->role, states, err) < 0)
		return -1;
	s->most[request->measure] = request->most;
	p->set = (struct store_budget){.account = p->account, .window = request->window};
	memcpy(p->set.limits, s->most, sizeof(p->set.limits));
	p->change.set = &p->set;
	buf_addf(plain, "From now on %s: ", p->name);
	if (request->most == STORE_NO_LIMIT) {
		buf_addf(plain, "no limit of that kind %s", budget_window_each[request->window]);
	} else {
		budget_add_amount(plain, request->measure, request->most, currency);
		buf_addf(plain, " %s; used %s: ", budget_window_each[request->window],
		    budget_window_now[request->window]);
		budget_add_use(plain, s, request->measure, currency);
	}
	buf_addch(plain, '.');
	return 0;
}

/* The subject of a sentence in the plural. */
static void add_budgets(struct buf *out, const struct plan *p)
{
	if (strcmp(p->name, whose[STORE_PERSON]) == 0)
		buf_addstr(out, "Your budgets");
	else
		buf_addf(out, "The budgets of %s", p->name);
}

static int make_plan(struct task *t, const struct budget_request *request, struct plan *p, struct buf *plain,
    struct error *err)
{
	if (request->action == BUDGET_SET)
		return plan_set(t, request, p, plain, err);
	if (request->action == BUDGET_LIFT) {
		p->lift = (struct store_lift){.account = p->account, .day = budget_day(p->budget)};
		p->change.lift = &p->lift;
		add_budgets(plain, p);
		buf_addf(plain, " do not count until midnight (%s).", budget_zone(p->budget));
	} else {
		p->change.restore = &p->account;
		add_budgets(plain, p);
		buf_addstr(plain, " are those of the configuration again.");
	}
	return 0;
}

static int commit(
    struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count, struct error *err)
{
	const struct plan *p = arg;

	return budget_change(t, p->budget, &p->change, inbound, rows, count, err);
}

static void change(struct task *t, struct command_call *call, const struct budget_request *request)
{
	struct plan p = {.budget = budget_of(call)};
	struct buf plain = BUF_INIT, text = BUF_INIT;
	struct error err = {0};

	if (find_account(call, request, &p) && check_price(call, request)) {
		int rc = make_plan(t, request, &p, &plain, &err);
		escape_markdown(&text, plain.data);
		if (rc == 0)
			rc = command_commit(t, call, text.data, &(struct command_change){commit, &p}, &err);
		if (rc < 0 && call->asked) {
			buf_addstr(call->reply, "Nothing was changed: ");
			escape_markdown(call->reply, err.text);
		}
	}
	buf_clear(&plain);
	buf_clear(&text);
	free(p.name);
}

static void run(struct task *t, struct command_call *call)
{
	struct buf text = BUF_INIT;
	struct budget_request request;

	if (!call->values[WHAT])
		show(t, call, &text);
	else if (call->role < ACCESS_ADMIN)
		buf_addstr(
		    &text, "Budgets are for admins to change. Ask one of them. /budget alone shows yours.");
	else if (budget_parse(call->values[WHAT], budget_currency(budget_of(call)), &request, &text))
		change(t, call, &request);
	else
		buf_addstr(&text, " Write it as in /budget chat 500k tokens a day, or /budget chat lift.");
	if (text.len > 0)
		escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

static const struct channel_argument takes[] = {
    {.name = "change",
	.kind = CHANNEL_ARGUMENT_TEXT,
	.help = "for admins: \"chat 500k tokens a day\", \"person ID 5 USD a month\", \"all lift\", \"chat "
		"default\"",
	.person = true},
    {.name = NULL},
};

const struct command command_budget = {
    .name = "budget",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "show or change what may be spent here and by you",
    .run = run,
};
