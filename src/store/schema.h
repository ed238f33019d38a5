#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H
/*
 * The tables, and how a database of an older version becomes one of this version. Step n takes version n to n
 * + 1, in one transaction. The version stands in the header (user_version) and in the table meta, so that a
 * damaged one is noticed.
 */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;

struct schema {
	const char *const *steps; /* the first makes the table meta */
	size_t count;             /* the version that they lead to */
};

extern const struct schema schema_current;

/* Refused when the database is newer than the schema. *version is 0 for an empty one. */
int schema_version(struct db *db, const struct schema *schema, int64_t *version, struct error *err);
int schema_migrate(struct db *db, const struct schema *schema, struct error *err);
/* Damage when the tables are not what the steps would make of an empty database. */
int schema_verify(struct db *db, const struct schema *schema, struct error *err);

/* Numbers by name, kept in the table meta: 0 when absent. */
int schema_get(struct db *db, const char *name, int64_t *value, struct error *err);
int schema_set(struct db *db, const char *name, int64_t value, struct error *err);

#endif
