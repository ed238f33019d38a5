#include "store/db_engine.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "store/usage.h"

/* Interval of log lines about a long operation. */
#define PROGRESS_MS 10000

int db_damaged(struct db *db, struct error *err, const char *fmt, ...)
{
	struct buf why = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&why, fmt, ap);
	va_end(ap);
	db->trouble |= DB_DAMAGED;
	error_set(err, ERROR_OURS, "the database %s is damaged (%s): %s", db->path, why.data,
	    db->ops->when_damaged);
	buf_clear(&why);
	return -1;
}

void db_close(struct db *db)
{
	for (size_t i = 0; i < db->statement_room; i++)
		if (db->statements[i].sql)
			db->ops->finalize(db->statements[i].row);
	free(db->statements);
	db->statements = NULL;
	db->statement_count = db->statement_room = 0;
	if (db->handle)
		db->ops->close(db);
	db->handle = NULL;
	db->lost = db->commit_uncertain = false;
	usage_forget(db);
	db_forget_ids(db);
	free(db->dir);
	free(db->path);
	db->dir = db->path = NULL;
	db->wal_pages = 0;
}

int db_script(struct db *db, const char *sql, struct error *err)
{
	return db->ops->script(db, sql, err);
}

/* Returns the slot of the statement, or the free one where it belongs. There always is one. */
static struct db_statement *place_of(struct db *db, const char *sql)
{
	size_t at = ((uintptr_t)sql >> 3) * 31;

	for (;; at++) {
		struct db_statement *place = &db->statements[at % db->statement_room];

		if (!place->sql || place->sql == sql)
			return place;
	}
}

static void make_room(struct db *db)
{
	struct db_statement *old = db->statements;
	size_t room = db->statement_room;

	db->statement_room = room > 0 ? 2 * room : 128;
	db->statements = xcalloc(db->statement_room, sizeof(*db->statements));
	for (size_t i = 0; i < room; i++)
		if (old[i].sql)
			*place_of(db, old[i].sql) = old[i];
	free(old);
}

static struct db_row *start(struct db *db, const char *sql, bool with_id, const struct db_value *values,
    size_t count, bool keep, struct error *err)
{
	struct db_statement *place;

	if (2 * db->statement_count >= db->statement_room)
		make_room(db);
	place = place_of(db, sql);
	if (!place->sql) {
		struct db_row *row = db->ops->prepare(db, sql, with_id, values, count, err);

		if (!row)
			return NULL;
		row->db = db;
		*place = (struct db_statement){sql, row};
		db->statement_count++;
	}
	if (count == 0 || db->ops->bind(place->row, values, count, keep, err) == 0)
		return place->row;
	db_end(place->row);
	return NULL;
}

struct db_row *db_select(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	struct db_row *row = start(db, sql, false, values, count, false, err);

	if (!row || !db->ops->send || db->ops->send(row, err) == 0)
		return row;
	db_end(row);
	return NULL;
}

struct db_row *db_select_ahead(struct db *db, const char *sql, const struct db_value *values, size_t count)
{
	struct db_row *row = db->ops->ahead ? start(db, sql, false, values, count, true, NULL) : NULL;

	return row ? db->ops->ahead(row) : NULL;
}

int db_next(struct db *db, struct db_row *row, struct error *err)
{
	return db->ops->next(row, err);
}

void db_end(struct db_row *row)
{
	row->db->ops->end(row);
}

void db_end_all(struct db *db)
{
	for (size_t i = 0; i < db->statement_room; i++)
		if (db->statements[i].sql)
			db_end(db->statements[i].row);
}

static int change(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *id,
    enum db_answer answer, struct error *err)
{
	struct db_row *row = start(db, sql, id != NULL, values, count, true, err);
	int changed;

	if (!row)
		return -1;
	changed = db->ops->run(row, id, db->must_await ? DB_NOW : answer, err);
	if (changed > 0)
		db->changes += (unsigned)changed;
	return changed;
}

int db_insert(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *id,
    struct error *err)
{
	return change(db, sql, values, count, id, DB_NOW, err);
}

int db_insert_later(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *id,
    struct error *err)
{
	return change(db, sql, values, count, id, DB_BATCHED, err);
}

int db_run_batched(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	return change(db, sql, values, count, NULL, DB_BATCHED, err);
}

int db_run_batched_presumed(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	return change(db, sql, values, count, NULL, DB_BATCHED_PRESUMED, err);
}

bool db_presumes(const struct db *db)
{
	return db->ops->presumes && !db->must_await;
}

int db_run_presumed(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	return change(db, sql, values, count, NULL, DB_PRESUMED, err);
}

int db_run_later(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	return change(db, sql, values, count, NULL, DB_LATER, err);
}

int db_run(struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	return change(db, sql, values, count, NULL, DB_NOW, err);
}

int db_number(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *out,
    struct error *err)
{
	struct db_row *row = start(db, sql, false, values, count, true, err);
	int rc;

	if (!row)
		return -1;
	rc = db_next(db, row, err);
	if (rc > 0) {
		*out = db_column_int(row, 0);
		db_end(row);
	}
	return rc;
}

int db_numbers(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t **out,
    struct error *err)
{
	struct db_row *row = start(db, sql, false, values, count, true, err);
	int found = 0, rc = row ? 0 : -1;

	*out = NULL;
	while (row && (rc = db_next(db, row, err)) > 0) {
		*out = xrealloc(*out, ((size_t)found + 1) * sizeof(**out));
		(*out)[found++] = db_column_int(row, 0);
	}
	if (rc == 0)
		return found;
	free(*out);
	*out = NULL;
	return -1;
}

int64_t db_column_int(struct db_row *row, int column)
{
	return row->db->ops->column_int(row, column);
}

char *db_column_text(struct db_row *row, int column)
{
	const char *text = row->db->ops->column_text(row, column);
	struct buf clean = BUF_INIT;

	if (!text || utf8_valid(text, strlen(text)))
		return xstrdup(text);
	utf8_sanitize(&clean, text, strlen(text));
	return buf_take(&clean);
}

int db_column_chars(struct db_row *row, int column, char *out, size_t size)
{
	const char *text = row->db->ops->column_text(row, column);

	return str_copy(out, size, text ? text : "");
}

size_t db_values(struct db_value *out, const struct db_field *fields, size_t count, const void *object)
{
	for (size_t i = 0; i < count; i++) {
		const char *member = (const char *)object + fields[i].offset;

		switch (fields[i].type) {
		case DB_TEXT:
			out[i] = db_text(*(char *const *)member);
			break;
		case DB_CHARS:
			out[i] = db_text(member);
			break;
		case DB_INT64:
			out[i] = db_int(*(const int64_t *)member);
			break;
		case DB_ENUM:
		case DB_UINT:
			out[i] = db_int(*(const unsigned *)member);
			break;
		case DB_BOOL:
			out[i] = db_int(*(const bool *)member);
		}
	}
	return count;
}

static int read_field(struct db_row *row, int column, const struct db_field *field, void *member)
{
	int64_t number = field->type <= DB_CHARS ? 0 : db_column_int(row, column);

	switch (field->type) {
	case DB_TEXT:
		free(*(char **)member);
		*(char **)member = db_column_text(row, column);
		return 0;
	case DB_CHARS:
		return db_column_chars(row, column, member, field->limit);
	case DB_INT64:
		*(int64_t *)member = number;
		return 0;
	case DB_ENUM:
	case DB_UINT:
		if (number < 0 || number > UINT32_MAX ||
		    (field->type == DB_ENUM && (size_t)number > field->limit))
			return -1;
		*(unsigned *)member = (unsigned)number;
		return 0;
	case DB_BOOL:
		*(bool *)member = number != 0;
	}
	return 0;
}

int db_read(struct db *db, struct db_row *row, int first, const struct db_field *fields, size_t count,
    void *object, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (read_field(row, first + (int)i, &fields[i], (char *)object + fields[i].offset) != 0)
			return db_damaged(db, err, "%s holds what was never written",
			    db->ops->column_name(row, first + (int)i));
	return 0;
}

int db_begin(struct db *db, struct error *err)
{
	usage_forget(db);
	return db->ops->begin(db, err);
}

int db_commit(struct db *db, struct error *err)
{
	if (usage_write(db, err) != 0 || db->ops->commit(db, err) != 0) {
		db_rollback(db);
		return -1;
	}
	for (size_t i = 0; i < DB_IDS; i++)
		db->blocks[i].is_committed = true;
	return 0;
}

void db_rollback(struct db *db)
{
	if (!db_is_idle(db))
		db->ops->rollback(db);
	db_undo_ids(db);
}

bool db_is_idle(struct db *db)
{
	return !db->handle || db->ops->is_idle(db);
}

bool db_is_broken(struct db *db)
{
	return db->handle && db->ops->is_broken && db->ops->is_broken(db);
}

int db_recover(struct db *db, struct error *err)
{
	return db->ops->recover(db, err);
}

void db_checkpoint(struct db *db, int at_pages)
{
	if (db->wal_pages >= at_pages && db->ops->checkpoint)
		db->ops->checkpoint(db);
}

void db_shrink(struct db *db)
{
	if (db->handle && db->ops->shrink)
		db->ops->shrink(db);
}

int db_size(struct db *db, struct db_size *out, struct error *err)
{
	*out = (struct db_size){0};
	return db->ops->size(db, out, err);
}

static void log_progress(struct db *db)
{
	uint64_t now = clock_measure_us() / 1000;

	if (db->work_began_ms == 0)
		db->work_began_ms = db->work_logged_ms = now;
	if (now - db->work_logged_ms < PROGRESS_MS)
		return;
	db->work_logged_ms = now;
	log_info("store", "still %s, for %llu s now", db->work,
	    (unsigned long long)(now - db->work_began_ms) / 1000);
}

bool db_is_stopped(struct db *db)
{
	if (db->work)
		log_progress(db);
	return db->stop && atomic_load_explicit(db->stop, memory_order_relaxed);
}
