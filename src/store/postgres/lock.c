/*
 * One gateway works on a database: each of its connections holds a lock of the session, so that the lock is
 * gone with the last thing that a dead gateway could do. It is also gone when the server starts again, and
 * then whoever is first has it: a gateway that comes later waits, and says so.
 */
#include <time.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "store/postgres/postgres_internal.h"

/* With the table that the lock is for. */
#define LOCK LOCK_CLASS ", to_regclass('meta')::oid::int4"

#define NAP_NS 20000000
#define NAPS   100 /* two seconds in all */
/* Rows of processes that wrote nothing for so long are removed. */
#define KEEP_MS (INT64_C(30) * 24 * 3600 * 1000)

static int try_lock(struct postgres *p, struct error *err)
{
	PGresult *result = postgres_query(p, ONLY_POSTGRES "SELECT pg_try_advisory_lock(" LOCK ")", err);
	int locked;

	if (!result)
		return -1;
	locked = pq.PQgetvalue(result, 0, 0)[0] == 't';
	pq.PQclear(result);
	return locked;
}

/* Names the owner as the server knows it. */
static int refuse(struct postgres *p, struct error *err)
{
	static const char sql[] = ONLY_POSTGRES
	    "SELECT coalesce(host(a.client_addr), 'the server''s own machine'), a.pid FROM pg_locks l JOIN "
	    "pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.granted AND l.classid "
	    "= " LOCK_CLASS
	    " AND l.objid = to_regclass('meta')::oid AND l.database = (SELECT oid FROM pg_database "
	    "WHERE datname = current_database())";
	PGresult *result = postgres_query(p, sql, err);

	if (!result)
		return -1;
	if (pq.PQntuples(result) > 0)
		error_set(err, ERROR_OURS,
		    "another gateway uses the database %s, from %s (process %s of the server): stop it "
		    "first, or set another database",
		    p->db->path, pq.PQgetvalue(result, 0, 0), pq.PQgetvalue(result, 0, 1));
	else
		error_limited(err, 1000, "another gateway has just left the database %s", p->db->path);
	pq.PQclear(result);
	return -1;
}

int postgres_lock(struct postgres *p, struct error *err)
{
	for (int naps = 0;; naps++) {
		int locked = try_lock(p, err);

		if (locked != 0)
			return locked < 0 ? -1 : 0;
		if (naps == NAPS)
			return refuse(p, err);
		if (db_is_stopped(p->db))
			return error_cancelled(err);
		nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
	}
}

int postgres_begin_writing(struct postgres *p, struct error *err)
{
	int64_t now_ms = clock_wall();
	char *sql;
	int rc;

	if (p->writer[0] == '\0')
		clock_random_hex(p->writer, 16);
	sql = xasprintf(ONLY_POSTGRES
	    "DELETE FROM writers WHERE at_ms < %lld; INSERT INTO writers (writer, commits, at_ms) VALUES "
	    "('%s', 0, %lld) ON CONFLICT (writer) DO NOTHING",
	    (long long)(now_ms - KEEP_MS), p->writer, (long long)now_ms);
	rc = postgres_do(p, sql, err);
	free(sql);
	return rc;
}
