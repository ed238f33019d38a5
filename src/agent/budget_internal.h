#ifndef AGENT_BUDGET_INTERNAL_H
#define AGENT_BUDGET_INTERNAL_H
/* The inside of budgets, shared by budget*.c. */
#include "agent/budget.h"
#include "base/list.h"
#include "base/task_cond.h"

#define BUDGET_BUCKETS 256

struct budget_window {
	int64_t period; /* as in store_usage_total */
	bool loaded;
	struct store_usage used; /* of which all is committed, or about to be */
	/* Of each measure, the highest warning that was given, and of which limit. */
	int64_t warned_limit[STORE_MEASURES], warned_level[STORE_MEASURES];
};

struct budget_account {
	struct list link;
	struct store_account key;
	struct budget_window windows[STORE_WINDOWS];
	int64_t reserved[STORE_MEASURES];
	unsigned holds;      /* requests and readers that use it */
	uint64_t touched_ms; /* clock_now() */
};

struct budget {
	struct store *store;
	struct bus *bus;
	const struct budget_settings *settings;
	const char *currency;
	struct store_budgets set; /* from chat */
	struct list accounts[BUDGET_BUCKETS];
	size_t account_count;
	struct task_cond room; /* a request on its way has ended, or the limits are others */
	size_t (*admins)(void *arg, struct address *out, size_t most);
	void *admins_arg;
};

/* The account in memory, held; made when there is none. */
struct budget_account *budget_account_hold(struct budget *b, const struct store_account *key);
void budget_account_release(struct budget_account *a);
/* Reads what the store has of the present windows. 1: it was read, which took time. 0: it is all there. */
int budget_account_load(struct task *t, struct budget *b, struct budget_account *a, struct error *err);
/* Without holding, NULL if it is not in memory. */
const struct budget_account *budget_account_peek(const struct budget *b, const struct store_account *key);
void budget_accounts_clear(struct budget *b);
void budget_periods(const struct budget *b, int64_t out[STORE_WINDOWS]);

int64_t budget_used(const struct budget_window *w, enum store_measure measure);
/* The limits that count, STORE_NO_LIMIT where there is none. */
void budget_limits(const struct budget *b, const struct store_account *a, enum budget_role role,
    enum store_window window, struct budget_state *out);
bool budget_is_lifted(const struct budget *b, const struct store_account *a);
/* May the scope have limits? */
bool budget_has_scope(const struct budget *b, enum store_scope scope);
/* Gives the warnings of an account that are due. 1: it took time. */
int budget_account_warn(struct task *t, struct budget *b, struct budget_account *a,
    const struct budget_spender *who, struct error *err);

#endif
