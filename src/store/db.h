#ifndef STORE_DB_H
#define STORE_DB_H
/*
 * A thin layer over the engine that holds the store: cached prepared statements in the SQL that all engines
 * speak, and columns that fill structs. Used by one thread; nothing here suspends. An engine opens the
 * connection (store/sqlite/db_sqlite.h).
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/db_ids.h"

struct db;
struct db_ops;
struct error;
struct store_usage;

/* Problems that the operator must know of, recorded by the call that met them. */
enum db_trouble {
	DB_DAMAGED = 1, /* the database does not hold what was written */
	DB_FULL = 2,    /* no space left */
	DB_FAILING = 4, /* the disk answers with errors */
	/* The engine refused a statement: only a check tells whether the database is damaged. */
	DB_SUSPECT = 8,
	DB_UNREACHABLE = 16, /* the server of the database cannot be reached */
	DB_STALE = 32        /* another server answers, which does not have all that was committed */
};

struct db_value {
	bool is_text;
	const char *text; /* NULL for SQL NULL; borrowed for the call */
	int64_t number;
};

/* A prepared statement and its current row. Engines embed it as their first member. */
struct db_row {
	struct db *db;
};

struct db_statement {
	const char *sql; /* NULL: this place is free */
	struct db_row *row;
};

struct db {
	const struct db_ops *ops;
	void *handle; /* the engine's connection; NULL while closed */
	char *dir, *path;
	struct db_statement *statements; /* a hash table by sql's address, with open addressing */
	size_t statement_count, statement_room;
	const char *node; /* in a cluster, with rows of its own in shared tables; else NULL */
	struct db_block blocks[DB_IDS];
	atomic_bool later_ids;     /* another thread wants db_forget_ids before the next id */
	struct store_usage *spent; /* in this transaction, not written yet; NULL: nothing */
	unsigned trouble;          /* enum db_trouble; cleared by its reader */
	unsigned changes;     /* rows that were changed, or are to be before the commit; may wrap around */
	int wal_pages;        /* in the write-ahead log since the last checkpoint */
	uint64_t commits;     /* that wrote something */
	uint64_t round_trips; /* to the server */
	bool lost;       /* the connection is lost: every call fails until db_recover has made another one */
	bool conflict;   /* the last failure was a conflict with another writer: a retry may succeed */
	bool must_await; /* no result may be presumed: the jobs run again after a failure */
	bool commit_uncertain; /* whether the last commit happened is unknown until db_recover */
	/* may be NULL; another thread sets it to make calls end soon with ERROR_CANCELLED */
	const atomic_bool *stop;
	/* A long operation, whose progress is logged now and then; NULL: none. */
	const char *work;
	uint64_t work_began_ms, work_logged_ms;
};

/* Writes what is left to write, and closes. trouble and commits stay readable. */
void db_close(struct db *db);

static inline struct db_value db_int(int64_t n)
{
	return (struct db_value){.number = n};
}
static inline struct db_value db_text(const char *s)
{
	return (struct db_value){.is_text = true, .text = s};
}

/* The values of ?1, ?2, …: expands to two arguments, array and count. */
#define DB_ARGS(...)                            \
	(const struct db_value[]){__VA_ARGS__}, \
	    sizeof((const struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value)
#define DB_NO_ARGS NULL, 0

/* Runs any number of statements, which are not cached. */
int db_script(struct db *db, const char *sql, struct error *err);
/* Runs one statement without rows, cached by the address of sql (a literal). Returns the number of changed
 * rows, or -1. */
int db_run(struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
/* Like db_run for an INSERT into a table with ids. Sets *id to the id of the last new row, 0 when there is
 * none. */
int db_insert(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *id,
    struct error *err);
/* Like db_run for a statement that nearly always changes a row: an engine may return 1 before it knows. If
 * that was wrong, the transaction fails, and its jobs run again with db->must_await, where this is db_run. */
int db_run_presumed(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
/* Like db_run and db_insert for callers that ignore the number of rows: return at least 0, or -1. *id is set
 * by the commit at the latest, unless the transaction fails: 0 when no row was inserted. The last value of an
 * INSERT is its id, and an engine may batch it (db_run_batched). */
int db_run_later(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
int db_insert_later(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *id,
    struct error *err);
/* The same for a statement that a transaction runs many times, on different rows: an engine may run all of
 * them as one, in any order, before the next statement that is not batched. Its text has VALUES with
 * parameters alone, or DB_FROM_ROWS or DB_AND_ROWS where the engine adds a table of the rows. */
#define DB_FROM_ROWS "/* FROM rows */"
#define DB_AND_ROWS  "/* , rows */"
int db_run_batched(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
int db_run_batched_presumed(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
/* Returns whether results are presumed now: a statement of db_run_later may then fail on purpose, so that the
 * jobs run again with db->must_await. */
bool db_presumes(const struct db *db);
/* Starts a cached statement with rows. Returns NULL with err set on failure. Read the rows by db_next until
 * it returns 0 or -1, or stop early with db_end. */
struct db_row *db_select(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
/* Sends a read ahead of others, if the engine can; read its row once, as that of db_select. Returns NULL when
 * it was not sent. */
struct db_row *db_select_ahead(struct db *db, const char *sql, const struct db_value *values, size_t count);
int db_next(struct db *db, struct db_row *row, struct error *err); /* 1: a row; 0: no more; -1: failed */
void db_end(struct db_row *row);
/* Ends all statements that a failed job left open. */
void db_end_all(struct db *db);
/* Reads the first column of the first row. Returns 1, 0 when there is no row, or -1. */
int db_number(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *out,
    struct error *err);
/* Reads the first column of all rows into a malloc'd array. Returns the count or -1. */
int db_numbers(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t **out,
    struct error *err);
int64_t db_column_int(struct db_row *row, int column);
/* Returns malloc'd valid UTF-8, or NULL for SQL NULL. */
char *db_column_text(struct db_row *row, int column);
/* Returns -1 when the value does not fit, which means damage. */
int db_column_chars(struct db_row *row, int column, char *out, size_t size);

/* A struct's members in column order. */
enum db_type {
	DB_TEXT,  /* char *, owned */
	DB_CHARS, /* char[limit] */
	DB_INT64,
	DB_ENUM, /* 0 to limit */
	DB_UINT,
	DB_BOOL
};

struct db_field {
	enum db_type type;
	size_t offset, limit;
};

/* Fills out from the members; returns count. */
size_t db_values(struct db_value *out, const struct db_field *fields, size_t count, const void *object);
/* Fills members from the columns that begin at first. Returns -1 with err set when a column holds an
 * impossible value. */
int db_read(struct db *db, struct db_row *row, int first, const struct db_field *fields, size_t count,
    void *object, struct error *err);

int db_begin(struct db *db, struct error *err);
/* Returns -1 after a rollback: the transaction had no effect. */
int db_commit(struct db *db, struct error *err);
void db_rollback(struct db *db);
/* Returns true outside a transaction, as after the engine rolled back by itself. */
bool db_is_idle(struct db *db);
/* Returns true inside a transaction with a failed statement, which only a rollback ends. */
bool db_is_broken(struct db *db);
/* Makes another connection for one that was lost, if it is time to try. Returns 1 when the uncertain commit
 * has happened, 0 when it has not or there is none, -1 with err set while the database cannot be reached. */
int db_recover(struct db *db, struct error *err);
/* Checkpoints a write-ahead log of at least at_pages pages; the engine may then use it from its start. */
void db_checkpoint(struct db *db, int at_pages);
/* Frees spare memory of the page cache. */
void db_shrink(struct db *db);

struct db_size {
	int64_t all, used; /* bytes of the database */
	int64_t log;       /* those in the write-ahead log, not yet in the database */
};
int db_size(struct db *db, struct db_size *out, struct error *err);

/* Engines call it now and then during a long statement. Returns true when the statement must end. */
bool db_is_stopped(struct db *db);

/* Fills err for damage that the engine did not detect, and records it; returns -1. */
__attribute__((format(printf, 3, 4))) int db_damaged(struct db *db, struct error *err, const char *fmt, ...);

#endif
