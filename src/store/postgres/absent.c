/* In place of the engine, in a build without PostgreSQL's headers. */
#include "base/error.h"
#include "store/postgres/db_postgres.h"
#include "store/store_internal.h"

int db_postgres_open(
    struct db *db, const char *dir, const struct store_settings *settings, bool locks, struct error *err)
{
	(void)db, (void)dir, (void)settings, (void)locks;
	return error_set(err, ERROR_OURS, "this Myna was built without PostgreSQL");
}

const struct store_engine *const store_engine_postgres = NULL;
