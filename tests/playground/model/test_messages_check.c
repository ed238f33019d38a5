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
#include "playground/model/messages/messages.h"
#include "playground/model/api.h"

#define OLD          "2023-06-01"
#define NEW          "2026-10-21"
#define USER         "{\"role\":\"user\",\"content\":\"hi\"}"
#define SAYS(blocks) "{\"role\":\"assistant\",\"content\":[" blocks "]}"
#define ASKS(blocks) "{\"role\":\"user\",\"content\":[" blocks "]}"
#define TEXT(text)   "{\"type\":\"text\",\"text\":\"" text "\"}"
#define CALL(id)     "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"f\",\"input\":{}}"
#define RESULT(id)   "{\"type\":\"tool_result\",\"tool_use_id\":\"" id "\",\"content\":\"r\"}"
#define TOOL(name)   "{\"name\":\"" name "\",\"input_schema\":{\"type\":\"object\"}}"
#define TOOLS        ",\"tools\":[" TOOL("f") "]"
#define MARK(block)  "{\"type\":\"text\",\"text\":\"" block "\",\"cache_control\":{\"type\":\"ephemeral\"}}"

/* says NULL: the request is fine; else what the refusal says. rest goes after the messages, with its
 * comma. */
static void check(const char *version, const char *messages, const char *rest, const char *says)
{
	char *text = xasprintf("{\"model\":\"m\",\"max_tokens\":10,\"messages\":[%s]%s}", messages, rest);
	struct json_object *request = json_parse_object(text, strlen(text), NULL);
	struct refusal r = {0};

	assert_non_null(request);
	int ret = messages_check(request, version, &r);
	if (!says ? ret != 0 : ret == 0 || !strstr(r.message, says))
		fail_msg("%s\n%s", text, ret == 0 ? "was accepted" : r.message);
	json_object_put(request);
	free(text);
}

static void good_requests_pass(void **state)
{
	(void)state;
	check(OLD, USER, ",\"temperature\":0.5,\"top_k\":3,\"stream\":true", NULL);
	check(NEW, USER,
	    ",\"system\":[" MARK("s") "],\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}", NULL);
	check(NEW,
	    USER "," SAYS(TEXT("a") "," CALL("x") "," CALL("y")) "," ASKS(
		RESULT("y") "," RESULT("x") "," TEXT("and?")),
	    TOOLS, NULL);
	check(NEW, USER "," SAYS(CALL("x")) "," ASKS(RESULT("x")) "," USER,
	    TOOLS ",\"tool_choice\":{\"type\":\"none\"}", NULL);
}

static void each_version_has_its_parameters(void **state)
{
	(void)state;
	check(NEW, USER, ",\"temperature\":1.0", "temperature: Extra inputs are not permitted");
	check(OLD, USER, ",\"max_completion_tokens\":1", "max_completion_tokens: Extra inputs");
	check(NULL, USER, "", "anthropic-version: header is required");
	check("2026-01-01", USER, "", "is not a valid version");
	check(NEW, USER, ",\"stream\":\"yes\"", "stream: Input should be a valid boolean");
	check(NEW, USER "," SAYS("{\"type\":\"document\",\"source\":{}}") "," USER, "",
	    "does not match any of the expected tags");
}

static void contents_are_not_empty(void **state)
{
	(void)state;
	check(NEW, "", "", "at least one message is required");
	check(NEW, "{\"role\":\"user\",\"content\":\"\"}", "", "must have non-empty content");
	check(NEW, "{\"role\":\"user\",\"content\":\" \\n\"}", "", "non-whitespace");
	check(NEW, ASKS(TEXT("")), "", "must be non-empty");
	check(NEW, USER "," SAYS("") "," USER, "", "non-empty content");
	check(NEW, USER, ",\"system\":[" TEXT("") "]", "must be non-empty");
	check(NEW, SAYS(TEXT("a")) "," USER, "", "first message");
	check(NEW, USER "," SAYS(TEXT("a")), "", "prefill");
	check(NEW, "{\"role\":\"system\",\"content\":\"s\"}", "", "messages.0.role");
	check(NEW, "{\"role\":\"user\",\"content\":\"hi\",\"name\":\"x\"}", "",
	    "messages.0.name: Extra inputs");
}

static void no_text_has_a_nul(void **state)
{
	static const char where[] = "Input should be a valid string";

	(void)state;
	check(NEW, ASKS(TEXT("a\\u0000")), "", where);
	check(NEW, USER, ",\"model\":\"m\\u0000\"", where);
	check(NEW, ASKS(RESULT("x\\u0000")), TOOLS, where);
	check(NEW, USER "," SAYS(CALL("x\\u0000")) "," USER, TOOLS, where);
	check(NEW,
	    USER "," SAYS("{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"\\u0000\",\"input\":{}}") "," USER,
	    TOOLS, where);
	check(NEW,
	    USER "," SAYS("{\"type\":\"thinking\",\"thinking\":\"\\u0000\",\"signature\":\"s\"}") "," USER,
	    "", where);
	check(NEW,
	    USER "," SAYS("{\"type\":\"thinking\",\"thinking\":\"a\",\"signature\":\"\\u0000\"}") "," USER,
	    "", where);
}

static void calls_and_results_pair_in_neighbouring_messages(void **state)
{
	(void)state;
	check(NEW, USER "," SAYS(CALL("x")) "," USER, TOOLS,
	    "were found without `tool_result` blocks immediately after: x");
	check(NEW, USER "," SAYS(CALL("x") "," CALL("y")) "," ASKS(RESULT("x")) "," ASKS(RESULT("y")), TOOLS,
	    "immediately after: y");
	check(NEW, ASKS(RESULT("x")), TOOLS, "unexpected `tool_use_id`");
	check(NEW, USER "," SAYS(CALL("x")) "," ASKS(RESULT("x") "," RESULT("x")), TOOLS, "multiple");
	check(NEW, USER "," SAYS(CALL("x")) "," ASKS(TEXT("so") "," RESULT("x")), TOOLS,
	    "before all other content");
	check(NEW, USER "," SAYS(CALL("x")) "," ASKS(RESULT("x")), "", "must define tools");
	check(NEW,
	    USER "," SAYS("{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"f\",\"input\":\"{}\"}") "," ASKS(
		RESULT("x")),
	    TOOLS, "valid dictionary");
	check(NEW, USER "," SAYS(CALL("a.b:0")) "," ASKS(RESULT("a.b:0")), TOOLS, "should match pattern");
}

static void tools_and_markers_are_well_made(void **state)
{
	(void)state;
	check(NEW, USER, ",\"tools\":[" TOOL("a.b") "]", "should match pattern");
	check(NEW, USER, ",\"tools\":[" TOOL("f") "," TOOL("f") "]", "must be unique");
	check(NEW, USER, ",\"tools\":[{\"name\":\"f\",\"input_schema\":{}}]", "should be 'object'");
	check(NEW, USER, ",\"tools\":[{\"name\":\"f\",\"parameters\":{\"type\":\"object\"}}]",
	    "input_schema: Field required");
	check(NEW, USER, ",\"tool_choice\":{\"type\":\"auto\"}", "only be specified while providing tools");
	check(NEW, USER, TOOLS ",\"tool_choice\":{\"type\":\"tool\",\"name\":\"g\"}",
	    "not found in provided tools");
	check(NEW, ASKS(MARK("1") "," MARK("2") "," MARK("3")),
	    ",\"system\":[" MARK("s") "],\"cache_control\":{\"type\":\"ephemeral\"}", "Found 5");
}

static void thoughts_come_back_unchanged(void **state)
{
	char signature[SIGNATURE_SIZE];

	(void)state;
	messages_sign("hm", signature);
	for (int changed = 0; changed < 2; changed++) {
		char *messages = xasprintf(USER
		    ",{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"%s\","
		    "\"signature\":\"%s\"}," CALL("x") "]}," ASKS(RESULT("x")),
		    changed ? "ha" : "hm", signature);
		check(NEW, messages, TOOLS, changed ? "Invalid `signature` in `thinking` block" : NULL);
		free(messages);
	}
	check(NEW, USER "," SAYS(CALL("x")) "," ASKS(RESULT("x")),
	    TOOLS ",\"thinking\":{\"type\":\"adaptive\"}", "Expected `thinking`");
}

static void the_script_sees_the_conversation(void **state)
{
	static const char text[] = "{\"model\":\"m\",\"max_tokens\":10,\"messages\":[" USER
				   "," SAYS(CALL("x")) "," ASKS(RESULT("x")) "]" TOOLS "}";
	struct json_object *request = json_parse_object(text, strlen(text), NULL);
	struct conversation d = {0};

	(void)state;
	messages_read_conversation(request, &d);
	assert_string_equal(conversation_user(&d), "hi");
	assert_int_equal(d.steps, 1);
	assert_int_equal(d.result_count, 1);
	assert_string_equal(d.results[0], "r");
	assert_true(conversation_offers(&d, "f"));
	conversation_clear(&d);
	json_object_put(request);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good_requests_pass),
	    cmocka_unit_test(each_version_has_its_parameters),
	    cmocka_unit_test(contents_are_not_empty),
	    cmocka_unit_test(no_text_has_a_nul),
	    cmocka_unit_test(calls_and_results_pair_in_neighbouring_messages),
	    cmocka_unit_test(tools_and_markers_are_well_made),
	    cmocka_unit_test(thoughts_come_back_unchanged),
	    cmocka_unit_test(the_script_sees_the_conversation),
	};

	return cmocka_run_group_tests_name("messages_check", tests, NULL, NULL);
}
