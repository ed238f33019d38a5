#ifndef STORE_POSTGRES_POSTGRES_INTERNAL_H
#define STORE_POSTGRES_POSTGRES_INTERNAL_H
/* A connection to PostgreSQL, and what is needed to make the next one when it is lost. */
#include <stdbool.h>
#include <stdint.h>

#include "net/backoff.h"
#include "store/db.h"
#include "store/postgres/libpq.h"

struct cluster_settings;
struct error;

/* Begins what only PostgreSQL understands: the tests look at all other statements with both engines. */
#define ONLY_POSTGRES "/* PostgreSQL */ "

/* Of our advisory locks: "myna". */
#define LOCK_CLASS "1836674657"
/* Of the lock of a node, in the database's own table of locks: its two numbers, and the second one as
 * pg_locks shows it. Both take an expression for its name. */
#define NODE_CLASS       "1836674658"
#define NODE_HASH(node)  "hashtext(to_regclass('meta')::oid::text || ':' || " node ")"
#define NODE_OBJID(node) "(" NODE_HASH(node) "::bigint & 4294967295)::oid"

struct postgres {
	struct db *db;
	char *url, *password;
	PGconn *conn;        /* NULL: lost */
	unsigned generation; /* counts connections: each has its own prepared statements */
	unsigned names;      /* of those */
	/* The server's process behind the connection. */
	int pid;
	char *pid_since;
	/* The gateway's lock is to be held by every connection. False: only reads. */
	bool locks;
	bool patient; /* of a command: an answer may take its time, and a lost connection is not made anew */
	const struct cluster_settings *cluster; /* borrowed; NULL: no other gateway may write */
	/* By clock_measure_us, in ms: nothing is waited for longer; 0: the usual limits. */
	uint64_t deadline_ms;
	/* Our row in the table writers, which has the number of our last commit; "" for none. Each process
	 * has its own. */
	char writer[40];
	int64_t commits;
	unsigned changes; /* of db when the transaction began */
	struct backoff backoff;
	uint64_t retry_at_ms; /* by clock_measure_us */
	struct error why;     /* the last connection was not made */
};

static inline struct postgres *postgres_of(const struct db *db)
{
	return db->handle;
}

/* connection.c */

/* Makes a connection for the session that the store needs. ERROR_LIMITED when the server may come yet. */
int postgres_connect(struct postgres *p, struct error *err);
/* Waits for what was sent; takes whether sending worked. Returns the last result, which the caller clears;
 * NULL with err set on any failure, which is recorded as trouble. */
PGresult *postgres_await(struct postgres *p, int sent, struct error *err);
/* Runs statements without parameters; as postgres_await. */
PGresult *postgres_query(struct postgres *p, const char *sql, struct error *err);
int postgres_do(struct postgres *p, const char *sql, struct error *err);
/* Sends what libpq has kept to be sent. */
int postgres_send(struct postgres *p, struct error *err);
/* Waits for more of an answer. */
int postgres_wait_to_read(struct postgres *p, struct error *err);
/* Fills err for a call while there is no connection; returns -1. */
int postgres_away(struct postgres *p, struct error *err);
/* The connection is no more; returns -1. */
int postgres_lost(struct postgres *p, const char *why, struct error *err);
/* recover of struct db_ops. */
int postgres_recover(struct db *db, struct error *err);

/* lock.c */

/* Takes the lock that one gateway has in a database, for this connection; in a cluster its nodes share it,
 * and each has one of its own. A dead owner's may be there for a moment. ERROR_OURS names the owner. */
int postgres_lock(struct postgres *p, struct error *err);
/* Makes our row in the table writers, and removes those of processes of long ago. */
int postgres_begin_writing(struct postgres *p, struct error *err);

/* schema.c */

int postgres_read_version(struct db *db, int64_t *version, struct error *err);
int postgres_write_version(struct db *db, int64_t version, struct error *err);
/* Returns 1 when there are tables of some version, 0, or -1. */
int postgres_has_tables(struct postgres *p, struct error *err);
/* Makes the tables of the current version, unless there are some. Begins a transaction, in which nobody else
 * makes them; after a failure the caller rolls it back. */
int postgres_begin_tables(struct postgres *p, struct error *err);
/* The same in a transaction of its own. */
int postgres_make_tables(struct postgres *p, struct error *err);

extern const struct copy_ops copy_postgres;
extern const struct search_ops search_postgres;

#endif
