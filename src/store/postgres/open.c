/* Opens the database of PostgreSQL, for one gateway at a time. */
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "store/cluster.h"
#include "store/moved.h"
#include "store/postgres/cluster_internal.h"
#include "store/postgres/db_postgres.h"
#include "store/postgres/postgres_internal.h"
#include "store/schema.h"
#include "store/settings.h"
#include "store/sqlite/db_sqlite.h"
#include "store/store_internal.h"

/* Warns when the directory has the file of another store, unless that one was moved. */
static void warn_about_unused_file(const struct store *s)
{
	char *path = xasprintf("%s/myna.db", s->dir);
	struct db file = {0};
	bool there = access(path, F_OK) == 0, moved = false;

	if (there && db_sqlite_open(&file, s->dir, path, DB_EVIDENCE, NULL) == 0) {
		moved = moved_is_marked(&file);
		db_close(&file);
	}
	if (there && !moved)
		log_warn("store", "%s is not used: the store is in %s", path, s->settings.url);
	free(path);
}

static int prepare_tables(struct store *s, struct error *err)
{
	struct postgres *p = postgres_of(&s->db);
	int64_t version;
	int rc;

	if (s->cluster) {
		p->cluster = cluster_settings_of(s->cluster);
		s->db.node = p->cluster->node;
	}
	if (postgres_make_tables(p, err) != 0 || (p->cluster && nodes_make_tables(p, err) != 0) ||
	    postgres_lock(p, err) != 0 || schema_version(&s->db, &schema_current, &version, err) != 0 ||
	    moved_check(&s->db, err) != 0)
		return -1;
	s->db.work = "upgrading the database";
	rc = p->cluster ? nodes_migrate(p, err) : schema_migrate(&s->db, &schema_current, err);
	s->db.work = NULL;
	if (rc != 0 || postgres_begin_writing(p, err) != 0)
		return -1;
	return s->cluster ? cluster_join(s->cluster, p, err) : open_note_running(&s->db, err);
}

static int postgres_open(struct store *s, int64_t now_ms, struct error *err)
{
	struct postgres *p;

	(void)now_ms;
	warn_about_unused_file(s);
	if (db_postgres_open(&s->db, s->dir, &s->settings, true, err) != 0)
		return -1;
	p = postgres_of(&s->db);
	p->opening = true;
	if (prepare_tables(s, err) == 0) {
		p->opening = false;
		return 0;
	}
	db_close(&s->db);
	return -1;
}

static void report_stale(struct store *s, struct postgres *p)
{
	char *text = xasprintf(
	    "The database %s has lost %lld commits that were confirmed to this gateway: a server has taken "
	    "over that did not have them. Messages may be lost, and answers may come twice. A synchronous "
	    "standby rules that out.",
	    s->settings.url, (long long)p->missing);

	p->missing = 0;
	job_queue_notify(&s->queue, text);
	free(text);
}

static void postgres_report(struct store *s, struct db *db)
{
	char *text;

	if (db->trouble & DB_STALE)
		report_stale(s, postgres_of(db));
	if (!(db->trouble & DB_DAMAGED) || s->damage_reported)
		return;
	s->damage_reported = true;
	text = xasprintf("The database %s is damaged. Look into the server's log.", s->settings.url);
	job_queue_notify(&s->queue, text);
	free(text);
}

static const struct store_engine engine = {
    .open = postgres_open, .report = postgres_report, .cluster = &cluster_postgres};

const struct store_engine *const store_engine_postgres = &engine;
