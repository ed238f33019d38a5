#include "bench/growth.h"

#include <time.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "store/sqlite/db_sqlite.h"
#include "store/search_index.h"

#define WORDS         100000
#define CHAT_MESSAGES 200
#define EVENT_MS      1000

static double until_rank[WORDS]; /* the share of words up to this rank */
static uint64_t seed;

static double draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(seed >> 11) / (double)(UINT64_C(1) << 53);
}

const char *growth_word(size_t rank)
{
	static const char *const first[] = {"the", "there", "to", "and", "that"};
	static const char consonants[] = "bcdfghklmnprstvw", vowels[] = "aeiou";
	static char word[24];
	size_t len = 0;

	if (rank < ARRAY_LEN(first))
		return first[rank];
	for (size_t rest = rank; rest > 0; rest /= 80) {
		word[len++] = consonants[rest % 16];
		word[len++] = vowels[rest / 16 % 5];
	}
	word[len] = '\0';
	return word;
}

/* The frequency of a word is about the inverse of its rank. The same texts come each time. */
static void begin_words(void)
{
	double sum = 0;

	seed = 1;
	for (size_t i = 0; i < WORDS; i++)
		until_rank[i] = sum += 1 / ((double)i + 2.7);
	for (size_t i = 0; i < WORDS; i++)
		until_rank[i] /= sum;
}

static size_t draw_rank(void)
{
	size_t low = 0, high = WORDS - 1;
	double share = draw();

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (until_rank[middle] < share)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void write_text(struct buf *text, size_t number)
{
	static const size_t lengths[] = {8, 12, 15, 40, 80, 120};
	size_t count = lengths[(size_t)(draw() * ARRAY_LEN(lengths))];

	text->len = 0;
	for (size_t i = 0; i < count; i++)
		buf_addf(text, "%s ", growth_word(draw_rank()));
	/* Something that no other message has. */
	buf_addf(text, "n%zu", number);
}

static void run(struct db *db, const char *sql, const struct db_value *values, size_t count)
{
	struct error err;

	if (db_run(db, sql, values, count, &err) < 0)
		bench_die("%s", err.text);
}

static int64_t insert(struct db *db, const char *sql, const struct db_value *values, size_t count)
{
	struct error err;
	int64_t id;

	if (db_insert(db, sql, values, count, &id, &err) < 0)
		bench_die("%s", err.text);
	return id;
}

/* A message, its turn, and the answer. */
static void add_exchange(struct db *db, int64_t number, int64_t session, struct buf *text)
{
	int64_t at_ms = number * EVENT_MS, turn;
	struct db_value values[] = {db_int(number), db_int(session), db_int(at_ms), db_text(NULL), db_int(0)};

	turn = insert(db, "INSERT INTO turns (session, state, began_ms, ended_ms) VALUES (?1, 1, ?2, ?2)",
	    DB_ARGS(db_int(session), db_int(at_ms)));
	values[4] = db_int(turn);
	write_text(text, (size_t)number);
	values[3] = db_text(text->data);
	run(db,
	    "INSERT INTO inbox (account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, "
	    "sender_is_bot, addressed, sent_ms, received_ms, text, state, turn, done_ms) VALUES "
	    "('telegram:1', "
	    "'g' || ?1, 0, 'telegram', ?2, '', 0, 0, 0, 1, ?3, ?3, ?4, 2, ?5, ?3)",
	    values, 5);
	run(db,
	    "INSERT INTO transcript (session, turn, role, is_error, bytes, created_ms, text) VALUES (?2, ?5, "
	    "0, "
	    "?1 * 0, length(?4), ?3, ?4)",
	    values, 5);
	write_text(text, (size_t)number);
	values[3] = db_text(text->data);
	run(db,
	    "INSERT INTO transcript (session, turn, role, is_error, bytes, created_ms, text) VALUES (?2, ?5, "
	    "1, "
	    "?1 * 0, length(?4), ?3, ?4)",
	    values, 5);
	/* One in a hundred could not be delivered. */
	run(db,
	    "INSERT INTO outbox (kind, state, channel, chat, thread, part, parts, turn, attempts, repeat, "
	    "not_before_ms, created_ms, updated_ms, text) VALUES (0, iif(?1 % 100 = 0, 4, 2), 'telegram', "
	    "?2, "
	    "'', 1, 1, ?5, 1, 0, 0, ?3, ?3, ?4)",
	    values, 5);
}

static int64_t add_session(struct db *db, int64_t number)
{
	int64_t session = insert(db,
	    "INSERT INTO sessions (channel, chat, thread, created_ms) VALUES ('telegram', 'grown' || ?1, '', "
	    "1)",
	    DB_ARGS(db_int(number)));

	run(db, "UPDATE meta SET value = value + 1 WHERE name = 'sessions'", DB_NO_ARGS);
	return session;
}

double growth_cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* As the store's idle job does it. */
static void index_all(struct db *db, struct samples *slices)
{
	int rc = 1;

	for (bool merging = false; rc > 0; merging = rc > 0) {
		double began = growth_cpu_ms();
		struct error err;

		rc = merging ? search_index_merge(db, &err) : search_index_catch_up(db, &err);
		if (rc < 0)
			bench_die("%s", err.text);
		samples_add(slices, growth_cpu_ms() - began);
	}
}

void growth_add(const char *dir, size_t messages, struct samples *slices)
{
	char *path = xasprintf("%s/myna.db", dir);
	size_t exchanges = messages / 2, chats = messages / CHAT_MESSAGES + 1;
	int64_t *sessions = xcalloc(chats, sizeof(*sessions));
	struct buf text = BUF_INIT;
	struct db db = {0};
	struct error err;

	begin_words();
	if (db_sqlite_open(&db, dir, path, DB_LIVE, &err) != 0 ||
	    db_script(&db, "PRAGMA synchronous = OFF", &err) != 0)
		bench_die("%s", err.text);
	for (size_t i = 0; i < exchanges;) {
		if (db_begin(&db, &err) != 0)
			bench_die("%s", err.text);
		for (size_t k = 0; k < SEARCH_INDEX_BATCH / 2 && i < exchanges; k++, i++) {
			size_t chat = (size_t)(draw() * (double)chats);

			if (sessions[chat] == 0)
				sessions[chat] = add_session(&db, (int64_t)chat);
			add_exchange(&db, (int64_t)i + 1, sessions[chat], &text);
		}
		if (db_commit(&db, &err) != 0)
			bench_die("%s", err.text);
		index_all(&db, slices);
		db_checkpoint(&db, 1000);
	}
	db_close(&db);
	buf_clear(&text);
	free(sessions);
	free(path);
}
