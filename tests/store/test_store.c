#include "store/store_fixture.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/time/clock.h"
#include "bus/message.h"
#include "lib/until.h"
#include "store/lock.h"
#include "store/schema.h"
#include "store/store_internal.h"

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void what_was_stored_is_there_after_a_stop(struct task *t, struct fixture *p)
{
	fixture_put(t, p, "a", "telegram:1", "hello");
	fixture_reopen(t, p);
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "1");
	assert_string_equal(p->notices.data, "");
}

static void nobody_else_may_read_the_files(struct task *t, struct fixture *p)
{
	static const char *const files[] = {"myna.db", "myna.db-wal", "lock"};
	struct stat st;

	fixture_put(t, p, "a", "telegram:1", "hello");
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		assert_int_equal(stat(fixture_path(p, files[i]), &st), 0);
		assert_int_equal(st.st_mode & 077, 0);
	}
}

static void no_memory_is_shared_and_a_clean_stop_leaves_no_log(struct task *t, struct fixture *p)
{
	fixture_put(t, p, "a", "telegram:1", "hello");
	assert_int_equal(fixture_files(p, "myna.db-shm"), 0);
	assert_int_equal(fixture_files(p, "myna.db-wal"), 1);
	fixture_close(t, p);
	assert_int_equal(fixture_files(p, "myna.db-wal"), 0);
	assert_int_equal(fixture_number(p, "SELECT value FROM meta WHERE name = 'running'"), 0);
	fixture_open(t, p);
}

static void the_directory_is_made_when_it_is_missing(struct task *t, struct fixture *p)
{
	char *inner = xasprintf("%s/inner", p->dir), *nowhere = xasprintf("%s/no/where", p->dir);
	struct store_options options = {.dir = inner};
	struct error err;
	struct store *s;
	struct stat st;

	s = store_open(t, &options, &err);
	assert_non_null(s);
	store_close(t, s);
	assert_int_equal(stat(inner, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	for (size_t i = 0; i < 2; i++)
		unlink(fixture_path(p, i == 0 ? "inner/myna.db" : "inner/lock"));
	assert_int_equal(rmdir(inner), 0);

	options.dir = nowhere;
	assert_null(store_open(t, &options, &err));
	assert_non_null(strstr(err.text, "cannot make the state directory"));
	free(nowhere);
	free(inner);
}

static void a_directory_that_cannot_be_written_is_refused(struct task *t, struct fixture *p)
{
	struct store_options options = {.dir = "/proc/self"};
	struct error err;

	(void)p;
	assert_null(store_open(t, &options, &err));
	assert_int_equal(err.kind, ERROR_OURS);
	assert_non_null(strstr(err.text, "/proc/self/lock"));
}

static void the_same_directory_twice_in_one_process_is_refused(struct task *t, struct fixture *p)
{
	struct store_options options = {.dir = p->dir, .settings = &p->engine};
	struct error err;
	char pid[32];

	assert_null(store_open(t, &options, &err));
	assert_int_equal(err.kind, ERROR_OURS);
	assert_non_null(strstr(err.text, p->dir));
	snprintf(pid, sizeof(pid), "process %ld ", (long)getpid());
	assert_non_null(strstr(err.text, pid));
	fixture_put(t, p, "a", "telegram:1", "the first goes on");
}

static int intruder(const struct fixture *p)
{
	char *path = xasprintf("%s/lock", p->dir);
	struct store_options options = {.dir = p->dir, .settings = &p->engine};
	struct error err;
	int kept;

	unlink(path); /* the lock file alone does not keep it out */
	free(path);
	kept = !store_open(task_current(), &options, &err) &&
	    (strstr(err.text, "another process has") ||
		strstr(err.text, "another gateway uses the database"));
	return kept ? 0 : 1;
}

static void run_intruder(struct task *t, void *arg)
{
	(void)t;
	_exit(intruder(arg));
}

/* As when it is killed while it starts a program. */
static void a_dead_owner_may_leave_the_lock_a_little_later(struct task *t, struct fixture *p)
{
	struct error err;
	pid_t owner;
	int status, lock;

	fixture_close(t, p);
	owner = fork();
	if (owner == 0) {
		lock = lock_acquire(p->dir, &err);
		if (lock >= 0 && fork() == 0)
			usleep(300 * 1000);
		_exit(lock < 0);
	}
	assert_int_equal(waitpid(owner, &status, 0), owner);
	assert_int_equal(status, 0);
	lock = lock_acquire(p->dir, &err);
	assert_ok(lock, err);
	lock_release(lock);
	fixture_open(t, p);
}

static void the_database_itself_keeps_a_second_process_out(struct task *t, struct fixture *p)
{
	double began = now_ms();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		uv_loop_fork(uv_default_loop());
		task_start(NULL, "intruder", run_intruder, p);
		for (;;)
			uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(now_ms() - began < 8000);
	fixture_put(t, p, "a", "telegram:1", "the first goes on");
}

/* One of many tasks that write at once. */
struct writer {
	struct fixture *fixture;
	char event[16];
	int64_t id;
	int rc;
	struct error err;
};

/* A writer without an event puts a message that can be stored and one that cannot. */
static void write_one(struct task *t, void *arg)
{
	struct writer *w = arg;
	struct journal j = store_journal(w->fixture->store);
	struct message *m[2] = {
	    fixture_message(w->event[0] != '\0' ? w->event : "half", "telegram:1", "hello"),
	    fixture_message("never", "telegram:1", "hello"),
	};

	free(m[1]->event_id);
	m[1]->event_id = NULL;
	w->rc = j.ops->put_inbound(t, j.self, m, w->event[0] != '\0' ? 1 : 2, NULL, &w->err);
	w->id = m[0]->id;
	message_free(m[0]);
	message_free(m[1]);
}

static void write_at_once(struct task *t, struct fixture *p, struct writer *writers, size_t count)
{
	struct task_group group;

	task_group_init(&group);
	for (size_t i = 0; i < count; i++) {
		writers[i].fixture = p;
		task_start(&group, "writer", write_one, &writers[i]);
	}
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
}

static void writes_of_one_turn_of_the_loop_share_a_commit(struct task *t, struct fixture *p)
{
	struct writer writers[100] = {0};
	int64_t before;

	for (int i = 0; i < 100; i++)
		snprintf(writers[i].event, sizeof(writers[i].event), "%d", i);
	/* What the hour brings has commits, too. */
	task_until(t, p->store->queue.open == 0);
	before = fixture_counts(t, p).commits;
	write_at_once(t, p, writers, 100);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(writers[i].rc, 0);
		assert_true(writers[i].id > 0);
	}
	assert_int_equal(fixture_counts(t, p).commits - before, 1);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 100);
}

static void one_that_fails_does_not_take_its_group_along(struct task *t, struct fixture *p)
{
	struct writer writers[60] = {0};

	for (int i = 0; i < 60; i++)
		if (i % 3 != 1)
			snprintf(writers[i].event, sizeof(writers[i].event), "%d", i);
	write_at_once(t, p, writers, 60);
	for (int i = 0; i < 60; i++)
		if (i % 3 == 1) {
			assert_int_equal(writers[i].rc, -1);
			assert_int_equal(writers[i].id, 0);
			assert_non_null(strstr(writers[i].err.text, "event_id"));
		} else {
			assert_int_equal(writers[i].rc, 0);
		}
	fixture_reopen(t, p);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 40);
}

static void a_call_that_is_cancelled_has_its_effect(struct task *t, struct fixture *p)
{
	struct writer writers[40] = {0};
	struct task *tasks[40];
	struct task_group group;
	size_t cancelled = 0;

	task_group_init(&group);
	for (int i = 0; i < 40; i++) {
		writers[i].fixture = p;
		snprintf(writers[i].event, sizeof(writers[i].event), "%d", i);
		tasks[i] = task_start(&group, "writer", write_one, &writers[i]);
	}
	task_yield(t, NULL); /* all have asked now, none has its answer */
	for (int i = 0; i < 40; i += 2)
		task_cancel(tasks[i]);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	for (int i = 0; i < 40; i++) {
		cancelled += writers[i].rc != 0;
		if (writers[i].rc != 0)
			assert_int_equal(writers[i].err.kind, ERROR_CANCELLED);
	}
	assert_true(cancelled >= 1 && cancelled <= 20);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 40);
}

static void a_close_finishes_what_nobody_waits_for(struct task *t, struct fixture *p)
{
	struct writer writers[40] = {0};
	struct task_group group;

	task_group_init(&group);
	for (int i = 0; i < 40; i++) {
		writers[i].fixture = p;
		snprintf(writers[i].event, sizeof(writers[i].event), "%d", i);
		task_start(&group, "writer", write_one, &writers[i]);
	}
	task_yield(t, NULL);
	task_group_finish(t, &group);
	fixture_reopen(t, p);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 40);
}

static void close_in_task(struct task *t, void *arg)
{
	struct fixture *p = arg;

	fixture_close(t, p);
}

static void a_cancelled_task_can_close(struct task *t, struct fixture *p)
{
	struct task_group group;

	fixture_put(t, p, "a", "telegram:1", "hello");
	task_group_init(&group);
	task_start(&group, "closer", close_in_task, p);
	task_group_finish(t, &group);
	assert_null(p->store);
	assert_int_equal(fixture_number(p, "SELECT value FROM meta WHERE name = 'running'"), 0);
	fixture_open(t, p);
}

struct opener {
	struct fixture fixture;
	int rc;
	struct error err;
};

static void open_in_task(struct task *t, void *arg)
{
	struct opener *o = arg;

	o->rc = fixture_try(t, &o->fixture, &o->err);
}

static void a_cancelled_opening_leaves_the_directory_free(struct task *t, struct fixture *p)
{
	struct opener opener;
	struct task_group group;

	(void)p;
	fixture_make(&opener.fixture);
	for (int yields = 0; yields < 4; yields++) {
		task_group_init(&group);
		task_start(&group, "opener", open_in_task, &opener);
		for (int i = 0; i < yields; i++)
			task_yield(t, NULL);
		task_group_finish(t, &group);
		if (opener.rc == 0)
			fixture_close(t, &opener.fixture);
		else
			assert_int_equal(opener.err.kind, ERROR_CANCELLED);
	}
	fixture_open(t, &opener.fixture);
	fixture_close(t, &opener.fixture);
	fixture_remove(&opener.fixture);
}

static void set_version(struct fixture *p, int64_t version)
{
	char *sql = xasprintf("UPDATE meta SET value = %lld WHERE name = 'version'", (long long)version);

	fixture_do(p, sql);
	free(sql);
	sql = xasprintf("PRAGMA user_version = %lld", (long long)version);
	if (p->engine.engine == STORE_SQLITE)
		fixture_do(p, sql);
	free(sql);
}

static void a_newer_database_is_refused(struct task *t, struct fixture *p)
{
	struct error err;

	fixture_close(t, p);
	set_version(p, 99);
	assert_int_equal(fixture_try(t, p, &err), -1);
	assert_non_null(strstr(err.text, "has version 99"));
	assert_int_equal(fixture_files(p, "myna.db.damaged"), 0);
	set_version(p, (int64_t)schema_current.count);
	fixture_open(t, p);
}

/* The quickest of some tries, in time of our own threads: not that of a machine that does other things. */
#define TRIES 20

static double cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void list_one_chat(struct task *t, struct fixture *p)
{
	fixture_pending(t, p, "telegram:44");
}

static void list_addresses(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address *addresses;
	struct error err;

	assert_int_equal(j.ops->pending_addresses(t, j.self, &addresses, &err), 26);
	free(addresses);
}

static double quickest(struct task *t, struct fixture *p, void (*list)(struct task *t, struct fixture *p))
{
	double best = 1e9;

	for (int i = 0; i < TRIES; i++) {
		double began = cpu_ms();
		list(t, p);
		double took = cpu_ms() - began;
		best = took < best ? took : best;
	}
	return best;
}

static void listing_stays_quick_among_a_hundred_thousand_rows(struct task *t, struct fixture *p)
{
	double took;

	fixture_put(t, p, "first", "telegram:1", "hello");
	fixture_close(t, p);
	fixture_do(p,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO "
	    "inbox (account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, "
	    "sender_is_bot, addressed, sent_ms, received_ms, text, state) SELECT 'a', i, 0, 'telegram', i % "
	    "50, '', 0, 0, 0, 0, 0, 9000000000000, 'some text of a usual length, which nobody reads here', "
	    "CASE i % 2 WHEN 1 THEN 2 ELSE 0 END FROM n");
	fixture_open(t, p);
	if ((took = quickest(t, p, list_one_chat)) > 5)
		fail_msg("listing took %.1f ms", took);
	if ((took = quickest(t, p, list_addresses)) > 5)
		fail_msg("the addresses took %.1f ms", took);
	fixture_put(t, p, "last", "telegram:1", "hello");
}

#define DAY_MS (24ull * 3600 * 1000)

static bool is_gone(struct task *t, struct fixture *p, int64_t outbound)
{
	struct journal j = store_journal(p->store);
	struct outbound *row = j.ops->get_outbound(t, j.self, outbound, NULL);

	outbound_free(row);
	return !row;
}

static void finish(
    struct task *t, struct fixture *p, int64_t inbound, int64_t outbound, enum outbound_state state)
{
	struct journal j = store_journal(p->store);
	struct outbound *row;
	struct error err;

	assert_ok(j.ops->finish_inbound(t, j.self, &inbound, 1, "seen", NULL, 0, &err), err);
	row = j.ops->get_outbound(t, j.self, outbound, &err);
	row->state = state;
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	outbound_free(row);
}

/* Lets the hour strike that many days later, and the store act on it. */
static void pass_days(struct task *t, struct fixture *p, unsigned days)
{
	clock_advance(days * DAY_MS);
	for (int i = 0; i < 50; i++)
		fixture_counts(t, p);
	clock_advance(3600 * 1000);
	for (int i = 0; i < 400; i++)
		fixture_counts(t, p);
}

static void what_was_handled_is_forgotten_after_thirty_days(struct task *t, struct fixture *p)
{
	char event[16];

	fixture_close(t, p);
	clock_fake(1760000000000, 1);
	fixture_open(t, p);
	for (int i = 1; i <= 300; i++) {
		snprintf(event, sizeof(event), "%d", i);
		fixture_put(t, p, event, "telegram:1", "hello");
		fixture_send(t, p, "telegram:1", "answer", NULL);
		if (i != 7)
			finish(t, p, i, i, i % 2 ? OUTBOUND_SENT : OUTBOUND_FAILED);
	}
	pass_days(t, p, 29);
	assert_false(is_gone(t, p, 1));
	fixture_put(t, p, "young", "telegram:1", "hello");
	fixture_send(t, p, "telegram:1", "answer", NULL);
	finish(t, p, 301, 301, OUTBOUND_SENT);
	pass_days(t, p, 1);
	/* It is done when there is nothing else to do, which on a busy machine may be some hours later. */
	for (int i = 0; i < 100 && !is_gone(t, p, 300); i++)
		pass_days(t, p, 0);
	assert_true(is_gone(t, p, 1));
	assert_true(is_gone(t, p, 300));
	assert_false(is_gone(t, p, 7));
	assert_false(is_gone(t, p, 301));
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "7");
	assert_int_equal(fixture_put(t, p, "young", "telegram:1", "again"), 0);
	/* Nothing that failed is left, so the numbers have followed. */
	assert_int_equal(fixture_counts(t, p).outbox_failed, 0);
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM inbox"), 2);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM outbox"), 2);
	fixture_open(t, p);
	/* Ids are not given again. */
	assert_true(fixture_put(t, p, "1", "telegram:1", "long after") > 301);
}

#define FIVE_THOUSAND "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
#define NOW           "unixepoch() * 1000"

/* What the statements that count did since the last call, and how many there are. */
static int count_steps(const struct fixture *p, int *seen)
{
	int steps = 0;

	*seen = 0;
	for (sqlite3_stmt *row = NULL; (row = sqlite3_next_stmt(p->store->db.handle, row));) {
		if (strncmp(sqlite3_sql(row), "SELECT count(*) FROM ", 21) != 0)
			continue;
		steps += sqlite3_stmt_status(row, SQLITE_STMTSTATUS_VM_STEP, 1);
		(*seen)++;
	}
	return steps;
}

/* Where much has ended. */
static void a_count_reads_little_of_a_large_database(struct task *t, struct fixture *p)
{
	int seen;

	fixture_close(t, p);
	fixture_do(p,
	    FIVE_THOUSAND
	    "INSERT INTO prompts (token, state, outbox, channel, chat, thread, created_ms, "
	    "expires_ms, ended_ms, person, action, data, turn, call_id, hash) SELECT i, i < 5000, "
	    "i, 'telegram', '77', '', " NOW ", " NOW " + 60000, " NOW ", '77', 'a', 'b', i, 'c', "
	    "'d' FROM n;" FIVE_THOUSAND
	    "INSERT INTO outbox (kind, state, channel, chat, thread, part, parts, turn, attempts, "
	    "repeat, not_before_ms, created_ms, updated_ms, text) SELECT 0, 2, 'telegram', '77', "
	    "'', 0, 1, i, 1, 0, 0, " NOW ", " NOW ", 'x' FROM n;" FIVE_THOUSAND
	    "INSERT INTO inbox (account, event_id, kind, channel, chat, thread, chat_kind, "
	    "sender_is_chat, sender_is_bot, addressed, sent_ms, received_ms, text, state) SELECT "
	    "'a', i, 0, 'telegram', '77', '', 0, 0, 0, 1, 1, " NOW ", 'x', 2 FROM n;" FIVE_THOUSAND
	    "INSERT INTO sessions (channel, chat, thread, created_ms, closed_ms) SELECT "
	    "'telegram', '77', '', 1, i FROM n; INSERT INTO turns (session, state, began_ms, "
	    "ended_ms) SELECT id, 1, 1, 1 FROM sessions");
	fixture_open(t, p);
	do
		fixture_counts(t, p);
	while (p->store->conversations_running || p->store->messages_running || p->store->free_pages_running);
	/* The store's thread is at rest. */
	count_steps(p, &seen);
	assert_int_equal(fixture_counts(t, p).approvals_open, 1);
	assert_in_range(count_steps(p, &seen), 5, 500);
	assert_int_equal(seen, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(what_was_stored_is_there_after_a_stop),
	    IN_SQLITE(nobody_else_may_read_the_files, "its files"),
	    IN_SQLITE(no_memory_is_shared_and_a_clean_stop_leaves_no_log, "its files"),
	    IN_SQLITE(the_directory_is_made_when_it_is_missing, "the directory, whatever the engine"),
	    IN_SQLITE(a_directory_that_cannot_be_written_is_refused, "the directory, whatever the engine"),
	    IN_PLACE(the_same_directory_twice_in_one_process_is_refused),
	    IN_PLACE(a_dead_owner_may_leave_the_lock_a_little_later),
	    IN_PLACE(the_database_itself_keeps_a_second_process_out),
	    IN_PLACE(writes_of_one_turn_of_the_loop_share_a_commit),
	    IN_PLACE(one_that_fails_does_not_take_its_group_along),
	    IN_PLACE(a_call_that_is_cancelled_has_its_effect),
	    IN_PLACE(a_close_finishes_what_nobody_waits_for),
	    IN_PLACE(a_cancelled_task_can_close),
	    IN_PLACE(a_cancelled_opening_leaves_the_directory_free),
	    IN_PLACE(a_newer_database_is_refused),
	    IN_PLACE(listing_stays_quick_among_a_hundred_thousand_rows),
	    IN_SQLITE(a_count_reads_little_of_a_large_database, "counts the steps of SQLite"),
	    /* Last: time stands still from here on. */
	    IN_PLACE(what_was_handled_is_forgotten_after_thirty_days),
	};

	return fixture_run_tests("store", tests, ARRAY_LEN(tests));
}
