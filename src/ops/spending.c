#include "ops/spending.h"

#include "agent/budget.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "ops/gateway_view.h"
#include "store/usage.h"

static struct json_object *window_object(const struct budget *b, enum store_window window)
{
	struct json_object *o = json_object_new_object();
	struct budget_state s;

	budget_total(b, window, &s);
	json_set_int(o, "tokens", s.used[STORE_TOKENS]);
	json_set_int(o, "calls", s.used[STORE_CALLS]);
	json_set_int(o, "unpriced", s.unpriced);
	json_set_int(o, "cost_millionths", s.used[STORE_MONEY]);
	return o;
}

struct json_object *spending_object(const struct budget *b)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "currency", budget_currency(b));
	json_set(o, "today", window_object(b, STORE_DAY));
	json_set(o, "month", window_object(b, STORE_MONTH));
	return o;
}

static void describe_window(struct json_object *o, const char *when, const char *currency, struct buf *out)
{
	buf_addf(out, "%s: ", when);
	budget_add_amount(out, STORE_TOKENS, json_get_int(o, "tokens", 0), currency);
	buf_addstr(out, ", cost ");
	budget_add_cost(out, json_get_int(o, "calls", 0), json_get_int(o, "unpriced", 0),
	    json_get_int(o, "cost_millionths", 0), currency);
}

void spending_describe(struct json_object *spent, struct buf *out)
{
	struct json_object *month = json_get_object(spent, "month");
	const char *currency = json_get_str(spent, "currency");

	if (json_get_int(month, "calls", 0) == 0)
		return;
	describe_window(json_get_object(spent, "today"), "spent today", currency ? currency : "", out);
	describe_window(month, "; this month", currency ? currency : "", out);
	buf_addch(out, '\n');
}

static struct json_object *row_object(const struct store_usage *u, const char *currency)
{
	struct json_object *o = json_object_new_object();
	struct buf cost = BUF_INIT;

	json_set_int(o, "requests", u->requests);
	json_set_int(o, "input", u->input);
	json_set_int(o, "cached", u->cached);
	json_set_int(o, "output", u->output);
	json_set_int(o, "seconds", u->seconds);
	json_set_int(o, "estimated", u->estimated);
	budget_add_cost(&cost, u->requests, u->unpriced, u->cost, currency);
	json_set_str(o, "cost", cost.data);
	buf_clear(&cost);
	return o;
}

struct json_object *spending_table(struct task *t, struct gateway *g)
{
	static const char *const names[] = {"today", "month", "total"};
	const struct store_account all = {.scope = STORE_ALL};
	const struct budget *b = gateway_budget(g);
	int64_t day = budget_day(b), periods[ARRAY_LEN(names)] = {day, day / 100, 0};
	struct store_usage found[ARRAY_LEN(names)] = {{0}};

	if (store_usage_total(t, gateway_store(g), &all, periods, ARRAY_LEN(names), found, NULL) < 0)
		return NULL;
	struct json_object *o = json_object_new_object();
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		json_set(o, names[i], row_object(&found[i], budget_currency(b)));
	return o;
}
