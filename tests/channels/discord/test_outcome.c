/* What answers and closes of Discord mean: the tables, and what is asked of a person. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/config/config.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "channels/discord/close_code.h"
#include "channels/discord/settings.h"
#include "channels/discord/outcome.h"

static struct discord_outcome outcome_of(int status, const char *body, uint64_t header_ms)
{
	struct json_object *reply = body ? json_parse(body, strlen(body), NULL) : NULL;
	struct discord_outcome o;

	discord_outcome_read(&o, status, reply, header_ms);
	json_object_put(reply);
	return o;
}

static void every_error_has_its_class(void **state)
{
	static const struct {
		int status;
		const char *body;
		enum discord_outcome_class class;
		enum error_kind kind;
		const char *words;
	} rows[] = {
	    {200, "{\"id\":\"1\"}", DISCORD_OK, ERROR_NONE, ""},
	    {200, "[]", DISCORD_OK, ERROR_NONE, ""},
	    {204, NULL, DISCORD_OK, ERROR_NONE, ""},
	    {401, "{\"message\":\"401: Unauthorized\",\"code\":0}", DISCORD_BAD_TOKEN, ERROR_REFUSED,
		"token was refused"},
	    {403, "{\"message\":\"Missing Access\",\"code\":50001}", DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
		"View Channel"},
	    {403, "{\"message\":\"Missing Permissions\",\"code\":50013}", DISCORD_CHAT_UNREACHABLE,
		ERROR_REFUSED, "lacks a permission"},
	    {403, "{\"message\":\"Cannot send messages to this user\",\"code\":50007}",
		DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED, "private messages"},
	    {404, "{\"message\":\"Unknown Channel\",\"code\":10003}", DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
		"no such channel"},
	    {404, "{\"message\":\"Unknown Message\",\"code\":10008}", DISCORD_MESSAGE_GONE, ERROR_REFUSED,
		"message is gone"},
	    {404, "{\"message\":\"Unknown interaction\",\"code\":10062}", DISCORD_INTERACTION_EXPIRED,
		ERROR_REFUSED, "three seconds"},
	    {413, "{\"message\":\"Request entity too large\",\"code\":40005}", DISCORD_TOO_LARGE,
		ERROR_REFUSED, "limit"},
	    {400, "{\"message\":\"Cannot send an empty message\",\"code\":50006}", DISCORD_EMPTY,
		ERROR_REFUSED, "empty"},
	    {400, "{\"message\":\"Thread is archived\",\"code\":50083}", DISCORD_ARCHIVED, ERROR_REFUSED,
		"archived"},
	    {400,
		"{\"message\":\"Invalid Form "
		"Body\",\"code\":50035,\"errors\":{\"content\":{\"_errors\":[{\"code\":\"BASE_TYPE_MAX_"
		"LENGTH\",\"message\":\"Must be 2000 or fewer in length.\"}]}}}",
		DISCORD_BAD_FORM, ERROR_REFUSED, "content: Must be 2000 or fewer"},
	    {400,
		"{\"message\":\"Invalid Form "
		"Body\",\"code\":50035,\"errors\":{\"message_reference\":{\"_errors\":[{\"code\":\"REPLIES_"
		"UNKNOWN_MESSAGE\",\"message\":\"Unknown message\"}]}}}",
		DISCORD_REPLY_TARGET_GONE, ERROR_REFUSED, "gone"},
	    {403, "{\"message\":\"slow\",\"code\":20028,\"retry_after\":3}", DISCORD_RATE_LIMITED,
		ERROR_LIMITED, "for now"},
	    {429, "{\"message\":\"x\",\"retry_after\":1.5,\"global\":false}", DISCORD_RATE_LIMITED,
		ERROR_LIMITED, "pause"},
	    {429, "{\"message\":\"slow\",\"code\":20016,\"retry_after\":9.5}", DISCORD_RATE_LIMITED,
		ERROR_LIMITED, "pause"},
	    {429, NULL, DISCORD_BLOCKED, ERROR_LIMITED, "proxy"},
	    {403, NULL, DISCORD_BLOCKED, ERROR_LIMITED, "proxy"},
	    {400, "{\"message\":\"new\",\"code\":999999}", DISCORD_REFUSED, ERROR_REFUSED, "refused it"},
	    {500, "{\"message\":\"500: Internal Server Error\",\"code\":0}", DISCORD_SERVER_ERROR,
		ERROR_NETWORK, "server error"},
	    {502, NULL, DISCORD_SERVER_ERROR, ERROR_NETWORK, "not JSON"},
	    {200, NULL, DISCORD_SERVER_ERROR, ERROR_NETWORK, "not JSON"},
	    {301, NULL, DISCORD_SERVER_ERROR, ERROR_NETWORK, "not JSON"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct discord_outcome o = outcome_of(rows[i].status, rows[i].body, 0);

		if (o.class != rows[i].class || o.why.kind != rows[i].kind ||
		    !strstr(o.why.text, rows[i].words))
			fail_msg("row %zu: class %d kind %d \"%s\"", i, o.class, o.why.kind, o.why.text);
		assert_int_equal(o.why.uncertain, o.class == DISCORD_SERVER_ERROR);
	}
}

static void a_pause_is_as_long_as_the_longer_of_what_is_said(void **state)
{
	(void)state;
	assert_int_equal(outcome_of(429, "{\"retry_after\":1.337}", 1000).retry_ms, 1337);
	assert_int_equal(outcome_of(429, "{\"retry_after\":1.337}", 2000).retry_ms, 2000);
	assert_int_equal(outcome_of(429, "{}", 0).retry_ms, 5000);
	assert_int_equal(outcome_of(429, NULL, 0).retry_ms, 60000);
	assert_int_equal(outcome_of(429, NULL, 7000).retry_ms, 7000);
	assert_true(outcome_of(429, "{\"retry_after\":1,\"global\":true}", 0).global);
	assert_int_equal(outcome_of(429, "{\"retry_after\":9e99}", 0).retry_ms, 24 * 3600 * 1000);
}

static void every_close_code_says_what_follows(void **state)
{
	static const struct {
		unsigned code;
		enum discord_next next;
		const char *words;
	} rows[] = {
	    {0, DISCORD_RESUME, "lost"},
	    {1000, DISCORD_RESUME, "lost"},
	    {1001, DISCORD_RESUME, "lost"},
	    {1005, DISCORD_RESUME, "lost"},
	    {1006, DISCORD_RESUME, "lost"},
	    {4000, DISCORD_RESUME, "error"},
	    {4001, DISCORD_RESUME, "opcode"},
	    {4002, DISCORD_RESUME, "parse"},
	    {4003, DISCORD_IDENTIFY, "authenticated"},
	    {4004, DISCORD_STOP, "token was refused"},
	    {4005, DISCORD_IDENTIFY, "twice"},
	    {4006, DISCORD_IDENTIFY, "not valid"},
	    {4007, DISCORD_IDENTIFY, "sequence number"},
	    {4008, DISCORD_RESUME, "too many payloads"},
	    {4009, DISCORD_IDENTIFY, "timed out"},
	    {4010, DISCORD_STOP, "shard"},
	    {4011, DISCORD_STOP, "too many servers"},
	    {4012, DISCORD_STOP, "update"},
	    {4013, DISCORD_STOP, "intents"},
	    {4014, DISCORD_STOP, "Message Content Intent"},
	    {4999, DISCORD_RESUME, "lost"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct discord_close_code *c = discord_close_code_find(rows[i].code);

		if (c->next != rows[i].next || !strstr(c->meaning, rows[i].words))
			fail_msg("code %u: next %d \"%s\"", rows[i].code, c->next, c->meaning);
	}
	assert_true(discord_close_code_find(4008)->wait_ms >= 60000);
}

static void a_wrong_setting_says_which(void **state)
{
	struct discord_settings s = {
	    .token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.abcdefghijklmnopqrstuvwxyz01234567890",
	    .api_base = (char *)(uintptr_t) "https://discord.com/api/v10"};
	struct error err;

	(void)state;
	assert_int_equal(discord_settings_check(&s, &err), 0);
	s.gateway_url = (char *)(uintptr_t) "ws://127.0.0.1:8090/gateway";
	assert_int_equal(discord_settings_check(&s, &err), 0);
	s.gateway_url = (char *)(uintptr_t) "ws://gateway.discord.gg";
	assert_int_equal(discord_settings_check(&s, &err), -1);
	assert_non_null(strstr(err.text, "gateway_url"));
	s.gateway_url = NULL;
	s.token = "Bot MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.abcdefghijklmnopqrstuvwxyz01234567890";
	assert_int_equal(discord_settings_check(&s, &err), -1);
	assert_non_null(strstr(err.text, "Developer Portal"));
	s.token = "MTIzNDU2Nzg5MDEyMzQ1Njc4-GabcDe-abcdefghijklmnopqrstuvwxyz01234567890";
	assert_int_equal(discord_settings_check(&s, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_error_has_its_class),
	    cmocka_unit_test(a_pause_is_as_long_as_the_longer_of_what_is_said),
	    cmocka_unit_test(every_close_code_says_what_follows),
	    cmocka_unit_test(a_wrong_setting_says_which),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
