#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text/suggest.h"

static void a_distance_counts_edits_and_swaps(void **state)
{
	(void)state;
	assert_int_equal(suggest_distance("", ""), 0);
	assert_int_equal(suggest_distance("", "abc"), 3);
	assert_int_equal(suggest_distance("abc", ""), 3);
	assert_int_equal(suggest_distance("token", "tokken"), 1);
	assert_int_equal(suggest_distance("token", "toke"), 1);
	assert_int_equal(suggest_distance("tokne", "token"), 1);
	assert_int_equal(suggest_distance("kitten", "sitting"), 3);
}

static void long_names_are_far_from_everything(void **state)
{
	(void)state;
	static const char at_most[] = "0123456789012345678901234567890123456789012345678901234567890123";
	static const char over[] = "01234567890123456789012345678901234567890123456789012345678901234";
	assert_int_equal(suggest_distance(at_most, ""), 64);
	assert_true(suggest_distance(over, over) == SIZE_MAX);
	assert_true(suggest_distance("a", over) == SIZE_MAX);
}

static void a_near_name_is_within_three_edits_and_half_of_the_word(void **state)
{
	(void)state;
	static const char *const names[] = {"token", "type", "allow", "gateway_url"};
	assert_string_equal(suggest_name("tokne", names, 4), "token");
	assert_string_equal(suggest_name("gatewayurls", names, 4), "gateway_url");
	assert_string_equal(suggest_name("gateway_url123", names, 4), "gateway_url");
	assert_null(suggest_name("gateway_url1234", names, 4));
	assert_null(suggest_name("tp", names, 4));
	assert_null(suggest_name("tapx", names, 4));
	assert_null(suggest_name("", names, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_distance_counts_edits_and_swaps),
	    cmocka_unit_test(long_names_are_far_from_everything),
	    cmocka_unit_test(a_near_name_is_within_three_edits_and_half_of_the_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
