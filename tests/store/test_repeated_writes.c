/* Each write runs, is undone and runs again: it leaves, and tells its caller, what it would have at once. */
#include "store/scene.h"

#include <pthread.h>

#include "base/time/clock.h"
#include "store/db.h"
#include "store/job_queue.h"

typedef int run_fn(struct job *job, struct db *db, struct error *err);

/* What the jobs that were made while twice was set really do. */
static struct {
	const struct job *job;
	run_fn *run;
} real[64];
static size_t made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool twice;
static size_t repeated;

static run_fn *run_of(const struct job *job)
{
	run_fn *run = NULL;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < ARRAY_LEN(real); i++)
		if (real[i].job == job)
			run = real[i].run;
	pthread_mutex_unlock(&lock);
	return run;
}

static int run_twice(struct job *job, struct db *db, struct error *err)
{
	run_fn *run = run_of(job);

	if (db_run(db, "SAVEPOINT first", DB_NO_ARGS, err) < 0)
		return -1;
	run(job, db, err);
	db_end_all(db);
	if (db_run(db, "ROLLBACK TO first", DB_NO_ARGS, err) < 0 ||
	    db_run(db, "RELEASE first", DB_NO_ARGS, err) < 0)
		return -1;
	if (fixture_rewind_ids(db, err) != 0)
		return -1;
	repeated++;
	return run(job, db, err);
}

/* The linker gives these names. */
void *__real_job_new(size_t size, enum job_class class, run_fn *run, void (*release)(struct job *job));
void *__wrap_job_new(size_t size, enum job_class class, run_fn *run, void (*release)(struct job *job));

void *__wrap_job_new(size_t size, enum job_class class, run_fn *run, void (*release)(struct job *job))
{
	bool wrap = twice && class == JOB_WRITE;
	struct job *job = __real_job_new(size, class, wrap ? run_twice : run, release);

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < ARRAY_LEN(real); i++)
		if (real[i].job == job)
			real[i].job = NULL;
	real[made].job = job;
	real[made].run = run;
	made = (made + 1) % ARRAY_LEN(real);
	pthread_mutex_unlock(&lock);
	return job;
}

static size_t which;
static char *left[2]; /* at once and repeated */

static void write_one(struct task *t, struct fixture *p)
{
	const struct scene_write *w = &scene_writes[which];
	struct scene s = scene_begin(t, p);
	size_t before = repeated;
	struct error err;
	char *rows;

	if (w->before)
		w->before(t, &s);
	twice = left[0];
	if (w->write(t, &s, &err) < 0)
		fail_msg("%s: %s", w->name, err.text);
	assert_true(twice == (repeated > before));
	twice = false;
	rows = fixture_contents(p);
	left[left[0] != NULL] = xasprintf("told: %s\n%s", s.told.data, rows);
	free(rows);
	scene_end(&s);
}

static void a_write_that_is_undone_and_runs_again_does_the_same(void **state)
{
	struct fixture_body body = {.fn = write_one};
	void *one = &body;

	(void)state;
	for (which = 0; which < scene_write_count; which++) {
		for (size_t i = 0; i < ARRAY_LEN(left); i++) {
			clock_fake(1790000000000, 1);
			fixture_run(&one);
		}
		if (strcmp(left[0], left[1]) != 0)
			fail_msg("%s left at once:\n%s\nand repeated:\n%s", scene_writes[which].name, left[0],
			    left[1]);
		for (size_t i = 0; i < ARRAY_LEN(left); i++) {
			free(left[i]);
			left[i] = NULL;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_BOTH(a_write_that_is_undone_and_runs_again_does_the_same),
	};

	return fixture_run_tests("repeated writes", tests, ARRAY_LEN(tests));
}
