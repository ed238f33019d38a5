#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/task.h"
#include "playground/server/feed.h"

static struct feed f;
static struct feed_reader r;

static void mark(const char *what, const char *id)
{
	struct feed_mark *m = feed_add(&f, FEED_MESSAGE, "telegram", what);

	if (m)
		snprintf(m->id, sizeof(m->id), "%s", id);
}

static void expect(const char *id)
{
	bool lost;
	const struct feed_mark *m = feed_take(&f, &r, &lost);

	assert_non_null(m);
	assert_false(lost);
	assert_string_equal(m->id, id);
}

static void expect_nothing(bool wanted_lost)
{
	bool lost;

	assert_null(feed_take(&f, &r, &lost));
	assert_int_equal(lost, wanted_lost);
}

static void listen_body(struct task *t, void *arg)
{
	(void)arg;
	feed_join(&f, &r, t);
}

static void begin(void)
{
	clock_fake(1000000, 1);
	feed_init(&f);
	task_run("listen", listen_body, NULL);
	r.task = NULL;
	list_remove(&r.link); /* nobody is to be woken here */
}

static void end(void)
{
	feed_leave(&f, &r);
	feed_clear(&f);
}

static void marks_come_in_order_and_once(void **state)
{
	(void)state;
	begin();
	mark("new", "1");
	mark("new", "2");
	expect("1");
	expect("2");
	expect_nothing(false);
	end();
}

static void while_nobody_listens_nothing_is_kept(void **state)
{
	char after[64];

	(void)state;
	begin();
	mark("new", "1");
	expect("1");
	snprintf(after, sizeof(after), "%s.1", f.run);
	end();
	feed_init(&f);
	mark("new", "2");
	assert_null(f.ring);
	assert_int_equal(f.last_n, 1);
	assert_false(feed_resume(&f, &r, after)); /* another run */
	feed_clear(&f);
}

static void who_comes_back_soon_misses_nothing(void **state)
{
	char after[64];

	(void)state;
	begin();
	mark("new", "1");
	snprintf(after, sizeof(after), "%s.%d", f.run, 1);
	feed_leave(&f, &r);
	mark("new", "2");
	clock_advance(FEED_KEEP_MS - 1);
	mark("new", "3");
	assert_true(feed_resume(&f, &r, after));
	expect("2");
	expect("3");
	clock_advance(1);
	mark("new", "4");
	assert_false(feed_resume(&f, &r, after));
	assert_false(feed_resume(&f, &r, "1"));
	assert_false(feed_resume(&f, &r, ""));
	feed_clear(&f);
}

static void a_reader_that_is_too_slow_is_told_and_goes_on_with_what_comes(void **state)
{
	char id[16];

	(void)state;
	begin();
	for (int i = 0; i < FEED_MAX; i++) {
		snprintf(id, sizeof(id), "%d", i);
		mark("new", id);
	}
	expect("0");
	mark("new", "a");
	expect("1");
	mark("new", "b");
	mark("new", "c");
	mark("new", "d");
	expect_nothing(true);
	expect_nothing(false);
	mark("new", "e");
	expect("e");
	end();
}

static void of_marks_that_show_the_same_the_last_one_counts(void **state)
{
	bool lost;
	const struct feed_mark *first, *second;

	(void)state;
	begin();
	mark("edited", "1");
	mark("deleted", "1");
	mark("edited", "2");
	mark("edited", "1");
	first = feed_take(&f, &r, &lost);
	assert_true(feed_is_old(&f, first));
	second = feed_take(&f, &r, &lost);
	assert_false(feed_is_old(&f, second));
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(marks_come_in_order_and_once),
	    cmocka_unit_test(while_nobody_listens_nothing_is_kept),
	    cmocka_unit_test(who_comes_back_soon_misses_nothing),
	    cmocka_unit_test(a_reader_that_is_too_slow_is_told_and_goes_on_with_what_comes),
	    cmocka_unit_test(of_marks_that_show_the_same_the_last_one_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
