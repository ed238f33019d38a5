#ifndef STORE_DB_ENGINE_H
#define STORE_DB_ENGINE_H
/* What an engine that holds the store does for store/db.h. */
#include "store/db.h"

struct copy_ops;
struct search_ops;

/* When the caller needs the result of a statement. An engine may presume a result that is not needed now; the
 * transaction fails if the presumption was wrong. */
enum db_answer {
	DB_NOW,
	DB_PRESUMED, /* it changes a row, nearly always */
	DB_LATER,    /* what it changes does not matter before the commit */
	/* The same, and its order among other batched statements does not matter. */
	DB_BATCHED,
	DB_BATCHED_PRESUMED
};

/* store/db.h says what each function does. */
struct db_ops {
	const char *when_damaged; /* what to do then, for people */
	/* with_id: the statement inserts a row, and run returns its id. */
	struct db_row *(*prepare)(struct db *db, const char *sql, bool with_id, const struct db_value *values,
	    size_t count, struct error *err);
	void (*finalize)(struct db_row *row);
	/* keep: the values live until the statement has ended. */
	int (*bind)(
	    struct db_row *row, const struct db_value *values, size_t count, bool keep, struct error *err);
	int (*next)(struct db_row *row, struct error *err);
	/* Runs the statement to its end. Returns the number of changed rows, which it may presume to be 1, or
	 * -1. Sets *id (may be NULL) to the last row's, by the commit at the latest. */
	int (*run)(struct db_row *row, int64_t *id, enum db_answer answer, struct error *err);
	void (*end)(struct db_row *row);
	int64_t (*column_int)(struct db_row *row, int column);
	const char *(*column_text)(struct db_row *row, int column); /* borrowed until the next row */
	const char *(*column_name)(struct db_row *row, int column);
	int (*script)(struct db *db, const char *sql, struct error *err);
	int (*take_ids)(struct db *db, enum db_ids table, struct db_block *block, struct error *err);
	int (*begin)(struct db *db, struct error *err);
	int (*commit)(struct db *db, struct error *err);
	void (*rollback)(struct db *db);
	bool (*is_idle)(struct db *db);
	/* *version is 0 when there are no tables. */
	int (*read_version)(struct db *db, int64_t *version, struct error *err);
	int (*write_version)(struct db *db, int64_t version, struct error *err);
	int (*size)(struct db *db, struct db_size *out, struct error *err);
	/* Looks for damage, and for settings by which a crash loses commits: *risk is malloc'd, or NULL. */
	int (*check)(struct db *db, char **risk, struct error *err);
	const struct search_ops *search;
	const struct copy_ops *copy;
	void (*close)(struct db *db);
	/* May be NULL: */
	void (*checkpoint)(struct db *db);
	void (*shrink)(struct db *db);
	bool (*is_broken)(struct db *db);
	int (*send)(struct db_row *row, struct error *err); /* a statement with rows, ahead of next */
	/* Like send, with a row of its own that end frees; ends the statement. Returns NULL when it was not
	 * sent. */
	struct db_row *(*ahead)(struct db_row *row);
	bool presumes; /* results that are not needed now */
	/* Returns the unused ids, unless others have taken a block since. */
	int (*return_ids)(struct db *db, enum db_ids table, const struct db_block *block, struct error *err);
	int (*recover)(struct db *db, struct error *err);
};

#endif
