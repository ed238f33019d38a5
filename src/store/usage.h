#ifndef STORE_USAGE_H
#define STORE_USAGE_H
/*
 * What models took and gave, in tokens, as the providers report it: for each chat and for all, by day (UTC; kept for 30) and in
 * total. Written in the commit of what the tokens were spent on. The functions are as those of store.h.
 */
#include <stdint.h>

struct address;
struct db;
struct error;
struct store;
struct task;

/* Tokens, and the requests to models that they were of. */
struct store_usage {
	int64_t requests, input, cached, output;
};

struct store_usages {
	struct store_usage chat_today, chat, all_today, all;
};

int store_usage_read(struct task *t, struct store *s, const struct address *where, struct store_usages *out,
    struct error *err);

/* On the store's thread, in a transaction: adds what was spent in a session. */
int usage_add(struct db *db, int64_t session, const struct store_usage *spent, int64_t now_ms, struct error *err);

#endif
