#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"

static void an_empty_buffer_is_an_empty_string(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	assert_string_equal(b.data, "");
	buf_reset(&b);
	buf_truncate(&b, 0);
	buf_consume(&b, 0);
	buf_add(&b, NULL, 0);
	buf_addstr(&b, "");
	assert_int_equal(b.cap, 0);
	assert_string_equal(b.data, "");
	buf_clear(&b);
}

static void text_is_kept_whole_across_growth(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		buf_addch(&b, (char)('a' + i % 26));
		assert_int_equal(strlen(b.data), (size_t)i + 1);
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(b.data[i], 'a' + i % 26);
	buf_clear(&b);
	assert_ptr_equal(b.data, buf_empty);
}

static void nul_bytes_are_kept(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_add(&b, "a\0b", 3);
	assert_int_equal(b.len, 3);
	assert_memory_equal(b.data, "a\0b", 4);
	buf_clear(&b);
}

static void formatted_text_fits_at_every_length(void **state)
{
	(void)state;
	for (int len = 0; len < 200; len++) {
		struct buf b = BUF_INIT;

		buf_addf(&b, "%*s", len, "");
		assert_int_equal(b.len, len);
		buf_addf(&b, "[%*s]%d", len, "", len);
		assert_int_equal(strlen(b.data), b.len);
		assert_int_equal(b.data[len], '[');
		assert_int_equal(strtol(b.data + 2 * len + 2, NULL, 10), len);
		buf_clear(&b);
	}
}

static void consume_drops_the_front(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_addstr(&b, "hello world");
	buf_consume(&b, 6);
	assert_string_equal(b.data, "world");
	buf_consume(&b, 5);
	assert_string_equal(b.data, "");
	buf_addstr(&b, "x");
	buf_consume(&b, 99);
	assert_int_equal(b.len, 0);
	buf_clear(&b);
}

static void truncate_never_lengthens(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_addstr(&b, "hello");
	buf_truncate(&b, 9);
	assert_string_equal(b.data, "hello");
	buf_truncate(&b, 2);
	assert_string_equal(b.data, "he");
	buf_clear(&b);
}

static void reset_keeps_the_memory(void **state)
{
	struct buf b = BUF_INIT;
	char *before;

	(void)state;
	buf_addstr(&b, "hello");
	before = b.data;
	buf_reset(&b);
	assert_string_equal(b.data, "");
	buf_addstr(&b, "again");
	assert_ptr_equal(b.data, before);
	buf_clear(&b);
}

static void taken_text_is_the_callers(void **state)
{
	struct buf b = BUF_INIT;
	char *text;

	(void)state;
	text = buf_take(&b);
	assert_string_equal(text, "");
	free(text);
	buf_addstr(&b, "mine");
	text = buf_take(&b);
	assert_string_equal(b.data, "");
	buf_addstr(&b, "other");
	assert_string_equal(text, "mine");
	free(text);
	buf_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_empty_buffer_is_an_empty_string),
	    cmocka_unit_test(text_is_kept_whole_across_growth),
	    cmocka_unit_test(nul_bytes_are_kept),
	    cmocka_unit_test(formatted_text_fits_at_every_length),
	    cmocka_unit_test(consume_drops_the_front),
	    cmocka_unit_test(truncate_never_lengthens),
	    cmocka_unit_test(reset_keeps_the_memory),
	    cmocka_unit_test(taken_text_is_the_callers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
