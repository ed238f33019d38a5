#ifndef TESTS_STORE_PLACE_H
#define TESTS_STORE_PLACE_H
/* A state directory of a test's own, and tests that are a task with an open store in one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "store/store.h"

struct place {
	char dir[64];
	struct store *store;
	struct buf notices; /* one a line */
	int64_t check_now_bytes;
	struct retention keep;
};

void place_make(struct place *p);
void place_remove(struct place *p);
void place_open(struct task *t, struct place *p);
int place_try(struct task *t, struct place *p, struct error *err);
void place_close(struct task *t, struct place *p);
void place_reopen(struct task *t, struct place *p);
/* The path of a file in it; good until the next call. */
const char *place_path(const struct place *p, const char *name);
/* With SQLite itself, while the store is closed. */
void place_do(const struct place *p, const char *sql);
int64_t place_number(const struct place *p, const char *sql);
/* Files in the directory whose names begin so. */
size_t place_files(const struct place *p, const char *prefix);

struct place_body {
	void (*fn)(struct task *t, struct place *p);
};

/* Opens a store in a new place, runs the body in a task, closes and removes. */
void place_run(void **state);

#define IN_PLACE(test)                                             \
	{                                                          \
#test, place_run, NULL, NULL, &(struct place_body) \
		{                                                  \
			test                                       \
		}                                                  \
	}

/* Shorthands that fail the test when they fail. */
struct address place_address(const char *text);
struct message *place_message(const char *event, const char *from, const char *text);
int64_t place_put(struct task *t, struct place *p, const char *event, const char *from, const char *text);
int64_t place_queue(struct task *t, struct place *p, const char *to, const char *text, const char *key);
/* Ids of pending messages, as "1 2 3"; good until the next call. */
const char *place_pending(struct task *t, struct place *p, const char *from);
const char *place_lane(struct task *t, struct place *p, const char *channel, const char *chat);
struct store_counts place_counts(struct task *t, struct place *p);

#define assert_ok(call, err)                                   \
	do {                                                   \
		if ((call) < 0)                                \
			fail_msg("%s: %s", #call, (err).text); \
	} while (0)

#endif
