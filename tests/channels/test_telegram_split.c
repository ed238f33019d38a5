#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "channels/telegram/split.h"

#define ROOM (TELEGRAM_TEXT_UNITS - (sizeof(TELEGRAM_REPEAT_MARK) - 1))

static void parts_free(char **parts)
{
	for (size_t i = 0; parts[i] != NULL; i++)
		free(parts[i]);
	free(parts);
}

/* The text without what a cut may swallow. */
static char *solid(const char *s)
{
	struct buf out = BUF_INIT;

	for (; *s != '\0'; s++) {
		if (strchr(" \t\r\n", *s) == NULL)
			buf_addch(&out, *s);
	}
	return buf_take(&out);
}

static char *random_text(size_t pieces)
{
	static const char *const from[] = {
		"a", "word", " ", "\n", "\n\n", "\t", "é", "漢", "😀", "👩‍👩‍👧",
		"```\ncode\n```", "0123456789", "&amp;", "   ",
	};
	struct buf out = BUF_INIT;

	while (pieces-- > 0)
		buf_addstr(&out, from[clock_random_below(ARRAY_LEN(from))]);
	return buf_take(&out);
}

static void check_parts(const char *text)
{
	char **parts = telegram_split(text), *whole = solid(text), *joined;
	struct buf all = BUF_INIT;

	for (size_t i = 0; parts[i] != NULL; i++) {
		size_t len = strlen(parts[i]);

		assert_true(utf8_valid(parts[i], len));
		assert_true(utf8_count(parts[i], len, UTF8_UTF16) <= ROOM);
		assert_false(telegram_split_is_blank(parts[i]));
		buf_addstr(&all, parts[i]);
	}
	joined = solid(all.data);
	assert_string_equal(joined, whole);
	free(joined);
	free(whole);
	buf_clear(&all);
	parts_free(parts);
}

static void random_text_keeps_its_content_in_order_within_the_limit(void **state)
{
	(void)state;
	clock_fake(0, 20261121);
	for (int i = 0; i < 300; i++) {
		char *text = random_text(1 + clock_random_below(6000));

		if (!telegram_split_is_blank(text))
			check_parts(text);
		free(text);
	}
}

static void text_without_a_place_to_cut_is_cut_between_characters(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	for (int i = 0; i < 10000; i++)
		buf_addstr(&text, "😀");	/* 2 units each */
	check_parts(text.data);
	parts = telegram_split(text.data);
	assert_int_equal(utf8_count(parts[0], strlen(parts[0]), UTF8_CHARS), ROOM / 2);
	parts_free(parts);
	buf_clear(&text);
}

static void short_text_is_one_part_as_it_is(void **state)
{
	char **parts = telegram_split("Hello\n\n  there");

	(void)state;
	assert_string_equal(parts[0], "Hello\n\n  there");
	assert_null(parts[1]);
	parts_free(parts);
}

static void every_part_has_room_for_the_repeat_mark(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	for (int i = 0; i < 4096; i++)
		buf_addch(&text, 'x');
	parts = telegram_split(text.data);
	assert_non_null(parts[1]);
	for (size_t i = 0; parts[i] != NULL; i++)
		assert_true(strlen(parts[i]) + strlen(TELEGRAM_REPEAT_MARK) <= TELEGRAM_TEXT_UNITS);
	parts_free(parts);
	buf_clear(&text);
}

static void a_long_gap_gives_no_blank_part(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	buf_addstr(&text, "before");
	for (int i = 0; i < 20000; i++)
		buf_addstr(&text, i % 2 ? "\xc2\xa0" : "\n");
	buf_addstr(&text, "after");
	parts = telegram_split(text.data);
	for (size_t i = 0; parts[i] != NULL; i++)
		assert_false(telegram_split_is_blank(parts[i]));
	parts_free(parts);
	buf_clear(&text);
}

static void blank_text_gives_one_blank_part(void **state)
{
	static const char *const texts[] = { "", " \n\t ", "\xe2\x80\x8b", "\xe3\x80\x80" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		char **parts = telegram_split(texts[i]);

		assert_true(telegram_split_is_blank(parts[0]));
		assert_null(parts[1]);
		parts_free(parts);
	}
	assert_false(telegram_split_is_blank(" . "));
}

static void bad_bytes_are_cleaned(void **state)
{
	char **parts = telegram_split("a\xff\xed\xa0\x80" "b\x01");

	(void)state;
	assert_true(utf8_valid(parts[0], strlen(parts[0])));
	assert_int_equal(parts[0][0], 'a');
	assert_int_equal(parts[0][strlen(parts[0]) - 1], 'b');
	parts_free(parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_text_keeps_its_content_in_order_within_the_limit),
		cmocka_unit_test(text_without_a_place_to_cut_is_cut_between_characters),
		cmocka_unit_test(short_text_is_one_part_as_it_is),
		cmocka_unit_test(every_part_has_room_for_the_repeat_mark),
		cmocka_unit_test(a_long_gap_gives_no_blank_part),
		cmocka_unit_test(blank_text_gives_one_blank_part),
		cmocka_unit_test(bad_bytes_are_cleaned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
