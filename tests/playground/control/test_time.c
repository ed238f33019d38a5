#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define DAY  86400
#define JOIN "{\"platform\":\"telegram\",\"chat\":\"team\",\"user\":\"%s\",\"invite_link\":\"%s\"}"

static int64_t number(struct json_object *o, const char *path)
{
	return json_object_get_int64(client_object_at(o, path));
}

static void pass(unsigned seconds)
{
	json_object_put(control("clock", "{\"advance\":%u}", seconds));
}

static int64_t now_s(void)
{
	struct json_object *o = client_get(at("/control/clock"), 200);
	int64_t s = number(o, "time_ms") / 1000;

	json_object_put(o);
	return s;
}

static struct json_object *transcript(const char *platform, const char *chat)
{
	return client_get(at("/control/transcript?platform=%s&chat=%s", platform, chat), 200);
}

static struct json_object *slack(const char *method, const char *body)
{
	struct client_reply r;
	struct json_object *o;

	client_send(&(struct client_request){.url = at("/slack/api/%s", method),
			.body = body,
			.header = "Authorization: Bearer xoxb-1-2-one",
			.content_type = "application/json; charset=utf-8"},
	    &r);
	o = json_object_get(r.json);
	client_reply_clear(&r);
	assert_true(json_get_bool(o, "ok", false));
	return o;
}

static void a_day_passes_at_once(void **state)
{
	int64_t before = now_s();
	struct client_reply r;

	(void)state;
	pass(DAY);
	assert_in_range(now_s() - before, DAY, DAY + 100);
	client_send(&(struct client_request){.url = at("/control/clock"), .body = "{\"advance\":-1}"}, &r);
	assert_int_equal(r.status, 400);
	client_reply_clear(&r);
}

static void scheduled_messages_come_each_at_its_own_time(void **state)
{
	int64_t base = now_s();
	char body[160];
	struct json_object *o;

	(void)state;
	json_object_put(slack("auth.test", "{}"));
	json_object_put(control("say",
	    "{\"platform\":\"slack\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}"));
	for (int hours = 2; hours > 0; hours--) {
		snprintf(body, sizeof(body), "{\"channel\":\"#dev\",\"text\":\"after %d\",\"post_at\":%lld}",
		    hours, (long long)base + hours * 3600);
		json_object_put(slack("chat.scheduleMessage", body));
	}
	pass(DAY);
	o = transcript("slack", "dev");
	expect_at(o, "messages.1.text", "after 1");
	expect_at(o, "messages.2.text", "after 2");
	assert_in_range(strtoll(client_at(o, "messages.1.id"), NULL, 10), base + 3600, base + 3700);
	json_object_put(o);
}

static void polls_close(void **state)
{
	struct json_object *o;

	(void)state;
	say("hello");
	json_object_put(bot("sendPoll", 200,
	    "{\"chat_id\":77,\"question\":\"Which?\",\"options\":[{\"text\":\"A\"},{\"text\":\"B\"}],\"open_"
	    "period\":600}"));
	json_object_put(bot("getUpdates", 200, "{\"offset\":-1}"));
	pass(601);
	o = bot("getUpdates", 200, "{\"timeout\":20,\"allowed_updates\":[\"poll\"],\"offset\":-1}");
	expect_at(o, "result.0.poll.is_closed", "true");
	json_object_put(o);
	json_object_put(bot("getUpdates", 200, "{\"allowed_updates\":[]}"));
}

/* Bot API, deleteMessage. */
static void a_dice_of_a_private_chat_can_be_deleted_after_a_day(void **state)
{
	struct json_object *o;
	char id[24];

	(void)state;
	say("hello");
	o = bot("sendDice", 200, "{\"chat_id\":77}");
	str_copy(id, sizeof(id), client_at(o, "result.message_id"));
	json_object_put(o);
	expect_once(bot("deleteMessage", 400, "{\"chat_id\":77,\"message_id\":%s}", id), "description",
	    "Bad Request: message can't be deleted for everyone");
	pass(DAY + 1);
	json_object_put(bot("deleteMessage", 200, "{\"chat_id\":77,\"message_id\":%s}", id));
}

static void invite_links_expire(void **state)
{
	struct json_object *said = control("say",
			       "{\"platform\":\"telegram\",\"chat\":\"team\",\"kind\":\"group\",\"user\":"
			       "\"Ann\",\"text\":\"hi\"}"),
			   *link;

	(void)state;
	json_object_put(control("member",
	    "{\"platform\":\"telegram\",\"chat\":\"team\",\"user\":\"Ann\",\"action\":\"promote\"}"));
	link = bot("createChatInviteLink", 200, "{\"chat_id\":%s,\"expire_date\":%lld}",
	    client_at(said, "chat_id"), (long long)now_s() + 3600);
	json_object_put(control("join", JOIN, "Bea", client_at(link, "result.invite_link")));
	pass(3601);
	json_object_put(
	    client_post(at("/control/join"), 400, JOIN, "Cid", client_at(link, "result.invite_link")));
	json_object_put(link);
	json_object_put(said);
}

static void presses_expire(void **state)
{
	struct json_object *o, *sent;

	(void)state;
	say("hello");
	sent = bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"A\","
	    "\"callback_data\":\"a\"}]]}}");
	o = bot("getUpdates", 200, "{}");
	json_object_put(
	    bot("getUpdates", 200, "{\"offset\":%lld}", (long long)number(o, "result.0.update_id") + 1));
	json_object_put(o);
	json_object_put(control("press",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"message_id\":\"%lld\",\"button\":"
	    "\"a\"}",
	    (long long)number(sent, "result.message_id")));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	pass(61);
	json_object_put(bot("answerCallbackQuery", 400, "{\"callback_query_id\":\"%s\"}",
	    client_at(o, "result.0.callback_query.id")));
	json_object_put(o);
	json_object_put(sent);
}

static void a_rate_limit_is_over(void **state)
{
	struct client_reply r = {0};
	char body[64];

	(void)state;
	json_object_put(control("settings", "{\"telegram\":{\"limits\":true}}"));
	say("hello");
	for (int i = 0; r.status != 429; i++) {
		client_reply_clear(&r);
		snprintf(body, sizeof(body), "{\"chat_id\":77,\"text\":\"%d\"}", i);
		client_send(
		    &(struct client_request){.url = at("/telegram/bot" TOKEN "/sendMessage"), .body = body},
		    &r);
	}
	client_reply_clear(&r);
	pass(60);
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"now\"}"));
	expect_once(client_get(at("/control/report"), 200), "problems", "0");
}

static void who_waits_waits_on(void **state)
{
	struct client_async *wait;
	struct client_reply r;

	(void)state;
	wait = client_send_async(&(struct client_request){.url = at("/control/wait"),
	    .body = "{\"platform\":\"telegram\",\"chat\":\"77\",\"bot_messages\":1,\"timeout_ms\":20000}"});
	client_arrive(wait, at("/control/chats"));
	say("hi");
	pass(DAY);
	say("again");
	assert_false(client_is_done(wait));
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"one\"}"));
	client_await(wait, &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
}

static void a_snapshot_brings_everything_back(void **state)
{
	struct json_object *o, *snapshot;

	(void)state;
	say("hello");
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"one\"}"));
	json_object_put(control("say",
	    "{\"platform\":\"discord\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}"));
	json_object_put(control("say",
	    "{\"platform\":\"slack\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}"));
	snapshot = client_get(at("/control/snapshot"), 200);
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"two\"}"));
	json_object_put(control("reset", "{}"));
	for (int i = 0; i < 2; i++) {
		json_object_put(client_post(at("/control/snapshot"), 200, "{\"snapshot\":%s}",
		    json_object_get_string(json_get(snapshot, "snapshot"))));
		o = transcript("telegram", "77");
		expect_at(o, "messages.1.text", "one");
		expect_at(o, "messages.2.text", "");
		json_object_put(o);
		expect_once(transcript("discord", "dev"), "messages.0.text", "hi");
		expect_once(transcript("slack", "dev"), "messages.0.text", "hi");
	}
	/* The bot that is connected goes on where it was. */
	say("again");
	o = bot("getUpdates", 200, "{\"timeout\":20,\"offset\":-1}");
	expect_at(o, "result.0.message.text", "again");
	json_object_put(o);
	json_object_put(snapshot);
}

static void a_damaged_snapshot_changes_no_chat(void **state)
{
	static const char *const damaged[][2] = {
	    {"{\"snapshot\":{\"slack\":{},\"telegram\":{\"version\":-1}}}", "state of "},
	    {"{\"snapshot\":{}}",
		"the snapshot has no platform: send what GET /control/snapshot has answered"},
	    {"{\"snapshot\":{\"time_ms\":1,\"matrix\":{}}}", "a snapshot has no \"matrix\""},
	    {"{\"snapshot\":{\"telegram\":7}}", "a snapshot has no \"telegram\""},
	    {"{}", "say which \"snapshot\""},
	};

	(void)state;
	say("hello");
	for (size_t i = 0; i < ARRAY_LEN(damaged); i++) {
		struct json_object *o = client_post(at("/control/snapshot"), 400, "%s", damaged[i][0]);

		assert_non_null(strstr(json_get_str(o, "error"), damaged[i][1]));
		json_object_put(o);
		expect_once(transcript("telegram", "77"), "messages.0.text", "hello");
	}
}

/* A later playground gets a state of the future. */
static void a_snapshot_has_its_time(void **state)
{
	struct json_object *o = client_get(at("/control/snapshot"), 200), *snapshot = json_get(o, "snapshot");
	int64_t before = now_s();

	(void)state;
	json_set_int(snapshot, "time_ms", (before + DAY) * 1000);
	json_object_put(
	    client_post(at("/control/snapshot"), 200, "{\"snapshot\":%s}", json_object_get_string(snapshot)));
	assert_in_range(now_s() - before, DAY, DAY + 100);
	json_object_put(o);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fixture_reset)
	static const struct CMUnitTest tests[] = {
	    TEST(a_day_passes_at_once),
	    TEST(scheduled_messages_come_each_at_its_own_time),
	    TEST(polls_close),
	    TEST(a_dice_of_a_private_chat_can_be_deleted_after_a_day),
	    TEST(invite_links_expire),
	    TEST(presses_expire),
	    TEST(a_rate_limit_is_over),
	    TEST(who_waits_waits_on),
	    TEST(a_snapshot_brings_everything_back),
	    TEST(a_damaged_snapshot_changes_no_chat),
	    TEST(a_snapshot_has_its_time),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
