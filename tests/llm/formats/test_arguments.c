#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "llm/formats/arguments.h"

struct sample {
	const char *text;
	const char *object; /* NULL: cannot be understood */
};

static void assert_reads(const struct sample *s, bool repair)
{
	char *got = llm_arguments_read(s->text, strlen(s->text), repair);
	struct json_object *o;

	if (!got != !s->object || (got && strcmp(got, s->object) != 0))
		print_message("%s: %s instead of %s\n", s->text, got ? got : "nothing",
		    s->object ? s->object : "nothing");
	assert_int_equal(!got, !s->object);
	if (got) {
		assert_string_equal(got, s->object);
		o = json_parse_object(got, strlen(got), NULL);
		assert_non_null(o);
		json_object_put(o);
	}
	free(got);
}

static void what_is_json_stays_byte_for_byte(void **state)
{
	static const struct sample samples[] = {
	    {"{}", "{}"},
	    {"", "{}"},
	    {"  \n", "{}"},
	    {"null", "{}"},
	    {" null\n", "{}"},
	    {"{\"a\": 1.50, \"b\":[ 1,2 ]}", "{\"a\": 1.50, \"b\":[ 1,2 ]}"},
	    {"{\"big\":12345678901234567890}", "{\"big\":12345678901234567890}"},
	    {" {\"text\":\"it's, \\u00e9 \\/ None\"}\n", "{\"text\":\"it's, \\u00e9 \\/ None\"}"},
	    {"{\"\xc3\xa9\":\"\xf0\x9f\x8c\xa7\"}", "{\"\xc3\xa9\":\"\xf0\x9f\x8c\xa7\"}"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		assert_reads(&samples[i], true);
		assert_reads(&samples[i], false);
	}
}

static const struct sample repairable[] = {
    {"```json\n{\"a\":1}\n```", "{\"a\":1}"},
    {"```\n{\"a\":1}```\n", "{\"a\":1}"},
    {"{\"a\":1,}", "{\"a\":1}"},
    {"{\"a\":[1,2, ] ,\n}", "{\"a\":[1,2 ] \n}"},
    {"{'a':'b'}", "{\"a\":\"b\"}"},
    {"{'say':'\"hi\"'}", "{\"say\":\"\\\"hi\\\"\"}"},
    {"{\"a\":\"it\\'s\"}", "{\"a\":\"it's\"}"},
    {"{\"a\":\"one\ntwo\tthree\"}", "{\"a\":\"one\\u000atwo\\u0009three\"}"},
    {"{\"a\":True,\"b\":False,\"c\":None}", "{\"a\":true,\"b\":false,\"c\":null}"},
    {"{\"True\":\"None, 'x',}\"}", "{\"True\":\"None, 'x',}\"}"},
    {"\"{\\\"a\\\":1}\"", "{\"a\":1}"},
    {"```json\n\"{\\\"a\\\":1}\"\n```", "{\"a\":1}"},
    {"{\"a\":\"\xff\"}", "{\"a\":\"\xef\xbf\xbd\"}"},
};

static void light_damage_is_mended_in_a_whole_message(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(repairable); i++)
		assert_reads(&repairable[i], true);
}

static void nothing_is_mended_in_a_message_that_was_cut_off(void **state)
{
	struct sample s;

	(void)state;
	/* Bad UTF-8, the last one, is no guess. */
	for (size_t i = 0; i + 1 < ARRAY_LEN(repairable); i++) {
		s = repairable[i];
		if (strcmp(s.text, s.object) == 0)
			continue;
		s.object = NULL;
		assert_reads(&s, false);
	}
}

static void nothing_is_guessed(void **state)
{
	static const struct sample samples[] = {
	    {"{\"path\":\"a\",\"content\":\"hal", NULL},
	    {"{\"path\":\"a\",\"content\":\"half\"", NULL},
	    {"{\"path\":", NULL},
	    {"{\"a\":1}}", NULL},
	    {"{\"a\":1} and more", NULL},
	    {"{}{\"a\":1}", NULL},
	    {"{'it':'isn't'}", NULL},
	    {"{\"n\":NaN}", NULL},
	    {"{\"n\":Infinity}", NULL},
	    {"{\"id\":123456789012345678901234}", NULL},
	    {"{\"id\":123456789012345678901234,}", NULL},
	    {"{a:1}", NULL},
	    {"{\"a\":undefined}", NULL},
	    {"[1,2]", NULL},
	    {"12", NULL},
	    {"true", NULL},
	    {"\"text\"", NULL},
	    {"\"\\\"{}\\\"\"", NULL},
	    {"nullx", NULL},
	    {"```json\n```", NULL},
	    {"```", NULL},
	    {"```````", NULL},
	    {"\"", NULL},
	    {"'\\", NULL},
	    {",", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		assert_reads(&samples[i], true);
		assert_reads(&samples[i], false);
	}
}

static void every_beginning_of_a_text_is_read_without_overrun(void **state)
{
	char *copy, *got;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(repairable); i++) {
		for (size_t len = 0; len <= strlen(repairable[i].text); len++) {
			/* Exactly as long, so that the sanitizer sees what is read behind it. */
			copy = xmemdup(repairable[i].text, len ? len : 1);
			got = llm_arguments_read(copy, len, true);
			if (len == strlen(repairable[i].text))
				assert_string_equal(got, repairable[i].object);
			free(got);
			free(copy);
		}
	}
}

static void nested_beyond_the_parsers_depth_is_not_understood(void **state)
{
	struct buf deep = BUF_INIT;

	(void)state;
	buf_addstr(&deep, "{\"a\":");
	for (int i = 0; i < 100000; i++)
		buf_addch(&deep, '[');
	assert_null(llm_arguments_read(deep.data, deep.len, true));
	buf_clear(&deep);
}

/* A tree takes more than two hundred times the memory of such a text. */
static void more_values_than_fit_are_not_understood(void **state)
{
	struct buf text = BUF_INIT, quoted = BUF_INIT;

	(void)state;
	buf_addstr(&text, "{\"path\":\"0\",\"b\":[{}");
	for (int i = 0; i < JSON_CONTAINERS_MAX; i++)
		buf_addstr(&text, ",{}");
	buf_addstr(&text, "]}");
	json_quote(&quoted, text.data, text.len);
	assert_null(llm_arguments_read(text.data, text.len, true));
	assert_null(llm_arguments_read(text.data, text.len, false));
	assert_null(llm_arguments_read(quoted.data, quoted.len, true));
	buf_clear(&text);
	buf_clear(&quoted);
}

static void what_is_not_understood_is_kept_in_an_object(void **state)
{
	static const char text[] = "{\"a\": \"b\n\xff\\";
	char *kept = llm_arguments_wrap_invalid(text, strlen(text));
	struct json_object *o = json_parse_object(kept, strlen(kept), NULL);

	(void)state;
	assert_non_null(o);
	assert_int_equal(json_object_object_length(o), 1);
	assert_string_equal(json_get_str(o, LLM_ARGUMENTS_UNPARSED), "{\"a\": \"b\n\xef\xbf\xbd\\");
	json_object_put(o);
	free(kept);
}

static void what_is_kept_is_cut_between_characters(void **state)
{
	struct buf text = BUF_INIT;
	struct json_object *o;
	char *kept;

	(void)state;
	buf_addch(&text, 'x');
	while (text.len < 9000)
		buf_addstr(&text, "\xe2\x82\xac");
	kept = llm_arguments_wrap_invalid(text.data, text.len);
	o = json_parse_object(kept, strlen(kept), NULL);
	assert_non_null(o);
	assert_int_equal(strlen(json_get_str(o, LLM_ARGUMENTS_UNPARSED)), 4096);
	json_object_put(o);
	free(kept);
	buf_clear(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_json_stays_byte_for_byte),
	    cmocka_unit_test(light_damage_is_mended_in_a_whole_message),
	    cmocka_unit_test(nothing_is_mended_in_a_message_that_was_cut_off),
	    cmocka_unit_test(nothing_is_guessed),
	    cmocka_unit_test(every_beginning_of_a_text_is_read_without_overrun),
	    cmocka_unit_test(nested_beyond_the_parsers_depth_is_not_understood),
	    cmocka_unit_test(more_values_than_fit_are_not_understood),
	    cmocka_unit_test(what_is_not_understood_is_kept_in_an_object),
	    cmocka_unit_test(what_is_kept_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
