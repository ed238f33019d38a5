#ifndef STORE_BUDGETS_H
#define STORE_BUDGETS_H
/*
 * Budgets that admins set from chat, which override the configuration, and the warnings that were sent.
 * A change is committed together with the end of the message that asked for it and with its answers.
 * Calls behave as in store.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/usage.h"

struct error;
struct outbound;
struct store;
struct task;

/* Stored as numbers: do not reorder. */
enum store_window { STORE_DAY, STORE_MONTH, STORE_EVER, STORE_WINDOWS };
enum store_measure { STORE_TURNS, STORE_CALLS, STORE_TOKENS, STORE_MONEY, STORE_MEASURES };

#define STORE_NO_LIMIT (-1)

struct store_budget {
	struct store_account account;
	enum store_window window;
	int64_t limits[STORE_MEASURES]; /* STORE_NO_LIMIT for none; money in millionths */
};

/* Suspends all budgets of an account for one day. */
struct store_lift {
	struct store_account account;
	int64_t day; /* such as 20261122 */
};

struct store_budgets {
	struct store_budget *set;
	struct store_lift *lifts;
	size_t set_count, lift_count;
};
void store_budgets_clear(struct store_budgets *b);
int store_budgets(struct task *t, struct store *s, struct store_budgets *out, struct error *err);

/* One change; the others are NULL. */
struct store_budget_change {
	const struct store_budget *set;      /* replaces the budget of that account and window */
	const struct store_lift *lift;       /* replaces the suspension of that account */
	const struct store_account *restore; /* deletes the account's budgets and suspensions */
};
/* ERROR_REFUSED when the inbound message is not pending. */
int store_budget_commit(struct task *t, struct store *s, const struct store_budget_change *c, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);

struct store_warning {
	struct store_account account;
	enum store_window window;
	enum store_measure measure;
	int64_t period; /* as in store_usage_total */
	int64_t limit;  /* the limit; a changed limit resets the warnings */
	int64_t level;  /* percent of the limit */
};
/* Records a warning together with its messages. Sets *fresh to false, and commits nothing, when this level
 * or a higher one was already recorded. */
int store_budget_warn(struct task *t, struct store *s, const struct store_warning *w,
    struct outbound *const *rows, size_t count, bool *fresh, struct error *err);

#endif
