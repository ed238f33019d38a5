#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/read_error.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "base/wrong.h"

/* locking_mode comes before journal_mode, so that the index of the log is in process memory and there is no
 * -shm file. Foreign keys are off because recovery of a damaged database copies row by row. */
static const char settings[] = "PRAGMA locking_mode = EXCLUSIVE;"
			       "PRAGMA synchronous = FULL;"
			       "PRAGMA wal_autocheckpoint = 0;"
			       "PRAGMA journal_size_limit = 8388608;"
			       "PRAGMA cache_size = -2048;"
			       "PRAGMA mmap_size = 0;"
			       "PRAGMA temp_store = MEMORY;"
			       "PRAGMA cell_size_check = ON;"
			       "PRAGMA foreign_keys = OFF;";

/* SQLite's virtual machine checks *db->stop every so many steps, about every millisecond. */
#define STOP_STEPS 10000
/* Between two lines of the log about work that takes long. */
#define PROGRESS_MS 10000
/* After this long it is worth to look again whether another process has closed the database. */
#define DB_BUSY_RETRY_MS 2000

static bool is_full(int code, int why)
{
	return code == SQLITE_FULL ||
	    (code == SQLITE_IOERR && (why == ENOSPC || why == EDQUOT || why == EFBIG));
}

int db_damaged(struct db *db, struct error *err, const char *fmt, ...)
{
	struct buf why = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&why, fmt, ap);
	va_end(ap);
	db->trouble |= DB_DAMAGED;
	error_set(err, ERROR_OURS, "the database %s is damaged (%s): restart to recover what can be read",
	    db->path, why.data);
	buf_clear(&why);
	return -1;
}

int db_fail(struct db *db, struct error *err)
{
	/* errno is set to 0 before each call: sqlite3_system_errno does not tell why a commit failed. */
	int why = errno, code = sqlite3_errcode(db->handle);

	if (is_full(code, why)) {
		db->trouble |= DB_FULL;
		return error_set(err, ERROR_OURS,
		    "no space left in %s; nothing was accepted that is not stored; free space there, and "
		    "work goes on by itself",
		    db->dir);
	}
	switch (code) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return db_damaged(db, err, "%s", sqlite3_errmsg(db->handle));
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_limited(err, DB_BUSY_RETRY_MS,
		    "another process has the database %s open: stop it first", db->path);
	case SQLITE_INTERRUPT:
		return error_cancelled(err);
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		db->trouble |= DB_FAILING;
		errno = why;
		return error_set(err, ERROR_OURS, "cannot read or write %s: %s (%m)", db->path,
		    sqlite3_errmsg(db->handle));
	case SQLITE_ERROR:
		/* The statement does not fit the tables of the file, or this SQLite. */
		db->trouble |= DB_SUSPECT;
		/* fall through */
	default:
		return error_set(
		    err, ERROR_OURS, "the database %s refused: %s", db->path, sqlite3_errmsg(db->handle));
	}
}

static void tell_progress(struct db *db)
{
	uint64_t now = clock_measure_us() / 1000;

	if (db->work_began_ms == 0)
		db->work_began_ms = db->work_told_ms = now;
	if (now - db->work_told_ms < PROGRESS_MS)
		return;
	db->work_told_ms = now;
	log_info("store", "still %s, for %llu s now", db->work,
	    (unsigned long long)(now - db->work_began_ms) / 1000);
}

static int on_progress(void *arg)
{
	struct db *db = arg;

	if (db->work)
		tell_progress(db);
	return db->stop && atomic_load_explicit(db->stop, memory_order_relaxed);
}

static int on_wal(void *arg, sqlite3 *handle, const char *name, int pages)
{
	struct db *db = arg;

	(void)handle;
	(void)name;
	db->wal_pages = pages;
	db->commits++;
	return SQLITE_OK;
}

static int use_wal(struct db *db, struct error *err)
{
	struct sqlite3_stmt *row = db_select(db, "PRAGMA journal_mode = WAL", DB_NO_ARGS, err);
	char mode[8] = "";
	int rc;

	if (!row)
		return -1;
	rc = db_next(db, row, err);
	if (rc > 0 && db_column_chars(row, 0, mode, sizeof(mode)) == 0 && strcmp(mode, "wal") != 0)
		rc = error_set(
		    err, ERROR_OURS, "the file system of %s cannot hold a write-ahead log", db->dir);
	db_end(row);
	return rc < 0 ? -1 : 0;
}

/* Only a new file: SQLite would write to another one. */
static const char new_settings[] = "PRAGMA auto_vacuum = INCREMENTAL";

static int configure(struct db *db, enum db_mode mode, bool is_new, struct error *err)
{
	sqlite3_extended_result_codes(db->handle, 0);
	sqlite3_progress_handler(db->handle, STOP_STEPS, on_progress, db);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	if (mode == DB_EVIDENCE)
		sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (db_script(db, settings, err) != 0 || (is_new && db_script(db, new_settings, err) != 0))
		return -1;
	if (WRONG("synchronous-normal") && db_script(db, "PRAGMA synchronous = NORMAL", err) != 0)
		return -1;
	if (mode == DB_LIVE && use_wal(db, err) != 0)
		return -1;
	/* After the settings, because wal_autocheckpoint sets the same hook. */
	sqlite3_wal_hook(db->handle, on_wal, db);
	return 0;
}

/* Nobody asks how much memory SQLite has, for which it would take a lock in each allocation. Only before the
 * first database is opened: SQLite refuses it later. */
static void configure_library(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int db_open(struct db *db, const char *dir, const char *path, enum db_mode mode, struct error *err)
{
	/* Created here with mode 0600, which the log inherits; SQLite would let others read it. */
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat st = {.st_size = 1};
	static pthread_once_t configured = PTHREAD_ONCE_INIT;

	pthread_once(&configured, configure_library);
	if (fd < 0 && read_error_passes(errno))
		return error_limited(err, DB_BUSY_RETRY_MS, "cannot open the database %s: %m", path);
	if (fd < 0)
		return error_set(err, ERROR_OURS, "cannot open the database %s: %m", path);
	fstat(fd, &st);
	close(fd);
	db->dir = xstrdup(dir);
	db->path = xstrdup(path);
	errno = 0;
	if (sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK) {
		db_fail(db, err);
		db_close(db);
		return -1;
	}
	if (configure(db, mode, mode == DB_LIVE && st.st_size == 0, err) != 0) {
		db_close(db);
		return -1;
	}
	return 0;
}

int db_open_memory(struct db *db, struct error *err)
{
	db->dir = xstrdup("memory");
	db->path = xstrdup(":memory:");
	if (sqlite3_open(db->path, &db->handle) == SQLITE_OK)
		return 0;
	db_fail(db, err);
	db_close(db);
	return -1;
}

void db_close(struct db *db)
{
	for (size_t i = 0; i < db->statement_room; i++)
		sqlite3_finalize(db->statements[i].handle);
	free(db->statements);
	db->statements = NULL;
	db->statement_count = db->statement_room = 0;
	sqlite3_close(db->handle);
	db->handle = NULL;
	free(db->dir);
	free(db->path);
	db->dir = db->path = NULL;
	db->wal_pages = 0;
}

int db_script(struct db *db, const char *sql, struct error *err)
{
	errno = 0;
	return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_fail(db, err);
}

/* The place of the statement, or the free one where it belongs. There is one. */
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

static struct sqlite3_stmt *prepare(struct db *db, const char *sql, struct error *err)
{
	struct db_statement *place;
	struct sqlite3_stmt *handle;

	if (2 * db->statement_count >= db->statement_room)
		make_room(db);
	place = place_of(db, sql);
	if (place->sql)
		return place->handle;
	if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, NULL) != SQLITE_OK) {
		db_fail(db, err);
		return NULL;
	}
	*place = (struct db_statement){sql, handle};
	db->statement_count++;
	return handle;
}

/* lifetime: SQLITE_STATIC when the values live until the statement has ended. */
static struct sqlite3_stmt *start(struct db *db, const char *sql, const struct db_value *values, size_t count,
    sqlite3_destructor_type lifetime, struct error *err)
{
	struct sqlite3_stmt *row = prepare(db, sql, err);

	for (size_t i = 0; row && i < count; i++) {
		int at = (int)i + 1, rc;

		if (!values[i].is_text)
			rc = sqlite3_bind_int64(row, at, values[i].number);
		else
			rc = sqlite3_bind_text(row, at, values[i].text, -1, lifetime);
		if (rc != SQLITE_OK) {
			db_fail(db, err);
			db_end(row);
			return NULL;
		}
	}
	return row;
}

struct sqlite3_stmt *db_select(
    struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	return start(db, sql, values, count, SQLITE_TRANSIENT, err);
}

int db_next(struct db *db, struct sqlite3_stmt *row, struct error *err)
{
	int rc;

	errno = 0;
	rc = sqlite3_step(row);
	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		db_fail(db, err);
	db_end(row);
	return rc == SQLITE_DONE ? 0 : -1;
}

void db_end(struct sqlite3_stmt *row)
{
	sqlite3_reset(row);
	sqlite3_clear_bindings(row);
}

void db_end_all(struct db *db)
{
	for (size_t i = 0; i < db->statement_room; i++)
		if (db->statements[i].sql)
			db_end(db->statements[i].handle);
}

int db_run(struct db *db, const char *sql, const struct db_value *values, size_t count, struct error *err)
{
	struct sqlite3_stmt *row = start(db, sql, values, count, SQLITE_STATIC, err);
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0)
		;
	return rc < 0 ? -1 : sqlite3_changes(db->handle);
}

int64_t db_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

int db_changes(struct db *db)
{
	return sqlite3_total_changes(db->handle);
}

int db_number(struct db *db, const char *sql, const struct db_value *values, size_t count, int64_t *out,
    struct error *err)
{
	struct sqlite3_stmt *row = start(db, sql, values, count, SQLITE_STATIC, err);
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

int64_t db_column_int(struct sqlite3_stmt *row, int column)
{
	return sqlite3_column_int64(row, column);
}

char *db_column_text(struct sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	struct buf clean = BUF_INIT;

	if (!text || utf8_valid(text, strlen(text)))
		return xstrdup(text);
	utf8_sanitize(&clean, text, strlen(text));
	return buf_take(&clean);
}

int db_column_chars(struct sqlite3_stmt *row, int column, char *out, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

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

static int read_field(struct sqlite3_stmt *row, int column, const struct db_field *field, void *member)
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

int db_read(struct db *db, struct sqlite3_stmt *row, int first, const struct db_field *fields, size_t count,
    void *object, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (read_field(row, first + (int)i, &fields[i], (char *)object + fields[i].offset) != 0)
			return db_damaged(db, err, "%s holds what was never written",
			    sqlite3_column_name(row, first + (int)i));
	return 0;
}

int db_begin(struct db *db, struct error *err)
{
	return db_run(db, "BEGIN IMMEDIATE", DB_NO_ARGS, err) < 0 ? -1 : 0;
}

int db_commit(struct db *db, struct error *err)
{
	if (db_run(db, "COMMIT", DB_NO_ARGS, err) < 0) {
		db_rollback(db);
		return -1;
	}
	return 0;
}

void db_rollback(struct db *db)
{
	if (!db_is_idle(db))
		db_run(db, "ROLLBACK", DB_NO_ARGS, NULL);
}

bool db_is_idle(struct db *db)
{
	return !db->handle || sqlite3_get_autocommit(db->handle) != 0;
}

void db_checkpoint(struct db *db, int at_pages)
{
	if (db->wal_pages < at_pages)
		return;
	errno = 0;
	if (sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) == SQLITE_OK)
		db->wal_pages = 0;
	else
		db_fail(db, NULL);
}

void db_shrink(struct db *db)
{
	if (db->handle)
		sqlite3_db_release_memory(db->handle);
}
