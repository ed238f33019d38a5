#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/format.h"

static void expect_as_printf(const char *fmt, ...)
{
	for (size_t size = 0; size < 64; size++) {
		char ours[64] = "untouched", theirs[64] = "untouched";
		va_list a, b;

		va_start(a, fmt);
		va_copy(b, a);
		assert_int_equal(str_vformat(ours, size, fmt, a), vsnprintf(theirs, size, fmt, b));
		va_end(b);
		va_end(a);
		assert_string_equal(ours, theirs);
	}
}

static void texts_are_formatted_as_by_printf(void **state)
{
	(void)state;
	expect_as_printf("");
	expect_as_printf("no directive");
	expect_as_printf("%s", "");
	expect_as_printf("[%s/%s] %d%d%d", "a", "bc", 0, -1, INT_MIN);
	expect_as_printf("%u %u", 0u, UINT_MAX);
	expect_as_printf("%" PRId64 "%" PRIu64 ", %zu", INT64_MIN, UINT64_MAX, SIZE_MAX);
	expect_as_printf("%.*s|%.*s|%.*s", 2, "abc", 9, "abc", 0, "abc");
	/* The rest is printf's, also behind others. */
	expect_as_printf("%s %5.1f%% %lld %02x %c", "x", 2.25, 7LL, 10u, 'y');
	expect_as_printf("%s, %s", "known", (const char *)NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_are_formatted_as_by_printf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
