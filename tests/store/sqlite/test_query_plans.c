/*
 * No query reads all of a table that grows. Checks the plan of every statement that the program contains:
 * they are literals, so they are found in the file itself, and none can be forgotten. The plans hold for a
 * database of any size: SQLite chooses them by the schema alone as long as nobody runs ANALYZE.
 */
#include "store/store_fixture.h"

#include <sqlite3.h>

/* What people set by hand, what a turn or a request has for a moment, and what is not a table. */
static const char *const small[] = {"sqlite_schema", "sqlite_sequence", "CONSTANT ROW", "3 CONSTANT ROWS",
    "accounts", "periods", "parts", "pragma_table_info", "pragma_page_count", "pragma_page_size",
    "pragma_freelist_count", "pragma_auto_vacuum", "budgets", "lifts", "grants", "pairings", "works", "moves",
    "schedules", "meta", "(subquery-1)"};

/* What is waiting or open now. */
static const char *const small_indexes[] = {
    "inbox_pending", "outbox_lane", "turns_open", "prompts_open", "plans_late"};

/* Statements that scan or sort nevertheless, by their beginning. */
static const struct {
	const char *sql, *why;
} deliberate[] = {
    {"SELECT * FROM ", "the check after a crash, in slices of rows, idle"},
    {"SELECT id, received_ms, done_ms FROM inbox WHERE id > ?1 ORDER BY id LIMIT ?2", "retention: a slice"},
    {"SELECT id, created_ms, ", "retention: a slice"},
    {"SELECT id, period, period", "retention: a slice"},
    {"SELECT id, closed_ms FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2", "retention: a slice"},
    {"INSERT INTO meta (name, value) SELECT 'sessions', count(*)", "recovery, once"},
    {"UPDATE spending SET (turns, requests", "an upgrade, once"},
    {"INSERT INTO spending (scope, channel, who, period, turns, requests, unpriced, input, cached, written, "
     "output, cost, estimated, seconds) SELECT scope, channel, who, whole",
	"retention: two rows"},
    {"SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema", "the schema has a fixed size"},
    {"SELECT received_ms FROM inbox ORDER BY id DESC LIMIT 1", "reads one row"},
    {"SELECT id FROM inbox WHERE id <= ?1 ORDER BY id DESC LIMIT 1", "reads one row"},
    {"SELECT id FROM outbox WHERE id <= ?1 ORDER BY id DESC LIMIT 1", "reads one row"},
    {"SELECT EXISTS (SELECT 1 FROM (SELECT channel, chat, message_id", "reads the newest 5000"},
    {"SELECT id, account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, sender_is_bot, "
     "addressed, to_another, continues, sent_ms, received_ms, message_id, reply_to, sender_id, sender_name, "
     "chat_title, reply_text, reply_sender_id, reply_sender_name, press_id, text, attachments FROM inbox "
     "WHERE channel = ?1 AND chat = ?2 AND kind < 2 AND id > ",
	"an operator's command; reads the newest 20000 at most"},
    {"SELECT id, account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, sender_is_bot, "
     "addressed, to_another, continues, sent_ms, received_ms, message_id, reply_to, sender_id, sender_name, "
     "chat_title, reply_text, reply_sender_id, reply_sender_name, press_id, text, attachments FROM inbox "
     "WHERE turn = ?1 AND turn > 0 ORDER BY why",
	"sorts the messages of one turn"},
    {"SELECT call_id FROM calls WHERE turn = ?1", "sorts the calls of one turn"},
    {"SELECT turns.id, session, attempts + 1", "sorts the open turns of one place"},
    {"SELECT attempts, preview", "sorts the open turns of one place"},
    {"SELECT id, state, outbox, channel, chat, thread, created_ms, expires_ms, press, turn, token, choice, "
     "call_id, hash, decider, way, reason, heard, person, action, data FROM prompts WHERE state = 0 AND "
     "action",
	"sorts the open questions"},
    {"SELECT o.id FROM outbox AS o JOIN turns AS t ON t.id = o.turn JOIN sessions AS s ON s.id = t.session",
	"the start sorts what failed since the last one"},
    {"SELECT channel, chat, thread, session, began_ms, ended_ms FROM turns", "/sessions: a slice"},
    {"SELECT min(id) FROM (SELECT id FROM turns WHERE id < ?1", "/sessions: the bound of a slice"},
    {"SELECT id, kind, state, channel, chat, thread, key, part, parts, turn, attempts, repeat, "
     "not_before_ms, created_ms, updated_ms, platform_id, reason, reply_to, edit_of, buttons, text, file "
     "FROM outbox WHERE id < ?1 AND id > ?1 - 10000",
	"the row before, nearly always"},
    {"SELECT id, turn FROM inbox WHERE id <= ?1 AND id > ?2", "myna trace: a slice"},
    {"SELECT id, turn, key FROM outbox", "myna trace: a slice"},
    {"SELECT id FROM inbox WHERE id <= ?1 AND id > ?2 AND ((?3", "myna trace: a slice"},
    {"SELECT id FROM outbox WHERE id <= ?1 AND id > ?2 AND ((?3", "myna trace: a slice"},
    {"SELECT rowid, CASE WHEN EXISTS (SELECT 1 FROM transcript", "full-text search: a slice"},
    {"INSERT INTO said_words (said_words, rank) SELECT * FROM (VALUES", "two settings"},
    {"INSERT INTO said_words (rowid, text) SELECT id, text FROM transcript WHERE id > ", "a batch"},
    {"INSERT INTO %s ", "recovery: not a statement yet"},
    {"SELECT * FROM %s NOT INDEXED", "recovery: not a statement yet"},
};
static bool used[ARRAY_LEN(deliberate)];

static bool is_one_of(const char *text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(text, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* A line such as `SCAN turns USING INDEX turns_open`. */
static bool grows(const char *line)
{
	const char *index = strstr(line, "INDEX ");

	if (strncmp(line, "USE TEMP B-TREE", 15) == 0)
		return true;
	if (strncmp(line, "SEARCH ", 7) == 0)
		return (strstr(line, "(rowid>") || strstr(line, "(rowid<")) &&
		    !is_one_of(line + 7, small, ARRAY_LEN(small));
	return strncmp(line, "SCAN ", 5) == 0 && !is_one_of(line + 5, small, ARRAY_LEN(small)) &&
	    !(index && is_one_of(index + 6, small_indexes, ARRAY_LEN(small_indexes)));
}

static bool is_deliberate(const char *sql)
{
	bool found = false;

	for (size_t i = 0; i < ARRAY_LEN(deliberate); i++)
		if (strncmp(sql, deliberate[i].sql, strlen(deliberate[i].sql)) == 0)
			found = used[i] = true;
	return found;
}

/* Checks all statements of a text. Returns how many there were. */
static size_t check(sqlite3 *db, const char *sql)
{
	char *explained = xasprintf("EXPLAIN QUERY PLAN %s", sql);
	const char *rest = "";
	sqlite3_stmt *row;
	size_t count = 1;

	if (sqlite3_prepare_v2(db, explained, -1, &row, &rest) != SQLITE_OK && !is_deliberate(sql))
		fail_msg("%s: %s", sqlite3_errmsg(db), sql);
	while (row && sqlite3_step(row) == SQLITE_ROW) {
		const char *line = (const char *)sqlite3_column_text(row, 3);

		if (grows(line) && !is_deliberate(sql))
			fail_msg("%s: %s", line, sql);
	}
	sqlite3_finalize(row);
	if (row && strlen(rest) > 1)
		count += check(db, rest);
	free(explained);
	return count;
}

static sqlite3 *open_new(struct task *t, struct fixture *p)
{
	sqlite3 *db;

	fixture_close(t, p);
	assert_int_equal(sqlite3_open(fixture_path(p, "myna.db"), &db), SQLITE_OK);
	return db;
}

static void no_statement_reads_all_of_a_table_that_grows(struct task *t, struct fixture *p)
{
	sqlite3 *db = open_new(t, p);
	size_t count = 0, size;
	char *bytes = fixture_read_program(&size);

	for (const char *at = bytes; at < bytes + size; at += strlen(at) + 1) {
		if (fixture_is_statement(at))
			count += check(db, at);
		/* Its figures would change the plans. */
		assert_false(strncmp(at, "ANALYZE", 7) == 0 || strncmp(at, "PRAGMA optimize", 15) == 0);
	}
	/* Some 250. */
	assert_true(count > 200);
	for (size_t i = 0; i < ARRAY_LEN(deliberate); i++)
		if (!used[i])
			fail_msg("no statement scans or sorts any more that begins: %s", deliberate[i].sql);
	sqlite3_close(db);
	free(bytes);
	fixture_open(t, p);
}

static void a_plan_that_scans_is_noticed(struct task *t, struct fixture *p)
{
	static const char *const plans[] = {"SCAN turns", "SCAN o", "SCAN inbox USING COVERING INDEX x",
	    "USE TEMP B-TREE FOR ORDER BY", "SEARCH turns USING INTEGER PRIMARY KEY (rowid>?)"};

	(void)t, (void)p;
	for (size_t i = 0; i < ARRAY_LEN(plans); i++)
		assert_true(grows(plans[i]));
	assert_false(grows("SCAN turns USING INDEX turns_open"));
	assert_false(grows("SEARCH turns USING INTEGER PRIMARY KEY (rowid=?)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(no_statement_reads_all_of_a_table_that_grows),
	    IN_PLACE(a_plan_that_scans_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
