/* What is kept of a stream, however it comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
#include "tools/output.h"
#include "tools/tools_fixture.h"

static void expect(const struct output *o, size_t most, const char *want, uint64_t left_out)
{
	struct buf text = BUF_INIT;

	assert_int_equal(output_write(o, most, &text), left_out);
	assert_string_equal(text.data, want);
	buf_clear(&text);
}

static void what_fits_is_kept_whole(void **state)
{
	struct output o;

	(void)state;
	output_init(&o, 10);
	expect(&o, SIZE_MAX, "", 0);
	output_add(&o, "abc", 3);
	expect(&o, SIZE_MAX, "abc", 0);
	output_add(&o, "defghij", 7);
	expect(&o, SIZE_MAX, "abcdefghij", 0);
	output_clear(&o);
}

static void of_more_the_beginning_and_the_end_are_kept(void **state)
{
	struct output o;

	(void)state;
	output_init(&o, 10);
	output_add(&o, "abcdefghijk", 11);
	expect(&o, SIZE_MAX, "abcde\n[... 1 bytes left out ...]\nghijk", 1);
	output_add(&o, "lmnopqrstuvwxyz", 15);
	expect(&o, SIZE_MAX, "abcde\n[... 16 bytes left out ...]\nvwxyz", 16);
	expect(&o, 4, "ab\n[... 22 bytes left out ...]\nyz", 22);
	output_clear(&o);
}

static void no_code_point_is_cut(void **state)
{
	struct output o;

	(void)state;
	output_init(&o, 10);
	output_add(&o, "abcdéfghijklmnéopqr", strlen("abcdéfghijklmnéopqr"));
	expect(&o, SIZE_MAX, "abcd\n[... 13 bytes left out ...]\nopqr", 13);
	output_clear(&o);
}

static void the_pieces_in_which_it_comes_do_not_matter(void **state)
{
	uint64_t seed = 7;
	char stream[500];

	(void)state;
	for (size_t i = 0; i < sizeof(stream); i++)
		stream[i] = (char)('a' + i % 26);
	for (int round = 0; round < 200; round++) {
		struct output whole, parts;
		struct buf one = BUF_INIT, other = BUF_INIT;
		size_t most = 2 + any(&seed, 100), len = any(&seed, sizeof(stream)),
		       max_shown = any(&seed, 120) + 2;
		output_init(&whole, most);
		output_init(&parts, most);
		output_add(&whole, stream, len);
		for (size_t at = 0, n; at < len; at += n) {
			n = 1 + any(&seed, 60);
			n = n < len - at ? n : len - at;
			output_add(&parts, stream + at, n);
		}
		assert_int_equal(
		    output_write(&whole, max_shown, &one), output_write(&parts, max_shown, &other));
		assert_string_equal(one.data, other.data);
		buf_clear(&one);
		buf_clear(&other);
		output_clear(&whole);
		output_clear(&parts);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_fits_is_kept_whole),
	    cmocka_unit_test(of_more_the_beginning_and_the_end_are_kept),
	    cmocka_unit_test(no_code_point_is_cut),
	    cmocka_unit_test(the_pieces_in_which_it_comes_do_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
