#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/responses/request.h"
#include "llm/sample.h"

#define BODY(input)                                                                  \
	"{\"model\":\"m-1\",\"instructions\":\"Be \\\"kind\\\".\",\"input\":[" input \
	"],\"store\":false,\"stream\":true}"
#define USER(text) "{\"role\":\"user\",\"content\":\"" text "\"}"
#define CALL(id)   "{\"type\":\"function_call\",\"call_id\":\"" id "\",\"name\":\"now\",\"arguments\":\"{}\"}"
#define OUTPUT(id) "{\"type\":\"function_call_output\",\"call_id\":\"" id "\",\"output\":\"x\"}"
#define THOUGHT    "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"gAAA\"}"

/* The body, which always is JSON. */
static const char *build(struct sample *f, bool plain)
{
	struct error err = {0};

	buf_reset(&f->body);
	responses_request(&f->body, &f->provider, &f->req, plain, false);
	struct json_object *o = json_parse_object(f->body.data, f->body.len, &err);
	if (!o)
		fail_msg("%s: %s", err.text, f->body.data);
	json_object_put(o);
	return f->body.data;
}

static void calls_and_results_are_items_of_their_own(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	struct llm_message *m = sample_say(f, LLM_ASSISTANT, "I look.");
	llm_message_add_call(m, "c1", "now", "{}");
	llm_message_add_call(m, "c2", "now", "{}");
	sample_result(f, "c1", "x");
	sample_result(f, "c2", "x");
	sample_say(f, LLM_ASSISTANT, "There.");
	sample_say(f, LLM_USER, "and?");
	assert_string_equal(build(f, false),
	    BODY(USER("Hi") ",{\"role\":\"assistant\",\"content\":\"I look.\"}," CALL("c1") "," CALL(
		"c2") "," OUTPUT("c1") "," OUTPUT("c2") ",{\"role\":\"assistant\",\"content\":\"There.\"}"
							"," USER("and?")));
}

static void items_go_back_as_they_came_to_the_same_model_only(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	struct llm_message *m = sample_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "c1", "now", "{}");
	sample_own(m, "main", "m-1", "[" THOUGHT "," CALL("c1") "]");
	sample_result(f, "c1", "x");
	assert_string_equal(build(f, false), BODY(USER("Hi") "," THOUGHT "," CALL("c1") "," OUTPUT("c1")));
	assert_string_equal(build(f, true), BODY(USER("Hi") "," CALL("c1") "," OUTPUT("c1")));
	free(m->model);
	m->model = xstrdup("m-2");
	assert_string_equal(build(f, false), BODY(USER("Hi") "," CALL("c1") "," OUTPUT("c1")));
}

static void what_no_longer_is_what_the_history_says_is_built_anew(void **state)
{
	static const char *const raws[] = {
	    "[]", "{}", "[" CALL("c2") "]", "[" THOUGHT "]", "[" CALL("c1") "," CALL("c1") "]", "[7]", "["};

	for (size_t i = 0; i < ARRAY_LEN(raws); i++) {
		struct sample *f = *state;
		sample_say(f, LLM_USER, "Hi");
		struct llm_message *m = sample_say(f, LLM_ASSISTANT, "");
		llm_message_add_call(m, "c1", "now", "{}");
		sample_own(m, "main", "m-1", raws[i]);
		sample_result(f, "c1", "x");
		assert_string_equal(build(f, false), BODY(USER("Hi") "," CALL("c1") "," OUTPUT("c1")));
		llm_history_clear(&f->history);
		llm_history_init(&f->history);
	}
}

static void ids_that_are_too_long_are_cut_alike_in_call_and_result(void **state)
{
	struct sample *f = *state;
	char id[101], want[128];

	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	sample_say(f, LLM_USER, "Hi");
	llm_message_add_call(sample_say(f, LLM_ASSISTANT, ""), id, "now", "{}");
	sample_result(f, id, "x");
	const char *body = build(f, false), *first = strstr(body, "\"call_id\":\"");
	assert_non_null(first);
	snprintf(want, sizeof(want), "%.76s", first);
	assert_int_equal(want[75], '"');
	assert_non_null(strstr(first + 1, want));
	assert_null(strstr(body, id));
}

static void what_is_optional_is_left_out(void **state)
{
	static const struct llm_tool tools[] = {
	    {.name = "now", .summary = "The time.", .schema = "{\"type\":\"object\",\"properties\":{}}"}};
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	f->req.tools = tools;
	f->req.tool_count = 1;
	f->req.forbid_tools = true;
	f->req.session_key = "k";
	f->req.system = "";
	f->provider.settings.max_tokens = 9;
	responses_request(&f->body, &f->provider, &f->req, false, true);
	assert_string_equal(f->body.data,
	    "{\"model\":\"m-1\",\"tools\":[{\"type\":\"function\",\"name\":\"now\",\"description\":\"The "
	    "time.\",\"parameters\":{\"type\":\"object\",\"properties\":{}},\"strict\":false}],\"tool_"
	    "choice\":\"none\",\"input\":[" USER(
		"Hi") "],\"max_output_tokens\":9,\"include\":[\"reasoning.encrypted_content\"],\"prompt_"
		      "cache_key\":\"k\",\"store\":false,\"stream\":true}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sample_set_up, sample_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(calls_and_results_are_items_of_their_own),
	    TEST(items_go_back_as_they_came_to_the_same_model_only),
	    TEST(what_no_longer_is_what_the_history_says_is_built_anew),
	    TEST(ids_that_are_too_long_are_cut_alike_in_call_and_result),
	    TEST(what_is_optional_is_left_out),
	};

	return cmocka_run_group_tests_name("responses_request", tests, NULL, NULL);
}
