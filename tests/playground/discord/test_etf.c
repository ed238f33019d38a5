/* Terms of Erlang, as the gateway writes and reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/gateway/etf.h"

/* A term without its version, and with its length, which has NULs in it. */
#define TERM(s) "\x83" s, sizeof("\x83" s) - 1

struct sample {
	const char *json, *term;
	size_t len;
};

static const struct sample both_ways[] = {
    {"0", TERM("a\x00")},
    {"255", TERM("a\xff")},
    {"256", TERM("b\x00\x00\x01\x00")},
    {"-1", TERM("b\xff\xff\xff\xff")},
    {"-2147483648", TERM("b\x80\x00\x00\x00")},
    {"2147483648", TERM("n\x04\x00\x00\x00\x00\x80")},
    {"-2147483649", TERM("n\x04\x01\x01\x00\x00\x80")},
    {"-9223372036854775808", TERM("n\x08\x01\x00\x00\x00\x00\x00\x00\x00\x80")},
    {"18446744073709551615", TERM("n\x08\x00\xff\xff\xff\xff\xff\xff\xff\xff")},
    {"1.5", TERM("F\x3f\xf8\x00\x00\x00\x00\x00\x00")},
    {"true", TERM("d\x00\x04true")},
    {"false",
	TERM("d\x00\x05"
	     "false")},
    {"\"\"", TERM("m\x00\x00\x00\x00")},
    {"\"\xc3\xa9\"", TERM("m\x00\x00\x00\x02\xc3\xa9")},
    {"[]", TERM("j")},
    {"[null,[1]]",
	TERM("l\x00\x00\x00\x02"
	     "d\x00\x03nill\x00\x00\x00\x01"
	     "a\x01jj")},
    {"{}", TERM("t\x00\x00\x00\x00")},
    {"{\"op\":1}",
	TERM("t\x00\x00\x00\x01"
	     "d\x00\x02opa\x01")},
    {"{\"123\":1}",
	TERM("t\x00\x00\x00\x01m\x00\x00\x00\x03"
	     "123a\x01")},
    /* A text of digits is a snowflake only where ids stand, and where libraries make a text of it again. */
    {"{\"content\":\"123456789012345678\"}",
	TERM("t\x00\x00\x00\x01"
	     "d\x00\x07"
	     "contentm\x00\x00\x00\x12"
	     "123456789012345678")},
    /* An atom of that name would be a value. */
    {"{\"true\":1}",
	TERM("t\x00\x00\x00\x01"
	     "m\x00\x00\x00\x04truea\x01")},
    {"{\"id\":\"900\"}",
	TERM("t\x00\x00\x00\x01"
	     "d\x00\x02idm\x00\x00\x00\x03"
	     "900")},
};

static void what_is_written_is_read_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(both_ways); i++) {
		const struct sample *s = &both_ways[i];
		struct json_object *o = json_parse(s->json, strlen(s->json), NULL), *again;
		struct buf out = BUF_INIT;
		char *text;

		etf_write(&out, o);
		assert_int_equal(out.len, s->len);
		assert_memory_equal(out.data, s->term, s->len);
		again = etf_read(s->term, s->len, true, NULL);
		text = json_text(again);
		assert_string_equal(text, s->json);
		free(text);
		buf_clear(&out);
		json_object_put(o);
		json_object_put(again);
	}
}

/* As cloudstorm and erlpack read them. */
static void snowflakes_are_integers(void **state)
{
	static const char term[] = "\x83t\x00\x00\x00\x02"
				   "d\x00\x08guild_idn\x05\x00\x01\x00\x00\x00\x01"
				   "d\x00\x03widm\x00\x00\x00\x0a"
				   "4294967297";
	static const char json[] = "{\"guild_id\":\"4294967297\",\"wid\":\"4294967297\"}";
	struct json_object *o = json_parse(json, strlen(json), NULL);
	struct buf out = BUF_INIT;

	(void)state;
	etf_write(&out, o);
	assert_int_equal(out.len, sizeof(term) - 1);
	assert_memory_equal(out.data, term, out.len);
	buf_clear(&out);
	json_object_put(o);
}

static const struct sample read_alone[] = {
    {"null", TERM("h\x01s\x03nil")},
    {"null",
	TERM("h\x01"
	     "w\x04null")},
    {"true", TERM("h\x01v\x00\x04true")},
    {"\"os\"", TERM("h\x01s\x02os")},
    {"0", TERM("h\x01n\x00\x01")},
    {"[1,2]", TERM("h\x01k\x00\x02\x01\x02")},
    {"{\"a\":1}",
	TERM("h\x01t\x00\x00\x00\x01m\x00\x00\x00\x01"
	     "aa\x01")},
};

static void other_forms_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(read_alone); i++) {
		const struct sample *s = &read_alone[i];
		struct json_object *o = etf_read(s->term, s->len, false, NULL);
		char *text = json_text(json_object_array_get_idx(o, 0));

		assert_string_equal(text, s->json);
		free(text);
		json_object_put(o);
	}
}

static const struct sample wrong[] = {
    {"no version", "a\x01", 2},
    {"nothing", "", 0},
    {"nil", TERM("s\x03nil")},
    {"more than one",
	TERM("a\x01"
	     "a\x01")},
    {"compressed", TERM("P\x00\x00\x00\x02x")},
    {"a list without an end",
	TERM("l\x00\x00\x00\x01"
	     "a\x01")},
    {"an improper list",
	TERM("l\x00\x00\x00\x01"
	     "a\x01"
	     "a\x02")},
    {"more items than bytes", TERM("l\xff\xff\xff\xff")},
    {"a long text", TERM("m\xff\xff\xff\xffx")},
    {"no UTF-8", TERM("m\x00\x00\x00\x01\xff")},
    {"a large integer", TERM("n\x09\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09")},
    {"a small integer", TERM("n\x08\x01\xff\xff\xff\xff\xff\xff\xff\xff")},
    {"infinity", TERM("F\x7f\xf0\x00\x00\x00\x00\x00\x00")},
    {"an atom as a key",
	TERM("t\x00\x00\x00\x01"
	     "d\x00\x01"
	     "aa\x01")},
    {"a number as a key",
	TERM("t\x00\x00\x00\x01"
	     "a\x01"
	     "a\x01")},
    {"a NUL in a key",
	TERM("t\x00\x00\x00\x01m\x00\x00\x00\x01\x00"
	     "a\x01")},
};

static void anything_else_is_an_error(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct error err = {0};

		if (etf_read(wrong[i].term, wrong[i].len, false, &err))
			fail_msg("%s is read", wrong[i].json);
		assert_true(err.text[0] != '\0');
	}
}

static void depth_has_a_limit(void **state)
{
	char term[1 + 2 * JSON_DEPTH + 2];
	struct json_object *o;

	(void)state;
	term[0] = (char)131;
	for (size_t i = 0; i < JSON_DEPTH; i++)
		memcpy(term + 1 + 2 * i, "h\x01", 2);
	memcpy(term + sizeof(term) - 2, "a\x01", 2);
	assert_null(etf_read(term, sizeof(term), false, NULL));
	term[2] = (char)131;
	o = etf_read(term + 2, sizeof(term) - 2, false, NULL);
	assert_non_null(o);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_written_is_read_again),
	    cmocka_unit_test(snowflakes_are_integers),
	    cmocka_unit_test(other_forms_are_read),
	    cmocka_unit_test(anything_else_is_an_error),
	    cmocka_unit_test(depth_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
