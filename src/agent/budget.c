#include "agent/budget.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/budget_internal.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/time/clock.h"
#include "bus/message.h"
#include "bus/targets.h"
#include "llm/llm.h"
#include "tools/tools.h"

struct counter budget_refusals = {.name = "myna_budget_refusals_total",
    .label = "budget",
    .help = "Requests that were not made because a budget was used up, by whose.",
    .outcomes = {"all", "chat", "person"}};

/* A limit's verdict on a request, in order of severity. */
enum verdict { ADMITTED, WAITS, USED_UP, UNPRICED };

struct judgement {
	enum verdict verdict;
	struct budget_account *account;
	enum store_window window;
	enum store_measure measure;
	struct budget_state state;
};

struct budget *budget_new(struct store *store, struct bus *bus)
{
	struct budget *b = xcalloc(1, sizeof(*b));

	b->store = store;
	b->bus = bus;
	b->currency = "USD";
	task_cond_init(&b->room);
	for (size_t i = 0; i < BUDGET_BUCKETS; i++)
		list_init(&b->accounts[i]);
	return b;
}

void budget_free(struct budget *b)
{
	if (!b)
		return;
	budget_accounts_clear(b);
	store_budgets_clear(&b->set);
	task_cond_clear(&b->room);
	free(b);
}

void budget_share(struct budget *b)
{
	b->shared = true;
}

static int load_set(struct task *t, struct budget *b, struct error *err)
{
	struct store_budgets set = {0};

	b->set_read_ms = clock_now();
	if (store_budgets(t, b->store, &set, err) < 0)
		return -1;
	store_budgets_clear(&b->set);
	b->set = set;
	return 0;
}

int budget_load(struct task *t, struct budget *b, struct error *err)
{
	static const struct store_account all = {.scope = STORE_ALL};
	struct budget_state states[STORE_WINDOWS];

	if (load_set(t, b, err) < 0)
		return -1;
	return budget_read_state(t, b, &all, BUDGET_USER, states, err);
}

void budget_apply(struct budget *b, const struct budget_settings *s, const char *currency)
{
	b->settings = s;
	b->currency = currency ? currency : "USD";
	task_cond_broadcast(&b->room);
}

void budget_set_admins(
    struct budget *b, size_t (*find)(void *arg, struct address *out, size_t most), void *arg)
{
	b->admins = find;
	b->admins_arg = arg;
}

const struct store_budgets *budget_from_chat(const struct budget *b)
{
	return &b->set;
}

const char *budget_currency(const struct budget *b)
{
	return b->currency;
}

const char *budget_zone(const struct budget *b)
{
	return b->settings ? b->settings->zone_name : "UTC";
}

struct budget_spender budget_spender_of(const struct agent *a, struct turn *turn)
{
	const struct message *asked = turn->row.asked;

	return (struct budget_spender){.agent = a,
	    .chat = &turn->chat,
	    .person = asked && !asked->sender_is_chat ? asked->sender_id : NULL,
	    .role = turn->guest ? BUDGET_GUEST :
		turn->admin     ? BUDGET_ADMIN :
				  BUDGET_USER,
	    .counted = &turn->counted,
	    .spent = &turn->row.spent};
}

struct store_account budget_account_of(
    const struct agent *a, enum store_scope scope, const struct address *chat, const char *person)
{
	struct store_account key = {.scope = scope};
	const struct address *first = NULL;

	if (scope == STORE_ALL)
		return key;
	if (scope == STORE_PERSON && a->tools && tools_targets(a->tools))
		first = people_first(&tools_targets(a->tools)->people, chat->channel, person);
	str_copy(key.channel, sizeof(key.channel), first ? first->channel : chat->channel);
	str_copy(key.who, sizeof(key.who), first ? first->chat : scope == STORE_PERSON ? person : chat->chat);
	return key;
}

/* Collects the accounts that a request counts for and that may have limits; always including the total. */
static void hold_init(struct budget_hold *h, struct budget *b, const struct budget_spender *who)
{
	for (enum store_scope s = STORE_ALL; s <= STORE_PERSON; s++) {
		if ((s == STORE_PERSON && !who->person) || (s != STORE_ALL && !budget_has_scope(b, s)))
			continue;
		const struct store_account key = budget_account_of(who->agent, s, who->chat, who->person);
		h->accounts[h->count++] = budget_account_hold(b, &key);
	}
}

static void hold_clear(struct budget_hold *h)
{
	for (size_t i = 0; i < h->count; i++)
		budget_account_release(h->accounts[i]);
	h->count = 0;
}

/* A limit admits a request while spending and reservations are below it. If only reservations exceed it, the
 * request waits for their outcome. */
static enum verdict check_limit(const struct budget_account *a, const struct budget_hold *h,
    const struct budget_state *s, enum store_measure m)
{
	if (s->most[m] == STORE_NO_LIMIT || (m == STORE_TURNS && h->reserved[m] == 0))
		return ADMITTED;
	if (m == STORE_MONEY && h->unpriced)
		return UNPRICED;
	if (s->used[m] >= s->most[m])
		return USED_UP;
	return s->used[m] + a->reserved[m] >= s->most[m] ? WAITS : ADMITTED;
}

static void check_window(const struct budget *b, const struct budget_hold *h, struct budget_account *a,
    enum store_window w, enum budget_role role, struct judgement *j)
{
	struct budget_state s = {0};

	budget_limits(b, &a->key, role, w, &s);
	for (size_t m = 0; m < STORE_MEASURES; m++)
		s.used[m] = budget_used(&a->windows[w], (enum store_measure)m);
	for (size_t m = 0; m < STORE_MEASURES && !s.lifted; m++) {
		enum verdict v = check_limit(a, h, &s, (enum store_measure)m);
		if (v > j->verdict)
			*j = (struct judgement){v, a, w, (enum store_measure)m, s};
	}
}

/* Returns the most severe verdict of all limits. */
static struct judgement judge(const struct budget *b, const struct budget_hold *h, enum budget_role role)
{
	struct judgement j = {.verdict = ADMITTED};

	for (size_t i = 0; i < h->count; i++)
		for (size_t w = 0; w < STORE_WINDOWS; w++)
			check_window(b, h, h->accounts[i], (enum store_window)w, role, &j);
	return j;
}

static int refuse(
    const struct budget *b, const struct budget_hold *h, const struct judgement *j, struct error *err)
{
	struct buf text = BUF_INIT;
	const char *whose = budget_scope_whose[j->account->key.scope];

	if (j->verdict == UNPRICED) {
		buf_addf(&text,
		    "%s is in %s, and what the model \"%.48s\" costs is not known. The operator has to add "
		    "it to llm.prices.",
		    whose, b->currency, h->unpriced->settings.model);
	} else {
		buf_addf(&text, "%s is used up: ", whose);
		budget_add_use(&text, &j->state, j->measure, b->currency);
		buf_addf(&text, " %s. ", budget_window_now[j->window]);
		budget_add_reset(&text, j->window, budget_day(b), budget_zone(b));
		buf_addstr(&text, " An admin can raise it, or lift it for today, with /budget.");
	}
	counter_add(&budget_refusals, j->account->key.scope, 1);
	log_info("budget", "not asked: %s channel=%s who=%s", text.data, j->account->key.channel,
	    j->account->key.who);
	error_set(err, ERROR_LIMITED, "%s", text.data);
	buf_clear(&text);
	return BUDGET_REFUSED;
}

/* Loads missing accounts and sends due warnings. Returns 0 if it did not suspend, so that what was read is
 * still current. */
static int prepare(struct task *t, struct budget *b, struct budget_hold *h, const struct budget_spender *who,
    struct error *err)
{
	if (b->shared && clock_now() >= b->set_read_ms + BUDGET_SHARED_MS)
		return load_set(t, b, err) < 0 ? -1 : 1;
	for (size_t i = 0; i < h->count; i++) {
		int rc = budget_account_load(t, b, h->accounts[i], err);
		if (rc == 0)
			rc = budget_account_warn(t, b, h->accounts[i], who, err);
		if (rc != 0)
			return rc;
	}
	return 0;
}

/* sign: 1 reserves, -1 releases. */
static void reserve(struct budget *b, struct budget_hold *h, int sign)
{
	if (sign > 0)
		budget_periods(b, h->periods);
	else
		task_cond_broadcast(&b->room);
	for (size_t i = 0; i < h->count; i++)
		for (size_t m = 0; m < STORE_MEASURES; m++)
			h->accounts[i]->reserved[m] += sign * h->reserved[m];
}

static int admit(struct task *t, struct budget *b, struct budget_hold *h, struct error *err)
{
	for (;;) {
		int rc = prepare(t, b, h, h->who, err);
		if (rc < 0)
			return BUDGET_FAILED;
		if (rc > 0)
			continue;
		struct judgement j = judge(b, h, h->who->role);
		if (j.verdict == ADMITTED)
			return 0;
		if (j.verdict != WAITS)
			return refuse(b, h, &j, err);
		/* Only the end of a request, or of a window, frees budget. */
		if (task_cond_wait(t, &b->room, err) < 0)
			return BUDGET_FAILED;
	}
}

int budget_reserve(struct task *t, struct budget_hold *h, struct error *err)
{
	struct budget *b = h->who->agent->budget;

	if (!b)
		return 0;
	hold_init(h, b, h->who);
	int rc = admit(t, b, h, err);
	if (rc == 0)
		reserve(b, h, 1);
	else
		hold_clear(h);
	return rc;
}

int budget_admits_turn(struct task *t, const struct budget_spender *who, struct error *err)
{
	struct budget *b = who->agent->budget;
	struct budget_hold h = {.who = who, .reserved = {[STORE_TURNS] = 1, [STORE_CALLS] = 1}};
	int rc;

	if (!b)
		return 1;
	hold_init(&h, b, who);
	while ((rc = prepare(t, b, &h, who, err)) > 0)
		;
	if (rc == 0)
		rc = judge(b, &h, who->role).verdict < USED_UP;
	hold_clear(&h);
	return rc;
}

/* Returns the actual usage of the requests, for the store. */
static struct store_usage usage_of(
    const struct budget_hold *h, const struct budget_spender *who, int64_t turns, const struct llm_bill *bill)
{
	const struct llm_usage *u = &bill->sum;
	struct store_usage spent = {.turns = turns,
	    .requests = bill->requests,
	    .unpriced = bill->unpriced,
	    .estimated = bill->estimated,
	    .input = u->input_tokens,
	    .cached = u->cached_tokens,
	    .written = u->written_tokens,
	    .output = u->output_tokens,
	    .seconds = u->seconds,
	    .cost = u->cost,
	    .day = h->periods[STORE_DAY]};

	if (who->person)
		spent.person = budget_account_of(who->agent, STORE_PERSON, who->chat, who->person);
	return spent;
}

static void charge(struct budget_hold *h, int64_t turns, const struct llm_bill *bill)
{
	const struct budget_spender *who = h->who;
	struct store_usage spent = usage_of(h, who, turns, bill);

	if (bill->requests == 0)
		return;
	for (size_t i = 0; i < h->count; i++)
		for (size_t w = 0; w < STORE_WINDOWS; w++)
			if (h->accounts[i]->windows[w].period == h->periods[w])
				store_usage_sum(&h->accounts[i]->windows[w].used, &spent);
	store_usage_sum(who->spent, &spent);
	if (turns > 0)
		*who->counted = true;
}

void budget_settle(struct budget_hold *h, int64_t turns, const struct llm_bill *bill)
{
	charge(h, turns, bill);
	if (h->who->agent->budget)
		reserve(h->who->agent->budget, h, -1);
	hold_clear(h);
}

void budget_warn(struct task *t, const struct budget_spender *who)
{
	struct budget *b = who->agent->budget;
	struct error err = {0};
	struct budget_hold h = {0};
	int rc;

	if (!b)
		return;
	hold_init(&h, b, who);
	while ((rc = prepare(t, b, &h, who, &err)) > 0)
		;
	if (rc < 0 && err.kind != ERROR_CANCELLED)
		log_warn("budget", "a warning is given later: %s", err.text);
	hold_clear(&h);
}
