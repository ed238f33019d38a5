#ifndef STORE_POSTGRES_SQL_H
#define STORE_POSTGRES_SQL_H
/* The store's SQL in the words of PostgreSQL. Statements need their parameters renamed only, because the
 * store uses what both engines understand; definitions of tables have other types. Results are malloc'd. */
#include <stdbool.h>

/* with_id: it inserts, and is to return the ids. */
char *postgres_statement(const char *sql, bool with_id);
/* Statements that define tables, and others without parameters. */
char *postgres_definition(const char *sql);

#endif
