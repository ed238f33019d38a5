#ifndef AGENT_BUDGET_H
#define AGENT_BUDGET_H
/*
 * Budgets of model usage. Every request to a model goes through ask_model.h, which refuses it when the
 * budget of its chat, its person or all is used up. A request in flight reserves what it may still spend,
 * and a request that could exceed a budget with it waits for its end. Usage is counted at once and stored
 * by the caller; each warning is sent once per level, window and limit, also across a crash. On the loop's
 * thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/budget_settings.h"

struct address;
struct agent;
struct budget;
struct buf;
struct bus;
struct error;
struct outbound;
struct store;
struct counter;
struct task;
struct turn;

extern struct counter budget_refusals;

struct budget *budget_new(struct store *store, struct bus *bus);
void budget_free(struct budget *b);
/* Loads the budgets set from chat. Suspends. */
int budget_load(struct task *t, struct budget *b, struct error *err);
/* Shares the budgets with the other nodes of a cluster: their spending counts here after some seconds. */
void budget_share(struct budget *b);
/* Applies the settings, which are borrowed until the next call. */
void budget_apply(struct budget *b, const struct budget_settings *s, const char *currency);
/* Sets the callback that lists the recipients of warnings about the common budget; it returns their number,
 * at most `most`. */
void budget_set_admins(
    struct budget *b, size_t (*find)(void *arg, struct address *out, size_t most), void *arg);

/* Who makes a request. */
struct budget_spender {
	const struct agent *agent;
	const struct address *chat; /* where the answer goes */
	const char *person;         /* platform id; NULL for no person */
	enum budget_role role;
	bool *counted;             /* set once the turn is counted as such; NULL when there is no turn */
	struct store_usage *spent; /* usage is added to it */
};
struct budget_spender budget_spender_of(const struct agent *a, struct turn *turn);

/* Returns 1 when a turn of theirs could begin now, 0 when a budget is used up, -1 when cancelled or the store
 * failed. */
int budget_admits_turn(struct task *t, const struct budget_spender *who, struct error *err);

/* No request was made. BUDGET_REFUSED: the error is the text for the person. BUDGET_FAILED: the task was
 * cancelled, or the store failed. */
enum { BUDGET_REFUSED = 1, BUDGET_FAILED = -2 };
/* Sends the warnings that are due. */
void budget_warn(struct task *t, const struct budget_spender *who);

/* Budget and usage of one account and window, for display. */
struct budget_state {
	int64_t used[STORE_MEASURES], most[STORE_MEASURES]; /* STORE_NO_LIMIT for none */
	int64_t unpriced;                                   /* calls missing from used[STORE_MONEY] */
	bool from_chat;                                     /* set from chat */
	bool lifted;                                        /* suspended today */
};
struct store_account budget_account_of(
    const struct agent *a, enum store_scope scope, const struct address *chat, const char *person);
int budget_read_state(struct task *t, struct budget *b, const struct store_account *a, enum budget_role role,
    struct budget_state out[STORE_WINDOWS], struct error *err);
/* Returns what was set from chat; valid until the next change. */
const struct store_budgets *budget_from_chat(const struct budget *b);
/* Commits a change with the end of the message and the deliveries, and applies it. */
int budget_change(struct task *t, struct budget *b, const struct store_budget_change *c, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);
/* Gets the common usage in a window, as far as it is in memory. */
void budget_total(const struct budget *b, enum store_window window, struct budget_state *out);
/* Returns today in the budgets' time zone, such as 20261122. */
int64_t budget_day(const struct budget *b);
const char *budget_currency(const struct budget *b);
const char *budget_zone(const struct budget *b);

/* "500,000 tokens", "1.25 USD", "1 turn". */
void budget_add_amount(struct buf *out, enum store_measure measure, int64_t amount, const char *currency);
/* Appends the cost of that many requests: "1.25 USD", "not known", or the known part with the number of
 * unpriced requests. */
void budget_add_cost(struct buf *out, int64_t requests, int64_t unpriced, int64_t cost, const char *currency);
/* "1,234 of 500,000 tokens". */
void budget_add_use(
    struct buf *out, const struct budget_state *state, enum store_measure measure, const char *currency);
extern const char *const budget_scope_whose[];              /* "The budget of this chat" */
extern const char *const budget_window_now[STORE_WINDOWS];  /* "today" */
extern const char *const budget_window_each[STORE_WINDOWS]; /* "a day" */
/* Appends a sentence on when the window resets. */
void budget_add_reset(struct buf *out, enum store_window window, int64_t day, const char *zone);

#endif
