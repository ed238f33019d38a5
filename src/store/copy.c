#include "store/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "base/wrong.h"
#include "store/copy_internal.h"
#include "store/db_engine.h"
#include "store/files.h"
#include "store/lock.h"
#include "store/moved.h"
#include "store/offline.h"
#include "store/postgres/db_postgres.h"
#include "store/schema.h"
#include "store/search_index.h"
#include "store/settings.h"
#include "store/sqlite/check.h"
#include "store/sqlite/db_sqlite.h"
#include "store/sqlite/wal.h"

struct copying {
	const struct store_copy_options *o;
	struct store_copy *out;
	struct copy_tables tables;
	char *path, *fresh; /* the database of the state directory, and a new one beside it */
	struct db file, server;
	struct db *from, *to; /* to NULL: nothing to compare with */
	bool writes;          /* rows go to it; else they are there, or nothing may change */
};

void copy_columns(struct buf *out, const struct copy_table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		buf_addf(out, "%s \"%s\"", i > 0 ? "," : "", table->columns[i].name);
}

static void show(struct copying *c, const char *what)
{
	atomic_store(&c->o->progress->what, what);
	atomic_store(&c->o->progress->rows, 0);
}

/* The tables, as a new file has them. */

static int describe_columns(struct db *db, struct copy_table *table, struct error *err)
{
	struct db_row *row =
	    db_select(db, "SELECT name, type FROM pragma_table_info(?1)", DB_ARGS(db_text(table->name)), err);
	int rc = row ? 0 : -1;

	while (row && (rc = db_next(db, row, err)) > 0) {
		char *type = db_column_text(row, 1);

		table->columns =
		    xrealloc(table->columns, (table->column_count + 1) * sizeof(*table->columns));
		table->columns[table->column_count++] = (struct copy_column){
		    .name = db_column_text(row, 0), .is_text = strcmp(type, "TEXT") == 0};
		free(type);
	}
	return rc;
}

static int describe_tables(struct copy_tables *tables, struct error *err)
{
	static const char sql[] = "SELECT name, sql LIKE '%AUTOINCREMENT%' OR name IN (SELECT name FROM "
				  "sqlite_sequence) FROM sqlite_schema WHERE type = "
				  "'table' AND name NOT LIKE "
				  "'sqlite_%' AND name NOT LIKE 'said_words%' ORDER BY rowid";
	struct db db = {0};
	struct db_row *row = NULL;
	int rc = db_sqlite_open_memory(&db, err);

	if (rc == 0 && schema_migrate(&db, &schema_current, err) == 0)
		row = db_select(&db, sql, DB_NO_ARGS, err);
	while (row && (rc = db_next(&db, row, err)) > 0) {
		tables->items = xrealloc(tables->items, (tables->count + 1) * sizeof(*tables->items));
		tables->items[tables->count++] = (struct copy_table){
		    .name = db_column_text(row, 0), .keeps_ids = db_column_int(row, 1) != 0};
	}
	rc = row ? rc : -1;
	for (size_t i = 0; i < tables->count && rc == 0; i++)
		rc = describe_columns(&db, &tables->items[i], err);
	db_close(&db);
	return rc;
}

static void clear_tables(struct copy_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++) {
		for (size_t k = 0; k < tables->items[i].column_count; k++)
			free(tables->items[i].columns[k].name);
		free(tables->items[i].columns);
		free(tables->items[i].name);
	}
	free(tables->items);
}

/* Rows. */

struct reading {
	struct copying *c;
	const struct copy_table *table;
	void *writer; /* where the rows go; NULL: nowhere */
	struct sha256 hash;
	int64_t rows;
};

static int on_row(void *arg, const char *row, size_t len, struct error *err)
{
	struct reading *r = arg;

	sha256_add(&r->hash, row, len);
	r->rows++;
	atomic_fetch_add_explicit(&r->c->o->progress->rows, 1, memory_order_relaxed);
	if (!r->writer || (WRONG("copied-row-lost") && r->rows == 1))
		return 0;
	return r->c->to->ops->copy->put(r->writer, row, len, err);
}

static void on_change(void *arg, int64_t id, const char *column)
{
	struct reading *r = arg;
	struct store_copy *out = r->c->out;

	out->changes = xrealloc(out->changes, (out->change_count + 1) * sizeof(*out->changes));
	out->changes[out->change_count++] =
	    (struct store_copy_change){.table = xstrdup(r->table->name), .column = xstrdup(column), .id = id};
}

/* Reads all rows of one side, and fills hash. Returns how many they are, or -1. */
static int64_t read_rows(struct copying *c, struct db *side, const struct copy_table *table, void *writer,
    char hash[SHA256_TEXT_SIZE], struct error *err)
{
	struct reading r = {.c = c, .table = table, .writer = writer};
	const struct copy_sink sink = {on_row, side == c->from ? on_change : NULL, &r};
	int rc;

	sha256_begin(&r.hash);
	rc = side->ops->copy->read(side, table, &sink, err);
	sha256_end(&r.hash, hash);
	return rc == 0 ? r.rows : -1;
}

static int copy_rows(
    struct copying *c, const struct copy_table *table, struct store_copy_table *sum, struct error *err)
{
	const struct copy_ops *ops = c->writes ? c->to->ops->copy : NULL;
	void *writer = ops ? ops->open(c->to, table, err) : NULL;
	int64_t last = 0;

	if (ops && !writer)
		return -1;
	sum->rows = read_rows(c, c->from, table, writer, sum->hash, err);
	if (ops && (ops->end(writer, sum->rows >= 0, sum->rows >= 0 ? err : NULL) != 0 || sum->rows < 0))
		return -1;
	if (ops &&
	    (c->from->ops->copy->last_id(c->from, table, &last, err) != 0 ||
		ops->set_last_id(c->to, table, last, err) != 0))
		return -1;
	return sum->rows < 0 ? -1 : 0;
}

static int refuse_difference(
    struct copying *c, const struct store_copy_table *sum, int64_t rows, struct error *err)
{
	if (c->writes)
		return error_set(err, ERROR_OURS,
		    "the copy of the table %s differs: %lld rows were read, and %lld are there, with another "
		    "hash",
		    sum->name, (long long)sum->rows, (long long)rows);
	return error_set(err, ERROR_OURS,
	    "the database %s holds another store already (see its table %s): %s", c->to->path, sum->name,
	    c->o->to_server ? "make a new database, or drop its tables" :
			      "move the file away, or set another state directory");
}

static int compare_rows(
    struct copying *c, const struct copy_table *table, const struct store_copy_table *sum, struct error *err)
{
	char hash[SHA256_TEXT_SIZE];
	int64_t rows = read_rows(c, c->to, table, NULL, hash, err), last = 0, wanted = 0;

	if (rows < 0 || c->from->ops->copy->last_id(c->from, table, &wanted, err) != 0 ||
	    c->to->ops->copy->last_id(c->to, table, &last, err) != 0)
		return -1;
	if (rows != sum->rows || strcmp(hash, sum->hash) != 0 || (table->keeps_ids && last != wanted))
		return refuse_difference(c, sum, rows, err);
	return 0;
}

/* Reads every table, and copies or compares it. */
static int go_through_tables(struct copying *c, struct error *err)
{
	c->out->tables = xcalloc(c->tables.count, sizeof(*c->out->tables));
	if (c->writes && db_run(c->to, "DELETE FROM meta", DB_NO_ARGS, err) < 0)
		return -1;
	show(c, c->writes ? "copying the store" : "reading the store");
	for (size_t i = 0; i < c->tables.count; i++) {
		struct store_copy_table *sum = &c->out->tables[c->out->table_count++];

		sum->name = xstrdup(c->tables.items[i].name);
		if (copy_rows(c, &c->tables.items[i], sum, err) != 0)
			return -1;
		c->out->rows += sum->rows;
	}
	show(c, "comparing the copy");
	for (size_t i = 0; i < c->tables.count && c->to; i++)
		if (compare_rows(c, &c->tables.items[i], &c->out->tables[i], err) != 0)
			return -1;
	if (!c->writes)
		return 0;
	show(c, "indexing the copy");
	int batch;
	while ((batch = search_index_catch_up(c->to, err)) == SEARCH_INDEX_BATCH)
		;
	if (batch < 0)
		return -1;
	return c->to->ops->copy->finish(c->to, &c->tables, err);
}

/* The file. */

/* The file must be as a start expects it: a start makes the repairs. */
static int open_file(struct copying *c, struct error *err)
{
	char *log = xasprintf("%s-wal", c->path);
	size_t lost = 0;
	int rc = wal_lost_commits(log, &lost, err);

	free(log);
	if (rc == 0 && lost > 1)
		rc = error_set(err, ERROR_OURS,
		    "the log of the database %s is damaged: start the gateway once, which keeps what is lost",
		    c->path);
	if (rc != 0 || db_sqlite_open(&c->file, c->o->dir, c->path, DB_EVIDENCE, err) != 0 ||
	    offline_check_store(&c->file, err) != 0)
		return -1;
	show(c, "checking the file");
	return check_schema(&c->file, &schema_current, err) != 0 || check_everything(&c->file, err) != 0 ?
	    -1 :
	    c->file.ops->copy->begin_reading(&c->file, err);
}

static int mark_file(struct copying *c, struct error *err)
{
	int rc;

	db_close(&c->file);
	if (db_sqlite_open(&c->file, c->o->dir, c->path, DB_LIVE, err) != 0)
		return -1;
	rc = db_begin(&c->file, err);
	if (rc == 0)
		rc = moved_mark(&c->file, c->server.path, clock_wall(), err);
	if (rc == 0)
		rc = db_commit(&c->file, err);
	db_close(&c->file);
	return rc;
}

/* When it is unknown whether the server has the copy, the next call finds out. */
static int commit_server(struct copying *c, struct error *err)
{
	if (db_commit(&c->server, err) == 0)
		return 0;
	if (c->server.lost)
		err->uncertain = true;
	return -1;
}

static int copy_to_server(struct copying *c, struct error *err)
{
	bool has_rows;

	if (open_file(c, err) != 0 || db_postgres_open(&c->server, c->o->dir, c->o->server, true, err) != 0 ||
	    c->server.ops->copy->begin_writing(&c->server, &c->tables, &has_rows, err) != 0)
		return -1;
	c->from = &c->file;
	c->to = has_rows || !c->o->dry_run ? &c->server : NULL;
	c->writes = !has_rows && !c->o->dry_run;
	c->out->was_complete = has_rows;
	if (go_through_tables(c, err) != 0)
		return -1;
	if (c->o->dry_run) {
		db_rollback(&c->server);
		return 0;
	}
	if (commit_server(c, err) != 0)
		return -1;
	c->out->copied = true;
	return mark_file(c, err);
}

/* Back into a file. */

static void discard_fresh(const struct copying *c)
{
	char *log = xasprintf("%s-wal", c->fresh);

	unlink(c->fresh);
	unlink(log);
	free(log);
}

/* Returns 1 when a store is in the file that was not moved, 0, or -1. */
static int is_in_use(struct copying *c, struct error *err)
{
	struct db db = {0};
	int64_t version;
	int rc = -1;

	if (files_size(c->path) == 0)
		return 0;
	if (db_sqlite_open(&db, c->o->dir, c->path, DB_EVIDENCE, err) != 0)
		return -1;
	if (schema_version(&db, &schema_current, &version, err) == 0)
		rc = version > 0 && !moved_is_marked(&db);
	db_close(&db);
	return rc;
}

/* Writes the log into the file, as the last to close it does. */
static int settle(const struct copying *c, const char *path, struct error *err)
{
	struct db db = {0};
	char *log = xasprintf("%s-wal", path);
	int rc = db_sqlite_open(&db, c->o->dir, path, DB_LIVE, err);

	db_close(&db);
	if (rc == 0 && files_size(log) > 0)
		rc = error_set(err, ERROR_OURS, "cannot complete %s: free space, then start again", path);
	free(log);
	return rc;
}

/* SQLite would take the log of a file that is gone for that of the new one. */
static int set_log_aside(const struct copying *c, const char *aside, struct error *err)
{
	char *log = xasprintf("%s-wal", c->path), *to = xasprintf("%s-wal", aside);
	int rc = 0;

	if (files_size(log) > 0 ? rename(log, to) != 0 : unlink(log) != 0 && errno != ENOENT)
		rc = error_set(err, ERROR_OURS, "cannot rename %s to %s: %m", log, to);
	free(log);
	free(to);
	return rc;
}

/* There is a database of that name at any time: a start must not make an empty one. */
static int put_in_place(struct copying *c, struct error *err)
{
	char *aside = files_aside(c->path, "moved", clock_wall());
	int rc = 0;

	if (files_size(c->path) > 0) {
		rc = settle(c, c->path, err);
		if (rc == 0 && link(c->path, aside) != 0)
			rc = error_set(err, ERROR_OURS, "cannot keep %s as %s: %m", c->path, aside);
		if (rc == 0)
			c->out->aside = xstrdup(aside);
	}
	if (rc == 0)
		rc = set_log_aside(c, aside, err);
	free(aside);
	if (rc != 0 || files_sync(c->o->dir, err) != 0)
		return -1;
	if (rename(c->fresh, c->path) != 0)
		return error_set(err, ERROR_OURS, "cannot rename %s to %s: %m", c->fresh, c->path);
	return files_sync(c->o->dir, err);
}

static int fill_fresh(struct copying *c, struct error *err)
{
	bool has_rows;
	int rc = db_sqlite_open(&c->file, c->o->dir, c->fresh, DB_LIVE, err);

	if (rc == 0)
		rc = c->file.ops->copy->begin_writing(&c->file, &c->tables, &has_rows, err);
	if (rc == 0)
		rc = go_through_tables(c, err);
	if (rc == 0)
		rc = db_commit(&c->file, err);
	db_close(&c->file);
	return rc;
}

static int make_file(struct copying *c, struct error *err)
{
	int rc;

	c->to = &c->file;
	c->writes = true;
	discard_fresh(c);
	rc = fill_fresh(c, err);
	if (rc == 0)
		rc = settle(c, c->fresh, err);
	if (rc == 0)
		rc = put_in_place(c, err);
	if (rc != 0)
		discard_fresh(c);
	return rc;
}

static int compare_file(struct copying *c, struct error *err)
{
	c->to = &c->file;
	c->out->was_complete = true;
	return open_file(c, err) != 0 ? -1 : go_through_tables(c, err);
}

static int copy_from_server(struct copying *c, struct error *err)
{
	int in_use = is_in_use(c, err), rc;

	if (in_use < 0 || db_postgres_open(&c->server, c->o->dir, c->o->server, true, err) != 0 ||
	    c->server.ops->copy->begin_reading(&c->server, err) != 0 ||
	    offline_check_store(&c->server, err) != 0)
		return -1;
	c->from = &c->server;
	if (in_use)
		rc = compare_file(c, err);
	else
		rc = c->o->dry_run ? go_through_tables(c, err) : make_file(c, err);
	if (rc != 0 || c->o->dry_run)
		return rc;
	c->out->copied = true;
	return moved_mark(&c->server, c->path, clock_wall(), err) != 0 ? -1 : commit_server(c, err);
}

/* A folder without a store may have no lock yet. */
static int lock_for_file(const char *dir, struct error *err)
{
	return files_make_dir(dir, err) == 0 ? lock_acquire(dir, err) : -1;
}

int store_copy(const struct store_copy_options *options, struct store_copy *out, struct error *err)
{
	struct copying c = {.o = options,
	    .out = out,
	    .path = xasprintf("%s/myna.db", options->dir),
	    .fresh = xasprintf("%s/myna.db.copy", options->dir)};
	int lock = options->to_server ? offline_lock(options->dir, err) : lock_for_file(options->dir, err),
	    rc = -1;

	*out = (struct store_copy){.file = xstrdup(c.path)};
	if (lock >= 0 && describe_tables(&c.tables, err) == 0)
		rc = options->to_server ? copy_to_server(&c, err) : copy_from_server(&c, err);
	db_close(&c.file);
	db_close(&c.server);
	lock_release(lock);
	clear_tables(&c.tables);
	free(c.path);
	free(c.fresh);
	return rc;
}

void store_copy_clear(struct store_copy *copy)
{
	for (size_t i = 0; i < copy->table_count; i++)
		free(copy->tables[i].name);
	for (size_t i = 0; i < copy->change_count; i++) {
		free(copy->changes[i].table);
		free(copy->changes[i].column);
	}
	free(copy->tables);
	free(copy->changes);
	free(copy->file);
	free(copy->aside);
}
