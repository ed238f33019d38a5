#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tests/base/text/utf8_table.h"

#define ROUNDS 20000

static const enum utf8_unit units[] = {UTF8_BYTES, UTF8_CHARS, UTF8_UTF16};

/* xorshift64: the same input in every run. */
static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint32_t random_below(uint32_t bound)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % bound;
}

/* Text of all widths with blanks, line ends, joiners and marks in it. */
static void random_text(struct buf *out, size_t chars)
{
	static const uint32_t palette[] = {' ', ' ', '\n', '\n', '\t', '\r', 0x200d, 0xfe0f, 0x301, 0x1f3fb};
	static const uint32_t widths[] = {0x60, 0x80, 0x800, 0x10000, 0x110000};

	buf_reset(out);
	for (size_t i = 0; i < chars; i++) {
		size_t width = random_below(4);

		if (random_below(3) == 0)
			utf8_encode(out, palette[random_below(ARRAY_LEN(palette))]);
		else
			utf8_encode(out, widths[width] + random_below(widths[width + 1] - widths[width]));
	}
}

static void random_bytes(struct buf *out, size_t len)
{
	buf_reset(out);
	for (size_t i = 0; i < len; i++) {
		switch (random_below(4)) {
		case 0:
			buf_addch(out, (char)random_below(0x80));
			break;
		case 1:
			buf_addch(out, (char)(0x80 + random_below(0x40)));
			break;
		case 2:
			utf8_encode(out, random_below(0x110000));
			break;
		default:
			buf_addch(out, (char)random_below(256));
			break;
		}
	}
}

static void every_code_point_comes_back(void **state)
{
	struct buf b = BUF_INIT;
	uint32_t cp;

	(void)state;
	for (uint32_t want = 0; want <= 0x10ffff; want++) {
		if (want >= 0xd800 && want <= 0xdfff)
			continue;
		buf_reset(&b);
		utf8_encode(&b, want);
		if (utf8_decode(b.data, b.len, &cp) != b.len || cp != want)
			fail_msg("U+%04X did not come back", want);
	}
	buf_clear(&b);
}

static void what_is_no_character_is_encoded_as_a_replacement(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	utf8_encode(&b, 0xd800);
	utf8_encode(&b, 0x110000);
	assert_string_equal(b.data, "\xef\xbf\xbd\xef\xbf\xbd");
	buf_clear(&b);
}

static void the_decoder_agrees_with_the_standard(void **state)
{
	unsigned char p[4];
	uint32_t cp;

	(void)state;
	for (uint32_t i = 0; i < 0x10000; i++) {
		for (int j = 0; j < 20; j++) {
			size_t len = 1 + random_below(4);
			p[0] = (unsigned char)(i >> 8);
			p[1] = (unsigned char)i;
			p[2] = (unsigned char)(j < 15 ? 0x80 + random_below(0x40) : random_below(256));
			p[3] = (unsigned char)(j < 15 ? 0x80 + random_below(0x40) : random_below(256));
			if (utf8_decode((char *)p, len, &cp) != utf8_well_formed(p, len))
				fail_msg("%02x %02x %02x %02x (%zu)", p[0], p[1], p[2], p[3], len);
		}
	}
}

static void validity_is_found_wherever_the_bad_byte_stands(void **state)
{
	char text[40];

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		memset(text, 'a', sizeof(text));
		assert_true(utf8_valid(text, len));
		for (size_t i = 0; i < len; i++) {
			text[i] = '\x80';
			assert_false(utf8_valid(text, len));
			text[i] = 'a';
		}
	}
	assert_false(utf8_valid("ab\xe2\x82", 4));
	assert_true(utf8_valid("ab\xe2\x82\xac", 5));
}

static void cleaned_text_is_valid_and_clean_text_unchanged(void **state)
{
	struct buf in = BUF_INIT, out = BUF_INIT, again = BUF_INIT;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		random_bytes(&in, random_below(40));
		buf_reset(&out);
		buf_reset(&again);
		assert_int_equal(utf8_sanitize(&out, in.data, in.len) == 0, utf8_valid(in.data, in.len));
		assert_true(utf8_valid(out.data, out.len));
		for (size_t i = 0; i < out.len; i++)
			assert_true((unsigned char)out.data[i] >= 0x20 || strchr("\t\n\r", out.data[i]));
		assert_null(memchr(out.data, 0x7f, out.len));
		assert_int_equal(utf8_sanitize(&again, out.data, out.len), 0);
		assert_int_equal(again.len, out.len);
		assert_memory_equal(again.data, out.data, out.len);
	}
	buf_clear(&in);
	buf_clear(&out);
	buf_clear(&again);
}

static void cleaning_replaces_bad_bytes_and_drops_controls(void **state)
{
	static const char text[] = "a\0b\x1b[1mc\x7f\td\xff\xe2\x82"
				   "e\r\n\xc2\x85";
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(utf8_sanitize(&out, text, sizeof(text) - 1), 3);
	assert_string_equal(out.data,
	    "ab[1mc\td\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	    "e\r\n\xc2\x85");
	buf_clear(&out);
}

static void platforms_count_differently(void **state)
{
	const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";

	(void)state;
	assert_int_equal(utf8_count(text, 10, UTF8_BYTES), 10);
	assert_int_equal(utf8_count(text, 10, UTF8_CHARS), 4);
	assert_int_equal(utf8_count(text, 10, UTF8_UTF16), 5);
	assert_int_equal(utf8_cut(text, 10, 4, UTF8_UTF16), 6);
	assert_int_equal(utf8_cut(text, 10, 5, UTF8_UTF16), 10);
	assert_int_equal(utf8_cut(text, 10, 5, UTF8_BYTES), 3);
	assert_int_equal(utf8_cut(text, 10, 0, UTF8_CHARS), 0);
}

static void a_cut_is_the_longest_that_fits_and_parts_no_character(void **state)
{
	struct buf b = BUF_INIT;
	uint32_t cp;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		enum utf8_unit unit = units[random_below(ARRAY_LEN(units))];
		size_t max = random_below(60), cut;

		random_text(&b, random_below(30));
		cut = utf8_cut(b.data, b.len, max, unit);
		assert_true(cut <= b.len);
		assert_true(utf8_valid(b.data, cut));
		assert_true(utf8_count(b.data, cut, unit) <= max);
		if (cut < b.len) {
			size_t next = cut + utf8_decode(b.data + cut, b.len - cut, &cp);
			assert_true(utf8_count(b.data, next, unit) > max);
		}
	}
	buf_clear(&b);
}

static void cutting_bad_bytes_ends_and_stays_inside(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		enum utf8_unit unit = units[random_below(ARRAY_LEN(units))];
		size_t max = random_below(20), at = 0, skip;

		random_bytes(&b, random_below(40));
		while (at < b.len) {
			size_t take = utf8_break(b.data + at, b.len - at, max, unit, &skip);
			assert_true(take > 0 && take + skip <= b.len - at);
			at += take + skip;
		}
	}
	buf_clear(&b);
}

static bool is_white(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r\n", s[i]) || s[i] == '\0')
			return false;
	return true;
}

static void pieces_fit_and_lose_nothing_but_white_space(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		enum utf8_unit unit = units[random_below(ARRAY_LEN(units))];
		size_t max = 4 + random_below(40), at = 0, take, skip;

		random_text(&b, random_below(80));
		for (; at < b.len; at += take + skip) {
			take = utf8_break(b.data + at, b.len - at, max, unit, &skip);
			assert_true(take > 0 && take + skip <= b.len - at);
			assert_true(utf8_valid(b.data + at, take));
			assert_true(utf8_count(b.data + at, take, unit) <= max);
			assert_true(is_white(b.data + at + take, skip));
		}
	}
	buf_clear(&b);
}

/* text cut at max characters gives first, and rest after what is swallowed. */
static void assert_break(const char *text, size_t max, const char *first, const char *rest)
{
	size_t skip, take = utf8_break(text, strlen(text), max, UTF8_CHARS, &skip);

	assert_int_equal(take, strlen(first));
	assert_memory_equal(text, first, take);
	assert_string_equal(text + take + skip, rest);
}

static void text_breaks_at_the_best_place_in_the_last_half(void **state)
{
	(void)state;
	assert_break("all of it", 9, "all of it", "");
	assert_break("one para\n\ntwo\nlines here", 16, "one para", "two\nlines here");
	assert_break("one para\r\n\r\ntwo\r\nlines here", 18, "one para", "two\r\nlines here");
	assert_break("a\n\none line\nand more words", 16, "a\n\none line", "and more words");
	assert_break("a line\nand more words", 12, "a line", "and more words");
	assert_break("a\nand more words", 12, "a\nand more", "words");
	assert_break("abcdefghij klm", 10, "abcdefghij", "klm");
	assert_break("abcdefghijklm", 10, "abcdefghij", "klm");
	assert_break("ab cdefghijklm", 10, "ab cdefghi", "jklm");
}

static void white_space_at_a_break_goes_but_indentation_stays(void **state)
{
	(void)state;
	assert_break("void f()  \n\n \n\treturn 1;", 12, "void f()", "\treturn 1;");
	assert_break("abcdef   ghi", 7, "abcdef", "ghi");
	assert_break("abcdef    \n   ", 7, "abcdef", "");
	assert_break("     x", 3, " ", "x");
}

static void emoji_sequences_are_kept_together(void **state)
{
	(void)state;
	/* Woman, joiner, laptop; then a hand with a skin tone; then e with an accent. */
	assert_break("ab\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", 4, "ab",
	    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb");
	assert_break("ab\xf0\x9f\x91\x8b\xf0\x9f\x8f\xbd", 3, "ab", "\xf0\x9f\x91\x8b\xf0\x9f\x8f\xbd");
	assert_break("abe\xcc\x81z", 3, "ab", "e\xcc\x81z");
	/* One sequence that alone is too long has to be parted. */
	assert_break("e\xcc\x81\xcc\x81\xcc\x81", 2, "e\xcc\x81", "\xcc\x81\xcc\x81");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_code_point_comes_back),
	    cmocka_unit_test(what_is_no_character_is_encoded_as_a_replacement),
	    cmocka_unit_test(the_decoder_agrees_with_the_standard),
	    cmocka_unit_test(validity_is_found_wherever_the_bad_byte_stands),
	    cmocka_unit_test(cleaned_text_is_valid_and_clean_text_unchanged),
	    cmocka_unit_test(cleaning_replaces_bad_bytes_and_drops_controls),
	    cmocka_unit_test(platforms_count_differently),
	    cmocka_unit_test(a_cut_is_the_longest_that_fits_and_parts_no_character),
	    cmocka_unit_test(cutting_bad_bytes_ends_and_stays_inside),
	    cmocka_unit_test(pieces_fit_and_lose_nothing_but_white_space),
	    cmocka_unit_test(text_breaks_at_the_best_place_in_the_last_half),
	    cmocka_unit_test(white_space_at_a_break_goes_but_indentation_stays),
	    cmocka_unit_test(emoji_sequences_are_kept_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
