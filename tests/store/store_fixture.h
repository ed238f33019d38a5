#ifndef TESTS_STORE_STORE_FIXTURE_H
#define TESTS_STORE_STORE_FIXTURE_H
/* A temporary state directory, and tests that are tasks with an open store in it: in a file of that
 * directory, then in a database of a PostgreSQL server. */
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
#include "store/settings.h"
#include "store/store.h"
#include "store/turn/turns.h"

struct db;

struct fixture {
	char dir[64];
	struct store_settings engine;
	/* Another connection to a server's database, made when it is needed. */
	struct fixture_beside *beside;
	struct store *store;
	struct buf notices; /* one per line */
	int64_t check_now_bytes;
	struct retention keep;
	const struct cluster_settings *cluster; /* NULL: none */
	const struct cluster_ops *node_ops;
};

/* Those that are made from now on. */
extern enum store_engine_name fixture_engine;
extern bool fixture_durable; /* on a server that waits for the disk */

void fixture_make(struct fixture *p);
void fixture_remove(struct fixture *p);
void fixture_open(struct task *t, struct fixture *p);
int fixture_try(struct task *t, struct fixture *p, struct error *err);
void fixture_close(struct task *t, struct fixture *p);
void fixture_reopen(struct task *t, struct fixture *p);
/* Returns the path of a file in it; valid until the next call. */
const char *fixture_path(const struct fixture *p, const char *name);
/* Executes SQL directly, while the store is closed. */
void fixture_do(const struct fixture *p, const char *sql);
int64_t fixture_number(const struct fixture *p, const char *sql);
/* Returns all rows of the open database, one a line; the caller's. */
char *fixture_contents(const struct fixture *p);
/* Of a PostgreSQL store, which may be open: deletes everything. */
void fixture_empty(const struct fixture *p);
/* In a transaction that has undone something: PostgreSQL gives the ids again, as SQLite does. */
int fixture_rewind_ids(struct db *db, struct error *err);
/* Returns the number of files whose names have that prefix. */
size_t fixture_files(const struct fixture *p, const char *prefix);

struct fixture_body {
	void (*fn)(struct task *t, struct fixture *p);
	const char *only_sqlite; /* why it is about SQLite alone; NULL: it is not */
	bool only_postgres;
};

/* Opens a store in a new fixture, runs the body in a task, closes and removes. */
void fixture_run(void **state);

#define IN_SQLITE(test, why)                                           \
	{                                                              \
#test, fixture_run, NULL, NULL, &(struct fixture_body) \
		{                                                      \
			.fn = test, .only_sqlite = why                 \
		}                                                      \
	}
#define IN_PLACE(test) IN_SQLITE(test, NULL)
#define IN_POSTGRES(test)                                              \
	{                                                              \
#test, fixture_run, NULL, NULL, &(struct fixture_body) \
		{                                                      \
			.fn = test, .only_postgres = true              \
		}                                                      \
	}

/* Makes its fixtures itself. */
extern struct fixture_body fixture_both;
#define IN_BOTH(test)                                  \
	{                                              \
#test, test, NULL, NULL, &fixture_both \
	}

/* Runs the tests with SQLite, then with PostgreSQL where a server is installed; MYNA_STORE names one of them.
 * Tests of other kinds run once. Returns how many failed. */
int fixture_run_tests(const char *name, const struct CMUnitTest *tests, size_t count);

/* Shorthands that fail the test on errors. */
struct address fixture_address(const char *text);
struct message *fixture_message(const char *event, const char *from, const char *text);
int64_t fixture_put(struct task *t, struct fixture *p, const char *event, const char *from, const char *text);
int64_t fixture_send(struct task *t, struct fixture *p, const char *to, const char *text, const char *key);
/* Asks for a turn in the chat that answers a message that does not exist: as store_turn_start, 1 with what
 * must be known of the chat, or a failure. */
int fixture_ask_opening(struct task *t, struct fixture *p, const struct address *where,
    struct store_turn_opening *out, struct error *err);
/* Returns the ids of pending messages, as "1 2 3"; valid until the next call. */
const char *fixture_pending(struct task *t, struct fixture *p, const char *from);
const char *fixture_queued(struct task *t, struct fixture *p, const char *channel, const char *chat);
struct store_counts fixture_counts(struct task *t, struct fixture *p);
/* The bytes of the program, malloc'd: its statements are literals, so that none can be forgotten. A NUL ends
 * each text in them. */
char *fixture_read_program(size_t *size);
bool fixture_is_statement(const char *text);

#define assert_ok(call, err)                                   \
	do {                                                   \
		if ((call) < 0)                                \
			fail_msg("%s: %s", #call, (err).text); \
	} while (0)

#endif
