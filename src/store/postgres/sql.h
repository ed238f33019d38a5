#ifndef STORE_POSTGRES_SQL_H
#define STORE_POSTGRES_SQL_H
/* Translates the store's SQL for PostgreSQL. Statements need their parameters renamed only, because the store
 * uses what both engines understand; definitions of tables have other types. Results are malloc'd. */
#include <stdbool.h>
#include <stddef.h>

/* with_id: it inserts, and returns the ids. */
char *postgres_statement(const char *sql, bool with_id);
/* The same for any number of rows: each parameter is an array. If presumed, one more parameter has the number
 * of rows that must change, else the statement fails. */
char *postgres_statement_of_rows(const char *sql, size_t columns, bool with_id, bool presumed);
/* Statements that define tables, and others without parameters. */
char *postgres_definition(const char *sql);

#endif
