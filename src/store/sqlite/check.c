#include "store/sqlite/check.h"

#include <sqlite3.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "store/sqlite/db_sqlite.h"
#include "store/job_queue.h"
#include "store/schema.h"
#include "store/sqlite/page.h"

/* A slice ends at the first of these limits: some milliseconds on a slow disk. */
#define SLICE_ROWS  "200"
#define SLICE_BYTES (1024 * 1024)

#define SLICE_OF(table) "SELECT * FROM " table " WHERE id >= ?1 ORDER BY id LIMIT " SLICE_ROWS

static const char *const slices[] = {
    SLICE_OF("cursors"),
    SLICE_OF("inbox"),
    SLICE_OF("outbox"),
    SLICE_OF("sessions"),
    SLICE_OF("turns"),
    SLICE_OF("calls"),
    SLICE_OF("transcript"),
    SLICE_OF("summaries"),
    SLICE_OF("prompts"),
    SLICE_OF("grants"),
    SLICE_OF("pairings"),
    SLICE_OF("chats"),
    SLICE_OF("spending"),
    SLICE_OF("budgets"),
    SLICE_OF("lifts"),
    SLICE_OF("warnings"),
    SLICE_OF("plans"),
    SLICE_OF("schedules"),
    SLICE_OF("works"),
    SLICE_OF("moves"),
    SLICE_OF("meta"),
};

struct check_job {
	struct job job;
	size_t table;
	int64_t next_id;
};

int check_everything(struct db *db, struct error *err)
{
	struct db_row *row;
	char *found;
	int rc;

	row = db_select(db, "PRAGMA integrity_check(1)", DB_NO_ARGS, err);
	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	found = rc > 0 ? db_column_text(row, 0) : NULL;
	db_end(row);
	if (!found || strcmp(found, "ok") != 0)
		rc = db_damaged(db, err, "%s", found ? found : "its check found nothing");
	else
		rc = 0;
	free(found);
	return rc;
}

/* Returns all definitions as one text. */
static char *describe(struct db *db, struct error *err)
{
	struct db_row *row;
	struct buf out = BUF_INIT;
	char *text;
	int rc;

	row = db_select(db,
	    "SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' "
	    "ORDER BY name",
	    DB_NO_ARGS, err);
	if (!row)
		return NULL;
	while ((rc = db_next(db, row, err)) > 0) {
		text = db_column_text(row, 0);
		buf_addf(&out, "%s\n", text ? text : "");
		free(text);
	}
	if (rc < 0)
		buf_clear(&out);
	return rc < 0 ? NULL : buf_take(&out);
}

int check_schema(struct db *db, const struct schema *schema, struct error *err)
{
	struct db empty = {0};
	char *wanted = NULL, *found = NULL;
	int rc = -1;

	if (db_sqlite_open_memory(&empty, err) != 0)
		return -1;
	if (schema_migrate(&empty, schema, err) != 0 || !(wanted = describe(&empty, err)) ||
	    !(found = describe(db, err)))
		goto close;
	rc = strcmp(wanted, found) == 0 ?
	    0 :
	    db_damaged(db, err, "its tables are not those of version %zu", schema->count);
close:
	free(wanted);
	free(found);
	db_close(&empty);
	return rc;
}

int check_roots(struct db *db, struct error *err)
{
	struct db_row *row;
	sqlite3_file *file = NULL;
	int64_t page_size;
	int rc;

	/* What is in the log alone would look damaged. */
	if (sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) !=
		SQLITE_OK ||
	    sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK)
		return 0;
	if (db_number(db, "PRAGMA page_size", DB_NO_ARGS, &page_size, err) < 0)
		return -1;
	row = db_select(db, "SELECT rootpage FROM sqlite_schema WHERE type = 'index'", DB_NO_ARGS, err);
	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		unsigned char kind = 0;
		int64_t at = (db_column_int(row, 0) - 1) * page_size;

		if (file->pMethods->xRead(file, &kind, 1, at) == SQLITE_OK && !recover_is_index(kind)) {
			rc = db_damaged(db, err, "an index begins on a page of another kind");
			break;
		}
	}
	db_end(row);
	return rc;
}

static int check_slice(struct job *job, struct db *db, struct error *err)
{
	struct check_job *j = (struct check_job *)job;
	struct db_row *row = db_select(db, slices[j->table], DB_ARGS(db_int(j->next_id)), err);
	int bytes = 0, rc;

	if (!row)
		return -1;
	while (bytes < SLICE_BYTES && (rc = db_next(db, row, err)) > 0) {
		if (db_column_int(row, 0) < j->next_id) {
			rc = db_damaged(db, err, "its rows are out of order");
			break;
		}
		for (int i = 0; i < sqlite3_column_count(db_sqlite_statement(row)); i++)
			bytes += sqlite3_column_bytes(db_sqlite_statement(row), i);
		j->next_id = db_column_int(row, 0) + 1;
	}
	db_end(row);
	return rc;
}

static int check_run(struct job *job, struct db *db, struct error *err)
{
	struct check_job *j = (struct check_job *)job;
	int64_t before = j->next_id;

	if (check_slice(job, db, err) < 0)
		return -1;
	if (j->next_id == before) {
		j->table++;
		j->next_id = 0;
	}
	return j->table < ARRAY_LEN(slices);
}

static void check_free(struct job *job)
{
	free(job);
}

struct job *check_slices(void)
{
	struct check_job *j = job_new(sizeof(*j), JOB_IDLE, check_run, check_free);

	return &j->job;
}
