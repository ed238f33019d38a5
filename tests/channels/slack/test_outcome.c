#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "channels/slack/settings.h"
#include "channels/slack/outcome.h"

static struct slack_outcome class(int status, const char *body, uint64_t header_ms)
{
	struct slack_outcome out;
	struct json_object *reply = json_parse_object(body, strlen(body), NULL);

	slack_outcome_read(&out, status, reply, header_ms);
	json_object_put(reply);
	return out;
}

static struct slack_outcome refusal(int status, const char *word)
{
	char *body = xasprintf("{\"ok\":false,\"error\":\"%s\"}", word);
	struct slack_outcome out = class(status, body, 0);

	free(body);
	return out;
}

static void every_documented_refusal_has_its_verdict(void **state)
{
	static const struct {
		const char *word;
		enum slack_outcome_class class;
		enum error_kind kind;
	} table[] = {
	    {"access_denied", SLACK_BAD_TOKEN, ERROR_REFUSED},
	    {"account_inactive", SLACK_BAD_TOKEN, ERROR_REFUSED},
	    {"already_reacted", SLACK_ALREADY_DONE, ERROR_NONE},
	    {"cant_update_message", SLACK_MESSAGE_GONE, ERROR_REFUSED},
	    {"channel_not_found", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {"edit_window_closed", SLACK_MESSAGE_GONE, ERROR_REFUSED},
	    {"fatal_error", SLACK_SERVER_ERROR, ERROR_NETWORK},
	    {"internal_error", SLACK_SERVER_ERROR, ERROR_NETWORK},
	    {"invalid_auth", SLACK_BAD_TOKEN, ERROR_REFUSED},
	    {"invalid_blocks", SLACK_BAD_MARKUP, ERROR_REFUSED},
	    {"is_archived", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {"message_limit_exceeded", SLACK_RATE_LIMITED, ERROR_LIMITED},
	    {"message_not_found", SLACK_MESSAGE_GONE, ERROR_REFUSED},
	    {"message_not_in_streaming_state", SLACK_NO_STREAM, ERROR_REFUSED},
	    {"messages_tab_disabled", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {"missing_recipient_user_id", SLACK_NO_METHOD, ERROR_REFUSED},
	    {"missing_scope", SLACK_NO_SCOPE, ERROR_REFUSED},
	    {"msg_too_long", SLACK_TOO_LONG, ERROR_REFUSED},
	    {"no_reaction", SLACK_ALREADY_DONE, ERROR_NONE},
	    {"no_text", SLACK_REFUSED, ERROR_REFUSED},
	    {"not_allowed_token_type", SLACK_BAD_TOKEN, ERROR_REFUSED},
	    {"not_authed", SLACK_BAD_TOKEN, ERROR_REFUSED},
	    {"not_in_channel", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {"rate_limited", SLACK_RATE_LIMITED, ERROR_LIMITED},
	    {"ratelimited", SLACK_RATE_LIMITED, ERROR_LIMITED},
	    {"request_timeout", SLACK_SERVER_ERROR, ERROR_NETWORK},
	    {"restricted_action", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {"restricted_action_thread_only_channel", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {"service_unavailable", SLACK_SERVER_ERROR, ERROR_NETWORK},
	    {"something_new", SLACK_REFUSED, ERROR_REFUSED},
	    {"stopped_by_user", SLACK_STREAM_STOPPED, ERROR_REFUSED},
	    {"streaming_state_conflict", SLACK_STREAMING, ERROR_REFUSED},
	    {"thread_not_found", SLACK_NO_THREAD, ERROR_REFUSED},
	    {"token_expired", SLACK_BAD_TOKEN, ERROR_REFUSED},
	    {"token_revoked", SLACK_BAD_TOKEN, ERROR_REFUSED},
	    {"unknown_method", SLACK_NO_METHOD, ERROR_REFUSED},
	    {"user_not_found", SLACK_CHAT_UNREACHABLE, ERROR_REFUSED},
	    {"user_removed_from_team", SLACK_BAD_TOKEN, ERROR_REFUSED},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct slack_outcome o = refusal(200, table[i].word);

		assert_string_equal(o.word, table[i].word);
		assert_int_equal(o.class, table[i].class);
		assert_int_equal(o.why.kind, table[i].kind);
		assert_int_equal(o.why.uncertain, table[i].class == SLACK_SERVER_ERROR);
	}
}

static void only_an_answer_that_says_ok_is_one(void **state)
{
	(void)state;
	assert_int_equal(class(200, "{\"ok\":true}", 0).class, SLACK_OK);
	assert_int_equal(class(200, "{\"ok\":true,\"warning\":\"missing_charset\"}", 0).class, SLACK_OK);
	assert_int_equal(class(200, "{\"ok\":\"true\"}", 0).class, SLACK_SERVER_ERROR);
	assert_int_equal(class(200, "{}", 0).class, SLACK_SERVER_ERROR);
	assert_int_equal(class(200, "<!doctype html>", 0).class, SLACK_SERVER_ERROR);
	assert_int_equal(class(200, "{\"ok\":false}", 0).class, SLACK_SERVER_ERROR);
	assert_int_equal(class(502, "<html>", 0).class, SLACK_SERVER_ERROR);
	assert_int_equal(class(503, "{\"ok\":true}", 0).class, SLACK_SERVER_ERROR);
	assert_true(class(502, "<html>", 0).why.uncertain);
}

static void a_penalty_lasts_as_long_as_its_header_says(void **state)
{
	(void)state;
	assert_int_equal(class(429, "{\"ok\":false,\"error\":\"ratelimited\"}", 7000).retry_ms, 7000);
	assert_int_equal(class(429, "<html>", 7000).class, SLACK_RATE_LIMITED);
	assert_int_equal(class(429, "", 0).retry_ms, 30000);
	assert_int_equal(refusal(200, "ratelimited").why.retry_ms, 30000);
	assert_int_equal(class(429, "", 9000000000).retry_ms, 24 * 3600 * 1000);
}

static void a_missing_scope_is_named(void **state)
{
	struct slack_outcome o = class(200,
	    "{\"ok\":false,\"error\":\"missing_scope\",\"needed\":\"files:read\",\"provided\":\"chat:"
	    "write\"}",
	    0);

	(void)state;
	assert_non_null(strstr(o.why.text, "files:read"));
	assert_non_null(strstr(o.why.text, "missing_scope"));
}

static struct slack_settings settings(const char *bot, const char *app)
{
	return (struct slack_settings){.bot_token = bot,
	    .app_token = app,
	    .api_base = (char *)(uintptr_t) "https://slack.com/api",
	    .command = (char *)(uintptr_t) "/myna"};
}

static void tokens_of_the_wrong_kind_are_told_apart(void **state)
{
	static const struct {
		const char *bot, *app, *says;
	} table[] = {
	    {"xoxb-1-2-abc", "xapp-1-A2-3-abc", NULL},
	    {"xapp-1-A2-3-abc", "xapp-1-A2-3-abc", "bot_token holds an app-level token"},
	    {"xoxb-1-2-abc", "xoxb-1-2-abc", "app_token holds a bot token"},
	    {"xoxp-1-2-abc", "xapp-1-A2-3-abc", "bot_token holds a user's token"},
	    {"xoxe.xoxp-1-2", "xapp-1-A2-3-abc", "bot_token holds a configuration token"},
	    {"123:ABC", "xapp-1-A2-3-abc", "does not look like"},
	    {"xoxb-", "xapp-1-A2-3-abc", "does not look like"},
	    {"xoxb-1 2", "xapp-1-A2-3-abc", "does not look like"},
	    {"xoxb-1-2-abc", NULL, "app_token is empty"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct slack_settings s = settings(table[i].bot, table[i].app);
		struct error err = {0};

		assert_int_equal(slack_settings_check(&s, &err), table[i].says ? -1 : 0);
		if (table[i].says && !strstr(err.text, table[i].says))
			fail_msg("row %zu says \"%s\"", i, err.text);
	}
}

static void a_base_that_is_not_ours_or_a_bad_command_is_refused(void **state)
{
	struct slack_settings s = settings("xoxb-1-2-abc", "xapp-1-A2-3-abc");
	struct error err = {0};

	(void)state;
	s.api_base = (char *)(uintptr_t) "http://slack.com/api";
	assert_int_equal(slack_settings_check(&s, &err), -1);
	s.api_base = (char *)(uintptr_t) "http://127.0.0.1:8090/slack/api";
	assert_int_equal(slack_settings_check(&s, &err), 0);
	s.command = (char *)(uintptr_t) "myna";
	assert_int_equal(slack_settings_check(&s, &err), -1);
	s.command = (char *)(uintptr_t) "";
	assert_int_equal(slack_settings_check(&s, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_documented_refusal_has_its_verdict),
	    cmocka_unit_test(only_an_answer_that_says_ok_is_one),
	    cmocka_unit_test(a_penalty_lasts_as_long_as_its_header_says),
	    cmocka_unit_test(a_missing_scope_is_named),
	    cmocka_unit_test(tokens_of_the_wrong_kind_are_told_apart),
	    cmocka_unit_test(a_base_that_is_not_ours_or_a_bad_command_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
