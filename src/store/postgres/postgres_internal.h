#ifndef STORE_POSTGRES_POSTGRES_INTERNAL_H
#define STORE_POSTGRES_POSTGRES_INTERNAL_H
/* A connection to PostgreSQL, and what reconnecting needs when it is lost. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "net/backoff.h"
#include "store/db.h"
#include "store/postgres/libpq.h"

struct cluster_settings;
struct error;

/* Marks a statement that only PostgreSQL understands: tests check all others with both engines. */
#define ONLY_POSTGRES "/* PostgreSQL */ "

/* The class of our advisory locks: "myna" in ASCII. */
#define LOCK_CLASS "1836674657"
/* Of the lock of a node, in the database's own table of locks: its two numbers, and the second one as
 * pg_locks shows it. Both take an expression for its name. */
#define NODE_CLASS       "1836674658"
#define NODE_HASH(node)  "hashtext(to_regclass('meta')::oid::text || ':' || " node ")"
#define NODE_OBJID(node) "(" NODE_HASH(node) "::bigint & 4294967295)::oid"

/* A prepared statement. */
struct postgres_prepared {
	char *sql, name[16];
	unsigned generation; /* of the connection in which it is prepared; 0: none */
};

/* A statement that was sent, and where its result goes. */
struct postgres_sent {
	PGresult **result; /* receives it; NULL: nobody needs it */
	int64_t **ids;     /* each becomes 0 when its row was not inserted; NULL: none */
	size_t id_count;
	const char *table;                  /* of the ids */
	bool presumed;                      /* it fails when it changes no row */
	struct postgres_prepared *prepared; /* by this */
};

struct postgres {
	struct db *db;
	char *url, *password;
	PGconn *conn;        /* NULL: lost */
	unsigned generation; /* counts connections: each has its own prepared statements */
	unsigned names;      /* of those */
	/* The server's process behind the connection. */
	int pid;
	char *pid_since;
	/* A transaction whose statements are sent ahead (pipeline.c), and those since its begin. */
	bool in_pipeline;
	struct postgres_sent *sent;
	size_t sent_count, sent_room, answered;
	struct list batches; /* struct postgres_batch: sent before any other statement */
	/* Every connection must hold the gateway's lock. False: it only reads. */
	bool locks;
	bool opening;    /* a lost connection is a temporary error: the opening is retried */
	bool is_command; /* opened by a command: a result may take its time, and nothing reconnects */
	const struct cluster_settings *cluster; /* borrowed; NULL: no other gateway may write */
	/* By clock_measure_us, in ms: no wait goes on after it; 0: the usual limits. */
	uint64_t deadline_ms;
	/* Our row in the table writers, which has the number of our last commit; "" for none. Each process
	 * has its own. */
	char writer[40];
	struct postgres_prepared commit_marker; /* the statement that stores it */
	int64_t commits;
	int64_t confirmed; /* the last one that the server confirmed */
	int64_t missing;   /* confirmed commits that the server does not have, not reported yet */
	unsigned changes;  /* of db when the transaction began */
	struct backoff backoff;
	uint64_t retry_at_ms; /* by clock_measure_us */
	struct error why;     /* why the last attempt to connect failed */
};

static inline struct postgres *postgres_of(const struct db *db)
{
	return db->handle;
}

/* In a cluster, a message may be committed after this many with higher ids. */
#define LATE_IDS 10000

/* connection.c */

/* Delay before the next attempt to open a database that does not answer. */
#define POSTGRES_RETRY_MS 500

/* Connects and sets up the session that the store needs. ERROR_LIMITED when the server may still come up. */
int postgres_connect(struct postgres *p, struct error *err);
/* Waits for the results; sent is what libpq's sending returned. Returns the last result, which the caller
 * clears; NULL with err set on any failure, which is recorded as trouble. */
PGresult *postgres_await(struct postgres *p, int sent, struct error *err);
/* Runs statements without parameters; as postgres_await. */
PGresult *postgres_query(struct postgres *p, const char *sql, struct error *err);
int postgres_do(struct postgres *p, const char *sql, struct error *err);
/* Waits for the next result, which the caller clears; NULL: no more. -1 with err set when the connection is
 * lost. */
int postgres_next_result(struct postgres *p, PGresult **result, struct error *err);
bool postgres_is_good(const PGresult *result);
/* Fills err from a result that is an error, and clears it; returns -1. presumed: because no row was changed.
 */
int postgres_fail(struct postgres *p, PGresult *result, bool presumed, struct error *err);
/* Flushes libpq's output. */
int postgres_send(struct postgres *p, struct error *err);
/* Waits for more of an answer. */
int postgres_wait_to_read(struct postgres *p, struct error *err);
/* Fills err for a call while there is no connection; returns -1. */
int postgres_fail_unreachable(struct postgres *p, struct error *err);
/* Records that the connection is lost; returns -1. */
int postgres_lost(struct postgres *p, const char *why, struct error *err);
/* recover of struct db_ops. */
int postgres_recover(struct db *db, struct error *err);

/* pipeline.c: after a failure, the connection is lost or the transaction waits for its end. */

/* Forgets the sent statements and the batches. */
void pipeline_clear(struct postgres *p);
int pipeline_begin(struct postgres *p, struct error *err);
/* Sends a statement, and before it what prepares it. */
int pipeline_add(struct postgres *p, struct postgres_prepared *s, size_t count, const Oid *types,
    const char *const *texts, const struct postgres_sent *what, struct error *err);
/* The result is not needed any more. */
void pipeline_forget(struct postgres *p, PGresult **result);
/* Waits for the answers to all statements. */
int pipeline_await(struct postgres *p, struct error *err);
/* Like pipeline_await; later statements run one at a time. */
int pipeline_end(struct postgres *p, struct error *err);
int pipeline_commit(struct postgres *p, struct error *err);
/* After a commit that happened but whose answer was lost: finds out which rows were inserted. */
int pipeline_find_ids(struct postgres *p, struct error *err);

/* batch.c */

struct postgres_batch;
/* Creates a batch: one statement for any number of rows with columns of these types. with_ids: it inserts,
 * and the last column is the id. presumed: it fails unless it changes as many rows. */
struct postgres_batch *batch_new(
    struct postgres *p, const char *sql, size_t columns, const Oid *types, bool with_ids, bool presumed);
void batch_free(struct postgres_batch *g);
/* Adds a row. *id becomes 0 when it is not inserted. */
void batch_add(struct postgres *p, struct postgres_batch *g, const char *const *texts, int64_t *id);
int batch_send(struct postgres *p, struct error *err);
void batch_drop(struct postgres *p);
void batch_take_ids(const PGresult *answer, int64_t **ids, size_t count);

/* db_postgres.c */

/* Takes sql. */
void postgres_name(struct postgres *p, struct postgres_prepared *s, char *sql);

int postgres_has_committed(struct postgres *p, const PGresult *result, struct error *err);

/* lock.c */

/* Takes the lock that one gateway holds in a database, for this connection; the nodes of a cluster share it,
 * and each holds one of its own. A dead owner's lock may last for a moment. ERROR_OURS names the owner. */
int postgres_lock(struct postgres *p, struct error *err);
/* Inserts our row into the table writers, and removes those of long-gone processes. */
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
