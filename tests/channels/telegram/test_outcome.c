#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "channels/telegram/outcome.h"

static struct telegram_outcome class(int status, const char *body, uint64_t header_ms)
{
	struct telegram_outcome out;
	struct json_object *reply = json_parse_object(body, strlen(body), NULL);

	telegram_outcome_read(&out, status, reply, header_ms);
	json_object_put(reply);
	return out;
}

static struct telegram_outcome refusal(int code, const char *description)
{
	char *body = xasprintf("{\"ok\":false,\"error_code\":%d,\"description\":\"%s\"}", code, description);
	struct telegram_outcome out = class(code, body, 0);

	free(body);
	return out;
}

static void every_documented_refusal_has_its_verdict(void **state)
{
	static const struct {
		int code;
		const char *description;
		enum telegram_outcome_class class;
		enum error_kind kind;
	} table[] = {
	    {400,
		"Bad Request: can't parse entities: Unmatched end tag at byte offset 914, expected "
		"\\\"</b>\\\"",
		TELEGRAM_BAD_MARKUP, ERROR_REFUSED},
	    {400,
		"Bad Request: message is not modified: specified new message content and reply markup are "
		"exactly "
		"the same",
		TELEGRAM_UNCHANGED, ERROR_NONE},
	    {400, "Bad Request: message is too long", TELEGRAM_TOO_LONG, ERROR_REFUSED},
	    {400, "Bad Request: MESSAGE_TOO_LONG", TELEGRAM_TOO_LONG, ERROR_REFUSED},
	    {400, "Bad Request: message to edit not found", TELEGRAM_MESSAGE_GONE, ERROR_REFUSED},
	    {400, "Bad Request: message can't be edited", TELEGRAM_MESSAGE_GONE, ERROR_REFUSED},
	    {400, "Bad Request: message thread not found", TELEGRAM_NO_THREAD, ERROR_REFUSED},
	    {400, "Bad Request: message to be replied not found", TELEGRAM_REPLY_TARGET_GONE, ERROR_REFUSED},
	    {400, "Bad Request: group chat was upgraded to a supergroup chat", TELEGRAM_MIGRATED,
		ERROR_REFUSED},
	    {400, "Bad Request: chat not found", TELEGRAM_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {400, "Bad Request: PEER_ID_INVALID", TELEGRAM_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {400, "Bad Request: TEXTDRAFT_PEER_INVALID", TELEGRAM_NO_DRAFTS, ERROR_REFUSED},
	    {400, "Bad Request: query is too old and response timeout expired or query ID is invalid",
		TELEGRAM_PRESS_EXPIRED, ERROR_REFUSED},
	    {400, "Bad Request: file is too big", TELEGRAM_FILE_TOO_LARGE, ERROR_REFUSED},
	    {400, "Bad Request: message text is empty", TELEGRAM_REFUSED, ERROR_REFUSED},
	    {401, "Unauthorized", TELEGRAM_BAD_TOKEN, ERROR_REFUSED},
	    {403, "Forbidden: bot was blocked by the user", TELEGRAM_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {404, "Not Found", TELEGRAM_NO_METHOD, ERROR_REFUSED},
	    {409, "Conflict: terminated by other getUpdates request", TELEGRAM_CONFLICT, ERROR_NETWORK},
	    {413, "Request Entity Too Large", TELEGRAM_FILE_TOO_LARGE, ERROR_REFUSED},
	    {418, "something new", TELEGRAM_REFUSED, ERROR_REFUSED},
	    {429, "Too Many Requests: retry after 7", TELEGRAM_RATE_LIMITED, ERROR_LIMITED},
	    {500, "Internal Server Error", TELEGRAM_SERVER_ERROR, ERROR_NETWORK},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct telegram_outcome o = refusal(table[i].code, table[i].description);

		assert_int_equal(o.class, table[i].class);
		assert_int_equal(o.why.kind, table[i].kind);
		assert_int_equal(o.why.uncertain, table[i].class == TELEGRAM_SERVER_ERROR);
		if (table[i].kind != ERROR_NONE)
			assert_int_equal(o.why.code, table[i].code);
	}
}

static void an_ok_answer_needs_a_result(void **state)
{
	(void)state;
	assert_int_equal(class(200, "{\"ok\":true,\"result\":true}", 0).class, TELEGRAM_OK);
	assert_int_equal(class(200, "{\"ok\":true,\"result\":[]}", 0).class, TELEGRAM_OK);
	assert_int_equal(class(200, "{\"ok\":true}", 0).class, TELEGRAM_SERVER_ERROR);
	assert_int_equal(class(200, "{\"result\":[]}", 0).class, TELEGRAM_SERVER_ERROR);
	assert_int_equal(class(200, "{\"ok\":\"true\",\"result\":[]}", 0).class, TELEGRAM_SERVER_ERROR);
}

static void an_html_page_is_no_verdict_whatever_its_status(void **state)
{
	static const int statuses[] = {200, 301, 400, 401, 403, 404, 409, 500, 502, 504};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
		struct telegram_outcome o = class(statuses[i], "<html><h1>502 Bad Gateway</h1></html>", 0);

		assert_int_equal(o.class, TELEGRAM_SERVER_ERROR);
		assert_true(o.why.uncertain);
		assert_int_equal(o.why.code, statuses[i]);
	}
	assert_int_equal(class(429, "<html>slow down</html>", 3000).class, TELEGRAM_RATE_LIMITED);
	assert_int_equal(class(413, "<html>too large</html>", 0).class, TELEGRAM_FILE_TOO_LARGE);
}

static void the_pause_comes_from_the_body_then_the_header_then_five_seconds(void **state)
{
	static const char with[] = "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many "
				   "Requests\",\"parameters\":{\"retry_after\":35}}";
	static const char without[] =
	    "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests\"}";
	static const char absurd[] = "{\"ok\":false,\"error_code\":429,\"description\":\"\",\"parameters\":{"
				     "\"retry_after\":9223372036854775807}}";

	(void)state;
	assert_int_equal(class(429, with, 3000).why.retry_ms, 35000);
	assert_int_equal(class(429, without, 3000).why.retry_ms, 3000);
	assert_int_equal(class(429, without, 0).why.retry_ms, 5000);
	assert_int_equal(class(429, absurd, 0).why.retry_ms, 24 * 3600 * 1000);
}

static void a_migration_says_where_to(void **state)
{
	static const char body[] =
	    "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: group chat was upgraded "
	    "to a supergroup chat\",\"parameters\":{\"migrate_to_chat_id\":-1001234567890}}";

	(void)state;
	assert_int_equal(class(400, body, 0).migrate_to, INT64_C(-1001234567890));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_documented_refusal_has_its_verdict),
	    cmocka_unit_test(an_ok_answer_needs_a_result),
	    cmocka_unit_test(an_html_page_is_no_verdict_whatever_its_status),
	    cmocka_unit_test(the_pause_comes_from_the_body_then_the_header_then_five_seconds),
	    cmocka_unit_test(a_migration_says_where_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
