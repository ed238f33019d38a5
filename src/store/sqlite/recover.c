#include "store/sqlite/recover.h"

#include <errno.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "store/sqlite/db_sqlite.h"
#include "store/files.h"
#include "store/sqlite/check.h"
#include "store/sqlite/page.h"
#include "store/schema.h"

/* Ids already handed out may be lost: new ids start at least this far above the highest one read. */
#define ID_GAP "1000"
/* No id of this database ever reached this value. */
#define ID_MAX (INT64_C(1) << 53)
/* Readable rows are not missed where they have more ids than this part of the damaged ones before them. */
#define SKIP_PART 64

/* The log and its index belong to the file. */
static const char *const parts[] = {"", "-wal", "-shm"};

static void discard(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		char *part = xasprintf("%s%s", path, parts[i]);

		unlink(part);
		free(part);
	}
}

static char *template_path(const char *copy)
{
	return xasprintf("%s-lender", copy);
}

static void discard_copy(const char *copy)
{
	char *template = template_path(copy);

	discard(copy);
	discard(template);
	free(template);
}

struct recovery {
	struct db from, to;
	/* Statements for the current table: read rows from id ?1 on in order of id, and insert one. */
	sqlite3_stmt *read, *put;
	struct recover_report *report;
	bool exact; /* nothing is damaged, and nothing may be left out */
};

enum walk { WALK_END, WALK_DAMAGE, WALK_FAILED };

static int prepare(struct db *db, sqlite3_stmt **out, struct buf *sql, struct error *err)
{
	int rc = sqlite3_prepare_v2(db->handle, sql->data, -1, out, NULL);

	buf_reset(sql);
	return rc == SQLITE_OK ? 0 : db_sqlite_fail(db, err);
}

/* The schemas are equal, so columns match by position. */
static int prepare_table(struct recovery *s, const char *table, struct error *err)
{
	struct buf sql = BUF_INIT;
	int rc;

	buf_addf(&sql, "SELECT * FROM %s NOT INDEXED WHERE id >= ?1 ORDER BY id", table);
	rc = prepare(&s->from, &s->read, &sql, err);
	if (rc == 0) {
		buf_addf(&sql, "INSERT INTO %s VALUES (?", table);
		for (int i = 1; i < sqlite3_column_count(s->read); i++)
			buf_addstr(&sql, ", ?");
		buf_addstr(&sql, ")");
		rc = prepare(&s->to, &s->put, &sql, err);
	}
	buf_clear(&sql);
	return rc;
}

/* A row that violates a constraint was never written by the store and is skipped. -1: the new database cannot
 * be written. */
static int put_row(struct recovery *s, struct error *err)
{
	int rc = SQLITE_OK;

	for (int i = 0; i < sqlite3_column_count(s->read) && rc == SQLITE_OK; i++)
		rc = sqlite3_bind_value(s->put, i + 1, sqlite3_column_value(s->read, i));
	errno = 0;
	if (rc == SQLITE_OK)
		rc = sqlite3_step(s->put);
	sqlite3_reset(s->put);
	sqlite3_clear_bindings(s->put);
	if (rc == SQLITE_DONE)
		s->report->rows++;
	else if (rc == SQLITE_CONSTRAINT || rc == SQLITE_MISMATCH || rc == SQLITE_TOOBIG)
		s->report->gaps++;
	else
		return db_sqlite_fail(&s->to, err);
	return 0;
}

/* Copies rows from *id on as far as they can be read; *id is then the first that cannot. */
static enum walk walk(struct recovery *s, int64_t *id, struct error *err)
{
	enum walk end = WALK_DAMAGE;
	int64_t found;
	int rc;

	sqlite3_bind_int64(s->read, 1, *id);
	while ((rc = sqlite3_step(s->read)) == SQLITE_ROW) {
		found = sqlite3_column_int64(s->read, 0);
		if (found < *id || found > ID_MAX)
			break;
		if (put_row(s, err) != 0) {
			sqlite3_reset(s->read);
			return WALK_FAILED;
		}
		*id = found + 1;
	}
	if (rc == SQLITE_DONE)
		end = WALK_END;
	if (rc == SQLITE_INTERRUPT || rc == SQLITE_NOMEM) {
		db_sqlite_fail(&s->from, err);
		end = WALK_FAILED;
	}
	sqlite3_reset(s->read);
	return end;
}

static bool is_readable(struct recovery *s, int64_t id)
{
	int64_t found;
	int rc;

	sqlite3_bind_int64(s->read, 1, id);
	rc = sqlite3_step(s->read);
	found = rc == SQLITE_ROW ? sqlite3_column_int64(s->read, 0) : id;
	if (found < id || found > ID_MAX)
		rc = SQLITE_CORRUPT;
	sqlite3_reset(s->read);
	return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

/* Finds a readable id above a damaged one; the id below it is damaged, too. False when there is none. */
static bool skip_damage(struct recovery *s, int64_t *id)
{
	int64_t bad = *id, good = *id + 1;

	for (; !is_readable(s, good); good += 1 + (good - *id) / SKIP_PART) {
		if (good > ID_MAX)
			return false;
		bad = good;
	}
	while (good - bad > 1) {
		int64_t middle = bad + (good - bad) / 2;

		if (is_readable(s, middle))
			good = middle;
		else
			bad = middle;
	}
	*id = good;
	return true;
}

static int copy_table(struct recovery *s, const char *table, struct error *err)
{
	enum walk end = WALK_FAILED;
	int64_t id = 0;

	if (prepare_table(s, table, err) == 0)
		while ((end = walk(s, &id, err)) == WALK_DAMAGE) {
			s->report->gaps++;
			if (!skip_damage(s, &id))
				break;
		}
	sqlite3_finalize(s->read);
	sqlite3_finalize(s->put);
	s->read = s->put = NULL;
	return end == WALK_FAILED ? -1 : 0;
}

static int copy_tables(struct recovery *s, struct error *err)
{
	struct db_row *row;
	char *table;
	int rc;

	/* The store fills the full-text index later. */
	row = db_select(&s->to,
	    "SELECT name FROM sqlite_schema WHERE type = 'table'"
	    " AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'said_words%' AND name <> 'meta'",
	    DB_NO_ARGS, err);
	if (!row)
		return -1;
	while ((rc = db_next(&s->to, row, err)) > 0) {
		table = db_column_text(row, 0);
		rc = copy_table(s, table, err);
		free(table);
		if (rc != 0)
			break;
	}
	db_end(row);
	return rc < 0 ? -1 : 0;
}

/* A lost table does not tell which ids it gave, and rows of other tables may refer to them (an answer's key
 * contains its turn's id). No table ever gave more ids than there are seconds since 1970. */
static int skip_ids(struct recovery *s, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_schema WHERE type = 'table' "
	    "AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence);UPDATE "
	    "sqlite_sequence SET seq = max(seq + " ID_GAP ", unixepoch())";

	return db_script(&s->to, sql, err);
}

/* What each table has given, and the facts of meta that a new database begins without. */
static int copy_counters(struct recovery *s, struct error *err)
{
	struct db_row *row = db_select(&s->from, "SELECT name, seq FROM sqlite_sequence", DB_NO_ARGS, err);
	int64_t stops = 0;
	int rc = -1;

	while (row && (rc = db_next(&s->from, row, err)) > 0) {
		char *name = db_column_text(row, 0);
		int64_t seq = db_column_int(row, 1);

		if (db_run(&s->to, "DELETE FROM sqlite_sequence WHERE name = ?1", DB_ARGS(db_text(name)),
			err) < 0 ||
		    db_run(&s->to, "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
			DB_ARGS(db_text(name), db_int(seq)), err) < 0)
			rc = -1;
		free(name);
		if (rc < 0)
			break;
	}
	if (row)
		db_end(row);
	if (rc < 0 || schema_get(&s->from, "unclean_stops", &stops, err) != 0)
		return -1;
	return schema_set(&s->to, "unclean_stops", stops, err);
}

static int fill(struct recovery *s, struct error *err)
{
	if (db_begin(&s->to, err) != 0)
		return -1;
	if (copy_tables(s, err) != 0 || db_script(&s->to, SCHEMA_COUNTS, err) != 0 ||
	    (s->exact ? copy_counters(s, err) : skip_ids(s, err)) != 0) {
		db_rollback(&s->to);
		return -1;
	}
	return db_commit(&s->to, err);
}

/* 0 and open: the tables have this schema, so columns match by position. 0 and closed: they do not. */
static int open_evidence(
    struct recovery *s, const char *dir, const char *path, const struct schema *schema, struct error *err)
{
	s->from.trouble = 0;
	if (db_sqlite_open(&s->from, dir, path, DB_EVIDENCE, err) == 0 &&
	    check_schema(&s->from, schema, err) == 0)
		return 0;
	db_close(&s->from);
	return s->from.trouble & (DB_DAMAGED | DB_SUSPECT) ? 0 : -1;
}

/* The first pages tell where the tables are. When they are damaged, those of a new database replace them in a
 * copy, as the tables are always created in the same order. The evidence stays unchanged. */
static int copy_with_template(
    struct recovery *s, const char *path, const char *fresh, const char *copy, struct error *err)
{
	char *log = xasprintf("%s-wal", path), *copy_log = xasprintf("%s-wal", copy);
	int rc;

	db_checkpoint(&s->to, 1);
	rc = files_copy(path, copy, err);
	if (rc == 0 && access(log, F_OK) == 0)
		rc = files_copy(log, copy_log, err);
	if (rc == 0)
		rc = recover_copy_pages(fresh, copy, err);
	free(log);
	free(copy_log);
	return rc;
}

/* In a file that cannot give back free pages, the tables are on other pages than in a new one. */
static int make_template(const struct recovery *s, const char *dir, const char *path,
    const struct schema *schema, struct error *err)
{
	struct db db = {.stop = s->to.stop};
	int rc;

	if (db_sqlite_open(&db, dir, path, DB_LIVE, err) != 0)
		return -1;
	rc = db_script(&db, "PRAGMA auto_vacuum = NONE; VACUUM", err);
	/* From version 1 on step by step, as it was made. */
	if (rc == 0)
		rc = schema_migrate(&db, &(struct schema){schema->steps, 1}, err);
	if (rc == 0)
		rc = schema_migrate(&db, schema, err);
	db_close(&db);
	return rc;
}

static int open_with_template(struct recovery *s, const char *dir, const char *path, const char *fresh,
    const char *copy, const struct schema *schema, struct error *err)
{
	char *template = recover_is_incremental(path) ? NULL : template_path(copy);
	int rc = template ? make_template(s, dir, template, schema, err) : 0;

	if (rc == 0)
		rc = copy_with_template(s, path, template ? template : fresh, copy, err);
	if (rc == 0)
		rc = open_evidence(s, dir, copy, schema, err);
	free(template);
	return rc;
}

static int version_of(struct recovery *s, const char *dir, const char *path, const struct schema *schema)
{
	int64_t version = 0;

	if (db_sqlite_open(&s->from, dir, path, DB_EVIDENCE, NULL) != 0)
		return (int)schema->count;
	if (schema_version(&s->from, schema, &version, NULL) != 0 || version == 0)
		version = (int64_t)schema->count;
	db_close(&s->from);
	return (int)version;
}

static int copy_readable(struct recovery *s, const char *dir, const char *path, const char *fresh,
    const char *copy, const struct schema *schema, struct error *err)
{
	/* Copies the rows in their own version; opening the new database migrates them. */
	struct schema then = {schema->steps, (size_t)version_of(s, dir, path, schema)};
	int rc = -1;

	if (db_sqlite_open(&s->to, dir, fresh, DB_LIVE, err) != 0)
		return -1;
	if (schema_migrate(&s->to, &then, err) != 0)
		goto close;
	if (open_evidence(s, dir, path, &then, err) != 0)
		goto close;
	if (!s->from.handle && open_with_template(s, dir, path, fresh, copy, &then, err) != 0)
		goto close;
	rc = 0;
	if (s->from.handle)
		rc = fill(s, err);
	else
		s->report->gaps++;
	db_close(&s->from);
close:
	db_close(&s->to);
	return rc;
}

static int rename_part(const char *from, const char *to, struct error *err)
{
	struct stat st;

	if (stat(from, &st) != 0)
		return 0;
	/* Reading the evidence created an empty log. */
	if (st.st_size == 0 ? unlink(from) != 0 : rename(from, to) != 0)
		return error_set(err, ERROR_OURS, "cannot rename %s to %s: %m", from, to);
	return 0;
}

static int rename_parts(const char *from, const char *to, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts) && rc == 0; i++) {
		char *old = xasprintf("%s%s", from, parts[i]), *new = xasprintf("%s%s", to, parts[i]);

		rc = rename_part(old, new, err);
		free(old);
		free(new);
	}
	return rc;
}

static int is_whole(const char *path, struct error *err)
{
	char *log = xasprintf("%s-wal", path);
	int rc = access(log, F_OK);

	free(log);
	return rc != 0 ? 0 :
			 error_set(err, ERROR_OURS, "cannot complete %s: free space, then start again", path);
}

/* Writes the log into the file, as the last to close it does. */
static int settle(const char *dir, const char *path, struct error *err)
{
	struct db db = {0};
	int rc = db_sqlite_open(&db, dir, path, DB_LIVE, err);

	db_close(&db);
	return rc == 0 ? is_whole(path, err) : -1;
}

/* The old log must be durably gone before the new file takes the name: SQLite would replay it into the new
 * file. aside NULL: the new file replaces the old one. */
static int put_in_place(
    const char *dir, const char *path, const char *fresh, const char *aside, struct error *err)
{
	int rc = aside ? rename_parts(path, aside, err) : settle(dir, path, err);

	if (rc != 0 || files_sync(dir, err) != 0)
		return -1;
	if (rename(fresh, path) != 0)
		return error_set(err, ERROR_OURS, "cannot rename %s to %s: %m", fresh, path);
	return files_sync(dir, err);
}

static int give_to_owner(const char *path, const char *fresh, struct error *err)
{
	struct stat st;

	if (stat(path, &st) != 0 || (st.st_uid != geteuid() && chown(fresh, st.st_uid, st.st_gid) != 0))
		return error_set(err, ERROR_OURS, "cannot give %s to the owner of %s: %m", fresh, path);
	return 0;
}

/* Puts what can be read of the database into a new file, in its place. */
static int replace(struct recovery *s, const char *dir, const char *path, const struct schema *schema,
    const char *fresh, struct error *err)
{
	char *copy = xasprintf("%s.salvage-copy", path);
	int rc;

	discard(fresh);
	discard_copy(copy);
	rc = copy_readable(s, dir, path, fresh, copy, schema, err);
	discard_copy(copy);
	if (rc == 0 && s->exact && s->report->gaps > 0)
		rc = error_set(err, ERROR_OURS,
		    "the database %s is damaged: start the gateway, which saves what can be read of it",
		    path);
	if (rc == 0)
		rc = is_whole(fresh, err);
	if (rc == 0 && s->exact)
		rc = give_to_owner(path, fresh, err);
	if (rc == 0)
		rc = put_in_place(dir, path, fresh, s->report->aside, err);
	free(copy);
	return rc;
}

int recover_compact(const char *dir, const char *name, const struct schema *schema, struct error *err)
{
	char *path = xasprintf("%s/%s", dir, name), *fresh = xasprintf("%s.salvage", path);
	struct recover_report report = {0};
	struct recovery s = {.report = &report, .exact = true};
	int rc = replace(&s, dir, path, schema, fresh, err);

	if (rc != 0)
		discard(fresh);
	free(fresh);
	free(path);
	return rc;
}

int recover_run(const char *dir, const char *name, const struct schema *schema, int64_t now_ms,
    const atomic_bool *stop, struct recover_report *report, struct error *err)
{
	char *path = xasprintf("%s/%s", dir, name), *fresh = xasprintf("%s.salvage", path);
	struct recovery s = {.from.stop = stop, .to.stop = stop, .report = report};

	*report = (struct recover_report){.aside = files_aside(path, "damaged", now_ms)};
	int rc = replace(&s, dir, path, schema, fresh, err);
	free(fresh);
	free(path);
	return rc;
}

int recover_resume(const char *dir, const char *name, int64_t now_ms, struct error *err)
{
	char *path = xasprintf("%s/%s", dir, name), *fresh = xasprintf("%s.salvage", path);
	char *copy = xasprintf("%s.salvage-copy", path), *aside = files_aside(path, "damaged", now_ms);
	int rc = 0;

	if (access(fresh, F_OK) == 0 && access(path, F_OK) != 0)
		rc = put_in_place(dir, path, fresh, aside, err);
	else
		discard(fresh);
	discard_copy(copy);
	free(aside);
	free(copy);
	free(fresh);
	free(path);
	return rc;
}
