#ifndef STORE_USAGE_H
#define STORE_USAGE_H
/*
 * What models took and gave, as the providers report it, and what it cost: on the account of each chat, of
 * each person, and of all, by day (kept for 30), by month and in total. Written in the commit of what it was
 * spent on. The functions are as those of store.h.
 */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;
struct store;
struct task;

/* Stored numbers. */
enum store_scope { STORE_ALL, STORE_CHAT, STORE_PERSON };

struct store_account {
	enum store_scope scope;
	char channel[32]; /* "" for all */
	char who[64];     /* the id of the chat, or of the person; "" for all */
};

struct store_usage {
	int64_t turns;           /* that asked a model for the first time */
	int64_t requests;        /* that a model answered, be it in part */
	int64_t unpriced;        /* of those: nobody knows what they cost */
	int64_t estimated;       /* of those: the provider did not say what they took */
	int64_t input;           /* tokens that the model read */
	int64_t cached, written; /* of those: from a cache, and into one */
	int64_t output;          /* tokens that it wrote */
	int64_t seconds;         /* of speech that became text */
	int64_t cost;            /* of the others, in millionths of llm.currency */
	/* Where it counts, besides the chat. */
	int64_t day; /* the day in the budgets' time zone, as 20261122; 0: that of the commit, UTC */
	struct store_account person; /* who "": nobody's */
};

/* Adds the numbers; where they count is that of what was spent. */
void store_usage_sum(struct store_usage *to, const struct store_usage *spent);

/* Of an account in each of the periods: a day as 20261122, a month as 202611, 0 all. */
int store_usage_total(struct task *t, struct store *s, const struct store_account *a, const int64_t *periods,
    size_t count, struct store_usage *out, struct error *err);

/* Adds what was spent in a session, for what nothing else is stored of. */
int store_usage_add(
    struct task *t, struct store *s, int64_t session, const struct store_usage *spent, struct error *err);

/* On the store's thread, in a transaction: adds what was spent in a session. */
int usage_add(
    struct db *db, int64_t session, const struct store_usage *spent, int64_t now_ms, struct error *err);

#endif
