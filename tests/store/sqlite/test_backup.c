#include "store/store_fixture.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/message.h"
#include "store/files.h"
#include "store/offline.h"
#include "store/store_internal.h"
#include "lib/until.h"

/* Where the backup goes: beside the state. */
static const char *target(const struct fixture *p)
{
	return fixture_path(p, "backup");
}

/* Puts the backup in the fixture of the database. */
static void restore(const struct fixture *p)
{
	char *db = xstrdup(fixture_path(p, "myna.db"));

	unlink(fixture_path(p, "myna.db-wal"));
	assert_int_equal(rename(target(p), db), 0);
	free(db);
}

static void what_is_backed_up_is_there_after_a_restore(struct task *t, struct fixture *p)
{
	struct stat st;
	struct error err;
	int64_t id = fixture_put(t, p, "e1", "telegram:1", "before");
	char wanted[32];

	fixture_send(t, p, "telegram:1", "to be sent", NULL);
	assert_ok(store_backup(t, p->store, target(p), &err), err);
	assert_int_equal(stat(target(p), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	fixture_put(t, p, "e2", "telegram:1", "after");
	fixture_close(t, p);
	restore(p);
	fixture_open(t, p);
	snprintf(wanted, sizeof(wanted), "%lld", (long long)id);
	assert_string_equal(fixture_pending(t, p, "telegram:1"), wanted);
	assert_int_equal(fixture_counts(t, p).outbox_queued, 1);
	/* It began as after a stop in good order, and nothing was wrong. */
	assert_int_equal(fixture_counts(t, p).unclean_stops, 0);
	assert_int_equal(p->notices.len, 0);
}

struct writer {
	struct fixture *p;
	size_t written;
	bool stop;
};

static void write_on(struct task *t, void *arg)
{
	struct writer *w = arg;
	char event[32];

	while (!w->stop) {
		snprintf(event, sizeof(event), "w%zu", w->written++);
		fixture_put(t, w->p, event, "telegram:2", "meanwhile");
	}
}

/* Puts messages of 4 MB into a closed database: many slices. */
static void fill(const struct fixture *p)
{
	fixture_do(p,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO "
	    "inbox (account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, "
	    "sender_is_bot, addressed, sent_ms, received_ms, message_id, text, state) SELECT 'a', i, 0, 'c', "
	    "'d', '', 0, 0, 0, 1, 1, 1, i, hex(randomblob(1000)), 2 FROM n");
}

static void a_backup_of_many_slices_is_whole_while_others_write(struct task *t, struct fixture *p)
{
	struct task_group group;
	struct writer w = {.p = p};
	struct error err;
	int64_t found;

	fixture_close(t, p);
	fill(p);
	fixture_open(t, p);
	task_group_init(&group);
	task_start(&group, "writer", write_on, &w);
	assert_ok(store_backup(t, p->store, target(p), &err), err);
	w.stop = true;
	assert_ok(task_group_wait(t, &group, &err), err);
	assert_true(w.written > 1);
	fixture_close(t, p);
	restore(p);
	found = fixture_number(p, "SELECT count(*) FROM inbox WHERE chat = 'd'");
	assert_int_equal(found, 2000);
	fixture_open(t, p);
	assert_int_equal(p->notices.len, 0);
}

struct held {
	struct job job;
	struct queue *queue;
};

/* Holds the store's thread until the store stops. */
static int hold_run(struct job *job, struct db *db, struct error *err)
{
	struct queue *q = ((struct held *)job)->queue;
	bool stops = false;

	(void)db;
	(void)err;
	while (!stops) {
		usleep(100);
		uv_mutex_lock(&q->lock);
		stops = q->draining;
		uv_mutex_unlock(&q->lock);
	}
	return 0;
}

static void hold_free(struct job *job)
{
	free(job);
}

static void back_up(struct task *t, void *arg)
{
	struct fixture *p = arg;
	struct error err;

	assert_int_equal(store_backup(t, p->store, target(p), &err), -1);
	assert_int_equal(err.kind, ERROR_CANCELLED);
}

/* Holds the loop until the store's thread has closed the database, so that nothing else ends the backup. */
static void hold_the_loop(struct task *t, void *arg)
{
	struct queue *q = &((struct fixture *)arg)->store->queue;
	bool closed = false;

	(void)t;
	while (!closed) {
		usleep(100);
		uv_mutex_lock(&q->lock);
		list_each(&q->finished, link, next)
			closed |= list_entry(link, struct job, link)->class == JOB_IDLE;
		uv_mutex_unlock(&q->lock);
	}
}

static void a_backup_ends_with_the_store_and_leaves_nothing(struct task *t, struct fixture *p)
{
	struct task_group group;
	struct held *held;

	fixture_close(t, p);
	fill(p);
	fixture_open(t, p);
	task_group_init(&group);
	task_start(&group, "backup", back_up, p);
	task_yield(t, NULL);
	/* Behind the first slice. */
	held = job_new(sizeof(*held), JOB_READ, hold_run, hold_free);
	held->queue = &p->store->queue;
	job_queue_put(&p->store->queue, &held->job);
	task_until(t, fixture_files(p, "backup.part") > 0);
	task_start(&group, "hold", hold_the_loop, p);
	fixture_close(t, p);
	task_group_finish(t, &group);
	assert_int_equal(fixture_files(p, "backup"), 0);
	/* Nothing held the connection. */
	assert_int_equal(fixture_files(p, "myna.db-"), 0);
	fixture_open(t, p);
}

static void a_file_that_is_there_is_not_replaced(struct task *t, struct fixture *p)
{
	struct error err;
	int fd = open(target(p), O_WRONLY | O_CREAT, 0644);
	struct stat st;

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(store_backup(t, p->store, target(p), &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, "is there already"));
	assert_int_equal(stat(target(p), &st), 0);
	assert_int_equal(st.st_size, 0);
	/* The database itself least of all. */
	assert_int_equal(store_backup(t, p->store, fixture_path(p, "myna.db"), &err), -1);
	assert_int_equal(store_backup(t, p->store, fixture_path(p, "no/such/folder"), &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_int_equal(fixture_files(p, "backup"), 1);
	assert_int_equal(fixture_files(p, "myna.db.part"), 0);
}

static void a_store_that_is_closed_can_be_backed_up_too(struct task *t, struct fixture *p)
{
	struct error err;

	fixture_put(t, p, "e1", "telegram:1", "hello");
	assert_int_equal(offline_backup(&(struct offline_place){.dir = p->dir}, target(p), &err), -1);
	assert_non_null(strstr(err.text, "uses the state directory"));
	fixture_close(t, p);
	assert_ok(offline_backup(&(struct offline_place){.dir = p->dir}, target(p), &err), err);
	assert_int_equal(fixture_files(p, "backup"), 1);
	restore(p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM inbox"), 1);
	fixture_open(t, p);
}

static void a_damaged_database_gives_no_backup(struct task *t, struct fixture *p)
{
	struct error err;
	int fd;

	for (int i = 0; i < 200; i++) {
		char event[16];

		snprintf(event, sizeof(event), "e%d", i);
		fixture_put(t, p, event, "telegram:1", "hello");
	}
	fixture_close(t, p);
	fd = open(fixture_path(p, "myna.db"), O_RDWR);
	assert_true(fd >= 0);
	for (off_t page = 4; page < 12; page++)
		assert_int_equal(pwrite(fd, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 32, page * 4096), 32);
	close(fd);
	assert_int_equal(offline_backup(&(struct offline_place){.dir = p->dir}, target(p), &err), -1);
	assert_int_equal(fixture_files(p, "backup"), 0);
	unlink(fixture_path(p, "myna.db"));
	fixture_open(t, p);
}

/* A database of an earlier version, of which most was deleted. */
static void what_is_compacted_is_small_and_whole(struct task *t, struct fixture *p)
{
	struct offline_sizes sizes;
	struct error err;
	int64_t id;

	fixture_close(t, p);
	unlink(fixture_path(p, "myna.db"));
	fixture_do(p, "PRAGMA journal_mode = WAL");
	fixture_open(t, p);
	id = fixture_put(t, p, "e1", "telegram:1", "kept");
	fixture_send(t, p, "telegram:1", "to be sent", NULL);
	fixture_put(t, p, "e2", "telegram:2", "gone");
	assert_int_equal(offline_compact(&(struct offline_place){.dir = p->dir}, &sizes, &err), -1);
	assert_non_null(strstr(err.text, "process"));
	fixture_close(t, p);
	fixture_do(p,
	    "DELETE FROM inbox WHERE event_id = 'e2'; CREATE TABLE ballast (text); WITH RECURSIVE n(i) AS "
	    "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) INSERT INTO ballast SELECT "
	    "hex(randomblob(1000)) FROM n; DROP TABLE ballast; INSERT INTO meta (name, value) VALUES "
	    "('unclean_stops', 7) ON CONFLICT (name) DO UPDATE SET value = 7");
	assert_ok(offline_compact(&(struct offline_place){.dir = p->dir}, &sizes, &err), err);
	assert_true(sizes.before > 8000000);
	assert_true(sizes.after < 1000000);
	assert_int_equal(fixture_files(p, "myna.db.damaged"), 0);
	assert_int_equal(fixture_files(p, "myna.db.salvage"), 0);
	assert_int_equal(fixture_number(p, "PRAGMA auto_vacuum"), 2);
	fixture_open(t, p);
	assert_int_equal(fixture_counts(t, p).unclean_stops, 7);
	assert_int_equal(fixture_counts(t, p).outbox_queued, 1);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 1);
	/* No id is given twice. */
	assert_int_equal(fixture_put(t, p, "e3", "telegram:1", "next"), id + 2);
	assert_int_equal(p->notices.len, 0);
}

static void copy(const struct fixture *p, const char *from, const char *to)
{
	char *old = xstrdup(fixture_path(p, from));
	struct error err;

	assert_ok(files_copy(old, fixture_path(p, to), &err), err);
	free(old);
}

/* Names of the folder that were there, and are not. */
static void expect_not_gone(int events, const char *name)
{
	char room[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t len = read(events, room, sizeof(room));

	assert_true(len > 0);
	for (ssize_t at = 0; at < len;) {
		const struct inotify_event *e = (const struct inotify_event *)(room + at);

		assert_string_not_equal(e->name, name);
		at += (ssize_t)(sizeof(*e) + e->len);
	}
}

/* One that was killed: its log has what came last. */
static void a_compaction_leaves_a_database_in_place_at_any_time(struct task *t, struct fixture *p)
{
	struct offline_sizes sizes;
	struct error err;
	int events = inotify_init1(IN_CLOEXEC);

	fixture_reopen(t, p);
	fixture_put(t, p, "e1", "telegram:1", "kept");
	copy(p, "myna.db", "old");
	copy(p, "myna.db-wal", "old-wal");
	fixture_close(t, p);
	copy(p, "old", "myna.db");
	copy(p, "old-wal", "myna.db-wal");
	assert_true(inotify_add_watch(events, p->dir, IN_MOVED_FROM | IN_DELETE) >= 0);
	assert_ok(offline_compact(&(struct offline_place){.dir = p->dir}, &sizes, &err), err);
	expect_not_gone(events, "myna.db");
	close(events);
	assert_int_equal(fixture_files(p, "myna.db"), 1);
	fixture_open(t, p);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 1);
}

static void a_damaged_database_is_not_compacted(struct task *t, struct fixture *p)
{
	static const char garbage[4096] = "garbage";
	struct offline_sizes sizes;
	struct error err;

	fixture_put(t, p, "e1", "telegram:1", "kept");
	fixture_close(t, p);
	int fd = open(fixture_path(p, "myna.db"), O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, garbage, sizeof(garbage), 4096 * 4), sizeof(garbage));
	close(fd);
	assert_int_equal(offline_compact(&(struct offline_place){.dir = p->dir}, &sizes, &err), -1);
	assert_int_equal(fixture_files(p, "myna.db.salvage"), 0);
	assert_int_equal(fixture_files(p, "myna.db.damaged"), 0);
	fixture_open(t, p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(what_is_backed_up_is_there_after_a_restore),
	    IN_PLACE(a_backup_of_many_slices_is_whole_while_others_write),
	    IN_PLACE(a_backup_ends_with_the_store_and_leaves_nothing),
	    IN_PLACE(a_file_that_is_there_is_not_replaced),
	    IN_PLACE(a_store_that_is_closed_can_be_backed_up_too),
	    IN_PLACE(a_damaged_database_gives_no_backup),
	    IN_PLACE(what_is_compacted_is_small_and_whole),
	    IN_PLACE(a_compaction_leaves_a_database_in_place_at_any_time),
	    IN_PLACE(a_damaged_database_is_not_compacted),
	};

	return cmocka_run_group_tests_name("backup", tests, NULL, NULL);
}
