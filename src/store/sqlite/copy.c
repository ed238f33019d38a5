/* The file's side of a copy (store/copy.h). */
#include "store/copy_internal.h"

#include <endian.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/wrong.h"
#include "store/schema.h"
#include "store/search_index.h"
#include "store/sqlite/db_sqlite.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* The pages of indexes into which rows come in no order are in memory: 64 MiB. */
static const char large_cache[] = "PRAGMA cache_size = -65536";

static int begin_reading(struct db *db, struct error *err)
{
	return db_begin(db, err);
}

static int begin_writing(struct db *db, const struct copy_tables *tables, bool *has_rows, struct error *err)
{
	(void)tables;
	*has_rows = false;
	return db_script(db, large_cache, err) != 0 || schema_migrate(db, &schema_current, err) != 0 ?
	    -1 :
	    db_begin(db, err);
}

static void add_length(struct buf *out, uint32_t length)
{
	uint32_t big = htobe32(length);

	buf_add(out, &big, sizeof(big));
}

static void add_number(struct buf *out, int64_t number)
{
	uint64_t big = htobe64((uint64_t)number);

	add_length(out, sizeof(big));
	buf_add(out, &big, sizeof(big));
}

/* Returns whether bytes were replaced. */
static bool add_text(struct buf *out, const char *text, size_t len)
{
	size_t start = out->len + sizeof(uint32_t), n;
	uint32_t cp, big;

	add_length(out, (uint32_t)len);
	if (utf8_valid(text, len) && !memchr(text, '\0', len)) {
		buf_add(out, text, len);
		return false;
	}
	for (size_t i = 0; i<len; i += n> 0 ? n : 1) {
		n = text[i] == '\0' ? 0 : utf8_decode(text + i, len - i, &cp);
		buf_add(out, n > 0 ? text + i : REPLACEMENT, n > 0 ? n : strlen(REPLACEMENT));
	}
	big = htobe32((uint32_t)(out->len - start));
	memcpy(out->data + start - sizeof(big), &big, sizeof(big));
	return true;
}

static int add_field(struct buf *out, sqlite3_stmt *row, int at, const struct copy_table *table,
    const struct copy_sink *to, struct error *err)
{
	const struct copy_column *column = &table->columns[at];
	int type = sqlite3_column_type(row, at);

	if (type == SQLITE_NULL) {
		add_length(out, UINT32_MAX);
	} else if (type == SQLITE_INTEGER && !column->is_text) {
		add_number(out, sqlite3_column_int64(row, at));
	} else if (type == SQLITE_TEXT && column->is_text) {
		const char *text = (const char *)sqlite3_column_text(row, at);

		if (add_text(out, text, (size_t)sqlite3_column_bytes(row, at)) && to->changed)
			to->changed(to->arg, sqlite3_column_int64(row, 0), column->name);
	} else {
		return error_set(err, ERROR_OURS,
		    "%s of row %lld in the table %s is neither text nor number: nothing was copied",
		    column->name, (long long)sqlite3_column_int64(row, 0), table->name);
	}
	return 0;
}

static int give_row(sqlite3_stmt *row, const struct copy_table *table, const struct copy_sink *to,
    struct buf *out, struct error *err)
{
	uint16_t count = htobe16((uint16_t)table->column_count);

	buf_reset(out);
	buf_add(out, &count, sizeof(count));
	for (size_t i = 0; i < table->column_count; i++)
		if (add_field(out, row, (int)i, table, to, err) != 0)
			return -1;
	return to->row(to->arg, out->data, out->len, err);
}

static sqlite3_stmt *prepare(struct db *db, const char *sql, struct error *err)
{
	sqlite3_stmt *statement = NULL;

	errno = 0;
	if (sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL) != SQLITE_OK)
		db_sqlite_fail(db, err);
	return statement;
}

static int read_table(
    struct db *db, const struct copy_table *table, const struct copy_sink *to, struct error *err)
{
	struct buf sql = BUF_INIT, out = BUF_INIT;
	sqlite3_stmt *row;
	int rc = SQLITE_DONE, given = 0;

	buf_addstr(&sql, "SELECT");
	copy_columns(&sql, table);
	buf_addf(&sql, " FROM \"%s\" ORDER BY id", table->name);
	row = prepare(db, sql.data, err);
	while (row && given == 0 && (rc = sqlite3_step(row)) == SQLITE_ROW)
		given = give_row(row, table, to, &out, err);
	if (!row || (given == 0 && rc != SQLITE_DONE && db_sqlite_fail(db, err) != 0))
		given = -1;
	sqlite3_finalize(row);
	buf_clear(&sql);
	buf_clear(&out);
	return given;
}

struct writer {
	struct db *db;
	const struct copy_table *table;
	sqlite3_stmt *insert;
};

static void *open_table(struct db *db, const struct copy_table *table, struct error *err)
{
	struct buf sql = BUF_INIT;
	struct writer w = {.db = db, .table = table};

	buf_addstr(&sql, "INSERT");
	buf_addf(&sql, " INTO \"%s\" (", table->name);
	copy_columns(&sql, table);
	buf_addstr(&sql, ") VALUES (?");
	for (size_t i = 1; i < table->column_count; i++)
		buf_addstr(&sql, ", ?");
	buf_addstr(&sql, ")");
	w.insert = prepare(db, sql.data, err);
	buf_clear(&sql);
	return w.insert ? memcpy(xmalloc(sizeof(w)), &w, sizeof(w)) : NULL;
}

/* Binds the field at *at, which is moved behind it. */
static int bind_field(struct writer *w, size_t column, const char **at, const char *end, struct error *err)
{
	uint32_t big;
	uint64_t number;
	size_t len;
	int rc, place = (int)column + 1;

	if (end - *at < (ptrdiff_t)sizeof(big))
		return error_set(err, ERROR_OURS, "a row of the table %s ends too early", w->table->name);
	memcpy(&big, *at, sizeof(big));
	*at += sizeof(big);
	len = be32toh(big);
	if (len == UINT32_MAX) {
		rc = sqlite3_bind_null(w->insert, place);
		len = 0;
	} else if (len > (size_t)(end - *at) ||
	    (!w->table->columns[column].is_text && len != sizeof(number))) {
		return error_set(err, ERROR_OURS, "%s of a row of the table %s has a strange length",
		    w->table->columns[column].name, w->table->name);
	} else if (w->table->columns[column].is_text) {
		rc = sqlite3_bind_text(w->insert, place, *at, (int)len, SQLITE_STATIC);
	} else {
		memcpy(&number, *at, sizeof(number));
		rc = sqlite3_bind_int64(w->insert, place, (int64_t)be64toh(number));
	}
	*at += len;
	return rc == SQLITE_OK ? 0 : db_sqlite_fail(w->db, err);
}

static int put(void *writer, const char *row, size_t len, struct error *err)
{
	struct writer *w = writer;
	const char *at = row + sizeof(uint16_t);
	int rc = 0;

	for (size_t i = 0; i < w->table->column_count && rc == 0; i++)
		rc = bind_field(w, i, &at, row + len, err);
	errno = 0;
	if (rc == 0 && sqlite3_step(w->insert) != SQLITE_DONE)
		rc = db_sqlite_fail(w->db, err);
	sqlite3_reset(w->insert);
	sqlite3_clear_bindings(w->insert);
	return rc;
}

static int end_table(void *writer, bool complete, struct error *err)
{
	struct writer *w = writer;

	(void)complete, (void)err;
	sqlite3_finalize(w->insert);
	free(w);
	return 0;
}

/* Where ids may be given again, SQLite goes on behind the highest that is there. */
static int last_id(struct db *db, const struct copy_table *table, int64_t *id, struct error *err)
{
	struct buf sql = BUF_INIT;
	sqlite3_stmt *row;

	*id = 0;
	if (table->keeps_ids)
		return db_number(db, "SELECT seq FROM sqlite_sequence WHERE name = ?1",
			   DB_ARGS(db_text(table->name)), id, err) < 0 ?
		    -1 :
		    0;
	buf_addstr(&sql, "SELECT");
	buf_addf(&sql, " max(id) FROM \"%s\"", table->name);
	row = prepare(db, sql.data, err);
	buf_clear(&sql);
	if (row && sqlite3_step(row) == SQLITE_ROW)
		*id = sqlite3_column_int64(row, 0);
	return row && sqlite3_finalize(row) == SQLITE_OK ? 0 : db_sqlite_fail(db, err);
}

static int set_last_id(struct db *db, const struct copy_table *table, int64_t id, struct error *err)
{
	if (!table->keeps_ids || id == 0)
		return 0;
	return db_run(db, "DELETE FROM sqlite_sequence WHERE name = ?1", DB_ARGS(db_text(table->name)), err) <
		    0 ||
		db_run(db, "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
		    DB_ARGS(db_text(table->name), db_int(id)), err) < 0 ?
	    -1 :
	    0;
}

static int finish(struct db *db, const struct copy_tables *tables, struct error *err)
{
	int rc;

	(void)tables;
	while ((rc = search_index_merge(db, err)) > 0)
		;
	return rc;
}

const struct copy_ops copy_sqlite = {
    .begin_reading = begin_reading,
    .begin_writing = begin_writing,
    .read = read_table,
    .open = open_table,
    .put = put,
    .end = end_table,
    .last_id = last_id,
    .set_last_id = set_last_id,
    .finish = finish,
};
