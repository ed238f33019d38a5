#include "store/sqlite/db_sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/read_error.h"
#include "base/wrong.h"
#include "store/copy_internal.h"
#include "store/db_engine.h"
#include "store/schema.h"
#include "store/search_internal.h"
#include "store/sqlite/check.h"
#include "store/sqlite/memory.h"

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
/* Interval of checks whether another process has closed the database. */
#define DB_BUSY_RETRY_MS 2000

static bool is_full(int code, int why)
{
	return code == SQLITE_FULL ||
	    (code == SQLITE_IOERR && (why == ENOSPC || why == EDQUOT || why == EFBIG));
}

int db_sqlite_fail(struct db *db, struct error *err)
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

static int on_progress(void *db)
{
	return db_is_stopped(db);
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

static void sqlite_close(struct db *db)
{
	sqlite3_close(db->handle);
}

static int sqlite_script(struct db *db, const char *sql, struct error *err)
{
	bool rewrites = strncmp(sql, SCHEMA_ONLY_SQLITE, strlen(SCHEMA_ONLY_SQLITE)) == 0;
	int rc;

	/* A step may change how a table is described. */
	if (rewrites)
		sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	errno = 0;
	rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_sqlite_fail(db, err);
	if (rewrites)
		sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return rc;
}

struct sqlite_row {
	struct db_row row;
	struct sqlite3_stmt *handle;
	bool copied;  /* it has texts of its own */
	size_t bound; /* values; those that are borrowed stay until the next run, which replaces them */
};

struct sqlite3_stmt *db_sqlite_statement(struct db_row *row)
{
	return ((struct sqlite_row *)row)->handle;
}

static struct db_row *sqlite_prepare(struct db *db, const char *sql, bool with_id,
    const struct db_value *values, size_t count, struct error *err)
{
	struct sqlite3_stmt *handle;
	struct sqlite_row *r;

	(void)with_id, (void)values, (void)count;
	if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, NULL) != SQLITE_OK) {
		db_sqlite_fail(db, err);
		return NULL;
	}
	r = xcalloc(1, sizeof(*r));
	r->handle = handle;
	return &r->row;
}

static void sqlite_finalize(struct db_row *row)
{
	sqlite3_finalize(db_sqlite_statement(row));
	free(row);
}

static int sqlite_bind(
    struct db_row *row, const struct db_value *values, size_t count, bool keep, struct error *err)
{
	struct sqlite3_stmt *handle = db_sqlite_statement(row);
	struct sqlite_row *r = (struct sqlite_row *)row;

	if (count < r->bound)
		sqlite3_clear_bindings(handle);
	r->bound = count;
	r->copied |= !keep;
	for (size_t i = 0; i < count; i++) {
		int at = (int)i + 1, rc;

		if (!values[i].is_text)
			rc = sqlite3_bind_int64(handle, at, values[i].number);
		else
			rc = sqlite3_bind_text(
			    handle, at, values[i].text, -1, keep ? SQLITE_STATIC : SQLITE_TRANSIENT);
		if (rc != SQLITE_OK)
			return db_sqlite_fail(row->db, err);
	}
	return 0;
}

static void sqlite_end(struct db_row *row)
{
	struct sqlite_row *r = (struct sqlite_row *)row;

	sqlite3_reset(r->handle);
	if (r->copied)
		sqlite3_clear_bindings(r->handle);
	r->copied = false;
}

static int sqlite_next(struct db_row *row, struct error *err)
{
	int rc;

	errno = 0;
	rc = sqlite3_step(db_sqlite_statement(row));
	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		db_sqlite_fail(row->db, err);
	sqlite_end(row);
	return rc == SQLITE_DONE ? 0 : -1;
}

static int sqlite_run(struct db_row *row, int64_t *id, enum db_answer answer, struct error *err)
{
	int rc;

	(void)answer;
	while ((rc = sqlite_next(row, err)) > 0)
		;
	if (rc < 0)
		return -1;
	rc = sqlite3_changes(row->db->handle);
	if (id)
		*id = rc > 0 ? sqlite3_last_insert_rowid(row->db->handle) : 0;
	return rc;
}

static int64_t sqlite_column_int(struct db_row *row, int column)
{
	return sqlite3_column_int64(db_sqlite_statement(row), column);
}

static const char *sqlite_column_text(struct db_row *row, int column)
{
	return (const char *)sqlite3_column_text(db_sqlite_statement(row), column);
}

static const char *sqlite_column_name(struct db_row *row, int column)
{
	return sqlite3_column_name(db_sqlite_statement(row), column);
}

static int sqlite_take_ids(struct db *db, enum db_ids table, struct db_block *block, struct error *err)
{
#define TAKE(table)                                                                                     \
	"UPDATE sqlite_sequence SET seq = max(seq, (SELECT coalesce(max(id), 0) FROM " table ")) + ?1 " \
	"WHERE name = '" table "' RETURNING seq"
	static const char *const take[DB_IDS] = {
	    TAKE("inbox"), TAKE("outbox"), TAKE("turns"), TAKE("transcript")};
	/* When the row is lost, so is the last id. There were fewer ids than there are seconds since 1970.
	 */
	static const char begin[] = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, unixepoch())";
	static const char *const names[DB_IDS] = {"inbox", "outbox", "turns", "transcript"};
	int64_t last;
	int rc = db_number(db, take[table], DB_ARGS(db_int(DB_BLOCK)), &last, err);

	if (rc == 0 && db_run(db, begin, DB_ARGS(db_text(names[table])), err) > 0)
		rc = db_number(db, take[table], DB_ARGS(db_int(DB_BLOCK)), &last, err);
	if (rc <= 0)
		return -1;
	for (int i = 0; i < DB_BLOCK; i++)
		block->ids[i] = last - DB_BLOCK + 1 + i;
	return 0;
}

static int sqlite_return_ids(
    struct db *db, enum db_ids table, const struct db_block *block, struct error *err)
{
#define RETURN(table) "UPDATE sqlite_sequence SET seq = ?1 WHERE name = '" table "' AND seq = ?2"
	static const char *const give_back[DB_IDS] = {
	    RETURN("inbox"), RETURN("outbox"), RETURN("turns"), RETURN("transcript")};

	return db_run(db, give_back[table],
		   DB_ARGS(db_int(block->ids[block->next] - 1), db_int(block->ids[block->count - 1])),
		   err) < 0 ?
	    -1 :
	    0;
}

static int sqlite_begin(struct db *db, struct error *err)
{
	return db_run(db, "BEGIN IMMEDIATE", DB_NO_ARGS, err) < 0 ? -1 : 0;
}

static int sqlite_commit(struct db *db, struct error *err)
{
	return db_run(db, "COMMIT", DB_NO_ARGS, err) < 0 ? -1 : 0;
}

static void sqlite_rollback(struct db *db)
{
	db_run(db, "ROLLBACK", DB_NO_ARGS, NULL);
}

static bool sqlite_is_idle(struct db *db)
{
	return sqlite3_get_autocommit(db->handle) != 0;
}

static void sqlite_checkpoint(struct db *db)
{
	errno = 0;
	if (sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) == SQLITE_OK)
		db->wal_pages = 0;
	else
		db_sqlite_fail(db, NULL);
}

static void sqlite_shrink(struct db *db)
{
	sqlite3_db_release_memory(db->handle);
	sqlite_memory_shrink();
}

static int sqlite_read_version(struct db *db, int64_t *version, struct error *err)
{
	return db_number(db, "PRAGMA user_version", DB_NO_ARGS, version, err) < 0 ? -1 : 0;
}

static int sqlite_write_version(struct db *db, int64_t version, struct error *err)
{
	char pragma[64];

	snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %lld", (long long)version);
	return db_script(db, pragma, err);
}

static int sqlite_size(struct db *db, struct db_size *out, struct error *err)
{
	static const char sql[] = "SELECT page_size, page_count, freelist_count FROM pragma_page_size(), "
				  "pragma_page_count(), pragma_freelist_count()";
	struct db_row *row = db_select(db, sql, DB_NO_ARGS, err);
	int64_t page;

	if (!row || db_next(db, row, err) < 0)
		return -1;
	page = db_column_int(row, 0);
	out->all = page * db_column_int(row, 1);
	out->used = out->all - page * db_column_int(row, 2);
	out->log = page * db->wal_pages;
	db_end(row);
	return 0;
}

static int sqlite_check(struct db *db, char **risk, struct error *err)
{
	*risk = NULL;
	return check_everything(db, err);
}

static const struct db_ops sqlite_ops = {
    .when_damaged = "restart to recover what can be read",
    .prepare = sqlite_prepare,
    .finalize = sqlite_finalize,
    .bind = sqlite_bind,
    .next = sqlite_next,
    .run = sqlite_run,
    .end = sqlite_end,
    .column_int = sqlite_column_int,
    .column_text = sqlite_column_text,
    .column_name = sqlite_column_name,
    .script = sqlite_script,
    .take_ids = sqlite_take_ids,
    .return_ids = sqlite_return_ids,
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .is_idle = sqlite_is_idle,
    .read_version = sqlite_read_version,
    .write_version = sqlite_write_version,
    .size = sqlite_size,
    .check = sqlite_check,
    .search = &search_sqlite,
    .copy = &copy_sqlite,
    .close = sqlite_close,
    .checkpoint = sqlite_checkpoint,
    .shrink = sqlite_shrink,
};

static int use_wal(struct db *db, struct error *err)
{
	struct db_row *row = db_select(db, "PRAGMA journal_mode = WAL", DB_NO_ARGS, err);
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

int db_sqlite_open(struct db *db, const char *dir, const char *path, enum db_mode mode, struct error *err)
{
	/* Created here with mode 0600, which the log inherits; SQLite would let others read it. */
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat st = {.st_size = 1};
	static pthread_once_t configured = PTHREAD_ONCE_INIT;
	sqlite3 *handle = NULL;
	int rc;

	pthread_once(&configured, sqlite_memory_configure);
	if (fd < 0 && read_error_note(errno))
		return error_limited(err, DB_BUSY_RETRY_MS, "cannot open the database %s: %m", path);
	if (fd < 0)
		return error_set(err, ERROR_OURS, "cannot open the database %s: %m", path);
	fstat(fd, &st);
	close(fd);
	db->ops = &sqlite_ops;
	db->dir = xstrdup(dir);
	db->path = xstrdup(path);
	errno = 0;
	rc = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	db->handle = handle;
	if (rc != SQLITE_OK) {
		db_sqlite_fail(db, err);
		db_close(db);
		return -1;
	}
	if (configure(db, mode, mode == DB_LIVE && st.st_size == 0, err) != 0) {
		db_close(db);
		return -1;
	}
	return 0;
}

int db_sqlite_open_memory(struct db *db, struct error *err)
{
	sqlite3 *handle = NULL;
	int rc = sqlite3_open(":memory:", &handle);

	db->ops = &sqlite_ops;
	db->handle = handle;
	db->dir = xstrdup("memory");
	db->path = xstrdup(":memory:");
	if (rc == SQLITE_OK)
		return 0;
	db_sqlite_fail(db, err);
	db_close(db);
	return -1;
}
