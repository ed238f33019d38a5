#include "agent/budget.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/budget_internal.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/task.h"
#include "bus/message.h"
#include "bus/targets.h"
#include "llm/llm.h"
#include "llm/providers.h"
#include "llm/audio.h"
#include "llm/tokens.h"
#include "llm/transcribe.h"
#include "tools/tools.h"

/* Of an answer, where the provider's row does not limit it. */
#define OUTPUT_GUESS 4096
/* Of a second of speech, read and written, where a service counts tokens. */
#define SPEECH_TOKENS 15
#define ACCOUNTS_MAX  3

struct counter budget_refusals = {.name = "myna_budget_refusals_total",
    .label = "budget",
    .help = "Requests that were not made because a budget was used up, by whose.",
    .outcomes = {"all", "chat", "person"}};

/* A request on its way: what it counts for, and what it may still spend. */
struct hold {
	struct budget_account *accounts[ACCOUNTS_MAX];
	size_t count;
	int64_t periods[STORE_WINDOWS]; /* that it counts in */
	int64_t reserved[STORE_MEASURES];
	const struct llm_provider *unpriced; /* may answer, and has no price; NULL: none */
};

/* What a limit says of a request. */
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

int budget_load(struct task *t, struct budget *b, struct error *err)
{
	static const struct store_account all = {.scope = STORE_ALL};
	struct budget_state states[STORE_WINDOWS];

	store_budgets_clear(&b->set);
	if (store_budgets(t, b->store, &b->set, err) < 0)
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

/* The accounts that a request counts for, as far as they may have limits; that of all always. */
static void hold_init(struct hold *h, struct budget *b, const struct budget_spender *who)
{
	for (enum store_scope s = STORE_ALL; s <= STORE_PERSON; s++) {
		if ((s == STORE_PERSON && !who->person) || (s != STORE_ALL && !budget_has_scope(b, s)))
			continue;
		const struct store_account key = budget_account_of(who->agent, s, who->chat, who->person);
		h->accounts[h->count++] = budget_account_hold(b, &key);
	}
}

static void hold_clear(struct hold *h)
{
	for (size_t i = 0; i < h->count; i++)
		budget_account_release(h->accounts[i]);
	h->count = 0;
}

static void estimate(struct hold *h, const struct budget_spender *who, const struct llm_request *req)
{
	const struct llm *llm = who->agent->llm;
	const struct llm_provider *p = req->provider ? llm_find(llm, req->provider) : NULL;
	size_t input = llm_request_tokens(req);

	if (!p)
		p = llm_default(llm);
	int64_t output = p && p->settings.max_tokens > 0 ? p->settings.max_tokens : OUTPUT_GUESS;
	h->reserved[STORE_TURNS] = who->counted && !*who->counted;
	h->reserved[STORE_CALLS] = 1;
	h->reserved[STORE_TOKENS] = (int64_t)input + output;
	h->unpriced = NULL;
	llm_price_max(llm, req->provider, (int64_t)input, output, &h->reserved[STORE_MONEY], &h->unpriced);
}

static void estimate_speech(struct hold *h, const struct budget_spender *who, const struct llm_audio *audio)
{
	const struct llm_provider *p = llm_transcription_provider(who->agent->llm);
	struct llm_usage u = {0};

	u.seconds = llm_audio_seconds(audio, &u.estimated);
	u.input_tokens = p->price.heard ? 0 : u.seconds * SPEECH_TOKENS;
	llm_price_speech(&p->price, &u);
	h->reserved[STORE_TURNS] = who->counted && !*who->counted;
	h->reserved[STORE_CALLS] = 1;
	h->reserved[STORE_TOKENS] = u.input_tokens;
	h->reserved[STORE_MONEY] = u.cost;
	h->unpriced = u.priced ? NULL : p;
}

/* A limit leaves room while less is spent and reserved; what is on its way decides the rest. */
static enum verdict check_limit(
    const struct budget_account *a, const struct hold *h, const struct budget_state *s, enum store_measure m)
{
	if (s->most[m] == STORE_NO_LIMIT || (m == STORE_TURNS && h->reserved[m] == 0))
		return ADMITTED;
	if (m == STORE_MONEY && h->unpriced)
		return UNPRICED;
	if (s->used[m] >= s->most[m])
		return USED_UP;
	return s->used[m] + a->reserved[m] >= s->most[m] ? WAITS : ADMITTED;
}

static void check_window(const struct budget *b, const struct hold *h, struct budget_account *a,
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

/* The gravest of what all limits say. */
static struct judgement judge(const struct budget *b, const struct hold *h, enum budget_role role)
{
	struct judgement j = {.verdict = ADMITTED};

	for (size_t i = 0; i < h->count; i++)
		for (size_t w = 0; w < STORE_WINDOWS; w++)
			check_window(b, h, h->accounts[i], (enum store_window)w, role, &j);
	return j;
}

static int refuse(const struct budget *b, const struct hold *h, const struct judgement *j, struct error *err)
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

/* Reads what is not there, and gives warnings that are due: afterwards nothing has changed since it was
 * looked at. */
static int prepare(
    struct task *t, struct budget *b, struct hold *h, const struct budget_spender *who, struct error *err)
{
	for (size_t i = 0; i < h->count; i++) {
		int rc = budget_account_load(t, b, h->accounts[i], err);
		if (rc == 0)
			rc = budget_account_warn(t, b, h->accounts[i], who, err);
		if (rc != 0)
			return rc;
	}
	return 0;
}

/* sign: 1, or -1 when it has ended. */
static void reserve(struct budget *b, struct hold *h, int sign)
{
	if (sign > 0)
		budget_periods(b, h->periods);
	else
		task_cond_broadcast(&b->room);
	for (size_t i = 0; i < h->count; i++)
		for (size_t m = 0; m < STORE_MEASURES; m++)
			h->accounts[i]->reserved[m] += sign * h->reserved[m];
}

static int admit(
    struct task *t, struct budget *b, struct hold *h, const struct budget_spender *who, struct error *err)
{
	for (;;) {
		int rc = prepare(t, b, h, who, err);
		if (rc < 0)
			return BUDGET_FAILED;
		if (rc > 0)
			continue;
		struct judgement j = judge(b, h, who->role);
		if (j.verdict == ADMITTED)
			break;
		if (j.verdict != WAITS)
			return refuse(b, h, &j, err);
		/* Nothing but the end of a request, or of a window, makes room. */
		if (task_cond_wait(t, &b->room, err) < 0)
			return BUDGET_FAILED;
	}
	reserve(b, h, 1);
	return 0;
}

/* What requests took, as it is stored. */
static struct store_usage usage_of(
    const struct hold *h, const struct budget_spender *who, int64_t turns, const struct llm_bill *bill)
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

static void charge(
    struct hold *h, const struct budget_spender *who, int64_t turns, const struct llm_bill *bill)
{
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

int budget_complete(struct task *t, const struct budget_spender *who, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct budget *b = who->agent->budget;
	struct error unwanted = {0};
	struct hold h = {0};
	int rc = 0;

	err = err ? err : &unwanted;
	estimate(&h, who, req);
	if (b) {
		hold_init(&h, b, who);
		rc = admit(t, b, &h, who, err);
	}
	if (rc == 0) {
		rc = llm_complete(t, who->agent->llm, req, sink, answer, err);
		/* A turn counts when it is answered. */
		charge(&h, who, rc == 0 ? h.reserved[STORE_TURNS] : 0, &answer->bill);
		if (b)
			reserve(b, &h, -1);
	}
	hold_clear(&h);
	return rc;
}

int budget_transcribe(struct task *t, const struct budget_spender *who, const struct llm_audio *audio,
    struct buf *words, struct error *err)
{
	struct budget *b = who->agent->budget;
	struct llm_bill bill = {0};
	struct hold h = {0};
	int rc = 0;

	estimate_speech(&h, who, audio);
	if (b) {
		hold_init(&h, b, who);
		rc = admit(t, b, &h, who, err);
	}
	if (rc == 0) {
		rc = llm_transcribe(t, who->agent->llm, audio, words, &bill, err);
		charge(&h, who, 0, &bill);
		if (b)
			reserve(b, &h, -1);
	}
	hold_clear(&h);
	return rc;
}

void budget_warn(struct task *t, const struct budget_spender *who)
{
	struct budget *b = who->agent->budget;
	struct error err = {0};
	struct hold h = {0};
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
