#include "store/offline.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "store/db_engine.h"
#include "store/postgres/db_postgres.h"
#include "store/settings.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/check.h"
#include "store/sqlite/recover.h"
#include "store/sqlite/db_sqlite.h"
#include "store/files.h"
#include "store/store_internal.h"
#include "store/lock.h"
#include "store/moved.h"
#include "store/schema.h"

static int check_file(const char *dir, const char *name, const char *missing, struct error *err)
{
	char *path = xasprintf("%s/%s", dir, name);
	int rc = 0;

	if (access(path, F_OK) != 0)
		rc = errno == EACCES ?
		    error_set(err, ERROR_OURS,
			"%s is closed to you: run this as the gateway's user (sudo -u USER myna ...)", path) :
		    error_set(err, ERROR_OURS, missing, path);
	free(path);
	return rc;
}

/* Both files must exist: created here, by another user than the gateway's, they would be unreadable for
 * it. */
int offline_lock(const char *dir, struct error *err)
{
	if (check_file(dir, "myna.db", "there is no database %s", err) != 0 ||
	    check_file(dir, "lock", "%s is missing: start the gateway once", err) != 0)
		return -1;
	return lock_acquire(dir, err);
}

int offline_check_store(struct db *db, struct error *err)
{
	int64_t version = 0;

	if (schema_version(db, &schema_current, &version, err) != 0 ||
	    (version > 0 && moved_check(db, err) != 0))
		return -1;
	if (version == (int64_t)schema_current.count)
		return 0;
	return error_set(err, ERROR_OURS,
	    "the database %s is of an older version: start the gateway once, which brings it up to date",
	    db->path);
}

/* Closes the database. */
static int read_open(struct db *db, offline_fn *fn, void *arg, struct error *err)
{
	int rc = offline_check_store(db, err);

	if (rc == 0)
		rc = fn(db, arg, err);
	db_close(db);
	return rc;
}

static int read_db(const char *dir, const char *path, offline_fn *fn, void *arg, struct error *err)
{
	struct db db = {0};

	return db_sqlite_open(&db, dir, path, DB_EVIDENCE, err) != 0 ? -1 : read_open(&db, fn, arg, err);
}

static bool is_on_server(const struct offline_place *place)
{
	return place->settings && place->settings->engine == STORE_POSTGRES;
}

static int read_server(const struct offline_place *place, offline_fn *fn, void *arg, struct error *err)
{
	struct db db = {0};

	return db_postgres_open(&db, place->dir, place->settings, false, err) != 0 ?
	    -1 :
	    read_open(&db, fn, arg, err);
}

int offline_read(const struct offline_place *place, offline_fn *fn, void *arg, struct error *err)
{
	if (is_on_server(place))
		return read_server(place, fn, arg, err);
	char *path = xasprintf("%s/myna.db", place->dir);
	int lock = offline_lock(place->dir, err), rc = -1;

	if (lock >= 0)
		rc = read_db(place->dir, path, fn, arg, err);
	lock_release(lock);
	free(path);
	return rc;
}

static int look(struct db *db, void *arg, struct error *err)
{
	struct offline_findings *f = arg;
	int64_t running = 0;

	if (db_number(db, "SELECT received_ms FROM inbox ORDER BY id DESC LIMIT 1", DB_NO_ARGS, &f->newest_ms,
		err) < 0 ||
	    db_number(db, "SELECT value FROM meta WHERE name = 'running'", DB_NO_ARGS, &running, err) < 0)
		return -1;
	f->exists = true;
	f->running = running != 0;
	return db->ops->check(db, &f->risk, err);
}

int offline_check(const struct offline_place *place, struct offline_findings *out, struct error *err)
{
	char *path = xasprintf("%s/myna.db", place->dir);
	bool none = !is_on_server(place) && access(path, F_OK) != 0;

	*out = (struct offline_findings){0};
	free(path);
	return none ? 0 : offline_read(place, look, out, err);
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
	int rc = -1;

	if (recover_resume(dir, "myna.db", clock_wall(), err) != 0 ||
	    read_db(dir, path, check_whole, NULL, err) != 0)
		return -1;
	out->before = files_size(path);
	if (check_space(dir, out->before, err) == 0)
		rc = recover_compact(dir, "myna.db", &schema_current, err);
	out->after = files_size(path);
	return rc;
}

int offline_compact(const struct offline_place *place, struct offline_sizes *out, struct error *err)
{
	if (is_on_server(place))
		return error_set(err, ERROR_OURS,
		    "the store is in %s: the server gives free space back by itself (VACUUM)",
		    place->settings->url);
	char *path = xasprintf("%s/myna.db", place->dir);
	int lock = offline_lock(place->dir, err), rc = -1;

	if (lock >= 0)
		rc = compact(place->dir, path, out, err);
	lock_release(lock);
	free(path);
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

int offline_trace(
    const struct offline_place *place, const char *what, struct json_object **out, struct error *err)
{
	struct trace_question q = {.what = what};
	int rc = offline_read(place, read_trace, &q, err);

	*out = q.result;
	return rc;
}

static int read_dead(struct db *db, void *arg, struct error *err)
{
	struct json_object **out = arg;

	*out = dead_turns_list(db, err);
	return *out ? 0 : -1;
}

int offline_dead_turns(const struct offline_place *place, struct json_object **out, struct error *err)
{
	*out = NULL;
	return offline_read(place, read_dead, out, err);
}

static int copy_all(struct db *db, void *arg, struct error *err)
{
	int rc;

	while ((rc = backup_slice(arg, db, err)) > 0)
		;
	return rc;
}

int offline_backup(const struct offline_place *place, const char *file, struct error *err)
{
	struct backup *b;
	int rc;

	if (is_on_server(place))
		return error_set(
		    err, ERROR_OURS, "the store is in %s: copy it with pg_dump", place->settings->url);
	b = backup_new(file);
	rc = offline_read(place, copy_all, b, err);
	if (rc == 0)
		rc = backup_complete(b, err);
	backup_free(b);
	return rc;
}
