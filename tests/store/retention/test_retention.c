/* How long ended conversations are kept. */
#include "store/store_fixture.h"

#include <sys/stat.h>

#include "base/time/clock.h"
#include "store/store_internal.h"

#define NOW_MS INT64_C(1760000000000)
#define DAY_MS (INT64_C(24) * 3600 * 1000)

/* Sessions of so many turns of two messages and a call, of which the last is of the chat's current
 * conversation. */
static void fill(struct fixture *p, int sessions, int turns, int text, int64_t closed_ms)
{
	char *words = xcalloc(1, (size_t)text + 1), *sql;

	memset(words, 'x', (size_t)text);
	sql = xasprintf(
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO "
	    "sessions (channel, chat, thread, created_ms, closed_ms) SELECT 'telegram', '77', '', %lld, CASE "
	    "WHEN "
	    "i = %d THEN 0 ELSE %lld END FROM n;WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
	    "n WHERE "
	    "i < %d) INSERT INTO turns (session, state, began_ms, ended_ms) SELECT s.id, 1, %lld, %lld FROM "
	    "sessions "
	    "s, n ORDER BY s.id;INSERT INTO calls (turn, call_id, started_ms) SELECT id, 'c', 1 FROM "
	    "turns;INSERT INTO "
	    "transcript (session, turn, role, is_error, bytes, created_ms, text) SELECT t.session, t.id, "
	    "r.role, 0, "
	    "%d, 1, '%s' FROM turns t, (SELECT 0 AS role UNION ALL SELECT 1) r ORDER BY t.id;%s",
	    sessions, (long long)closed_ms - 1, sessions, (long long)closed_ms, turns,
	    (long long)closed_ms - 1, (long long)closed_ms - 1, text, words,
	    p->engine.engine == STORE_SQLITE ?
		"INSERT INTO said_words (rowid, text) SELECT id, text FROM transcript" :
		"INSERT INTO said_words (id, words) SELECT id, to_tsvector('x') FROM transcript");
	fixture_do(p, sql);
	free(words);
	free(sql);
}

static void settle(struct task *t, struct fixture *p)
{
	do
		fixture_counts(t, p);
	while (p->store->conversations_running || p->store->messages_running || p->store->free_pages_running);
}

/* Lets the hour strike, and the store do what it does then. */
static void hour(struct task *t, struct fixture *p)
{
	settle(t, p);
	clock_advance(3600 * 1000);
	settle(t, p);
}

static void begin(struct task *t, struct fixture *p, int sessions, int turns, int text, int64_t closed_ms)
{
	clock_fake(NOW_MS, 1);
	fixture_close(t, p);
	fill(p, sessions, turns, text, closed_ms);
	fixture_open(t, p);
}

static void expect(struct fixture *p, int sessions, int turns, int calls, int messages)
{
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM sessions"), sessions);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM turns"), turns);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM calls"), calls);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM transcript"), messages);
	/* What is forgotten is not found. */
	assert_int_equal(fixture_number(p,
			     p->engine.engine == STORE_SQLITE ?
				 "SELECT count(*) FROM said_words WHERE said_words MATCH 'x*'" :
				 "SELECT count(*) FROM said_words"),
	    messages);
}

static void what_has_ended_is_forgotten_in_its_time(struct task *t, struct fixture *p)
{
	p->keep.conversations_ms = 90 * DAY_MS;
	begin(t, p, 10, 130, 100, NOW_MS - 89 * DAY_MS);
	hour(t, p);
	fixture_close(t, p);
	expect(p, 10, 1300, 1300, 2600);
	fixture_open(t, p);
	clock_advance(2 * DAY_MS);
	hour(t, p);
	fixture_close(t, p);
	expect(p, 1, 130, 130, 260);
	assert_int_equal(fixture_number(p, "SELECT closed_ms FROM sessions"), 0);
	fixture_open(t, p);
}

static void without_a_limit_all_is_kept(struct task *t, struct fixture *p)
{
	begin(t, p, 5, 3, 100, 1);
	hour(t, p);
	fixture_close(t, p);
	expect(p, 5, 15, 15, 30);
	fixture_open(t, p);
}

static void a_turn_that_is_open_keeps_its_conversation(struct task *t, struct fixture *p)
{
	p->keep.conversations_ms = DAY_MS;
	clock_fake(NOW_MS, 1);
	fixture_close(t, p);
	fill(p, 5, 3, 100, 1);
	fixture_do(p, "UPDATE turns SET state = 0 WHERE id = (SELECT max(id) FROM turns WHERE session = 2)");
	fixture_open(t, p);
	hour(t, p);
	fixture_close(t, p);
	expect(p, 2, 6, 6, 12);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM sessions WHERE id = 2"), 1);
	fixture_open(t, p);
}

static void beyond_the_size_the_oldest_go_early(struct task *t, struct fixture *p)
{
	p->keep.size = 4 << 20;
	/* About 8 MB. */
	begin(t, p, 80, 10, 5000, NOW_MS - DAY_MS);
	hour(t, p);
	fixture_close(t, p);
	int64_t left = fixture_number(p, "SELECT count(*) FROM sessions");
	assert_in_range(left, 20, 60);
	assert_int_equal(fixture_number(p, "SELECT min(id) FROM sessions"), 81 - left);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM transcript"), left * 20);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM sessions WHERE closed_ms = 0"), 1);
	fixture_open(t, p);
}

static void a_crash_in_the_middle_leaves_whole_turns(struct task *t, struct fixture *p)
{
	p->keep.conversations_ms = DAY_MS;
	begin(t, p, 2, 400, 100, 1);
	/* The round began with the opening; a stop drops it wherever it is. */
	fixture_counts(t, p);
	fixture_close(t, p);
	assert_int_equal(
	    fixture_number(p, "SELECT count(*) FROM turns WHERE id NOT IN (SELECT turn FROM transcript)"), 0);
	assert_int_equal(
	    fixture_number(p, "SELECT count(*) FROM transcript WHERE turn NOT IN (SELECT id FROM turns)"), 0);
	assert_int_equal(
	    fixture_number(
		p, "SELECT count(*) FROM transcript WHERE session NOT IN (SELECT id FROM sessions)"),
	    0);
	fixture_open(t, p);
	hour(t, p);
	fixture_close(t, p);
	expect(p, 1, 400, 400, 800);
	fixture_open(t, p);
}

/* MYNA_FORGET_SESSIONS conversations of 2,000 messages each: how long others wait meanwhile. */
static void nobody_waits_long_meanwhile(struct task *t, struct fixture *p)
{
	const char *many = getenv("MYNA_FORGET_SESSIONS");
	int sessions = many ? (int)strtol(many, NULL, 10) : 5;
	struct timespec from, to;
	double most = 0, all = 0;
	char event[16];
	int puts = 0;

	p->keep.conversations_ms = DAY_MS;
	begin(t, p, sessions, 1000, 1000, 1);
	for (; p->store->conversations_running; puts++) {
		snprintf(event, sizeof(event), "%d", puts);
		clock_gettime(CLOCK_MONOTONIC, &from);
		fixture_put(t, p, event, "telegram:1", "hello");
		clock_gettime(CLOCK_MONOTONIC, &to);
		double ms =
		    (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
		most = ms > most ? ms : most;
		all += ms;
	}
	print_message(
	    "%d messages forgotten in %.0f ms, while %d were received: %.1f ms each, at most %.1f ms\n",
	    (sessions - 1) * 2000, all, puts, all / (puts ? puts : 1), most);
	assert_true(puts > 1);
	fixture_close(t, p);
	expect(p, 1, 1000, 1000, 2000);
	fixture_open(t, p);
}

static int64_t file_size(const struct fixture *p)
{
	struct stat st;

	assert_int_equal(stat(fixture_path(p, "myna.db"), &st), 0);
	return st.st_size;
}

/* Forgets nearly all of 20 MB, then lets the next hour strike; returns the longest wait of a message. */
static double give_back(struct task *t, struct fixture *p)
{
	double longest = 0;
	int puts = 0;

	p->keep.conversations_ms = DAY_MS;
	begin(t, p, 20, 100, 5000, 1);
	settle(t, p);
	clock_advance(3600 * 1000);
	while (p->store->free_pages_running) {
		char event[16];
		uint64_t began = clock_measure_us();

		snprintf(event, sizeof(event), "%d", puts++);
		fixture_put(t, p, event, "telegram:1", "meanwhile");
		double ms = (double)(clock_measure_us() - began) / 1000;
		longest = ms > longest ? ms : longest;
	}
	print_message("%d messages meanwhile, of which one waited %.1f ms\n", puts, longest);
	return longest;
}

static void what_is_forgotten_gives_its_space_back(struct task *t, struct fixture *p)
{
	give_back(t, p);
	fixture_close(t, p);
	/* Of 20 conversations the current one is left. */
	assert_in_range(file_size(p), 1000000, 5000000);
	assert_int_equal(
	    fixture_number(p, "SELECT count(*) FROM pragma_integrity_check() WHERE integrity_check = 'ok'"),
	    1);
	expect(p, 1, 100, 100, 200);
	/* A second hour moves nothing: what is free now is for what comes. */
	int64_t left = file_size(p);
	fixture_open(t, p);
	hour(t, p);
	fixture_close(t, p);
	assert_int_equal(file_size(p), left);
	fixture_open(t, p);
}

static void a_database_of_an_earlier_version_keeps_its_space(struct task *t, struct fixture *p)
{
	fixture_close(t, p);
	fixture_do(p, "PRAGMA auto_vacuum = NONE; VACUUM");
	fixture_open(t, p);
	give_back(t, p);
	fixture_close(t, p);
	assert_in_range(file_size(p), 20000000, 40000000);
	fixture_open(t, p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(what_has_ended_is_forgotten_in_its_time),
	    IN_PLACE(without_a_limit_all_is_kept),
	    IN_PLACE(a_turn_that_is_open_keeps_its_conversation),
	    IN_SQLITE(beyond_the_size_the_oldest_go_early, "PostgreSQL does not tell how much is in use"),
	    IN_PLACE(a_crash_in_the_middle_leaves_whole_turns),
	    IN_PLACE(nobody_waits_long_meanwhile),
	    IN_SQLITE(what_is_forgotten_gives_its_space_back, "its file"),
	    IN_SQLITE(a_database_of_an_earlier_version_keeps_its_space, "its file"),
	};

	return fixture_run_tests("forget", tests, ARRAY_LEN(tests));
}
