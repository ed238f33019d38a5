/* What is retired ends when the last one who may have seen it has left, and not before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/epoch.h"
#include "base/mem.h"

static struct buf ended = BUF_INIT;

static char a = 'a', b = 'b';

static void end(void *arg)
{
	buf_addch(&ended, *(char *)arg);
}

static void retire(char *what)
{
	epoch_retire(end, what);
}

static int begin(void **state)
{
	(void)state;
	buf_reset(&ended);
	return 0;
}

static void with_nobody_inside_it_ends_at_once(void **state)
{
	(void)state;
	retire(&a);
	assert_string_equal(ended.data, "a");
	epoch_leave(NULL);
}

static void it_waits_for_all_who_were_inside(void **state)
{
	(void)state;
	struct epoch *one = epoch_enter(), *two = epoch_enter();
	retire(&a);
	epoch_leave(one);
	assert_int_equal(ended.len, 0);
	epoch_leave(two);
	assert_string_equal(ended.data, "a");
}

static void who_comes_later_does_not_hold_it(void **state)
{
	(void)state;
	struct epoch *one = epoch_enter();
	retire(&a);
	struct epoch *late = epoch_enter();
	epoch_leave(one);
	assert_string_equal(ended.data, "a");
	epoch_leave(late);
}

/* Who is inside since before two retirements may have read what the second one retires. */
static void an_early_one_holds_all_that_is_retired_later(void **state)
{
	(void)state;
	struct epoch *early = epoch_enter();
	retire(&a);
	struct epoch *middle = epoch_enter();
	retire(&b);
	epoch_leave(middle);
	assert_int_equal(ended.len, 0);
	epoch_leave(early);
	assert_string_equal(ended.data, "ab");
}

static int finish(void **state)
{
	(void)state;
	buf_clear(&ended);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(with_nobody_inside_it_ends_at_once, begin),
	    cmocka_unit_test_setup(it_waits_for_all_who_were_inside, begin),
	    cmocka_unit_test_setup(who_comes_later_does_not_hold_it, begin),
	    cmocka_unit_test_setup(an_early_one_holds_all_that_is_retired_later, begin),
	};

	return cmocka_run_group_tests(tests, NULL, finish);
}
