#include "store/sqlite/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/worker.h"
#include "store/sqlite/check.h"
#include "store/files.h"
#include "store/sqlite/db_sqlite.h"
#include "store/store_internal.h"

/* Pages per slice (512 KiB) between other jobs. */
#define SLICE_PAGES 128

struct backup {
	char *file, *part, *dir;
	sqlite3 *to;
	sqlite3_backup *pages;
	bool begun, complete;
};

static char *folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	if (!slash)
		return xstrdup(".");
	return slash == file ? xstrdup("/") : xstrndup(file, (size_t)(slash - file));
}

struct backup *backup_new(const char *file)
{
	struct backup *b = xcalloc(1, sizeof(*b));

	b->file = xstrdup(file);
	b->dir = folder_of(file);
	b->part = xasprintf("%s.part-%ld", file, (long)getpid());
	return b;
}

/* Runs on the store's thread, because it uses the connection. */
static void end_copy(struct backup *b)
{
	sqlite3_backup_finish(b->pages);
	sqlite3_close(b->to);
	b->pages = NULL;
	b->to = NULL;
}

/* With the logs that SQLite creates beside it. */
static void remove_part(const struct backup *b)
{
	static const char *const ends[] = {"", "-journal", "-wal"};

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		char *path = xasprintf("%s%s", b->part, ends[i]);

		unlink(path);
		free(path);
	}
}

void backup_free(struct backup *b)
{
	end_copy(b);
	if (b->begun && !b->complete)
		remove_part(b);
	free(b->file);
	free(b->dir);
	free(b->part);
	free(b);
}

static int fail(struct backup *b, struct error *err)
{
	return error_set(err, ERROR_OURS, "cannot write the copy %s: %s", b->part, sqlite3_errmsg(b->to));
}

static int begin(struct backup *b, struct db *db, struct error *err)
{
	int fd;

	if (access(b->file, F_OK) == 0)
		return error_set(err, ERROR_REFUSED, "%s is there already: name another file", b->file);
	fd = open(b->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_set(err, ERROR_REFUSED, "cannot make %s: %m%s", b->part,
		    errno == EACCES ? ". Name a folder where the user of the gateway may write." : "");
	close(fd);
	b->begun = true;
	if (sqlite3_open_v2(b->part, &b->to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return fail(b, err);
	/* The complete file is synced at the end. */
	sqlite3_exec(b->to, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
	b->pages = sqlite3_backup_init(b->to, "main", db->handle, "main");
	return b->pages ? 0 : fail(b, err);
}

int backup_slice(struct backup *b, struct db *db, struct error *err)
{
	int rc;

	if (!b->begun && begin(b, db, err) != 0)
		return -1;
	rc = sqlite3_backup_step(b->pages, SLICE_PAGES);
	if (rc == SQLITE_OK)
		return 1;
	end_copy(b);
	return rc == SQLITE_DONE ?
	    0 :
	    error_set(err, ERROR_OURS, "cannot write the copy %s: %s", b->part, sqlite3_errstr(rc));
}

/* Checks the copy, drops its log and marks it as stopped cleanly, so that a start need not check it again. */
static int settle(struct backup *b, struct error *err)
{
	struct db db = {0};
	int rc;

	if (db_sqlite_open(&db, b->dir, b->part, DB_EVIDENCE, err) != 0)
		return -1;
	rc = check_everything(&db, err);
	if (rc == 0)
		rc = db_script(&db,
		    "PRAGMA journal_mode = DELETE; UPDATE meta SET value = 0 WHERE name = 'running'", err);
	db_close(&db);
	return rc;
}

static int sync_file(const struct backup *b, struct error *err)
{
	int fd = open(b->part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), rc = fd >= 0 ? fsync(fd) : -1;

	if (rc != 0)
		error_set(err, ERROR_OURS, "cannot sync %s: %m", b->part);
	if (fd >= 0)
		close(fd);
	return rc;
}

int backup_complete(struct backup *b, struct error *err)
{
	if (settle(b, err) != 0 || sync_file(b, err) != 0)
		return -1;
	/* Does not replace a file that got the name meanwhile. */
	if (renameat2(AT_FDCWD, b->part, AT_FDCWD, b->file, RENAME_NOREPLACE) != 0)
		return error_set(err, ERROR_REFUSED, "cannot give the copy its name %s: %m", b->file);
	b->complete = true;
	return files_sync(b->dir, err);
}

struct backup_job {
	struct job job;
	struct backup *backup;
	struct store *store;
};

static bool is_stopping(struct store *s)
{
	bool stopping;

	uv_mutex_lock(&s->queue.lock);
	stopping = s->queue.draining;
	uv_mutex_unlock(&s->queue.lock);
	return stopping;
}

static int backup_run(struct job *job, struct db *db, struct error *err)
{
	struct backup_job *j = (struct backup_job *)job;

	if (is_stopping(j->store)) {
		end_copy(j->backup);
		return error_cancelled(err);
	}
	return backup_slice(j->backup, db, err);
}

static void backup_job_free(struct job *job)
{
	struct backup_job *j = (struct backup_job *)job;

	if (j->backup)
		backup_free(j->backup);
	free(j);
}

struct complete_job {
	struct worker_job job;
	struct backup *backup;
	struct error err;
	int rc;
};

static void complete_run(struct worker_job *job)
{
	struct complete_job *j = (struct complete_job *)job;

	j->rc = backup_complete(j->backup, &j->err);
}

static void complete_free(struct worker_job *job)
{
	struct complete_job *j = (struct complete_job *)job;

	backup_free(j->backup);
	free(j);
}

/* Runs outside the store's thread, as the check of a large copy takes long. Takes b. */
static int complete_elsewhere(struct task *t, struct backup *b, struct error *err)
{
	struct complete_job *j = xcalloc(1, sizeof(*j));
	int rc;

	j->job = (struct worker_job){.run = complete_run, .free = complete_free};
	j->backup = b;
	if (worker_await(t, &j->job, err) < 0)
		return -1;
	rc = j->rc;
	if (rc != 0)
		*err = j->err;
	complete_free(&j->job);
	return rc;
}

int backup_store(struct task *t, struct store *s, const char *file, struct error *err)
{
	struct backup_job *j = job_new(sizeof(*j), JOB_READ, backup_run, backup_job_free);
	struct backup *b;

	j->backup = backup_new(file);
	j->store = s;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	b = j->backup;
	j->backup = NULL;
	job_free(&j->job);
	return complete_elsewhere(t, b, err);
}
