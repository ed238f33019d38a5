#ifndef STORE_SQLITE_DB_SQLITE_H
#define STORE_SQLITE_DB_SQLITE_H
/* SQLite, the engine of a store in a file: a connection with the settings that the store needs. */
#include "store/db.h"

struct sqlite3_stmt;

enum db_mode {
	DB_LIVE,
	DB_EVIDENCE /* read-only inspection: does not checkpoint the log into the file */
};

/* Opens the database and creates it (0600) when missing. Messages name dir. Stays closed on failure;
 * ERROR_LIMITED when another process has it open or the reason may pass otherwise. */
int db_sqlite_open(struct db *db, const char *dir, const char *path, enum db_mode mode, struct error *err);
/* Opens an empty database in memory. */
int db_sqlite_open_memory(struct db *db, struct error *err);

/* SQLite's own handle of a statement. */
struct sqlite3_stmt *db_sqlite_statement(struct db_row *row);
/* Fills err from the connection's last error and records trouble; returns -1. */
int db_sqlite_fail(struct db *db, struct error *err);

#endif
