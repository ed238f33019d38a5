/* Each write runs, is undone and runs again: it leaves, and tells its caller, what it would have at once. */
#include "store/scene.h"

#include "base/time/clock.h"
#include "store/db.h"
#include "store/usage.h"
#include "store/wrapped_jobs.h"

static size_t repeated;

static int run_twice(struct job *job, struct db *db, struct error *err)
{
	if (db_run(db, "SAVEPOINT first", DB_NO_ARGS, err) < 0)
		return -1;
	jobs_run_with_the_same_ids(job, db, err);
	db_end_all(db);
	if (db_run(db, "ROLLBACK TO first", DB_NO_ARGS, err) < 0 ||
	    db_run(db, "RELEASE first", DB_NO_ARGS, err) < 0)
		return -1;
	usage_forget(db);
	repeated++;
	return jobs_run_with_the_same_ids(job, db, err);
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
	jobs_run_instead(left[0] ? run_twice : jobs_run_with_the_same_ids);
	if (w->write(t, &s, &err) < 0)
		fail_msg("%s: %s", w->name, err.text);
	assert_true((left[0] != NULL) == (repeated > before));
	jobs_run_instead(NULL);
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

/* As when another node has ended the turn while the connection was lost. */
static int run_again_without_turns(struct job *job, struct db *db, struct error *err)
{
	if (db_run(db, "SAVEPOINT first", DB_NO_ARGS, err) < 0 || jobs_run_real(job, db, err) != 0)
		return -1;
	db_end_all(db);
	if (db_run(db, "ROLLBACK TO first", DB_NO_ARGS, err) < 0 ||
	    db_run(db, "RELEASE first", DB_NO_ARGS, err) < 0 ||
	    db_run(db, "UPDATE turns SET state = 1", DB_NO_ARGS, err) < 0)
		return -1;
	return jobs_run_real(job, db, err);
}

static void a_turn_that_is_gone_the_second_time_is_not_resumed(struct task *t, struct fixture *p)
{
	struct scene s = scene_begin(t, p);
	struct store_turn turn = {0};
	struct error err;
	int found;

	scene_in_a_turn(t, &s);
	jobs_run_instead(run_again_without_turns);
	found = store_turn_resume(t, p->store, &s.where, &turn, &err);
	jobs_run_instead(NULL);
	assert_ok(found, err);
	assert_int_equal(found, 0);
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_BOTH(a_write_that_is_undone_and_runs_again_does_the_same),
	    IN_PLACE(a_turn_that_is_gone_the_second_time_is_not_resumed),
	};

	return fixture_run_tests("repeated writes", tests, ARRAY_LEN(tests));
}
