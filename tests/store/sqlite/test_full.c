#include "store/store_fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/time/clock.h"
#include "bus/message.h"
#include "store/files.h"

/* As in store.c: a trouble that has not come back for this long is over. */
#define CALM_MS 10000

/* A full disk that needs no privileges: no file may grow beyond this size. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static rlim_t log_size(const struct fixture *p)
{
	struct stat st;

	return stat(fixture_path(p, "myna.db-wal"), &st) == 0 ? (rlim_t)st.st_size : 0;
}

static unsigned next_event;

static int try_put(struct task *t, struct fixture *p, struct error *err)
{
	struct journal j = store_journal(p->store);
	char event[16], text[600];
	struct message *m;
	int rc;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	snprintf(event, sizeof(event), "%u", next_event++);
	m = fixture_message(event, "telegram:1", text);
	rc = j.ops->put_inbound(t, j.self, &m, 1, NULL, err);
	assert_true(rc == 0 ? m->id > 0 : m->id == 0);
	message_free(m);
	return rc;
}

static int64_t put_until_full(struct task *t, struct fixture *p)
{
	int64_t stored = 0;
	struct error err;

	while (try_put(t, p, &err) == 0)
		stored++;
	assert_int_equal(err.kind, ERROR_OURS);
	if (!strstr(err.text, "no space left in ") || !strstr(err.text, p->dir))
		fail_msg("%s", err.text);
	assert_non_null(strstr(err.text, "nothing was accepted that is not stored"));
	return stored;
}

static void a_full_disk_accepts_nothing_and_works_again_with_space(struct task *t, struct fixture *p)
{
	int64_t stored = 0;
	struct error err;

	for (int cycle = 0; cycle < 20; cycle++) {
		limit_files(log_size(p) + 40000);
		stored += put_until_full(t, p);
		limit_files(1);
		assert_int_equal(try_put(t, p, &err), -1);
		assert_int_equal(fixture_counts(t, p).inbox_pending, stored);
		limit_files(RLIM_INFINITY);
		assert_int_equal(try_put(t, p, &err), 0);
		stored++;
	}
	assert_int_equal(fixture_counts(t, p).inbox_pending, stored);
	fixture_reopen(t, p);
	assert_int_equal(fixture_counts(t, p).inbox_pending, stored);
	assert_int_equal(fixture_files(p, "myna.db.damaged"), 0);
	fixture_close(t, p);
	assert_int_equal(
	    fixture_number(p, "SELECT count(*) FROM pragma_integrity_check() WHERE integrity_check = 'ok'"),
	    1);
	fixture_open(t, p);
}

static void the_operator_is_told_once_of_each(struct task *t, struct fixture *p)
{
	struct error err;
	const char *full, *space;

	clock_fake(1760000000000, 1);
	limit_files(1);
	for (int i = 0; i < 5; i++)
		assert_int_equal(try_put(t, p, &err), -1);
	limit_files(RLIM_INFINITY);
	for (int i = 0; i < 5; i++)
		assert_int_equal(try_put(t, p, &err), 0);
	fixture_counts(t, p);
	assert_null(strstr(p->notices.data, "There is space in "));
	clock_advance(CALM_MS);
	full = strstr(p->notices.data, "No space left in ");
	space = strstr(p->notices.data, "There is space in ");
	assert_ptr_equal(full, p->notices.data);
	assert_true(space > full);
	assert_null(strstr(full + 1, "No space"));
	assert_null(strstr(space + 1, "There is space"));
}

/* As on a disk where some writes fit and others do not. */
static void trouble_that_comes_and_goes_is_told_as_one(struct task *t, struct fixture *p)
{
	struct error err;
	const char *full, *space;

	clock_fake(1760000000000, 1);
	for (int i = 0; i < 10; i++) {
		limit_files(1);
		assert_int_equal(try_put(t, p, &err), -1);
		limit_files(RLIM_INFINITY);
		assert_int_equal(try_put(t, p, &err), 0);
		assert_int_equal(fixture_counts(t, p).is_full, false);
		clock_advance(CALM_MS / 2);
	}
	clock_advance(CALM_MS);
	full = strstr(p->notices.data, "No space left in ");
	space = strstr(p->notices.data, "There is space in ");
	assert_ptr_equal(full, p->notices.data);
	assert_non_null(space);
	assert_null(strstr(full + 1, "No space"));
	assert_null(strstr(space + 1, "There is space"));
	/* The next one is told again. */
	size_t once = p->notices.len;
	limit_files(1);
	assert_int_equal(try_put(t, p, &err), -1);
	limit_files(RLIM_INFINITY);
	assert_int_equal(try_put(t, p, &err), 0);
	assert_non_null(strstr(p->notices.data + once, "No space left in "));
}

struct writer {
	struct fixture *fixture;
	int rc;
};

static void write_one(struct task *t, void *arg)
{
	struct writer *w = arg;
	struct error err;

	w->rc = try_put(t, w->fixture, &err);
}

static void all_of_a_group_fail_when_its_commit_does(struct task *t, struct fixture *p)
{
	struct writer writers[100];
	struct task_group group;
	int64_t stored = 0, tried = 0;

	limit_files(log_size(p) + 100000);
	/* Few large groups take less of the log than many small ones. */
	for (; stored == tried; tried += 100) {
		task_group_init(&group);
		for (int i = 0; i < 100; i++) {
			writers[i].fixture = p;
			task_start(&group, "writer", write_one, &writers[i]);
		}
		assert_int_equal(task_group_wait(t, &group, NULL), 0);
		for (int i = 0; i < 100; i++)
			stored += writers[i].rc == 0;
	}
	assert_int_equal(fixture_counts(t, p).inbox_pending, stored);
	limit_files(RLIM_INFINITY);
	fixture_reopen(t, p);
	assert_int_equal(fixture_counts(t, p).inbox_pending, stored);
}

static void a_start_on_a_full_disk_is_refused_with_the_same_sentence(struct task *t, struct fixture *p)
{
	struct error err;

	try_put(t, p, &err);
	fixture_close(t, p);
	limit_files(1000);
	assert_int_equal(fixture_try(t, p, &err), -1);
	limit_files(RLIM_INFINITY);
	assert_non_null(strstr(err.text, "no space left in "));
	fixture_open(t, p);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 1);
}

static void a_close_on_a_full_disk_loses_nothing(struct task *t, struct fixture *p)
{
	struct error err;

	for (int i = 0; i < 20; i++)
		assert_int_equal(try_put(t, p, &err), 0);
	limit_files(4096);
	fixture_close(t, p);
	limit_files(RLIM_INFINITY);
	fixture_open(t, p);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 20);
}

static void move(const struct fixture *p, const char *from, const char *to)
{
	char *old = xstrdup(fixture_path(p, from));

	assert_int_equal(rename(old, fixture_path(p, to)), 0);
	free(old);
}

static void copy(const struct fixture *p, const char *from, const char *to)
{
	char *old = xstrdup(fixture_path(p, from));
	struct error err;

	assert_ok(files_copy(old, fixture_path(p, to), &err), err);
	free(old);
}

/* Closes it as a kill does, with a bad byte in the first of several commits. */
static void damage_log(struct task *t, struct fixture *p)
{
	struct error err;
	FILE *log;

	fixture_reopen(t, p);
	for (int i = 0; i < 4; i++)
		assert_int_equal(try_put(t, p, &err), 0);
	copy(p, "myna.db", "kept");
	copy(p, "myna.db-wal", "kept-wal");
	fixture_close(t, p);
	move(p, "kept", "myna.db");
	move(p, "kept-wal", "myna.db-wal");
	log = fopen(fixture_path(p, "myna.db-wal"), "r+");
	assert_non_null(log);
	assert_int_equal(fseek(log, 200, SEEK_SET), 0);
	assert_int_equal(fputs("????", log) >= 0 && fclose(log) == 0, 1);
}

static void a_damaged_log_is_kept_once_when_there_is_space(struct task *t, struct fixture *p)
{
	struct error err;

	damage_log(t, p);
	limit_files(log_size(p) / 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(fixture_try(t, p, &err), -1);
		assert_non_null(strstr(err.text, "free space"));
	}
	limit_files(RLIM_INFINITY);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 0);
	fixture_open(t, p);
	assert_int_equal(fixture_files(p, "myna.db.damaged-"), 1);
	assert_non_null(strstr(p->notices.data, "The log of the database was damaged"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(a_full_disk_accepts_nothing_and_works_again_with_space),
	    IN_PLACE(all_of_a_group_fail_when_its_commit_does),
	    IN_PLACE(a_start_on_a_full_disk_is_refused_with_the_same_sentence),
	    IN_PLACE(a_close_on_a_full_disk_loses_nothing),
	    IN_PLACE(a_damaged_log_is_kept_once_when_there_is_space),
	    IN_PLACE(the_operator_is_told_once_of_each),
	    IN_PLACE(trouble_that_comes_and_goes_is_told_as_one),
	};

	signal(SIGXFSZ, SIG_IGN);
	return cmocka_run_group_tests_name("full", tests, NULL, NULL);
}
