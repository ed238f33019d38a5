/* The tables, made from those that SQLite has after all of its migrations: they are written once. A database
 * in PostgreSQL begins with the version of the program that makes it, and later steps are the same for both.
 */
#include "store/schema.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "store/postgres/postgres_internal.h"
#include "store/postgres/sql.h"
#include "store/sqlite/db_sqlite.h"

/* Tables that only PostgreSQL needs: a row for each writing process (connection.c), and the words of messages
 * (search.c). */
static const char own[] =
    "CREATE TABLE writers (writer TEXT PRIMARY KEY, commits BIGINT NOT NULL, at_ms BIGINT NOT NULL);"
    "CREATE TABLE said_words (id BIGINT PRIMARY KEY, words TSVECTOR NOT NULL);"
    "CREATE INDEX said_words_words ON said_words USING gin (words);"
    "CREATE TEXT SEARCH CONFIGURATION myna_words (COPY = pg_catalog.simple);";

static const char accents[] = "CREATE EXTENSION IF NOT EXISTS unaccent; ALTER TEXT SEARCH CONFIGURATION "
			      "myna_words ALTER MAPPING FOR word, numword WITH unaccent, simple;";

/* One gateway at a time makes them. */
static const char begin[] = "BEGIN; SELECT pg_advisory_xact_lock(" LOCK_CLASS ", 0)";

int postgres_has_tables(struct postgres *p, struct error *err)
{
	PGresult *result = postgres_query(p, ONLY_POSTGRES "SELECT to_regclass('meta') IS NOT NULL", err);
	int there;

	if (!result)
		return -1;
	there = pq.PQgetvalue(result, 0, 0)[0] == 't';
	pq.PQclear(result);
	return there;
}

int postgres_read_version(struct db *db, int64_t *version, struct error *err)
{
	int there = postgres_has_tables(postgres_of(db), err);

	*version = 0;
	return there <= 0 ? there : schema_get(db, "version", version, err);
}

/* It is in the table meta alone. */
int postgres_write_version(struct db *db, int64_t version, struct error *err)
{
	(void)db, (void)version, (void)err;
	return 0;
}

/* Adds the definitions, and the rows that the migrations leave. */
static int describe(struct db *sqlite, struct buf *out, struct error *err)
{
	static const char tables[] = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE "
				     "'sqlite_%' AND name NOT LIKE 'said_words%' ORDER BY rowid";
	struct db_row *row = db_select(sqlite, tables, DB_NO_ARGS, err);
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(sqlite, row, err)) > 0) {
		char *text = db_column_text(row, 0), *translated = postgres_definition(text);

		buf_addf(out, "%s;\n", translated);
		free(text);
		free(translated);
	}
	row = rc == 0 ? db_select(sqlite, "SELECT name, value FROM meta ORDER BY id", DB_NO_ARGS, err) : NULL;
	if (!row)
		return -1;
	while ((rc = db_next(sqlite, row, err)) > 0) {
		char *name = db_column_text(row, 0);

		buf_addf(out, ONLY_POSTGRES "INSERT INTO meta (name, value) VALUES ('%s', %lld);\n", name,
		    (long long)db_column_int(row, 1));
		free(name);
	}
	return rc;
}

static char *definitions(struct error *err)
{
	struct db sqlite = {0};
	struct buf out = BUF_INIT;
	int rc;

	if (db_sqlite_open_memory(&sqlite, err) != 0)
		return NULL;
	rc = schema_migrate(&sqlite, &schema_current, err);
	if (rc == 0)
		rc = describe(&sqlite, &out, err);
	db_close(&sqlite);
	buf_addstr(&out, own);
	if (rc == 0)
		return buf_take(&out);
	buf_clear(&out);
	return NULL;
}

/* Without the extension, a search tells accents apart. */
static int ignore_accents(struct postgres *p, struct error *err)
{
	struct error why;

	if (postgres_do(p, "SAVEPOINT accents", err) != 0)
		return -1;
	if (postgres_do(p, accents, &why) == 0)
		return 0;
	log_info("store", "the search will tell accents apart: %s", why.text);
	return postgres_do(p, "ROLLBACK TO accents", err);
}

int postgres_begin_tables(struct postgres *p, struct error *err)
{
	int there = postgres_do(p, begin, err) != 0 ? -1 : postgres_has_tables(p, err), rc;
	char *sql;

	if (there != 0)
		return there < 0 ? -1 : 0;
	sql = definitions(err);
	rc = !sql || postgres_do(p, sql, err) != 0 || ignore_accents(p, err) != 0 ? -1 : 0;
	free(sql);
	return rc;
}

int postgres_make_tables(struct postgres *p, struct error *err)
{
	if (postgres_begin_tables(p, err) == 0)
		return postgres_do(p, "COMMIT", err);
	if (p->conn)
		postgres_do(p, "ROLLBACK", NULL);
	return -1;
}
