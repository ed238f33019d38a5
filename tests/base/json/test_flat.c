#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"

static bool reads(const char *text)
{
	/* Of its size, so that a step beyond the end is found. */
	char *copy = xmemdup(text, strlen(text));
	struct json_flat f = {0};
	bool read = json_flat_read(&f, copy, strlen(text));

	json_flat_clear(&f);
	free(copy);
	return read;
}

static void what_is_no_json_is_not_read(void **state)
{
	static const char *const bad[] = {"", " ", "{", "[", "}", "{]", "[}", "{}}", "[] []", "[1,]", "[,1]",
	    "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "{1:1}", "[01]", "[-]",
	    "[+1]", "[1.]", "[.5]", "[1e]", "[1e+]", "[nul]", "[nulls]", "[NaN]", "[\"\\x\"]",
	    "[\"\\u12g4\"]", "[\"\\u12\"]", "[\"\\\"]", "[\"a\nb\"]", "[\"\x1f\"]", "[\"\xff\"]",
	    "[\"\xc3\"]", "[\"a]", "[18446744073709551616]", "[-9223372036854775809]", "// c\n[]",
	    "[\"0123456789abcdef\x01\"]"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct json_object *o = json_parse(bad[i], strlen(bad[i]), NULL);

		if (o || reads(bad[i]))
			fail_msg("read: %s", bad[i]);
	}
}

static void what_the_full_reader_alone_reads(void **state)
{
	static const char *const other[] = {"1", "\"a\"", "true", "[\"\\ud800\"]", "[\"\\udc00\"]",
	    "[\"\\ud800\\n\"]", "[\"\\ud800\\ud800\"]", "{\"\\u0000\":1}", "{\"a\\u0000b\":1}"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		if (reads(other[i]))
			fail_msg("read: %s", other[i]);
}

static void it_is_as_deep_as_the_full_reader(void **state)
{
	char text[2 * JSON_DEPTH + 3];

	(void)state;
	for (size_t depth = JSON_DEPTH; depth <= JSON_DEPTH + 1; depth++) {
		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		text[2 * depth] = '\0';
		struct json_object *o = json_parse(text, 2 * depth, NULL);
		assert_int_equal(reads(text), o != NULL);
		assert_int_equal(reads(text), depth == JSON_DEPTH);
		json_object_put(o);
	}
}

static void assert_str(const struct json_flat *f, size_t item, const char *want)
{
	struct buf scratch = BUF_INIT;
	size_t len;
	const char *text = json_flat_str(f, item, &scratch, &len);

	assert_int_equal(len, strlen(want));
	assert_memory_equal(text, want, len);
	assert_true(json_flat_is(f, item, want));
	assert_false(json_flat_is(f, item, "something else"));
	buf_clear(&scratch);
}

static void members_are_found_by_name(void **state)
{
	static const char text[] =
	    " { \"a\" : 1 , \"b\":{\"a\":\"deep\",\"c\":[ ]}, \"c\":\"\\u00e9\\ud83c\\udf27\\n\\/\", "
	    "\"d\":null,\"a\":-7,\"e\\u0065\":\"plain\",\"f\":true,\"g\":1.5,\"h\":9223372036854775808} \n";
	struct json_flat f = {0};

	(void)state;
	assert_true(json_flat_read(&f, text, strlen(text)));
	assert_int_equal(json_flat_int(&f, json_flat_get_kind(&f, 0, "a", JSON_FLAT_INT)), -7);
	size_t b = json_flat_get_kind(&f, 0, "b", JSON_FLAT_OBJECT);
	assert_true(b > 0);
	assert_str(&f, json_flat_get(&f, b, "a"), "deep");
	assert_true(json_flat_get_kind(&f, b, "c", JSON_FLAT_ARRAY) > 0);
	assert_str(&f, json_flat_get(&f, 0, "c"), "\xc3\xa9\xf0\x9f\x8c\xa7\n/");
	assert_true(json_flat_get_kind(&f, 0, "d", JSON_FLAT_NULL) > 0);
	assert_str(&f, json_flat_get(&f, 0, "ee"), "plain");
	assert_true(json_flat_get_kind(&f, 0, "f", JSON_FLAT_BOOL) > 0);
	assert_true(json_flat_get_kind(&f, 0, "g", JSON_FLAT_NUMBER) > 0);
	assert_true(json_flat_get_kind(&f, 0, "h", JSON_FLAT_NUMBER) > 0);
	assert_int_equal(json_flat_get(&f, 0, "x"), 0);
	assert_int_equal(json_flat_get(&f, 0, "deep"), 0);
	assert_int_equal(json_flat_get_kind(&f, 0, "a", JSON_FLAT_STRING), 0);
	assert_int_equal(json_flat_get(&f, json_flat_get(&f, 0, "c"), "a"), 0);
	json_flat_clear(&f);
}

static void a_reader_is_used_again(void **state)
{
	struct json_flat f = {0};
	struct buf large = BUF_INIT;

	(void)state;
	buf_addstr(&large, "[0");
	for (int i = 0; i < 1000; i++)
		buf_addstr(&large, ",{}");
	buf_addstr(&large, "]");
	assert_true(json_flat_read(&f, large.data, large.len));
	assert_int_equal(f.items[0].next, 1002);
	assert_true(json_flat_read(&f, "{}", 2));
	assert_int_equal(f.items[0].next, 1);
	assert_false(json_flat_read(&f, "{", 1));
	json_flat_clear(&f);
	buf_clear(&large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_no_json_is_not_read),
	    cmocka_unit_test(what_the_full_reader_alone_reads),
	    cmocka_unit_test(it_is_as_deep_as_the_full_reader),
	    cmocka_unit_test(members_are_found_by_name),
	    cmocka_unit_test(a_reader_is_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
