#ifndef AGENT_BUDGET_H
#define AGENT_BUDGET_H
/*
 * What may be spent on models, and what is. Every request to a model goes through budget_complete, or
 * budget_transcribe: it is not made where a budget of its chat, of its person or of all is used up. What a
 * request on its way may still spend is reserved, and who would overrun a budget with it waits until it has
 * ended. What was spent is counted at once, and stored by the caller; warnings are given once for each level,
 * window and limit, also across a crash. On the loop's thread.
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
struct llm_answer;
struct llm_request;
struct llm_sink;
struct llm_audio;
struct outbound;
struct store;
struct counter;
struct task;
struct turn;

extern struct counter budget_refusals;

struct budget *budget_new(struct store *store, struct bus *bus);
void budget_free(struct budget *b);
/* Reads what was set from chat. */
int budget_load(struct task *t, struct budget *b, struct error *err);
/* In force from now on; borrowed until the next time. */
void budget_apply(struct budget *b, const struct budget_settings *s, const char *currency);
/* Who is told of a budget of all: how many, at most most. */
void budget_set_admins(
    struct budget *b, size_t (*find)(void *arg, struct address *out, size_t most), void *arg);

/* Who asks a model. */
struct budget_spender {
	const struct agent *agent;
	const struct address *chat; /* where the answer is heard */
	const char *person;         /* the platform's id; NULL: nobody's */
	enum budget_role role;
	bool *counted;             /* the turn counts already, set when it does; NULL: it is none */
	struct store_usage *spent; /* added to */
};
struct budget_spender budget_spender_of(const struct agent *a, struct turn *turn);

enum { BUDGET_REFUSED = 1, BUDGET_FAILED = -2 };
/* As llm_complete. BUDGET_REFUSED: nothing was asked, and err is what the person is told; BUDGET_FAILED: the
 * same because the task was cancelled, or the store failed. */
int budget_complete(struct task *t, const struct budget_spender *who, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err);
/* As llm_transcribe, and the above. It is no turn, but nothing is heard of whom no turn is left. */
int budget_transcribe(struct task *t, const struct budget_spender *who, const struct llm_audio *sound,
    struct buf *words, struct error *err);
/* Gives the warnings that are due after what was spent. */
void budget_warn(struct task *t, const struct budget_spender *who);

/* Of one account and window, for people. */
struct budget_state {
	int64_t used[STORE_MEASURES], most[STORE_MEASURES]; /* STORE_NO_LIMIT: none */
	int64_t unpriced;                                   /* calls that are not in used[STORE_MONEY] */
	bool from_chat;                                     /* it was set from chat */
	bool lifted;                                        /* it does not count today */
};
struct store_account budget_account_of(
    const struct agent *a, enum store_scope scope, const struct address *chat, const char *person);
int budget_read_state(struct task *t, struct budget *b, const struct store_account *a, enum budget_role role,
    struct budget_state out[STORE_WINDOWS], struct error *err);
/* What was set from chat; good until the next change. */
const struct store_budgets *budget_from_chat(const struct budget *b);
/* Commits a change with the end of the message and the rows; it counts from then on. */
int budget_change(struct task *t, struct budget *b, const struct store_budget_change *c, int64_t inbound,
    struct outbound *const *rows, size_t count, struct error *err);
/* What all spent in a window, as far as it is known without waiting. */
void budget_total(const struct budget *b, enum store_window window, struct budget_state *out);
/* The present day in the budgets' time zone, as 20261122. */
int64_t budget_day(const struct budget *b);
const char *budget_currency(const struct budget *b);
const char *budget_zone(const struct budget *b);

/* "500,000 tokens", "1.25 USD", "1 turn". */
void budget_add_amount(struct buf *out, enum store_measure measure, int64_t amount, const char *currency);
/* What so many requests cost: "1.25 USD", "not known", and what is known of it, with how much is not. */
void budget_add_cost(struct buf *out, int64_t requests, int64_t unpriced, int64_t cost, const char *currency);
/* "1,234 of 500,000 tokens". */
void budget_add_use(
    struct buf *out, const struct budget_state *state, enum store_measure measure, const char *currency);
extern const char *const budget_scope_whose[];              /* "The budget of this chat" */
extern const char *const budget_window_now[STORE_WINDOWS];  /* "today" */
extern const char *const budget_window_each[STORE_WINDOWS]; /* "a day" */
/* Appends when the window begins anew, a sentence. */
void budget_add_reset(struct buf *out, enum store_window window, int64_t day, const char *zone);

#endif
