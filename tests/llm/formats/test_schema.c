#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/schema.h"

#define OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"

static void what_only_some_providers_know_is_said_in_plain_words(void **state)
{
	static const struct {
		const char *given, *plain;
	} table[] = {
	    {"{\"type\":\"object\"}", OBJECT("")},
	    {"{}", OBJECT("")},
	    {"no JSON", OBJECT("")},
	    {"{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"type\":"
	     "\"integer\",\"minimum\":1,\"default\":3}},\"required\":[\"a\",\"gone\"]}",
		"{\"type\":\"object\",\"properties\":{\"a\":{\"minimum\":1,\"type\":\"integer\"}},"
		"\"required\":[\"a\"]}"},
	    {OBJECT("\"a\":{\"properties\":{\"x\":{}},\"required\":[null,7,\"x\",[]]}"),
		OBJECT("\"a\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\"}},"
		       "\"required\":[\"x\"]}")},
	    {OBJECT("\"a\":{\"type\":[\"null\",\"number\"]}"), OBJECT("\"a\":{\"type\":\"number\"}")},
	    {OBJECT("\"a\":{\"type\":\"array\"}"),
		OBJECT("\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}")},
	    {OBJECT(
		 "\"a\":{\"description\":\"Where.\",\"anyOf\":[{\"type\":\"null\"},{\"type\":\"boolean\"}]}"),
		OBJECT("\"a\":{\"description\":\"Where.\",\"type\":\"boolean\"}")},
	    {OBJECT(
		 "\"a\":{\"enum\":[\"x\",\"y\"]},\"b\":{\"const\":\"z\"},\"c\":{\"enum\":[1,2]},\"d\":true"),
		OBJECT("\"a\":{\"type\":\"string\",\"enum\":[\"x\",\"y\"]},\"b\":{\"type\":\"string\","
		       "\"enum\":[\"z\"]},\"c\":{\"type\":\"string\"},\"d\":{\"type\":\"string\"}")},
	    {"{\"$defs\":{\"Point\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"}}}},"
	     "\"type\":\"object\",\"properties\":{\"at\":{\"$ref\":\"#/$defs/Point\"},\"no\":{\"$ref\":\"#/"
	     "$defs/None\"}}}",
		OBJECT("\"at\":" OBJECT("\"x\":{\"type\":\"number\"}") ",\"no\":{\"type\":\"string\"}")},
	};
	struct buf out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		buf_reset(&out);
		llm_schema_plain(&out, table[i].given);
		assert_string_equal(out.data, table[i].plain);
	}
	buf_clear(&out);
}

static void a_schema_that_holds_itself_ends(void **state)
{
	static const char given[] =
	    "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"},\"b\":{\"$ref\":\"#\"},\"c\":{"
	    "\"type\":\"array\",\"items\":{\"$ref\":\"#\"}},\"d\":{\"$ref\":\"#/properties/d\"}}}";
	struct buf out = BUF_INIT;

	(void)state;
	llm_schema_plain(&out, given);
	assert_true(out.len > strlen(given) && out.len < 1024 * 1024);
	assert_null(strstr(out.data, "$ref"));
	buf_clear(&out);
}

/* A hundred properties that are the schema again would be a hundred times the nodes. */
static void a_schema_of_many_that_hold_itself_is_short(void **state)
{
	struct buf given = BUF_INIT, out = BUF_INIT;

	(void)state;
	buf_addstr(&given, "{\"type\":\"object\",\"properties\":{");
	for (int i = 0; i < 100; i++)
		buf_addf(&given, "\"a%d\":{\"$ref\":\"#\"},", i);
	buf_addstr(&given,
	    "\"last\":{\"description\":\"The "
	    "last.\",\"enum\":[\"x\"]}},\"required\":[\"a0\",\"a98\",\"last\"]}");
	llm_schema_plain(&out, given.data);
	assert_true(out.len < 200000);
	/* The tool's own parameters are there, and what is required is. */
	struct json_object *plain = json_parse_object(out.data, out.len, NULL);
	assert_int_equal(json_object_object_length(json_get_object(plain, "properties")), 101);
	assert_int_equal(json_count(json_get_array(plain, "required")), 3);
	assert_non_null(strstr(
	    out.data, "\"last\":{\"description\":\"The last.\",\"type\":\"string\",\"enum\":[\"x\"]}"));
	for (struct json_object *o = plain; o; o = json_get_object(json_get_object(o, "properties"), "a0"))
		json_each(json_get_array(o, "required"), name)
			assert_non_null(
			    json_get(json_get_object(o, "properties"), json_object_get_string(name)));
	json_object_put(plain);
	buf_clear(&given);
	buf_clear(&out);
}

/* Each of these is copied with each of two thousand nodes otherwise. */
static void what_a_schema_repeats_is_short(void **state)
{
	static const struct {
		const char *begin, *more, *end;
	} table[] = {
	    {"\"description\":\"", "words ", "\""},
	    {"\"maximum\":[0", ",1", "]"},
	    {"\"required\":[\"a\"", ",\"a\"", "]"},
	    {"\"x\":{\"enum\":[\"a\"", ",\"b\"", "]}"},
	    {"\"x\":{\"const\":\"", "c", "\"}"},
	};
	struct buf given = BUF_INIT, out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		buf_reset(&given);
		buf_reset(&out);
		buf_addf(&given, "{%s", table[i].begin);
		while (given.len < 60000)
			buf_addstr(&given, table[i].more);
		buf_addf(&given,
		    "%s,\"properties\":{\"a\":{\"$ref\":\"#\"},\"b\":{\"$ref\":\"#\"},\"c\":{\"$ref\":\"#/"
		    "x\"}}}",
		    table[i].end);
		llm_schema_plain(&out, given.data);
		assert_true(out.len > 500 && out.len < 1024 * 1024);
		assert_non_null(strstr(out.data, "\"c\":{"));
	}
	buf_clear(&given);
	buf_clear(&out);
}

/* Thousands of alternatives that stand for nothing would be looked at for each of two thousand nodes. */
static void of_many_alternatives_the_first_are_looked_at(void **state)
{
	static const struct {
		size_t nulls;
		const char *type;
	} table[] = {{10, "integer"}, {1000, "string"}};
	struct buf given = BUF_INIT, out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *want = xasprintf("\"a\":{\"type\":\"%s\"}", table[i].type);

		buf_reset(&given);
		buf_reset(&out);
		buf_addstr(&given, "{\"properties\":{\"a\":{\"anyOf\":[");
		for (size_t n = 0; n < table[i].nulls; n++)
			buf_addstr(&given, "{\"type\":\"null\"},");
		buf_addstr(&given, "{\"type\":\"integer\"}]}}}");
		llm_schema_plain(&out, given.data);
		assert_non_null(strstr(out.data, want));
		free(want);
	}
	buf_clear(&given);
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_only_some_providers_know_is_said_in_plain_words),
	    cmocka_unit_test(a_schema_that_holds_itself_ends),
	    cmocka_unit_test(a_schema_of_many_that_hold_itself_is_short),
	    cmocka_unit_test(what_a_schema_repeats_is_short),
	    cmocka_unit_test(of_many_alternatives_the_first_are_looked_at),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
