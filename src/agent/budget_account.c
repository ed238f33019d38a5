/* Accounts in memory: spending in the current windows, and the limits that apply. */
#include <stdlib.h>
#include <string.h>

#include "agent/budget_internal.h"
#include "base/fnv.h"
#include "base/time/civil.h"
#include "base/time/clock.h"
#include "base/mem.h"

/* More accounts stay only while they are in use. */
#define ACCOUNTS_MAX 4096
/* After this time without use, all spending of an account is committed. */
#define IDLE_MS (24 * 3600 * 1000)

static bool is_same(const struct store_account *a, const struct store_account *b)
{
	return a->scope == b->scope && strcmp(a->channel, b->channel) == 0 && strcmp(a->who, b->who) == 0;
}

static size_t bucket_of(const struct store_account *key)
{
	return (fnv_text(key->who) + (uint64_t)key->scope) % BUDGET_BUCKETS;
}

static void forget(struct budget *b, struct budget_account *a)
{
	list_remove(&a->link);
	b->account_count--;
	free(a);
}

static void forget_idle(struct budget *b)
{
	for (size_t i = 0; i < BUDGET_BUCKETS; i++)
		list_each(&b->accounts[i], it, tmp) {
			struct budget_account *a = list_entry(it, struct budget_account, link);
			if (a->holds == 0 && a->touched_ms + IDLE_MS < clock_now())
				forget(b, a);
		}
}

static struct budget_account *find(const struct budget *b, const struct store_account *key)
{
	const struct list *head = &b->accounts[bucket_of(key)];

	for (struct list *it = head->next; it != head; it = it->next) {
		struct budget_account *a = list_entry(it, struct budget_account, link);
		if (is_same(&a->key, key))
			return a;
	}
	return NULL;
}

struct budget_account *budget_account_hold(struct budget *b, const struct store_account *key)
{
	struct budget_account *a = find(b, key);

	if (!a) {
		if (b->account_count >= ACCOUNTS_MAX)
			forget_idle(b);
		a = xcalloc(1, sizeof(*a));
		a->key = *key;
		list_append(&b->accounts[bucket_of(key)], &a->link);
		b->account_count++;
	}
	a->holds++;
	a->touched_ms = clock_now();
	return a;
}

void budget_account_release(struct budget_account *a)
{
	a->holds--;
}

void budget_accounts_clear(struct budget *b)
{
	for (size_t i = 0; i < BUDGET_BUCKETS; i++)
		list_each(&b->accounts[i], it, tmp)
			forget(b, list_entry(it, struct budget_account, link));
}

int64_t budget_day(const struct budget *b)
{
	const struct zone *zone = b->settings ? b->settings->zone : NULL;
	int64_t now = clock_wall() / 1000;
	struct civil c = civil_of(now + (zone ? zone_span_at(zone, now).offset : 0));

	return (c.year * 100 + c.month) * 100 + c.day;
}

void budget_periods(const struct budget *b, int64_t out[STORE_WINDOWS])
{
	out[STORE_DAY] = budget_day(b);
	out[STORE_MONTH] = out[STORE_DAY] / 100;
	out[STORE_EVER] = 0;
}

/* Sets windows from the store. A window loaded before includes our spending that is not stored yet, and the
 * store may include that of other nodes: the greater of both is too low only until everything is stored. */
static void take(struct budget_account *a, const int64_t *periods, const struct store_usage *found)
{
	for (size_t w = 0; w < STORE_WINDOWS; w++)
		if (!a->windows[w].loaded || a->windows[w].period != periods[w])
			a->windows[w] =
			    (struct budget_window){.period = periods[w], .loaded = true, .used = found[w]};
		else
			store_usage_raise(&a->windows[w].used, &found[w]);
}

int budget_account_load(struct task *t, struct budget *b, struct budget_account *a, struct error *err)
{
	struct store_usage found[STORE_WINDOWS] = {{0}};
	int64_t periods[STORE_WINDOWS];
	bool current = true;

	budget_periods(b, periods);
	for (size_t w = 0; w < STORE_WINDOWS; w++)
		current &= a->windows[w].loaded && a->windows[w].period == periods[w];
	if (current && !(b->shared && clock_now() >= a->read_ms + BUDGET_SHARED_MS))
		return 0;
	a->read_ms = clock_now();
	if (store_usage_total(t, b->store, &a->key, periods, STORE_WINDOWS, found, err) < 0)
		return -1;
	take(a, periods, found);
	return 1;
}

int64_t budget_used(const struct budget_window *w, enum store_measure measure)
{
	switch (measure) {
	case STORE_TURNS:
		return w->used.turns;
	case STORE_CALLS:
		return w->used.requests;
	case STORE_TOKENS:
		return w->used.input + w->used.output;
	default:
		return w->used.cost;
	}
}

bool budget_is_lifted(const struct budget *b, const struct store_account *a)
{
	for (size_t i = 0; i < b->set.lift_count; i++)
		if (is_same(&b->set.lifts[i].account, a) && b->set.lifts[i].day == budget_day(b))
			return true;
	return false;
}

bool budget_has_scope(const struct budget *b, enum store_scope scope)
{
	for (size_t i = 0; i < b->set.set_count; i++)
		if (b->set.set[i].account.scope == scope)
			return true;
	return b->settings && budget_settings_have(b->settings, scope);
}

static const struct store_budget *find_set(
    const struct budget *b, const struct store_account *a, enum store_window window)
{
	for (size_t i = 0; i < b->set.set_count; i++)
		if (b->set.set[i].window == window && is_same(&b->set.set[i].account, a))
			return &b->set.set[i];
	return NULL;
}

void budget_limits(const struct budget *b, const struct store_account *a, enum budget_role role,
    enum store_window window, struct budget_state *out)
{
	const struct store_budget *set = find_set(b, a, window);
	const struct budget_rule *row =
	    !set && b->settings ? budget_settings_find(b->settings, a, role, window) : NULL;

	for (size_t m = 0; m < STORE_MEASURES; m++)
		out->most[m] = set ? set->limits[m] : row ? row->most[m] : STORE_NO_LIMIT;
	out->from_chat = set;
	out->lifted = budget_is_lifted(b, a);
}

/* Updates the limits in memory after a commit. */
static void note_set(struct store_budgets *all, const struct store_budget *set)
{
	size_t i = 0;

	while (i < all->set_count &&
	    (all->set[i].window != set->window || !is_same(&all->set[i].account, &set->account)))
		i++;
	if (i == all->set_count)
		all->set = xrealloc(all->set, ++all->set_count * sizeof(*all->set));
	all->set[i] = *set;
}

static void note_lift(struct store_budgets *all, const struct store_lift *lift)
{
	size_t i = 0;

	while (i < all->lift_count && !is_same(&all->lifts[i].account, &lift->account))
		i++;
	if (i == all->lift_count)
		all->lifts = xrealloc(all->lifts, ++all->lift_count * sizeof(*all->lifts));
	all->lifts[i] = *lift;
}

static void note_restored(struct store_budgets *all, const struct store_account *a)
{
	size_t n = 0;

	for (size_t i = 0; i < all->set_count; i++)
		if (!is_same(&all->set[i].account, a))
			all->set[n++] = all->set[i];
	all->set_count = n;
	n = 0;
	for (size_t i = 0; i < all->lift_count; i++)
		if (!is_same(&all->lifts[i].account, a))
			all->lifts[n++] = all->lifts[i];
	all->lift_count = n;
}

int budget_change(struct task *t, struct budget *b, const struct store_budget_change *c, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err)
{
	if (store_budget_commit(t, b->store, c, inbound, rows, count, err) < 0)
		return -1;
	if (c->set)
		note_set(&b->set, c->set);
	if (c->lift)
		note_lift(&b->set, c->lift);
	if (c->restore)
		note_restored(&b->set, c->restore);
	task_cond_broadcast(&b->room);
	return 0;
}

int budget_read_state(struct task *t, struct budget *b, const struct store_account *key,
    enum budget_role role, struct budget_state out[STORE_WINDOWS], struct error *err)
{
	struct budget_account *a = budget_account_hold(b, key);
	int rc = budget_account_load(t, b, a, err);

	for (size_t w = 0; w < STORE_WINDOWS && rc >= 0; w++) {
		out[w] = (struct budget_state){.unpriced = a->windows[w].used.unpriced};
		budget_limits(b, key, role, (enum store_window)w, &out[w]);
		for (size_t m = 0; m < STORE_MEASURES; m++)
			out[w].used[m] = budget_used(&a->windows[w], (enum store_measure)m);
	}
	budget_account_release(a);
	return rc < 0 ? -1 : 0;
}

void budget_total(const struct budget *b, enum store_window window, struct budget_state *out)
{
	static const struct store_account all = {.scope = STORE_ALL};
	const struct budget_account *a = find(b, &all);
	int64_t periods[STORE_WINDOWS];

	*out = (struct budget_state){0};
	budget_limits(b, &all, BUDGET_USER, window, out);
	budget_periods(b, periods);
	if (!a || a->windows[window].period != periods[window])
		return;
	out->unpriced = a->windows[window].used.unpriced;
	for (size_t m = 0; m < STORE_MEASURES; m++)
		out->used[m] = budget_used(&a->windows[window], (enum store_measure)m);
}
