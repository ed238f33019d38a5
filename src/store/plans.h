#ifndef STORE_PLANS_H
#define STORE_PLANS_H
/*
 * The plans that the agent shows in chats: each is one message, which is changed when the plan does. Its text
 * is that of a version; what is shown lags behind. The functions are as those of store.h.
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
	int64_t session; /* the conversation that it belongs to: another one has its own */
	int64_t turn;    /* the call that wrote it last */
	char *call_id;
	int64_t version, shown; /* from 1; shown: of the outbox row */
	int64_t outbox;         /* the row that shows it, or is to */
	bool over;              /* the next one is another plan, with a message of its own */
	char *steps;            /* the core's own; redacted */
};

/* NULL is fine. */
void store_plan_free(struct store_plan *p);

/* Puts the plan in place of the chat's last one: sets id, version, shown and outbox. When there is none that
 * goes on, row is put as its message, in the same commit; row NULL: then nothing is put, and id is 0. The
 * same call made again changes nothing. */
int store_plan_put(
    struct task *t, struct store *s, struct store_plan *p, struct outbound *row, struct error *err);
/* Puts a row that shows that version: 0. */
int store_plan_show(
    struct task *t, struct store *s, int64_t id, int64_t version, struct outbound *row, struct error *err);
/* Takes it that this version need not be shown any more. */
int store_plan_skip_version(struct task *t, struct store *s, int64_t id, int64_t version, struct error *err);
/* 1 with *out new, 0 when there is none, -1. */
int store_plan_read(struct task *t, struct store *s, int64_t id, struct store_plan **out, struct error *err);
/* The first above after_id of which a version is not shown yet: as above. */
int store_plan_next(
    struct task *t, struct store *s, int64_t after_id, struct store_plan **out, struct error *err);

#endif
