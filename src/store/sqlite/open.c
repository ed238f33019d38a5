/* Opens the database of SQLite: checks it after an unclean stop, recovers it when damaged, and migrates it.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "store/files.h"
#include "store/moved.h"
#include "store/schema.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/check.h"
#include "store/sqlite/db_sqlite.h"
#include "store/sqlite/free_pages.h"
#include "store/sqlite/recover.h"
#include "store/sqlite/upgrade.h"
#include "store/sqlite/wal.h"
#include "store/store_internal.h"

#define DB_NAME "myna.db"

/* A marker file that exists from the detection of damage until a check finds none: the database itself may
 * be unable to record it. */
static char *suspect_path(const struct store *s)
{
	return xasprintf("%s/" DB_NAME ".suspect", s->dir);
}

static bool is_suspect(const struct store *s)
{
	char *path = suspect_path(s);
	bool exists = access(path, F_OK) == 0;

	free(path);
	return exists;
}

static void set_suspect(const struct store *s, bool suspect)
{
	char *path = suspect_path(s);
	int fd;

	if (!suspect) {
		unlink(path);
	} else if ((fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) >= 0) {
		close(fd);
		files_sync(s->dir, NULL);
	}
	free(path);
}

/* Checks a database that was not stopped cleanly before it is used. */
static int check_last_stop(struct store *s, int64_t version, struct error *err)
{
	const struct schema then = {schema_current.steps, (size_t)version};
	bool suspect = is_suspect(s);
	int64_t running;

	if (version == 0)
		return 0;
	if (schema_get(&s->db, "running", &running, err) != 0)
		return -1;
	if (running == 0 && !suspect)
		return 0;
	if (check_schema(&s->db, &then, err) != 0)
		return -1;
	s->check_later = !suspect && files_size(s->db.path) > s->options.check_now_bytes;
	if (!s->check_later && check_everything(&s->db, err) != 0)
		return -1;
	if (suspect && check_roots(&s->db, err) != 0)
		return -1;
	set_suspect(s, false);
	return 0;
}

/* -1 with DB_DAMAGED in db.trouble: the database needs recovery. */
static int open_db(struct store *s, const char *path, int64_t now_ms, struct error *err)
{
	int64_t version;

	if (db_sqlite_open(&s->db, s->dir, path, DB_LIVE, err) != 0)
		return -1;
	if (schema_version(&s->db, &schema_current, &version, err) != 0 ||
	    (version > 0 && moved_check(&s->db, err) != 0) || check_last_stop(s, version, err) != 0 ||
	    upgrade_run(&s->db, version, now_ms, err) != 0 || open_note_running(&s->db, err) != 0) {
		db_close(&s->db);
		return -1;
	}
	return 0;
}

/* A statement was refused: either the file is damaged, or this SQLite cannot run that migration. */
static void check_for_damage(struct store *s, const char *path, struct error *err)
{
	struct schema then = schema_current;
	struct db db = {.stop = &s->stop};
	struct error found;
	int64_t version;

	if (db_sqlite_open(&db, s->dir, path, DB_EVIDENCE, &found) == 0) {
		if (db_number(&db, "PRAGMA user_version", DB_NO_ARGS, &version, &found) > 0 && version >= 0 &&
		    version < (int64_t)then.count)
			then.count = (size_t)version;
		if (check_schema(&db, &then, &found) == 0)
			check_everything(&db, &found);
		db_close(&db);
	}
	s->db.trouble &= ~(unsigned)DB_SUSPECT;
	/* A check that cannot run counts as failed. */
	if (db.trouble & (DB_DAMAGED | DB_SUSPECT)) {
		s->db.trouble |= DB_DAMAGED;
		*err = found;
	}
}

static int recover_database(struct store *s, int64_t now_ms, struct error *err)
{
	struct recover_report report;
	struct error why = *err;
	char *text;
	int rc;

	s->db.trouble = 0;
	rc = recover_run(s->dir, DB_NAME, &schema_current, now_ms, &s->stop, &report, err);
	if (rc == 0) {
		set_suspect(s, false);
		text = xasprintf("The database was damaged and renamed to %s: %lld rows were recovered into "
				 "a new one, %lld rows or places could not be read. (%s)",
		    report.aside, (long long)report.rows, (long long)report.gaps, why.text);
		job_queue_notify(&s->queue, text);
		free(text);
	}
	free(report.aside);
	return rc;
}

/* SQLite is about to drop what follows a damaged frame of the log: keeps a copy and reports it. */
static int keep_damaged_log(struct store *s, const char *path, int64_t now_ms, struct error *err)
{
	char *log = xasprintf("%s-wal", path), *aside = NULL, *kept = NULL, *text;
	size_t lost;
	int rc = wal_lost_commits(log, &lost, err);

	if (rc == 0 && lost > 1) {
		aside = files_aside(path, "damaged", now_ms);
		kept = xasprintf("%s-wal", aside);
		rc = files_copy(log, kept, err);
	}
	if (rc == 0 && kept) {
		text = xasprintf("The log of the database was damaged: up to %zu of the last commits are "
				 "lost. It was kept as %s.",
		    lost, kept);
		job_queue_notify(&s->queue, text);
		free(text);
	}
	free(log);
	free(aside);
	free(kept);
	return rc;
}

static int open_or_recover(struct store *s, int64_t now_ms, struct error *err)
{
	char *path = xasprintf("%s/" DB_NAME, s->dir);
	bool empty = access(path, F_OK) == 0 && files_size(path) == 0;
	int rc = keep_damaged_log(s, path, now_ms, err);

	if (rc == 0)
		rc = open_db(s, path, now_ms, err);
	if (rc != 0 && s->db.trouble & DB_SUSPECT)
		check_for_damage(s, path, err);
	if (rc != 0 && s->db.trouble & DB_DAMAGED) {
		rc = recover_database(s, now_ms, err);
		if (rc == 0)
			rc = open_db(s, path, now_ms, err);
	}
	if (rc == 0 && empty)
		job_queue_notify(&s->queue, "The database file was empty: a new database was made.");
	free(path);
	return rc;
}

static int sqlite_open(struct store *s, int64_t now_ms, struct error *err)
{
	return recover_resume(s->dir, DB_NAME, now_ms, err) != 0 ? -1 : open_or_recover(s, now_ms, err);
}

static void report_damage(struct store *s)
{
	char *text = xasprintf("The database in %s is damaged. Restart to recover what can be read.", s->dir);

	s->damage_reported = true;
	set_suspect(s, true);
	job_queue_notify(&s->queue, text);
	free(text);
}

static void report_suspicion(struct store *s)
{
	char *text = xasprintf("The database in %s refused a statement: it may be damaged. Restart: it is "
			       "then checked, and saved if it is.",
	    s->dir);

	s->reported_troubles |= DB_SUSPECT;
	set_suspect(s, true);
	job_queue_notify(&s->queue, text);
	free(text);
}

static void sqlite_report(struct store *s, struct db *db)
{
	if (db->trouble & DB_DAMAGED && !s->damage_reported)
		report_damage(s);
	if (db->trouble & ~s->reported_troubles & DB_SUSPECT)
		report_suspicion(s);
	/* A log that cannot grow restarts at its beginning once all of it is in the file. */
	if (db->trouble & DB_FULL)
		db_checkpoint(db, 1);
}

const struct store_engine store_engine_sqlite = {
    .open = sqlite_open,
    .report = sqlite_report,
    .check_later = check_slices,
    .free_pages = free_pages_start,
    .backup = backup_store,
};
