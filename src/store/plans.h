#ifndef STORE_PLANS_H
#define STORE_PLANS_H
/*
 * Plans that the agent shows in chats. Each plan is one message, which is edited when the plan changes;
 * the shown version may be older than the stored one. Calls behave as in store.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct error;
struct outbound;
struct store;
struct task;

struct store_plan {
	int64_t id;
	struct address where;
	int64_t session; /* its conversation; each conversation has its own plan */
	int64_t turn;    /* the tool call that last wrote it */
	char *call_id;
	int64_t version, shown; /* from 1; shown: the version in the outbox */
	int64_t outbox;         /* the delivery that shows or will show it */
	bool over;              /* finished: the next plan is a new one with its own message */
	char *steps;            /* encoded by the core; redacted */
};

/* NULL is allowed. */
void store_plan_free(struct store_plan *p);

/* Replaces the chat's current plan and sets id, version, shown and outbox. Without a current plan, commits
 * row as its message too; if row is NULL, stores nothing and sets id to 0. A repeated call has no
 * effect. */
int store_plan_put(
    struct task *t, struct store *s, struct store_plan *p, struct outbound *row, struct error *err);
/* Commits a delivery that shows that version. Returns 0 or -1. */
int store_plan_show(
    struct task *t, struct store *s, int64_t id, int64_t version, struct outbound *row, struct error *err);
/* Records that this version need not be shown. */
int store_plan_skip_version(struct task *t, struct store *s, int64_t id, int64_t version, struct error *err);
/* Returns 1 with a new *out, 0 when there is none, or -1. */
int store_plan_read(struct task *t, struct store *s, int64_t id, struct store_plan **out, struct error *err);
/* Reads the first plan above after_id with a version not yet shown. Returns as above. */
int store_plan_next(
    struct task *t, struct store *s, int64_t after_id, struct store_plan **out, struct error *err);

#endif
