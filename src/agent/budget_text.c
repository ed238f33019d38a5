/* Texts about budgets. */
#include <stdio.h>
#include <string.h>

#include "agent/budget.h"
#include "base/buf.h"
#include "base/money.h"

static const char *const units[] = {[STORE_TURNS] = "turn", [STORE_CALLS] = "call", [STORE_TOKENS] = "token"};

const char *const budget_scope_whose[] = {[STORE_ALL] = "The budget of all chats together",
    [STORE_CHAT] = "The budget of this chat",
    [STORE_PERSON] = "Your own budget"};
const char *const budget_window_now[] = {
    [STORE_DAY] = "today", [STORE_MONTH] = "this month", [STORE_EVER] = "so far"};
const char *const budget_window_each[] = {
    [STORE_DAY] = "a day", [STORE_MONTH] = "a month", [STORE_EVER] = "in all"};

void budget_add_cost(struct buf *out, int64_t requests, int64_t unpriced, int64_t cost, const char *currency)
{
	if (unpriced > 0 && unpriced >= requests) {
		buf_addstr(out, "not known");
		return;
	}
	money_show(out, cost);
	buf_addf(out, " %s", currency);
	if (unpriced > 0)
		buf_addf(out, ", without %lld of the requests, whose cost is not known", (long long)unpriced);
}

/* 1234567 as 1,234,567; not negative. */
static void add_number(struct buf *out, int64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%lld", (long long)n);

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			buf_addch(out, ',');
		buf_addch(out, digits[i]);
	}
}

static void add_bare(struct buf *out, enum store_measure measure, int64_t amount)
{
	if (measure == STORE_MONEY)
		money_show(out, amount);
	else
		add_number(out, amount);
}

static void add_unit(struct buf *out, enum store_measure measure, int64_t amount, const char *currency)
{
	if (measure == STORE_MONEY)
		buf_addf(out, " %s", currency);
	else
		buf_addf(out, " %s%s", units[measure], amount == 1 ? "" : "s");
}

void budget_add_amount(struct buf *out, enum store_measure measure, int64_t amount, const char *currency)
{
	add_bare(out, measure, amount);
	add_unit(out, measure, amount, currency);
}

void budget_add_use(
    struct buf *out, const struct budget_state *state, enum store_measure measure, const char *currency)
{
	add_bare(out, measure, state->used[measure]);
	buf_addstr(out, " of ");
	budget_add_amount(out, measure, state->most[measure], currency);
}

void budget_add_reset(struct buf *out, enum store_window window, int64_t day, const char *zone)
{
	int64_t year = day / 10000, month = day / 100 % 100;

	if (window == STORE_DAY)
		buf_addf(out, "It resets at midnight (%s).", zone);
	else if (window == STORE_MONTH)
		buf_addf(out, "It resets on %04lld-%02lld-01 (%s).",
		    (long long)(month == 12 ? year + 1 : year), (long long)(month == 12 ? 1 : month + 1),
		    zone);
	else
		buf_addstr(out, "It does not reset.");
}
