#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/arguments.h"
#include "llm/formats/openai/openai_fixture.h"

static void calls_are_joined_by_index(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    DELTA(
		"\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\"," FUNCTION(
		    "read", "") "}]"),
	    CALL("\"index\":0," ARGUMENTS("{\\\"p\\\"")),
	    CALL("\"index\":1,\"id\":\"b\"," FUNCTION("list", "")), CALL("\"index\":0," ARGUMENTS(":1}")),
	    CALL("\"index\":1," ARGUMENTS("{}")), FINISH("tool_calls"), DONE);
	CALLS(&o, "a read {\"p\":1}", "b list {}");
	assert_string_equal(o.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
	    "{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"p\\\":"
	    "1}\"}},{\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}"
	    "}]}");
	outcome_clear(&o);
}

static void a_new_id_at_a_taken_index_is_a_new_call(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{\\\"p\\\":1}")),
	    CALL("\"index\":0,\"id\":\"b\"," FUNCTION("read", "{\\\"p\\\":")),
	    CALL("\"index\":0," ARGUMENTS("2}")), CALL("\"index\":0,\"id\":\"c\"," FUNCTION("list", "")),
	    CALL("\"index\":0,\"id\":\"c\"," ARGUMENTS("{\\\"q\\\"")),
	    CALL("\"index\":0,\"id\":\"c\"," ARGUMENTS(":3}")), FINISH("tool_calls"));
	CALLS(&o, "a read {\"p\":1}", "b read {\"p\":2}", "c list {\"q\":3}");
	outcome_clear(&o);
}

static void a_new_id_begins_a_call_also_before_the_arguments_of_the_last(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("now", "")),
	    CALL("\"index\":0,\"id\":\"b\"," FUNCTION("list", "")), FINISH("tool_calls"));
	CALLS(&o, "a now {}", "b list {}");
	outcome_clear(&o);
}

static void calls_without_index_are_joined_by_id(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"id\":\"a\"," FUNCTION("read", "{\\\"p\\\"")),
	    CALL("\"id\":\"b\"," FUNCTION("list", "{")), CALL("\"id\":\"a\"," ARGUMENTS(":1}")),
	    CALL("\"id\":\"b\"," ARGUMENTS("}")), FINISH("tool_calls"));
	CALLS(&o, "a read {\"p\":1}", "b list {}");
	outcome_clear(&o);
}

static void calls_without_index_and_id_are_told_apart_by_their_names(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    DELTA("\"tool_calls\":[{" FUNCTION("read", "{\\\"p\\\":1}") "},{" FUNCTION(
		"list", "{}") "},{" FUNCTION("list", "{\\\"q\\\":2}") "}]"),
	    FINISH("stop"));
	CALLS(&o, "* read {\"p\":1}", "* list {}", "* list {\"q\":2}");
	outcome_clear(&o);
	/* The same at index 0. */
	ASSEMBLE(&o, CALL("\"index\":0," FUNCTION("read", "{\\\"p\\\":1}")),
	    CALL("\"index\":0," FUNCTION("read", "{\\\"p\\\":2}")), FINISH("stop"));
	CALLS(&o, "* read {\"p\":1}", "* read {\"p\":2}");
	outcome_clear(&o);
	/* In pieces. */
	ASSEMBLE(&o, CALL(FUNCTION("read", "")), CALL(ARGUMENTS("{\\\"p\\\"")), CALL(ARGUMENTS(":1}")),
	    CALL(FUNCTION("list", "")), CALL(ARGUMENTS("{}")), FINISH("stop"));
	CALLS(&o, "* read {\"p\":1}", "* list {}");
	outcome_clear(&o);
}

static void an_id_that_comes_late_belongs_to_its_call(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0," FUNCTION("read", "{\\\"p\\\"")),
	    CALL("\"index\":0,\"id\":\"a\"," ARGUMENTS(":1}")),
	    CALL("\"index\":0,\"id\":\"\"," ARGUMENTS("")), FINISH("stop"));
	CALLS(&o, "a read {\"p\":1}");
	outcome_clear(&o);
}

static void missing_and_double_ids_are_replaced_by_ones_that_never_come_again(void **state)
{
	struct outcome o, again;
	static const char *const chunks[] = {
	    CALL("\"index\":0,\"id\":null," FUNCTION("read", "{}")),
	    CALL("\"index\":1,\"id\":\"\"," FUNCTION("list", "{}")),
	    FINISH("tool_calls"),
	};

	(void)state;
	assemble(&o, chunks, ARRAY_LEN(chunks));
	CALLS(&o, "* read {}", "* list {}");
	assemble(&again, chunks, ARRAY_LEN(chunks));
	assert_string_not_equal(o.answer.message->calls[0].id, again.answer.message->calls[0].id);
	outcome_clear(&again);
	/* raw says the same. */
	struct json_object *raw = raw_of(&o);
	assert_string_equal(
	    json_get_str(json_object_array_get_idx(json_get_array(raw, "tool_calls"), 1), "id"),
	    o.answer.message->calls[1].id);
	json_object_put(raw);
	outcome_clear(&o);
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"x\"," FUNCTION("read", "{}")),
	    CALL("\"index\":1,\"id\":\"x\"," FUNCTION("list", "{}")), FINISH("tool_calls"));
	CALLS(&o, "x read {}", "* list {}");
	outcome_clear(&o);
}

static void a_name_comes_once_repeated_or_in_pieces(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read_file", "")),
	    CALL("\"index\":0," FUNCTION("read_file", "{\\\"p\\\"")),
	    CALL("\"index\":0," FUNCTION("read_file", ":1}")), CALL("\"index\":0," FUNCTION("read_file", "")),
	    FINISH("tool_calls"));
	CALLS(&o, "a read_file {\"p\":1}");
	outcome_clear(&o);
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read_", "")),
	    CALL("\"index\":0," FUNCTION("file", "")), CALL("\"index\":0," FUNCTION("", "{}")),
	    FINISH("tool_calls"));
	CALLS(&o, "a read_file {}");
	outcome_clear(&o);
}

static void a_name_stays_once_arguments_have_come(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{\\\"p\\\"")),
	    CALL("\"index\":0,\"id\":\"a\"," FUNCTION("_all", ":1}")), FINISH("tool_calls"));
	CALLS(&o, "a read {\"p\":1}");
	outcome_clear(&o);
}

static void a_name_that_no_provider_takes_back_is_changed(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("functions.read \xc3\xa9", "{}")),
	    CALL("\"index\":1,\"id\":\"b\"," ARGUMENTS("{\\\"p\\\":1}")), FINISH("tool_calls"));
	CALLS(&o, "a functions_read___ {}", "b unnamed {\"p\":1}");
	outcome_clear(&o);
}

static void arguments_come_as_text_as_an_object_or_not_at_all(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    CALL("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"read\",\"arguments\":{\"p\":{\"q\":[1,"
		 "\"x\"]}}}"),
	    CALL("\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"list\",\"arguments\":null}"),
	    CALL("\"index\":2,\"id\":\"c\",\"function\":{\"name\":\"now\"}"),
	    CALL("\"index\":3,\"id\":\"d\",\"function\":{\"name\":\"say\",\"arguments\":null}"),
	    CALL("\"index\":3," ARGUMENTS("{\\\"a\\\":1}")),
	    CALL("\"index\":3,\"function\":{\"arguments\":null}"), FINISH("tool_calls"));
	CALLS(&o, "a read {\"p\":{\"q\":[1,\"x\"]}}", "b list {}", "c now {}", "d say {\"a\":1}");
	outcome_clear(&o);
}

static void an_object_is_whole_each_time(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"read\",\"arguments\":{}}"),
	    CALL("\"index\":0,\"id\":\"a\",\"function\":{\"arguments\":{\"p\":1}}"), FINISH("stop"));
	CALLS(&o, "a read {\"p\":1}");
	outcome_clear(&o);
}

static void litellm_before_ollama_objects_at_index_0_with_finish_stop(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    CALL("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"read\",\"arguments\":{\"p\":1}}"),
	    CALL("\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"read\",\"arguments\":{\"p\":2}}"),
	    CALL("\"index\":0,\"function\":{\"name\":\"list\",\"arguments\":{}}"), FINISH("stop"), DONE);
	CALLS(&o, "a read {\"p\":1}", "b read {\"p\":2}", "* list {}");
	outcome_clear(&o);
}

static void whatever_the_reason_says_calls_are_calls(void **state)
{
	static const char *const ends[] = {
	    FINISH("stop"), FINISH("tool_calls"), FINISH("function_call"), FINISH("eos"), DONE};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct outcome o;
		ASSEMBLE(
		    &o, TEXT("I look."), CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{}")), ends[i]);
		CALLS(&o, "a read {}");
		assert_string_equal(o.answer.message->text, "I look.");
		outcome_clear(&o);
	}
}

static void an_answer_cut_by_its_length_runs_nothing(void **state)
{
	static const char *const ends[] = {FINISH("length"), FINISH("max_tokens"), FINISH("MAX_TOKENS"),
	    FINISH("model_length"), FINISH("model_context_window_exceeded")};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct outcome o;
		ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{\\\"p\\\":1}")),
		    CALL("\"index\":1,\"id\":\"b\"," FUNCTION("write", "{\\\"p\\\":2,")), ends[i], DONE);
		assert_answer(&o, LLM_FINISH_LENGTH, "");
		assert_int_equal(o.answer.message->call_count, 2);
		assert_string_equal(o.answer.message->calls[0].arguments, "{\"p\":1}");
		/* Valid for ever, and mended in nothing. */
		assert_string_equal(o.answer.message->calls[1].arguments,
		    "{\"" LLM_ARGUMENTS_UNPARSED "\":\"{\\\"p\\\":2,\"}");
		json_object_put(raw_of(&o));
		outcome_clear(&o);
	}
}

static void nothing_is_mended_in_an_answer_cut_by_its_length(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{'p':1}")), FINISH("length"), DONE);
	assert_answer(&o, LLM_FINISH_LENGTH, "");
	assert_string_equal(
	    o.answer.message->calls[0].arguments, "{\"" LLM_ARGUMENTS_UNPARSED "\":\"{'p':1}\"}");
	outcome_clear(&o);
}

static void torn_arguments_tell_although_a_router_rewrote_the_reason(void **state)
{
	static const char *const torn[] = {"{\\\"path\\\":\\\"a\\\",\\\"content\\\":\\\"hal",
	    "{\\\"path\\\":", "{\\\"a\\\":1,\\\"b\\\": \\n", "{\\\"a\\\":1,"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(torn); i++) {
		struct outcome o;
		char *call = xasprintf("{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\","
				       "\"function\":{\"name\":\"write\",\"arguments\":\"%s\"}}]}}]}",
		    torn[i]);
		ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{}")), call,
		    FINISH("tool_calls"), DONE);
		assert_answer(&o, LLM_FINISH_LENGTH, "");
		assert_non_null(strstr(o.answer.message->calls[1].arguments, LLM_ARGUMENTS_UNPARSED));
		free(call);
		outcome_clear(&o);
	}
}

/* The call answers INVALID_ARGUMENT then; the others run. */
static void arguments_that_lack_a_bracket_are_a_mistake_of_the_model(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{\\\"p\\\":1}")),
	    CALL("\"index\":1,\"id\":\"b\"," FUNCTION("read", "{\\\"p\\\":[1,\\\"}\\\"")),
	    FINISH("tool_calls"), DONE);
	CALLS(&o, "a read {\"p\":1}", "b read {\"" LLM_ARGUMENTS_UNPARSED "\":\"{\\\"p\\\":[1,\\\"}\\\"\"}");
	outcome_clear(&o);
}

static void damaged_arguments_of_a_whole_answer_are_mended_or_kept(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL("\"index\":0,\"id\":\"a\"," FUNCTION("read", "{\\\"p\\\":1,}")),
	    CALL("\"index\":1,\"id\":\"b\"," FUNCTION("read", "{p:1}")),
	    CALL("\"index\":2,\"id\":\"c\"," FUNCTION("read", "\\\"{\\\\\\\"p\\\\\\\":2}\\\"")),
	    FINISH("tool_calls"));
	CALLS(
	    &o, "a read {\"p\":1}", "b read {\"" LLM_ARGUMENTS_UNPARSED "\":\"{p:1}\"}", "c read {\"p\":2}");
	outcome_clear(&o);
}

static void pieces_of_calls_that_say_nothing_are_no_calls(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, TEXT("Hi"), CALL("\"index\":0,\"id\":\"a\""), DELTA("\"tool_calls\":[null,7]"),
	    DELTA("\"tool_calls\":null"), DELTA("\"tool_calls\":[]"), FINISH("tool_calls"), DONE);
	assert_answer(&o, LLM_FINISH_STOP, "Hi");
	assert_int_equal(o.answer.message->call_count, 0);
	outcome_clear(&o);
}

static void a_call_written_as_text_is_unusable(void **state)
{
	static const char *const texts[] = {TEXT("\\n<tool_call>\\n{\\\"name\\\":\\\"read\\\"}"),
	    TEXT("<function=read>{}"), TEXT("<|tool_call_begin|>x"), TEXT("<|python_tag|>x"),
	    TEXT("[TOOL_CALLS][{}]")};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		ASSEMBLE(&o, texts[i], FINISH("stop"));
		assert_answer_failure(&o, LLM_ERROR_MODEL_OUTPUT);
		outcome_clear(&o);
	}
	ASSEMBLE(&o, TEXT("Qwen writes <tool_call>."), FINISH("stop"));
	assert_answer(&o, LLM_FINISH_STOP, "Qwen writes <tool_call>.");
	outcome_clear(&o);
}

static void unknown_members_of_calls_are_kept(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o,
	    CALL("\"index\":0,\"id\":\"a\",\"extra_content\":{\"google\":{\"thought_signature\":\"AbC/"
		 "+=\"}},\"function\":{\"name\":\"read\",\"arguments\":\"{}\",\"mark\":[1]}"),
	    CALL("\"index\":1,\"id\":\"b\"," FUNCTION("list", "{}")), FINISH("stop"));
	CALLS(&o, "a read {}", "b list {}");
	assert_string_equal(o.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
	    "{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{}\","
	    "\"mark\":[1]},\"extra_content\":{\"google\":{\"thought_signature\":\"AbC/+=\"}}},"
	    "{\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}]}");
	outcome_clear(&o);
}

static void more_calls_than_the_limit_end_the_answer(void **state)
{
	struct buf chunk = BUF_INIT;
	struct outcome o;

	(void)state;
	for (int count = 128; count <= 129; count++) {
		buf_reset(&chunk);
		buf_addstr(&chunk, "{\"choices\":[{\"delta\":{\"tool_calls\":[");
		for (int i = 0; i < count; i++)
			buf_addf(&chunk, "%s{\"index\":%d,\"id\":\"c%d\"," FUNCTION("read", "{}") "}",
			    i ? "," : "", i, i);
		buf_addstr(&chunk, "]}}]}");
		ASSEMBLE(&o, chunk.data, FINISH("tool_calls"));
		if (count == 128)
			assert_int_equal(o.answer.message->call_count, 128);
		else
			assert_answer_failure(&o, LLM_ERROR_MODEL_OUTPUT);
		outcome_clear(&o);
	}
	buf_clear(&chunk);
}

/* One call whose arguments have len bytes. */
static char *large_call(size_t len)
{
	struct buf chunk = BUF_INIT;

	buf_addstr(&chunk,
	    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":"
	    "\"w\",\"arguments\":\"{\\\"a\\\":\\\"");
	for (size_t i = 8; i < len; i++)
		buf_addch(&chunk, 'x');
	buf_addstr(&chunk, "\\\"}\"}}]}}]}");
	return buf_take(&chunk);
}

/* The call answers LIMIT_REACHED, and the turn goes on. */
static void arguments_above_the_limit_are_left_to_the_tool(void **state)
{
	char *large = large_call(3 * 1024 * 1024);
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, large, FINISH("tool_calls"));
	assert_answer(&o, LLM_FINISH_CALLS, "");
	assert_int_equal(strlen(o.answer.message->calls[0].arguments), 3 * 1024 * 1024);
	outcome_clear(&o);
	free(large);
}

/* Minutes of the processor when each piece has all that came before it parsed. */
static void pieces_that_repeat_the_name_are_read_once(void **state)
{
	enum { PIECES = 40000 };
	static const struct {
		const char *first, *piece;
	} table[] = {
	    {"{\\\"p\\\":\\\"", "a line of a text, "},
	    {"{\\\"p\\\":\\\"", "if (x) { f(); } "},
	    {"{\\\"p\\\":\\\"", "{ return g(x); }"},
	    {"{x}", "                "},
	};
	char **pieces = xcalloc(PIECES + 2, sizeof(*pieces));
	struct outcome o;

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(table); k++) {
		pieces[0] = xasprintf(CALL(FUNCTION("w", "%s")), table[k].first);
		for (size_t i = 1; i <= PIECES; i++)
			pieces[i] = xasprintf(CALL(FUNCTION("w", "%s")), table[k].piece);
		pieces[PIECES + 1] = xstrdup(FINISH("tool_calls"));
		clock_t began = clock();
		assemble(&o, (const char *const *)pieces, PIECES + 2);
		assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
		outcome_clear(&o);
		for (size_t i = 0; i < PIECES + 2; i++)
			free(pieces[i]);
	}
	free(pieces);
}

/* Brackets in texts, at the end of a piece, end no arguments. */
static void a_bracket_at_the_end_of_a_piece_may_be_text(void **state)
{
	struct outcome o;

	(void)state;
	ASSEMBLE(&o, CALL(FUNCTION("w", "{\\\"p\\\":{\\\"q\\\":\\\"a}")), CALL(FUNCTION("w", "\\\\\\\"}}")),
	    CALL(FUNCTION("w", "\\\"}")), CALL(FUNCTION("w", "} ")), CALL(FUNCTION("w", "{\\\"p\\\":2}")),
	    FINISH("tool_calls"));
	CALLS(&o, "* w {\"p\":{\"q\":\"a}\\\"}}\"}}", "* w {\"p\":2}");
	outcome_clear(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls_are_joined_by_index),
	    cmocka_unit_test(a_new_id_at_a_taken_index_is_a_new_call),
	    cmocka_unit_test(a_new_id_begins_a_call_also_before_the_arguments_of_the_last),
	    cmocka_unit_test(calls_without_index_are_joined_by_id),
	    cmocka_unit_test(calls_without_index_and_id_are_told_apart_by_their_names),
	    cmocka_unit_test(an_id_that_comes_late_belongs_to_its_call),
	    cmocka_unit_test(missing_and_double_ids_are_replaced_by_ones_that_never_come_again),
	    cmocka_unit_test(a_name_comes_once_repeated_or_in_pieces),
	    cmocka_unit_test(a_name_stays_once_arguments_have_come),
	    cmocka_unit_test(a_name_that_no_provider_takes_back_is_changed),
	    cmocka_unit_test(arguments_come_as_text_as_an_object_or_not_at_all),
	    cmocka_unit_test(an_object_is_whole_each_time),
	    cmocka_unit_test(litellm_before_ollama_objects_at_index_0_with_finish_stop),
	    cmocka_unit_test(whatever_the_reason_says_calls_are_calls),
	    cmocka_unit_test(an_answer_cut_by_its_length_runs_nothing),
	    cmocka_unit_test(nothing_is_mended_in_an_answer_cut_by_its_length),
	    cmocka_unit_test(torn_arguments_tell_although_a_router_rewrote_the_reason),
	    cmocka_unit_test(arguments_that_lack_a_bracket_are_a_mistake_of_the_model),
	    cmocka_unit_test(damaged_arguments_of_a_whole_answer_are_mended_or_kept),
	    cmocka_unit_test(pieces_of_calls_that_say_nothing_are_no_calls),
	    cmocka_unit_test(a_call_written_as_text_is_unusable),
	    cmocka_unit_test(unknown_members_of_calls_are_kept),
	    cmocka_unit_test(more_calls_than_the_limit_end_the_answer),
	    cmocka_unit_test(pieces_that_repeat_the_name_are_read_once),
	    cmocka_unit_test(a_bracket_at_the_end_of_a_piece_may_be_text),
	    cmocka_unit_test(arguments_above_the_limit_are_left_to_the_tool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
