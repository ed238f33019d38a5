#include "store/wrapped_jobs.h"

#include <pthread.h>

#include "base/mem.h"
#include "store/job_queue.h"
#include "store/store_fixture.h"

/* What the newest jobs are made for. */
static struct {
	const struct job *job;
	job_run_fn *run;
} real[64];
static size_t made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static job_run_fn *instead;

void jobs_run_instead(job_run_fn *run)
{
	instead = run;
}

int jobs_run_real(struct job *job, struct db *db, struct error *err)
{
	job_run_fn *run = NULL;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < ARRAY_LEN(real); i++)
		if (real[i].job == job)
			run = real[i].run;
	pthread_mutex_unlock(&lock);
	return run(job, db, err);
}

int jobs_run_with_the_same_ids(struct job *job, struct db *db, struct error *err)
{
	return fixture_rewind_ids(db, err) != 0 ? -1 : jobs_run_real(job, db, err);
}

/* The linker gives these names. */
void *__real_job_new(size_t size, enum job_class class, job_run_fn *run, void (*release)(struct job *job));
void *__wrap_job_new(size_t size, enum job_class class, job_run_fn *run, void (*release)(struct job *job));

void *__wrap_job_new(size_t size, enum job_class class, job_run_fn *run, void (*release)(struct job *job))
{
	bool wrap = instead && class == JOB_WRITE;
	struct job *job = __real_job_new(size, class, wrap ? instead : run, release);

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
