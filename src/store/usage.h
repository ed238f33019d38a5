#ifndef STORE_USAGE_H
#define STORE_USAGE_H
/*
 * Token usage as the providers report it, and its cost, accounted per chat, per person and in total, by
 * day (kept for 30), by month and overall. Each commit includes the usage of its own work. Calls behave
 * as in store.h.
 */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;
struct store;
struct task;

/* Stored as numbers: do not reorder. */
enum store_scope { STORE_ALL, STORE_CHAT, STORE_PERSON };

struct store_account {
	enum store_scope scope;
	char channel[32]; /* "" for all */
	/* Chat id or person id; "" for all. In the rows of all it is the node that spent, so that nodes do
	 * not wait for each other. */
	char who[64];
};

struct store_usage {
	int64_t turns;           /* started turns, counted at their first request */
	int64_t requests;        /* answered by a model, at least in part */
	int64_t unpriced;        /* of those: cost unknown */
	int64_t estimated;       /* of those: usage estimated, not reported by the provider */
	int64_t input;           /* tokens read by the model */
	int64_t cached, written; /* of those: read from and written to a cache */
	int64_t output;          /* tokens written by the model */
	int64_t seconds;         /* seconds of transcribed speech */
	int64_t cost;            /* of the priced requests, in millionths of llm.currency */
	/* The accounts besides the chat's. */
	int64_t day; /* day in the budgets' time zone, such as 20261122; 0: the UTC day of the commit */
	struct store_account person; /* who "" for no person */
};

/* Adds the numbers; to gets the accounts of spent. */
void store_usage_sum(struct store_usage *to, const struct store_usage *spent);

/* Raises each number of to that is smaller. */
void store_usage_raise(struct store_usage *to, const struct store_usage *spent);

/* Gets the usage of an account in each period: a day as 20261122, a month as 202611, 0 for all. */
int store_usage_total(struct task *t, struct store *s, const struct store_account *a, const int64_t *periods,
    size_t count, struct store_usage *out, struct error *err);

/* A greater period is a day. */
#define USAGE_MONTH_LAST 999999

/* In an INSERT INTO spending: adds the numbers to those of the existing row. */
#define USAGE_MERGE                                                                                      \
	"turns = spending.turns + excluded.turns, requests = spending.requests + excluded.requests, "    \
	"unpriced = spending.unpriced + excluded.unpriced, input = spending.input + excluded.input, "    \
	"cached = spending.cached + excluded.cached, written = spending.written + excluded.written, "    \
	"output = spending.output + excluded.output, cost = spending.cost + excluded.cost, estimated = " \
	"spending.estimated + excluded.estimated, seconds = spending.seconds + excluded.seconds"

/* Adds usage of a session that belongs to no other commit. */
int store_usage_add(
    struct task *t, struct store *s, int64_t session, const struct store_usage *spent, struct error *err);

/* On the store's thread, in a transaction: adds usage of a session. What it adds to the account of all, which
 * every turn changes, is written once, by usage_write. */
int usage_add(
    struct db *db, int64_t session, const struct store_usage *spent, int64_t now_ms, struct error *err);
/* Before the end of a transaction or of a savepoint: writes what was added since, or forgets it. */
int usage_write(struct db *db, struct error *err);
void usage_forget(struct db *db);

#endif
