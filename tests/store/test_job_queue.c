#include "store/store_fixture.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <unistd.h>

#include "store/sqlite/db_sqlite.h"
#include "store/job_queue.h"
#include "store/usage.h"
#include "lib/until.h"

/* What ran, in order. Written by the store's thread, read after it has ended. */
static char order[2000];
static size_t ran, groups;

struct step {
	struct job job;
	char name;
	int again;         /* how often it has more to do */
	atomic_bool *gate; /* waits until it is set */
	atomic_bool *came; /* is set before that */
};

static int step_run(struct job *job, struct db *db, struct error *err)
{
	struct step *s = (struct step *)job;

	(void)db;
	if (s->came)
		atomic_store(s->came, true);
	while (s->gate && !atomic_load(s->gate))
		usleep(100);
	if (ran < sizeof(order) - 1)
		order[ran++] = s->name;
	if (s->name == '!')
		return error_set(err, ERROR_OURS, "wanted to fail");
	return s->again-- > 0;
}

static int open_run(struct job *job, struct db *db, struct error *err)
{
	(void)job;
	return db_sqlite_open_memory(db, err);
}

static int close_run(struct job *job, struct db *db, struct error *err)
{
	(void)job;
	(void)err;
	db_close(db);
	return 0;
}

static void step_free(struct job *job)
{
	free(job);
}

static struct step *step_new(enum job_class class, char name)
{
	struct step *s = job_new(sizeof(*s), class, step_run, step_free);

	s->name = name;
	return s;
}

static void nothing_ran(void *arg, struct db *db)
{
	(void)arg;
	db->trouble = 0;
	groups++;
}

static void collect(void *arg, const struct job_queue_notice *notice)
{
	buf_addstr(arg, notice->text);
}

static const struct job_queue_ops ops = {.ran = nothing_ran, .notified = collect};

struct bench {
	struct queue queue;
	struct db db;
	struct buf told;
	atomic_bool gate;
	atomic_bool came;
};

/* A queue whose thread waits at the gate, so that what is put meanwhile stands in line. */
static void begin(struct task *t, struct bench *b)
{
	struct error err;
	struct job *open = job_new(sizeof(*open), JOB_READ, open_run, step_free);
	struct step *wait = step_new(JOB_READ, '-');

	*b = (struct bench){.told = BUF_INIT};
	memset(order, 0, sizeof(order));
	ran = groups = 0;
	assert_ok(job_queue_start(&b->queue, &ops, &b->told, &b->db, &err), err);
	assert_ok(job_queue_run(t, &b->queue, open, &err), err);
	job_free(open);
	wait->gate = &b->gate;
	wait->came = &b->came;
	job_queue_put(&b->queue, &wait->job);
	task_until(t, atomic_load(&b->came));
}

static void put(struct bench *b, enum job_class class, char name)
{
	job_queue_put(&b->queue, &step_new(class, name)->job);
}

static void end(struct task *t, struct bench *b)
{
	struct job *close = job_new(sizeof(*close), JOB_IDLE, close_run, step_free);

	atomic_store(&b->gate, true);
	job_queue_stop(t, &b->queue, close);
	buf_clear(&b->told);
}

static void writes_go_first_then_reads_in_their_order(struct task *t, void *arg)
{
	struct bench b;

	(void)arg;
	begin(t, &b);
	put(&b, JOB_READ, 'r');
	put(&b, JOB_WRITE, 'w');
	put(&b, JOB_READ, 's');
	put(&b, JOB_WRITE, 'x');
	end(t, &b);
	assert_string_equal(order, "-wxrs");
}

/* Whatever the thread does meanwhile: it is awake, and looks for more, when the second one comes. */
static void writes_of_one_turn_of_the_loop_share_a_commit(struct task *t, void *arg)
{
	struct bench b;
	bool finished = false;

	(void)arg;
	begin(t, &b);
	put(&b, JOB_WRITE, 'w');
	atomic_store(&b.gate, true);
	while (!finished) {
		usleep(1000);
		uv_mutex_lock(&b.queue.lock);
		finished = !list_is_empty(&b.queue.finished);
		uv_mutex_unlock(&b.queue.lock);
	}
	/* Gives the thread time to find what it may not find yet. */
	usleep(20000);
	put(&b, JOB_WRITE, 'x');
	end(t, &b);
	assert_string_equal(order, "-wx");
	/* The opening, the gate, both writes, the closing. */
	assert_int_equal(groups, 4);
}

static void a_read_waits_behind_one_commit_at_most(struct task *t, void *arg)
{
	struct bench b;
	char *read;

	(void)arg;
	begin(t, &b);
	for (int i = 0; i < 700; i++)
		put(&b, JOB_WRITE, 'w');
	put(&b, JOB_READ, 'r');
	end(t, &b);
	read = strchr(order, 'r');
	assert_non_null(read);
	assert_true(read - order < 300);
	assert_int_equal(strlen(order), 702);
}

static void a_long_read_lets_others_in_between(struct task *t, void *arg)
{
	struct bench b;
	struct step *reader = step_new(JOB_READ, 'l');

	(void)arg;
	begin(t, &b);
	reader->again = 2;
	job_queue_put(&b.queue, &reader->job);
	put(&b, JOB_READ, 'r');
	end(t, &b);
	assert_string_equal(order, "-lrll");
}

static void idle_jobs_wait_for_all_others_and_are_dropped_at_the_end(struct task *t, void *arg)
{
	struct bench b;
	struct step *idle = step_new(JOB_IDLE, 'i'), *last = step_new(JOB_READ, 'z');
	struct error err;

	(void)arg;
	begin(t, &b);
	idle->again = 1000000;
	job_queue_put(&b.queue, &idle->job);
	put(&b, JOB_WRITE, 'w');
	put(&b, JOB_READ, 'r');
	atomic_store(&b.gate, true);
	assert_ok(job_queue_run(t, &b.queue, &last->job, &err), err);
	job_free(&last->job);
	end(t, &b);
	assert_memory_equal(order, "-wr", 3);
}

static void a_failing_write_gets_its_own_sentence(struct task *t, void *arg)
{
	struct bench b;
	struct step *bad;
	struct error err;

	(void)arg;
	begin(t, &b);
	put(&b, JOB_WRITE, 'w');
	bad = step_new(JOB_WRITE, '!');
	put(&b, JOB_WRITE, 'x');
	atomic_store(&b.gate, true);
	assert_int_equal(job_queue_run(t, &b.queue, &bad->job, &err), -1);
	assert_string_equal(err.text, "wanted to fail");
	end(t, &b);
	assert_string_equal(order, "-wx!");
}

static void what_the_thread_tells_arrives_on_the_loop(struct task *t, void *arg)
{
	struct bench b;
	struct step *last = step_new(JOB_READ, 'z');

	(void)arg;
	begin(t, &b);
	job_queue_notify(&b.queue, "one ");
	job_queue_notify(&b.queue, "two");
	atomic_store(&b.gate, true);
	assert_int_equal(job_queue_run(t, &b.queue, &last->job, NULL), 0);
	job_free(&last->job);
	assert_string_equal(b.told.data, "one two");
	end(t, &b);
}

static int leave_a_row(struct job *job, struct db *db, struct error *err)
{
	struct db_row *row = db_select(db, "SELECT 1 UNION ALL SELECT 2", DB_NO_ARGS, err);

	(void)job;
	if (!row || db_next(db, row, err) != 1)
		return 0;
	return error_set(err, ERROR_OURS, "wanted to fail");
}

static int look_for_rows(struct job *job, struct db *db, struct error *err)
{
	(void)job;
	for (size_t i = 0; i < db->statement_room; i++)
		if (db->statements[i].sql && sqlite3_stmt_busy(db_sqlite_statement(db->statements[i].row)))
			return error_set(err, ERROR_OURS, "'%s' was left", db->statements[i].sql);
	return 0;
}

static void what_a_failed_job_began_to_read_is_ended(struct task *t, void *arg)
{
	static const enum job_class classes[] = {JOB_WRITE, JOB_READ};
	struct bench b;
	struct error err;

	(void)arg;
	begin(t, &b);
	atomic_store(&b.gate, true);
	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		struct job *leave = job_new(sizeof(*leave), classes[i], leave_a_row, step_free);
		struct job *look = job_new(sizeof(*look), JOB_READ, look_for_rows, step_free);

		assert_int_equal(job_queue_finish(t, &b.queue, leave, &err), -1);
		assert_string_equal(err.text, "wanted to fail");
		assert_ok(job_queue_finish(t, &b.queue, look, &err), err);
	}
	end(t, &b);
}

/* name: 'R' for the tables, '+' for a row and a request to a model, '!' for these and a failure, '?' for a
 * failure alone. */
static int row_run(struct job *job, struct db *db, struct error *err)
{
	static const char tables[] =
	    "CREATE TABLE rows (name INTEGER); CREATE TABLE sessions (id INTEGER, channel TEXT, chat TEXT);"
	    "CREATE TABLE spending (scope INTEGER, channel TEXT, who TEXT, period INTEGER, turns INTEGER, "
	    "requests "
	    "INTEGER, unpriced INTEGER, input INTEGER, cached INTEGER, written INTEGER, output INTEGER, cost "
	    "INTEGER, estimated INTEGER, seconds INTEGER, UNIQUE (scope, channel, who, period))";
	const struct store_usage spent = {.requests = 1, .day = 20261122};
	struct step *s = (struct step *)job;

	order[ran++] = s->name;
	if (s->name == 'R')
		return db_script(db, tables, err);
	if (s->name != '?' &&
	    (db_run(db, "INSERT INTO rows VALUES (1)", DB_NO_ARGS, err) < 0 ||
		usage_add(db, 1, &spent, job->now_ms, err) != 0))
		return -1;
	return s->name == '+' ? 0 : error_set(err, ERROR_OURS, "wanted to fail");
}

static int count_run(struct job *job, struct db *db, struct error *err)
{
	int64_t n, requests;

	if (db_number(db, "SELECT count(*) FROM rows", DB_NO_ARGS, &n, err) < 0 ||
	    db_number(db, "SELECT sum(requests) FROM spending", DB_NO_ARGS, &requests, err) < 0)
		return -1;
	((struct step *)job)->again = (int)n;
	return n == requests ? 0 : error_set(err, ERROR_OURS, "%d requests were written", (int)requests);
}

struct writer {
	struct queue *queue;
	struct step *step;
	int rc;
};

static void write_row(struct task *t, void *arg)
{
	struct writer *w = arg;
	struct error err;

	w->rc = job_queue_finish(t, w->queue, &w->step->job, &err);
}

/* Writes share a transaction; what failed after a change makes all of them run again. */
static void expect_alone_undone(struct task *t, const char *names, const char *ran_as, int rows)
{
	struct step *table = step_new(JOB_WRITE, 'R'), *count = step_new(JOB_READ, 'c');
	struct writer writers[8];
	struct task_group group;
	struct error err;
	struct bench b;

	begin(t, &b);
	task_group_init(&group);
	table->job.run = row_run;
	job_queue_put(&b.queue, &table->job);
	for (size_t i = 0; names[i]; i++) {
		writers[i] = (struct writer){&b.queue, step_new(JOB_WRITE, names[i]), 1};
		writers[i].step->job.run = row_run;
		task_start(&group, "writer", write_row, &writers[i]);
	}
	task_turns(t, 5);
	atomic_store(&b.gate, true);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	for (size_t i = 0; names[i]; i++)
		assert_int_equal(writers[i].rc, names[i] == '+' ? 0 : -1);
	count->job.run = count_run;
	assert_ok(job_queue_run(t, &b.queue, &count->job, &err), err);
	assert_int_equal(count->again, rows);
	job_free(&count->job);
	end(t, &b);
	assert_string_equal(order, ran_as);
}

static void of_writes_that_share_a_commit_a_failed_one_is_undone_alone(struct task *t, void *arg)
{
	(void)arg;
	expect_alone_undone(t, "+++", "-R+++", 3);
	expect_alone_undone(t, "+?+", "-R+?+", 2);
	expect_alone_undone(t, "+!+", "-R+!R+!+", 2);
}

static int begin_and_fail(struct job *job, struct db *db, struct error *err)
{
	order[ran++] = ((struct step *)job)->name;
	if (db_begin(db, err) != 0 || db_run(db, "INSERT INTO rows VALUES (1)", DB_NO_ARGS, err) < 0)
		return -1;
	return error_set(err, ERROR_OURS, "wanted to fail");
}

static void what_a_failed_idle_job_has_begun_is_undone(struct task *t, void *arg)
{
	struct step *table = step_new(JOB_WRITE, 'R'), *idle = step_new(JOB_IDLE, 'i'), *row, *count;
	struct error err;
	struct bench b;

	(void)arg;
	begin(t, &b);
	atomic_store(&b.gate, true);
	table->job.run = row_run;
	assert_ok(job_queue_finish(t, &b.queue, &table->job, &err), err);
	idle->job.run = begin_and_fail;
	assert_int_equal(job_queue_run(t, &b.queue, &idle->job, &err), -1);
	row = step_new(JOB_WRITE, '+');
	row->job.run = row_run;
	assert_ok(job_queue_finish(t, &b.queue, &row->job, &err), err);
	count = step_new(JOB_READ, 'c');
	count->job.run = count_run;
	assert_ok(job_queue_run(t, &b.queue, &count->job, &err), err);
	assert_int_equal(count->again, 1);
	job_free(&count->job);
	end(t, &b);
	assert_string_equal(order, "-Ri+");
}

static void run_body(void **state)
{
	task_run("test", *(task_fn **)*state, NULL);
	assert_int_equal(task_count(), 0);
}

#define IN_TASK(test)                                     \
	{                                                 \
#test, run_body, NULL, NULL, &(task_fn *) \
		{                                         \
			test                              \
		}                                         \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TASK(writes_go_first_then_reads_in_their_order),
	    IN_TASK(writes_of_one_turn_of_the_loop_share_a_commit),
	    IN_TASK(a_read_waits_behind_one_commit_at_most),
	    IN_TASK(a_long_read_lets_others_in_between),
	    IN_TASK(idle_jobs_wait_for_all_others_and_are_dropped_at_the_end),
	    IN_TASK(a_failing_write_gets_its_own_sentence),
	    IN_TASK(what_the_thread_tells_arrives_on_the_loop),
	    IN_TASK(what_a_failed_job_began_to_read_is_ended),
	    IN_TASK(of_writes_that_share_a_commit_a_failed_one_is_undone_alone),
	    IN_TASK(what_a_failed_idle_job_has_begun_is_undone),
	};

	return fixture_run_tests("queue", tests, ARRAY_LEN(tests));
}
