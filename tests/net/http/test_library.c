#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <curl/curl.h>

#include "base/error.h"
#include "base/mem.h"
#include "net/http/library.h"

#define ALL (CURL_VERSION_SSL | CURL_VERSION_HTTP2 | CURL_VERSION_ASYNCHDNS | CURL_VERSION_LIBZ)

static void this_machines_library_will_do(void **state)
{
	struct error err = {0};

	(void)state;
	if (http_library_check(&err) != 0)
		fail_msg("%s", err.text);
}

static void one_that_is_too_old_is_named_with_what_to_do(void **state)
{
	struct error err = {0};

	(void)state;
	/* Ubuntu 20.04 has this one. */
	assert_int_equal(http_library_judge(0x074400, ALL, "7.68.0", &err), -1);
	assert_non_null(strstr(err.text, "libcurl 7.68.0 is too old: install libcurl 7.88 or newer"));
	assert_int_equal(http_library_judge(HTTP_LIBRARY_MIN - 1, ALL, "7.87.255", &err), -1);
	assert_int_equal(http_library_judge(HTTP_LIBRARY_MIN, ALL, "7.88.0", &err), 0);
	assert_int_equal(http_library_judge(0x081400, ALL, "8.20.0", &err), 0);
}

static void one_that_was_built_with_less_is_refused_with_what_it_lacks(void **state)
{
	static const struct {
		int without;
		const char *says;
	} cases[] = {
	    {CURL_VERSION_SSL, "without TLS"},
	    {CURL_VERSION_HTTP2, "without HTTP/2"},
	    {CURL_VERSION_ASYNCHDNS, "without a resolver that does not wait"},
	    {CURL_VERSION_LIBZ, "without gzip"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = {0};
		assert_int_equal(http_library_judge(0x081400, ALL & ~cases[i].without, "8.20.0", &err), -1);
		if (!strstr(err.text, cases[i].says) ||
		    !strstr(err.text, "Install the libcurl of the distribution"))
			fail_msg("%s", err.text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(this_machines_library_will_do),
	    cmocka_unit_test(one_that_is_too_old_is_named_with_what_to_do),
	    cmocka_unit_test(one_that_was_built_with_less_is_refused_with_what_it_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
