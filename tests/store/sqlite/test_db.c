#include "store/store_fixture.h"

#include <stdatomic.h>

#include "store/schema.h"
#include "store/sqlite/db_sqlite.h"

static void open_in(struct fixture *p, struct db *db)
{
	struct error err;

	fixture_make(p);
	*db = (struct db){0};
	assert_ok(db_sqlite_open(db, p->dir, fixture_path(p, "myna.db"), DB_LIVE, &err), err);
}

static void close_in(struct fixture *p, struct db *db)
{
	db_close(db);
	db_close(db);
	fixture_remove(p);
}

static int64_t number(struct db *db, const char *sql)
{
	struct error err;
	int64_t n = -1;

	assert_ok(db_number(db, sql, DB_NO_ARGS, &n, &err), err);
	return n;
}

static char *text(struct db *db, const char *sql)
{
	struct db_row *row;
	struct error err;
	char *found;

	row = db_select(db, sql, DB_NO_ARGS, &err);
	assert_non_null(row);
	assert_int_equal(db_next(db, row, &err), 1);
	found = db_column_text(row, 0);
	db_end(row);
	return found;
}

static void a_commit_is_on_the_disk_and_the_file_is_ours_alone(void **state)
{
	static const struct {
		const char *pragma;
		int64_t value;
	} wanted[] = {
	    {"PRAGMA synchronous", 2},
	    {"PRAGMA wal_autocheckpoint", 0},
	    {"PRAGMA mmap_size", 0},
	    {"PRAGMA temp_store", 2},
	    {"PRAGMA cell_size_check", 1},
	    {"PRAGMA cache_size", -2048},
	};
	struct fixture p;
	struct db db;
	char *mode;

	(void)state;
	open_in(&p, &db);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_int_equal(number(&db, wanted[i].pragma), wanted[i].value);
	mode = text(&db, "PRAGMA journal_mode");
	assert_string_equal(mode, "wal");
	free(mode);
	mode = text(&db, "PRAGMA locking_mode");
	assert_string_equal(mode, "exclusive");
	free(mode);
	close_in(&p, &db);
}

static void statements_are_prepared_once(void **state)
{
	static const char sql[] = "INSERT INTO t VALUES (?1)";
	struct fixture p;
	struct db db;
	struct error err;
	size_t kept;

	(void)state;
	open_in(&p, &db);
	assert_ok(db_script(&db, "CREATE TABLE t (x)", &err), err);
	kept = db.statement_count;
	for (int i = 0; i < 5; i++)
		assert_int_equal(db_run(&db, sql, DB_ARGS(db_int(i)), &err), 1);
	assert_int_equal(db.statement_count, kept + 1);
	assert_int_equal(number(&db, "SELECT sum(x) FROM t"), 10);
	close_in(&p, &db);
}

static void a_rollback_undoes_and_a_commit_stays(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	open_in(&p, &db);
	assert_ok(db_script(&db, "CREATE TABLE t (x)", &err), err);
	assert_ok(db_begin(&db, &err), err);
	assert_false(db_is_idle(&db));
	assert_ok(db_script(&db, "INSERT INTO t VALUES (1)", &err), err);
	db_rollback(&db);
	assert_true(db_is_idle(&db));
	assert_int_equal(number(&db, "SELECT count(*) FROM t"), 0);
	assert_ok(db_begin(&db, &err), err);
	assert_ok(db_script(&db, "INSERT INTO t VALUES (1)", &err), err);
	assert_ok(db_commit(&db, &err), err);
	assert_int_equal(number(&db, "SELECT count(*) FROM t"), 1);
	close_in(&p, &db);
}

static void a_checkpoint_empties_the_log_when_it_is_long(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	open_in(&p, &db);
	assert_ok(db_script(&db, "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000))", &err), err);
	assert_true(db.wal_pages > 20);
	db_checkpoint(&db, 1000);
	assert_true(db.wal_pages > 20);
	db_checkpoint(&db, 20);
	assert_int_equal(db.wal_pages, 0);
	assert_ok(db_script(&db, "INSERT INTO t VALUES (1)", &err), err);
	assert_true(db.wal_pages < 5);
	close_in(&p, &db);
}

struct thing {
	char *name;
	char code[4];
	unsigned kind, count;
	bool flag;
	int64_t big;
};

static const struct db_field fields[] = {
    {DB_TEXT, offsetof(struct thing, name), 0},
    {DB_CHARS, offsetof(struct thing, code), sizeof((struct thing *)0)->code},
    {DB_ENUM, offsetof(struct thing, kind), 2},
    {DB_UINT, offsetof(struct thing, count), 0},
    {DB_BOOL, offsetof(struct thing, flag), 0},
    {DB_INT64, offsetof(struct thing, big), 0},
};

/* Reads one thing from a row of constants. */
static int read_thing(const char *sql, struct thing *out, struct db *db, struct error *err)
{
	struct db_row *row;
	int rc;

	assert_ok(db_sqlite_open_memory(db, err), *err);
	row = db_select(db, sql, DB_NO_ARGS, err);
	assert_non_null(row);
	assert_int_equal(db_next(db, row, err), 1);
	rc = db_read(db, row, 0, fields, ARRAY_LEN(fields), out, err);
	db_end(row);
	db_close(db);
	return rc;
}

static void a_row_fills_a_struct(void **state)
{
	struct thing thing = {0};
	struct db db = {0};
	struct error err;

	(void)state;
	assert_ok(
	    read_thing("SELECT 'name', 'abc', 2, 4294967295, 1, -9000000000000000000", &thing, &db, &err),
	    err);
	assert_string_equal(thing.name, "name");
	assert_string_equal(thing.code, "abc");
	assert_int_equal(thing.kind, 2);
	assert_int_equal(thing.count, 4294967295u);
	assert_true(thing.flag);
	assert_true(thing.big == INT64_C(-9000000000000000000));
	free(thing.name);
}

static void what_was_never_written_is_damage(void **state)
{
	static const struct {
		const char *sql, *column;
	} cases[] = {
	    {"SELECT 'name', 'abcd' AS code, 0, 0, 0, 0", "code"},
	    {"SELECT 'name', 'abc', 3 AS kind, 0, 0, 0", "kind"},
	    {"SELECT 'name', 'abc', -1 AS kind, 0, 0, 0", "kind"},
	    {"SELECT 'name', 'abc', 0, 4294967296 AS count, 0, 0", "count"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct thing thing = {0};
		struct db db = {0};
		struct error err;

		assert_int_equal(read_thing(cases[i].sql, &thing, &db, &err), -1);
		assert_int_equal(db.trouble, DB_DAMAGED);
		assert_non_null(strstr(err.text, cases[i].column));
		free(thing.name);
	}
}

static void text_is_valid_whatever_the_file_holds(void **state)
{
	struct db db = {0};
	struct error err;
	char *found;

	(void)state;
	assert_ok(db_sqlite_open_memory(&db, &err), err);
	found = text(&db, "SELECT CAST(x'61ff62' AS TEXT)");
	assert_string_equal(found,
	    "a\xef\xbf\xbd"
	    "b");
	free(found);
	found = text(&db, "SELECT NULL");
	assert_null(found);
	db_close(&db);
}

static void a_set_stop_ends_a_long_call(void **state)
{
	atomic_bool stop = true;
	struct fixture p;
	struct db db;
	struct error err;
	int64_t n;

	(void)state;
	open_in(&p, &db);
	db.stop = &stop;
	assert_int_equal(db_number(&db,
			     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
			     "50000000) SELECT count(*) FROM n",
			     DB_NO_ARGS, &n, &err),
	    -1);
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_int_equal(db.trouble, 0);
	close_in(&p, &db);
}

static void the_schema_cannot_be_written_by_hand(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	open_in(&p, &db);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_int_equal(db_script(&db,
			     "PRAGMA writable_schema = ON; CREATE TABLE t (x); UPDATE sqlite_schema SET sql "
			     "= 'CREATE TABLE t (y)'",
			     NULL),
	    -1);
	close_in(&p, &db);
}

static int64_t new_id(struct db *db, enum db_ids table)
{
	struct error err;
	int64_t id;

	assert_ok(db_new_id(db, table, &id, &err), err);
	return id;
}

static void ids_that_a_rollback_takes_back_are_not_used(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	open_in(&p, &db);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_ok(db_begin(&db, &err), err);
	assert_int_equal(new_id(&db, DB_TURNS), 1);
	assert_int_equal(new_id(&db, DB_TURNS), 2);
	db_rollback(&db);
	assert_ok(db_begin(&db, &err), err);
	assert_int_equal(new_id(&db, DB_TURNS), 1);
	assert_ok(db_run(&db, "SAVEPOINT job", DB_NO_ARGS, &err), err);
	assert_int_equal(new_id(&db, DB_OUTBOX), 1);
	assert_ok(db_run(&db, "ROLLBACK TO job", DB_NO_ARGS, &err), err);
	db_undo_ids(&db);
	assert_ok(db_commit(&db, &err), err);
	assert_int_equal(number(&db, "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'"), 0);
	assert_int_equal(number(&db, "SELECT seq FROM sqlite_sequence WHERE name = 'turns'"), DB_BLOCK);
	/* A block is not thrown away for a later rollback. */
	assert_int_equal(new_id(&db, DB_INBOX), 1);
	assert_ok(db_begin(&db, &err), err);
	assert_ok(db_commit(&db, &err), err);
	assert_ok(db_begin(&db, &err), err);
	assert_int_equal(new_id(&db, DB_INBOX), 2);
	db_rollback(&db);
	assert_int_equal(new_id(&db, DB_INBOX), 3);
	assert_ok(db_begin(&db, &err), err);
	assert_ok(db_return_ids(&db, &err), err);
	assert_ok(db_commit(&db, &err), err);
	assert_int_equal(number(&db, "SELECT seq FROM sqlite_sequence WHERE name = 'inbox'"), 3);
	close_in(&p, &db);
}

static void a_lost_counter_of_ids_does_not_begin_anew(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	open_in(&p, &db);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_ok(db_script(&db, "DELETE FROM sqlite_sequence", &err), err);
	assert_true(new_id(&db, DB_TRANSCRIPT) > 1700000000);
	close_in(&p, &db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_commit_is_on_the_disk_and_the_file_is_ours_alone),
	    cmocka_unit_test(statements_are_prepared_once),
	    cmocka_unit_test(a_rollback_undoes_and_a_commit_stays),
	    cmocka_unit_test(a_checkpoint_empties_the_log_when_it_is_long),
	    cmocka_unit_test(a_row_fills_a_struct),
	    cmocka_unit_test(what_was_never_written_is_damage),
	    cmocka_unit_test(text_is_valid_whatever_the_file_holds),
	    cmocka_unit_test(a_set_stop_ends_a_long_call),
	    cmocka_unit_test(the_schema_cannot_be_written_by_hand),
	    cmocka_unit_test(ids_that_a_rollback_takes_back_are_not_used),
	    cmocka_unit_test(a_lost_counter_of_ids_does_not_begin_anew),
	};

	return cmocka_run_group_tests_name("db", tests, NULL, NULL);
}
