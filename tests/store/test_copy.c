/*
 * Moving a store from a file to a PostgreSQL server and back: every row of every table, once, whatever is cut
 * or killed meanwhile; and what was moved is refused from then on.
 */
#include "store/store_fixture.h"

#include <signal.h>
#include <spawn.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/old_state.h"
#include "lib/postgres.h"
#include "lib/postgres_proxy.h"
#include "lib/sample.h"
#include "lib/until.h"
#include "store/cluster.h"
#include "store/copy.h"
#include "store/db_engine.h"
#include "store/files.h"
#include "store/offline.h"
#include "store/postgres/db_postgres.h"
#include "store/search.h"
#include "store/sqlite/db_sqlite.h"

extern char **environ;

/* A state folder and an empty database. */
struct places {
	struct fixture file;
	struct store_settings server;
	char *url;
};

static void work_with(struct fixture *p, void (*fn)(struct task *t, struct fixture *p));

static void execute(const char *path, const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

/* Runs it with the store open. */
struct opening {
	struct fixture *p;
	void (*fn)(struct task *t, struct fixture *p);
};

static void open_main(struct task *t, void *arg)
{
	struct opening *o = arg;

	fixture_open(t, o->p);
	if (o->fn)
		o->fn(t, o->p);
	fixture_close(t, o->p);
}

static void work_with(struct fixture *p, void (*fn)(struct task *t, struct fixture *p))
{
	struct opening o = {p, fn};

	task_run("work", open_main, &o);
}

/* What an earlier version left, brought up to date, and rows for the tables that had none: with NULLs, the
 * ends of numbers, quotes, a long text, and ids that are gone. */
static void grow(const struct places *at)
{
	static const char more[] =
	    "INSERT INTO calls (turn, call_id, started_ms) VALUES (1, 'call', -9223372036854775807), (1, '', "
	    "9223372036854775807);"
	    "INSERT INTO works (channel, chat, thread, session, turn, began_ms, what) VALUES ('telegram', "
	    "'77', "
	    "'', 1, 1, 0, 'sleep 9');"
	    "INSERT INTO warnings (scope, channel, who, span, measure, period, most, level) VALUES (1, "
	    "'telegram', '77', 0, 0, 202611, 5, 80);"
	    "INSERT INTO cursors (account, name, value, updated_ms) VALUES ('telegram:9', 'a \"quoted\" "
	    "''name''', "
	    "char(9) || '\\N \\. ' || char(13, 10, 127, 1, 0x1F600, 0x10FFFF), 0);"
	    "INSERT INTO cursors (account, name, value, updated_ms) VALUES ('telegram:9', 'long', "
	    "printf('%.*c', 3000000, 'x'), 0);"
	    "INSERT INTO grants (channel, person, role, private_only, by, since_ms) VALUES ('telegram', "
	    "'gone', "
	    "1, 0, '', 0); DELETE FROM grants WHERE person = 'gone';";
	const struct old_state_place here = {.dir = at->file.dir, .url = "http://127.0.0.1:1"};
	struct fixture p = at->file;
	char *path = xstrdup(fixture_path(&p, "myna.db"));

	old_state_database(&here, path);
	work_with(&p, NULL);
	execute(path, more);
	buf_clear(&p.notices);
	free(path);
}

static void tell_server(const struct places *at, const char *sql)
{
	struct db db = {0};
	struct error err;

	assert_ok(db_postgres_open(&db, "/", &at->server, false, &err), err);
	assert_ok(db_script(&db, sql, &err), err);
	db_close(&db);
}

static void empty_server(const struct places *at)
{
	tell_server(at, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
}

static void begin(struct places *at)
{
	static char *url; /* making a database takes longer than emptying it */

	fixture_engine = STORE_SQLITE;
	fixture_make(&at->file);
	if (!url)
		url = postgres_new_database(POSTGRES_FAST);
	at->url = url;
	at->server = (struct store_settings){.engine = STORE_POSTGRES, .url = url};
	empty_server(at);
	grow(at);
}

static void end(struct places *at)
{
	fixture_remove(&at->file);
}

static int try_copy(
    const struct places *at, bool to_server, bool dry_run, struct store_copy *out, struct error *err)
{
	struct store_copy_progress progress = {.what = ""};
	const struct store_copy_options o = {.dir = at->file.dir,
	    .server = &at->server,
	    .to_server = to_server,
	    .dry_run = dry_run,
	    .progress = &progress};

	*err = (struct error){0};
	return store_copy(&o, out, err);
}

static void copy(const struct places *at, bool to_server)
{
	struct store_copy out;
	struct error err;

	assert_ok(try_copy(at, to_server, false, &out, &err), err);
	assert_true(out.copied);
	store_copy_clear(&out);
}

static void expect_refusal(const struct places *at, bool to_server, const char *why)
{
	for (int dry_run = 1; dry_run >= 0; dry_run--) {
		struct store_copy out;
		struct error err;

		assert_int_equal(try_copy(at, to_server, dry_run, &out, &err), -1);
		if (!strstr(err.text, why))
			fail_msg("\"%s\" is not in: %s", why, err.text);
		assert_false(out.copied);
		store_copy_clear(&out);
	}
}

/* The tables and their columns, as SQLite has them. */
static void each_table(
    const char *path, void (*fn)(sqlite3 *db, const char *table, struct buf *out), struct buf *out)
{
	sqlite3 *db;
	sqlite3_stmt *table;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_prepare_v2(db,
		"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'said_words%' AND "
		"name NOT LIKE 'sqlite_stat%' ORDER BY name",
		-1, &table, NULL),
	    SQLITE_OK);
	while (sqlite3_step(table) == SQLITE_ROW)
		fn(db, (const char *)sqlite3_column_text(table, 0), out);
	sqlite3_finalize(table);
	sqlite3_close(db);
}

static void add_bytes(sqlite3 *db, const char *table, struct buf *out)
{
	char *sql = xasprintf("SELECT * FROM \"%s\" ORDER BY 1", table);
	sqlite3_stmt *row;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		if (strcmp(table, "cursors") == 0 &&
		    strcmp((const char *)sqlite3_column_text(row, 1), "store") == 0)
			continue; /* the mark */
		buf_addf(out, "%s:", table);
		for (int i = 0; i < sqlite3_column_count(row); i++) {
			buf_addf(out, " %d %d ", sqlite3_column_type(row, i), sqlite3_column_bytes(row, i));
			buf_add(out, sqlite3_column_text(row, i), (size_t)sqlite3_column_bytes(row, i));
		}
		buf_addch(out, '\n');
	}
	sqlite3_finalize(row);
	free(sql);
}

/* All that is in a file, byte by byte. */
static struct buf bytes_of(const char *path)
{
	struct buf out = BUF_INIT;

	each_table(path, add_bytes, &out);
	return out;
}

/* A statement of both engines that makes a text of each row. */
static void add_statement(sqlite3 *db, const char *table, struct buf *out)
{
	char *sql = xasprintf("SELECT name FROM pragma_table_info('%s')", table);
	sqlite3_stmt *row;

	if (strcmp(table, "sqlite_sequence") != 0) {
		assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
		for (int i = 0; sqlite3_step(row) == SQLITE_ROW; i++)
			buf_addf(out, "%s coalesce(CAST(\"%s\" AS TEXT), 'NULL')",
			    i > 0 ? " || '|' ||" : "SELECT", (const char *)sqlite3_column_text(row, 0));
		buf_addf(out, " FROM \"%s\" ORDER BY id\n", table);
		sqlite3_finalize(row);
	}
	free(sql);
}

static void run_statement(struct db *db, const char *sql, struct buf *out)
{
	struct db_row *row;
	struct error err = {0};
	int rc;

	row = db->ops->prepare(db, sql, false, NULL, 0, &err);
	assert_non_null(row);
	row->db = db;
	while ((rc = db_next(db, row, &err)) > 0) {
		char *text = db_column_text(row, 0);

		buf_addf(out, "%s\n", text);
		free(text);
	}
	assert_ok(rc, err);
	db->ops->finalize(row);
}

static struct buf texts_of(struct db *db, const struct buf *statements)
{
	struct buf out = BUF_INIT;
	char *all = xstrdup(statements->data), *rest = all, *sql;

	while ((sql = strsep(&rest, "\n")) && *sql)
		run_statement(db, sql, &out);
	db_close(db);
	free(all);
	return out;
}

static void expect_equal(const struct buf *one, const struct buf *other)
{
	assert_int_equal(one->len, other->len);
	assert_memory_equal(one->data, other->data, one->len);
}

/* A table that has no rows in this test, such as a new one, is not tested. */
static void expect_rows(sqlite3 *db, const char *table, struct buf *out)
{
	struct buf rows = BUF_INIT;

	add_bytes(db, table, &rows);
	if (rows.len == 0)
		fail_msg("the table %s is empty", table);
	buf_addf(out, "%s\n", table);
	buf_clear(&rows);
}

static int64_t ask_server(const struct places *at, const char *sql)
{
	struct db db = {0};
	struct error err;
	int64_t number = 0;

	assert_ok(db_postgres_open(&db, "/", &at->server, false, &err), err);
	assert_ok(db_number(&db, sql, DB_NO_ARGS, &number, &err), err);
	db_close(&db);
	return number;
}

static bool is_server_empty(const struct places *at)
{
	return ask_server(at, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0;
}

static bool is_marked(const struct places *at)
{
	struct offline_findings found;
	struct error err = {0};
	int rc = offline_check(&(struct offline_place){at->file.dir, NULL}, &found, &err);

	if (rc != 0)
		assert_non_null(strstr(err.text, "was moved to postgresql:"));
	return rc != 0;
}

static void open_both(const struct places *at, struct db *file, struct db *server)
{
	struct error err;

	assert_ok(
	    db_sqlite_open(file, at->file.dir, fixture_path(&at->file, "myna.db"), DB_EVIDENCE, &err), err);
	assert_ok(db_postgres_open(server, at->file.dir, &at->server, false, &err), err);
}

static void find_words(struct task *t, struct fixture *p)
{
	const struct address chat = fixture_address("telegram:77");
	struct store_search_hit *said;
	struct error err;
	int count = store_search(t, p->store, &chat, "lisbon", 0, 10, &said, &err);

	assert_ok(count, err);
	assert_true(count > 0);
	store_search_free(said, (size_t)count);
}

/* With the store open on the server, in a state folder of its own. */
static void work_there(const struct places *at, void (*fn)(struct task *t, struct fixture *p))
{
	struct fixture p = {.engine = at->server, .notices = BUF_INIT};

	snprintf(p.dir, sizeof(p.dir), "/tmp/myna-store-XXXXXX");
	assert_non_null(mkdtemp(p.dir));
	work_with(&p, fn);
	fixture_remove(&p);
}

static void every_row_goes_to_the_server_and_back(void **state)
{
	struct places at;
	struct db file = {0}, server = {0};
	struct buf tables = BUF_INIT, statements = BUF_INIT, before, after, here, there;
	int64_t words;
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	each_table(path, expect_rows, &tables);
	each_table(path, add_statement, &statements);
	before = bytes_of(path);
	copy(&at, true);
	open_both(&at, &file, &server);
	here = texts_of(&file, &statements);
	there = texts_of(&server, &statements);
	/* But for the mark. */
	assert_true(here.len > there.len && here.len < there.len + 200);
	words = ask_server(&at, "SELECT count(*) FROM said_words");
	assert_true(words > 50);
	assert_int_equal(
	    words, ask_server(&at, "SELECT count(*) FROM transcript WHERE role < 2 AND text <> ''"));
	/* An id that is gone is not given again. */
	assert_int_equal(ask_server(&at, "SELECT nextval('grants_id_seq') - max(id) FROM grants"), 2);
	tell_server(&at, "ALTER TABLE grants ALTER COLUMN id RESTART WITH 5");
	copy(&at, false);
	after = bytes_of(path);
	expect_equal(&before, &after);
	assert_int_equal(fixture_files(&at.file, "myna.db.moved-"), 1);
	assert_int_equal(fixture_files(&at.file, "myna.db"), 3); /* and the copy from before the upgrade */
	work_with(&at.file, find_words);
	buf_clear(&tables);
	buf_clear(&statements);
	buf_clear(&before);
	buf_clear(&after);
	buf_clear(&here);
	buf_clear(&there);
	free(path);
	end(&at);
}

static void what_was_said_is_found_on_the_server(void **state)
{
	struct places at;

	(void)state;
	begin(&at);
	copy(&at, true);
	work_there(&at, find_words);
	end(&at);
}

static void what_postgres_cannot_hold_is_told_and_the_rest_of_it_kept(void **state)
{
	struct places at;
	struct store_copy out;
	struct error err;
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	execute(path,
	    "INSERT INTO cursors (id, account, name, value, updated_ms) VALUES (901, 'a', 'nul', "
	    "CAST(x'61006200' AS "
	    "TEXT), 0), (902, 'a', 'bytes', CAST(x'61ff62c3' AS TEXT), 0), (903, 'a', 'controls', "
	    "CAST(x'61017fff' AS TEXT), 0)");
	for (int dry_run = 1; dry_run >= 0; dry_run--) {
		assert_ok(try_copy(&at, true, dry_run, &out, &err), err);
		assert_int_equal(out.change_count, 3);
		for (int i = 0; i < 3; i++) {
			assert_string_equal(out.changes[i].table, "cursors");
			assert_string_equal(out.changes[i].column, "value");
			assert_int_equal(out.changes[i].id, 901 + i);
		}
		store_copy_clear(&out);
	}
	assert_int_equal(
	    ask_server(&at,
		"SELECT count(*) FROM cursors WHERE id = 901 AND value = U&'a\\FFFDb\\FFFD' OR id = 902 "
		"AND value = U&'a\\FFFDb\\FFFD' OR id = 903 AND value = U&'a\\0001\\007F\\FFFD'"),
	    3);
	free(path);
	end(&at);
}

/* The bytes of a file. */
static struct buf contents_of(const char *path)
{
	struct buf out = BUF_INIT;
	FILE *in = fopen(path, "rb");
	char chunk[65536];

	assert_non_null(in);
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), in)) > 0;)
		buf_add(&out, chunk, n);
	fclose(in);
	return out;
}

static void a_dry_run_counts_and_changes_nothing(void **state)
{
	struct places at;
	struct store_copy there, back;
	struct buf before, after;
	struct error err;
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	before = contents_of(path);
	assert_ok(try_copy(&at, true, true, &there, &err), err);
	after = contents_of(path);
	expect_equal(&before, &after);
	assert_true(is_server_empty(&at));
	assert_false(is_marked(&at));
	copy(&at, true);
	assert_ok(try_copy(&at, false, true, &back, &err), err);
	assert_true(is_marked(&at));
	assert_int_equal(fixture_files(&at.file, "myna.db.moved-"), 0);
	assert_int_equal(ask_server(&at, "SELECT count(*) FROM cursors WHERE account = 'store'"), 0);
	/* Both have read the same. */
	assert_true(there.rows > 300);
	assert_int_equal(there.rows, back.rows);
	assert_int_equal(there.table_count, back.table_count);
	for (size_t i = 0; i < there.table_count; i++) {
		assert_string_equal(there.tables[i].name, back.tables[i].name);
		assert_int_equal(there.tables[i].rows, back.tables[i].rows);
		assert_string_equal(there.tables[i].hash, back.tables[i].hash);
	}
	store_copy_clear(&there);
	store_copy_clear(&back);
	buf_clear(&before);
	buf_clear(&after);
	free(path);
	end(&at);
}

/* Triggers of the target change what arrives. */
static void a_row_that_arrives_otherwise_is_noticed(void **state)
{
	static const char *const mistakes[] = {"NEW.text = NEW.text || ' '; RETURN NEW",
	    "NEW.began_ms = NEW.began_ms + 1; RETURN NEW",
	    "IF NEW.id = 5 THEN NEW.id = 100000; END IF; RETURN NEW",
	    "IF NEW.id = 5 THEN RETURN NULL; END IF; RETURN NEW",
	    "NEW.call_id = coalesce(NEW.call_id, ''); RETURN NEW"};
	struct places at;

	(void)state;
	begin(&at);
	work_there(&at, NULL);
	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		char *sql = xasprintf(
		    "CREATE OR REPLACE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
		    "%s; END $$; CREATE OR REPLACE TRIGGER spoil BEFORE INSERT ON transcript FOR EACH "
		    "ROW EXECUTE FUNCTION spoil()",
		    mistakes[i]);
		struct store_copy out;
		struct error err;

		tell_server(&at, sql);
		assert_int_equal(try_copy(&at, true, false, &out, &err), -1);
		if (!strstr(err.text, "the copy of the table transcript differs"))
			fail_msg("%s: %s", mistakes[i], err.text);
		store_copy_clear(&out);
		assert_false(is_marked(&at));
		assert_int_equal(ask_server(&at, "SELECT count(*) FROM inbox"), 0);
		free(sql);
	}
	/* The tables of a start are no hindrance. */
	tell_server(&at, "DROP FUNCTION spoil CASCADE");
	copy(&at, true);
	assert_true(is_marked(&at));
	end(&at);
}

static void a_server_that_holds_something_is_refused(void **state)
{
	struct places at;
	struct buf before, after;
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	before = bytes_of(path);
	tell_server(&at, "CREATE TABLE recipes (id INTEGER)");
	expect_refusal(&at, true, "has a table recipes, which is not Myna's");
	tell_server(&at, "DROP TABLE recipes");
	work_there(&at, NULL);
	tell_server(&at,
	    "INSERT INTO grants (channel, person, role, private_only, by, since_ms) VALUES ('telegram', "
	    "'7', 1, 0, '', 0)");
	expect_refusal(&at, true, "holds another store already");
	assert_int_equal(ask_server(&at, "SELECT count(*) FROM grants"), 1);
	tell_server(&at, "UPDATE meta SET value = 999 WHERE name = 'version'");
	expect_refusal(&at, true, "has version 999, and this program knows");
	tell_server(&at, "UPDATE meta SET value = 1 WHERE name = 'version'");
	expect_refusal(&at, true, "are of an older version");
	expect_refusal(&at, false, "is of an older version: start the gateway once");
	after = bytes_of(path);
	expect_equal(&before, &after);
	buf_clear(&before);
	buf_clear(&after);
	free(path);
	end(&at);
}

/* Each table that a node makes is Myna's. */
static void a_server_on_which_a_node_ran_is_not_refused(void **state)
{
	const struct cluster_settings node = {.node = (char[]){"one"}, .lease_ms = 20000, .max_units = 1};
	struct places at;
	struct fixture p = {.notices = BUF_INIT, .cluster = &node, .node_ops = &(struct cluster_ops){0}};

	(void)state;
	begin(&at);
	p.engine = at.server;
	str_copy(p.dir, sizeof(p.dir), at.file.dir);
	work_with(&p, NULL);
	assert_int_equal(ask_server(&at, "SELECT count(*) FROM members"), 0);
	copy(&at, true);
	buf_clear(&p.notices);
	end(&at);
}

static const struct places *places; /* of the next */

static void copy_while_it_is_open(struct task *t, struct fixture *p)
{
	(void)t;
	expect_refusal(
	    places, true, p->engine.url ? "another gateway uses the database" : "uses the state directory");
	if (p->engine.url)
		expect_refusal(places, false, "another gateway uses the database");
}

static void a_gateway_that_runs_is_refused_on_either_side(void **state)
{
	struct places at;

	(void)state;
	begin(&at);
	places = &at;
	work_with(&at.file, copy_while_it_is_open);
	work_there(&at, copy_while_it_is_open);
	end(&at);
}

static void what_was_moved_is_refused(void **state)
{
	struct places at;
	struct offline_place file = {NULL, NULL}, server;
	struct offline_sizes sizes;
	struct json_object *trace;
	struct error err;
	struct fixture p;

	(void)state;
	begin(&at);
	file.dir = at.file.dir;
	server = (struct offline_place){at.file.dir, &at.server};
	for (int back = 0; back < 2; back++) {
		const struct offline_place *old = back ? &server : &file;
		const char *why = back ? "was moved to /tmp/" : "was moved to postgresql:";

		copy(&at, !back);
		assert_int_equal(offline_trace(old, "1", &trace, &err), -1);
		assert_non_null(strstr(err.text, why));
		assert_non_null(strstr(err.text, back ? "store copy --to URL" : "store copy --from URL"));
		assert_int_equal(offline_dead_turns(old, &trace, &err), -1);
		assert_non_null(strstr(err.text, why));
		if (!back) {
			assert_int_equal(offline_compact(old, &sizes, &err), -1);
			assert_non_null(strstr(err.text, why));
			assert_int_equal(offline_backup(old, fixture_path(&at.file, "backup"), &err), -1);
			assert_non_null(strstr(err.text, why));
		}
		p = back ? (struct fixture){.engine = at.server, .notices = BUF_INIT} : at.file;
		str_copy(p.dir, sizeof(p.dir), at.file.dir);
		expect_refusal(&at, !back, why);
	}
	/* It may go there again when the tables are gone. */
	empty_server(&at);
	copy(&at, true);
	empty_server(&at);
}

static int start_result;
static struct error start_err;

static void try_start(struct task *t, void *arg)
{
	struct fixture *p = arg;

	start_result = fixture_try(t, p, &start_err);
	if (start_result == 0)
		fixture_close(t, p);
}

static void expect_no_start(struct fixture *p, const char *why)
{
	task_run("start", try_start, p);
	assert_int_equal(start_result, -1);
	if (!strstr(start_err.text, why))
		fail_msg("\"%s\" is not in: %s", why, start_err.text);
}

static void no_gateway_starts_with_what_was_moved(void **state)
{
	struct places at;
	struct fixture p = {.notices = BUF_INIT};

	(void)state;
	begin(&at);
	p.engine = at.server;
	str_copy(p.dir, sizeof(p.dir), at.file.dir);
	copy(&at, true);
	expect_no_start(&at.file, "was moved to postgresql:");
	work_with(&p, find_words);
	copy(&at, false);
	expect_no_start(&p, "was moved to /tmp/");
	work_with(&at.file, find_words);
	buf_clear(&p.notices);
	end(&at);
}

static void a_file_that_is_in_use_is_not_replaced(void **state)
{
	struct places at;
	struct buf before, after;
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	expect_refusal(&at, false, "there is no store in the database");
	copy(&at, true);
	execute(
	    path, "DELETE FROM cursors WHERE account = 'store'; UPDATE grants SET since_ms = since_ms + 1");
	before = bytes_of(path);
	expect_refusal(&at, false, "holds another store already (see its table grants)");
	expect_refusal(&at, true, "holds another store already (see its table grants)");
	after = bytes_of(path);
	expect_equal(&before, &after);
	buf_clear(&before);
	buf_clear(&after);
	free(path);
	end(&at);
}

/* What reads the rows alone would not see it: two indexes have each other's pages. */
static void damage(const char *path)
{
	execute(path,
	    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT sum(rootpage) FROM "
	    "sqlite_schema WHERE name IN ('transcript_session', 'inbox_turn')) - rootpage WHERE name IN "
	    "('transcript_session', 'inbox_turn')");
}

static void put_contents(const char *path, const struct buf *contents)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(contents->data, 1, contents->len, out), contents->len);
	fclose(out);
}

/* As after a kill, with a bad byte in the first of several commits, which SQLite takes for the end. */
static void damage_log(const char *path)
{
	char *log = xasprintf("%s-wal", path);
	struct buf file, frames;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	for (int i = 0; i < 4; i++)
		assert_int_equal(
		    sqlite3_exec(db, "UPDATE meta SET value = value + 1 WHERE name = 'unclean_stops'", NULL,
			NULL, NULL),
		    SQLITE_OK);
	file = contents_of(path);
	frames = contents_of(log);
	sqlite3_close(db);
	assert_true(frames.len > 500);
	frames.data[200] ^= 1;
	put_contents(path, &file);
	put_contents(log, &frames);
	buf_clear(&file);
	buf_clear(&frames);
	free(log);
}

static void a_damaged_or_older_file_is_refused(void **state)
{
	struct places at;
	const struct old_state_place here = {.dir = "/tmp", .url = "http://127.0.0.1:1"};
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	damage_log(path);
	expect_refusal(&at, true, "the log of the database");
	unlink(fixture_path(&at.file, "myna.db-wal"));
	damage(path);
	expect_refusal(&at, true, "myna.db is damaged (");
	old_state_database(&here, path);
	expect_refusal(&at, true, "is of an older version: start the gateway once");
	unlink(path);
	expect_refusal(&at, true, "there is no database");
	assert_true(is_server_empty(&at));
	free(path);
	end(&at);
}

/* As it was before the first copy. */
static void reset(const struct places *at, bool to_server)
{
	if (to_server) {
		execute(fixture_path(&at->file, "myna.db"), "DELETE FROM cursors WHERE account = 'store'");
		empty_server(at);
	} else {
		unlink(fixture_path(&at->file, "myna.db"));
		tell_server(at, "DELETE FROM cursors WHERE account = 'store'");
	}
}

/* Cuts the connection in one place. Returns false when there was none; *undone counts the copies of which
 * nothing was left. */
static bool cut_once(const struct places *at, struct postgres_proxy *proxy, bool to_server, unsigned nth,
    enum postgres_cut how, const char *holds, unsigned *undone)
{
	char *database = postgres_database_of(at->url);
	struct places through = *at;
	struct store_copy out;
	struct error err;
	int rc;
	bool has_cut;

	through.server.url = postgres_url(at->file.dir, database);
	postgres_proxy_cut(proxy, nth, holds, how);
	rc = try_copy(&through, to_server, false, &out, &err);
	has_cut = postgres_proxy_has_cut(proxy);
	postgres_proxy_cut(proxy, 0, NULL, how);
	if (!has_cut)
		assert_ok(rc, err);
	if (rc != 0 && !out.copied && !err.uncertain) {
		++*undone;
		/* The server may not have noticed yet. */
		if (to_server) {
			assert_false(is_marked(at));
			for (int i = 0; !is_server_empty(at) && i < 1000; i++)
				usleep(10000);
			assert_true(is_server_empty(at));
		} else {
			assert_int_not_equal(access(fixture_path(&at->file, "myna.db"), F_OK), 0);
			assert_int_not_equal(access(fixture_path(&at->file, "myna.db.copy"), F_OK), 0);
		}
	}
	store_copy_clear(&out);
	if (rc != 0) {
		/* Again, with the same words: it is found whether there was all. A mark that was committed,
		 * too, is told. */
		if (try_copy(at, to_server, false, &out, &err) != 0)
			assert_non_null(strstr(err.text, "was moved to"));
		store_copy_clear(&out);
	}
	free(through.server.url);
	free(database);
	return has_cut;
}

/* Each commit in every way, and a sample of the other requests. */
static void sweep(struct places *at, bool to_server)
{
	struct postgres_proxy *proxy = postgres_proxy_new(postgres_server(POSTGRES_FAST), at->file.dir);
	unsigned cuts = 0, undone = 0, step = (unsigned)sample_step(1, 19);

	for (unsigned how = 0; how < POSTGRES_CUTS; how++) {
		for (unsigned k = 1 + (4 * how) % step;
		     cut_once(at, proxy, to_server, k, (enum postgres_cut)how, NULL, &undone); k += step) {
			cuts++;
			reset(at, to_server);
		}
		reset(at, to_server);
		for (unsigned k = 1;
		     cut_once(at, proxy, to_server, k, (enum postgres_cut)how, "COMMIT", &undone); k++) {
			cuts++;
			reset(at, to_server);
		}
		reset(at, to_server);
	}
	print_message("           %u cuts, %u copies undone\n", cuts, undone);
	assert_true(cuts > 15 && undone > 10);
	postgres_proxy_free(proxy);
}

static void a_connection_that_is_cut_leaves_nothing_or_all(void **state)
{
	struct places at;
	struct buf before, after;
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	execute(path, "DELETE FROM cursors WHERE name = 'long'");
	before = bytes_of(path);
	sweep(&at, true);
	copy(&at, true);
	unlink(path);
	sweep(&at, false);
	copy(&at, false);
	after = bytes_of(path);
	expect_equal(&before, &after);
	buf_clear(&before);
	buf_clear(&after);
	free(path);
	end(&at);
}

/* Starts the program itself. */
static pid_t start_copy(const struct places *at, const char *way)
{
	char *conf = xstrdup(fixture_path(&at->file, "myna.conf")),
	     *program = xasprintf("%s/myna", getenv("MYNA_BUILD"));
	char *const argv[] = {
	    program, (char[]){"-c"}, conf, (char[]){"store"}, (char[]){"copy"}, xstrdup(way), at->url, NULL};
	FILE *out = fopen(conf, "w");
	pid_t pid;

	assert_non_null(out);
	fprintf(out, "state = \"%s\";\n", at->file.dir);
	fclose(out);
	assert_int_equal(posix_spawn(&pid, program, NULL, NULL, argv, environ), 0);
	free(argv[5]);
	free(program);
	free(conf);
	return pid;
}

/* Sessions of the database that wait for a lock. */
#define WAITING                                                                                           \
	"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = " \
	"'Lock'"
#define OTHERS                                                                                 \
	"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> " \
	"pg_backend_pid() AND "                                                                \
	"backend_type = 'client backend'"

static void await_number(const struct places *at, const char *sql, int64_t wanted)
{
	for (int i = 0; ask_server(at, sql) != wanted; i++) {
		assert_true(i < 6000);
		usleep(10000);
	}
}

/* Kills the program when it waits for what another session holds, and lets go. */
static void kill_in_the_middle(const struct places *at, const char *way, const char *hold)
{
	struct db holder = {0};
	struct error err;
	pid_t pid;

	assert_ok(db_postgres_open(&holder, "/", &at->server, false, &err), err);
	assert_ok(db_script(&holder, hold, &err), err);
	pid = start_copy(at, way);
	await_number(at, WAITING, 1);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	db_close(&holder);
	await_number(at, OTHERS, 0);
}

static void killed_in_the_middle_it_leaves_nothing(void **state)
{
	static const char wait[] = "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
				   "PERFORM pg_advisory_xact_lock(42); "
				   "RETURN NEW; END $$; CREATE TRIGGER hold BEFORE INSERT ON transcript FOR "
				   "EACH ROW EXECUTE FUNCTION hold()";
	struct places at;
	struct buf before, after;
	char *path;

	(void)state;
	begin(&at);
	path = xstrdup(fixture_path(&at.file, "myna.db"));
	before = bytes_of(path);
	work_there(&at, NULL);
	tell_server(&at, wait);
	kill_in_the_middle(&at, "--to", "SELECT pg_advisory_lock(42)");
	assert_int_equal(ask_server(&at, "SELECT count(*) FROM inbox"), 0);
	assert_int_equal(ask_server(&at, "SELECT count(*) FROM transcript"), 0);
	assert_false(is_marked(&at));
	tell_server(&at, "DROP FUNCTION hold CASCADE");
	copy(&at, true);
	kill_in_the_middle(&at, "--from", "BEGIN; LOCK TABLE transcript");
	assert_int_equal(ask_server(&at, "SELECT count(*) FROM cursors WHERE account = 'store'"), 0);
	assert_true(is_marked(&at));
	assert_int_equal(access(fixture_path(&at.file, "myna.db.copy"), F_OK), 0);
	copy(&at, false);
	assert_int_not_equal(access(fixture_path(&at.file, "myna.db.copy"), F_OK), 0);
	after = bytes_of(path);
	expect_equal(&before, &after);
	buf_clear(&before);
	buf_clear(&after);
	free(path);
	end(&at);
}

static void put_while_it_is_moved_away(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = postgres_proxy_new(postgres_server(POSTGRES_FAST), p->dir);
	char *database = postgres_database_of(places->url), *through = postgres_url(p->dir, database);
	struct message *m = fixture_message("late", "telegram:77", "hello");
	struct journal j;
	struct error err;
	int64_t before;

	fixture_close(t, p);
	p->engine.url = through;
	fixture_open(t, p);
	p->engine.url = places->url;
	before = ask_server(places, "SELECT count(*) FROM inbox");
	postgres_proxy_refuse(proxy, true);
	/* The server must know that the session is gone. */
	await_number(places, OTHERS, 0);
	copy(places, false);
	postgres_proxy_refuse(proxy, false);
	j = store_journal(p->store);
	task_until_or(t,
	    j.ops->put_inbound(t, j.self, &m, 1, NULL, &err) != 0 && strstr(err.text, "was moved to /tmp/"),
	    err.text);
	assert_int_equal(ask_server(places, "SELECT count(*) FROM inbox"), before);
	message_free(m);
	fixture_close(t, p);
	postgres_proxy_free(proxy);
	/* So that there is something to close. */
	tell_server(places, "DELETE FROM cursors WHERE account = 'store'");
	fixture_open(t, p);
	free(through);
	free(database);
}

static void a_gateway_that_was_cut_off_does_not_go_on_with_what_was_moved(void **state)
{
	struct places at;

	(void)state;
	begin(&at);
	copy(&at, true);
	places = &at;
	work_there(&at, put_while_it_is_moved_away);
	end(&at);
}

/* Migrations on a server. */

static void a_newer_schema_is_refused_by_a_start(void **state)
{
	struct places at;
	struct fixture p = {.notices = BUF_INIT};

	(void)state;
	begin(&at);
	p.engine = at.server;
	str_copy(p.dir, sizeof(p.dir), at.file.dir);
	work_there(&at, NULL);
	tell_server(&at, "UPDATE meta SET value = 999 WHERE name = 'version'");
	expect_no_start(&p, "has version 999, and this program knows");
	assert_non_null(strstr(start_err.text, "run the newer program that wrote it"));
	assert_int_equal(
	    ask_server(&at, "SELECT count(*) FROM meta WHERE name = 'running' AND value = 1"), 0);
	buf_clear(&p.notices);
	end(&at);
}

static void release_when_it_waits(struct task *t, void *arg)
{
	struct db *holder = arg;

	task_until(t, ask_server(places, WAITING " AND wait_event = 'advisory'") == 1);
	assert_true(is_server_empty(places));
	db_close(holder);
}

static void start_beside(struct task *t, void *arg)
{
	struct db holder = {0};
	struct task_group group;
	struct error err;

	assert_ok(db_postgres_open(&holder, "/", &places->server, false, &err), err);
	assert_ok(db_script(&holder, "SELECT pg_advisory_lock(1836674657, 0)", &err), err);
	task_group_init(&group);
	task_start(&group, "release", release_when_it_waits, &holder);
	try_start(t, arg);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
}

static void tables_are_made_and_migrated_by_one_at_a_time(void **state)
{
	struct places at;
	struct fixture p = {.notices = BUF_INIT};
	struct db holder = {0};
	struct error err;

	(void)state;
	begin(&at);
	places = &at;
	p.engine = at.server;
	str_copy(p.dir, sizeof(p.dir), at.file.dir);
	task_run("start", start_beside, &p);
	assert_ok(start_result, start_err);
	assert_false(is_server_empty(&at));
	/* Tables of an older version stay as they are while another one has the lock. */
	tell_server(&at, "UPDATE meta SET value = 27 WHERE name = 'version'");
	assert_ok(db_postgres_open(&holder, "/", &at.server, false, &err), err);
	assert_ok(
	    db_script(&holder, "SELECT pg_advisory_lock(1836674657, to_regclass('meta')::oid::int4)", &err),
	    err);
	expect_no_start(&p, "another gateway uses the database");
	assert_int_equal(ask_server(&at, "SELECT value FROM meta WHERE name = 'version'"), 27);
	db_close(&holder);
	/* What the step to 28 drops is in no new database. */
	tell_server(&at, "DROP INDEX inbox_turn; CREATE INDEX inbox_taken ON inbox (turn) WHERE state = 1");
	work_with(&p, NULL);
	assert_true(ask_server(&at, "SELECT value FROM meta WHERE name = 'version'") > 27);
	buf_clear(&p.notices);
	end(&at);
}

static void a_server_is_installed(void **state)
{
	(void)state;
	print_message("PostgreSQL's server is not installed (Debian: postgresql)\n");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_row_goes_to_the_server_and_back),
	    cmocka_unit_test(what_was_said_is_found_on_the_server),
	    cmocka_unit_test(what_postgres_cannot_hold_is_told_and_the_rest_of_it_kept),
	    cmocka_unit_test(a_dry_run_counts_and_changes_nothing),
	    cmocka_unit_test(a_row_that_arrives_otherwise_is_noticed),
	    cmocka_unit_test(a_server_that_holds_something_is_refused),
	    cmocka_unit_test(a_server_on_which_a_node_ran_is_not_refused),
	    cmocka_unit_test(a_gateway_that_runs_is_refused_on_either_side),
	    cmocka_unit_test(what_was_moved_is_refused),
	    cmocka_unit_test(no_gateway_starts_with_what_was_moved),
	    cmocka_unit_test(a_file_that_is_in_use_is_not_replaced),
	    cmocka_unit_test(a_damaged_or_older_file_is_refused),
	    cmocka_unit_test(a_connection_that_is_cut_leaves_nothing_or_all),
	    cmocka_unit_test(killed_in_the_middle_it_leaves_nothing),
	    cmocka_unit_test(a_gateway_that_was_cut_off_does_not_go_on_with_what_was_moved),
	    cmocka_unit_test(a_newer_schema_is_refused_by_a_start),
	    cmocka_unit_test(tables_are_made_and_migrated_by_one_at_a_time),
	};
	const struct CMUnitTest missing[] = {cmocka_unit_test(a_server_is_installed)};

	return postgres_is_there() ? cmocka_run_group_tests(tests, NULL, NULL) :
				     cmocka_run_group_tests(missing, NULL, NULL);
}
