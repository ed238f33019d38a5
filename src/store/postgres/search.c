/* Full-text search by PostgreSQL: words of messages beside them, in an index that needs no merges. */
#include <stdlib.h>

#include "base/mem.h"
#include "store/search_index.h"
#include "store/search_internal.h"
#include "store/postgres/postgres_internal.h"

#define TEXT_OF(x) #x
#define NUMBER(x)  TEXT_OF(x)

/* Maximum words of a query. */
#define WORDS_MAX "32"
/* Shorter words match whole words only, as in SQLite. */
#define PREFIX_BYTES_MIN "3"
/* The words of a message have room for one MiB in all. */
#define CHARACTERS_MAX "100000"
/* Hits of a slice: each needs its text. */
#define SLICE 50

/* What is between words in ASCII: else an address would be one word. */
#define WORDS_OF(text)                              \
	"to_tsvector('myna_words', translate(" text \
	", '!\"#$%&''()*+,-./:;<=>[\\]^_`{|}~@?', repeat(' ', 32)))"

/* The messages that are indexed, and the rows for a batch of them. */
#define IS_SAID "role < 2 AND text <> ''"
#define ADD_WHERE(condition)                                       \
	"INSERT INTO said_words (id, words) SELECT id, " WORDS_OF( \
	    "left(text, " CHARACTERS_MAX                           \
	    ")") " FROM transcript WHERE " condition               \
		 " ORDER BY id LIMIT " NUMBER(SEARCH_INDEX_BATCH) " ON CONFLICT DO NOTHING"
#define IS_LATE "id > (SELECT id - " NUMBER(LATE_IDS) " FROM newest) AND id < (SELECT id FROM newest)"

/* Ids come in the order of commits, as long as one connection writes; the others' may come later. They are
 * looked for when the rest is done: two ranges of ids, whatever the planner knows of the tables. */
static int catch_up(struct db *db, struct error *err)
{
	static const char rest[] =
	    ONLY_POSTGRES ADD_WHERE("id > (SELECT coalesce(max(id), 0) FROM said_words) AND " IS_SAID);
	static const char late[] =
	    ONLY_POSTGRES "WITH newest AS (SELECT max(id) AS id FROM said_words) " ADD_WHERE(
		"id = ANY (ARRAY(SELECT id FROM transcript WHERE " IS_LATE " AND " IS_SAID
		" EXCEPT SELECT id FROM said_words WHERE " IS_LATE " LIMIT " NUMBER(SEARCH_INDEX_BATCH) "))");
	int count = db_run(db, rest, DB_NO_ARGS, err), more;

	if (count < 0 || count == SEARCH_INDEX_BATCH || !postgres_of(db)->cluster)
		return count;
	more = db_run(db, late, DB_NO_ARGS, err);
	return more < 0 || more == SEARCH_INDEX_BATCH ? more : count;
}

static int remove_one(struct db *db, int64_t id, struct error *err)
{
	return db_run(db, ONLY_POSTGRES "DELETE FROM said_words WHERE id = ?1", DB_ARGS(db_int(id)), err) <
		0 ?
	    -1 :
	    0;
}

static int remove_turn(struct db *db, int64_t turn, struct error *err)
{
	static const char sql[] = ONLY_POSTGRES
	    "DELETE FROM said_words WHERE id IN (SELECT id FROM transcript WHERE session = (SELECT "
	    "session FROM turns WHERE id = ?1) AND turn = ?1)";

	return db_run(db, sql, DB_ARGS(db_int(turn)), err) < 0 ? -1 : 0;
}

/* Turns `of apple` into `'of' & 'apple':*`. */
static int make_match(struct search_job *j, struct db *db, struct error *err)
{
	static const char sql[] = ONLY_POSTGRES "SELECT string_agg('''' || replace(replace(lexeme, '\\', "
						"'\\\\'), '''', '''''') || '''' || CASE WHEN "
						"octet_length(lexeme) < " PREFIX_BYTES_MIN
						" THEN '' ELSE ':*' END, ' & ') FROM (SELECT lexeme FROM "
						"unnest(" WORDS_OF("?1") ") LIMIT " WORDS_MAX ") AS words";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_text(j->words)), err);
	char *match;

	if (!row || db_next(db, row, err) < 0)
		return -1;
	match = db_column_text(row, 0);
	db_end(row);
	if (match)
		buf_addstr(&j->match, match);
	free(match);
	return 0;
}

static int slice(struct search_job *j, struct db *db, struct error *err)
{
	static const char sql[] = ONLY_POSTGRES
	    "SELECT hits.id, thread, role, created_ms, ts_headline('myna_words', left(text, " CHARACTERS_MAX
	    "), "
	    "CAST(?1 AS tsquery), 'StartSel=\"\", StopSel=\"\", MaxWords=48, MinWords=24, ShortWord=0') FROM "
	    "(SELECT t.id, s.thread, t.role, t.created_ms, t.text FROM said_words AS w JOIN transcript AS t "
	    "ON t.id = w.id JOIN sessions AS s ON s.id = t.session WHERE w.words @@ CAST(?1 AS tsquery) AND "
	    "s.channel = ?2 AND s.chat = ?3 AND t.turn <> ?4 AND t.id < ?5 AND NOT EXISTS (SELECT 1 FROM "
	    "turns WHERE turns.id = t.turn AND (turns.state = 4 OR turns.hidden = 1)) ORDER BY t.id DESC "
	    "LIMIT ?6) AS hits ORDER BY hits.id DESC";
	size_t left = j->max - j->count, most = left < SLICE ? left : SLICE, seen = 0;
	struct db_row *row = db_select(db, sql,
	    DB_ARGS(db_text(j->match.data), db_text(j->chat.channel), db_text(j->chat.chat),
		db_int(j->without_turn), db_int(j->before_id), db_int((int64_t)most)),
	    err);
	int rc = row ? 1 : -1;

	while (rc > 0 && (rc = db_next(db, row, err)) > 0) {
		struct store_search_hit hit = {.where = j->chat,
		    .by_agent = db_column_int(row, 2) == 1,
		    .sent_ms = db_column_int(row, 3),
		    .text = db_column_text(row, 4)};

		if (db_column_chars(row, 1, hit.where.thread, sizeof(hit.where.thread)) != 0) {
			free(hit.text);
			db_end(row);
			return db_damaged(
			    db, err, "the thread of message %lld cannot be read", (long long)j->before_id);
		}
		j->before_id = db_column_int(row, 0);
		search_add(j, &hit);
		seen++;
	}
	return rc < 0 ? -1 : seen == most;
}

const struct search_ops search_postgres = {
    .interval = 8 * SEARCH_INDEX_BATCH,
    .catch_up = catch_up,
    .remove = remove_one,
    .remove_turn = remove_turn,
    .make_match = make_match,
    .slice = slice,
};
