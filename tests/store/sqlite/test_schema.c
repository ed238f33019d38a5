#include "store/store_fixture.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "store/db.h"
#include "store/sqlite/db_sqlite.h"
#include "store/schema.h"
#include "store/sqlite/check.h"
#include "store/sqlite/upgrade.h"

/* A chain of versions for the mechanism itself. The first step finds a database that was there before. */
static const char *const steps[] = {
    "CREATE TABLE meta (name TEXT NOT NULL UNIQUE, value INTEGER NOT NULL);",
    ("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
     " INSERT INTO people (name) SELECT text FROM notes;"),
    "ALTER TABLE people ADD COLUMN age INTEGER NOT NULL DEFAULT 40; DROP TABLE notes;",
};

static const char *const broken_steps[] = {
    "CREATE TABLE meta (name TEXT NOT NULL UNIQUE, value INTEGER NOT NULL);",
    "DELETE FROM notes; CREATE TABLE meta (again INTEGER);",
};

static void open_old(struct db *db, const struct fixture *p)
{
	struct error err;

	*db = (struct db){0};
	assert_ok(db_sqlite_open(db, p->dir, fixture_path(p, "myna.db"), DB_LIVE, &err), err);
}

static int64_t number(struct db *db, const char *sql)
{
	struct error err;
	int64_t n = -1;

	assert_ok(db_number(db, sql, DB_NO_ARGS, &n, &err), err);
	return n;
}

/* A database of version 0 that holds something. */
static void make_old(struct db *db, struct fixture *p)
{
	struct error err;

	fixture_make(p);
	open_old(db, p);
	assert_ok(
	    db_script(db, "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('ann'), ('bob')", &err),
	    err);
}

static void done(struct db *db, struct fixture *p)
{
	db_close(db);
	fixture_remove(p);
}

static void data_survives_each_step_of_a_chain(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	make_old(&db, &p);
	for (size_t count = 1; count <= 3; count++) {
		assert_ok(schema_migrate(&db, &(struct schema){steps, count}, &err), err);
		assert_int_equal(number(&db, "PRAGMA user_version"), count);
		db_close(&db);
		open_old(&db, &p);
	}
	assert_int_equal(
	    number(&db, "SELECT count(*) FROM people WHERE name IN ('ann', 'bob') AND age = 40"), 2);
	done(&db, &p);
}

static void all_steps_at_once_do_the_same(void **state)
{
	const struct schema schema = {steps, 3};
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	make_old(&db, &p);
	assert_ok(schema_migrate(&db, &schema, &err), err);
	assert_int_equal(number(&db, "SELECT count(*) FROM people WHERE age = 40"), 2);
	assert_ok(schema_migrate(&db, &schema, &err), err);
	assert_int_equal(number(&db, "SELECT count(*) FROM people WHERE age = 40"), 2);
	done(&db, &p);
}

static void a_step_that_fails_changes_nothing(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	make_old(&db, &p);
	assert_int_equal(schema_migrate(&db, &(struct schema){broken_steps, 2}, &err), -1);
	assert_non_null(strstr(err.text, "cannot bring the database from version 1 to 2"));
	assert_int_equal(number(&db, "PRAGMA user_version"), 1);
	assert_int_equal(number(&db, "SELECT count(*) FROM notes"), 2);
	assert_ok(schema_migrate(&db, &(struct schema){steps, 3}, &err), err);
	assert_int_equal(number(&db, "SELECT count(*) FROM people"), 2);
	done(&db, &p);
}

static void a_newer_version_is_refused_with_both_numbers(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	make_old(&db, &p);
	assert_ok(schema_migrate(&db, &(struct schema){steps, 3}, &err), err);
	assert_int_equal(schema_migrate(&db, &(struct schema){steps, 2}, &err), -1);
	assert_non_null(strstr(err.text, "has version 3, and this program knows 2"));
	assert_int_equal(db.trouble, 0);
	done(&db, &p);
}

static void two_versions_that_differ_are_damage(void **state)
{
	struct fixture p;
	struct db db;
	struct error err;

	(void)state;
	make_old(&db, &p);
	assert_ok(schema_migrate(&db, &(struct schema){steps, 2}, &err), err);
	assert_ok(db_script(&db, "PRAGMA user_version = 1", &err), err);
	assert_int_equal(schema_migrate(&db, &(struct schema){steps, 3}, &err), -1);
	assert_int_equal(db.trouble, DB_DAMAGED);
	done(&db, &p);
}

static void tables_that_differ_are_damage(void **state)
{
	struct db db = {0};
	struct error err;

	(void)state;
	assert_ok(db_sqlite_open_memory(&db, &err), err);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_ok(check_schema(&db, &schema_current, &err), err);
	assert_ok(db_script(&db, "ALTER TABLE outbox RENAME COLUMN reply_to TO repla_to", &err), err);
	assert_int_equal(check_schema(&db, &schema_current, &err), -1);
	assert_int_equal(db.trouble, DB_DAMAGED);
	db_close(&db);
}

/* All that is in a new database, by its own steps or at once: definitions and their pages, and the first
 * rows. */
static char *describe_new(const struct schema *schema)
{
	static const char sql[] =
	    "SELECT name || ' ' || rootpage || ' ' || coalesce(sql, '') AS line FROM sqlite_schema UNION ALL "
	    "SELECT name || ' ' || value FROM meta UNION ALL SELECT k || ' ' || v FROM said_words_config "
	    "ORDER BY line";
	struct buf out = BUF_INIT;
	struct db_row *row;
	struct fixture p;
	struct db db;
	struct error err;

	fixture_make(&p);
	open_old(&db, &p);
	assert_ok(schema_migrate(&db, schema, &err), err);
	buf_addf(&out, "version %d\n", (int)number(&db, "PRAGMA user_version"));
	row = db_select(&db, sql, DB_NO_ARGS, &err);
	assert_non_null(row);
	while (db_next(&db, row, &err) > 0) {
		char *text = db_column_text(row, 0);

		buf_addf(&out, "%s\n", text);
		free(text);
	}
	done(&db, &p);
	return buf_take(&out);
}

static void a_new_database_is_page_for_page_what_the_steps_make(void **state)
{
	const char *steps_alone[64];
	char *at_once, *stepwise;

	(void)state;
	assert_true(schema_current.count <= ARRAY_LEN(steps_alone));
	memcpy(steps_alone, schema_current.steps, schema_current.count * sizeof(*steps_alone));
	at_once = describe_new(&schema_current);
	stepwise = describe_new(&(struct schema){steps_alone, schema_current.count});
	assert_true(strlen(stepwise) > 10000);
	size_t same = 0, line = 0;
	for (; at_once[same] && at_once[same] == stepwise[same]; same++)
		line = at_once[same] == '\n' ? same + 1 : line;
	if (at_once[same] || stepwise[same])
		fail_msg("schema_new makes\n%.500s\nand the steps\n%.500s", at_once + line, stepwise + line);
	free(at_once);
	free(stepwise);
}

static void a_store_of_today_can_be_brought_to_a_next_version(struct task *t, struct fixture *p)
{
	const char *next[32];
	const struct schema schema = {next, schema_current.count + 1};
	struct db db;
	struct error err;

	fixture_put(t, p, "a", "telegram:1", "hello");
	fixture_close(t, p);
	assert_true(schema_current.count < ARRAY_LEN(next));
	for (size_t i = 0; i < schema_current.count; i++)
		next[i] = schema_current.steps[i];
	next[schema_current.count] = "ALTER TABLE inbox ADD COLUMN priority INTEGER NOT NULL DEFAULT 5";
	open_old(&db, p);
	assert_ok(schema_migrate(&db, &schema, &err), err);
	assert_ok(check_schema(&db, &schema, &err), err);
	assert_int_equal(number(&db, "SELECT priority FROM inbox WHERE text = 'hello'"), 5);
	db_close(&db);
	assert_int_equal(fixture_try(t, p, &err), -1);
	assert_non_null(strstr(err.text, "run the newer program"));
	assert_int_equal(fixture_files(p, "myna.db.damaged"), 0);
	unlink(fixture_path(p, "myna.db"));
	fixture_open(t, p);
}

/* Version 3 makes the inbox anew. */
static void messages_and_their_ids_survive_the_step_to_version_3(void **state)
{
	static const char row[] =
	    "INSERT INTO inbox (account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, "
	    "sender_is_bot, addressed, sent_ms, received_ms, text) VALUES ('a', 'e1', 1, 'c', '7', '', 1, 1, "
	    "0, 1, 5, 6, 'x')";
	static const char gone[] = "UPDATE sqlite_sequence SET seq = 40 WHERE name = 'inbox'";
	struct db db = {0};
	struct error err;
	int64_t id;

	(void)state;
	assert_ok(db_sqlite_open_memory(&db, &err), err);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, 2}, &err), err);
	assert_ok(db_script(&db, row, &err), err);
	assert_ok(db_script(&db, gone, &err), err);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_int_equal(
	    number(&db,
		"SELECT count(*) FROM inbox WHERE id = 1 AND text = 'x' AND sender_is_chat = 1 AND addressed "
		"= 1 AND continues = 0 AND to_another = 0 AND sent_ms = 5 AND received_ms = 6"),
	    1);
	assert_ok(db_new_id(&db, DB_INBOX, &id, &err), err);
	assert_int_equal(id, 41);
	assert_ok(check_schema(&db, &schema_current, &err), err);
	db_close(&db);
}

/* So does version 13. */
static void messages_and_what_came_with_them_survive_the_step_to_version_13(void **state)
{
	static const char row[] =
	    "INSERT INTO inbox (state, turn, why, account, event_id, kind, channel, chat, thread, chat_kind, "
	    "sender_is_chat, sender_is_bot, addressed, continues, sent_ms, received_ms, stored_ms, "
	    "reply_text, press_id, attachments, text) VALUES (4, 9, 'context', 'a', 'e1', 2, 'c', '7', '3', "
	    "1, 1, 0, 1, 1, 5, 6, 7, 'r', 'p', 'f', 'x'); UPDATE sqlite_sequence SET seq = 40 WHERE name = "
	    "'inbox'";
	struct db db = {0};
	struct error err;
	int64_t id;

	(void)state;
	assert_ok(db_sqlite_open_memory(&db, &err), err);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, 12}, &err), err);
	assert_ok(db_script(&db, row, &err), err);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_int_equal(
	    number(&db,
		"SELECT count(*) FROM inbox WHERE id = 1 AND state = 4 AND turn = 9 AND why = 'context' AND "
		"kind = 2 AND thread = '3' AND continues = 1 AND sent_ms = 5 AND received_ms = 6 AND "
		"stored_ms = 7 AND reply_text = 'r' AND press_id = 'p' AND attachments = 'f' AND text = 'x'"),
	    1);
	assert_ok(db_new_id(&db, DB_INBOX, &id, &err), err);
	assert_int_equal(id, 41);
	assert_ok(check_schema(&db, &schema_current, &err), err);
	db_close(&db);
}

static void what_was_set_for_a_chat_stands_in_one_row_from_version_16_on(void **state)
{
	static const char rows[] =
	    "INSERT INTO chats (channel, chat, queue) VALUES ('c', '7', 3), ('c', '8', 1); INSERT INTO "
	    "models (channel, chat, name) VALUES ('c', '7', 'big'), ('c', '9', 'small')";
	struct db db = {0};
	struct error err;

	(void)state;
	assert_ok(db_sqlite_open_memory(&db, &err), err);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, 15}, &err), err);
	assert_ok(db_script(&db, rows, &err), err);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_int_equal(
	    number(&db, "SELECT count(*) FROM chats WHERE chat = '7' AND queue = 3 AND model = 'big'"), 1);
	assert_int_equal(
	    number(&db, "SELECT count(*) FROM chats WHERE chat = '8' AND queue = 1 AND model IS NULL"), 1);
	assert_int_equal(
	    number(&db, "SELECT count(*) FROM chats WHERE chat = '9' AND queue = 0 AND model = 'small'"), 1);
	assert_int_equal(number(&db, "SELECT count(*) FROM chats"), 3);
	assert_ok(check_schema(&db, &schema_current, &err), err);
	db_close(&db);
}

static void what_was_spent_is_counted_by_day_and_month_from_version_21_on(void **state)
{
	/* 2026-10-31, 2026-11-01 and 2026-11-02. */
	static const char rows[] =
	    "INSERT INTO usage (channel, chat, day, requests, input, cached, output) VALUES ('c', '7', 0, 9, "
	    "900, 90, 99), ('c', '7', 20757, 1, 100, 10, 11), ('c', '7', 20758, 2, 200, 20, 22), ('c', '7', "
	    "20759, 3, 300, 30, 33), ('', '', 0, 10, 1000, 100, 110), ('', '', 20759, 3, 300, 30, 33)";
	struct db db = {0};
	struct error err;

	(void)state;
	assert_ok(db_sqlite_open_memory(&db, &err), err);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, 20}, &err), err);
	assert_ok(db_script(&db, rows, &err), err);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_int_equal(number(&db, "SELECT count(*) FROM spending"), 9);
	/* Since version 26, a total and a month have what no day has. */
	assert_int_equal(
	    number(&db, "SELECT input FROM spending WHERE scope = 1 AND who = '7' AND period = 0"), 300);
	assert_int_equal(
	    number(&db,
		"SELECT sum(input) FROM spending WHERE scope = 1 AND who = '7' AND (period = 0 OR "
		"period > 999999)"),
	    900);
	assert_int_equal(
	    number(&db, "SELECT input FROM spending WHERE scope = 1 AND who = '7' AND period = 202610"), 0);
	assert_int_equal(
	    number(&db,
		"SELECT sum(output) FROM spending WHERE scope = 1 AND who = '7' AND period / 100 = "
		"202611"),
	    55);
	assert_int_equal(
	    number(&db, "SELECT requests FROM spending WHERE scope = 1 AND who = '7' AND period = 20261102"),
	    3);
	assert_int_equal(
	    number(&db, "SELECT unpriced FROM spending WHERE scope = 0 AND who = '' AND period = 20261102"),
	    3);
	assert_int_equal(number(&db, "SELECT sum(cost) + sum(turns) FROM spending"), 0);
	assert_ok(check_schema(&db, &schema_current, &err), err);
	db_close(&db);
}

static void a_message_that_a_turn_has_taken_is_done_from_version_28_on(void **state)
{
	static const char rows[] =
	    "INSERT INTO inbox (state, turn, account, event_id, kind, channel, chat, thread, chat_kind, "
	    "sender_is_chat, sender_is_bot, addressed, sent_ms, received_ms, text) VALUES (0, 0, 'a', 'e1', "
	    "0, 'c', '7', '', 0, 0, 0, 1, 5, 6, 'x'), (1, 9, 'a', 'e2', 0, 'c', '7', '', 0, 0, 0, 1, 5, 6, "
	    "'x'), (3, 8, 'a', 'e3', 0, 'c', '7', '', 0, 0, 0, 1, 5, 6, 'x')";
	struct db db = {0};
	struct error err;

	(void)state;
	assert_ok(db_sqlite_open_memory(&db, &err), err);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, 27}, &err), err);
	assert_ok(db_script(&db, rows, &err), err);
	assert_ok(schema_migrate(&db, &schema_current, &err), err);
	assert_int_equal(number(&db, "SELECT state FROM inbox WHERE event_id = 'e1'"), 0);
	assert_int_equal(
	    number(&db, "SELECT count(*) FROM inbox WHERE event_id = 'e2' AND state = 2 AND done_ms = 6"), 1);
	assert_int_equal(
	    number(&db, "SELECT count(*) FROM inbox WHERE turn = 8 AND turn > 0 AND state = 3"), 1);
	assert_ok(check_schema(&db, &schema_current, &err), err);
	db_close(&db);
}

/* Brings the fixture's store, which is closed, to an older version with something in it. */
static void put_version(struct fixture *p, size_t version)
{
	struct db db;
	struct error err;

	unlink(fixture_path(p, "myna.db"));
	open_old(&db, p);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, version}, &err), err);
	assert_ok(db_script(&db,
		      "INSERT INTO cursors (account, name, value, updated_ms) VALUES ('a', 'offset', '9', 1)",
		      &err),
	    err);
	db_close(&db);
}

static void an_upgrade_keeps_copies_of_before(struct task *t, struct fixture *p)
{
	struct db db;
	struct error err;
	char **copies;

	fixture_close(t, p);
	assert_int_equal(upgrade_copies(p->dir, &copies), 0);
	free(copies);
	/* An unfinished one that a kill left. */
	close(open(fixture_path(p, "myna.db.version-9-20200101T000000Z.part-7"), O_CREAT | O_WRONLY, 0600));
	for (size_t version = 18; version <= 20; version++) {
		put_version(p, version);
		fixture_open(t, p);
		fixture_close(t, p);
		assert_int_equal(fixture_number(p, "SELECT value FROM cursors"), 9);
		/* Names have seconds. */
		clock_set_ahead(1000);
	}
	clock_set_ahead(-3000);
	assert_int_equal(fixture_files(p, "myna.db.version-9"), 0);
	assert_int_equal(fixture_files(p, "myna.db.version-18"), 0);
	assert_int_equal(upgrade_copies(p->dir, &copies), 2);
	assert_non_null(strstr(copies[0], "myna.db.version-19-"));
	assert_non_null(strstr(copies[1], "myna.db.version-20-"));
	db = (struct db){0};
	assert_ok(db_sqlite_open(&db, p->dir, fixture_path(p, copies[1]), DB_EVIDENCE, &err), err);
	assert_int_equal(number(&db, "PRAGMA user_version"), 20);
	assert_int_equal(number(&db, "SELECT value FROM cursors"), 9);
	db_close(&db);
	free(copies[0]);
	free(copies[1]);
	free(copies);
	fixture_open(t, p);
}

/* The copy from before the upgrade counts, not one of a half-way state. */
static void an_interrupted_upgrade_is_not_copied_again(struct task *t, struct fixture *p)
{
	struct db db;
	struct error err;

	fixture_close(t, p);
	put_version(p, 19);
	open_old(&db, p);
	assert_ok(schema_set(&db, "upgrading", 18, &err), err);
	db_close(&db);
	fixture_open(t, p);
	fixture_close(t, p);
	assert_int_equal(fixture_files(p, "myna.db.version-"), 0);
	assert_int_equal(fixture_number(p, "SELECT value FROM meta WHERE name = 'upgrading'"), 0);
	fixture_open(t, p);
}

static int drop_modules(sqlite3 *handle, char **why, const struct sqlite3_api_routines *api)
{
	(void)why;
	(void)api;
	return sqlite3_drop_modules(handle, NULL);
}

/* As with an SQLite without FTS5, which the step to version 17 needs. */
static void a_step_that_cannot_be_made_does_not_count_as_damage(struct task *t, struct fixture *p)
{
	struct db db;
	struct error err;

	fixture_close(t, p);
	unlink(fixture_path(p, "myna.db"));
	open_old(&db, p);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, 16}, &err), err);
	assert_ok(db_script(&db,
		      "INSERT INTO cursors (account, name, value, updated_ms) VALUES ('a', 'offset', '9', 1)",
		      &err),
	    err);
	db_close(&db);
	sqlite3_auto_extension((void (*)(void))drop_modules);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(fixture_try(t, p, &err), -1);
		assert_non_null(strstr(err.text, "from version 16 to 17"));
		assert_non_null(strstr(err.text, "no such module: fts5"));
		assert_null(strstr(err.text, "damaged"));
	}
	sqlite3_reset_auto_extension();
	fixture_open(t, p);
	assert_string_equal(p->notices.data, "");
	assert_int_equal(fixture_files(p, "myna.db.damaged"), 0);
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT value FROM cursors"), 9);
	fixture_open(t, p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(data_survives_each_step_of_a_chain),
	    cmocka_unit_test(all_steps_at_once_do_the_same),
	    cmocka_unit_test(a_step_that_fails_changes_nothing),
	    cmocka_unit_test(a_newer_version_is_refused_with_both_numbers),
	    cmocka_unit_test(two_versions_that_differ_are_damage),
	    cmocka_unit_test(tables_that_differ_are_damage),
	    cmocka_unit_test(messages_and_their_ids_survive_the_step_to_version_3),
	    cmocka_unit_test(messages_and_what_came_with_them_survive_the_step_to_version_13),
	    cmocka_unit_test(what_was_set_for_a_chat_stands_in_one_row_from_version_16_on),
	    cmocka_unit_test(what_was_spent_is_counted_by_day_and_month_from_version_21_on),
	    cmocka_unit_test(a_new_database_is_page_for_page_what_the_steps_make),
	    cmocka_unit_test(a_message_that_a_turn_has_taken_is_done_from_version_28_on),
	    IN_PLACE(a_step_that_cannot_be_made_does_not_count_as_damage),
	    IN_PLACE(an_upgrade_keeps_copies_of_before),
	    IN_PLACE(an_interrupted_upgrade_is_not_copied_again),
	    IN_PLACE(a_store_of_today_can_be_brought_to_a_next_version),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
