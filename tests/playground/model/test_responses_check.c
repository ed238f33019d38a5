#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/model/script/script.h"
#include "playground/model/api.h"
#include "playground/model/responses/responses.h"

#define USER       "{\"role\":\"user\",\"content\":\"hi\"}"
#define CALL(id)   "{\"type\":\"function_call\",\"call_id\":\"" id "\",\"name\":\"f\",\"arguments\":\"{}\"}"
#define OUTPUT(id) "{\"type\":\"function_call_output\",\"call_id\":\"" id "\",\"output\":\"r\"}"
#define TOOL(rest)                                                                               \
	",\"tools\":[{\"type\":\"function\",\"name\":\"f\",\"parameters\":{\"type\":\"object\"," \
	"\"properties\":{\"a\":{\"type\":\"string\"}}}" rest "}]"

/* says NULL: the request is fine; else what the refusal says. rest goes after the input, with its comma. */
static void check(const char *input, const char *rest, const char *says)
{
	char *text = xasprintf("{\"model\":\"m\",\"input\":[%s]%s}", input, rest);
	struct json_object *request = json_parse_object(text, strlen(text), NULL);
	struct refusal r = {0};

	assert_non_null(request);
	int ret = responses_check(request, &r);
	if (!says ? ret != 0 : ret == 0 || !strstr(r.message, says))
		fail_msg("%s\n%s", text, ret == 0 ? "was accepted" : r.message);
	json_object_put(request);
	free(text);
}

static void good_requests_pass(void **state)
{
	(void)state;
	check(USER,
	    ",\"store\":false,\"stream\":true,\"include\":[\"reasoning.encrypted_content\"],\"instructions\":"
	    "\"s\"",
	    NULL);
	check(USER "," CALL("a") "," CALL("b") "," OUTPUT("b") "," OUTPUT("a") "," USER,
	    TOOL(",\"strict\":false"), NULL);
	check(USER ",{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
		   "\"text\":\"x\",\"annotations\":[]}]}," USER,
	    "", NULL);
}

static void parameters_are_those_of_this_format(void **state)
{
	(void)state;
	check(USER, ",\"messages\":[]", "Unknown parameter: 'messages'");
	check(USER, ",\"max_tokens\":5", "Unknown parameter: 'max_tokens'");
	check(USER, ",\"max_output_tokens\":5", "below minimum value");
	check(USER, ",\"include\":[\"everything\"]", "Invalid value: 'everything'");
	check(USER, ",\"previous_response_id\":\"resp_1\"", "not found");
	check("", "", "empty array");
	check("{\"type\":\"thought\"}", "", "no type of an input item");
	check("{\"role\":\"tool\",\"content\":\"x\"}", "", "Supported values are: 'assistant'");
	check("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}", "", "'input_text'");
	check(
	    "{\"role\":\"user\",\"content\":\"x\",\"name\":\"n\"}", "", "Unknown parameter: 'input[0].name'");
}

static void tools_are_flat_and_strict_unless_told(void **state)
{
	(void)state;
	check(USER, TOOL(""), "'additionalProperties' is required");
	check(USER, TOOL(",\"function\":{}"), "Unknown parameter: 'tools[0].function'");
	check(USER, ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]",
	    "Missing required parameter: 'tools[0].name'");
	check(USER, ",\"tools\":[{\"type\":\"function\",\"name\":\"f\",\"strict\":false,\"parameters\":{}}]",
	    "type: \"object\"");
}

static void calls_and_outputs_pair(void **state)
{
	(void)state;
	check(USER "," CALL("a"), "", "No tool output found for function call a");
	check(USER "," OUTPUT("a"), "", "No tool call found for function call output with call_id a");
	check(USER "," OUTPUT("a") "," CALL("a"), "", "No tool call found");
	check(USER "," CALL("a") "," OUTPUT("a") "," OUTPUT("a"), "", "No tool output found");
	check(USER "," CALL("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "",
	    "maximum length 64");
}

static void reasoning_comes_back_sealed_and_followed(void **state)
{
	static const char *const followed[] = {CALL("a") "," OUTPUT("a"), OUTPUT("a")};
	char sealed[RESPONSES_SEALED_SIZE];
	char *input;

	(void)state;
	responses_seal("rs_1", sealed);
	input = xasprintf(USER
	    ",{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"%s\"},%s",
	    sealed, followed[0]);
	check(input, "", NULL);
	free(input);
	input = xasprintf(USER
	    ",{\"type\":\"reasoning\",\"id\":\"rs_2\",\"summary\":[],\"encrypted_content\":\"%s\"},%s",
	    sealed, followed[0]);
	check(input, "", "could not be verified");
	free(input);
	input = xasprintf(USER "," CALL("a") ",{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],"
					     "\"encrypted_content\":\"%s\"},%s",
	    sealed, followed[1]);
	check(input, "", "without its required following item");
	free(input);
	check(USER ",{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[]}," USER, "",
	    "Items are not persisted");
}

static void the_script_sees_the_conversation(void **state)
{
	static const char text[] = "{\"model\":\"m\",\"input\":[" USER "," CALL("a") "," CALL("b") "," OUTPUT(
	    "a") "," OUTPUT("b") "]" TOOL("") "}";
	struct json_object *request = json_parse_object(text, strlen(text), NULL);
	struct conversation d = {0};

	(void)state;
	responses_read_conversation(request, &d);
	assert_string_equal(conversation_user(&d), "hi");
	assert_int_equal(d.steps, 1);
	assert_int_equal(d.result_count, 2);
	assert_true(conversation_offers(&d, "f"));
	conversation_clear(&d);
	json_object_put(request);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good_requests_pass),
	    cmocka_unit_test(parameters_are_those_of_this_format),
	    cmocka_unit_test(tools_are_flat_and_strict_unless_told),
	    cmocka_unit_test(calls_and_outputs_pair),
	    cmocka_unit_test(reasoning_comes_back_sealed_and_followed),
	    cmocka_unit_test(the_script_sees_the_conversation),
	};

	return cmocka_run_group_tests_name("responses_check", tests, NULL, NULL);
}
