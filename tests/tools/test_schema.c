#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/schema.h"
#include "tools/tools_fixture.h"

static const struct tool_alias param_aliases[] = {
    {"file_path", "path"},
    {"filename", "path"},
    {"timeout_seconds", "timeout"},
    {NULL, NULL},
};

static const struct tool probe = {
    .name = "probe",
    .param_aliases = param_aliases,
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"path\":{\"type\":\"string\",\"maxLength\":5,\"description\":\"d\"},"
	      "\"timeout\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":300,\"description\":\"d\"},"
	      "\"lines\":{\"type\":\"integer\",\"minimum\":-5,\"description\":\"d\"},"
	      "\"ratio\":{\"type\":\"number\",\"minimum\":0.5,\"maximum\":2,\"description\":\"d\"},\"deep\":{"
	      "\"type\":\"boolean\",\"description\":\"d\"},"
	      "\"mode\":{\"type\":\"string\",\"enum\":[\"append\",\"overwrite\"],\"description\":\"d\"},"
	      "\"name\":{\"type\":\"string\",\"minLength\":1,\"description\":\"d\"},"
	      "\"hosts\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,\"maxItems\":3,"
	      "\"description\":\"d\"},"
	      "\"headers\":{\"type\":\"object\",\"description\":\"d\"}"
	      "},\"required\":[\"path\"]}",
};

/* What schema_apply made of the arguments: their text, or the failure's code, cause and sentence. */
struct outcome {
	char *args, *clamped, *code, *cause, *error;
};

static char *text_of(struct json_object *o)
{
	char *text = o ? json_text(o) : NULL;

	json_object_put(o);
	return text;
}

static struct outcome apply_to(const struct tool *tool, const char *arguments)
{
	struct error err = {0};
	struct json_object *schema = json_parse(tool->schema, strlen(tool->schema), &err), *clamped = NULL;
	struct json_object *args = json_parse(arguments, strlen(arguments), &err);
	struct outcome out = {0};

	if (!schema || !args)
		fail_msg("%s: %s", arguments, err.text);
	struct json_object *problem = schema_apply(tool, schema, args, &clamped);
	out.args = text_of(args);
	out.clamped = text_of(clamped);
	out.code = xstrdup(json_get_str(problem, "error_code"));
	out.cause = xstrdup(json_get_str(json_get_object(problem, "context"), "cause"));
	out.error = xstrdup(json_get_str(problem, "error"));
	json_object_put(problem);
	json_object_put(schema);
	return out;
}

static void outcome_clear(struct outcome *out)
{
	free(out->args);
	free(out->clamped);
	free(out->code);
	free(out->cause);
	free(out->error);
}

static void expect_args(const char *arguments, const char *want, const char *clamped)
{
	struct outcome out = apply_to(&probe, arguments);

	if (out.code)
		fail_msg("%s: %s", arguments, out.error);
	assert_string_equal(out.args, want);
	if (clamped)
		assert_string_equal(out.clamped, clamped);
	else
		assert_null(out.clamped);
	outcome_clear(&out);
}

/* The failure's cause, and a part of its sentence. */
static void expect_refused(const char *arguments, const char *cause, const char *part)
{
	struct outcome out = apply_to(&probe, arguments);

	if (!out.code)
		fail_msg("%s was taken: %s", arguments, out.args);
	assert_string_equal(out.code, "INVALID_ARGUMENT");
	if (cause)
		assert_string_equal(out.cause, cause);
	else
		assert_null(out.cause);
	assert_holds(out.error, part);
	assert_holds(out.error,
	    "probe takes path (string), timeout?, lines?, ratio?, deep?, mode?, name?, hosts?, headers?. ");
	outcome_clear(&out);
}

static void arguments_in_order_stay_as_they_are(void **state)
{
	(void)state;
	expect_args("{\"path\":\"a\"}", "{\"path\":\"a\"}", NULL);
	expect_args("{\"path\":\"\",\"timeout\":1,\"lines\":-5,\"ratio\":0.5,\"deep\":false,\"mode\":"
		    "\"append\",\"name\":\"x\","
		    "\"hosts\":[\"a\"],\"headers\":{\"x\":1}}",
	    "{\"path\":\"\",\"timeout\":1,\"lines\":-5,\"ratio\":0.5,\"deep\":false,\"mode\":\"append\","
	    "\"name\":\"x\",\"hosts\":[\"a\"],\"headers\":{\"x\":1}}",
	    NULL);
	expect_args("{\"path\":\"a\",\"timeout\":300,\"ratio\":2}",
	    "{\"path\":\"a\",\"timeout\":300,\"ratio\":2}", NULL);
}

static void an_alias_becomes_the_canonical_name(void **state)
{
	(void)state;
	expect_args("{\"file_path\":\"a\"}", "{\"path\":\"a\"}", NULL);
	expect_args("{\"filename\":\"a\",\"timeout_seconds\":7}", "{\"path\":\"a\",\"timeout\":7}", NULL);
}

static void alias_and_canonical_name_with_one_value_are_one(void **state)
{
	(void)state;
	expect_args("{\"path\":\"a\",\"file_path\":\"a\"}", "{\"path\":\"a\"}", NULL);
	expect_args("{\"file_path\":\"a\",\"filename\":\"a\",\"path\":\"a\"}", "{\"path\":\"a\"}", NULL);
	expect_args("{\"path\":\"a\",\"file_path\":null}", "{\"path\":\"a\"}", NULL);
	expect_args("{\"path\":null,\"file_path\":\"a\"}", "{\"path\":\"a\"}", NULL);
}

static void alias_and_canonical_name_that_differ_are_both_named(void **state)
{
	(void)state;
	expect_refused("{\"path\":\"a\",\"file_path\":\"b\"}", NULL, "'path' and 'file_path'");
	expect_refused("{\"file_path\":\"a\",\"filename\":\"b\"}", NULL, "'path' and 'filename'");
}

static void a_missing_argument_is_named_with_what_the_tool_takes(void **state)
{
	(void)state;
	expect_refused("{}", "MISSING", "missing 'path'. probe takes path (string), timeout?");
	expect_refused("{\"path\":null}", "MISSING", "missing 'path'");
	expect_refused("{\"file_path\":null,\"deep\":true}", "MISSING", "missing 'path'");
}

static void an_unknown_argument_is_named(void **state)
{
	(void)state;
	expect_refused("{\"path\":\"a\",\"depth\":1}", "UNKNOWN", "unknown 'depth'. ");
	expect_refused("{\"path\":\"a\",\"depth\":null}", "UNKNOWN", "unknown 'depth'. ");
	expect_refused("{\"path\":\"a\",\"Path\":\"a\"}", "UNKNOWN", "unknown 'Path'. ");
	expect_refused("{\"path\":\"a\",\"\":\"a\"}", "UNKNOWN", "unknown ''. ");
}

static void a_long_unknown_name_is_cut_between_characters(void **state)
{
	struct buf arguments = BUF_INIT;

	(void)state;
	buf_addstr(&arguments, "{\"path\":\"a\",\"a");
	for (int i = 0; i < 100; i++)
		buf_addstr(&arguments, "\xc3\xa9");
	buf_addstr(&arguments, "\":1}");
	struct outcome out = apply_to(&probe, arguments.data);
	buf_clear(&arguments);
	assert_string_equal(out.cause, "UNKNOWN");
	assert_null(strstr(out.error, "\xef\xbf\xbd"));
	assert_true(strlen(out.error) < 250);
	outcome_clear(&out);
}

static void null_is_absent(void **state)
{
	(void)state;
	expect_args(
	    "{\"path\":\"a\",\"timeout\":null,\"deep\":null,\"hosts\":null}", "{\"path\":\"a\"}", NULL);
}

static void strings_that_are_wholly_numbers_or_booleans_are_taken_for_them(void **state)
{
	static const char *const cases[][2] = {
	    {"\"timeout\":\"30\"", "\"timeout\":30"},
	    {"\"timeout\":\"1\"", "\"timeout\":1"},
	    {"\"timeout\":\"30.0\"", "\"timeout\":30"},
	    {"\"timeout\":\"3e1\"", "\"timeout\":30"},
	    {"\"timeout\":30.0", "\"timeout\":30"},
	    {"\"lines\":\"-5\"", "\"lines\":-5"},
	    {"\"lines\":\"9223372036854775807\"", "\"lines\":9223372036854775807"},
	    {"\"ratio\":\"1.5\"", "\"ratio\":1.5"},
	    {"\"ratio\":\"1\"", "\"ratio\":1"},
	    {"\"ratio\":1", "\"ratio\":1"},
	    {"\"deep\":\"true\"", "\"deep\":true"},
	    {"\"deep\":\"false\"", "\"deep\":false"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *given = xasprintf("{\"path\":\"a\",%s}", cases[i][0]),
		     *want = xasprintf("{\"path\":\"a\",%s}", cases[i][1]);
		expect_args(given, want, NULL);
		free(given);
		free(want);
	}
}

static void what_is_of_another_type_is_refused(void **state)
{
	static const struct {
		const char *argument, *says;
	} cases[] = {
	    {"\"timeout\":\"\"", "'timeout' must be an integer"},
	    {"\"timeout\":\"30s\"", "'timeout' must be an integer"},
	    {"\"timeout\":\" 30\"", "'timeout' must be an integer"},
	    {"\"timeout\":\"30 \"", "'timeout' must be an integer"},
	    {"\"timeout\":\"30\\n\"", "'timeout' must be an integer"},
	    {"\"timeout\":\"0x1e\"", "'timeout' must be an integer"},
	    {"\"timeout\":\"+30\"", "'timeout' must be an integer"},
	    {"\"timeout\":\"1 2\"", "'timeout' must be an integer"},
	    {"\"timeout\":\"30.5\"", "'timeout' must be an integer"},
	    {"\"timeout\":30.5", "'timeout' must be an integer"},
	    {"\"timeout\":1e300", "'timeout' must be an integer"},
	    {"\"timeout\":\"99999999999999999999\"", "'timeout' must be an integer"},
	    {"\"timeout\":\"-\"", "'timeout' must be an integer"},
	    {"\"timeout\":true", "'timeout' must be an integer"},
	    {"\"timeout\":[1]", "'timeout' must be an integer"},
	    {"\"ratio\":\"nan\"", "'ratio' must be a number"},
	    {"\"ratio\":\"inf\"", "'ratio' must be a number"},
	    {"\"ratio\":\"0x1p1\"", "'ratio' must be a number"},
	    {"\"ratio\":\"true\"", "'ratio' must be a number"},
	    {"\"ratio\":1e999", "'ratio' is no number"},
	    {"\"ratio\":\"1e999\"", "'ratio' is no number"},
	    {"\"deep\":1", "'deep' must be a boolean"},
	    {"\"deep\":\"yes\"", "'deep' must be a boolean"},
	    {"\"deep\":\"True\"", "'deep' must be a boolean"},
	    {"\"deep\":\"\"", "'deep' must be a boolean"},
	    {"\"name\":5", "'name' must be a string"},
	    {"\"name\":true", "'name' must be a string"},
	    {"\"name\":{}", "'name' must be a string"},
	    {"\"name\":\"a\\u0000b\"", "'name' holds a NUL"},
	    {"\"hosts\":\"a\"", "'hosts' must be an array"},
	    {"\"hosts\":[1]", "'hosts' must hold strings only"},
	    {"\"hosts\":[\"a\",null]", "'hosts' must hold strings only"},
	    {"\"hosts\":[\"a\\u0000\"]", "'hosts' must hold strings only"},
	    {"\"headers\":[]", "'headers' must be an object"},
	    {"\"headers\":\"{}\"", "'headers' must be an object"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *given = xasprintf("{\"path\":\"a\",%s}", cases[i].argument);
		expect_refused(given, "TYPE", cases[i].says);
		free(given);
	}
}

static void above_a_maximum_is_clamped_and_told(void **state)
{
	(void)state;
	expect_args(
	    "{\"path\":\"a\",\"timeout\":301}", "{\"path\":\"a\",\"timeout\":300}", "{\"timeout\":300}");
	expect_args("{\"path\":\"a\",\"timeout_seconds\":\"9000\"}", "{\"path\":\"a\",\"timeout\":300}",
	    "{\"timeout\":300}");
	expect_args("{\"path\":\"a\",\"timeout\":18446744073709551615,\"ratio\":2.01}",
	    "{\"path\":\"a\",\"timeout\":300,\"ratio\":2}", "{\"timeout\":300,\"ratio\":2}");
	expect_args("{\"path\":\"a\",\"lines\":18446744073709551615}",
	    "{\"path\":\"a\",\"lines\":9223372036854775807}", "{\"lines\":9223372036854775807}");
}

static void below_a_minimum_is_refused(void **state)
{
	(void)state;
	expect_refused("{\"path\":\"a\",\"timeout\":0}", "RANGE", "'timeout' must be at least 1.");
	expect_refused("{\"path\":\"a\",\"timeout\":\"-9223372036854775808\"}", "RANGE",
	    "'timeout' must be at least 1.");
	expect_refused("{\"path\":\"a\",\"lines\":-6}", "RANGE", "'lines' must be at least -5.");
	expect_refused("{\"path\":\"a\",\"ratio\":0.49}", "RANGE", "'ratio' must be at least 0.5.");
}

static void only_listed_values_are_taken(void **state)
{
	(void)state;
	expect_args(
	    "{\"path\":\"a\",\"mode\":\"overwrite\"}", "{\"path\":\"a\",\"mode\":\"overwrite\"}", NULL);
	expect_refused("{\"path\":\"a\",\"mode\":\"Append\"}", "RANGE",
	    "'mode' must be one of [\"append\",\"overwrite\"].");
	expect_refused("{\"path\":\"a\",\"mode\":\"\"}", "RANGE", "'mode' must be one of");
}

static void lengths_are_counted_in_characters_and_entries(void **state)
{
	(void)state;
	expect_args("{\"path\":\"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80\"}",
	    "{\"path\":\"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80\"}", NULL);
	expect_refused("{\"path\":\"abcdef\"}", "RANGE", "'path' has 6 characters, and may have at most 5.");
	expect_refused(
	    "{\"path\":\"a\",\"name\":\"\"}", "RANGE", "'name' has 0 characters, and must have at least 1.");
	expect_refused(
	    "{\"path\":\"a\",\"hosts\":[]}", "RANGE", "'hosts' has 0 entries, and must have at least 1.");
	expect_refused("{\"path\":\"a\",\"hosts\":[\"a\",\"b\",\"c\",\"d\"]}", "RANGE",
	    "'hosts' has 4 entries, and may have at most 3.");
}

static void a_tool_without_parameters_says_so(void **state)
{
	static const char *const schemas[] = {
	    "{\"type\":\"object\"}", "{\"type\":\"object\",\"properties\":{}}"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(schemas); i++) {
		const struct tool plain = {.name = "plain", .schema = schemas[i]};
		struct outcome out = apply_to(&plain, "{}");
		assert_null(out.code);
		outcome_clear(&out);
		out = apply_to(&plain, "{\"a\":1}");
		assert_string_equal(out.cause, "UNKNOWN");
		assert_holds(out.error, "plain takes no arguments.");
		outcome_clear(&out);
	}
}

static void a_schema_that_no_model_should_see_is_refused_with_a_reason(void **state)
{
	static const struct {
		const char *schema, *says; /* says NULL: it is taken */
	} cases[] = {
	    {"{\"type\":\"object\"}", NULL},
	    {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"description\":\"d\"}}}",
		NULL},
	    {"{}", "root"},
	    {"{\"type\":\"array\"}", "root"},
	    {"{\"type\":[\"object\"]}", "root"},
	    {"\"object\"", "root"},
	    {"[]", "root"},
	    {"{\"type\":\"object\",\"properties\":[]}", "not an object"},
	    {"{\"type\":\"object\",\"properties\":{\"a\":{\"description\":\"d\"}}}", "'a' has no type"},
	    {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"text\",\"description\":\"d\"}}}",
		"'a' has no type"},
	    {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}", "'a' has no description"},
	    {"{\"type\":\"object\",\"properties\":{\"a\":5}}", "'a' has no type"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = {0};
		struct json_object *schema = json_parse(cases[i].schema, strlen(cases[i].schema), &err);
		assert_int_equal(schema_check(schema, false, &err), cases[i].says ? -1 : 0);
		if (cases[i].says)
			assert_holds(err.text, cases[i].says);
		json_object_put(schema);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(arguments_in_order_stay_as_they_are),
	    cmocka_unit_test(an_alias_becomes_the_canonical_name),
	    cmocka_unit_test(alias_and_canonical_name_with_one_value_are_one),
	    cmocka_unit_test(alias_and_canonical_name_that_differ_are_both_named),
	    cmocka_unit_test(a_missing_argument_is_named_with_what_the_tool_takes),
	    cmocka_unit_test(an_unknown_argument_is_named),
	    cmocka_unit_test(a_long_unknown_name_is_cut_between_characters),
	    cmocka_unit_test(null_is_absent),
	    cmocka_unit_test(strings_that_are_wholly_numbers_or_booleans_are_taken_for_them),
	    cmocka_unit_test(what_is_of_another_type_is_refused),
	    cmocka_unit_test(above_a_maximum_is_clamped_and_told),
	    cmocka_unit_test(below_a_minimum_is_refused),
	    cmocka_unit_test(only_listed_values_are_taken),
	    cmocka_unit_test(lengths_are_counted_in_characters_and_entries),
	    cmocka_unit_test(a_tool_without_parameters_says_so),
	    cmocka_unit_test(a_schema_that_no_model_should_see_is_refused_with_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
