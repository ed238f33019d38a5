#include "store/search.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "store/store_internal.h"

/* Maximum words of a query. */
#define WORDS_MAX 32
/* Shorter words match whole words only: half of all messages have a word that begins with "a", and FTS5
 * merges the lists of all of them before it gives the first. */
#define PREFIX_BYTES_MIN 3
/* Matches that one slice looks at: the first, and the most. */
#define SLICE_FIRST STORE_SLICE
#define SLICE_MAX   (512 * STORE_SLICE)

/* Messages indexed at a time. FTS5 writes a part of its index for each change, and that of many costs little
 * more than that of one. */
#define BATCH 64
/* The newest message in the index, which has a row for each. */
#define LAST "coalesce((SELECT max(id) FROM said_words_docsize), 0)"

/* Indexes the next messages, at most BATCH. Returns how many, or -1. Tool results are not indexed. */
static int catch_up(struct db *db, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO said_words (rowid, text) SELECT id, text FROM transcript WHERE id > " LAST
	    " AND role < 2 AND text <> '' ORDER BY id LIMIT ?1";

	return db_run(db, sql, DB_ARGS(db_int(BATCH)), err);
}

int search_index_add(struct db *db, int64_t id, struct error *err)
{
	return id % BATCH == 0 && catch_up(db, err) < 0 ? -1 : 0;
}

#define REMOVE                                                                                       \
	"INSERT INTO said_words (said_words, rowid, text) SELECT 'delete', id, text FROM transcript" \
	" WHERE id <= " LAST " AND role < 2 AND text <> ''"

int search_index_remove(struct db *db, int64_t id, struct error *err)
{
	return db_run(db, REMOVE " AND id = ?1", DB_ARGS(db_int(id)), err) < 0 ? -1 : 0;
}

int search_index_remove_turn(struct db *db, int64_t turn, struct error *err)
{
	static const char sql[] =
	    REMOVE " AND session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1";

	return db_run(db, sql, DB_ARGS(db_int(turn)), err) < 0 ? -1 : 0;
}

struct index_job {
	struct job job;
	struct address chat;
	char *match; /* an FTS5 query; NULL: no word to search for */
	int64_t without_turn, before_id;
	bool caught_up;
	int slice;
	size_t max;
	struct store_search_hit *found;
	size_t count;
};

void store_search_free(struct store_search_hit *said, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(said[i].text);
	free(said);
}

static void index_free(struct job *job)
{
	struct index_job *j = (struct index_job *)job;

	store_search_free(j->found, j->count);
	free(j->match);
	free(j);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Turns `of apple` into `"of" "apple"*`: all words must occur, and none is an operator. */
static char *match_of(const char *words)
{
	struct buf out = BUF_INIT;
	size_t count = 0;

	while (*words && count < WORDS_MAX) {
		size_t len = 0;
		while (is_word(words[len]))
			len++;
		if (len > 0) {
			buf_addf(&out, "%s\"%.*s\"%s", count > 0 ? " " : "", (int)len, words,
			    len < PREFIX_BYTES_MIN ? "" : "*");
			count++;
		}
		words += len + (words[len] != '\0' && len == 0);
	}
	if (count > 0)
		return buf_take(&out);
	buf_clear(&out);
	return NULL;
}

/* Reads a match, unless it is of another chat or was undone. */
static int take(struct index_job *j, struct db *db, int64_t id, char **snippet, struct error *err)
{
	static const char sql[] =
	    "SELECT s.thread, t.role, t.created_ms FROM transcript AS t JOIN sessions AS s ON s.id = "
	    "t.session WHERE t.id = ?1 AND s.channel = ?2 AND s.chat = ?3 AND t.turn <> ?4 AND NOT EXISTS "
	    "(SELECT 1 FROM turns WHERE turns.id = t.turn AND (turns.state = 4 OR turns.hidden = 1))";
	struct store_search_hit said = {.where = j->chat};
	struct sqlite3_stmt *row = db_select(db, sql,
	    DB_ARGS(db_int(id), db_text(j->chat.channel), db_text(j->chat.chat), db_int(j->without_turn)),
	    err);
	int rc;

	if (!row || (rc = db_next(db, row, err)) <= 0)
		return !row ? -1 : rc;
	rc = db_column_chars(row, 0, said.where.thread, sizeof(said.where.thread));
	said.by_agent = db_column_int(row, 1) == 1;
	said.said_ms = db_column_int(row, 2);
	db_end(row);
	if (rc != 0)
		return db_damaged(db, err, "the thread of message %lld cannot be read", (long long)id);
	said.text = *snippet; /* moved */
	*snippet = NULL;
	j->found = xrealloc(j->found, (j->count + 1) * sizeof(*j->found));
	j->found[j->count++] = said;
	return 0;
}

/* Reads one slice of matches, newest first: most may be of other chats, whose texts are not read. Each slice
 * is twice as long as the one before, as FTS5 merges the lists of a prefix anew for each. */
static int index_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT rowid, CASE WHEN EXISTS (SELECT 1 FROM transcript AS t JOIN sessions AS s ON s.id = "
	    "t.session WHERE t.id = said_words.rowid AND s.channel = ?4 AND s.chat = ?5) THEN "
	    "snippet(said_words, 0, '', '', '…', 48) END FROM said_words WHERE said_words MATCH ?1 AND rowid "
	    "< ?2 ORDER BY rowid DESC LIMIT ?3";
	struct index_job *j = (struct index_job *)job;
	struct sqlite3_stmt *row;
	int seen = 0, rc = 1, put;

	if (!j->match)
		return 0;
	if (!j->caught_up) {
		put = catch_up(db, err);
		j->caught_up = put < BATCH;
		return put < 0 ? -1 : 1;
	}
	row = db_select(db, sql,
	    DB_ARGS(db_text(j->match), db_int(j->before_id), db_int(j->slice), db_text(j->chat.channel),
		db_text(j->chat.chat)),
	    err);
	if (!row)
		return -1;
	while (j->count < j->max && (rc = db_next(db, row, err)) > 0) {
		char *snippet = db_column_text(row, 1);

		j->before_id = db_column_int(row, 0);
		seen++;
		rc = snippet ? take(j, db, j->before_id, &snippet, err) : 0;
		free(snippet);
		if (rc < 0)
			break;
		rc = 1;
	}
	if (rc != 0)
		db_end(row);
	bool more = j->count < j->max && seen == j->slice;
	j->slice = j->slice < SLICE_MAX ? 2 * j->slice : SLICE_MAX;
	return rc < 0 ? -1 : more;
}

int store_search(struct task *t, struct store *s, const struct address *chat, const char *words,
    int64_t without_turn, size_t max, struct store_search_hit **out, struct error *err)
{
	struct index_job *j = job_new(sizeof(*j), JOB_READ, index_run, index_free);
	int count;

	*out = NULL;
	j->chat = *chat;
	j->match = match_of(words);
	j->without_turn = without_turn;
	j->before_id = INT64_MAX;
	j->slice = SLICE_FIRST;
	j->max = max;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->count;
	*out = j->found;
	j->found = NULL;
	j->count = 0;
	job_free(&j->job);
	return count;
}
