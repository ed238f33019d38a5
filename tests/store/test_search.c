/* What was said is found by its words, from the moment when it was stored until it is forgotten. */
#include "store/store_fixture.h"

#include <sqlite3.h>
#include <string.h>

#include "base/time/clock.h"
#include "store/cluster.h"
#include "store/store_internal.h"
#include "store/search.h"
#include "store/search_index.h"
#include "store/turn/turns.h"

/* More than come into the index at once, several times. */
#define MANY 150

static struct store_turn begin(struct task *t, struct fixture *p, const char *where, const char *text)
{
	struct llm_message *user = llm_message_new(LLM_USER, text);
	struct address a = fixture_address(where);
	struct store_turn turn;
	struct error err;
	int64_t session;

	assert_ok(store_session(t, p->store, &a, &session, &err), err);
	assert_ok(store_turn_begin(t, p->store, session, NULL, 0, user, &turn, &err), err);
	llm_message_free(user);
	return turn;
}

/* A turn with a question and an answer, as a chat sees it. */
static void say(struct task *t, struct fixture *p, const char *where, const char *text)
{
	struct store_turn turn = begin(t, p, where, text);
	struct llm_message *reply = llm_message_new(LLM_ASSISTANT, "an answer");
	struct error err;

	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, &reply, 1, NULL, 0, &err), err);
	llm_message_free(reply);
	store_turn_clear(&turn);
}

static int found(struct task *t, struct fixture *p, const char *where, const char *words)
{
	struct address a = fixture_address(where);
	struct store_search_hit *said;
	struct error err;
	int count = store_search(t, p->store, &a, words, 0, 2 * MANY, &said, &err);

	assert_ok(count, err);
	store_search_free(said, (size_t)count);
	return count;
}

static void what_was_just_said_is_found(struct task *t, struct fixture *p)
{
	say(t, p, "telegram:1", "the first apple");
	assert_int_equal(found(t, p, "telegram:1", "apple"), 1);
	assert_int_equal(found(t, p, "telegram:1", "answer"), 1);
	say(t, p, "telegram:1", "the second apple");
	assert_int_equal(found(t, p, "telegram:1", "apple"), 2);
	assert_int_equal(found(t, p, "telegram:2", "apple"), 0);
	fixture_reopen(t, p);
	assert_int_equal(found(t, p, "telegram:1", "apple"), 2);
}

static void all_of_many_are_found_once(struct task *t, struct fixture *p)
{
	for (int i = 0; i < MANY; i++)
		say(t, p, i % 2 ? "telegram:1" : "telegram:2", "an apple");
	assert_int_equal(found(t, p, "telegram:1", "apple"), MANY / 2);
	assert_int_equal(found(t, p, "telegram:2", "answer"), MANY / 2);
	fixture_close(t, p);
	assert_int_equal(fixture_number(p,
			     p->engine.engine == STORE_SQLITE ? "SELECT count(*) FROM said_words_docsize" :
								"SELECT count(*) FROM said_words"),
	    2 * MANY);
	fixture_open(t, p);
}

/* The first search takes in what waits, however much it is. */
static void what_an_older_index_lacks_is_found(struct task *t, struct fixture *p)
{
	for (int i = 0; i < MANY; i++)
		say(t, p, "telegram:1", "an apple");
	fixture_close(t, p);
	fixture_do(p,
	    p->engine.engine == STORE_SQLITE ? "INSERT INTO said_words (said_words) VALUES ('delete-all')" :
					       "DELETE FROM said_words");
	fixture_open(t, p);
	assert_int_equal(found(t, p, "telegram:1", "apple"), MANY);
}

static void ignore_gain(void *arg, const char *unit, uint64_t held_ms)
{
	(void)arg, (void)unit, (void)held_ms;
}

static void ignore_loss(void *arg, const char *why)
{
	(void)arg, (void)why;
}

/* Its ids were taken before those that are in the index. */
static void what_one_node_says_later_than_another_is_found(struct task *t, struct fixture *p)
{
	static const struct cluster_ops ops = {.gained = ignore_gain, .lost = ignore_loss};
	struct cluster_settings settings = {.node = (char *)(uintptr_t) "anna", .lease_ms = 20000};

	say(t, p, "telegram:1", "the first apple");
	fixture_close(t, p);
	fixture_do(p, "UPDATE transcript SET id = id + 4000");
	p->cluster = &settings;
	p->node_ops = &ops;
	fixture_open(t, p);
	assert_int_equal(found(t, p, "telegram:1", "apple"), 1);
	say(t, p, "telegram:1", "the second apple");
	assert_int_equal(found(t, p, "telegram:1", "apple"), 2);
	assert_int_equal(fixture_number(p, "SELECT max(id) FROM transcript WHERE text = 'the first apple'"),
	    fixture_number(p, "SELECT max(id) - 1 FROM said_words"));
	fixture_close(t, p);
	p->cluster = NULL;
	p->node_ops = NULL;
	fixture_open(t, p);
}

/* Marks the turn dead, as too many attempts do, and has an operator drop it. */
static void drop(struct task *t, struct fixture *p, const struct store_turn *turn)
{
	struct error err;

	assert_ok(store_turn_end(t, p->store, turn, STORE_TURN_DEAD, NULL, 0, NULL, 0, &err), err);
	assert_ok(store_dead_turn_drop(t, p->store, turn->inbound[0], &err), err);
}

static void what_goes_before_it_came_into_the_index_leaves_it_sound(struct task *t, struct fixture *p)
{
	struct llm_message *user = llm_message_new(LLM_USER, "a poisoned apple");
	struct address a = fixture_address("telegram:1");
	struct message *m = fixture_message("e", "telegram:1", "x");
	struct store_turn turn[2];
	struct error err;
	int64_t session;

	for (int i = 0; i < 2; i++) {
		char event[] = {'e', (char)('0' + i), '\0'};

		m->id = fixture_put(t, p, event, "telegram:1", "x");
		assert_ok(store_session(t, p->store, &a, &session, &err), err);
		assert_ok(store_turn_begin(t, p->store, session, (const struct message *const *)&m, 1, user,
			      &turn[i], &err),
		    err);
		if (i == 1)
			assert_int_equal(found(t, p, "telegram:1", "apple"), 1);
		drop(t, p, &turn[i]);
		store_turn_clear(&turn[i]);
	}
	say(t, p, "telegram:1", "a good apple");
	assert_int_equal(found(t, p, "telegram:1", "apple"), 1);
	message_free(m);
	llm_message_free(user);
	fixture_close(t, p);
	/* Compares the index with the texts; fails the statement. */
	if (p->engine.engine == STORE_SQLITE)
		fixture_do(p, "INSERT INTO said_words (said_words, rank) VALUES ('integrity-check', 1)");
	else
		assert_int_equal(fixture_number(p, "SELECT count(*) FROM said_words"), 2);
	fixture_open(t, p);
}

static unsigned looks;

static int count_looks(unsigned kind, void *arg, void *statement, void *text)
{
	(void)kind, (void)arg, (void)statement;
	looks += strstr(text, "said_words MATCH") != NULL;
	return 0;
}

/* Words of two letters stand for themselves: half of all messages have a word that begins with "a". */
static void short_words_are_whole_words(struct task *t, struct fixture *p)
{
	say(t, p, "telegram:1", "an apple of Ann");
	assert_int_equal(found(t, p, "telegram:1", "app"), 1);
	assert_int_equal(found(t, p, "telegram:1", "of app"), 1);
	assert_int_equal(found(t, p, "telegram:1", "ap"), 0);
	assert_int_equal(found(t, p, "telegram:1", "a"), 0);
	assert_int_equal(found(t, p, "telegram:1", "\xc3\xa4"), 0);
}

/* As the index splits it. */
static void a_word_with_a_typographic_apostrophe_is_found(struct task *t, struct fixture *p)
{
	say(t, p, "telegram:1", "don\xe2\x80\x99t panic");
	assert_int_equal(found(t, p, "telegram:1", "don\xe2\x80\x99t"), 1);
	assert_int_equal(found(t, p, "telegram:1", "DON\xe2\x80\x99T panic"), 1);
	assert_int_equal(found(t, p, "telegram:1", "don\xe2\x80\x99s"), 0);
	assert_int_equal(found(t, p, "telegram:1", "\xe2\x80\x99"), 0);
	assert_int_equal(found(t, p, "telegram:1", ""), 0);
}

/* Many thousand messages of other chats are between them. */
static void what_is_far_apart_is_found(struct task *t, struct fixture *p)
{
	say(t, p, "telegram:1", "the first apple");
	say(t, p, "telegram:2", "an apple");
	for (int i = 0; i < 3; i++) {
		fixture_close(t, p);
		fixture_do(p,
		    p->engine.engine == STORE_SQLITE ?
			"UPDATE sqlite_sequence SET seq = seq + 100000 WHERE name = 'transcript'" :
			"SELECT setval('transcript_id_seq', (SELECT max(id) FROM transcript) + 100000)");
		fixture_open(t, p);
		say(t, p, "telegram:1", "another apple");
		say(t, p, "telegram:2", "an apple");
	}
	assert_int_equal(found(t, p, "telegram:1", "apple"), 4);
}

/* Hundreds of pages of words that begin alike would hold up the store. */
static void the_beginning_of_very_many_words_is_not_looked_up(struct task *t, struct fixture *p)
{
	say(t, p, "telegram:1", "aaardvark");
	say(t, p, "telegram:1", "zebra");
	fixture_close(t, p);
	fixture_do(p,
	    "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO transcript "
	    "(session, turn, role, is_error, bytes, created_ms, text) SELECT session, turn, role, is_error, "
	    "bytes, created_ms, (WITH w (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM w WHERE k < 400) SELECT "
	    "group_concat('aaa' || printf('%x', (i * 400 + k) * 7919), ' ') FROM w) FROM transcript, n WHERE "
	    "id = 1");
	fixture_open(t, p);
	assert_int_equal(found(t, p, "telegram:1", "zeb"), 1);
	assert_int_equal(found(t, p, "telegram:1", "aaard"), 1);
	assert_int_equal(found(t, p, "telegram:1", "aaardvark"), 1);
	assert_int_equal(found(t, p, "telegram:1", "aaa"), 0);
}

static int parts(const struct fixture *p)
{
	return (int)fixture_number(p, "SELECT count(DISTINCT segid) FROM said_words_idx");
}

#define TEXT_OF(x) #x
#define NUMBER(x)  TEXT_OF(x)
#define ROWS       (SEARCH_INDEX_BATCH * 40)

/* Each batch is a part of the index, and a search looks into each. */
static void the_index_is_merged_while_the_store_is_idle(struct task *t, struct fixture *p)
{
	say(t, p, "telegram:1", "an apple");
	fixture_close(t, p);
	fixture_do(p,
	    "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " NUMBER(
		ROWS) ") INSERT INTO transcript "
		      "(session, turn, role, is_error, bytes, created_ms, text) SELECT session, turn, role, "
		      "is_error, bytes, created_ms, 'apple ' || i FROM transcript, n WHERE id = 1");
	fixture_open(t, p);
	while (p->store->index_running)
		fixture_counts(t, p);
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM said_words_docsize"), 2 + ROWS);
	/* The tables are made with other settings, as older states have them. */
	assert_int_equal(fixture_number(p, "SELECT v FROM said_words_config WHERE k = 'pgsz'"), 1000);
	assert_int_equal(fixture_number(p, "SELECT v FROM said_words_config WHERE k = 'usermerge'"), 10);
	assert_in_range(parts(p), 1, 16);
	fixture_do(p, "INSERT INTO said_words (said_words, rank) VALUES ('integrity-check', 1)");
	fixture_open(t, p);
}

/* Each look merges the lists of all words that begin so, in which every chat has its part. */
static void much_said_elsewhere_takes_few_looks(struct task *t, struct fixture *p)
{
	say(t, p, "telegram:1", "an apple");
	say(t, p, "telegram:2", "an apple");
	fixture_close(t, p);
	fixture_do(p,
	    "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT INTO transcript "
	    "(session, turn, role, is_error, bytes, created_ms, text) SELECT session, turn, role, is_error, "
	    "bytes, created_ms, text FROM transcript, n WHERE id = (SELECT max(id) FROM transcript) - 1");
	fixture_open(t, p);
	assert_int_equal(found(t, p, "telegram:2", "nothing"), 0);
	sqlite3_trace_v2(p->store->db.handle, SQLITE_TRACE_STMT, count_looks, NULL);
	assert_int_equal(found(t, p, "telegram:1", "apple"), 1);
	sqlite3_trace_v2(p->store->db.handle, 0, NULL, NULL);
	assert_in_range(looks, 1, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(what_was_just_said_is_found),
	    IN_PLACE(all_of_many_are_found_once),
	    IN_PLACE(what_an_older_index_lacks_is_found),
	    IN_POSTGRES(what_one_node_says_later_than_another_is_found),
	    IN_PLACE(short_words_are_whole_words),
	    IN_PLACE(a_word_with_a_typographic_apostrophe_is_found),
	    IN_PLACE(what_is_far_apart_is_found),
	    IN_SQLITE(the_beginning_of_very_many_words_is_not_looked_up, "pages of FTS5's index"),
	    IN_SQLITE(the_index_is_merged_while_the_store_is_idle, "merges of FTS5"),
	    IN_SQLITE(much_said_elsewhere_takes_few_looks, "counts SQLite's statements"),
	    IN_PLACE(what_goes_before_it_came_into_the_index_leaves_it_sound),
	};

	return fixture_run_tests("said", tests, ARRAY_LEN(tests));
}
