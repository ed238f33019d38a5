#ifndef AGENT_BUDGET_INTERNAL_H
#define AGENT_BUDGET_INTERNAL_H
/* State that the files budget*.c share, and what ask_model.c needs of it. */
#include "agent/budget.h"
#include "base/list.h"
#include "base/task_cond.h"

struct llm_bill;
struct llm_provider;

#define BUDGET_BUCKETS 256
/* Maximum delay until the spending of other nodes counts here. */
#define BUDGET_SHARED_MS 2000

struct budget_window {
	int64_t period; /* as in store_usage_total */
	bool loaded;
	struct store_usage used; /* committed, or about to be */
	/* Per measure, the highest warning sent, and its limit. */
	int64_t warned_limit[STORE_MEASURES], warned_level[STORE_MEASURES];
};

struct budget_account {
	struct list link;
	struct store_account key;
	struct budget_window windows[STORE_WINDOWS];
	int64_t reserved[STORE_MEASURES];
	unsigned holds;      /* requests and readers in progress */
	uint64_t read_ms;    /* clock_now() */
	uint64_t touched_ms; /* clock_now() */
};

struct budget {
	struct store *store;
	struct bus *bus;
	const struct budget_settings *settings;
	const char *currency;
	struct store_budgets set; /* set from chat */
	bool shared;              /* others spend, too, and change what is set */
	uint64_t set_read_ms;     /* clock_now() */
	struct list accounts[BUDGET_BUCKETS];
	size_t account_count;
	struct task_cond room; /* signalled when a request has ended or limits have changed */
	size_t (*admins)(void *arg, struct address *out, size_t most);
	void *admins_arg;
};

/* Returns the account, created when missing, and holds it in memory. */
struct budget_account *budget_account_hold(struct budget *b, const struct store_account *key);
void budget_account_release(struct budget_account *a);
/* Loads the current windows from the store. Returns 1 after suspending, 0 when they were loaded already, or
 * -1. */
int budget_account_load(struct task *t, struct budget *b, struct budget_account *a, struct error *err);
void budget_accounts_clear(struct budget *b);
void budget_periods(const struct budget *b, int64_t out[STORE_WINDOWS]);

int64_t budget_used(const struct budget_window *w, enum store_measure measure);
/* Gets the effective limits, STORE_NO_LIMIT for none. */
void budget_limits(const struct budget *b, const struct store_account *a, enum budget_role role,
    enum store_window window, struct budget_state *out);
bool budget_is_lifted(const struct budget *b, const struct store_account *a);
/* Returns true when the scope may have limits. */
bool budget_has_scope(const struct budget *b, enum store_scope scope);
/* Sends the warnings of an account that are due. Returns 1 after suspending, else 0, or -1. */
int budget_account_warn(struct task *t, struct budget *b, struct budget_account *a,
    const struct budget_spender *who, struct error *err);

/* A request in progress: the accounts that it counts for, and what it may still spend. The caller sets who,
 * reserved and unpriced. */
struct budget_hold {
	const struct budget_spender *who;
	struct budget_account *accounts[3];
	size_t count;
	int64_t periods[STORE_WINDOWS]; /* the periods that it counts in */
	int64_t reserved[STORE_MEASURES];
	const struct llm_provider *unpriced; /* a provider that may answer and has no price; NULL: none */
};

/* Call it before a request: reserves what the request may spend, and waits while other reservations leave no
 * room. Returns 0, which budget_settle must follow, BUDGET_REFUSED or BUDGET_FAILED. */
int budget_reserve(struct task *t, struct budget_hold *h, struct error *err);
/* Call it after the request: charges the actual usage and ends the reservation. turns: 1 when the turn counts
 * with it. */
void budget_settle(struct budget_hold *h, int64_t turns, const struct llm_bill *bill);

#endif
