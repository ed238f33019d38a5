#ifndef STORE_COPY_H
#define STORE_COPY_H
/*
 * Moves the store of a gateway that does not run from the file of its state directory to a PostgreSQL server,
 * or back: copies every row in one transaction, reads both sides, and compares how many rows each table has,
 * and a hash over them. Then it marks the source, which nothing opens from then on (moved.h). An interrupted
 * copy leaves nothing; when only the mark is missing, the next call finds both sides equal and marks it.
 * These calls block.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

struct error;
struct store_settings;

/* The progress, for another thread. */
struct store_copy_progress {
	_Atomic(const char *) what; /* a literal */
	atomic_llong rows;          /* read so far */
};

struct store_copy_options {
	const char *dir; /* the state directory */
	const struct store_settings *server;
	bool to_server;
	bool dry_run; /* checks and counts, and changes nothing */
	struct store_copy_progress *progress;
};

struct store_copy_table {
	char *name;
	int64_t rows;
	char hash[SHA256_TEXT_SIZE];
};

/* A text that PostgreSQL cannot store unchanged: the copy has U+FFFD for each NUL, and for each byte that is
 * not UTF-8. */
struct store_copy_change {
	char *table, *column;
	int64_t id;
};

/* The outcome of a copy, or of a dry run. */
struct store_copy {
	struct store_copy_table *tables;
	size_t table_count;
	struct store_copy_change *changes;
	size_t change_count;
	int64_t rows;
	char *file;        /* the database of the state directory */
	char *aside;       /* the former one, which has the mark; NULL: there was none */
	bool was_complete; /* an earlier copy had done all but the mark */
	bool copied;       /* also after a failure: all but the mark is done */
};

/* ERROR_OURS with a sentence that says what to do; uncertain when the answer to the commit was lost: the same
 * call again finds out. Free out in any case. */
int store_copy(const struct store_copy_options *options, struct store_copy *out, struct error *err);
void store_copy_clear(struct store_copy *copy);

#endif
