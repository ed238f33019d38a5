/*
 * One gateway works on a database: each of its connections holds a lock of the session, so that the lock is
 * gone with the last thing that a dead gateway could do. It is also gone when the server starts again, and
 * then whoever is first has it: a gateway that comes later waits, and says so. The nodes of a cluster share
 * that lock, and each has another one for its name, by which the others see that it is gone.
 */
#include <time.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "store/cluster.h"
#include "store/postgres/postgres_internal.h"

/* With the table that the lock is for. */
#define LOCK_OBJID "to_regclass('meta')::oid"
#define LOCK       LOCK_CLASS ", " LOCK_OBJID "::int4"

#define NAP_NS 20000000
#define NAPS   100 /* two seconds in all */
/* Rows of processes that wrote nothing for this long are removed. */
#define KEEP_MS (INT64_C(30) * 24 * 3600 * 1000)

struct lock {
	const char *take;          /* a statement that says whether it was taken */
	const char *class, *objid; /* of the lock in pg_locks */
	const char *owner;         /* a sentence's begin and end around the owner's place */
	const char *advice;
};

static int try_lock(struct postgres *p, const struct lock *lock, struct error *err)
{
	PGresult *result = postgres_query(p, lock->take, err);
	int locked;

	if (!result)
		return -1;
	locked = pq.PQgetvalue(result, 0, 0)[0] == 't';
	pq.PQclear(result);
	return locked;
}

/* Names the owner as the server knows it. */
static int refuse(struct postgres *p, const struct lock *lock, struct error *err)
{
	char *sql = xasprintf(ONLY_POSTGRES
	    "SELECT coalesce(host(a.client_addr), 'the server''s own machine'), a.pid FROM pg_locks l JOIN "
	    "pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.granted AND l.classid "
	    "= %s AND l.objid = %s AND l.pid <> pg_backend_pid() AND l.database = (SELECT oid FROM "
	    "pg_database "
	    "WHERE datname = current_database())",
	    lock->class, lock->objid);
	PGresult *result = postgres_query(p, sql, err);

	free(sql);
	if (!result)
		return -1;
	if (pq.PQntuples(result) > 0)
		error_set(err, ERROR_OURS, "%s the database %s, from %s (process %s of the server): %s",
		    lock->owner, p->db->path, pq.PQgetvalue(result, 0, 0), pq.PQgetvalue(result, 0, 1),
		    lock->advice);
	else
		error_limited(err, 1000, "another gateway has just left the database %s", p->db->path);
	pq.PQclear(result);
	return -1;
}

static int take(struct postgres *p, const struct lock *lock, struct error *err)
{
	for (int naps = 0;; naps++) {
		int locked = try_lock(p, lock, err);

		if (locked != 0)
			return locked < 0 ? -1 : 0;
		if (naps == NAPS)
			return refuse(p, lock, err);
		if (db_is_stopped(p->db))
			return error_cancelled(err);
		nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
	}
}

static int lock_alone(struct postgres *p, struct error *err)
{
	static const struct lock lock = {
	    .take = ONLY_POSTGRES "SELECT pg_try_advisory_lock(" LOCK ")",
	    .class = LOCK_CLASS,
	    .objid = LOCK_OBJID,
	    .owner = "another gateway uses",
	    .advice = "stop it first, or set another database",
	};

	return take(p, &lock, err);
}

/* The name of a node has no characters that need care. */
static int lock_node(struct postgres *p, struct error *err)
{
	static const struct lock shared = {
	    .take = ONLY_POSTGRES "SELECT pg_try_advisory_lock_shared(" LOCK ")",
	    .class = LOCK_CLASS,
	    .objid = LOCK_OBJID,
	    .owner = "a gateway without the setting cluster uses",
	    .advice = "stop it first, or give it a cluster.node, too",
	};
	const char *node = p->cluster->node;
	char *sql = xasprintf(
		 ONLY_POSTGRES "SELECT pg_try_advisory_lock(" NODE_CLASS ", " NODE_HASH("'%s'") ")", node),
	     *objid = xasprintf(NODE_OBJID("'%s'"), node),
	     *owner = xasprintf("another node named \"%s\" uses", node),
	     *limit = xasprintf(ONLY_POSTGRES "SET idle_in_transaction_session_timeout = %lld",
		 (long long)p->cluster->lease_ms / 2);
	const struct lock own = {
	    .take = sql,
	    .class = NODE_CLASS,
	    .objid = objid,
	    .owner = owner,
	    .advice = "give each node a name of its own (cluster.node)",
	};
	/* What a process that hangs has begun to change must not stop the others for long. */
	int rc = postgres_do(p, limit, err) != 0 || take(p, &shared, err) != 0 ? -1 : take(p, &own, err);

	free(sql);
	free(objid);
	free(owner);
	free(limit);
	return rc;
}

int postgres_lock(struct postgres *p, struct error *err)
{
	return p->cluster ? lock_node(p, err) : lock_alone(p, err);
}

int postgres_begin_writing(struct postgres *p, struct error *err)
{
	int64_t now_ms = clock_wall();
	char *sql;
	int rc;

	if (p->writer[0] == '\0')
		clock_random_hex(p->writer, 16);
	sql = xasprintf(ONLY_POSTGRES
	    "DELETE FROM writers WHERE at_ms < %lld%s; INSERT INTO writers (writer, commits, at_ms) VALUES "
	    "('%s', 0, %lld) ON CONFLICT (writer) DO NOTHING",
	    (long long)(now_ms - KEEP_MS),
	    p->cluster ? " AND writer NOT IN (SELECT incarnation FROM nodes)" : "", p->writer,
	    (long long)now_ms);
	rc = postgres_do(p, sql, err);
	free(sql);
	return rc;
}
