#include "store/store_internal.h"

#include "base/error.h"
#include "base/mem.h"
#include "store/files.h"
#include "store/lock.h"
#include "store/schema.h"
#include "store/turn/turn.h"

struct open_job {
	struct job job;
	struct store *store;
};

int open_note_running(struct db *db, struct error *err)
{
	int64_t running, stops;

	if (schema_get(db, "running", &running, err) != 0 ||
	    schema_get(db, "unclean_stops", &stops, err) != 0)
		return -1;
	if (running != 0 && schema_set(db, "unclean_stops", stops + 1, err) != 0)
		return -1;
	return schema_set(db, "running", 1, err);
}

static int open_run(struct job *job, struct db *db, struct error *err)
{
	struct store *s = ((struct open_job *)job)->store;

	db->stop = &s->stop;
	if (files_make_dir(s->dir, err) != 0 || (s->lock = lock_acquire(s->dir, err)) < 0)
		return -1;
	if (s->engine->open(s, job->now_ms, err) != 0)
		return -1;
	db->stop = NULL;
	return files_sync(s->dir, err);
}

static int note_stop(struct db *db, struct error *err)
{
	if (db_begin(db, err) != 0)
		return -1;
	if (turn_uncount_open_attempts(db, err) == 0 && schema_set(db, "running", 0, err) == 0 &&
	    db_return_ids(db, err) == 0)
		return db_commit(db, err);
	db_rollback(db);
	return -1;
}

static int close_run(struct job *job, struct db *db, struct error *err)
{
	struct store *s = ((struct open_job *)job)->store;
	int rc = 0;

	db->stop = NULL;
	if (db->handle && s->cluster)
		rc = s->engine->cluster->leave(s->cluster, db, err);
	else if (db->handle)
		rc = note_stop(db, err);
	db_close(db);
	lock_release(s->lock);
	s->lock = -1;
	return rc;
}

static void open_job_free(struct job *job)
{
	free(job);
}

static struct job *open_job(
    struct store *s, enum job_class class, int (*run)(struct job *job, struct db *db, struct error *err))
{
	struct open_job *j = job_new(sizeof(*j), class, run, open_job_free);

	j->store = s;
	return &j->job;
}

struct job *open_job_new(struct store *s)
{
	return open_job(s, JOB_READ, open_run);
}

struct job *close_job_new(struct store *s)
{
	return open_job(s, JOB_IDLE, close_run);
}

/* Temporary trouble, which ends with the next successful commit. Each sentence names the directory, or the
 * URL. */
static const struct {
	unsigned trouble;
	const char *begins, *begins_rest, *ends, *ends_rest;
} passing[] = {
    {DB_FULL, "No space left in ", ": nothing is accepted until there is.", "There is space in ", " again."},
    {DB_FAILING, "The disk of ", " answers with errors: nothing is accepted until it works.", "The disk of ",
	" works again."},
    {DB_UNREACHABLE, "The database ", " does not answer: nothing is accepted until it does.", "The database ",
	" answers again."},
};

static void notify_trouble(struct store *s, size_t i, bool over)
{
	const char *place = s->settings.url ? s->settings.url : s->dir;
	char *text = xasprintf("%s%s%s", over ? passing[i].ends : passing[i].begins, place,
	    over ? passing[i].ends_rest : passing[i].begins_rest);

	job_queue_notify_trouble(
	    &s->queue, &(struct job_queue_notice){.text = text, .trouble = passing[i].trouble, .over = over});
	free(text);
}

static void report_temporary_trouble(struct store *s, const struct db *db)
{
	bool works = db->commits > s->commits_when_reported;

	for (size_t i = 0; i < ARRAY_LEN(passing); i++) {
		unsigned trouble = passing[i].trouble;

		if (db->trouble & trouble & ~s->reported_troubles) {
			s->reported_troubles |= trouble;
			s->commits_when_reported = db->commits;
			notify_trouble(s, i, false);
		} else if (s->reported_troubles & trouble && works) {
			s->reported_troubles &= ~trouble;
			notify_trouble(s, i, true);
		}
	}
}

void open_report_trouble(void *store, struct db *db)
{
	struct store *s = store;

	s->engine->report(s, db);
	report_temporary_trouble(s, db);
	db->trouble = 0;
}
