#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "llm/formats/surrogate.h"

static void a_pair_split_over_two_strings_is_joined_in_the_second(void **state)
{
	static const struct {
		const char *pieces[3], *joined[3];
	} streams[] = {
	    {{"{\"t\":\"a\\ud83c\"}", "{\"t\":\"\\udf27b\"}", NULL},
		{"{\"t\":\"a\"}", "{\"t\":\"\\ud83c\\udf27b\"}", NULL}},
	    {{"{\"t\":\"\\uD83C\"}", "{\"t\":\"\\uDF27\"}", NULL},
		{"{\"t\":\"\"}", "{\"t\":\"\\uD83C\\uDF27\"}", NULL}},
	    /* A piece without text between them. */
	    {{"[\"\\ud83c\"]", "[\"\"]", "[\"\\udf27\"]"}, {"[\"\"]", "[\"\"]", "[\"\\ud83c\\udf27\"]"}},
	    /* Whole pairs, other escapes and escaped backslashes are no halves. */
	    {{"[\"\\ud83c\\udf27\"]", "[\"\\udf27\"]", NULL},
		{"[\"\\ud83c\\udf27\"]", "[\"\\udf27\"]", NULL}},
	    {{"[\"\\u00e9\\n\\\"\"]", "[\"\\\\ud83c\"]", "[\"\\udf27\"]"},
		{"[\"\\u00e9\\n\\\"\"]", "[\"\\\\ud83c\"]", "[\"\\udf27\"]"}},
	    /* Alone in the middle, it stays as it is. */
	    {{"[\"\\ud83c x\"]", "[\"x \\udf27\"]", NULL}, {"[\"\\ud83c x\"]", "[\"x \\udf27\"]", NULL}},
	    {{"[\"\\ud83c\\u0041\"]", "[\"\\udf27\"]", NULL},
		{"[\"\\ud83c\\u0041\"]", "[\"\\udf27\"]", NULL}},
	    {{"[\"\\ud83c\"]", "[\"x \\udf27\"]", NULL}, {"[\"\"]", "[\"x \\udf27\"]", NULL}},
	    /* A second one that waits is not lost to the first. */
	    {{"[\"\\ud83c\",\"\\ud83d\"]", "[\"\\udf27\"]", NULL},
		{"[\"\",\"\\ud83d\"]", "[\"\\ud83c\\udf27\"]", NULL}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
		struct surrogate s = {""};
		for (size_t k = 0; k < 3 && streams[i].pieces[k]; k++) {
			struct buf out = BUF_INIT;
			surrogate_join(&s, streams[i].pieces[k], strlen(streams[i].pieces[k]), &out);
			assert_string_equal(out.data, streams[i].joined[k]);
			buf_clear(&out);
		}
	}
}

static void every_beginning_of_a_piece_is_read_without_overrun(void **state)
{
	static const char piece[] = "{\"t\":\"\\udf27 \\ud83c\\udf27 \\\\ \\ud83c\"}";

	(void)state;
	for (size_t len = 0; len < sizeof(piece); len++) {
		struct surrogate s = {"\\ud83d"};
		struct buf out = BUF_INIT;
		char *copy = xmemdup(piece, len ? len : 1);
		surrogate_join(&s, copy, len, &out);
		if (len == sizeof(piece) - 1) {
			assert_string_equal(out.data, "{\"t\":\"\\ud83d\\udf27 \\ud83c\\udf27 \\\\ \"}");
			assert_string_equal(s.half, "\\ud83c");
		}
		buf_clear(&out);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_pair_split_over_two_strings_is_joined_in_the_second),
	    cmocka_unit_test(every_beginning_of_a_piece_is_read_without_overrun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
