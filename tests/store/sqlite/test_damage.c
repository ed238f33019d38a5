#include "store/store_fixture.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/message.h"
#include "lib/sample.h"
#include "store/chats.h"
#include "store/db.h"
#include "store/schema.h"
#include "store/sqlite/check.h"
#include "store/sqlite/db_sqlite.h"
#include "store/sqlite/page.h"
#include "store/store_internal.h"
#include "store/turn/turns.h"

#define LOG_PAGES 200
#define PAGE      4096
#define ROWS      150

/* A database with something in every table, as a stop without goodbye leaves it. */
struct sample {
	char *files[2]; /* myna.db, myna.db-wal */
	size_t sizes[2];
};

static const char *const sample_names[2] = {"myna.db", "myna.db-wal"};

static void fill_conversation(struct task *t, struct fixture *p)
{
	struct address where = fixture_address("telegram:1");
	struct llm_message *user = llm_message_new(LLM_USER, "a question"),
			   *said = llm_message_new(LLM_ASSISTANT, "");
	struct message *m = fixture_message("0", "telegram:1", "a question");
	const char *const calls[] = {"c1"};
	struct store_turn turn;
	struct error err;
	int64_t session;

	llm_message_add_call(said, "c1", "shell", "{}");
	m->id = 1;
	assert_ok(store_session(t, p->store, &where, &session, &err), err);
	assert_ok(
	    store_turn_begin(t, p->store, session, (const struct message *const *)&m, 1, user, &turn, &err),
	    err);
	assert_ok(store_turn_append(t, p->store, &turn, &said, 1, &err), err);
	assert_ok(store_calls_start(t, p->store, &turn, calls, 1, &err), err);
	store_turn_clear(&turn);
	llm_message_free(user);
	llm_message_free(said);
	message_free(m);
}

static void fill(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	const struct journal_cursor cursor = {"telegram:123456", "offset", "9"};
	char event[16], from[32], text[9000];
	struct error err;

	memset(text, 'x', sizeof(text));
	for (int i = 0; i < ROWS; i++) {
		snprintf(event, sizeof(event), "%d", i);
		snprintf(from, sizeof(from), "telegram:%d", i % 10);
		text[i % 20 == 0 ? sizeof(text) - 1 : 60] = '\0';
		fixture_put(t, p, event, from, text);
		fixture_send(t, p, from, text, i % 2 ? event : NULL);
		text[60] = text[sizeof(text) - 1] = 'x';
	}
	assert_ok(j.ops->put_inbound(t, j.self, NULL, 0, &cursor, &err), err);
	fill_conversation(t, p);
}

static void read_file(const char *path, char **data, size_t *size)
{
	FILE *f = fopen(path, "rb");
	struct stat st;

	*data = NULL;
	*size = 0;
	if (!f)
		return;
	assert_int_equal(fstat(fileno(f), &st), 0);
	*size = (size_t)st.st_size;
	*data = xmalloc(*size + 1);
	assert_int_equal(fread(*data, 1, *size, f), *size);
	fclose(f);
}

static void write_file(const char *path, const char *data, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static void take_sample(const struct fixture *p, struct sample *s)
{
	for (int i = 0; i < 2; i++)
		read_file(fixture_path(p, sample_names[i]), &s->files[i], &s->sizes[i]);
}

static void put_sample(const struct fixture *p, const struct sample *s)
{
	for (int i = 0; i < 2; i++)
		if (s->files[i])
			write_file(fixture_path(p, sample_names[i]), s->files[i], s->sizes[i]);
}

static void free_sample(struct sample *s)
{
	for (int i = 0; i < 2; i++)
		free(s->files[i]);
}

static int made; /* rows of the sample */

/* What came before stands in the file. */
static void fill_log(struct task *t, struct fixture *p)
{
	char event[32];

	fixture_reopen(t, p);
	for (; p->store->db.wal_pages < LOG_PAGES; made++) {
		snprintf(event, sizeof(event), "more %d", made);
		fixture_put(t, p, event, "telegram:1", "more");
	}
}

/* with_log: what was committed last stands in the log; else all stands in the file. The store is closed
 * after it. */
static void make_sample(struct task *t, struct fixture *p, struct sample *s, bool with_log)
{
	fill(t, p);
	made = ROWS;
	if (with_log) {
		fill_log(t, p);
		take_sample(p, s);
		fixture_close(t, p);
		return;
	}
	fixture_close(t, p);
	fixture_do(p, "UPDATE meta SET value = 1 WHERE name = 'running'");
	take_sample(p, s);
}

static uint32_t seed;

static uint32_t below(size_t bound)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)(seed >> 8) * bound) >> 24);
}

static void scribble(char *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		at[i] = (char)below(256);
}

static void flip_bytes(char *data, size_t *size)
{
	for (uint32_t n = 1 + below(30); n > 0; n--)
		data[below(*size)] ^= (char)(1 + below(255));
}

static void cut_off(char *data, size_t *size)
{
	(void)data;
	*size = below(*size);
}

static void cut_at_a_page(char *data, size_t *size)
{
	(void)data;
	*size = below(*size / PAGE) * (size_t)PAGE;
}

static void zero_a_page(char *data, size_t *size)
{
	memset(data + below(*size / PAGE) * (size_t)PAGE, 0, PAGE);
}

static void scribble_a_page(char *data, size_t *size)
{
	scribble(data + below(*size / PAGE) * (size_t)PAGE, PAGE);
}

static void scribble_the_header(char *data, size_t *size)
{
	(void)size;
	scribble(data, 1 + below(200));
}

static void flip_in_the_header(char *data, size_t *size)
{
	(void)size;
	data[below(100)] ^= (char)(1 + below(255));
}

static void copy_a_page(char *data, size_t *size)
{
	size_t pages = *size / PAGE;

	memmove(data + below(pages) * (size_t)PAGE, data + below(pages) * (size_t)PAGE, PAGE);
}

static void (*const damages[])(char *data, size_t *size) = {
    flip_bytes,
    cut_off,
    cut_at_a_page,
    zero_a_page,
    scribble_a_page,
    scribble_the_header,
    flip_in_the_header,
    copy_a_page,
};

/* Anything may fail, but with a sentence. Returns whether all of it worked. */
static bool use(struct task *t, struct fixture *p, const char *event, struct error *why)
{
	struct journal j = store_journal(p->store);
	struct address where = fixture_address("telegram:1"), *addresses = NULL;
	struct journal_queue queue = {"telegram", "1"}, *queues = NULL;
	struct message *m = fixture_message(event, "telegram:1", "after"), *found[ROWS];
	struct outbound *row = outbound_new(&where, OUTBOUND_REPLY, "after"), *rows[ROWS];
	struct store_counts counts;
	struct llm_history h;
	struct store_turn turn = {0};
	struct error err = {0};
	int64_t session = 0;
	int n, bad = 0;

	llm_history_init(&h);
	bad += j.ops->put_inbound(t, j.self, &m, 1, NULL, &err) < 0;
	bad += j.ops->put_outbound(t, j.self, &row, 1, &err) < 0;
	bad += (n = j.ops->list_inbound(t, j.self, &where, 0, found, ROWS, &err)) < 0;
	while (n > 0)
		message_free(found[--n]);
	bad += (n = j.ops->list_outbound(t, j.self, &queue, 0, rows, ROWS, &err)) < 0;
	while (n > 0)
		outbound_free(rows[--n]);
	bad += j.ops->pending_addresses(t, j.self, &addresses, &err) < 0;
	bad += j.ops->pending_queues(t, j.self, &queues, &err) < 0;
	bad += store_session(t, p->store, &where, &session, &err) < 0;
	bad += store_history(t, p->store, session, 100000, &h, &err) < 0;
	bad += store_turn_resume(t, p->store, &where, &turn, &err) < 0;
	bad += store_count(t, p->store, &counts, &err) < 0;
	if (bad > 0)
		assert_non_null(strstr(err.text, "damaged"));
	*why = err;
	free(addresses);
	free(queues);
	llm_history_clear(&h);
	store_turn_clear(&turn);
	message_free(m);
	outbound_free(row);
	return bad == 0;
}

struct tally {
	unsigned opened, saved, later, told;
	int64_t rows;
};

static void survive(struct task *t, struct fixture *p, uint32_t number, struct tally *tally)
{
	struct error err;
	char event[16];
	bool saved;
	int64_t rows;

	snprintf(event, sizeof(event), "after %u", number);
	if (fixture_try(t, p, &err) != 0)
		fail_msg("damage %u: %s", number, err.text);
	saved = strstr(p->notices.data, "was damaged and renamed");
	tally->saved += saved;
	tally->opened += !saved;
	tally->told += strstr(p->notices.data, "The log of the database was damaged") != NULL;
	if (!use(t, p, event, &err)) {
		tally->later++;
		fixture_reopen(t, p);
		if (!use(t, p, event, &err))
			fail_msg("damage %u: still not usable: %s", number, err.text);
	}
	fixture_reopen(t, p);
	assert_true(use(t, p, event, &err));
	fixture_close(t, p);
	if (fixture_number(p, "SELECT count(*) FROM pragma_integrity_check() WHERE integrity_check = 'ok'") !=
	    1)
		fail_msg("damage %u: the new database is not sound", number);
	rows = fixture_number(p, "SELECT count(*) FROM inbox WHERE text <> 'after'");
	tally->rows += rows;
	/* What is cut off leaves no trace. */
	if (rows < made - 1 && p->notices.len == 0 && damages[number % ARRAY_LEN(damages)] != cut_off &&
	    damages[number % ARRAY_LEN(damages)] != cut_at_a_page)
		fail_msg(
		    "damage %u: %lld rows are lost, and nobody was told", number, (long long)(made - rows));
}

static void survive_damages(struct task *t, struct fixture *p, bool with_log)
{
	/* No divisor of the number of kinds, so that each comes. */
	const uint32_t step = (uint32_t)sample_step(1, 3);
	struct tally tally = {0};
	struct sample sample, copy;
	unsigned count = 0;

	make_sample(t, p, &sample, with_log);
	for (uint32_t number = 1; number <= 120; number += step, count++) {
		struct fixture fresh;
		int hit = with_log && sample.files[1];

		seed = number;
		fixture_make(&fresh);
		put_sample(&fresh, &sample);
		take_sample(&fresh, &copy);
		damages[number % ARRAY_LEN(damages)](copy.files[hit], &copy.sizes[hit]);
		put_sample(&fresh, &copy);
		free_sample(&copy);
		survive(t, &fresh, number, &tally);
		fixture_remove(&fresh);
	}
	print_message("           %u opened, %u saved, %u damages of the log told, %u noticed later; %.1f %% "
		      "of rows left\n",
	    tally.opened, tally.saved, tally.told, tally.later, (double)tally.rows * 100 / (made * count));
	/* A damage of the log loses nothing of the file. */
	assert_true(tally.rows >= (with_log ? ROWS * count : made * count * 80 / 120));
	assert_true((with_log ? tally.told * 6 : tally.saved * 2) > count);
	free_sample(&sample);
	fixture_open(t, p);
}

static void any_damage_of_the_file_is_survived(struct task *t, struct fixture *p)
{
	survive_damages(t, p, false);
}

static void any_damage_of_the_log_is_survived(struct task *t, struct fixture *p)
{
	survive_damages(t, p, true);
}

/* The page on which text stands first. */
static size_t page_with(const struct sample *s, const char *text)
{
	const char *at = memmem(s->files[0], s->sizes[0], text, strlen(text));

	assert_non_null(at);
	return (size_t)(at - s->files[0]) / PAGE;
}

static int64_t saved_rows(const struct fixture *p)
{
	const char *at = strstr(p->notices.data, ": ");
	long long rows = -1;

	assert_non_null(strstr(p->notices.data, "The database was damaged and renamed to "));
	while (at && sscanf(at, ": %lld rows were recovered", &rows) != 1)
		at = strstr(at + 1, ": ");
	return rows;
}

/* All rows but those of meta and the counters that SQLite keeps. */
static int64_t all_rows(const struct fixture *p)
{
	return fixture_number(p,
	    "SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM outbox) + (SELECT count(*) FROM "
	    "cursors) + (SELECT count(*) FROM sessions) + (SELECT count(*) FROM turns) + (SELECT count(*) "
	    "FROM calls) + (SELECT count(*) FROM transcript)");
}

static void a_lost_header_loses_no_row(struct task *t, struct fixture *p)
{
	struct sample sample;
	int64_t rows;
	char *aside;
	size_t size;

	make_sample(t, p, &sample, false);
	rows = all_rows(p);
	memset(sample.files[0], '?', PAGE);
	put_sample(p, &sample);
	fixture_open(t, p);
	assert_int_equal(saved_rows(p), rows);
	assert_int_equal(fixture_counts(t, p).sessions, 1);
	assert_int_equal(fixture_files(p, "myna.db.salvage"), 0);
	assert_int_equal(fixture_put(t, p, "3", "telegram:3", "known"), 0);
	assert_true(fixture_put(t, p, "new", "telegram:3", "new") > 1000);
	fixture_close(t, p);
	assert_int_equal(all_rows(p), rows + 1);

	/* The renamed file is unchanged. */
	aside = xstrdup(strstr(p->notices.data, "renamed to ") + 11);
	*strchr(aside, ':') = '\0';
	free(sample.files[1]);
	read_file(aside, &sample.files[1], &size);
	assert_int_equal(size, sample.sizes[0]);
	assert_memory_equal(sample.files[1], sample.files[0], size);
	free(aside);
	free_sample(&sample);
	fixture_open(t, p);
}

/* Made by a version that never gave free pages back: its tables are on other pages. */
static void an_older_file_loses_no_row_with_its_header(struct task *t, struct fixture *p)
{
	struct db db = {0};
	struct error err;

	fixture_close(t, p);
	unlink(fixture_path(p, "myna.db"));
	fixture_do(p, "PRAGMA journal_mode = WAL");
	assert_ok(db_sqlite_open(&db, p->dir, fixture_path(p, "myna.db"), DB_LIVE, &err), err);
	assert_ok(schema_migrate(&db, &(struct schema){schema_current.steps, 1}, &err), err);
	db_close(&db);
	fixture_open(t, p);
	a_lost_header_loses_no_row(t, p);
	fixture_close(t, p);
	/* From now on it gives them back. */
	assert_int_equal(fixture_number(p, "PRAGMA auto_vacuum"), 2);
	fixture_open(t, p);
}

/* Where SQLite's own check compares nothing in it (3.46), the first entry would be refused. */
static void an_empty_index_of_another_kind_is_found_after_a_refusal(struct task *t, struct fixture *p)
{
	struct sample sample;
	int64_t page, rows;

	make_sample(t, p, &sample, false);
	put_sample(p, &sample);
	rows = all_rows(p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM plans"), 0);
	page = fixture_number(p, "SELECT rootpage FROM sqlite_schema WHERE name = 'plans_late'") - 1;
	assert_int_equal(sample.files[0][page * PAGE], 10);
	sample.files[0][page * PAGE] = 13;
	put_sample(p, &sample);
	write_file(fixture_path(p, "myna.db.suspect"), "", 0);
	fixture_open(t, p);
	assert_int_equal(saved_rows(p), rows);
	free_sample(&sample);
}

static void a_lost_page_loses_the_rows_on_it(struct task *t, struct fixture *p)
{
	struct sample sample;
	int64_t rows;

	fixture_put(t, p, "needle", "telegram:5", "the needle in the hay");
	make_sample(t, p, &sample, false);
	rows = all_rows(p);
	memset(sample.files[0] + page_with(&sample, "the needle in the hay") * PAGE, 0, PAGE);
	put_sample(p, &sample);
	fixture_open(t, p);
	assert_true(saved_rows(p) >= rows - 40);
	assert_true(saved_rows(p) < rows);
	assert_non_null(strstr(p->notices.data, " 1 rows or places could not be read"));
	fixture_close(t, p);
	assert_int_equal(all_rows(p), saved_rows(p));
	free_sample(&sample);
	fixture_open(t, p);
}

/* An id that the store never gave: what comes behind it is not looked for one id after another. */
static void an_impossible_id_ends_its_table(struct task *t, struct fixture *p)
{
	struct sample sample;
	int64_t rows;

	make_sample(t, p, &sample, false);
	put_sample(p, &sample);
	free_sample(&sample);
	rows = all_rows(p);
	fixture_do(p,
	    "INSERT INTO cursors (id, account, name, value, updated_ms) VALUES (1 + (1 << 53), 'a', "
	    "'n', '1', 0), (9223372036854775807, 'a', 'm', '1', 0)");
	take_sample(p, &sample);
	memset(sample.files[0], '?', PAGE);
	put_sample(p, &sample);
	fixture_open(t, p);
	assert_int_equal(saved_rows(p), rows);
	assert_non_null(strstr(p->notices.data, " 1 rows or places could not be read"));
	free_sample(&sample);
}

/* A page of some rows between many damaged ones. */
static void sound_rows_between_damages_are_saved(struct task *t, struct fixture *p)
{
	struct sample sample;
	size_t pages[600];
	char needle[32];
	int64_t rows;

	make_sample(t, p, &sample, false);
	put_sample(p, &sample);
	free_sample(&sample);
	fixture_do(p,
	    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 599) INSERT INTO inbox "
	    "(account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, sender_is_bot, "
	    "addressed, sent_ms, received_ms, text, state) SELECT 'a', 'e' || i, 0, 'c', 'd', '', 0, 0, 0, "
	    "1, 1, 1, printf('needle %d;%300c', i, 'x'), 2 FROM n");
	rows = all_rows(p);
	take_sample(p, &sample);
	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		snprintf(needle, sizeof(needle), "needle %zu;", i);
		pages[i] = page_with(&sample, needle);
	}
	/* The first of these pages has other rows, too. */
	for (size_t i = 30; i < ARRAY_LEN(pages); i++) {
		if (pages[i] == pages[29] || pages[i] == pages[150])
			continue;
		memset(sample.files[0] + pages[i] * PAGE, 0, PAGE);
		rows--;
	}
	put_sample(p, &sample);
	fixture_open(t, p);
	assert_int_equal(saved_rows(p), rows);
	assert_non_null(strstr(p->notices.data, " 2 rows or places could not be read"));
	free_sample(&sample);
}

/* The template's root is an interior page with one child, the third page. */
static void a_file_that_was_cut_off_counts_the_pages_that_it_is_lent(struct task *t, struct fixture *p)
{
	char from[3 * PAGE] = "", *path = xstrdup(fixture_path(p, "from")), *data;
	struct error err;
	size_t size;

	(void)t;
	from[100] = 5;
	from[111] = 3;
	write_file(path, from, sizeof(from));
	for (size_t pages = 0; pages < 5; pages++) {
		char to[4 * PAGE] = "";

		write_file(fixture_path(p, "to"), to, pages * PAGE);
		assert_ok(recover_copy_pages(path, fixture_path(p, "to"), &err), err);
		read_file(fixture_path(p, "to"), &data, &size);
		assert_int_equal(size, (pages < 3 ? 3 : pages) * PAGE);
		assert_int_equal(data[31], size / PAGE);
		free(data);
	}
	from[100] = 13;
	write_file(path, from, sizeof(from));
	write_file(fixture_path(p, "to"), from, 0);
	assert_ok(recover_copy_pages(path, fixture_path(p, "to"), &err), err);
	read_file(fixture_path(p, "to"), &data, &size);
	assert_int_equal(size, PAGE);
	assert_int_equal(data[31], 1);
	free(data);
	unlink(path);
	unlink(fixture_path(p, "to"));
	free(path);
}

static void damage_met_later_is_told_once_and_mended_at_the_next_start(struct task *t, struct fixture *p)
{
	struct journal j;
	struct address from = fixture_address("telegram:1");
	struct message *found[ROWS];
	struct sample sample;
	struct error err;

	fixture_put(t, p, "needle", "telegram:1", "the needle in the hay");
	fill(t, p);
	fixture_close(t, p);
	take_sample(p, &sample);
	memset(sample.files[0] + page_with(&sample, "the needle in the hay") * PAGE, 0x55, PAGE);
	put_sample(p, &sample);
	fixture_open(t, p);
	j = store_journal(p->store);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(j.ops->list_inbound(t, j.self, &from, 0, found, ROWS, &err), -1);
		assert_int_equal(err.kind, ERROR_OURS);
		assert_non_null(strstr(err.text, "is damaged"));
		assert_non_null(strstr(err.text, "restart"));
	}
	assert_non_null(strstr(p->notices.data, "is damaged. Restart"));
	assert_null(strchr(strchr(p->notices.data, '\n') + 1, '\n'));
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 0);
	fixture_reopen(t, p);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 1);
	assert_int_equal(fixture_files(p, "myna.db.suspect"), 0);
	assert_true(use(t, p, "after", &err));
	free_sample(&sample);
}

static void a_statement_that_fails_is_told_and_the_next_start_looks(struct task *t, struct fixture *p)
{
	struct address where = fixture_address("telegram:1");
	struct error err;
	char *name;

	fixture_put(t, p, "a", "telegram:1", "hello");
	fixture_close(t, p);
	fixture_do(p, "ALTER TABLE chats RENAME COLUMN model TO modal");
	fixture_open(t, p);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(store_chat_model(t, p->store, &where, &name, &err), -1);
		assert_non_null(strstr(err.text, "no such column"));
		assert_null(strstr(err.text, "is damaged"));
	}
	assert_false(fixture_counts(t, p).is_damaged);
	assert_non_null(strstr(p->notices.data, "may be damaged. Restart"));
	assert_null(strchr(strchr(p->notices.data, '\n') + 1, '\n'));
	fixture_close(t, p);
	fixture_do(p, "ALTER TABLE chats RENAME COLUMN modal TO model");
	fixture_open(t, p);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 0);
	assert_int_equal(fixture_files(p, "myna.db.suspect"), 0);
	assert_ok(store_chat_model(t, p->store, &where, &name, &err), err);
}

static void overwrite(struct sample *s, const char *old, const char *new)
{
	char *at = memmem(s->files[0], s->sizes[0], old, strlen(old));

	assert_non_null(at);
	memcpy(at, new, strlen(new));
}

/* Of these SQLite says only that a statement failed. */
static void damage_that_only_fails_statements_is_found_by_the_check(struct task *t, struct fixture *p)
{
	struct sample sample;
	int64_t rows;

	make_sample(t, p, &sample, false);
	rows = all_rows(p);
	for (int i = 0; i < 2; i++) {
		char *sound = xmalloc(sample.sizes[0]);

		memcpy(sound, sample.files[0], sample.sizes[0]);
		if (i == 0) {
			/* The table meta has another name. */
			overwrite(&sample, "tablemetameta", "tablemetemete");
			overwrite(&sample, "CREATE TABLE meta", "CREATE TABLE mete");
		} else {
			/* The number of the format, big-endian. */
			sample.files[0][47] = 9;
		}
		put_sample(p, &sample);
		fixture_open(t, p);
		assert_int_equal(saved_rows(p), rows);
		fixture_close(t, p);
		buf_reset(&p->notices);
		free(sample.files[0]);
		sample.files[0] = sound;
	}
	free_sample(&sample);
	fixture_open(t, p);
}

static void wait_for_notice(struct task *t, struct fixture *p)
{
	for (int i = 0; i < 2000 && p->notices.len == 0; i++)
		fixture_counts(t, p);
}

static void a_large_database_is_checked_in_slices_afterwards(struct task *t, struct fixture *p)
{
	struct error err;
	struct sample sample;

	p->check_now_bytes = 1;
	make_sample(t, p, &sample, false);
	fixture_open(t, p);
	fixture_put(t, p, "sound", "telegram:1", "no notice");
	for (int i = 0; i < 200; i++)
		fixture_counts(t, p);
	assert_string_equal(p->notices.data, "");
	fixture_close(t, p);

	/* Where long texts go on, which no call here reads: each such page begins with the number of the
	 * next. */
	for (size_t page = 2; page * PAGE < sample.sizes[0]; page++)
		if (sample.files[0][page * PAGE + 4] == 'x' && sample.files[0][page * PAGE + 2000] == 'x')
			memset(sample.files[0] + page * PAGE, 0xff, 4);
	put_sample(p, &sample);
	fixture_open(t, p);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 0);
	wait_for_notice(t, p);
	assert_non_null(strstr(p->notices.data, "is damaged. Restart"));
	fixture_reopen(t, p);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 1);
	assert_true(use(t, p, "after", &err));
	free_sample(&sample);
}

static int note_table(
    void *read, int action, const char *table, const char *column, const char *database, const char *trigger)
{
	(void)column, (void)database, (void)trigger;
	if (action == SQLITE_READ)
		buf_addf(read, "'%s',", table);
	return SQLITE_OK;
}

/* But that of the search, which is made from another one. */
static void the_slices_have_all_tables(struct task *t, struct fixture *p)
{
	static const char left[] =
	    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%%' AND name "
	    "NOT LIKE 'said_words%%' AND name NOT IN (%s'')";
	struct buf read = BUF_INIT;
	struct db db = {0};
	struct error err;
	struct job *job;
	char *sql;
	int rc;

	fixture_close(t, p);
	assert_ok(db_sqlite_open(&db, p->dir, fixture_path(p, "myna.db"), DB_EVIDENCE, &err), err);
	sqlite3_set_authorizer(db.handle, note_table, &read);
	job = check_slices();
	while ((rc = job->run(job, &db, &err)) > 0)
		;
	assert_ok(rc, err);
	job_free(job);
	db_close(&db);
	sql = xasprintf(left, read.data);
	assert_int_equal(fixture_number(p, sql), 0);
	free(sql);
	buf_clear(&read);
	fixture_open(t, p);
}

static void a_file_that_is_no_database_is_set_aside(struct task *t, struct fixture *p)
{
	struct error err;
	static const char text[] = "this was never a database\n";

	fixture_close(t, p);
	write_file(fixture_path(p, "myna.db"), text, sizeof(text));
	fixture_open(t, p);
	assert_int_equal(saved_rows(p), 0);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 1);
	assert_true(use(t, p, "after", &err));
	fixture_close(t, p);
	write_file(fixture_path(p, "myna.db"), "", 0);
	fixture_open(t, p);
	assert_non_null(strstr(p->notices.data, "was empty"));
}

/* What each instant of a salvage leaves. */
static void a_salvage_that_was_cut_off_is_completed_or_begun_again(struct task *t, struct fixture *p)
{
	struct sample sample;
	char *whole;
	size_t size;

	fixture_put(t, p, "a", "telegram:1", "saved");
	fixture_close(t, p);
	read_file(fixture_path(p, "myna.db"), &whole, &size);
	fixture_open(t, p);
	make_sample(t, p, &sample, true);

	/* Not complete yet: the damaged one is still in its fixture. */
	put_sample(p, &sample);
	write_file(fixture_path(p, "myna.db.salvage"), whole, size / 2);
	fixture_open(t, p);
	assert_int_equal(fixture_files(p, "myna.db.salvage"), 0);
	assert_int_equal(fixture_counts(t, p).inbox_pending, made);
	fixture_close(t, p);

	/* Complete; the damaged one was renamed, its log was not. */
	unlink(fixture_path(p, "myna.db"));
	write_file(fixture_path(p, "myna.db-wal"), sample.files[1], sample.sizes[1]);
	write_file(fixture_path(p, "myna.db.salvage"), whole, size);
	fixture_open(t, p);
	assert_int_equal(fixture_files(p, "myna.db.salvage"), 0);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 1);
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "1");
	free(whole);
	free_sample(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(any_damage_of_the_file_is_survived),
	    IN_PLACE(any_damage_of_the_log_is_survived),
	    IN_PLACE(a_lost_header_loses_no_row),
	    IN_PLACE(an_older_file_loses_no_row_with_its_header),
	    IN_PLACE(an_empty_index_of_another_kind_is_found_after_a_refusal),
	    IN_PLACE(a_lost_page_loses_the_rows_on_it),
	    IN_PLACE(an_impossible_id_ends_its_table),
	    IN_PLACE(sound_rows_between_damages_are_saved),
	    IN_PLACE(a_file_that_was_cut_off_counts_the_pages_that_it_is_lent),
	    IN_PLACE(damage_met_later_is_told_once_and_mended_at_the_next_start),
	    IN_PLACE(a_large_database_is_checked_in_slices_afterwards),
	    IN_PLACE(the_slices_have_all_tables),
	    IN_PLACE(a_statement_that_fails_is_told_and_the_next_start_looks),
	    IN_PLACE(damage_that_only_fails_statements_is_found_by_the_check),
	    IN_PLACE(a_file_that_is_no_database_is_set_aside),
	    IN_PLACE(a_salvage_that_was_cut_off_is_completed_or_begun_again),
	};

	return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
