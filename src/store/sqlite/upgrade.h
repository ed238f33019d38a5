#ifndef STORE_SQLITE_UPGRADE_H
#define STORE_SQLITE_UPGRADE_H
/* Copies of the database from before migrations, so that there is a way back to the program before. Named
 * myna.db.version-VERSION-TIME; the last two are kept. */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;

/* Migrates an open database to the current schema, after a copy where space allows. Logs both. A migration
 * that was interrupted keeps the copy from before it. May take minutes. */
int upgrade_run(struct db *db, int64_t version, int64_t now_ms, struct error *err);
/* Lists the copies in the directory, oldest first: *out is a malloc'd array of malloc'd names. May block. */
size_t upgrade_copies(const char *dir, char ***out);

#endif
