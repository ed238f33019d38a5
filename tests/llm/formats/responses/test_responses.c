#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/exchange.h"
#include "llm/formats/formats.h"

#define EVENT(type, members) \
	"event: " type "\ndata: {\"type\":\"" type "\",\"sequence_number\":1" members "}\n\n"
#define CREATED                                                                                    \
	EVENT("response.created",                                                                  \
	    ",\"response\":{\"id\":\"resp_1\",\"object\":\"response\",\"status\":\"in_progress\"," \
	    "\"output\":[]}")
#define WORDS(item, text)                   \
	EVENT("response.output_text.delta", \
	    ",\"item_id\":\"" item "\",\"output_index\":0,\"content_index\":0,\"delta\":\"" text "\"")
#define ITEM(item) EVENT("response.output_item.done", ",\"output_index\":0,\"item\":" item)
#define MESSAGE(id, text)                                                            \
	"{\"type\":\"message\",\"id\":\"" id                                         \
	"\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":[{\"type\":" \
	"\"output_text\",\"text\":\"" text "\",\"annotations\":[]}]}"
#define CALL(id, arguments)                                                                           \
	"{\"type\":\"function_call\",\"id\":\"fc_" id "\",\"status\":\"completed\",\"call_id\":\"" id \
	"\",\"name\":"                                                                                \
	"\"read_file\",\"arguments\":\"" arguments "\"}"
#define THOUGHT "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"gAAA\"}"
#define USAGE                                                                                               \
	"\"usage\":{\"input_tokens\":30,\"input_tokens_details\":{\"cached_tokens\":20},\"output_tokens\":" \
	"7}"
#define RESPONSE(status, rest) \
	"{\"id\":\"resp_1\",\"object\":\"response\",\"status\":\"" status "\"" rest "," USAGE "}"
#define COMPLETED EVENT("response.completed", ",\"response\":" RESPONSE("completed", ",\"output\":[]"))
#define CUT(reason)                  \
	EVENT("response.incomplete", \
	    ",\"response\":" RESPONSE("incomplete", ",\"incomplete_details\":{\"reason\":\"" reason "\"}"))
#define GREETING CREATED WORDS("m", "Hel") WORDS("m", "lo") ITEM(MESSAGE("m", "Hello")) COMPLETED

static void begin(struct exchange *exchange, const struct raw_step *const *scripts, size_t count)
{
	exchange_init(exchange, scripts, count);
	exchange->provider.ops = llm_format_find("openai-responses");
}

#define ASK(exchange, ...) EXCHANGE_ASK(begin, exchange, __VA_ARGS__)

static void a_stream_is_an_answer_in_whatever_pieces_it_arrives(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, TRICKLE(STREAM GREETING, 0));
	assert_said(&exchange, "Hello");
	assert_string_equal(exchange.said.data, "Hello");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_STOP);
	assert_int_equal(exchange.answer.usage.input_tokens, 30);
	assert_int_equal(exchange.answer.usage.cached_tokens, 20);
	assert_int_equal(exchange.answer.usage.output_tokens, 7);
	/* Without ids, which would point to what is not kept. */
	assert_string_equal(exchange.answer.message->raw,
	    "[{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":"
	    "\"Hello\",\"annotations\":[]}]}]");
	exchange_clear(&exchange);
}

static void the_request_goes_to_responses_with_the_key(void **state)
{
	struct exchange exchange;
	static const struct raw_step steps[] = {READ, SEND(STREAM GREETING), END};
	static const struct raw_step *const scripts[] = {steps};

	(void)state;
	begin(&exchange, scripts, 1);
	exchange.provider.settings.key = "sk-secret";
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	char *request = raw_server_last_request(exchange.server, NULL);
	assert_int_equal(strncmp(request, "POST /v1/responses HTTP/1.1\r\n", 29), 0);
	assert_non_null(strstr(request, "\r\nAuthorization: Bearer sk-secret\r\n"));
	assert_non_null(strstr(request, "\"store\":false"));
	free(request);
	exchange_clear(&exchange);
}

static void a_whole_response_is_an_answer_too(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(HEAD("application/json") RESPONSE("completed",
		",\"output\":[" MESSAGE("m", "Look:") "," CALL("c1", "{\\\"path\\\":\\\"a\\\"}") "]")));
	assert_said(&exchange, "Look:");
	assert_string_equal(exchange.said.data, "Look:");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_CALLS);
	assert_string_equal(exchange.answer.message->calls[0].arguments, "{\"path\":\"a\"}");
	exchange_clear(&exchange);
	/* And so is a stream that holds all of it in its last event. */
	ASK(&exchange,
	    SEND(STREAM EVENT("response.completed",
		",\"response\":" RESPONSE("completed", ",\"output\":[" MESSAGE("m", "Hi") "]"))));
	assert_said(&exchange, "Hi");
	assert_string_equal(exchange.said.data, "Hi");
	exchange_clear(&exchange);
}

static void calls_come_whole_and_reasoning_goes_along(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM CREATED EVENT(
		"response.reasoning_summary_text.delta", ",\"item_id\":\"rs_1\",\"delta\":\"hm\"")
		    ITEM(THOUGHT) ITEM("{\"type\":\"reasoning\",\"id\":\"rs_2\",\"summary\":[]}") EVENT(
			"response.function_call_arguments.delta", ",\"item_id\":\"fc_c1\",\"delta\":\"{\"")
			ITEM(CALL("c1", "{}")) ITEM(CALL("c2", "")) COMPLETED));
	assert_said(&exchange, "");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_CALLS);
	assert_int_equal(exchange.answer.message->call_count, 2);
	assert_string_equal(exchange.answer.message->calls[1].arguments, "{}");
	assert_string_equal(exchange.answer.message->raw,
	    "[" THOUGHT
	    ",{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"read_file\",\"arguments\":\"{}\"},{"
	    "\"type\":\"function_call\",\"call_id\":\"c2\",\"name\":\"read_file\",\"arguments\":\"{}\"}]");
	exchange_clear(&exchange);
}

static void messages_of_one_answer_are_paragraphs(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM CREATED WORDS("a", "One.") ITEM(MESSAGE("a", "One.")) WORDS("b", "Two.")
		    ITEM(MESSAGE("b", "Two.")) COMPLETED));
	assert_said(&exchange, "One.\n\nTwo.");
	assert_string_equal(exchange.said.data, "One.\n\nTwo.");
	exchange_clear(&exchange);
}

static void what_cut_an_answer_short_is_told(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM CREATED ITEM(CALL("c1", "{\\\"path\\\":\\\"/et")) CUT("max_output_tokens")));
	assert_int_equal(exchange.rc, 0);
	assert_int_equal(exchange.answer.finish, LLM_FINISH_LENGTH);
	assert_non_null(strstr(exchange.answer.message->calls[0].arguments, "unparsed_arguments"));
	exchange_clear(&exchange);
	/* It may say so without a reason, and in the event of a complete answer. */
	ASK(&exchange,
	    SEND(STREAM CREATED ITEM(CALL("c1", "{}"))
		    EVENT("response.completed", ",\"response\":" RESPONSE("incomplete", ",\"output\":[]"))));
	assert_int_equal(exchange.rc, 0);
	assert_int_equal(exchange.answer.finish, LLM_FINISH_LENGTH);
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM CREATED CUT("content_filter")));
	assert_failed(&exchange, LLM_ERROR_REFUSAL, "withheld");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM CREATED ITEM("{\"type\":\"message\",\"id\":\"m\",\"role\":\"assistant\",\"content\":["
				     "{\"type\":\"refusal\",\"refusal\":\"No.\"}]}") COMPLETED));
	assert_said(&exchange, "No.");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_REFUSED);
	exchange_clear(&exchange);
}

static void an_end_without_words_is_an_answer_without_words(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(STREAM CREATED COMPLETED));
	assert_said(&exchange, "");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_STOP);
	assert_null(exchange.answer.message->raw);
	exchange_clear(&exchange);
}

static void an_end_without_its_event_is_a_failure_whatever_came(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(STREAM CREATED WORDS("m", "Hello") ITEM(MESSAGE("m", "Hello"))));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "in the middle");
	assert_true(exchange.answer.begun);
	assert_true(exchange.answer.usage.estimated);
	assert_int_equal(exchange.answer.usage.output_tokens, 2);
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM ": keep-alive\n\n"));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "before it began");
	assert_false(exchange.answer.begun);
	exchange_clear(&exchange);
}

static void errors_are_classified_wherever_they_stand(void **state)
{
	static const struct {
		const char *event;
		enum llm_error_class class;
	} rows[] = {
	    {EVENT("response.failed",
		 ",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"rate_limit_exceeded\","
		 "\"message\":\"m\"}}"),
		LLM_ERROR_RATE_LIMIT},
	    {EVENT("response.failed",
		 ",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":"
		 "\"m\"}}"),
		LLM_ERROR_OVERLOADED},
	    {EVENT("response.failed",
		 ",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"context_length_exceeded\","
		 "\"message\":\"m\"}}"),
		LLM_ERROR_OVERFLOW},
	    {"event: error\ndata: "
	     "{\"type\":\"error\",\"code\":\"insufficient_quota\",\"message\":\"m\",\"param\":null}\n\n",
		LLM_ERROR_BILLING},
	    {"data: "
	     "{\"type\":\"error\",\"error\":{\"type\":\"server_error\",\"message\":\"overloaded\"}}\n\n",
		LLM_ERROR_OVERLOADED},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = xasprintf("%s%s", STREAM CREATED WORDS("m", "So far"), rows[i].event);
		const struct raw_step steps[] = {READ, SEND(text), END};
		const struct raw_step *const scripts[] = {steps};
		struct exchange exchange;
		begin(&exchange, scripts, 1);
		exchange_once(&exchange);
		assert_failed(&exchange, rows[i].class, "main");
		exchange_clear(&exchange);
		free(text);
	}
}

#define REFUSAL(code, message)                   \
	REFUSE("400 Bad Request", "",            \
	    "{\"error\":{\"message\":\"" message \
	    "\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":" code "}}")

static void what_a_refusal_names_is_left_out(void **state)
{
	static const struct raw_step unsupported[] = {
	    READ, SEND(REFUSAL("null", "Encrypted content is not supported with this model.")), END};
	static const struct raw_step stale[] = {READ,
	    SEND(REFUSAL(
		"\"invalid_encrypted_content\"", "The encrypted content gAAA could not be verified.")),
	    END};
	static const struct raw_step greeting[] = {READ, SEND(STREAM GREETING), END};
	static const struct raw_step *const scripts[] = {unsupported, stale, greeting};
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "Hello");
	struct llm_learned learned = {0};
	struct exchange exchange;

	(void)state;
	begin(&exchange, scripts, 3);
	exchange.provider.learned = &learned;
	m->provider = xstrdup("main");
	m->model = xstrdup("m-1");
	llm_message_set_raw(m, xstrdup("[" THOUGHT "," MESSAGE("m", "Hello") "]"));
	llm_history_add(&exchange.history, m);
	llm_history_add(&exchange.history, llm_message_new(LLM_USER, "Again"));
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	char *request = raw_server_last_request(exchange.server, NULL);
	assert_null(strstr(request, "encrypted_content"));
	free(request);
	/* What the model cannot is not asked for again. */
	assert_true(learned.no_reasoning);
	exchange_once(&exchange);
	assert_int_equal(raw_server_requests(exchange.server), 4);
	exchange_clear(&exchange);
}

#define TEST(name) cmocka_unit_test_teardown(name, exchange_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_stream_is_an_answer_in_whatever_pieces_it_arrives),
	    TEST(the_request_goes_to_responses_with_the_key),
	    TEST(a_whole_response_is_an_answer_too),
	    TEST(calls_come_whole_and_reasoning_goes_along),
	    TEST(messages_of_one_answer_are_paragraphs),
	    TEST(what_cut_an_answer_short_is_told),
	    TEST(an_end_without_words_is_an_answer_without_words),
	    TEST(an_end_without_its_event_is_a_failure_whatever_came),
	    TEST(errors_are_classified_wherever_they_stand),
	    TEST(what_a_refusal_names_is_left_out),
	};

	return cmocka_run_group_tests_name("responses", tests, NULL, NULL);
}
