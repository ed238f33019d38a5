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

#define EVENT(type, members) "event: " type "\ndata: {\"type\":\"" type "\"" members "}\n\n"
#define START                                                                                            \
	EVENT("message_start",                                                                           \
	    ",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[]," \
	    "\"model\":\"m-1\","                                                                         \
	    "\"stop_reason\":null,\"usage\":{\"input_tokens\":10,\"cache_creation_input_tokens\":3,"     \
	    "\"cache_read_input_tokens\":20,\"output_tokens\":1}}")
#define BLOCK(index, block)  EVENT("content_block_start", ",\"index\":" index ",\"content_block\":" block)
#define PIECE(index, delta)  EVENT("content_block_delta", ",\"index\":" index ",\"delta\":" delta)
#define CLOSE(index)         EVENT("content_block_stop", ",\"index\":" index)
#define WORDS(index, text)   PIECE(index, "{\"type\":\"text_delta\",\"text\":\"" text "\"}")
#define PARTIAL(index, text) PIECE(index, "{\"type\":\"input_json_delta\",\"partial_json\":\"" text "\"}")
#define TEXT_BLOCK(index)    BLOCK(index, "{\"type\":\"text\",\"text\":\"\"}")
#define CALL_BLOCK(index, id) \
	BLOCK(index, "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"read_file\",\"input\":{}}")
#define REASON(reason)                                                            \
	EVENT("message_delta",                                                    \
	    ",\"delta\":{\"stop_reason\":\"" reason "\",\"stop_sequence\":null}," \
	    "\"usage\":{\"output_tokens\":7}")
#define STOP     EVENT("message_stop", "")
#define PING     EVENT("ping", "")
#define THINKING BLOCK("0", "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
#define WORDS_AND_END \
	TEXT_BLOCK("0") PING WORDS("0", "Hel") WORDS("0", "lo") CLOSE("0") REASON("end_turn") STOP
#define GREETING START WORDS_AND_END

static void begin(struct exchange *exchange, const struct raw_step *const *scripts, size_t count)
{
	exchange_init(exchange, scripts, count);
	exchange->provider.ops = llm_format_find("anthropic");
	/* Without the /v1 of the other formats. */
	exchange->provider.settings.base_url[strlen(exchange->provider.settings.base_url) - 3] = '\0';
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
	assert_string_equal(exchange.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Hello\"}]}");
	/* The input is what was fresh, put into the cache and read from it; later totals replace earlier
	 * ones. */
	assert_int_equal(exchange.answer.usage.input_tokens, 33);
	assert_int_equal(exchange.answer.usage.cached_tokens, 20);
	assert_int_equal(exchange.answer.usage.output_tokens, 7);
	exchange_clear(&exchange);
}

static void counts_that_no_request_has_are_left_out(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    TRICKLE(STREAM EVENT("message_start",
			",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\","
			"\"content\":[],\"model\":\"m-1\",\"stop_reason\":null,\"usage\":{\"input_tokens\":"
			"9223372036854775807,\"cache_creation_input_tokens\":9223372036854775807,"
			"\"cache_read_input_tokens\":20,\"output_tokens\":1}}") WORDS_AND_END,
		0));
	assert_int_equal(exchange.answer.usage.input_tokens, 20);
	exchange_clear(&exchange);
}

static void the_request_has_version_and_key(void **state)
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
	assert_int_equal(strncmp(request, "POST /v1/messages HTTP/1.1\r\n", 28), 0);
	assert_non_null(strstr(request, "\r\nx-api-key: sk-secret\r\n"));
	assert_non_null(strstr(request, "\r\nanthropic-version: 2023-06-01\r\n"));
	assert_null(strstr(request, "Authorization"));
	free(request);
	exchange_clear(&exchange);
}

static void a_whole_message_is_an_answer_too(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(HEAD("application/json") "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\","
					  "\"content\":[{\"type\":\"text\",\"text\":\"Look:\"},{\"type\":"
					  "\"tool_use\",\"id\":\"toolu_1\",\"name\":\"read_file\",\"input\":{"
					  "\"path\":\"a\"}}],\"stop_reason\":\"tool_use\",\"usage\":{\"input_"
					  "tokens\":3,\"output_tokens\":2}}"));
	assert_said(&exchange, "Look:");
	assert_string_equal(exchange.said.data, "Look:");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_CALLS);
	assert_int_equal(exchange.answer.message->call_count, 1);
	assert_string_equal(exchange.answer.message->calls[0].arguments, "{\"path\":\"a\"}");
	assert_int_equal(exchange.answer.usage.input_tokens, 3);
	exchange_clear(&exchange);
}

static void calls_are_put_together_by_the_index_of_their_block(void **state)
{
	struct exchange exchange;
	const struct llm_message *m;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM START TEXT_BLOCK("0") WORDS("0", "I look.") CLOSE("0") CALL_BLOCK("2", "toolu_2")
		    CALL_BLOCK("1", "toolu_1") PARTIAL("1", "") PARTIAL("1", "{\\\"path\\\":")
			PARTIAL("2", "{\\\"path\\\":\\\"b\\\"}") PARTIAL("1", "\\\"a\\\"}") CLOSE("2")
			    CLOSE("1") REASON("tool_use") STOP));
	assert_said(&exchange, "I look.");
	m = exchange.answer.message;
	assert_int_equal(exchange.answer.finish, LLM_FINISH_CALLS);
	assert_int_equal(m->call_count, 2);
	assert_string_equal(m->calls[0].id, "toolu_1");
	assert_string_equal(m->calls[0].arguments, "{\"path\":\"a\"}");
	assert_string_equal(m->calls[1].id, "toolu_2");
	assert_string_equal(m->calls[1].arguments, "{\"path\":\"b\"}");
	assert_string_equal(m->raw,
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"I "
	    "look.\"},{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"read_file\",\"input\":{\"path\":"
	    "\"a\"}},{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"read_file\",\"input\":{\"path\":"
	    "\"b\"}}]}");
	exchange_clear(&exchange);
	/* No arguments at all are {}, and what the reason says is not trusted. */
	ASK(&exchange, SEND(STREAM START CALL_BLOCK("0", "toolu_1") CLOSE("0") REASON("end_turn") STOP));
	assert_int_equal(exchange.rc, 0);
	assert_int_equal(exchange.answer.finish, LLM_FINISH_CALLS);
	assert_string_equal(exchange.answer.message->calls[0].arguments, "{}");
	exchange_clear(&exchange);
}

static void a_cut_off_answer_is_told_and_its_calls_are_kept_from_running(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM START CALL_BLOCK("0", "toolu_1") PARTIAL("0", "{\\\"path\\\":\\\"/et")
		    REASON("max_tokens") STOP));
	assert_int_equal(exchange.rc, 0);
	assert_int_equal(exchange.answer.finish, LLM_FINISH_LENGTH);
	assert_non_null(strstr(exchange.answer.message->calls[0].arguments, "unparsed_arguments"));
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM START TEXT_BLOCK("0") WORDS("0", "Hel") CLOSE("0")
		    REASON("model_context_window_exceeded") STOP));
	assert_said(&exchange, "Hel");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_LENGTH);
	exchange_clear(&exchange);
}

static void thinking_is_kept_with_its_signature_and_told_to_nobody(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM START THINKING PIECE("0", "{\"type\":\"thinking_delta\",\"thinking\":\"so \"}")
		    PIECE("0", "{\"type\":\"thinking_delta\",\"thinking\":\"what\"}")
			PIECE("0", "{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}") CLOSE("0")
			    BLOCK("1", "{\"type\":\"redacted_thinking\",\"data\":\"eA==\"}") CLOSE("1")
				TEXT_BLOCK("2") WORDS("2", "Hi") CLOSE("2") REASON("end_turn") STOP));
	assert_said(&exchange, "Hi");
	assert_string_equal(exchange.said.data, "Hi");
	assert_string_equal(exchange.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"so "
	    "what\",\"signature\":\"c2ln\"},{\"type\":\"redacted_thinking\",\"data\":\"eA==\"},{\"type\":"
	    "\"text\",\"text\":\"Hi\"}]}");
	exchange_clear(&exchange);
	/* With an empty text it is as good; without its signature, or its end, it would be refused. */
	ASK(&exchange,
	    SEND(STREAM START THINKING PIECE("0", "{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}")
		    CLOSE("0") BLOCK("1", "{\"type\":\"thinking\",\"thinking\":\"lost\",\"signature\":\"\"}")
			CLOSE("1") TEXT_BLOCK("2") WORDS("2", "Hi") CLOSE("2")
			    BLOCK("3", "{\"type\":\"thinking\",\"thinking\":\"x\",\"signature\":\"y\"}")
				REASON("end_turn") STOP));
	assert_string_equal(exchange.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":"
	    "\"c2ln\"},{\"type\":\"text\",\"text\":\"Hi\"}]}");
	exchange_clear(&exchange);
}

static void what_is_not_known_is_passed_over(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM START EVENT("mood", ",\"mood\":\"good\"")
		    BLOCK("0", "{\"type\":\"smell\",\"scent\":\"rose\"}")
			PIECE("0", "{\"type\":\"smell_delta\",\"scent\":\"x\"}") CLOSE("0") TEXT_BLOCK("1")
			    WORDS("1", "Hi") PIECE("1", "{\"type\":\"citations_delta\",\"citation\":{}}")
				WORDS("9", "nowhere") CLOSE("1") REASON("satisfied") STOP
		"data: {\"type\":\"message_start\"}\n\n"));
	assert_said(&exchange, "Hi");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_STOP);
	assert_string_equal(exchange.answer.message->raw,
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"smell\",\"scent\":\"rose\"},{\"type\":\"text\","
	    "\"text\":\"Hi\"}]}");
	exchange_clear(&exchange);
}

static void an_end_without_message_stop_is_a_failure_whatever_came(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(STREAM START TEXT_BLOCK("0") WORDS("0", "Hello") CLOSE("0") REASON("end_turn")));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "in the middle");
	/* All counts were there. */
	assert_true(exchange.answer.begun);
	assert_false(exchange.answer.usage.estimated);
	assert_int_equal(exchange.answer.usage.input_tokens, 33);
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM START TEXT_BLOCK("0")
		    WORDS("0", "Hello, this is a long text of which nobody counted the tokens.")));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "in the middle");
	assert_true(exchange.answer.begun);
	assert_true(exchange.answer.usage.estimated);
	assert_int_equal(exchange.answer.usage.input_tokens, 33);
	assert_in_range(exchange.answer.usage.output_tokens, 15, 25);
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM PING));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "before it began");
	assert_false(exchange.answer.begun);
	exchange_clear(&exchange);
	ASK(&exchange, SEND(HEAD("application/json") "{\"hello\":1}"));
	assert_int_equal(exchange.rc, -1);
	exchange_clear(&exchange);
	/* After its end a connection may break as it likes. */
	ASK(&exchange,
	    SEND("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: "
		 "100000\r\n\r\n" GREETING),
	    RESET);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void errors_are_classified_in_a_stream_and_out_of_it(void **state)
{
	static const struct {
		const char *status, *body;
		enum llm_error_class class;
	} rows[] = {
	    {"400 Bad Request",
		"invalid_request_error\",\"message\":\"prompt is too long: 250000 tokens > 200000 maximum",
		LLM_ERROR_OVERFLOW},
	    {"400 Bad Request", "invalid_request_error\",\"message\":\"max_tokens: Field required",
		LLM_ERROR_FATAL},
	    {"401 Unauthorized", "authentication_error\",\"message\":\"invalid x-api-key", LLM_ERROR_AUTH},
	    {"402 Payment Required", "billing_error\",\"message\":\"credit", LLM_ERROR_BILLING},
	    {"404 Not Found", "not_found_error\",\"message\":\"model: m-1", LLM_ERROR_FATAL},
	    {"413 Too Large", "request_too_large\",\"message\":\"Request exceeds the maximum size",
		LLM_ERROR_OVERFLOW},
	    {"429 Too Many", "rate_limit_error\",\"message\":\"This request would exceed your rate limit",
		LLM_ERROR_RATE_LIMIT},
	    {"429 Too Many",
		"rate_limit_error\",\"details\":{\"error_code\":\"enforced_spend_limit_reached\"},"
		"\"message\":\"no",
		LLM_ERROR_BILLING},
	    {"500 Error", "api_error\",\"message\":\"Internal server error", LLM_ERROR_OVERLOADED},
	    {"504 Timeout", "timeout_error\",\"message\":\"slow", LLM_ERROR_OVERLOADED},
	    {"529 Overloaded", "overloaded_error\",\"message\":\"Overloaded", LLM_ERROR_OVERLOADED},
	    {NULL, "overloaded_error\",\"message\":\"Overloaded", LLM_ERROR_OVERLOADED},
	    {NULL, "rate_limit_error\",\"message\":\"rate limit", LLM_ERROR_RATE_LIMIT},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = rows[i].status ?
		    xasprintf("HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
			      "{\"type\":\"error\",\"error\":{\"type\":\"%s\"},\"request_id\":\"req_1\"}",
			rows[i].status, rows[i].body) :
		    xasprintf("%sevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"%s\"}}\n\n",
			STREAM START TEXT_BLOCK("0") WORDS("0", "Hi"), rows[i].body);
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

static void a_refusal_is_no_answer_unless_words_came(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(STREAM START EVENT("message_delta",
		",\"delta\":{\"stop_reason\":\"refusal\",\"stop_details\":{\"type\":\"refusal\","
		"\"explanation\":\"not that\"}},\"usage\":{\"output_tokens\":0}") STOP));
	assert_failed(&exchange, LLM_ERROR_REFUSAL, "not that");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM START TEXT_BLOCK("0") WORDS("0", "I would rather not.") CLOSE("0")
		    CALL_BLOCK("1", "toolu_1") CLOSE("1") REASON("refusal") STOP));
	assert_said(&exchange, "I would rather not.");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_REFUSED);
	assert_int_equal(exchange.answer.message->call_count, 0);
	exchange_clear(&exchange);
}

static void an_end_of_turn_without_words_is_an_answer_without_words(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(STREAM START REASON("end_turn") STOP));
	assert_said(&exchange, "");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_STOP);
	assert_null(exchange.answer.message->raw);
	exchange_clear(&exchange);
}

static void a_refused_signature_is_answered_by_a_history_without_thinking(void **state)
{
	static const struct raw_step refusal[] = {READ,
	    SEND(REFUSE("400 Bad Request", "",
		"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"messages.1."
		"content.0: Invalid `signature` in `thinking` block\"}}")),
	    END};
	static const struct raw_step greeting[] = {READ, SEND(STREAM GREETING), END};
	static const struct raw_step *const scripts[] = {refusal, greeting};
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "Hello");
	struct exchange exchange;

	(void)state;
	begin(&exchange, scripts, 2);
	m->provider = xstrdup("main");
	m->model = xstrdup("m-1");
	llm_message_set_raw(m,
	    xstrdup("{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"\","
		    "\"signature\":\"x\"},{\"type\":\"text\",\"text\":\"Hello\"}]}"));
	llm_history_add(&exchange.history, m);
	llm_history_add(&exchange.history, llm_message_new(LLM_USER, "Again"));
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	char *request = raw_server_last_request(exchange.server, NULL);
	assert_null(strstr(request, "signature"));
	free(request);
	exchange_clear(&exchange);
}

#define TEST(name) cmocka_unit_test_teardown(name, exchange_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_stream_is_an_answer_in_whatever_pieces_it_arrives),
	    TEST(counts_that_no_request_has_are_left_out),
	    TEST(the_request_has_version_and_key),
	    TEST(a_whole_message_is_an_answer_too),
	    TEST(calls_are_put_together_by_the_index_of_their_block),
	    TEST(a_cut_off_answer_is_told_and_its_calls_are_kept_from_running),
	    TEST(thinking_is_kept_with_its_signature_and_told_to_nobody),
	    TEST(what_is_not_known_is_passed_over),
	    TEST(an_end_without_message_stop_is_a_failure_whatever_came),
	    TEST(errors_are_classified_in_a_stream_and_out_of_it),
	    TEST(a_refusal_is_no_answer_unless_words_came),
	    TEST(an_end_of_turn_without_words_is_an_answer_without_words),
	    TEST(a_refused_signature_is_answered_by_a_history_without_thinking),
	};

	return cmocka_run_group_tests_name("anthropic", tests, NULL, NULL);
}
