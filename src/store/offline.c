#include "store/offline.h"

#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "store/sqlite/check.h"
#include "store/sqlite/recover.h"
#include "store/sqlite/db_sqlite.h"
#include "store/files.h"
#include "store/store_internal.h"
#include "store/lock.h"
#include "store/schema.h"

/* Both files must exist: created here, by another user than the gateway's, they would be unreadable for
 * it. */
static int check_files(const char *path, const char *lock, struct error *err)
{
	if (access(path, F_OK) != 0)
		return error_set(err, ERROR_OURS, "there is no database %s: %m", path);
	if (access(lock, F_OK) != 0)
		return error_set(err, ERROR_OURS, "%s is missing: start the gateway once", lock);
	return 0;
}

static int read_db(const char *dir, const char *path, offline_fn *fn, void *arg, struct error *err)
{
	struct db db = {0};
	int64_t version = 0;
	int rc;

	if (db_sqlite_open(&db, dir, path, DB_EVIDENCE, err) != 0)
		return -1;
	rc = schema_version(&db, &schema_current, &version, err);
	if (rc == 0 && version < (int64_t)schema_current.count)
		rc = error_set(err, ERROR_OURS,
		    "the database %s is of an older version: start the gateway once, which brings it up to "
		    "date",
		    path);
	if (rc == 0)
		rc = fn(&db, arg, err);
	db_close(&db);
	return rc;
}

int offline_read(const char *dir, offline_fn *fn, void *arg, struct error *err)
{
	char *path = xasprintf("%s/myna.db", dir), *lock_path = xasprintf("%s/lock", dir);
	int rc = check_files(path, lock_path, err), lock = rc == 0 ? lock_acquire(dir, err) : -1;

	rc = lock >= 0 ? read_db(dir, path, fn, arg, err) : -1;
	lock_release(lock);
	free(path);
	free(lock_path);
	return rc;
}

static int check_space(const char *dir, int64_t bytes, struct error *err)
{
	int64_t left = files_free_space(dir);

	if (left < 0 || left > 2 * bytes)
		return 0;
	return error_set(err, ERROR_OURS,
	    "this takes %lld MiB of free space in %s, twice the size of the database: free some",
	    (long long)(2 * bytes >> 20), dir);
}

static int check_whole(struct db *db, void *arg, struct error *err)
{
	(void)arg;
	return check_everything(db, err);
}

static int compact(const char *dir, const char *path, struct offline_sizes *out, struct error *err)
{
	struct recover_report report = {0};
	int rc = -1;

	if (recover_resume(dir, "myna.db", clock_wall(), err) != 0 ||
	    read_db(dir, path, check_whole, NULL, err) != 0)
		return -1;
	out->before = files_size(path);
	if (check_space(dir, out->before, err) == 0)
		rc = recover_compact(dir, "myna.db", &schema_current, clock_wall(), &report, err);
	out->after = files_size(path);
	free(report.aside);
	return rc;
}

int offline_compact(const char *dir, struct offline_sizes *out, struct error *err)
{
	char *path = xasprintf("%s/myna.db", dir), *lock_path = xasprintf("%s/lock", dir);
	int rc = check_files(path, lock_path, err), lock = rc == 0 ? lock_acquire(dir, err) : -1;

	rc = lock >= 0 ? compact(dir, path, out, err) : -1;
	lock_release(lock);
	free(path);
	free(lock_path);
	return rc;
}

struct trace_question {
	const char *what;
	struct json_object *result;
};

static int read_trace(struct db *db, void *arg, struct error *err)
{
	struct trace_question *q = arg;
	struct trace *tr = message_trace_new(q->what);
	int rc;

	while ((rc = message_trace_slice(tr, db, err)) > 0)
		;
	if (rc == 0)
		q->result = message_trace_result(tr);
	message_trace_free(tr);
	return rc;
}

int offline_trace(const char *dir, const char *what, struct json_object **out, struct error *err)
{
	struct trace_question q = {.what = what};
	int rc = offline_read(dir, read_trace, &q, err);

	*out = q.result;
	return rc;
}

static int read_dead(struct db *db, void *arg, struct error *err)
{
	struct json_object **out = arg;

	*out = dead_turns_list(db, err);
	return *out ? 0 : -1;
}

int offline_dead_turns(const char *dir, struct json_object **out, struct error *err)
{
	*out = NULL;
	return offline_read(dir, read_dead, out, err);
}
