/*
 * Three tables: nodes has the lease of each node, owners the node of each unit and the one that requests it,
 * and members all nodes of the cluster, also those that are gone: only a clean stop, or a week, removes one.
 * Only the server's clock decides which node is late. The name of a node and the names of units have no
 * characters that need care.
 *
 * Trust in what is read here is never needed for correctness: a node commits only as long as its row in
 * writers is there, and nodes_remove_dead deletes that in the commit that frees its units.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "config.h"
#include "store/cluster.h"
#include "store/postgres/cluster_internal.h"
#include "store/postgres/postgres_internal.h"
#include "store/schema.h"

#define NOW "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

/* A node that is gone for this long will not come back. */
#define FORGOTTEN "m.gone_ms > 0 AND m.gone_ms < " NOW " - 604800000"

/* Whether a peer's connection holds the lock of its name. */
#define IS_LOCKED                                                                                     \
	"EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.classid " \
	"= " NODE_CLASS                                                                               \
	" AND l.objid = " NODE_OBJID("n.node") " AND l.database = (SELECT oid FROM pg_database "      \
					       "WHERE datname = current_database()))"

/* NOTIFY in the commits themselves would make all commits of a database wait for each other. */
#define ANNOUNCEMENTS "myna_put"

/* Takes sql. */
static PGresult *query(struct postgres *p, char *sql, struct error *err)
{
	PGresult *result = postgres_query(p, sql, err);

	free(sql);
	return result;
}

/* Returns the number of rows that the statement returned or changed, or -1. */
static int run(struct postgres *p, char *sql, struct error *err)
{
	PGresult *result = query(p, sql, err);
	int rows;

	if (!result)
		return -1;
	rows = pq.PQntuples(result);
	if (rows == 0)
		rows = (int)strtol(pq.PQcmdTuples(result), NULL, 10);
	pq.PQclear(result);
	return rows;
}

/* Runs statements that begin a transaction, and rolls it back when one fails. */
static int run_transaction(struct postgres *p, char *sql, struct error *err)
{
	int rc = run(p, sql, err);

	if (rc < 0 && p->conn)
		postgres_do(p, "ROLLBACK", NULL);
	return rc < 0 ? -1 : 0;
}

int nodes_make_tables(struct postgres *p, struct error *err)
{
	static const char sql[] =
	    "BEGIN; SELECT pg_advisory_xact_lock(" LOCK_CLASS ", 0);"
	    "CREATE TABLE IF NOT EXISTS nodes (node TEXT PRIMARY KEY, incarnation TEXT NOT NULL, until_ms "
	    "BIGINT "
	    "NOT NULL, began_ms BIGINT NOT NULL, version TEXT NOT NULL);"
	    "CREATE TABLE IF NOT EXISTS owners (unit TEXT PRIMARY KEY, node TEXT NOT NULL, epoch BIGINT NOT "
	    "NULL, held_ms BIGINT NOT NULL);"
	    "DO $$BEGIN IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'owners'::regclass AND "
	    "attname = 'wanted') THEN ALTER TABLE owners ADD COLUMN wanted TEXT NOT NULL DEFAULT ''; END IF; "
	    "END$$;"
	    "CREATE TABLE IF NOT EXISTS members (node TEXT PRIMARY KEY, version TEXT NOT NULL, gone_ms "
	    "BIGINT "
	    "NOT NULL, revision TEXT NOT NULL DEFAULT '');"
	    "COMMIT";

	return run_transaction(p, xstrdup(sql), err);
}

/* A node of an older version must not run while the tables change. */
static int refuse_beside_others(struct postgres *p, struct error *err)
{
	char *sql = xasprintf(ONLY_POSTGRES "SELECT n.node FROM nodes n WHERE n.node <> '%s' AND " IS_LOCKED
					    " ORDER BY n.node",
	    p->cluster->node);
	PGresult *result = query(p, sql, err);
	int rc = 0;

	if (!result)
		return -1;
	if (pq.PQntuples(result) > 0)
		rc = error_set(err, ERROR_OURS,
		    "the database %s must be brought to a newer version, and the node %s runs: stop all "
		    "nodes first",
		    p->db->path, pq.PQgetvalue(result, 0, 0));
	pq.PQclear(result);
	return rc;
}

int nodes_migrate(struct postgres *p, struct error *err)
{
	int64_t version = 0;
	int rc = postgres_do(p, ONLY_POSTGRES "SELECT pg_advisory_lock(" LOCK_CLASS ", 1)", err);

	if (rc == 0)
		rc = schema_version(p->db, &schema_current, &version, err);
	if (rc == 0 && version < (int64_t)schema_current.count) {
		rc = refuse_beside_others(p, err);
		if (rc == 0)
			rc = schema_migrate(p->db, &schema_current, err);
	}
	if (p->conn)
		postgres_do(p, ONLY_POSTGRES "SELECT pg_advisory_unlock(" LOCK_CLASS ", 1)", NULL);
	return rc;
}

/* A heartbeat must not wait for a commit that hangs. */
int nodes_prepare(struct postgres *p, const struct cluster_settings *c, struct error *err)
{
	return run(p,
		   xasprintf("LISTEN " ANNOUNCEMENTS "; SET lock_timeout = %lld", (long long)c->lease_ms / 8),
		   err) < 0 ?
	    -1 :
	    0;
}

int nodes_configured(
    struct postgres *p, const struct cluster_settings *c, const char *revision, struct error *err)
{
	return run(p,
	    xasprintf(
		ONLY_POSTGRES "UPDATE members SET revision = '%s' WHERE node = '%s'", revision, c->node),
	    err);
}

int nodes_announce(struct postgres *p, const char *list, struct error *err)
{
	return run(p,
		   xasprintf(ONLY_POSTGRES "SELECT pg_notify('" ANNOUNCEMENTS
					   "', u) FROM unnest(ARRAY[%s]) AS u",
		       list),
		   err) < 0 ?
	    -1 :
	    0;
}

char *nodes_announced(struct postgres *p)
{
	PGnotify *notice = p->conn ? pq.PQnotifies(p->conn) : NULL;
	char *unit = notice ? xstrdup(notice->extra) : NULL;

	if (notice)
		pq.PQfreemem(notice);
	return unit;
}

int nodes_join(struct postgres *p, const struct cluster_settings *c, struct error *err)
{
	return run_transaction(p,
	    xasprintf(
		"BEGIN; SELECT pg_advisory_xact_lock(" LOCK_CLASS ", 0);"
		"DELETE FROM writers WHERE writer IN (SELECT incarnation FROM nodes WHERE node = '%s');"
		"UPDATE owners SET node = '', held_ms = coalesce((SELECT until_ms FROM nodes WHERE node = "
		"'%s'), 0) WHERE node = '%s';"
		"UPDATE owners SET wanted = '' WHERE wanted = '%s';"
		"DELETE FROM nodes WHERE node = '%s';"
		"INSERT INTO nodes (node, incarnation, until_ms, began_ms, version) VALUES ('%s', '%s', " NOW
		" + %lld, " NOW ", '" PACKAGE_VERSION "');"
		"DELETE FROM members m WHERE " FORGOTTEN ";"
		"INSERT INTO members (node, version, gone_ms) VALUES ('%s', '" PACKAGE_VERSION
		"', 0) ON CONFLICT (node) DO UPDATE SET version = excluded.version, gone_ms = 0;"
		"COMMIT",
		c->node, c->node, c->node, c->node, c->node, c->node, p->writer, (long long)c->lease_ms,
		c->node),
	    err);
}

static bool is_true(const PGresult *result, int row, int column)
{
	return pq.PQgetvalue(result, row, column)[0] == 't';
}

int nodes_beat(struct postgres *p, const struct cluster_settings *c, const char *incarnation, bool *is_locked,
    struct error *err)
{
	char *sql =
	    xasprintf(ONLY_POSTGRES "UPDATE nodes n SET until_ms = " NOW
				    " + %lld WHERE node = '%s' AND incarnation = '%s' RETURNING " IS_LOCKED,
		(long long)c->lease_ms, c->node, incarnation);
	PGresult *result = query(p, sql, err);
	int rows;

	if (!result)
		return -1;
	rows = pq.PQntuples(result);
	*is_locked = rows > 0 && is_true(result, 0, 0);
	pq.PQclear(result);
	return rows;
}

int nodes_peers(
    struct postgres *p, const struct cluster_settings *c, struct nodes_peer **out, struct error *err)
{
	char *sql = xasprintf(ONLY_POSTGRES
	    "SELECT n.node, n.incarnation, n.until_ms, n.until_ms <= " NOW ", " IS_LOCKED
	    ", extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000 > %lld, "
	    "(SELECT last_value FROM transcript_id_seq) FROM nodes n "
	    "WHERE n.node <> '%s' ORDER BY n.node",
	    (long long)c->lease_ms, c->node);
	PGresult *result = query(p, sql, err);
	int count;

	*out = NULL;
	if (!result)
		return -1;
	count = pq.PQntuples(result);
	*out = xcalloc((size_t)count + 1, sizeof(**out));
	for (int i = 0; i < count; i++) {
		struct nodes_peer *peer = &(*out)[i];

		str_copy(peer->node, sizeof(peer->node), pq.PQgetvalue(result, i, 0));
		str_copy(peer->incarnation, sizeof(peer->incarnation), pq.PQgetvalue(result, i, 1));
		str_copy(peer->until_ms, sizeof(peer->until_ms), pq.PQgetvalue(result, i, 2));
		peer->is_late = is_true(result, i, 3);
		peer->is_locked = is_true(result, i, 4);
		peer->is_settled = is_true(result, i, 5);
		peer->newest_id = strtoll(pq.PQgetvalue(result, i, 6), NULL, 10);
	}
	pq.PQclear(result);
	return count;
}

/* Statements of their own, so that each sees what was committed while the one before it waited. */
int nodes_remove_dead(struct postgres *p, const struct nodes_peer *peer, struct error *err)
{
	return run_transaction(p,
	    xasprintf(
		"BEGIN; DELETE FROM nodes WHERE node = '%s' AND incarnation = '%s' AND until_ms = %s;"
		"DELETE FROM writers WHERE writer = '%s' AND NOT EXISTS (SELECT 1 FROM nodes WHERE "
		"incarnation = '%s');"
		"UPDATE owners SET node = '', held_ms = %s WHERE node = '%s' AND NOT EXISTS (SELECT 1 FROM "
		"nodes WHERE node = '%s');"
		"UPDATE owners SET wanted = '' WHERE wanted = '%s' AND NOT EXISTS (SELECT 1 FROM nodes WHERE "
		"node = '%s');"
		"UPDATE members SET gone_ms = " NOW
		" WHERE node = '%s' AND NOT EXISTS (SELECT 1 FROM nodes WHERE node = '%s');"
		"COMMIT",
		peer->node, peer->incarnation, peer->until_ms, peer->incarnation, peer->incarnation,
		peer->until_ms, peer->node, peer->node, peer->node, peer->node, peer->node, peer->node),
	    err);
}

int nodes_name_units(struct postgres *p, const char *list, struct error *err)
{
	return run(p,
		   xasprintf(ONLY_POSTGRES
		       "INSERT INTO owners (unit, node, epoch, held_ms) SELECT u, '', 0, 0 FROM "
		       "unnest(ARRAY[%s]) AS u ON CONFLICT DO NOTHING",
		       list),
		   err) < 0 ?
	    -1 :
	    0;
}

int nodes_units(struct postgres *p, const struct cluster_settings *c, const char *list,
    struct nodes_unit **out, struct error *err)
{
	char *sql = xasprintf(ONLY_POSTGRES
	    "SELECT unit, node <> '', greatest(held_ms - " NOW
	    ", 0), wanted <> '' FROM owners WHERE unit IN (%s) AND node IN ('', '%s') ORDER BY unit",
	    list, c->node);
	PGresult *result = query(p, sql, err);
	int count;

	*out = NULL;
	if (!result)
		return -1;
	count = pq.PQntuples(result);
	*out = xcalloc((size_t)count + 1, sizeof(**out));
	for (int i = 0; i < count; i++) {
		struct nodes_unit *unit = &(*out)[i];

		str_copy(unit->unit, sizeof(unit->unit), pq.PQgetvalue(result, i, 0));
		unit->is_ours = is_true(result, i, 1);
		unit->held_ms = strtoll(pq.PQgetvalue(result, i, 2), NULL, 10);
		unit->is_requested = unit->is_ours && is_true(result, i, 3);
	}
	pq.PQclear(result);
	return count;
}

int nodes_take(struct postgres *p, const struct cluster_settings *c, const char *incarnation,
    const char *list, size_t max, struct error *err)
{
	return run(p,
	    xasprintf(ONLY_POSTGRES
		"WITH self AS (SELECT 1 FROM nodes WHERE node = '%s' AND incarnation = '%s' FOR SHARE), free "
		"AS (SELECT unit FROM owners WHERE node = '' AND unit IN (%s) ORDER BY split_part(unit, '#', "
		"2), unit LIMIT %zu FOR "
		"UPDATE SKIP LOCKED) UPDATE owners SET node = '%s', wanted = '', epoch = epoch + 1 FROM free "
		"WHERE "
		"owners.unit = free.unit AND EXISTS (SELECT 1 FROM self)",
		c->node, incarnation, list, max, c->node),
	    err);
}

/* Requests from each node that has more than `max` its surplus, less what others request. Of a bot's units it
 * keeps one until last. Counts also what this node has gained since it read. */
int nodes_request_units(struct postgres *p, const struct cluster_settings *c, const char *list, size_t max,
    size_t ours, struct error *err)
{
	return run(p,
	    xasprintf(ONLY_POSTGRES
		"WITH owned AS (SELECT unit, node, wanted, count(*) OVER (PARTITION BY node) AS count, "
		"row_number() OVER bot AS nth, count(*) OVER (PARTITION BY node, split_part(unit, '#', 1)) > "
		"1 "
		"AS several FROM owners WHERE node NOT IN ('', '%s') WINDOW bot AS (PARTITION BY node, "
		"split_part(unit, '#', 1) ORDER BY unit)), ranked AS (SELECT unit, wanted, count, "
		"row_number() "
		"OVER (PARTITION BY node ORDER BY wanted DESC, nth DESC, several, unit) AS place FROM owned "
		"WHERE unit IN (%s)), "
		"more AS (SELECT unit FROM ranked WHERE wanted = '' AND place <= count - %zu ORDER BY place, "
		"unit LIMIT greatest(0, %zu - (SELECT count(*) FROM owners WHERE '%s' IN (node, wanted) AND "
		"unit IN (%s)))) UPDATE "
		"owners SET wanted = '%s' FROM more WHERE owners.unit = more.unit AND owners.wanted = '' AND "
		"owners.node <> ''",
		c->node, list, max, ours, c->node, list, c->node),
	    err);
}

int nodes_withdraw_requests(struct postgres *p, const struct cluster_settings *c, struct error *err)
{
	return run(
	    p, xasprintf(ONLY_POSTGRES "UPDATE owners SET wanted = '' WHERE wanted = '%s'", c->node), err);
}

/* A repeat after an uncertain commit finds the unit given away. */
int nodes_give(struct db *db, const struct cluster_settings *c, const char *unit, struct error *err)
{
	static const char give[] = ONLY_POSTGRES
	    "UPDATE owners SET node = wanted, epoch = epoch + 1, held_ms = 0, wanted = '' WHERE "
	    "unit = ?1 AND node = ?2 AND EXISTS (SELECT 1 FROM nodes n WHERE n.node = "
	    "owners.wanted)",
			  find[] = ONLY_POSTGRES "SELECT count(*) FROM owners WHERE unit = ?1 AND node = ?2";
	const struct db_value unit_value = db_text(unit), node = db_text(c->node);
	int64_t ours = 0;

	if (db_run(db, give, DB_ARGS(unit_value, node), err) < 0 ||
	    db_number(db, find, DB_ARGS(unit_value, node), &ours, err) < 0)
		return -1;
	return ours == 0;
}

/* One commit, with the marker that every commit has: it succeeds only while this process is a node. */
int nodes_leave(struct db *db, const struct cluster_settings *c, const char *incarnation, struct error *err)
{
	static const char uncount[] =
	    ONLY_POSTGRES "UPDATE turns SET attempts = attempts - 1 WHERE state = 0 AND attempts > 0 AND "
			  "session IN (SELECT "
			  "id FROM sessions WHERE channel IN (SELECT split_part(unit, '#', 1) FROM owners "
			  "WHERE node = ?1))",
			  give_back[] =
			      ONLY_POSTGRES "UPDATE owners SET node = '', held_ms = 0 WHERE node = ?1",
			  withdraw[] = ONLY_POSTGRES "UPDATE owners SET wanted = '' WHERE wanted = ?1",
			  retire[] = ONLY_POSTGRES "DELETE FROM members WHERE node = ?1",
			  forget[] = ONLY_POSTGRES "DELETE FROM nodes WHERE node = ?1 AND incarnation = ?2";
	const struct db_value node = db_text(c->node);
	int gone = -1;

	if (db_begin(db, err) != 0)
		return -1;
	if (db_run(db, uncount, &node, 1, err) >= 0 && db_run(db, give_back, &node, 1, err) >= 0 &&
	    db_run(db, withdraw, &node, 1, err) >= 0 && db_run(db, retire, &node, 1, err) >= 0)
		gone = db_run(db, forget, DB_ARGS(node, db_text(incarnation)), err);
	if (gone > 0)
		return db_commit(db, err);
	db_rollback(db);
	return gone < 0 ? -1 : error_set(err, ERROR_OURS, "another node has taken over what this one served");
}

static int64_t number(const PGresult *result, int row, int column)
{
	return strtoll(pq.PQgetvalue(result, row, column), NULL, 10);
}

/* Its channels are added to it as they are read. */
static struct json_object *node_object(const PGresult *result, int row, const char *self)
{
	struct json_object *o = json_object_new_object();
	bool gone = is_true(result, row, 4);

	json_set_str(o, "name", pq.PQgetvalue(result, row, 0));
	json_set_bool(o, "self", strcmp(pq.PQgetvalue(result, row, 0), self) == 0);
	json_set_str(o, "state", gone ? "gone" : number(result, row, 3) > 0 ? "alive" : "late");
	json_set_str(o, "version", pq.PQgetvalue(result, row, 1));
	json_set_int(o, gone ? "gone_ms" : "since_ms", number(result, row, gone ? 5 : 2));
	if (!gone)
		json_set_int(o, "lease_ms", number(result, row, 3));
	if (*pq.PQgetvalue(result, row, 6))
		json_set_str(o, "configuration", pq.PQgetvalue(result, row, 6));
	json_set(o, "channels", json_object_new_array());
	return o;
}

static struct json_object *find_node(struct json_object *nodes, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(nodes); i++) {
		struct json_object *o = json_object_array_get_idx(nodes, i);

		if (strcmp(json_get_str(o, "name"), name) == 0)
			return o;
	}
	return NULL;
}

static int add_nodes(struct postgres *p, const char *self, struct json_object *nodes, struct error *err)
{
	static const char sql[] = ONLY_POSTGRES
	    "SELECT coalesce(n.node, m.node), coalesce(n.version, m.version), n.began_ms, n.until_ms - " NOW
	    ", n.node IS NULL, m.gone_ms, m.revision FROM nodes n FULL JOIN members m ON m.node = n.node "
	    "WHERE n.node IS "
	    "NOT "
	    "NULL OR NOT (" FORGOTTEN ") ORDER BY 1";
	PGresult *result = postgres_query(p, sql, err);

	if (!result)
		return -1;
	for (int i = 0; i < pq.PQntuples(result); i++)
		json_object_array_add(nodes, node_object(result, i, self));
	pq.PQclear(result);
	return 0;
}

static int add_units(struct postgres *p, struct json_object *nodes, struct error *err)
{
	static const char sql[] =
	    ONLY_POSTGRES "SELECT unit, node FROM owners WHERE node <> '' ORDER BY unit";
	PGresult *result = postgres_query(p, sql, err);

	if (!result)
		return -1;
	for (int i = 0; i < pq.PQntuples(result); i++) {
		struct json_object *o = find_node(nodes, pq.PQgetvalue(result, i, 1));

		if (o)
			json_object_array_add(json_get_array(o, "channels"),
			    json_object_new_string(pq.PQgetvalue(result, i, 0)));
	}
	pq.PQclear(result);
	return 0;
}

struct json_object *nodes_list(struct postgres *p, const char *self, struct error *err)
{
	struct json_object *o = json_object_new_object(), *nodes = json_object_new_array();

	json_set_str(o, "node", self);
	json_set(o, "nodes", nodes);
	if (add_nodes(p, self, nodes, err) == 0 && add_units(p, nodes, err) == 0)
		return o;
	json_object_put(o);
	return NULL;
}
