#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H
/*
 * The tables, and the migration of older databases. Step n migrates version n to n + 1 in one
 * transaction. The version is stored in the table meta, and where the engine keeps it, which detects damage.
 */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;

struct schema {
	const char *const *steps; /* the first creates the table meta */
	size_t count;             /* the resulting version */
};

extern const struct schema schema_current;

/* SQL that creates what the first SCHEMA_NEW steps of schema_current make of an empty database, page for
 * page, for a fifth of the work. */
#define SCHEMA_NEW 27
extern const char schema_new[];

/* ERROR_REFUSED when the database is newer than the schema. *version is 0 for an empty one. */
int schema_version(struct db *db, const struct schema *schema, int64_t *version, struct error *err);
int schema_migrate(struct db *db, const struct schema *schema, struct error *err);

/* A step that begins with it is for SQLite alone. */
#define SCHEMA_ONLY_SQLITE "/* SQLite */ "

/* Named numbers in the table meta; 0 when absent. */
int schema_get(struct db *db, const char *name, int64_t *value, struct error *err);
int schema_set(struct db *db, const char *name, int64_t value, struct error *err);
/* Adds to a named number; does nothing when it is absent. A node of a cluster adds to a row of its own,
 * NAME@NODE, so that nodes do not wait for each other; schema_sum adds them up. */
int schema_add(struct db *db, const char *name, int64_t more, struct error *err);
int schema_sum(struct db *db, const char *name, int64_t *value, struct error *err);

/* Sets the numbers of current sessions and of deliveries that failed. Jobs keep them up to date, so that
 * nothing counts a growing table. */
#define SCHEMA_COUNTS                                                                                       \
	"INSERT INTO meta (name, value) SELECT 'sessions', count(*) FROM sessions WHERE closed_ms = 0 "     \
	"UNION "                                                                                            \
	"ALL SELECT 'outbox_uncertain', count(*) FROM outbox WHERE state > 2 AND state = 3 UNION ALL "      \
	"SELECT "                                                                                           \
	"'outbox_failed', count(*) FROM outbox WHERE state > 2 AND state = 4 ON CONFLICT (name) DO UPDATE " \
	"SET value = excluded.value"

#endif
