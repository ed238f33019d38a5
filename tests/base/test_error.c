#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"

static void failing_is_one_line(void **state)
{
	struct error err = {.uncertain = true, .code = 500, .retry_ms = 9};

	(void)state;
	assert_int_equal(error_set(&err, ERROR_REFUSED, "no %s for %d", "room", 2), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_string_equal(err.text, "no room for 2");
	assert_false(err.uncertain);
	assert_int_equal(err.code, 0);
	assert_int_equal(err.retry_ms, 0);
}

static void nobody_has_to_want_to_know(void **state)
{
	(void)state;
	assert_int_equal(error_set(NULL, ERROR_OURS, "x"), -1);
	assert_int_equal(error_limited(NULL, 5, "x"), -1);
	assert_int_equal(error_cancelled(NULL), -1);
	assert_int_equal(error_prefix(NULL, "x"), -1);
	error_clear(NULL);
}

static void a_limit_says_how_long_to_wait(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(error_limited(&err, 1500, "wait %d s", 2), -1);
	assert_int_equal(err.kind, ERROR_LIMITED);
	assert_int_equal(err.retry_ms, 1500);
	assert_string_equal(err.text, "wait 2 s");
}

static void a_prefix_keeps_the_rest(void **state)
{
	struct error err;

	(void)state;
	error_limited(&err, 1500, "wait");
	err.code = 429;
	err.uncertain = true;
	assert_int_equal(error_prefix(&err, "sending to %s", "ops"), -1);
	assert_string_equal(err.text, "sending to ops: wait");
	assert_int_equal(err.kind, ERROR_LIMITED);
	assert_int_equal(err.code, 429);
	assert_int_equal(err.retry_ms, 1500);
	assert_true(err.uncertain);
}

static void the_old_text_may_be_an_argument(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, ERROR_OURS, "inner");
	error_set(&err, ERROR_NETWORK, "outer (%s)", err.text);
	assert_string_equal(err.text, "outer (inner)");
	error_prefix(&err, "%s", err.text);
	assert_string_equal(err.text, "outer (inner): outer (inner)");
}

static void long_text_is_cut_between_characters(void **state)
{
	(void)state;
	for (int lead = 0; lead < 4; lead++) {
		struct error err;
		char text[400] = "";

		memset(text, 'a', (size_t)lead);
		while (strlen(text) < 300)
			memcpy(text + strlen(text), "\xf0\x9f\x98\x80", 5);
		error_set(&err, ERROR_OURS, "%s", text);
		assert_int_equal(strlen(err.text), 252 + lead);
		assert_true(utf8_valid(err.text, strlen(err.text)));
	}
}

static void text_is_made_valid(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, ERROR_OURS, "a\x1b[31m\xff");
	assert_string_equal(err.text, "a[31m\xef\xbf\xbd");
}

static void half_a_secret_is_not_left_by_the_cut(void **state)
{
	static const char secret[] = "correct-horse-battery-staple";

	(void)state;
	secret_register(secret);
	for (int before = 200; before < 260; before++) {
		struct error err;

		error_set(&err, ERROR_OURS, "%*s%s", before, "", secret);
		assert_null(strstr(err.text, "corr"));
		error_set(&err, ERROR_OURS, "%s", secret);
		error_prefix(&err, "%*s%s", before, "", secret);
		assert_null(strstr(err.text, "corr"));
	}
	secret_forget_all();
}

static void kinds_have_names(void **state)
{
	(void)state;
	assert_string_equal(error_kind_name(ERROR_NONE), "none");
	assert_string_equal(error_kind_name(ERROR_CANCELLED), "cancelled");
	assert_string_equal(error_kind_name((enum error_kind)99), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(failing_is_one_line),
	    cmocka_unit_test(nobody_has_to_want_to_know),
	    cmocka_unit_test(a_limit_says_how_long_to_wait),
	    cmocka_unit_test(a_prefix_keeps_the_rest),
	    cmocka_unit_test(the_old_text_may_be_an_argument),
	    cmocka_unit_test(long_text_is_cut_between_characters),
	    cmocka_unit_test(text_is_made_valid),
	    cmocka_unit_test(half_a_secret_is_not_left_by_the_cut),
	    cmocka_unit_test(kinds_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
