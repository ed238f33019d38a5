#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "net/backoff.h"

static void waits_double_from_base_to_max(void **state)
{
	static const uint64_t ceilings[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000};

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct backoff b = {.base_ms = 1000, .max_ms = 30000};

		clock_fake(0, seed);
		for (size_t i = 0; i < sizeof(ceilings) / sizeof(ceilings[0]); i++)
			assert_in_range(backoff_next(&b), ceilings[i] / 2, ceilings[i]);
	}
}

static void jitter_reaches_both_ends_of_the_upper_half(void **state)
{
	uint64_t low = UINT64_MAX, high = 0;

	(void)state;
	clock_fake(0, 7);
	for (int i = 0; i < 2000; i++) {
		struct backoff b = {.base_ms = 100, .max_ms = 100};
		uint64_t ms = backoff_next(&b);

		low = ms < low ? ms : low;
		high = ms > high ? ms : high;
	}
	assert_int_equal(low, 50);
	assert_int_equal(high, 100);
}

static void a_success_starts_again_at_base(void **state)
{
	struct backoff b = {.base_ms = 200, .max_ms = 60000};

	(void)state;
	for (int i = 0; i < 5; i++)
		backoff_next(&b);
	assert_int_equal(b.tries, 5);
	backoff_reset(&b);
	assert_int_equal(b.tries, 0);
	assert_in_range(backoff_next(&b), 100, 200);
}

static void thousands_of_failures_do_not_overflow(void **state)
{
	struct backoff wide = {.base_ms = 3, .max_ms = UINT64_MAX / 2};
	struct backoff stuck = {.base_ms = 1000, .max_ms = 300000, .tries = UINT_MAX};

	(void)state;
	for (int i = 0; i < 5000; i++)
		backoff_next(&wide);
	assert_in_range(backoff_next(&wide), UINT64_MAX / 4, UINT64_MAX / 2);
	assert_in_range(backoff_next(&stuck), 150000, 300000);
}

static void who_is_out_of_reach_is_tried_every_few_seconds(void **state)
{
	struct error silent = {.kind = ERROR_NETWORK, .unanswered = true},
		     trouble = {.kind = ERROR_NETWORK, .code = 503};
	struct backoff b = {.base_ms = 1000, .max_ms = 60000}, quick = {.base_ms = 20, .max_ms = 100};

	(void)state;
	assert_in_range(backoff_after(&b, &silent), 500, 1000);
	for (int i = 0; i < 100; i++)
		assert_in_range(backoff_after(&b, &silent), i < 2 ? 1000 : 2000, BACKOFF_SOON_MS);
	/* It answers, and has trouble: the failures before count. */
	assert_in_range(backoff_after(&b, &trouble), 30000, 60000);
	for (int i = 0; i < 100; i++)
		assert_in_range(backoff_after(&quick, &silent), 10, 100);
}

static void what_failed_on_our_side_is_tried_every_few_seconds(void **state)
{
	struct error full = {.kind = ERROR_OURS}, limited = {.kind = ERROR_LIMITED};
	struct backoff b = {.base_ms = 1000, .max_ms = 60000};

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_in_range(backoff_after(&b, &full), 500, BACKOFF_SOON_MS);
	assert_in_range(backoff_after(&b, &limited), 30000, 60000);
}

static void a_base_above_max_waits_max(void **state)
{
	struct backoff b = {.base_ms = 5000, .max_ms = 1000}, none = {0};

	(void)state;
	assert_in_range(backoff_next(&b), 500, 1000);
	assert_int_equal(backoff_next(&none), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(waits_double_from_base_to_max),
	    cmocka_unit_test(jitter_reaches_both_ends_of_the_upper_half),
	    cmocka_unit_test(a_success_starts_again_at_base),
	    cmocka_unit_test(thousands_of_failures_do_not_overflow),
	    cmocka_unit_test(who_is_out_of_reach_is_tried_every_few_seconds),
	    cmocka_unit_test(what_failed_on_our_side_is_tried_every_few_seconds),
	    cmocka_unit_test(a_base_above_max_waits_max),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
