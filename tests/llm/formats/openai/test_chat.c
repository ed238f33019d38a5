#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/profile.h"
#include "llm/exchange.h"

#define ASK(exchange, ...) EXCHANGE_ASK(exchange_init, exchange, __VA_ARGS__)

static void a_stream_is_an_answer_in_whatever_pieces_it_arrives(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, TRICKLE(HELLO, 0));
	assert_said(&exchange, "Hello");
	assert_string_equal(exchange.said.data, "Hello");
	assert_int_equal(exchange.answer.finish, LLM_FINISH_STOP);
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM "\r\n\r\n: hello\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\r\n\r\n"
			"data:[DONE]\r\n\r\n"));
	assert_said(&exchange, "Hi");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM "\xef\xbb\xbf"
			"data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]"));
	assert_said(&exchange, "Hi");
	exchange_clear(&exchange);
}

static void the_request_names_model_key_and_conversation(void **state)
{
	struct exchange exchange;
	char *request, *body;
	struct json_object *o;
	static const struct raw_step steps[] = {READ, SEND(HELLO), END};
	static const struct raw_step *const scripts[] = {steps};

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.key = "sk-secret";
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	request = raw_server_last_request(exchange.server, NULL);
	assert_int_equal(strncmp(request, "POST /v1/chat/completions HTTP/1.1\r\n", 36), 0);
	assert_non_null(strstr(request, "\r\nAuthorization: Bearer sk-secret\r\n"));
	assert_non_null(strstr(request, "\r\nContent-Type: application/json\r\n"));
	assert_null(strstr(request, "Expect:"));
	body = strstr(request, "\r\n\r\n") + 4;
	o = json_parse_object(body, strlen(body), NULL);
	assert_string_equal(json_get_str(o, "model"), "m-1");
	assert_true(json_get_bool(o, "stream", false));
	assert_int_equal(json_object_array_length(json_get_array(o, "messages")), 2);
	json_object_put(o);
	free(request);
	/* A local server without a key is told none. */
	exchange.provider.settings.key = NULL;
	exchange_once(&exchange);
	request = raw_server_last_request(exchange.server, NULL);
	assert_null(strstr(request, "Authorization"));
	assert_null(strstr(request, "X-Title"));
	free(request);
	exchange.provider.profile = llm_profile_find("openrouter");
	exchange_once(&exchange);
	request = raw_server_last_request(exchange.server, NULL);
	assert_non_null(strstr(request, "\r\nX-Title: Myna\r\n"));
	free(request);
	exchange_clear(&exchange);
}

#define WHOLE                                                                                            \
	"{\"object\":\"chat.completion\",\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":" \
	"\"Hello\"},"                                                                                    \
	"\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}"

static void the_content_tells_what_it_is_and_the_type_does_not(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(HEAD("application/json") WHOLE));
	assert_said(&exchange, "Hello");
	assert_string_equal(exchange.said.data, "Hello");
	assert_int_equal(exchange.answer.usage.input_tokens, 3);
	exchange_clear(&exchange);
	ASK(&exchange, SEND(HEAD("text/html") "\n\n  " WHOLE "\n"));
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
	ASK(&exchange, TRICKLE(STREAM WHOLE, 0));
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(HEAD("text/plain") ": first a comment\n\n" TEXT("Hello") DONE));
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: message\n" TEXT("Hello") FINISH));
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void a_web_page_is_no_answer(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(HEAD("text/html") "\n<!doctype html><p>data: Sign in</p>"));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "main: the answer is a web page. Check base_url");
	exchange_clear(&exchange);
}

static void a_refusal_has_its_class_and_its_time_to_wait(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange,
	    SEND(REFUSE("401 Unauthorized", "",
		"{\"error\":{\"message\":\"Wrong key\",\"code\":\"invalid_api_key\"}}")));
	assert_failed(&exchange, LLM_ERROR_AUTH, "main: answered 401 invalid_api_key: Wrong key");
	assert_int_equal(exchange.err.code, 401);
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(REFUSE("402 Payment Required", "", "{\"error\":{\"code\":402,\"message\":\"No credit\"}}")));
	assert_failed(&exchange, LLM_ERROR_BILLING, "No credit");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(REFUSE("402 Payment Required", "Retry-After: 2\r\n",
		"{\"error\":{\"code\":402,\"message\":\"Held\"}}")));
	assert_failed(&exchange, LLM_ERROR_RATE_LIMIT, "Held");
	assert_int_equal(exchange.err.retry_ms, 2000);
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(REFUSE(
		"429 Too Many Requests", "Retry-After: 7\r\n", "{\"error\":{\"message\":\"Slow down\"}}")));
	assert_failed(&exchange, LLM_ERROR_RATE_LIMIT, "Slow down");
	assert_int_equal(exchange.err.kind, ERROR_LIMITED);
	assert_int_equal(exchange.err.retry_ms, 7000);
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(REFUSE("500 Internal Server Error", "x-request-id: req_1\r\n",
		"{\"error\":{\"message\":\"Oops\"}}")));
	assert_failed(&exchange, LLM_ERROR_OVERLOADED, "Oops");
	assert_int_equal(exchange.err.kind, ERROR_NETWORK);
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND("HTTP/1.1 503 Busy\r\nContent-Type: text/html\r\nConnection: "
		 "close\r\n\r\n<html>nginx</html>"));
	assert_failed(&exchange, LLM_ERROR_OVERLOADED, "answered 503: with a web page");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(REFUSE("400 Bad Request", "",
		"[{\"error\":{\"code\":400,\"message\":\"The input token count (9) exceeds the maximum "
		"number of tokens\",\"status\":\"INVALID_ARGUMENT\"}}]")));
	assert_failed(&exchange, LLM_ERROR_OVERFLOW, "INVALID_ARGUMENT");
	exchange_clear(&exchange);
	/* An event stream under a status of failure is no answer either. */
	ASK(&exchange, SEND(REFUSE("500 Internal Server Error", "", TEXT("Hi") DONE)));
	assert_failed(&exchange, LLM_ERROR_OVERLOADED, "answered 500");
	assert_int_equal(exchange.said.len, 0);
	exchange_clear(&exchange);
}

#define ASSERT_AGAIN(status, headers, said)                                                     \
	do {                                                                                    \
		struct exchange talk_;                                                          \
		ASK(&talk_, SEND(REFUSE(status, headers, "{\"error\":{\"message\":\"No\"}}"))); \
		assert_int_equal(talk_.rc, -1);                                                 \
		assert_int_equal(talk_.answer.retry_helps, said);                               \
		exchange_clear(&talk_);                                                         \
	} while (0)

static void what_the_provider_says_of_trying_again_is_handed_on(void **state)
{
	(void)state;
	ASSERT_AGAIN("429 Too Many Requests", "x-should-retry: false\r\n", -1);
	ASSERT_AGAIN("500 Internal Server Error", "X-Should-Retry: TRUE\r\n", 1);
	ASSERT_AGAIN("409 Conflict", "x-should-retry: perhaps\r\n", 0);
	ASSERT_AGAIN("500 Internal Server Error", "", 0);
}

static void what_is_left_is_learned_from_the_headers_that_are_known(void **state)
{
	struct llm_learned learned = {.no_reasoning = false};
	struct exchange exchange;
	static const struct raw_step steps[] = {READ,
	    SEND("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: "
		 "close\r\nx-ratelimit-remaining-requests: 0\r\n"
		 "x-ratelimit-reset-requests: 2m0s\r\n\r\n" TEXT("Hello") FINISH DONE),
	    END};
	static const struct raw_step *const scripts[] = {steps};

	(void)state;
	llm_request_rate_init(&learned.request_rate, 0);
	exchange_init(&exchange, scripts, 1);
	exchange.provider.learned = &learned;
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	assert_int_equal(llm_request_rate_wait(&learned.request_rate), 0);
	exchange.provider.profile = llm_profile_find("groq");
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	assert_true(llm_request_rate_wait(&learned.request_rate) > 60000);
	exchange_clear(&exchange);
}

static void an_error_under_status_200_is_a_failure(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(HEAD("application/json") "{\"error\":{\"code\":429,\"message\":\"Slow\"}}"));
	assert_failed(&exchange, LLM_ERROR_RATE_LIMIT, "main: the answer holds an error: Slow");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(HEAD("application/json") "{\"message\":\"no Route matched\"}"));
	assert_failed(&exchange, LLM_ERROR_OVERLOADED, "no Route matched");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM TEXT(
		"So") "data: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy\"}}\n\n" TEXT("x")
		    DONE));
	assert_failed(&exchange, LLM_ERROR_OVERLOADED, "Busy");
	assert_string_equal(exchange.said.data, "So");
	exchange_clear(&exchange);
	ASK(&exchange,
	    SEND(STREAM TEXT("So") "event: error\ndata: {\"message\":\"context_length_exceeded\"}\n\n" DONE));
	assert_failed(&exchange, LLM_ERROR_OVERFLOW, "context_length_exceeded");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM "event: error\ndata: out of memory\n\n"));
	assert_failed(&exchange, LLM_ERROR_OVERLOADED, "out of memory");
	assert_false(exchange.answer.begun);
	exchange_clear(&exchange);
}

static void a_stream_that_is_cut_is_no_answer(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(CHUNKED "80\r\n" TEXT("Hel")));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "cut off in mid-answer");
	assert_true(exchange.answer.begun);
	assert_true(exchange.answer.usage.estimated);
	assert_int_equal(exchange.answer.usage.output_tokens, 1);
	assert_string_equal(exchange.said.data, "Hel");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM TEXT("Hel")));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "main: the answer broke off in the middle");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM TEXT("Hel") "data: {\"choices\":[{\"delta\":{\"con"));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "cannot be read");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM TEXT("Hel")), RESET);
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "main");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(HEAD("application/json") "{\"choices\":[{\"message\":{\"content\":\"Hel"));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "cannot be read");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "before it began");
	exchange_clear(&exchange);
	ASK(&exchange, SEND("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "before it began");
	exchange_clear(&exchange);
	ASK(&exchange, SLEEP(1));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "closed without an answer");
	exchange_clear(&exchange);
}

static void what_breaks_after_the_end_takes_nothing_away(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(CHUNKED "200\r\n" TEXT("Hello") FINISH));
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM TEXT("Hello") FINISH "data: {\"choices\":[],\"usa"));
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
	ASK(&exchange, SEND(STREAM TEXT("Hello") DONE "data: garbage\n\n" TEXT("more")));
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
	/* But an error that is told then counts. */
	ASK(&exchange, SEND(STREAM TEXT("Hello") FINISH "data: {\"error\":{\"message\":\"m\"}}\n\n"));
	assert_failed(&exchange, LLM_ERROR_OVERLOADED, "the answer holds an error");
	exchange_clear(&exchange);
}

static void a_server_that_holds_the_line_after_the_end_costs_the_idle_time_only(void **state)
{
	static const struct raw_step steps[] = {READ, SEND(STREAM TEXT("Hello") DONE), HOLD, END};
	static const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 200;
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void silence_ends_the_request_after_the_idle_time(void **state)
{
	static const struct raw_step steps[] = {READ, SEND(STREAM TEXT("Hel")), HOLD, END};
	static const struct raw_step *const scripts[] = {steps};
	uint64_t begun = clock_now();
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 300;
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "silent");
	assert_true(clock_now() - begun >= 300);
	assert_true(clock_now() - begun < 60000);
	exchange_clear(&exchange);
}

#define KEEP_ALIVE SLEEP(200), SEND(": keep-alive\n\n")

static void keep_alives_alone_do_not_keep_a_request_alive(void **state)
{
	static const struct raw_step steps[] = {READ, SEND(STREAM TEXT("Hel")), KEEP_ALIVE, KEEP_ALIVE,
	    KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE,
	    SEND(TEXT("lo") DONE), END};
	static const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 900;
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "main: nothing but keep-alives");
	exchange_clear(&exchange);
	/* They do not end it before its time, either. */
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 5000;
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void keep_alives_after_the_end_take_nothing_away(void **state)
{
	static const struct raw_step steps[] = {
	    READ, SEND(STREAM TEXT("Hello") DONE), KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE, END};
	static const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 250;
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void blank_lines_before_an_answer_are_keep_alives(void **state)
{
	static const struct raw_step steps[] = {READ, SEND(HEAD("application/json")), SLEEP(200), SEND("\n"),
	    SLEEP(200), SEND("\n"), SLEEP(200), SEND("\n"), SLEEP(200), SEND("\n"), SLEEP(200), SEND("\n"),
	    SLEEP(200), SEND(WHOLE), END};
	static const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 700;
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "nothing but keep-alives");
	exchange_clear(&exchange);
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 5000;
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void slow_pieces_are_no_silence(void **state)
{
	static const struct raw_step steps[] = {READ, SEND(STREAM TEXT("H")), SLEEP(350), SEND(TEXT("e")),
	    SLEEP(350), SEND(TEXT("l")), SLEEP(350), SEND(TEXT("lo")), SLEEP(350), SEND(DONE), END};
	static const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange.provider.settings.idle_ms = 1200;
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void a_cancel_in_mid_stream_returns_at_once(void **state)
{
	static const struct raw_step steps[] = {READ, SEND(STREAM TEXT("Hel")), HOLD, END};
	static const struct raw_step *const scripts[] = {steps};
	uint64_t begun;
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	exchange_start(&exchange);
	while (exchange.said.len == 0)
		uv_run(uv_default_loop(), UV_RUN_ONCE);
	begun = clock_now();
	task_cancel(exchange.task);
	while (!exchange.done)
		uv_run(uv_default_loop(), UV_RUN_ONCE);
	assert_true(clock_now() - begun < 15000);
	assert_failed(&exchange, LLM_ERROR_CANCELLED, "");
	assert_int_equal(exchange.err.kind, ERROR_CANCELLED);
	assert_string_equal(exchange.said.data, "Hel");
	exchange_clear(&exchange);
}

static void a_server_that_is_not_there_is_transient(void **state)
{
	static const struct raw_step steps[] = {END};
	static const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	free(exchange.provider.settings.base_url);
	exchange.provider.settings.base_url = xstrdup("http://127.0.0.1:1/v1");
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "main (127.0.0.1)");
	exchange_clear(&exchange);
}

static void characters_survive_a_naive_server(void **state)
{
	struct exchange exchange;

	(void)state;
	/* A surrogate pair over two events, also in reasoning. */
	ASK(&exchange,
	    SEND(STREAM TEXT("a\\ud83c") TEXT(
		"\\udf27b") "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"\\ud83c\"}}]}\n\n"
			    "data: "
			    "{\"choices\":[{\"delta\":{\"reasoning_content\":\"\\udf27\"}}]}\n\n" DONE));
	assert_said(&exchange,
	    "a\xf0\x9f\x8c\xa7"
	    "b");
	assert_string_equal(exchange.said.data,
	    "a\xf0\x9f\x8c\xa7"
	    "b");
	assert_non_null(strstr(exchange.answer.message->raw, "\"reasoning_content\":\"\xf0\x9f\x8c\xa7\""));
	exchange_clear(&exchange);
	/* One byte of a character, and a raw control character. */
	ASK(&exchange,
	    SEND(STREAM TEXT("a\xe2\x82"
			     "b\x01"
			     "c") DONE));
	assert_string_equal(exchange.answer.message->text,
	    "a\xef\xbf\xbd\xef\xbf\xbd"
	    "bc");
	exchange_clear(&exchange);
}

static void what_is_no_json_is_no_answer(void **state)
{
	struct exchange exchange;

	(void)state;
	ASK(&exchange, SEND(STREAM TEXT("Hel") "data: Internal error\n\n" DONE));
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "main: the answer cannot be read");
	exchange_clear(&exchange);
}

static void an_answer_of_more_values_than_fit_is_not_read(void **state)
{
	static const char *const heads[] = {STREAM "data: ", HEAD("application/json")};
	struct buf values = BUF_INIT;
	struct exchange exchange;

	(void)state;
	buf_addstr(&values, "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"x\":[{}");
	for (int i = 0; i < JSON_CONTAINERS_MAX; i++)
		buf_addstr(&values, ",{}");
	buf_addstr(&values, "]}\n\n");
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		const struct raw_step steps[] = {READ, SEND(heads[i]), SEND(values.data), END};
		const struct raw_step *const scripts[] = {steps};

		exchange_init(&exchange, scripts, 1);
		exchange_once(&exchange);
		assert_failed(&exchange, LLM_ERROR_TRANSIENT, "main: the answer cannot be read");
		exchange_clear(&exchange);
	}
	buf_clear(&values);
}

static void an_answer_larger_than_the_limit_is_given_up(void **state)
{
	struct buf large = BUF_INIT;
	struct raw_step steps[] = {READ, {.op = RAW_SEND}, END};
	const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	buf_addstr(&large, HEAD("application/json") "{\"choices\":[\"");
	while (large.len < 9 * 1024 * 1024)
		buf_addstr(&large, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	steps[1].bytes = large.data;
	steps[1].len = large.len;
	exchange_init(&exchange, scripts, 1);
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_MODEL_OUTPUT, "larger than 8388608 bytes");
	exchange_clear(&exchange);
	memcpy(large.data + sizeof(HEAD("application/json")) - 1, "data: \"xxxxxx", 12);
	exchange_init(&exchange, scripts, 1);
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_MODEL_OUTPUT, "larger than 8388608 bytes");
	exchange_clear(&exchange);
	buf_clear(&large);
}

static void add_exchange(struct exchange *exchange)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "");

	llm_message_add_call(m, "c1", "now", "{}");
	llm_history_add(&exchange->history, m);
	m = llm_message_new(LLM_TOOL, "noon");
	m->call_id = xstrdup("c1");
	llm_history_add(&exchange->history, m);
}

#define NOT_ACCEPTED                                                \
	"{\"error\":{\"message\":\"The `reasoning_content` in the " \
	"thinking mode must be passed back to the API.\"}}"

static void refused_with(const struct raw_step *no)
{
	static const struct raw_step yes[] = {READ, SEND(HELLO), END};
	const struct raw_step *const scripts[] = {no, yes};
	struct exchange exchange;
	char *request;

	exchange_init(&exchange, scripts, 2);
	add_exchange(&exchange);
	exchange_once(&exchange);
	assert_said(&exchange, "Hello");
	assert_int_equal(raw_server_requests(exchange.server), 2);
	request = raw_server_last_request(exchange.server, NULL);
	assert_non_null(strstr(request, "\"reasoning_content\":\"\",\"tool_calls\""));
	free(request);
	exchange_clear(&exchange);
	/* Only once. */
	exchange_init(&exchange, scripts, 1);
	add_exchange(&exchange);
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_BAD_HISTORY, "must be passed back");
	assert_int_equal(raw_server_requests(exchange.server), 2);
	exchange_clear(&exchange);
	/* Not at all where it would be the same again. */
	exchange_init(&exchange, scripts, 2);
	exchange_once(&exchange);
	assert_failed(&exchange, LLM_ERROR_BAD_HISTORY, "must be passed back");
	assert_int_equal(raw_server_requests(exchange.server), 1);
	exchange_clear(&exchange);
}

static void a_history_that_is_not_accepted_is_sent_once_more_as_asked_for(void **state)
{
	static const struct raw_step at_once[] = {
	    READ, SEND(REFUSE("400 Bad Request", "", NOT_ACCEPTED)), END};
	static const struct raw_step later[] = {READ, SEND(STREAM "data: " NOT_ACCEPTED "\n\n"), END};

	(void)state;
	refused_with(at_once);
	refused_with(later);
}

static void one_connection_serves_several_requests(void **state)
{
	static const struct raw_step steps[] = {
	    READ, SEND(CHUNKED "45\r\n" TEXT("Hi") "\r\ne\r\n" DONE "\r\n0\r\n\r\n"), AGAIN};
	static const struct raw_step *const scripts[] = {steps};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	for (int i = 0; i < 3; i++) {
		exchange_once(&exchange);
		assert_said(&exchange, "Hi");
	}
	assert_int_equal(raw_server_connections(exchange.server), 1);
	assert_int_equal(raw_server_requests(exchange.server), 3);
	exchange_clear(&exchange);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_teardown(fn, exchange_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_stream_is_an_answer_in_whatever_pieces_it_arrives),
	    TEST(the_request_names_model_key_and_conversation),
	    TEST(the_content_tells_what_it_is_and_the_type_does_not),
	    TEST(a_web_page_is_no_answer),
	    TEST(a_refusal_has_its_class_and_its_time_to_wait),
	    TEST(what_the_provider_says_of_trying_again_is_handed_on),
	    TEST(what_is_left_is_learned_from_the_headers_that_are_known),
	    TEST(an_error_under_status_200_is_a_failure),
	    TEST(a_stream_that_is_cut_is_no_answer),
	    TEST(what_breaks_after_the_end_takes_nothing_away),
	    TEST(a_server_that_holds_the_line_after_the_end_costs_the_idle_time_only),
	    TEST(silence_ends_the_request_after_the_idle_time),
	    TEST(keep_alives_alone_do_not_keep_a_request_alive),
	    TEST(keep_alives_after_the_end_take_nothing_away),
	    TEST(blank_lines_before_an_answer_are_keep_alives),
	    TEST(slow_pieces_are_no_silence),
	    TEST(a_cancel_in_mid_stream_returns_at_once),
	    TEST(a_server_that_is_not_there_is_transient),
	    TEST(characters_survive_a_naive_server),
	    TEST(what_is_no_json_is_no_answer),
	    TEST(an_answer_of_more_values_than_fit_is_not_read),
	    TEST(an_answer_larger_than_the_limit_is_given_up),
	    TEST(a_history_that_is_not_accepted_is_sent_once_more_as_asked_for),
	    TEST(one_connection_serves_several_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
