/* Full-text search by FTS5. Each step is short, however large the index is: SQLite's own merges, which are
 * not, are turned off in its settings. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "store/search_index.h"
#include "store/search_internal.h"
#include "store/sqlite/db_sqlite.h"

#define TEXT_OF(x) #x
#define NUMBER(x)  TEXT_OF(x)

/* Maximum words of a query. */
#define WORDS_MAX 32
/* Shorter words match whole words only: half of all messages have a word that begins with "a", and FTS5
 * merges the lists of all of them before it gives the first. */
#define PREFIX_BYTES_MIN 3
/* The same holds for the beginning of words whose lists take more pages of the index than this. */
#define PREFIX_PAGES_MAX 16
/* Ids that one slice looks at, so that it is short when two words are common, but not together. */
#define SLICE_IDS 65536
/* Matches that it reads: most of its time, when they are of other chats. */
#define SLICE_MATCHES 100

/* The newest message in the index, which has a row for each. */
#define LAST "coalesce((SELECT max(id) FROM said_words_docsize), 0)"
/* Bytes of a page of the index. A list of messages that takes four pages has an index of them; in a shorter
 * one, and in the page that it finds, FTS5 goes from message to message. */
#define PAGE_BYTES "1000"
/* Parts of the index that become one. A merge does the list of a word in one step, and that of the commonest
 * word has nearly all messages of the merge: 104,000 at most, as long as there are not ten times as many. */
#define MERGED_AT_ONCE "10"
/* Pages that one step of a merge writes: a millisecond or two, if no list is longer. */
#define MERGE_PAGES "16"

/* What is there stays as it is until it is merged. */
static int sqlite_tune(struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO said_words (said_words, rank) SELECT * FROM (VALUES ('pgsz', " PAGE_BYTES
	    "), ('usermerge', " MERGED_AT_ONCE ")) EXCEPT SELECT k, v FROM said_words_config";

	return db_run(db, sql, DB_NO_ARGS, err) < 0 ? -1 : 0;
}

/* Tool results are not indexed. */
static int sqlite_catch_up(struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO said_words (rowid, text) SELECT id, text FROM transcript WHERE id > " LAST
	    " AND role < 2 AND text <> '' ORDER BY id LIMIT " NUMBER(SEARCH_INDEX_BATCH);

	return db_run(db, sql, DB_NO_ARGS, err);
}

static int sqlite_merge(struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO said_words (said_words, rank) VALUES ('merge', " MERGE_PAGES ")";
	int before = sqlite3_total_changes(db->handle);

	if (db_run(db, sql, DB_NO_ARGS, err) < 0)
		return -1;
	/* The command itself counts as one change. */
	return sqlite3_total_changes(db->handle) - before > 1;
}

#define REMOVE                                                                                       \
	"INSERT INTO said_words (said_words, rowid, text) SELECT 'delete', id, text FROM transcript" \
	" WHERE id <= " LAST " AND role < 2 AND text <> ''"

static int sqlite_remove(struct db *db, int64_t id, struct error *err)
{
	return db_run(db, REMOVE " AND id = ?1", DB_ARGS(db_int(id)), err) < 0 ? -1 : 0;
}

static int sqlite_remove_turn(struct db *db, int64_t turn, struct error *err)
{
	static const char sql[] =
	    REMOVE " AND session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1";

	return db_run(db, sql, DB_ARGS(db_int(turn)), err) < 0 ? -1 : 0;
}

/* Returns how many pages of the index have the words that begin with word, or -1. The index of FTS5 itself
 * has the first word of each page, doubled page numbers, and a 0 before each word. */
static int pages_of(struct db *db, const char *word, int64_t *pages, struct error *err)
{
	static const char sql[] =
	    "WITH RECURSIVE parts (part) AS (SELECT min(segid) FROM said_words_idx UNION ALL SELECT (SELECT "
	    "min(segid) FROM said_words_idx WHERE segid > part) FROM parts WHERE part IS NOT NULL) SELECT "
	    "coalesce(sum(coalesce((SELECT pgno FROM said_words_idx WHERE segid = part AND term > CAST('0' "
	    "|| ?1 || char(1114111) AS BLOB) ORDER BY term LIMIT 1), (SELECT pgno FROM said_words_idx WHERE "
	    "segid = part ORDER BY term DESC LIMIT 1)) / 2 - coalesce((SELECT pgno FROM said_words_idx WHERE "
	    "segid = part AND term <= CAST('0' || ?1 AS BLOB) ORDER BY term DESC LIMIT 1), 2) / 2), 0) FROM "
	    "parts WHERE part IS NOT NULL";

	return db_number(db, sql, DB_ARGS(db_text(word)), pages, err);
}

/* The words of a search that is being prepared. */
struct split {
	struct search_job *job;
	struct db *db;
	size_t count;
	struct error *err;
	bool failed;
};

/* Turns `of apple` into `"of" "apple"*`: all words must occur, and none is an operator. */
static int on_word(void *arg, int flags, const char *text, int len, int start, int end)
{
	struct split *s = arg;
	char *word = xstrndup(text, (size_t)len);
	int64_t pages = 0;

	(void)flags, (void)start, (void)end;
	s->failed = len >= PREFIX_BYTES_MIN && pages_of(s->db, word, &pages, s->err) < 0;
	if (!s->failed && s->count < WORDS_MAX)
		buf_addf(&s->job->match, "%s\"%s\"%s", s->count++ > 0 ? " " : "", word,
		    len < PREFIX_BYTES_MIN || pages > PREFIX_PAGES_MAX ? "" : "*");
	free(word);
	return s->failed ? SQLITE_ERROR : SQLITE_OK;
}

static fts5_api *fts5_of(struct db *db, struct error *err)
{
	struct db_row *row = db_select(db, "SELECT fts5(?1)", DB_NO_ARGS, err);
	fts5_api *api = NULL;

	if (!row)
		return NULL;
	if (sqlite3_bind_pointer(db_sqlite_statement(row), 1, &api, "fts5_api_ptr", NULL) != SQLITE_OK)
		db_sqlite_fail(db, err);
	else if (db_next(db, row, err) == 1 && !api)
		error_set(err, ERROR_OURS, "this SQLite has no full-text search");
	db_end(row);
	return api;
}

/* Splits the words as the index does, by its own tokenizer. */
static int make_match(struct search_job *j, struct db *db, struct error *err)
{
	const char *arguments[] = {"remove_diacritics", "2"};
	struct split split = {.job = j, .db = db, .err = err};
	fts5_api *api = fts5_of(db, err);
	fts5_tokenizer kind;
	Fts5Tokenizer *tokenizer = NULL;
	void *context;
	int rc;

	if (!api)
		return -1;
	rc = api->xFindTokenizer(api, "unicode61", &context, &kind);
	if (rc == SQLITE_OK)
		rc = kind.xCreate(context, arguments, ARRAY_LEN(arguments), &tokenizer);
	if (rc == SQLITE_OK)
		rc = kind.xTokenize(
		    tokenizer, &split, FTS5_TOKENIZE_QUERY, j->words, (int)strlen(j->words), on_word);
	if (tokenizer)
		kind.xDelete(tokenizer);
	if (rc != SQLITE_OK && !split.failed)
		error_set(err, ERROR_OURS, "cannot split the words: %s", sqlite3_errstr(rc));
	return rc == SQLITE_OK ? 0 : -1;
}

/* Reads a match, unless it is of another chat or was undone. */
static int take(struct search_job *j, struct db *db, int64_t id, char **snippet, struct error *err)
{
	static const char sql[] =
	    "SELECT s.thread, t.role, t.created_ms FROM transcript AS t JOIN sessions AS s ON s.id = "
	    "t.session WHERE t.id = ?1 AND s.channel = ?2 AND s.chat = ?3 AND t.turn <> ?4 AND NOT EXISTS "
	    "(SELECT 1 FROM turns WHERE turns.id = t.turn AND (turns.state = 4 OR turns.hidden = 1))";
	struct store_search_hit hit = {.where = j->chat};
	struct db_row *row = db_select(db, sql,
	    DB_ARGS(db_int(id), db_text(j->chat.channel), db_text(j->chat.chat), db_int(j->without_turn)),
	    err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) <= 0)
		return !row ? -1 : rc;
	rc = db_column_chars(row, 0, hit.where.thread, sizeof(hit.where.thread));
	hit.by_agent = db_column_int(row, 1) == 1;
	hit.sent_ms = db_column_int(row, 2);
	db_end(row);
	if (rc != 0)
		return db_damaged(db, err, "the thread of message %lld cannot be read", (long long)id);
	hit.text = *snippet; /* moved */
	*snippet = NULL;
	search_add(j, &hit);
	return 0;
}

/* Goes down to the next message of the chat, past those of others. Returns 0 when there is none. */
static int next_own(struct search_job *j, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT max((SELECT id FROM transcript WHERE session = sessions.id AND id < ?3 ORDER BY id DESC "
	    "LIMIT 1)) FROM sessions WHERE channel = ?1 AND chat = ?2";
	int64_t id = 0;

	if (db_number(db, sql, DB_ARGS(db_text(j->chat.channel), db_text(j->chat.chat), db_int(j->before_id)),
		&id, err) < 0)
		return -1;
	j->before_id = id + 1;
	return id > 0;
}

/* Reads one slice of matches, newest first. Most may be of other chats, whose texts are not read. */
static int read_slice(struct search_job *j, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT rowid, CASE WHEN EXISTS (SELECT 1 FROM transcript AS t JOIN sessions AS s ON s.id = "
	    "t.session WHERE t.id = said_words.rowid AND s.channel = ?5 AND s.chat = ?6) THEN "
	    "snippet(said_words, 0, '', '', '…', 48) END FROM said_words WHERE said_words MATCH ?1 AND rowid "
	    "< ?2 AND rowid >= ?3 ORDER BY rowid DESC LIMIT ?4";
	int64_t from = j->before_id - SLICE_IDS;
	struct db_row *row = db_select(db, sql,
	    DB_ARGS(db_text(j->match.data), db_int(j->before_id), db_int(from), db_int(SLICE_MATCHES),
		db_text(j->chat.channel), db_text(j->chat.chat)),
	    err);
	int seen = 0, rc = row ? 1 : -1;

	while (rc > 0 && j->count < j->max && (rc = db_next(db, row, err)) > 0) {
		char *snippet = db_column_text(row, 1);

		j->before_id = db_column_int(row, 0);
		seen++;
		rc = snippet && take(j, db, j->before_id, &snippet, err) < 0 ? -1 : 1;
		free(snippet);
	}
	if (row && rc != 0)
		db_end(row);
	if (rc == 0 && seen < SLICE_MATCHES)
		j->before_id = from;
	return rc < 0 ? -1 : 0;
}

static int slice(struct search_job *j, struct db *db, struct error *err)
{
	int rc = next_own(j, db, err);

	return rc <= 0 ? rc : read_slice(j, db, err) != 0 ? -1 : 1;
}

const struct search_ops search_sqlite = {
    .interval = SEARCH_INDEX_BATCH,
    .tune = sqlite_tune,
    .catch_up = sqlite_catch_up,
    .remove = sqlite_remove,
    .remove_turn = sqlite_remove_turn,
    .merge = sqlite_merge,
    .make_match = make_match,
    .slice = slice,
};
