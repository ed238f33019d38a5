#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define FILLING "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"

static struct json_object *parse(const char *text)
{
	return json_parse(text, strlen(text), NULL);
}

static void assert_written(struct json_object *o, const char *want)
{
	char *text = json_text(o);

	assert_string_equal(text, want);
	free(text);
}

static void json_values_are_taken(void **state)
{
	static const char *const good[][2] = {
	    {"{}", "{}"},
	    {" [ ] ", "[]"},
	    {"0", "0"},
	    {"-0.5e-3", "-0.5e-3"},
	    {"1E+2", "1E+2"},
	    {"1.0e-007", "1.0e-007"},
	    {"123 ", "123"},
	    {"true", "true"},
	    {"\t\r\n false", "false"},
	    {"\"\"", "\"\""},
	    {"{\"a\":[1,{\"b\":null}],\"c\":\"x\"}", "{\"a\":[1,{\"b\":null}],\"c\":\"x\"}"},
	    {"\"it's NaN or 01 or 1. {[\"", "\"it's NaN or 01 or 1. {[\""},
	    {"\"\\u00e9\\/\\ud83c\\udf27\\\\\\\"\"", "\"\xc3\xa9/\xf0\x9f\x8c\xa7\\\\\\\"\""},
	    {"\"\\ud800\"", "\"\xef\xbf\xbd\""},
	    {"[1e400]", "[1e400]"},
	    {"{\"a\":1,\"a\":2}", "{\"a\":2}"},
	    {"[18446744073709551615,-9223372036854775808]", "[18446744073709551615,-9223372036854775808]"},
	    {"[123456789012345678901234567890.5]", "[123456789012345678901234567890.5]"},
	    {"[1,-2,3.25]", "[1,-2,3.25]"},
	    {"\"\x7f\"", "\"\x7f\""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct error err;
		struct json_object *o = json_parse(good[i][0], strlen(good[i][0]), &err);
		if (!o)
			fail_msg("%s: %s", good[i][0], err.text);
		assert_written(o, good[i][1]);
		json_object_put(o);
	}
}

static void what_is_not_json_is_refused_with_a_sentence(void **state)
{
	static const char *const bad[] = {
	    "",
	    "  ",
	    "null",
	    "nul",
	    "nullx",
	    "tru",
	    "TRUE",
	    "True",
	    "NaN",
	    "-NaN",
	    "[NaN]",
	    "Infinity",
	    "[-Infinity]",
	    "Inf",
	    "'a'",
	    "{'a':1}",
	    "{\"a\":'b'}",
	    "{a:1}",
	    "[1,]",
	    "[,1]",
	    "[1,,2]",
	    "{\"a\":1,}",
	    "{,}",
	    "[1 2]",
	    "{\"a\" 1}",
	    "{\"a\":}",
	    "[1",
	    "{\"a\":1",
	    "[1]]",
	    "]",
	    "}",
	    "{]",
	    "[}",
	    "\"abc",
	    "\"abc\\",
	    "\"\\x41\"",
	    "\"\\u12\"",
	    "\"\\u00g0\"",
	    "01",
	    "-01",
	    "-",
	    "+1",
	    ".5",
	    "1.",
	    "[1.]",
	    "[2.e3]",
	    "[0.e1]",
	    "1e",
	    "1e+",
	    "[1eE2]",
	    "0x10",
	    "1.5.5",
	    "1-2",
	    "--1",
	    "1a",
	    "{} x",
	    "{}{}",
	    "1 2",
	    "\"a\" \"b\"",
	    "[1]// c",
	    "/* c */ 1",
	    "[1#]",
	    "\"a\nb\"",
	    "\"a\tb\"",
	    "\"\x1f\"",
	    "\v1",
	    "[1\f]",
	    "\xef\xbb\xbf{}",
	    "\"\xff\"",
	    "\"\xe2\x82\"",
	    "\"\xed\xa0\x80\"",
	    "\"\xc0\x80\"",
	    "\xe2\x8d\x82",
	    "18446744073709551616",
	    "-9223372036854775809",
	    "[99999999999999999999999]",
	    "{\"a\":\"b\",\"c\":[1,{\"d\":'e'}]}",
	    "*",
	    "\\u000A\"\"",
	    "{\"a\":/*comment*/\"b\"}",
	    "[\"a\",\n4\n,1,",
	    "\\",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct error err = {.kind = ERROR_NONE};
		struct json_object *o = json_parse(bad[i], strlen(bad[i]), &err);
		if (o)
			fail_msg("taken: %s", bad[i]);
		assert_int_equal(err.kind, ERROR_OURS);
		assert_true(strlen(err.text) > 10);
	}
}

static void a_nul_byte_is_refused_anywhere(void **state)
{
	(void)state;
	assert_null(json_parse("{}\0", 3, NULL));
	assert_null(json_parse("\0{}", 3, NULL));
	assert_null(json_parse("[\"a\0b\"]", 7, NULL));
	assert_null(json_parse("[1,\0 2]", 7, NULL));
	assert_null(json_parse("1\0", 2, NULL));
}

static void only_len_bytes_are_read(void **state)
{
	char *exact = xmemdup("[12]", 4);
	struct json_object *o = json_parse(exact, 4, NULL);

	(void)state;
	assert_non_null(o);
	json_object_put(o);
	assert_null(json_parse(exact, 3, NULL));
	o = json_parse(exact + 1, 1, NULL);
	assert_int_equal(json_object_get_int(o), 1);
	json_object_put(o);
	free(exact);
}

static void errors_say_where(void **state)
{
	struct error err;

	(void)state;
	assert_null(json_parse("[1, 'a']", 8, &err));
	assert_string_equal(err.text, "not JSON: single quote (strings stand in double quotes), at byte 4");
	assert_null(json_parse("{\"a\":1", 6, &err));
	assert_string_equal(err.text, "not JSON: unexpected end of data, at byte 6");
	assert_null(json_parse("[1, x]", 6, &err));
	assert_string_equal(err.text, "not JSON: unexpected character, at byte 4");
	assert_null(json_parse("[\"\xc3\xa9\xf0\x9f\x9a\x80\", x]", 12, &err));
	assert_string_equal(err.text, "not JSON: unexpected character, at byte 11");
	assert_null(json_parse("[\"\xc3\xa9\", \xc3\xa9]", 10, &err));
	assert_string_equal(err.text, "not JSON: unexpected character, at byte 7");
}

static void text_of_any_script_is_read(void **state)
{
	static const char *const texts[] = {"\xc3\xbc", "a\xc3\xbc\xe2\x82\xacz", "\xf0\x9f\x9a\x80",
	    "\xf4\x8f\xbf\xbf", "\xef\xbf\xbf", "\xf0\x90\x80\x80",
	    "\xd0\x9f\xd1\x80\xd0\xb8 \xe4\xbd\xa0\xe5\xa5\xbd"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		char *text = xasprintf("{\"%s\":[\"\\\\\\\"%s\",-1.5]}", texts[i], texts[i]);
		struct json_object *o = parse(text);
		assert_non_null(o);
		assert_written(o, text);
		json_object_put(o);
		free(text);
	}
	assert_null(parse("\"\\\xc3\xbc\""));
}

/* json-c's parser remembers half of a surrogate pair across its own reset. */
static void a_broken_text_leaves_nothing_to_the_next(void **state)
{
	static const char *const broken[] = {
	    "\"\\ud83d", "\"\\ud83d\\", "\"\\ud83d\\u", "\"\\ud83d\\uDE", "[\"\\ud83d\\u"};
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		struct error err = {0};
		assert_null(json_parse(broken[i], strlen(broken[i]), &err));
		o = json_parse("\"\\u0041\"", 8, &err);
		assert_non_null(o);
		assert_string_equal(json_object_get_string(o), "A");
		json_object_put(o);
	}
}

/* What json-c's own parser makes of it. */
static struct json_object *parse_by_json_c(const char *text)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_DEPTH + 1);
	struct json_object *o = json_tokener_parse_ex(tok, text, (int)strlen(text));

	assert_int_equal(json_tokener_get_error(tok), json_tokener_success);
	json_tokener_free(tok);
	return o;
}

static void a_tree_is_that_of_json_c(void **state)
{
	static const char *const texts[] = {
	    "{}",
	    "[]",
	    "[[],{},[{}],null,true,false]",
	    "{\"a\":{\"b\":[1,-1,0,-0,9223372036854775807,9223372036854775808,18446744073709551615]}}",
	    "[0.5,-0.0,1e3,1E-07,123456789012345678901234567890.5,1e400,-9223372036854775808]",
	    "[\"\\u0000a\\u0000\",\"\\ud83c\\udf27\",\"\\n\\t\\\"\\/\",\"\"]",
	    "{\"a\":1,\"b\":2,\"\\u0061\":3,\"\":4}",
	    "{\"" FILLING "\":1,\"" FILLING "\\u0071\":[\"" FILLING "\"]}",
	    "{\"" FILLING FILLING FILLING FILLING "\":1}",
	    ("{\"0\":0,\"1\":1,\"2\":2,\"3\":3,\"4\":4,\"5\":5,\"6\":6,\"7\":7,\"8\":8,\"9\":9,\"10\":"
	     "10,\"11\":11,\"12\":12,\"13\":13,\"14\":14,\"15\":15,\"16\":16,\"17\":17}"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct json_object *o = parse(texts[i]), *want = parse_by_json_c(texts[i]);
		char *text = json_text(want);
		assert_non_null(o);
		assert_true(json_object_equal(o, want));
		assert_written(o, text);
		json_object_put(o);
		json_object_put(want);
		free(text);
	}
}

static void a_tree_of_named_members_has_no_others(void **state)
{
	static const char text[] =
	    "{\"a\":1,\"b\":{\"c\":\"d\",\"a\":[{\"a\":2,\"c\":3}],\"f\":{}},\"c\":[1],\"\\u0061b\":4}";
	static const char *const names[][4] = {{NULL}, {"a", "b"}, {"ab", "c"}, {"a", "b", "c"}};
	static const char *const trees[] = {"{}", "{\"a\":1,\"b\":{\"a\":[{\"a\":2}]}}",
	    "{\"c\":[1],\"ab\":4}", "{\"a\":1,\"b\":{\"c\":\"d\",\"a\":[{\"a\":2,\"c\":3}]},\"c\":[1]}"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct json_object *o = json_parse_members(text, strlen(text), names[i]);
		assert_written(o, trees[i]);
		json_object_put(o);
	}
	assert_null(json_parse_members("[1]", 3, names[1]));
	assert_null(json_parse_members("1", 1, names[1]));
	assert_null(json_parse_members("{", 1, names[1]));
	/* The flat reader leaves half a pair to json-c, which leaves out nothing. */
	static const char half[] = "{\"a\":\"\\ud800\",\"b\":{\"c\":1}}";
	struct json_object *o = json_parse_members(half, sizeof(half) - 1, names[0]);
	assert_int_equal(json_get_int(json_get_object(o, "b"), "c", 0), 1);
	json_object_put(o);
}

static void a_tree_is_written_as_json_c_does(void **state)
{
	struct json_object *o =
	    parse("[0,-1,9223372036854775807,-9223372036854775808,18446744073709551615,true,false,null,"
		  "{\"\\u0000\\u0001\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\x7f\xc3\xa9\":[{},[]]},"
		  "\"\\u0000\\u0001\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\x7f\xf0\x9f\x8c\xa7\",1.50,1e400]");

	(void)state;
	assert_non_null(o);
	json_object_array_add(o, json_object_new_double(0.1));
	json_object_array_add(o, json_object_new_double(100));
	json_object_array_add(o, json_object_new_int(-7));
	assert_written(
	    o, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

/* A long text is read in another way. */
static void a_text_of_any_length_is_read(void **state)
{
	(void)state;
	for (size_t len = 1000 * 1000; len <= 1100 * 1000; len += 100 * 1000) {
		struct buf b = BUF_INIT;
		struct json_object *o;

		buf_addstr(&b, "{\"a\":[1,\"");
		for (size_t i = 0; i < len; i++)
			buf_addch(&b, 'x');
		buf_addstr(&b, "\"],\"b\":2.5}");
		o = parse(b.data);
		assert_non_null(o);
		assert_written(o, b.data);
		json_object_put(o);
		buf_clear(&b);
	}
}

static void nest(struct buf *b, const char *open, const char *inner, const char *close, int depth)
{
	buf_reset(b);
	for (int i = 0; i < depth; i++)
		buf_addstr(b, open);
	buf_addstr(b, inner);
	for (int i = 0; i < depth; i++)
		buf_addstr(b, close);
}

static void depth_is_limited_exactly(void **state)
{
	static const char *const shapes[][3] = {
	    {"[", "", "]"},
	    {"[", "1", "]"},
	    {"[", "\"x\"", "]"},
	    {"{\"a\":", "1", "}"},
	};
	struct buf b = BUF_INIT;
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		nest(&b, shapes[i][0], shapes[i][1], shapes[i][2], JSON_DEPTH);
		o = json_parse(b.data, b.len, NULL);
		assert_non_null(o);
		json_object_put(o);
		nest(&b, shapes[i][0], shapes[i][1], shapes[i][2], JSON_DEPTH + 1);
		assert_null(json_parse(b.data, b.len, NULL));
	}
	buf_reset(&b);
	buf_addstr(&b, "[[]");
	for (int i = 0; i < 2 * JSON_DEPTH; i++)
		buf_addstr(&b, ",[{}]");
	buf_addstr(&b, "]");
	o = json_parse(b.data, b.len, NULL);
	assert_int_equal(json_object_array_length(o), 2 * JSON_DEPTH + 1);
	json_object_put(o);
	nest(&b, "[", "", "", 1000000);
	assert_null(json_parse(b.data, b.len, NULL));
	buf_clear(&b);
}

/* Text of some megabytes could be a tree of many hundred. */
static void the_number_of_foreign_values_is_limited(void **state)
{
	static const struct {
		const char *value;
		size_t most;
	} rows[] = {{"1", JSON_VALUES_MAX - 2}, {"{}", JSON_CONTAINERS_MAX - 2}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf b = BUF_INIT;
		struct json_object *o;

		/* What stands in strings counts nothing. */
		buf_addstr(&b, "{\"a\\\",[{\":[");
		for (size_t n = 0; n < rows[i].most; n++)
			buf_addf(&b, "%s%s", n > 0 ? "," : "", rows[i].value);
		buf_addstr(&b, "]}");
		o = json_parse_foreign(b.data, b.len, NULL);
		assert_int_equal(json_object_array_length(json_get(o, "a\",[{")), rows[i].most);
		json_object_put(o);
		buf_truncate(&b, b.len - 2);
		buf_addf(&b, ",%s]}", rows[i].value);
		assert_null(json_parse_foreign(b.data, b.len, NULL));
		assert_null(json_parse_foreign_value(b.data, b.len, NULL));
		buf_clear(&b);
	}
}

static void a_foreign_value_may_be_of_any_type(void **state)
{
	struct json_object *o = json_parse_foreign_value("[1]", 3, NULL);

	(void)state;
	assert_int_equal(json_count(o), 1);
	json_object_put(o);
	assert_null(json_parse_foreign("[1]", 3, NULL));
}

static void a_wanted_object_must_be_one(void **state)
{
	struct json_object *o = json_parse_object("{\"a\":1}", 7, NULL);
	struct error err;

	(void)state;
	assert_non_null(o);
	json_object_put(o);
	assert_null(json_parse_object("[1]", 3, &err));
	assert_string_equal(err.text, "the JSON text is of type array where an object is wanted");
	assert_null(json_parse_object("{", 1, &err));
}

static void members_of_another_type_count_as_absent(void **state)
{
	struct json_object *o =
	    parse("{\"s\":\"x\",\"i\":7,\"d\":1.5,\"b\":true,\"n\":null,\"o\":{\"k\":1},\"a\":[1],\"z\":"
		  "\"a\\u0000b\",\"num\":\"12abc\",\"big\":18446744073709551615,\"huge\":1e400}");

	(void)state;
	assert_string_equal(json_get_str(o, "s"), "x");
	assert_null(json_get_str(o, "i"));
	assert_null(json_get_str(o, "n"));
	assert_null(json_get_str(o, "z"));
	assert_null(json_get_str(o, "absent"));
	assert_int_equal(json_get_int(o, "i", -1), 7);
	assert_int_equal(json_get_int(o, "num", -1), -1);
	assert_int_equal(json_get_int(o, "d", -1), -1);
	assert_int_equal(json_get_int(o, "b", -1), -1);
	assert_int_equal(json_get_int(o, "big", -1), -1);
	assert_true(json_get_bool(o, "b", false));
	assert_true(json_get_bool(o, "i", true));
	assert_true(json_get_double(o, "d", 0) == 1.5);
	assert_true(json_get_double(o, "i", 0) == 7);
	assert_true(json_get_double(o, "num", 3) == 3);
	assert_true(json_get_double(o, "huge", 3) == 3);
	assert_int_equal(json_get_int(json_get_object(o, "o"), "k", 0), 1);
	assert_null(json_get_object(o, "a"));
	assert_int_equal(json_object_array_length(json_get_array(o, "a")), 1);
	assert_null(json_get_array(o, "o"));
	assert_non_null(json_get(o, "d"));
	json_object_put(o);
}

static void lookups_take_null_and_what_is_no_object(void **state)
{
	struct json_object *array = parse("[1]");

	(void)state;
	assert_null(json_get(NULL, "a"));
	assert_null(json_get(array, "a"));
	assert_null(json_get_str(NULL, "a"));
	assert_null(json_get_object(array, "a"));
	assert_int_equal(json_get_int(NULL, "a", 5), 5);
	assert_true(json_get_bool(NULL, "a", true));
	json_object_put(array);
}

static void members_are_set_and_replaced_in_place(void **state)
{
	struct json_object *o = json_object_new_object();

	(void)state;
	json_set_str(o, "url", "http://x/y");
	json_set_int(o, "n", INT64_MIN);
	json_set_bool(o, "b", false);
	json_set_str(o, "nothing", NULL);
	json_set(o, "null", NULL);
	json_set(o, "list", parse("[1,2]"));
	json_set_int(o, "n", 3);
	assert_written(o, "{\"url\":\"http://x/y\",\"n\":3,\"b\":false,\"null\":null,\"list\":[1,2]}");
	json_object_put(o);
	assert_written(NULL, "null");
}

static void bad_bytes_never_leave(void **state)
{
	struct json_object *o = json_object_new_object();

	(void)state;
	json_set_str(o, "s", "a\xff\xe2\x82");
	assert_written(o, "{\"s\":\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"}");
	json_object_put(o);
}

static void quoted_text_reads_back_the_same(void **state)
{
	struct buf all = BUF_INIT, quoted = BUF_INIT;
	struct json_object *o;

	(void)state;
	for (uint32_t cp = 0; cp < 0x3000; cp++)
		utf8_encode(&all, cp);
	json_quote(&quoted, all.data, all.len);
	o = json_parse(quoted.data, quoted.len, NULL);
	assert_non_null(o);
	assert_int_equal(json_object_get_string_len(o), all.len);
	assert_memory_equal(json_object_get_string(o), all.data, all.len);
	json_object_put(o);
	buf_reset(&quoted);
	json_quote(&quoted, "a\"\\\n\x01/\xff", 7);
	assert_string_equal(quoted.data, "\"a\\\"\\\\\\n\\u0001/\xef\xbf\xbd\"");
	buf_clear(&all);
	buf_clear(&quoted);
}

/* It is written sixteen bytes at a time: each byte at each place among others. */
static void strings_are_judged_wherever_a_byte_stands(void **state)
{
	static const struct {
		const char *bytes;
		bool good;
	} rows[] = {{"\\\"", true}, {"\\\\", true}, {"'", true}, {"\x7f", true}, {"\xc3\xa9", true},
	    {"\n", false}, {"\x1f", false}, {"\"", false}, {"\\", false}, {"\xc3", false}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (int before = 0; before < 70; before++) {
			char *text = xasprintf(
			    "[\"%.*s%s%.*s\"]", before, FILLING, rows[i].bytes, 69 - before, FILLING);
			struct json_object *o = parse(text);

			if (!o == rows[i].good)
				fail_msg("%s was %s", text, o ? "accepted" : "refused");
			json_object_put(o);
			free(text);
		}
	}
}

static void every_byte_is_quoted_wherever_it_stands(void **state)
{
	static const char *const around[] = {"abcdefghijklmnopqrstuvwxyzabcdefghijklm",
	    "\"\\\n\x1f\"\\\n\x1f\"\\\n\x1f\"\\\n\x1f\"\\\n\x1f\"\\\n\x1f\"\\\n\x1f\"\\\n\x1f\"\\\n\x1f\"\\"
	    "\n",
	    "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
	    "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9q"};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(around); k++)
		for (size_t at = 0; at < 39; at++)
			for (int c = 0; c < 256; c++) {
				struct buf quoted = BUF_INIT, clean = BUF_INIT;
				char text[40];

				memcpy(text, around[k], sizeof(text));
				text[at] = (char)c;
				json_quote(&quoted, text, 39);
				struct json_object *o = json_parse(quoted.data, quoted.len, NULL);
				assert_non_null(o);
				for (size_t i = 0; i < 39;) {
					uint32_t cp;
					size_t n = utf8_decode(text + i, 39 - i, &cp);
					buf_add(&clean, n ? text + i : "\xef\xbf\xbd", n ? n : 3);
					i += n ? n : 1;
				}
				assert_int_equal(json_object_get_string_len(o), clean.len);
				assert_memory_equal(json_object_get_string(o), clean.data, clean.len);
				json_object_put(o);
				buf_clear(&quoted);
				buf_clear(&clean);
			}
}

/* A block ends within a character, or is all of what becomes six bytes. */
static void long_text_is_quoted_to_its_last_byte(void **state)
{
	static const char *const pieces[] = {"\x01", "\xf0\x9f\x9a\x80", "a\"", "x", "\xff"};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(pieces); k++)
		for (size_t count = 500; count < 530; count++) {
			struct buf text = BUF_INIT, quoted = BUF_INIT;

			for (size_t i = 0; i < count; i++)
				buf_addstr(&text, pieces[k]);
			json_quote(&quoted, text.data, text.len);
			struct json_object *o = json_parse(quoted.data, quoted.len, NULL);
			assert_non_null(o);
			assert_int_equal(
			    json_object_get_string_len(o), *pieces[k] == '\xff' ? 3 * count : text.len);
			json_object_put(o);
			buf_clear(&text);
			buf_clear(&quoted);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(json_values_are_taken),
	    cmocka_unit_test(what_is_not_json_is_refused_with_a_sentence),
	    cmocka_unit_test(a_nul_byte_is_refused_anywhere),
	    cmocka_unit_test(only_len_bytes_are_read),
	    cmocka_unit_test(errors_say_where),
	    cmocka_unit_test(text_of_any_script_is_read),
	    cmocka_unit_test(a_broken_text_leaves_nothing_to_the_next),
	    cmocka_unit_test(a_tree_is_that_of_json_c),
	    cmocka_unit_test(a_tree_of_named_members_has_no_others),
	    cmocka_unit_test(a_tree_is_written_as_json_c_does),
	    cmocka_unit_test(a_text_of_any_length_is_read),
	    cmocka_unit_test(depth_is_limited_exactly),
	    cmocka_unit_test(the_number_of_foreign_values_is_limited),
	    cmocka_unit_test(a_foreign_value_may_be_of_any_type),
	    cmocka_unit_test(a_wanted_object_must_be_one),
	    cmocka_unit_test(members_of_another_type_count_as_absent),
	    cmocka_unit_test(lookups_take_null_and_what_is_no_object),
	    cmocka_unit_test(members_are_set_and_replaced_in_place),
	    cmocka_unit_test(bad_bytes_never_leave),
	    cmocka_unit_test(quoted_text_reads_back_the_same),
	    cmocka_unit_test(strings_are_judged_wherever_a_byte_stands),
	    cmocka_unit_test(every_byte_is_quoted_wherever_it_stands),
	    cmocka_unit_test(long_text_is_quoted_to_its_last_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
