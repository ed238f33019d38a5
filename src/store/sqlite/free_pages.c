/* Gives the space of deleted rows back to the file system, in slices while the store is idle. */
#include "store/sqlite/free_pages.h"

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "store/store_internal.h"

/* Pages moved in one slice: some milliseconds. */
#define SLICE "64"
/* Begins when more than an eighth of the file is free, and leaves a sixteenth: what is deleted each day makes
 * room for what comes. These pages are always left. */
#define LEFT 256

struct free_pages_job {
	struct job job;
	struct store *store;
	int64_t began_with; /* pages of the file; 0: not begun */
};

static int read_pages(struct db *db, int64_t *all, int64_t *unused, struct error *err)
{
	return db_number(db, "SELECT page_count FROM pragma_page_count()", DB_NO_ARGS, all, err) < 0 ||
		db_number(db, "SELECT freelist_count FROM pragma_freelist_count()", DB_NO_ARGS, unused, err) <
		    0 ?
	    -1 :
	    0;
}

static int slice(struct db *db, struct error *err)
{
	if (db_begin(db, err) != 0 || db_script(db, "PRAGMA incremental_vacuum(" SLICE ")", err) != 0)
		return -1;
	return db_commit(db, err);
}

static int free_pages_run(struct job *job, struct db *db, struct error *err)
{
	struct free_pages_job *j = (struct free_pages_job *)job;
	int64_t all, unused, mode = 0;

	/* A database of an earlier version stays as it is: docs/administration.md. */
	if (db_number(db, "SELECT auto_vacuum FROM pragma_auto_vacuum()", DB_NO_ARGS, &mode, err) < 0 ||
	    read_pages(db, &all, &unused, err) != 0)
		return -1;
	if (mode == 0 || unused <= LEFT + (j->began_with > 0 ? all / 16 : all / 8)) {
		if (j->began_with > all)
			log_info("store", "the database gave back %lld pages of 4 KiB; it has %lld",
			    (long long)(j->began_with - all), (long long)all);
		return 0;
	}
	j->began_with = j->began_with > 0 ? j->began_with : all;
	return slice(db, err) != 0 ? -1 : 1;
}

static void free_pages_free(struct job *job)
{
	struct free_pages_job *j = (struct free_pages_job *)job;

	j->store->free_pages_running = false;
	free(j);
}

void free_pages_start(struct store *s)
{
	struct free_pages_job *j;

	if (s->free_pages_running)
		return;
	s->free_pages_running = true;
	j = job_new(sizeof(*j), JOB_IDLE, free_pages_run, free_pages_free);
	j->store = s;
	job_queue_put(&s->queue, &j->job);
}
