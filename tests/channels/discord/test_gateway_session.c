/* What outlives a connection: the session, the count of IDENTIFYs, the list of private chats, nonces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/message.h"
#include "channels/discord/dm.h"
#include "channels/discord/download.h"
#include "channels/discord/gateway_payload.h"
#include "channels/discord/identify_limit.h"
#include "channels/discord/params.h"
#include "channels/discord/send.h"
#include "channels/discord/gateway_session.h"
#include "channels/discord/settings.h"

#define HOUR INT64_C(3600000)

static void a_session_is_read_as_it_was_written(void **state)
{
	struct discord_gateway_session s = {0}, read = {0};
	char *text;

	(void)state;
	discord_gateway_session_begin(&s, "abc", "wss://resume.example");
	discord_gateway_session_commit(&s, 0);
	assert_true(s.has_seq);
	discord_gateway_session_commit(&s, 41);
	discord_gateway_session_commit(&s, 7);
	s.mark = UINT64_C(1234567890123456789);
	text = discord_gateway_session_text(&s);
	discord_gateway_session_read(&read, text);
	assert_string_equal(read.id, "abc");
	assert_string_equal(read.url, "wss://resume.example");
	assert_int_equal(read.seq, 41);
	assert_true(read.mark == s.mark);
	free(text);
	/* What is still to be fetched is told of by a new session alone. */
	s.gap = 99;
	text = discord_gateway_session_text(&s);
	discord_gateway_session_read(&read, text);
	assert_null(read.id);
	assert_int_equal(read.gap, 99);
	free(text);
	discord_gateway_session_read(&read, "no JSON");
	assert_null(read.id);
	assert_int_equal(read.mark, 0);
	discord_gateway_session_clear(&s);
	discord_gateway_session_clear(&read);
}

static void identifies_are_counted_over_restarts_and_stop_before_the_token_is_lost(void **state)
{
	struct discord_limits limits = discord_limits;
	struct discord_identify_limit i = {0}, read;
	int64_t wall = 1790000000000;
	char *text;

	(void)state;
	assert_int_equal(discord_identify_limit_wait(&i, &limits, 0, 1, wall, 1000000), 0);
	discord_identify_limit_note(&i, 0, wall);
	i.last_ms[0] = 1000000;
	assert_int_equal(discord_identify_limit_wait(&i, &limits, 0, 1, wall, 1001000), 4250);
	/* Shards of another bucket do not wait for it. */
	assert_int_equal(discord_identify_limit_wait(&i, &limits, 1, 1, wall, 1001000), 0);
	for (int n = 1; n < 50; n++)
		discord_identify_limit_note(&i, 0, wall);
	assert_int_equal(
	    discord_identify_limit_wait(&i, &limits, 0, 1, wall, 1001000), 15 * 60 * 1000 - 1000);
	/* That many shards may. */
	assert_int_equal(discord_identify_limit_wait(&i, &limits, 0, 20, wall, 1001000), 4250);
	for (int h = 1; h < 10; h++)
		for (int n = 0; n < 50; n++)
			discord_identify_limit_note(&i, 0, wall + h * HOUR);
	assert_int_equal(discord_identify_limit_day(&i, wall + 9 * HOUR), 500);
	text = discord_identify_limit_text(&i);
	discord_identify_limit_read(&read, text, wall + 12 * HOUR, 5000000);
	free(text);
	assert_true(
	    discord_identify_limit_wait(&read, &limits, 0, 1, wall + 9 * HOUR, 5000000) == UINT64_MAX);
	assert_int_equal(discord_identify_limit_wait(&read, &limits, 0, 1, wall + 25 * HOUR, 5000000), 0);
	read.total = 4000;
	assert_int_equal(discord_identify_limit_wait(&read, &limits, 0, 1, wall + 9 * HOUR, 5000000), 0);
	assert_int_equal(discord_identify_limit_day(&read, wall + 100 * HOUR), 0);
	/* As an earlier version wrote it. */
	discord_identify_limit_read(&read, "497222 1 2 3", wall, 5000000);
	assert_int_equal(discord_identify_limit_wait(&read, &limits, 0, 1, wall, 5000000), 0);
	discord_identify_limit_read(&read, NULL, wall, 5000000);
	assert_int_equal(discord_identify_limit_day(&read, wall), 0);
	discord_identify_limit_read(&read, "x", wall, 5000000);
	assert_int_equal(discord_identify_limit_day(&read, wall), 0);
}

/* Of another process, maybe with another clock. */
static void the_distance_of_identifies_holds_over_restarts(void **state)
{
	static const struct {
		int64_t later_ms;
		uint64_t wait_ms;
	} rows[] = {
	    {0, 5250}, {1000, 5250}, {4000, 3250}, {7000, 250}, {8000, 0}, {-30000, 5250}, {HOUR * 2, 0}};
	struct discord_identify_limit i = {0}, read;
	int64_t wall = 1790000000000;
	char *text;

	(void)state;
	discord_identify_limit_note(&i, 3, wall);
	text = discord_identify_limit_text(&i);
	for (size_t n = 0; n < ARRAY_LEN(rows); n++) {
		discord_identify_limit_read(&read, text, wall + rows[n].later_ms, 100);
		uint64_t now = 100;
		if (read.last_ms[3] == 1) /* before the machine's clock began */
			discord_identify_limit_read(&read, text, wall + rows[n].later_ms, now = 10000000);
		assert_int_equal(
		    discord_identify_limit_wait(&read, &discord_limits, 3, 8, wall, now), rows[n].wait_ms);
		assert_int_equal(discord_identify_limit_wait(&read, &discord_limits, 2, 8, wall, now), 0);
	}
	free(text);
}

static void a_bucket_has_what_shares_one_at_discord(void **state)
{
	(void)state;
	assert_int_equal(discord_identify_limit_buckets(1), 1);
	assert_int_equal(discord_identify_limit_buckets(16), 16);
	assert_int_equal(discord_identify_limit_buckets(64), 16);
	assert_int_equal(discord_identify_limit_buckets(24), 1);
	assert_int_equal(discord_identify_limit_buckets(0), 1);
	assert_int_equal(discord_identify_limit_buckets(-16), 1);
}

static void private_chats_are_remembered_up_to_a_bound(void **state)
{
	struct discord_dms dms = {0}, read = {0};
	char *text;

	(void)state;
	assert_true(discord_dms_add(&dms, 5));
	assert_false(discord_dms_add(&dms, 5));
	for (uint64_t id = 100; id < 100 + DISCORD_DMS_MAX; id++)
		discord_dms_add(&dms, id);
	assert_int_equal(dms.count, DISCORD_DMS_MAX);
	assert_int_equal(dms.ids[0], 100);
	text = discord_dms_text(&dms);
	discord_dms_read(&read, text);
	assert_int_equal(read.count, DISCORD_DMS_MAX);
	assert_memory_equal(read.ids, dms.ids, sizeof(dms.ids));
	free(text);
}

static void a_row_keeps_its_nonce_and_others_have_others(void **state)
{
	struct outbound a = {.id = 1, .created_ms = 1790000000000, .to = {.chat = "10"}}, b = a;
	char first[DISCORD_NONCE_MAX], second[DISCORD_NONCE_MAX];

	(void)state;
	discord_send_nonce(&a, first);
	b.attempts = 5;
	discord_send_nonce(&b, second);
	assert_string_equal(first, second);
	assert_in_range(strlen(first), 10, 25);
	/* Another part, and the same id in a new database. */
	b.id = 2;
	discord_send_nonce(&b, second);
	assert_string_not_equal(first, second);
	b.id = 1;
	b.created_ms++;
	discord_send_nonce(&b, second);
	assert_string_not_equal(first, second);
}

static void every_form_forbids_mentions(void **state)
{
	struct discord_settings settings = {0};
	struct json_object *params = json_object_new_object(), *mentions;

	(void)state;
	discord_params_text(params, &settings, "hi **you**", "!");
	mentions = json_get_object(params, "allowed_mentions");
	assert_string_equal(json_get_str(params, "content"), "hi **you**!");
	assert_int_equal(json_object_array_length(json_get_array(mentions, "parse")), 0);
	assert_false(json_get_bool(mentions, "replied_user", true));
	assert_int_equal(json_get_int(params, "flags", 0), 4);
	discord_params_reply(params, "i:5");
	assert_null(json_get(params, "message_reference"));
	discord_params_reply(params, "77");
	assert_false(json_get_bool(json_get_object(params, "message_reference"), "fail_if_not_exists", true));
	discord_params_buttons(params, NULL, false);
	assert_null(json_get(params, "components"));
	discord_params_buttons(params, NULL, true);
	assert_int_equal(json_object_array_length(json_get_array(params, "components")), 0);
	json_object_put(params);
}

static void frames_are_what_the_gateway_wants(void **state)
{
	struct discord_gateway_session s = {0};
	struct buf out = BUF_INIT;
	char *url;

	(void)state;
	discord_gateway_payload_heartbeat(&out, 0, false);
	assert_string_equal(out.data, "{\"op\":1,\"d\":null}");
	buf_reset(&out);
	discord_gateway_payload_heartbeat(&out, 251, true);
	assert_string_equal(out.data, "{\"op\":1,\"d\":251}");
	buf_reset(&out);
	discord_gateway_payload_identify(&out, "T", true, 0, 1);
	assert_null(strstr(out.data, "shard"));
	assert_non_null(strstr(out.data, "\"intents\":46593"));
	buf_reset(&out);
	discord_gateway_payload_identify(&out, "T", false, 2, 3);
	assert_non_null(strstr(out.data, "\"intents\":13825"));
	assert_non_null(strstr(out.data, "\"shard\":[2,3]"));
	buf_reset(&out);
	discord_gateway_session_begin(&s, "abc", NULL);
	discord_gateway_session_commit(&s, 4);
	discord_gateway_payload_resume(&out, "T", &s);
	assert_string_equal(out.data, "{\"op\":6,\"d\":{\"token\":\"T\",\"session_id\":\"abc\",\"seq\":4}}");
	discord_gateway_session_clear(&s);
	buf_clear(&out);
	url = discord_gateway_payload_url("wss://gateway.discord.gg");
	assert_string_equal(url, "wss://gateway.discord.gg/?v=10&encoding=json");
	free(url);
	url = discord_gateway_payload_url("ws://127.0.0.1:80/discord/gateway?x=1");
	assert_string_equal(url, "ws://127.0.0.1:80/discord/gateway?v=10&encoding=json");
	free(url);
}

static void files_are_loaded_from_discord_alone(void **state)
{
	static const struct {
		const char *url;
		bool allowed;
	} rows[] = {
	    {"https://cdn.discordapp.com/attachments/1/2/a.png?ex=1", true},
	    {"https://media.discordapp.net/attachments/1/2/a.png", true},
	    {"http://127.0.0.1:8090/discord/cdn/a.png", true},
	    {"http://cdn.discordapp.com/a", false},
	    {"https://cdn.discordapp.com.evil.org/a", false},
	    {"https://cdn.discordapp.com@evil.org/a", false},
	    {"https://evil.org/cdn.discordapp.com", false},
	    {"http://127.0.0.1:8091/a", false},
	    {"https://127.0.0.1:8090/a", false},
	    {"file:///etc/passwd", false},
	    {"x", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (discord_download_allowed(rows[i].url, "http://127.0.0.1:8090/discord/api/v10") !=
		    rows[i].allowed)
			fail_msg("%s", rows[i].url);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_session_is_read_as_it_was_written),
	    cmocka_unit_test(identifies_are_counted_over_restarts_and_stop_before_the_token_is_lost),
	    cmocka_unit_test(the_distance_of_identifies_holds_over_restarts),
	    cmocka_unit_test(a_bucket_has_what_shares_one_at_discord),
	    cmocka_unit_test(private_chats_are_remembered_up_to_a_bound),
	    cmocka_unit_test(a_row_keeps_its_nonce_and_others_have_others),
	    cmocka_unit_test(every_form_forbids_mentions),
	    cmocka_unit_test(frames_are_what_the_gateway_wants),
	    cmocka_unit_test(files_are_loaded_from_discord_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
