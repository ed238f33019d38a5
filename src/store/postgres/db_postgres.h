#ifndef STORE_POSTGRES_DB_POSTGRES_H
#define STORE_POSTGRES_DB_POSTGRES_H
/* PostgreSQL, the engine of a store on a server: one connection, blocking, on the store's thread. */
#include <stdbool.h>

struct db;
struct error;
struct store_settings;

/* Connects. Messages name the URL, which has no password. Stays closed on failure; ERROR_LIMITED when the
 * reason may pass. locks: no other gateway may use the database meanwhile (postgres_internal.h). */
int db_postgres_open(
    struct db *db, const char *dir, const struct store_settings *settings, bool locks, struct error *err);

#endif
