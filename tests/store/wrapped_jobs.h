#ifndef TESTS_STORE_WRAPPED_JOBS_H
#define TESTS_STORE_WRAPPED_JOBS_H
/* Puts a function of the test in the place of what jobs do, in programs that are linked with --wrap=job_new.
 */

struct db;
struct error;
struct job;

typedef int job_run_fn(struct job *job, struct db *db, struct error *err);

/* Jobs that write run this from now on; NULL: what they are made for. */
void jobs_run_instead(job_run_fn *run);
/* Runs what a job is made for. */
int jobs_run_real(struct job *job, struct db *db, struct error *err);
/* The same, after the ids of what was undone are there to be given again: rows can be compared. */
int jobs_run_with_the_same_ids(struct job *job, struct db *db, struct error *err);

#endif
