#ifndef STORE_DB_H
#define STORE_DB_H
/*
 * SQLite in few words: a connection with the settings that the store relies on, statements that are
 * prepared once and kept, rows that fill structs. Used by one thread; nothing here suspends.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct sqlite3;
struct sqlite3_stmt;

/* What an operator must know of, noted by whatever call met it. */
enum db_trouble {
	DB_DAMAGED = 1, /* the file does not hold what was written */
	DB_FULL = 2,    /* no space left */
	DB_FAILING = 4, /* the disk answers with errors */
	DB_SUSPECT = 8  /* it refused a statement of ours: only a check tells whether the file is damaged */
};

struct db_statement {
	const char *sql;
	struct sqlite3_stmt *handle;
};

struct db {
	struct sqlite3 *handle; /* NULL while closed */
	char *dir, *path;
	struct db_statement *statements;
	size_t statement_count;
	unsigned trouble;        /* enum db_trouble; cleared by who acts on it */
	int wal_pages;           /* in the log since the last checkpoint */
	uint64_t commits;        /* that wrote something */
	const atomic_bool *stop; /* NULL, or set by another thread: calls end soon, with ERROR_CANCELLED */
};

enum db_mode {
	DB_LIVE,
	DB_EVIDENCE /* read only what is there: nothing is copied from the log into the file */
};

/* Makes the file (0600) when missing. dir is for messages. Closed again on failure. */
int db_open(struct db *db, const char *dir, const char *path, enum db_mode mode, struct error *err);
/* An empty one in memory. */
int db_open_memory(struct db *db, struct error *err);
/* Checkpoints (not DB_EVIDENCE). trouble and commits stay readable. */
void db_close(struct db *db);

struct db_value {
	bool is_text;
	const char *text; /* NULL: NULL; borrowed for the call */
	int64_t number;
};

static inline struct db_value db_int(int64_t n)
{
	return (struct db_value){.number = n};
}
static inline struct db_value db_text(const char *s)
{
	return (struct db_value){.is_text = true, .text = s};
}

/* The values of ?1, ?2, … : two arguments, array and count. */
#define DB_ARGS(...)                            \
	(const struct db_value[]){__VA_ARGS__}, \
	    sizeof((const struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value)
#define DB_NO_ARGS NULL, 0

/* Any number of statements, not kept. */
int db_script(struct db *db, const char *sql, struct error *err);
/* One statement without rows, kept by the address of sql (a literal). How many rows it changed, or -1. */
int db_run(struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
int64_t db_last_id(struct db *db);
/* A kept statement with rows: NULL with err set, or to be read by db_next until it returns 0 or -1, or ended
 * by db_end. */
struct sqlite3_stmt *db_select(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err);
int db_next(struct db *db, struct sqlite3_stmt *row, struct error *err); /* 1: a row. 0: no more */
void db_end(struct sqlite3_stmt *row);
/* The first column of the first row: 1, or 0 when there is none. */
int db_number(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *out,
    struct error *err);
int64_t db_column_int(struct sqlite3_stmt *row, int column);
/* malloc'd valid UTF-8, NULL for NULL. */
char *db_column_text(struct sqlite3_stmt *row, int column);
/* -1 when it does not fit, which means damage. */
int db_column_chars(struct sqlite3_stmt *row, int column, char *out, size_t size);

/* A struct's members in the order of their columns. */
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

/* Writes count values from the members; returns count. */
size_t db_values(struct db_value *out, const struct db_field *fields, size_t count, const void *object);
/* Fills members from the columns that begin at first. -1 with err set when a column holds what cannot have
 * been written. */
int db_read(struct db *db, struct sqlite3_stmt *row, int first, const struct db_field *fields, size_t count,
    void *object, struct error *err);

int db_begin(struct db *db, struct error *err);
/* -1: rolled back, nothing of the transaction happened. */
int db_commit(struct db *db, struct error *err);
void db_rollback(struct db *db);
/* Outside a transaction: the database rolled back by itself after an error. */
bool db_is_idle(struct db *db);
/* Copies the log into the file when it has grown long, and may start over in it. */
void db_checkpoint(struct db *db, int at_pages);
/* Gives back what memory the page cache can spare. */
void db_shrink(struct db *db);

/* Fills err from what the connection failed with last, and notes trouble; returns -1. */
int db_fail(struct db *db, struct error *err);
/* The same for damage that SQLite did not see. */
__attribute__((format(printf, 3, 4))) int db_damaged(struct db *db, struct error *err, const char *fmt, ...);

#endif
