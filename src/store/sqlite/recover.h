#ifndef STORE_SQLITE_RECOVER_H
#define STORE_SQLITE_RECOVER_H
/*
 * Recovers a damaged database: renames it, never deletes it, and copies its readable rows into a new
 * one. Renames happen only when the new one is complete, so a stop at any instant leaves either the
 * damaged or the recovered database in place. SQLite's own way (sqlite3_recover_init, .recover) is an
 * extension that Debian's libsqlite3 does not have, and needs the sqlite_dbpage table, off there too.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct schema;

struct recover_report {
	char *aside;  /* path of the renamed damaged file; malloc'd */
	int64_t rows; /* recovered */
	int64_t gaps; /* unreadable places or rows */
};

/* The database dir/name must be closed. Takes long; ends early with ERROR_CANCELLED when *stop is set. */
int recover_run(const char *dir, const char *name, const struct schema *schema, int64_t now_ms,
    const atomic_bool *stop, struct recover_report *report, struct error *err);
/* Copies a whole database, of this schema, into a new file without free pages, which takes its name at once:
 * a stop at any instant leaves one of them, and nothing else of the old one. ERROR_OURS when it is damaged:
 * it stays then. */
int recover_compact(const char *dir, const char *name, const struct schema *schema, struct error *err);
/* Before opening a database: completes or discards what was interrupted. */
int recover_resume(const char *dir, const char *name, int64_t now_ms, struct error *err);

#endif
