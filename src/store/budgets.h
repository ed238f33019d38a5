#ifndef STORE_BUDGETS_H
#define STORE_BUDGETS_H
/*
 * Budgets that were set from chat, in place of what the configuration says, and which warnings were given. A
 * change is committed together with the end of the message that asked for it and the rows that answer it. The
 * functions are as those of store.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/usage.h"

struct error;
struct outbound;
struct store;
struct task;

/* Stored numbers. */
enum store_window { STORE_DAY, STORE_MONTH, STORE_EVER, STORE_WINDOWS };
enum store_measure { STORE_TURNS, STORE_CALLS, STORE_TOKENS, STORE_MONEY, STORE_MEASURES };

#define STORE_NO_LIMIT (-1)

struct store_budget {
	struct store_account account;
	enum store_window window;
	int64_t most[STORE_MEASURES]; /* STORE_NO_LIMIT: none; money in millionths */
};

/* No budget of the account counts on that day. */
struct store_lift {
	struct store_account account;
	int64_t day; /* as 20261122 */
};

struct store_budgets {
	struct store_budget *set;
	struct store_lift *lifts;
	size_t set_count, lift_count;
};
void store_budgets_clear(struct store_budgets *b);
int store_budgets(struct task *t, struct store *s, struct store_budgets *out, struct error *err);

/* One of them. */
struct store_budget_change {
	const struct store_budget *set;      /* in place of one of that account and window */
	const struct store_lift *lift;       /* in place of one of that account */
	const struct store_account *restore; /* what was set and lifted is forgotten */
};
/* ERROR_REFUSED when the inbound message is not pending. */
int store_budget_commit(struct task *t, struct store *s, const struct store_budget_change *c, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);

struct store_warning {
	struct store_account account;
	enum store_window window;
	enum store_measure measure;
	int64_t period; /* as in store_usage_total */
	int64_t most;   /* the limit; with another one warnings begin anew */
	int64_t level;  /* in hundredths of it */
};
/* Notes that it was given, together with the rows that give it. *fresh: it was not given before, nor one of a
 * higher level; else nothing is committed. */
int store_budget_warn(struct task *t, struct store *s, const struct store_warning *w,
    struct outbound *const *rows, size_t count, bool *fresh, struct error *err);

#endif
