#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/classify.h"

#define TRANSIENT    LLM_ERROR_TRANSIENT
#define OVERLOADED   LLM_ERROR_OVERLOADED
#define RATE_LIMIT   LLM_ERROR_RATE_LIMIT
#define BILLING      LLM_ERROR_BILLING
#define AUTH         LLM_ERROR_AUTH
#define OVERFLOW     LLM_ERROR_OVERFLOW
#define BAD_HISTORY  LLM_ERROR_BAD_HISTORY
#define BAD_TOOLS    LLM_ERROR_BAD_TOOLS
#define MODEL_OUTPUT LLM_ERROR_MODEL_OUTPUT
#define REFUSAL      LLM_ERROR_REFUSAL
#define FATAL        LLM_ERROR_FATAL

static void assert_class(enum llm_error_class got, enum llm_error_class wanted, const char *what)
{
	if (got != wanted)
		print_message(
		    "%s: %s instead of %s\n", what, llm_error_class_name(got), llm_error_class_name(wanted));
	assert_int_equal(got, wanted);
}

static void a_status_without_words_decides_alone(void **state)
{
	static const struct {
		int status;
		enum llm_error_class class;
	} table[] = {
	    {301, FATAL},
	    {400, FATAL},
	    {401, AUTH},
	    {402, BILLING},
	    {403, AUTH},
	    {404, FATAL},
	    {405, FATAL},
	    {408, TRANSIENT},
	    {409, TRANSIENT},
	    {413, OVERFLOW},
	    {422, FATAL},
	    {425, TRANSIENT},
	    {429, RATE_LIMIT},
	    {500, OVERLOADED},
	    {502, OVERLOADED},
	    {503, OVERLOADED},
	    {504, OVERLOADED},
	    {520, OVERLOADED},
	    {529, OVERLOADED},
	};
	static const char *const bodies[] = {
	    "", "{}", "<html>nginx</html>", "{\"error\":{\"message\":\"no\"}}", "null"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		for (size_t k = 0; k < ARRAY_LEN(bodies); k++)
			assert_class(
			    llm_classify_body(table[i].status, 0, bodies[k], strlen(bodies[k]), NULL),
			    table[i].class, bodies[k]);
}

struct complaint {
	int status;
	const char *body;
	enum llm_error_class class;
};

static void assert_complaints(const struct complaint *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_class(
		    llm_classify_body(table[i].status, 0, table[i].body, strlen(table[i].body), NULL),
		    table[i].class, table[i].body);
}

#define ERROR(type, code, message)                                                                           \
	"{\"error\":{\"message\":\"" message "\",\"type\":\"" type "\",\"param\":null,\"code\":\"" code "\"" \
	"}}"

static void the_words_of_providers_decide_before_the_status(void **state)
{
	static const struct complaint table[] = {
	    /* OpenAI: of the two families of 429, one never passes. */
	    {429, ERROR("requests", "rate_limit_exceeded", "Rate limit reached for requests"), RATE_LIMIT},
	    {429, ERROR("", "slow_down", "Slow down"), RATE_LIMIT},
	    {429, ERROR("insufficient_quota", "insufficient_quota", "You exceeded your current quota"),
		BILLING},
	    {429, ERROR("x", "credit_balance_exhausted", "m"), BILLING},
	    {429, ERROR("x", "organization_spend_limit_exceeded", "m"), BILLING},
	    {429, ERROR("x", "project_spend_limit_exceeded", "m"), BILLING},
	    {429, ERROR("x", "organization_usage_limit_exceeded", "m"), BILLING},
	    {429, ERROR("rate_limit_error", "enforced_spend_limit_reached", "m"), BILLING},
	    {429, ERROR("rate_limit_error", "contract_spend_limit_reached", "m"), BILLING},
	    {429, ERROR("rate_limit_error", "linked_organization_spend_limit_reached", "m"), BILLING},
	    {429, ERROR("rate_limit_error", "ramp_limit_exceeded", "m"), RATE_LIMIT},
	    {503, ERROR("", "server_is_overloaded", "m"), OVERLOADED},
	    {400, ERROR("invalid_request_error", "context_length_exceeded", "m"), OVERFLOW},
	    {400,
		ERROR("invalid_request_error", "invalid_function_parameters",
		    "Invalid schema for function 'x'"),
		BAD_TOOLS},
	    {404, ERROR("invalid_request_error", "model_not_found", "The model does not exist"), FATAL},
	    {400, ERROR("invalid_request_error", "unknown_parameter", "Unknown parameter: 'x'"), FATAL},
	    /* More than a minute's tokens in one request: no waiting helps. */
	    {429,
		ERROR("tokens", "rate_limit_exceeded",
		    "Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 64024."),
		OVERFLOW},
	    {413,
		ERROR("tokens", "rate_limit_exceeded",
		    "Request too large for model `x`: reduce your message size"),
		OVERFLOW},
	    {429,
		ERROR("rate_limit_error", "",
		    "This request would exceed the rate limit of 30,000 input tokens"),
		RATE_LIMIT},
	    /* What the model wrote. */
	    {400,
		"{\"error\":{\"message\":\"Failed to call a "
		"function.\",\"code\":\"tool_use_failed\",\"failed_generation\":\"<function=x>\"}}",
		MODEL_OUTPUT},
	    {500, "{\"error\":\"error parsing tool call: raw='x', err=y\"}", MODEL_OUTPUT},
	    /* What must be echoed or paired. */
	    {400,
		ERROR("", "",
		    "An assistant message with 'tool_calls' must be followed by tool messages responding to "
		    "each 'tool_call_id'"),
		BAD_HISTORY},
	    {400,
		ERROR("", "",
		    "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
		BAD_HISTORY},
	    {400,
		ERROR("", "",
		    "messages with role 'tool' must be a response to a preceeding message with "
		    "'tool_calls'."),
		BAD_HISTORY},
	    {400,
		ERROR("invalid_request_error", "3280",
		    "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9."),
		BAD_HISTORY},
	    {400, ERROR("", "", "The reasoning_content in the thinking mode must be passed back to the API."),
		BAD_HISTORY},
	    {400,
		"[{\"error\":{\"code\":400,\"message\":\"Function call is missing a thought_signature in "
		"functionCall "
		"parts.\",\"status\":\"INVALID_ARGUMENT\"}}]",
		BAD_HISTORY},
	    {400,
		ERROR("invalid_request_error", "",
		    "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: "
		    "x"),
		BAD_HISTORY},
	    {400,
		ERROR(
		    "invalid_request_error", "", "unexpected `tool_use_id` found in `tool_result` blocks: x"),
		BAD_HISTORY},
	    {400,
		ERROR("invalid_request_error", "",
		    "messages.1.content.0: Invalid `signature` in `thinking` block"),
		BAD_HISTORY},
	    {400,
		ERROR("invalid_request_error", "",
		    "Expected `thinking` or `redacted_thinking`, but found `text`"),
		BAD_HISTORY},
	    {400, ERROR("invalid_request_error", "invalid_encrypted_content", "m"), BAD_HISTORY},
	    {400, ERROR("", "", "messages.70.tool_calls.0.function.arguments: must be a valid JSON object"),
		BAD_HISTORY},
	    {500, ERROR("server_error", "", "Failed to parse tool call arguments as JSON"), BAD_HISTORY},
	    {400, ERROR("", "", "image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes"), BAD_HISTORY},
	    {401, ERROR("", "", "reasoning_content"), AUTH},
	    /* LM Studio answers its grammar compiler's troubles with either. */
	    {400, "{\"error\":\"failed to parse grammar\"}", BAD_TOOLS},
	    {500, "{\"error\":\"Failed to parse grammar\"}", BAD_TOOLS},
	    /* A filter, not a key. */
	    {400, ERROR("", "content_filter", "The response was filtered"), REFUSAL},
	    {403,
		"{\"error\":{\"code\":403,\"message\":\"Your chosen model requires moderation and your input "
		"was flagged\"}}",
		REFUSAL},
	    {403, "{\"error\":{\"code\":403,\"message\":\"Key has no access\"}}", AUTH},
	    /* A 429 that is no limit of ours. */
	    {429,
		ERROR("engine_overloaded_error", "",
		    "The engine is currently overloaded, please try again later"),
		OVERLOADED},
	    {429, "{\"error\":{\"code\":\"1305\",\"message\":\"The service may be temporarily overloaded\"}}",
		OVERLOADED},
	    /* Throttling in words of the context window. */
	    {400, ERROR("ThrottlingException", "", "Too many tokens, please wait before trying again."),
		RATE_LIMIT},
	    {400, ERROR("", "", "rate limit: token limit exceeded"), RATE_LIMIT},
	};

	(void)state;
	assert_complaints(table, ARRAY_LEN(table));
}

static void every_way_to_say_that_the_context_is_full_is_an_overflow(void **state)
{
	static const char *const texts[] = {
	    "prompt is too long: 213462 tokens > 200000 maximum",
	    "request_too_large",
	    "Input is too long for requested model.",
	    "Your input exceeds the context window of this model.",
	    "This model's maximum context length is 128000 tokens.",
	    "context_length_exceeded",
	    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
	    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
	    "Please reduce the length of the messages or completion.",
	    "prompt token count of 123 exceeds the limit of 100",
	    "the request exceeds the available context size, try increasing it",
	    "exceed_context_size_error",
	    "tokens to keep from the initial prompt is greater than the context length",
	    "invalid params, context window exceeds limit",
	    "Your request exceeded model token limit: 131072",
	    "too large for model with 32768 maximum context",
	    "Range of input length should be [1, 30720]",
	    "prompt has 9000 tokens, but the configured context size is 4096 tokens",
	    "Token limit exceeded",
	    "model_context_window_exceeded",
	    "the input length exceeds the context length",
	};
	struct buf body = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		buf_reset(&body);
		buf_addf(&body, "{\"error\":{\"message\":\"%s\"}}", texts[i]);
		assert_class(llm_classify_body(400, 0, body.data, body.len, NULL), OVERFLOW, texts[i]);
		assert_class(llm_classify_body(500, 0, body.data, body.len, NULL), OVERFLOW, texts[i]);
		assert_class(llm_classify_body(200, 0, body.data, body.len, NULL), OVERFLOW, texts[i]);
		assert_class(llm_classify_body(429, 0, body.data, body.len, NULL), RATE_LIMIT, texts[i]);
		/* Also as plain text. */
		assert_class(llm_classify_body(400, 0, texts[i], strlen(texts[i]), NULL), OVERFLOW, texts[i]);
	}
	buf_clear(&body);
}

static void an_error_inside_an_answer_brings_its_own_status(void **state)
{
	static const struct complaint table[] = {
	    {200, "{\"error\":{\"code\":429,\"message\":\"m\"}}", RATE_LIMIT},
	    {200, "{\"error\":{\"code\":\"429\",\"message\":\"m\"}}", RATE_LIMIT},
	    {200, "{\"error\":{\"code\":402,\"message\":\"m\"}}", BILLING},
	    {200, "{\"error\":{\"code\":401,\"message\":\"m\"}}", AUTH},
	    {200, "{\"error\":{\"code\":502,\"message\":\"m\",\"metadata\":{\"provider_name\":\"x\"}}}",
		OVERLOADED},
	    {200, "{\"error\":{\"code\":400,\"message\":\"m\"}}", FATAL},
	    {200,
		"{\"object\":\"error\",\"message\":\"m\",\"type\":\"BadRequestError\",\"param\":null,"
		"\"code\":400}",
		FATAL},
	    {200, "{\"object\":\"error\",\"message\":\"m\",\"type\":\"BadRequestError\"}", FATAL},
	    {200, "{\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}", OVERLOADED},
	    {200, "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"m\"}}", RATE_LIMIT},
	    {200, "{\"error\":{\"type\":\"authentication_error\",\"message\":\"m\"}}", AUTH},
	    {200, "{\"error\":{\"type\":\"permission_error\",\"message\":\"m\"}}", AUTH},
	    {200, "{\"error\":{\"type\":\"billing_error\",\"message\":\"m\"}}", BILLING},
	    {200, "{\"error\":{\"type\":\"not_found_error\",\"message\":\"m\"}}", FATAL},
	    {200, "{\"error\":{\"type\":\"timeout_error\",\"message\":\"m\"}}", TRANSIENT},
	    {200, "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"m\"}}", FATAL},
	    {200, "{\"error\":{\"type\":\"api_error\",\"message\":\"m\"}}", OVERLOADED},
	    {200, "{\"error\":{\"message\":\"the model runner has stopped\"}}", OVERLOADED},
	    {200, "{\"error\":\"something went wrong\"}", OVERLOADED},
	    {200, "[{\"error\":{\"code\":503,\"message\":\"m\",\"status\":\"UNAVAILABLE\"}}]", OVERLOADED},
	    {200, "{\"error\":{\"code\":7,\"message\":\"m\"}}", OVERLOADED},
	};

	(void)state;
	assert_complaints(table, ARRAY_LEN(table));
}

static void a_routers_upstream_words_count(void **state)
{
	static const char body[] =
	    "{\"error\":{\"message\":\"Provider returned "
	    "error\",\"code\":400,\"metadata\":{\"raw\":\"{\\\"error\\\":{\\\"code\\\":\\\"context_length_"
	    "exceeded\\\"}}\",\"provider_name\":\"x\"}}}";

	(void)state;
	assert_class(llm_classify_body(400, 0, body, strlen(body), NULL), OVERFLOW, body);
}

static void nothing_but_the_error_object_is_looked_at(void **state)
{
	static const char *const bodies[] = {
	    "{\"error\":{\"message\":\"m\",\"failed_generation\":\"prompt is too long\"}}",
	    "{\"error\":{\"message\":\"m\"},\"echo\":\"maximum context length\"}",
	    "{\"error\":{\"message\":\"m\",\"param\":\"insufficient_quota\"}}",
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"context_length_exceeded rate limit\"}]}",
	    "<html>prompt is too long, rate limit</html>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
		assert_class(llm_classify_body(400, 0, bodies[i], strlen(bodies[i]), NULL), FATAL, bodies[i]);
}

static void no_credit_with_a_time_to_wait_is_a_rate_limit(void **state)
{
	struct error err = {0};

	(void)state;
	assert_class(llm_classify_body(402, 3000, "{}", 2, &err), RATE_LIMIT, "402");
	assert_int_equal(err.kind, ERROR_LIMITED);
	assert_int_equal(err.retry_ms, 3000);
	assert_class(llm_classify_body(402, 0, "{}", 2, &err), BILLING, "402");
}

static void the_sentence_names_status_code_and_message(void **state)
{
	static const struct {
		int status;
		const char *body, *text;
		enum error_kind kind;
		int code;
	} table[] = {
	    {401, ERROR("auth", "invalid_api_key", "Wrong key"), "answered 401 invalid_api_key: Wrong key",
		ERROR_REFUSED, 401},
	    {503, "{\"error\":{\"message\":\"Busy\",\"type\":\"t\"}}", "answered 503 t: Busy", ERROR_NETWORK,
		503},
	    {429, "{\"error\":\"Slow\"}", "answered 429: Slow", ERROR_LIMITED, 429},
	    {404, "{\"detail\":\"Not Found\"}", "answered 404: Not Found", ERROR_REFUSED, 404},
	    {404, "404 page not found\n", "answered 404: 404 page not found", ERROR_REFUSED, 404},
	    {502, "\n<html>", "answered 502: with a web page instead of an error object", ERROR_NETWORK, 502},
	    {500, "", "answered 500: without saying why", ERROR_NETWORK, 500},
	    {400, "[{\"error\":{\"code\":400,\"message\":\"Bad\",\"status\":\"INVALID_ARGUMENT\"}}]",
		"answered 400 INVALID_ARGUMENT: Bad", ERROR_REFUSED, 400},
	    {200, "{\"error\":{\"code\":429,\"message\":\"Slow\"}}", "the answer holds an error: Slow",
		ERROR_LIMITED, 429},
	    {200, "{\"error\":{\"type\":\"server_error\",\"message\":\"M\"}}",
		"the answer holds an error server_error: M", ERROR_NETWORK, 0},
	    {400, "[]", "answered 400: without saying why", ERROR_REFUSED, 400},
	    {400, "[[1]]", "answered 400: without saying why", ERROR_REFUSED, 400},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct error err = {0};
		llm_classify_body(table[i].status, 0, table[i].body, strlen(table[i].body), &err);
		assert_int_equal(strncmp(err.text, table[i].text, strlen(table[i].text)), 0);
		assert_int_equal(err.kind, table[i].kind);
		assert_int_equal(err.code, table[i].code);
	}
}

static void a_body_larger_than_any_error_is_not_parsed(void **state)
{
	struct buf body = BUF_INIT;
	struct error err = {0};

	(void)state;
	buf_addstr(&body, "{\"error\":{\"message\":\"prompt is too long\",\"filler\":\"");
	while (body.len < 70 * 1024)
		buf_addstr(&body, "xxxxxxxxxxxxxxxx");
	buf_addstr(&body, "\"}}");
	assert_class(llm_classify_body(400, 0, body.data, body.len, &err), FATAL, "large");
	assert_string_equal(err.text, "answered 400: without saying why");
	buf_clear(&body);
}

static void a_broken_transfer_is_transient_and_a_cancelled_one_is_not(void **state)
{
	struct error err = {0};

	(void)state;
	error_set(&err, ERROR_NETWORK, "no");
	assert_int_equal(llm_classify_transfer(&err), LLM_ERROR_TRANSIENT);
	error_set(&err, ERROR_OURS, "no");
	assert_int_equal(llm_classify_transfer(&err), LLM_ERROR_FATAL);
	error_cancelled(&err);
	assert_int_equal(llm_classify_transfer(&err), LLM_ERROR_CANCELLED);
}

static void every_class_has_a_name_and_words_for_the_person(void **state)
{
	(void)state;
	for (enum llm_error_class c = LLM_ERROR_NONE; c <= LLM_ERROR_CANCELLED; c++) {
		assert_non_null(llm_error_class_name(c));
		assert_true(c == LLM_ERROR_NONE || strlen(llm_error_advice(c)) > 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_status_without_words_decides_alone),
	    cmocka_unit_test(the_words_of_providers_decide_before_the_status),
	    cmocka_unit_test(every_way_to_say_that_the_context_is_full_is_an_overflow),
	    cmocka_unit_test(an_error_inside_an_answer_brings_its_own_status),
	    cmocka_unit_test(a_routers_upstream_words_count),
	    cmocka_unit_test(nothing_but_the_error_object_is_looked_at),
	    cmocka_unit_test(no_credit_with_a_time_to_wait_is_a_rate_limit),
	    cmocka_unit_test(the_sentence_names_status_code_and_message),
	    cmocka_unit_test(a_body_larger_than_any_error_is_not_parsed),
	    cmocka_unit_test(a_broken_transfer_is_transient_and_a_cancelled_one_is_not),
	    cmocka_unit_test(every_class_has_a_name_and_words_for_the_person),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
