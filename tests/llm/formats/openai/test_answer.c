#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/openai/openai_fixture.h"
#include "llm/formats/openai/answer.h"

static void text_in_pieces_is_one_answer(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, DELTA("\"role\":\"assistant\",\"content\":\"\",\"refusal\":null"), TEXT("Hel"),
	    TEXT("lo"), DELTA("\"content\":null"), FINISH("stop"), DONE);
	assert_answer(&o, LLM_FINISH_STOP, "Hello");
	assert_string_equal(o.said.data, "Hello");
	assert_string_equal(o.answer.message->raw, "{\"role\":\"assistant\",\"content\":\"Hello\"}");
	outcome_clear(&o);
}

static void the_end_is_known_by_finish_reason_or_done(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, TEXT("Hi"), FINISH("stop"));
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	outcome_clear(&o);
	ASSEMBLE(&o, TEXT("Hi"), DONE);
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	outcome_clear(&o);
	ASSEMBLE(&o, TEXT("Hi"), FINISH("stop"), FINISH(""), DELTA(""));
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	outcome_clear(&o);
	ASSEMBLE(&o, TEXT("Hi"), FINISH("end_of_thought"), DONE);
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	outcome_clear(&o);
}

static void an_end_without_either_is_a_failure_whatever_came(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, TEXT("Hello, I will now"));
	assert_answer_failure(&o, LLM_ERROR_TRANSIENT);
	assert_non_null(strstr(o.err.text, "in the middle"));
	outcome_clear(&o);
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{}")));
	assert_answer_failure(&o, LLM_ERROR_TRANSIENT);
	outcome_clear(&o);
	assemble(&o, NULL, 0);
	assert_answer_failure(&o, LLM_ERROR_TRANSIENT);
	assert_non_null(strstr(o.err.text, "before it began"));
	outcome_clear(&o);
	/* An empty reason is none. */
	ASSEMBLE(&o, TEXT("Hi"), FINISH(""));
	assert_answer_failure(&o, LLM_ERROR_TRANSIENT);
	outcome_clear(&o);
}

static void an_end_mark_alone_is_no_answer(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, DONE);
	assert_answer_failure(&o, LLM_ERROR_MODEL_OUTPUT);
	outcome_clear(&o);
	ASSEMBLE(&o, DELTA("\"content\":\" \\n\""), DONE);
	assert_answer_failure(&o, LLM_ERROR_MODEL_OUTPUT);
	outcome_clear(&o);
}

static void an_empty_answer_that_says_stop_is_an_answer_without_words(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, DELTA("\"content\":\"\\n\""), FINISH("stop"), DONE);
	assert_answer(&o, LLM_FINISH_STOP, "");
	/* Whoever stores it puts words there; the provider's own would be refused. */
	assert_null(o.answer.message->raw);
	outcome_clear(&o);
}

static void an_error_in_an_answer_is_seen_before_anything_else(void **state)
{
	static const struct {
		const char *chunk;
		enum llm_error_class class;
	} errors[] = {
	    {"{\"error\":{\"message\":\"m\",\"code\":429},\"choices\":[{\"delta\":{\"content\":\"x\"},"
	     "\"finish_reason\":\"error\"}]}",
		LLM_ERROR_RATE_LIMIT},
	    {"{\"error\":\"upstream closed\"}", LLM_ERROR_OVERLOADED},
	    {"{\"object\":\"error\",\"message\":\"context_length_exceeded\",\"type\":\"BadRequestError\","
	     "\"code\":400}",
		LLM_ERROR_OVERFLOW},
	    {"[{\"error\":{\"code\":503,\"message\":\"m\"}}]", LLM_ERROR_OVERLOADED},
	    {"{\"choices\":[{\"error\":{\"code\":502,\"message\":\"m\"},\"delta\":{\"content\":\"x\"},"
	     "\"finish_reason\":\"stop\"}]}",
		LLM_ERROR_OVERLOADED},
	    {"{\"error\":{\"code\":\"tool_use_failed\",\"failed_generation\":\"x\"}}",
		LLM_ERROR_MODEL_OUTPUT},
	    {"{\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}",
		LLM_ERROR_TRANSIENT},
	    {FINISH("network_error"), LLM_ERROR_TRANSIENT},
	    {FINISH("insufficient_system_resource"), LLM_ERROR_OVERLOADED},
	    {FINISH("MALFORMED_FUNCTION_CALL"), LLM_ERROR_MODEL_OUTPUT},
	    {FINISH("function_call_filter: MALFORMED_FUNCTION_CALL"), LLM_ERROR_MODEL_OUTPUT},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		struct outcome o;
		ASSEMBLE(&o, TEXT("So far"), errors[i].chunk, DONE);
		assert_answer_failure(&o, errors[i].class);
		assert_string_equal(o.said.data, "So far");
		outcome_clear(&o);
	}
}

static void what_only_looks_like_an_error_is_none(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, "{\"error\":null,\"choices\":[{\"delta\":{\"content\":\"prompt is too long\"}}]}",
	    "{\"error\":\"\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"error\":null,\"delta\":{"
	    "\"content\":\"!\"}}]}",
	    "{\"error\":false}", FINISH("stop"));
	assert_answer(&o, LLM_FINISH_STOP, "prompt is too long!");
	outcome_clear(&o);
}

static void usage_comes_last_with_empty_choices(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, TEXT("Hi"), FINISH("stop"),
	    "{\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":7,\"total_tokens\":107,"
	    "\"prompt_tokens_details\":{\"cached_tokens\":64},\"completion_tokens_details\":{\"reasoning_"
	    "tokens\":3}}}",
	    DONE);
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	assert_int_equal(o.answer.usage.input_tokens, 100);
	assert_int_equal(o.answer.usage.cached_tokens, 64);
	assert_int_equal(o.answer.usage.output_tokens, 7);
	outcome_clear(&o);
	/* Running totals; DeepSeek's name for the cache; numbers that make no sense. */
	ASSEMBLE(&o,
	    "{\"choices\":[{\"delta\":{\"content\":\"Hi\"}}],\"usage\":{\"prompt_tokens\":9,\"completion_"
	    "tokens\":1}}",
	    "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,"
	    "\"completion_tokens\":2,"
	    "\"prompt_cache_hit_tokens\":8}}",
	    "{\"usage\":{\"prompt_tokens\":-1,\"completion_tokens\":\"2\"}}",
	    "{\"usage\":{\"prompt_tokens\":9223372036854775807,\"completion_tokens\":1000000001}}");
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	assert_int_equal(o.answer.usage.input_tokens, 9);
	assert_int_equal(o.answer.usage.cached_tokens, 8);
	assert_int_equal(o.answer.usage.output_tokens, 2);
	outcome_clear(&o);
}

/* Two such counts would not fit into 64 bits, nor their sum into the database. */
static void counts_that_no_request_has_are_left_out(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, TEXT("Hi"), FINISH("stop"),
	    "{\"choices\":[],\"usage\":{\"prompt_tokens\":9223372036854775807,\"completion_tokens\":"
	    "18446744073709551615,\"prompt_tokens_details\":{\"cached_tokens\":4611686018427387904}}}",
	    DONE);
	assert_int_equal(o.answer.usage.input_tokens, 0);
	assert_int_equal(o.answer.usage.cached_tokens, 0);
	assert_int_equal(o.answer.usage.output_tokens, 0);
	outcome_clear(&o);
}

static void obfuscation_and_other_members_of_a_chunk_are_ignored(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    "{\"id\":\"c\",\"obfuscation\":\"xY7\",\"service_tier\":\"default\",\"choices\":[{\"logprobs\":"
	    "null,\"delta\":"
	    "{\"role\":\"assistant\",\"content\":\"Hi\",\"annotations\":[],\"audio\":null,\"function_call\":"
	    "null,\"name\":\"x\"}}]}",
	    "{\"choices\":[{\"finish_reason\":\"stop\",\"delta\":{}}],\"obfuscation\":\"q\"}", "{}",
	    "{\"choices\":[null]}", "{\"choices\":null}", "7", DONE);
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	assert_string_equal(o.answer.message->raw, "{\"role\":\"assistant\",\"content\":\"Hi\"}");
	outcome_clear(&o);
}

static void a_refusal_is_the_answer_when_nothing_else_was_said(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, DELTA("\"refusal\":\"I can\""), DELTA("\"refusal\":\"not.\""), FINISH("stop"), DONE);
	assert_answer(&o, LLM_FINISH_REFUSED, "I cannot.");
	assert_string_equal(o.answer.message->raw, "{\"role\":\"assistant\",\"content\":\"I cannot.\"}");
	outcome_clear(&o);
	ASSEMBLE(&o, TEXT("Well"), DELTA("\"refusal\":\"no\""), FINISH("stop"), DONE);
	assert_answer(&o, LLM_FINISH_STOP, "Well");
	outcome_clear(&o);
}

static void a_filtered_answer_runs_nothing_and_keeps_what_was_said(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, TEXT("First,"), CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{}")),
	    FINISH("content_filter"), DONE);
	assert_answer(&o, LLM_FINISH_REFUSED, "First,");
	assert_int_equal(o.answer.message->call_count, 0);
	assert_null(strstr(o.answer.message->raw, "tool_calls"));
	outcome_clear(&o);
	ASSEMBLE(&o, FINISH("content_filter: PROHIBITED_CONTENT"), DONE);
	assert_answer_failure(&o, LLM_ERROR_REFUSAL);
	outcome_clear(&o);
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{}")), FINISH("sensitive"));
	assert_answer(&o, LLM_FINISH_REFUSED, "");
	outcome_clear(&o);
}

static void reasoning_is_kept_for_the_provider_and_not_said(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, DELTA("\"content\":null,\"reasoning_content\":\"Let \\u0000me\""),
	    DELTA("\"reasoning_content\":\" see\\n\""),
	    DELTA("\"content\":\"Hi\",\"reasoning_content\":null"), FINISH("stop"));
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	assert_string_equal(o.said.data, "Hi");
	assert_string_equal(o.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":\"Hi\",\"reasoning_content\":\"Let \\u0000me see\\n\"}");
	outcome_clear(&o);
}

static void reasoning_is_kept_also_when_it_is_empty(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, DELTA("\"content\":\"\",\"reasoning_content\":\"\""),
	    CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{}")), FINISH("tool_calls"));
	CALLS(&o, "a read {}");
	struct json_object *raw = raw_of(&o);
	assert_string_equal(json_get_str(raw, "reasoning_content"), "");
	json_object_put(raw);
	outcome_clear(&o);
}

static void reasoning_details_are_appended(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    DELTA("\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"a/b\",\"index\":0}]"),
	    DELTA("\"reasoning_details\":[]"),
	    DELTA("\"reasoning_details\":[{\"type\":\"reasoning.encrypted\",\"data\":\"Zm9v+/"
		  "==\",\"signature\":null},{\"n\":1.50}]"),
	    TEXT("Hi"), FINISH("stop"));
	assert_string_equal(o.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":\"Hi\",\"reasoning_details\":["
	    "{\"type\":\"reasoning.text\",\"text\":\"a/b\",\"index\":0},"
	    "{\"type\":\"reasoning.encrypted\",\"data\":\"Zm9v+/==\",\"signature\":null},{\"n\":1.50}]}");
	outcome_clear(&o);
}

static void a_value_that_changes_its_type_is_replaced(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, DELTA("\"x\":\"text\",\"y\":1,\"z\":\"old\""),
	    DELTA("\"x\":[1],\"y\":\"one\",\"z\":{\"b\":2}"), DELTA("\"x\":[2],\"y\":\" two\",\"z\":\"\""),
	    TEXT("Hi"), FINISH("stop"));
	assert_string_equal(o.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":\"Hi\",\"x\":[1,2],\"y\":\"one two\",\"z\":\"\"}");
	outcome_clear(&o);
}

static void a_whole_answer_is_read_like_a_stream(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
	    "\"content\":\"Look:\","
	    "\"refusal\":null,\"reasoning_content\":\"\",\"tool_calls\":["
	    "{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"p\\\":"
	    "1}\"}},{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{"
	    "\\\"p\\\":2}\"}},{\"function\":{\"name\":\"read\",\"arguments\":{\"p\":3}}},"
	    "{\"function\":{\"name\":\"read\",\"arguments\":{\"p\":4}}}]},\"finish_reason\":\"tool_calls\"}],"
	    "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":6}}",
	    DONE);
	CALLS(&o, "a read {\"p\":1}", "* read {\"p\":2}", "* read {\"p\":3}", "* read {\"p\":4}");
	assert_string_equal(o.said.data, "Look:");
	assert_int_equal(o.answer.usage.output_tokens, 6);
	outcome_clear(&o);
}

static void content_in_parts_is_text(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    DELTA("\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"hm\"}]},{"
		  "\"type\":\"text\",\"text\":\"Hel\"}]"),
	    TEXT("lo"), FINISH("stop"));
	assert_answer(&o, LLM_FINISH_STOP, "Hello");
	outcome_clear(&o);
}

static void control_characters_and_half_characters_never_reach_the_message(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, TEXT("a\\u0000b\\u001b[1m\\n"), TEXT("\\ud83c"), TEXT("\\udf27 \\ud83c\\udf27"),
	    FINISH("stop"));
	assert_answer(&o, LLM_FINISH_STOP, "ab[1m\n\xef\xbf\xbd\xef\xbf\xbd \xf0\x9f\x8c\xa7");
	assert_string_equal(o.said.data, o.answer.message->text);
	outcome_clear(&o);
}

static void the_text_has_a_limit_of_4_mib(void **state)
{
	struct openai_answer a;
	struct error err = {0};
	struct buf chunk = BUF_INIT;
	int rc = 0, pieces = 0;

	(void)state;
	openai_answer_init(&a, NULL);
	buf_addstr(&chunk, "{\"choices\":[{\"delta\":{\"content\":\"");
	for (int i = 0; i < 1024 * 1024; i++)
		buf_addch(&chunk, 'x');
	buf_addstr(&chunk, "\"}}]}");
	for (; rc == 0 && pieces < 10; pieces++) {
		struct json_object *o = json_parse(chunk.data, chunk.len, NULL);
		rc = openai_answer_add(&a, o, &err);
		json_object_put(o);
	}
	assert_int_equal(pieces, 5);
	assert_int_equal(a.error_class, LLM_ERROR_MODEL_OUTPUT);
	openai_answer_clear(&a);
	buf_clear(&chunk);
}

/* json_set on each piece would copy all that came before. */
static void a_long_reasoning_in_small_pieces_takes_no_square_time(void **state)
{
	struct json_object *chunk = json_parse(
	    DELTA("\"reasoning_content\":\" tok\""), strlen(DELTA("\"reasoning_content\":\" tok\"")), NULL);
	clock_t begun = clock();
	struct openai_answer a;

	(void)state;
	openai_answer_init(&a, NULL);
	for (int i = 0; i < 200 * 1000; i++)
		assert_int_equal(openai_answer_add(&a, chunk, NULL), 0);
	assert_true((clock() - begun) / CLOCKS_PER_SEC < 8);
	openai_answer_clear(&a);
	json_object_put(chunk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_in_pieces_is_one_answer),
	    cmocka_unit_test(the_end_is_known_by_finish_reason_or_done),
	    cmocka_unit_test(an_end_without_either_is_a_failure_whatever_came),
	    cmocka_unit_test(an_end_mark_alone_is_no_answer),
	    cmocka_unit_test(an_empty_answer_that_says_stop_is_an_answer_without_words),
	    cmocka_unit_test(an_error_in_an_answer_is_seen_before_anything_else),
	    cmocka_unit_test(what_only_looks_like_an_error_is_none),
	    cmocka_unit_test(usage_comes_last_with_empty_choices),
	    cmocka_unit_test(counts_that_no_request_has_are_left_out),
	    cmocka_unit_test(obfuscation_and_other_members_of_a_chunk_are_ignored),
	    cmocka_unit_test(a_refusal_is_the_answer_when_nothing_else_was_said),
	    cmocka_unit_test(a_filtered_answer_runs_nothing_and_keeps_what_was_said),
	    cmocka_unit_test(reasoning_is_kept_for_the_provider_and_not_said),
	    cmocka_unit_test(reasoning_is_kept_also_when_it_is_empty),
	    cmocka_unit_test(reasoning_details_are_appended),
	    cmocka_unit_test(a_value_that_changes_its_type_is_replaced),
	    cmocka_unit_test(a_whole_answer_is_read_like_a_stream),
	    cmocka_unit_test(content_in_parts_is_text),
	    cmocka_unit_test(control_characters_and_half_characters_never_reach_the_message),
	    cmocka_unit_test(the_text_has_a_limit_of_4_mib),
	    cmocka_unit_test(a_long_reasoning_in_small_pieces_takes_no_square_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
