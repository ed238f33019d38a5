#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/text/quote.h"

static void assert_quoted(const char *who, const char *text, const char *want)
{
	struct buf out = BUF_INIT;

	quote_text(&out, who, text, strlen(text));
	assert_string_equal(out.data, want);
	buf_clear(&out);
}

static void every_line_is_marked(void **state)
{
	(void)state;
	assert_quoted(NULL, "", "> \n");
	assert_quoted(NULL, "one", "> one\n");
	assert_quoted("Ann", "one\ntwo\n\nthree", "> Ann: one\n> two\n> \n> three\n");
}

static void other_ends_of_lines_are_ends_too(void **state)
{
	(void)state;
	assert_quoted(NULL, "a\r\nb\rc\vd\fe", "> a\n> b\n> c\n> d\n> e\n");
	assert_quoted(NULL,
	    "a\xc2\x85"
	    "b\xe2\x80\xa8"
	    "c\xe2\x80\xa9"
	    "d",
	    "> a\n> b\n> c\n> d\n");
}

static void half_an_end_is_none(void **state)
{
	(void)state;
	assert_int_equal(quote_line_end("\xe2\x80\xa8", 2), 0);
	assert_int_equal(quote_line_end("\xe2\x80\xa8", 3), 3);
	assert_int_equal(quote_line_end("\r\n", 1), 1);
	assert_int_equal(quote_line_end("", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_line_is_marked),
	    cmocka_unit_test(other_ends_of_lines_are_ends_too),
	    cmocka_unit_test(half_an_end_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
