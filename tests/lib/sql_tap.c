#include "lib/sql_tap.h"

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_ulong steps;
static _Atomic(const char *) failing;
static atomic_bool failed;
/* Calls up to the one that fails; 0: none does. */
static atomic_uint left;

/* What SQLite's search index and its tables of pragmas ask for themselves is their own affair. */
static const char *text_of(sqlite3_stmt *statement)
{
	const char *sql = sqlite3_sql(statement);

	return sql && !strstr(sql, "'main'.") && strncmp(sql, "PRAGMA page_", 12) != 0 &&
		strncmp(sql, "PRAGMA freelist_", 16) != 0 ?
	    sql :
	    "";
}

static bool counts_down(const char *sql)
{
	return left > 0 && *sql != '\0' && --left == 0;
}

/* The library's function behind ours. */
#define REAL(name)                     \
	static __typeof__(name) *real; \
	if (real == NULL)              \
	*(void **)&real = dlsym(RTLD_NEXT, #name)

int sqlite3_step(sqlite3_stmt *statement)
{
	const char *sql = text_of(statement), *part = failing;

	REAL(sqlite3_step);
	steps++;
	if (!counts_down(sql) && (!part || !strstr(sql, part)))
		return real(statement);
	failed = true;
	return SQLITE_IOERR;
}

static bool bind_fails(sqlite3_stmt *statement, int at)
{
	bool fails = at == 1 && counts_down(text_of(statement));

	failed |= fails;
	return fails;
}

int sqlite3_bind_int64(sqlite3_stmt *statement, int at, sqlite3_int64 value)
{
	REAL(sqlite3_bind_int64);
	return bind_fails(statement, at) ? SQLITE_NOMEM : real(statement, at, value);
}

int sqlite3_bind_text(sqlite3_stmt *statement, int at, const char *text, int len, void (*release)(void *))
{
	REAL(sqlite3_bind_text);
	return bind_fails(statement, at) ? SQLITE_NOMEM : real(statement, at, text, len, release);
}

unsigned long sql_steps(void)
{
	return steps;
}

void sql_fail(const char *part)
{
	failed = false;
	failing = part;
}

void sql_fail_call(unsigned n)
{
	failed = false;
	left = n;
}

bool sql_failed(void)
{
	return failed;
}
