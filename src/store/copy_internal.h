#ifndef STORE_COPY_INTERNAL_H
#define STORE_COPY_INTERNAL_H
/*
 * What an engine does for a copy. A row travels, and is hashed, as a tuple of PostgreSQL's binary COPY: the
 * number of its fields (16 bits), then for each field its length in bytes (32 bits, -1: NULL) and its bytes.
 * Numbers have 64 bits. All is big-endian, and columns are in the order of their definition.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct error;

struct copy_column {
	char *name;
	bool is_text; /* else a number */
};

struct copy_table {
	char *name;
	struct copy_column *columns; /* the first is id */
	size_t column_count;
	bool keeps_ids; /* it never reuses one, even of a deleted row */
};

struct copy_tables {
	struct copy_table *items;
	size_t count;
};

/* Where rows go. */
struct copy_sink {
	int (*row)(void *arg, const char *row, size_t len, struct error *err);
	/* A text of the next row was changed, as struct store_copy_change says. */
	void (*changed)(void *arg, int64_t id, const char *column);
	void *arg;
};

struct copy_ops {
	/* Begins a transaction with one snapshot, in which nobody else writes. */
	int (*begin_reading)(struct db *db, struct error *err);
	/* Begins a transaction with the tables of the current version. *has_rows: they hold data, which must
	 * stay. */
	int (*begin_writing)(
	    struct db *db, const struct copy_tables *tables, bool *has_rows, struct error *err);
	/* Passes all rows to `to`, in order of id. */
	int (*read)(
	    struct db *db, const struct copy_table *table, const struct copy_sink *to, struct error *err);
	/* Returns a writer of rows for that table; NULL with err set. One at a time, until end. */
	void *(*open)(struct db *db, const struct copy_table *table, struct error *err);
	int (*put)(void *writer, const char *row, size_t len, struct error *err);
	/* Frees it, also when it fails. complete: false after a failure. */
	int (*end)(void *writer, bool complete, struct error *err);
	/* Gets the highest id that the table gave; 0: none. */
	int (*last_id)(struct db *db, const struct copy_table *table, int64_t *id, struct error *err);
	int (*set_last_id)(struct db *db, const struct copy_table *table, int64_t id, struct error *err);
	/* Before the commit, when messages can be searched: creates what the engine has besides rows. */
	int (*finish)(struct db *db, const struct copy_tables *tables, struct error *err);
};

extern const struct copy_ops copy_sqlite;

/* Adds `"id", "name"` and so on. */
void copy_columns(struct buf *out, const struct copy_table *table);

#endif
