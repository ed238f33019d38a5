#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_only_some_providers_know_is_said_in_plain_words),
	    cmocka_unit_test(a_schema_that_holds_itself_ends),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
