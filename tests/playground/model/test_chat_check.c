#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/model/chat/chat.h"
#include "playground/model/script/script.h"
#include "playground/model/api.h"

#define USER "{\"role\":\"user\",\"content\":\"hi\"}"
#define CALL(id) \
	"{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}"
#define CALLS(calls) "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" calls "]}"
#define RESULT(id)   "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"r\"}"
#define TOOL(name) \
	"{\"type\":\"function\",\"function\":{\"name\":\"" name "\",\"parameters\":{\"type\":\"object\"}}}"

/* NULL: the request is fine; else what the refusal says. rest goes after the messages, with its comma. */
static void check(const char *messages, const char *rest, const char *says)
{
	char *text = xasprintf("{\"model\":\"m\",\"messages\":[%s]%s}", messages, rest);
	struct json_object *request = json_parse_object(text, strlen(text), NULL);
	struct refusal r = {0};
	int ret;

	assert_non_null(request);
	ret = chat_check(request, &r);
	if (!says ? ret != 0 : ret == 0 || !strstr(r.message, says))
		fail_msg("%s\n%s", text, ret == 0 ? "was accepted" : r.message);
	json_object_put(request);
	free(text);
}

static void good_requests_pass(void **state)
{
	(void)state;
	check(USER, "", NULL);
	check("{\"role\":\"system\",\"content\":\"s\"}," USER,
	    ",\"temperature\":0.5,\"max_completion_tokens\":100", NULL);
	check("{\"role\":\"developer\",\"content\":[{\"type\":\"text\",\"text\":\"s\"}]}," USER, "", NULL);
	check(USER "," CALLS(CALL("a") "," CALL("b")) "," RESULT("b") "," RESULT("a") "," USER, "", NULL);
	check("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"image_url\","
	      "\"image_url\":{\"url\":\"data:image/png;base64,"
	      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
	      "M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\"}}]}",
	    "", NULL);
	check(USER, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}", NULL);
	check(USER, ",\"tools\":[" TOOL("f") "],\"tool_choice\":\"auto\",\"parallel_tool_calls\":true", NULL);
}

static void calls_and_results_pair_exactly(void **state)
{
	static const char missing[] = "must be followed by tool messages responding to each 'tool_call_id'";
	static const char stray[] = "must be a response to a preceeding message with 'tool_calls'";

	(void)state;
	check(USER "," CALLS(CALL("a")), "", missing);
	check(USER "," CALLS(CALL("a")) "," USER, "", missing);
	check(USER "," CALLS(CALL("a") "," CALL("b")) "," RESULT("a"), "", "response messages: b");
	check(USER "," CALLS(CALL("a")) "," RESULT("x") "," RESULT("a"), "", stray);
	check(USER "," RESULT("a"), "", stray);
	check(USER "," CALLS(CALL("a")) "," RESULT("a") "," RESULT("a"), "", stray);
	check(USER "," CALLS(CALL("a")) "," RESULT("a") "," USER "," RESULT("a"), "", stray);
	check(USER "," CALLS(CALL("a")) "," RESULT("a") "," CALLS(CALL("b")) "," RESULT("a"), "", stray);
}

static void messages_are_well_formed(void **state)
{
	(void)state;
	check("", "", "empty array");
	check("{\"role\":\"robot\",\"content\":\"x\"}", "", "Invalid value: 'robot'");
	check("{\"content\":\"x\"}", "", "Supported values");
	check("{\"role\":\"user\"}", "", "expected a string, got null");
	check("{\"role\":\"user\",\"content\":7}", "", "expected one of a string or array");
	check("{\"role\":\"user\",\"content\":[]}", "", "empty array");
	check("{\"role\":\"user\",\"content\":[{\"text\":\"x\"}]}", "", "content[0].type");
	check("{\"role\":\"tool\",\"content\":\"x\"}", "", "must have a 'tool_call_id'");
	check("{\"role\":\"user\",\"content\":\"x\",\"thinking\":1}", "",
	    "Unknown parameter: 'messages[0].thinking'");
	check("{\"role\":\"user\",\"content\":\"x\",\"tool_calls\":[]}", "",
	    "Unknown parameter: 'messages[0].tool_calls'");
	check("{\"role\":\"assistant\",\"content\":null}", "", "got null");
	check("{\"role\":\"assistant\",\"content\":\"x\",\"tool_calls\":[]}", "", "empty array");
	check(CALLS("{\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}"), "",
	    "tool_calls[0].id");
	check(CALLS("{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":{}}}"),
	    "", "function.arguments");
	check("{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":[{\"type\":\"image_url\",\"image_url\":{"
	      "}}]}",
	    "", "Supported values are: 'text'.");
}

static void parameters_are_known_and_in_range(void **state)
{
	(void)state;
	check(USER, ",\"max_token\":5", "Unknown parameter: 'max_token'");
	check(USER, ",\"temperature\":3", "above maximum value");
	check(USER, ",\"temperature\":\"1\"", "Invalid type for 'temperature'");
	check(USER, ",\"max_completion_tokens\":0", "below minimum value");
	check(USER, ",\"max_tokens\":5,\"max_completion_tokens\":5", "at the same time");
	check(USER, ",\"stream_options\":{\"include_usage\":true}", "only allowed when 'stream'");
	check(USER, ",\"stream\":true,\"stream_options\":{\"usage\":true}", "stream_options.usage");
}

static void tools_are_well_formed(void **state)
{
	(void)state;
	check(USER, ",\"tools\":[]", "empty array");
	check(USER, ",\"tools\":[{\"type\":\"function\"}]", "tools[0].function");
	check(USER, ",\"tools\":[" TOOL("a b") "]", "does not match pattern");
	check(USER, ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{}}}]",
	    "got 'type: \"None\"'");
	check(USER, ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"input_schema\":{}}}]",
	    "Unknown parameter");
	check(USER,
	    ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"type\":"
	    "\"object\",\"properties\":{\"a\":{\"type\":\"array\"}}}}}]",
	    "array schema missing items");
	check(USER,
	    ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"type\":"
	    "\"object\",\"properties\":{},\"required\":[\"a\"]}}}]",
	    "is no property");
	check(USER, ",\"tool_choice\":\"auto\"", "only allowed when 'tools'");
	check(USER, ",\"tools\":[" TOOL("f") "],\"tool_choice\":\"sometimes\"", "Supported values");
	check(USER,
	    ",\"tools\":[" TOOL(
		"f") "],\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"g\"}}",
	    "not found");
}

static void a_call_of_a_vendors_model_is_an_object(void **state)
{
	static const char *const calls[] = {"null", "\"x\"", "7"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		char *text = xasprintf("{\"model\":\"gemini-2\",\"messages\":[" USER
				       ",{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\","
				       "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}"
				       "\"},\"extra_content\":{"
				       "\"google\":{\"thought_signature\":\"s\"}}},%s]}]}",
		    calls[i]);
		struct json_object *request = json_parse_object(text, strlen(text), NULL);
		struct refusal r = {0};

		assert_non_null(request);
		assert_int_equal(vendor_check(request, &r), 0);
		assert_int_equal(chat_check(request, &r), -1);
		assert_non_null(strstr(r.message, "messages[1].tool_calls[1].id"));
		json_object_put(request);
		free(text);
	}
}

static void the_dialogue_is_read_from_the_messages(void **state)
{
	static const char text[] =
	    "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"s\"}," USER
	    "," CALLS(CALL("x")) "," RESULT(
		"x") ","
		     "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
		     "\"text\":\"b\"}]}," CALLS(CALL("y")) "," RESULT("y") "],\"tools\":[" TOOL("f") "]}";
	struct json_object *request = json_parse_object(text, strlen(text), NULL);
	struct conversation d = {0};

	(void)state;
	chat_read_conversation(request, &d);
	assert_int_equal(d.user_count, 2);
	assert_string_equal(conversation_user(&d), "a\nb");
	assert_int_equal(d.steps, 1);
	assert_int_equal(d.result_count, 1);
	assert_string_equal(d.results[0], "r");
	assert_true(conversation_offers(&d, "f"));
	conversation_clear(&d);
	json_set_str(request, "tool_choice", "none");
	chat_read_conversation(request, &d);
	assert_false(conversation_offers(&d, "f"));
	conversation_clear(&d);
	json_object_put(request);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good_requests_pass),
	    cmocka_unit_test(calls_and_results_pair_exactly),
	    cmocka_unit_test(messages_are_well_formed),
	    cmocka_unit_test(parameters_are_known_and_in_range),
	    cmocka_unit_test(tools_are_well_formed),
	    cmocka_unit_test(a_call_of_a_vendors_model_is_an_object),
	    cmocka_unit_test(the_dialogue_is_read_from_the_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
