#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/websocket/websocket.h"
#include "tests/playground/slack/slack_rig.h"

/* Time goes in steps that a client would need to answer pings in. */
#define PATIENT "\"ping_ms\":600000,\"pong_ms\":600000"

static void leave(struct task *t, struct websocket *w)
{
	websocket_close(t, w, 1000, "");
}

static void order(struct task *t, struct slack_rig *rig, const char *members)
{
	json_object_put(slack_control(t, rig, "socket", "%s", members));
}

/* The next message says that the connection will end, and then it does. */
static void expect_disconnect(struct task *t, struct websocket *w, const char *reason)
{
	struct json_object *o = slack_hear(t, w);

	slack_has(o, "type", "disconnect");
	slack_has(o, "reason", reason);
	json_object_put(o);
}

static void expect_end(struct task *t, struct websocket *w, unsigned code)
{
	struct buf message = BUF_INIT;

	assert_int_equal(websocket_receive(t, w, &message, UINT64_MAX, NULL), -1);
	assert_int_equal(websocket_close_code(w), code);
	buf_clear(&message);
	leave(t, w);
}

SLACK_TEST(a_hello_says_what_the_connection_is)
{
	struct websocket *first = slack_attach(t, rig), *second = slack_connect(t, rig, NULL);
	struct json_object *o = slack_hear(t, second);

	slack_has(o, "type", "hello");
	slack_has(o, "num_connections", "2");
	slack_has(o, "debug_info.approximate_connection_time", "18060");
	assert_int_equal(slack_at(o, "connection_info.app_id")[0], 'A');
	json_object_put(o);
	leave(t, first);
	leave(t, second);
}

static void expect_bad_ticket(struct task *t, const char *url)
{
	struct websocket_options options = {.url = url};
	struct error err = {0};

	assert_null(websocket_open(t, &options, &err));
	assert_int_equal(err.code, 408);
}

static char *get_url(struct task *t, struct slack_rig *rig)
{
	struct slack_reply reply;
	char *url;

	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/slack/api/apps.connections.open", .token = APP_TOKEN, .content_type = ""},
	    &reply);
	url = xstrdup(slack_at(reply.json, "url"));
	slack_reply_clear(&reply);
	return url;
}

SLACK_TEST(a_ticket_is_good_once_and_for_half_a_minute)
{
	char *url = get_url(t, rig), *late = get_url(t, rig);
	struct websocket *w = websocket_open(t, &(struct websocket_options){.url = url}, NULL);

	assert_non_null(w);
	expect_bad_ticket(t, url);
	slack_pass(t, 30000);
	expect_bad_ticket(t, late);
	leave(t, w);
	free(url);
	free(late);
}

SLACK_TEST(an_event_is_sent_again_at_once_after_a_minute_and_after_five)
{
	static const struct {
		unsigned wait;
		const char *attempt, *reason;
	} deliveries[] = {
	    {0, "0", ""}, {0, "1", "timeout"}, {60000, "2", "timeout"}, {300000, "3", "timeout"}};
	char event_id[32] = "", envelope_id[40] = "";
	struct websocket *w;

	slack_set(t, rig, PATIENT);
	w = slack_attach(t, rig);
	slack_say(t, rig, "hello");
	for (size_t i = 0; i < ARRAY_LEN(deliveries); i++) {
		struct json_object *o;

		slack_pass(t, deliveries[i].wait);
		o = slack_hear(t, w);
		slack_has(o, "retry_attempt", deliveries[i].attempt);
		slack_has(o, "retry_reason", deliveries[i].reason);
		if (i > 0)
			assert_string_equal(slack_at(o, "payload.event_id"), event_id);
		assert_string_not_equal(slack_at(o, "envelope_id"), envelope_id);
		str_copy(event_id, sizeof(event_id), slack_at(o, "payload.event_id"));
		str_copy(envelope_id, sizeof(envelope_id), slack_at(o, "envelope_id"));
		json_object_put(o);
		slack_pass(t, 3000);
		slack_pass(t, 0);
	}
	slack_pass(t, 200000);
	slack_say(t, rig, "next");
	slack_hear_event(t, w, "message");
	leave(t, w);
}

SLACK_TEST(an_acknowledgement_ends_the_retries)
{
	struct websocket *w = slack_attach(t, rig);

	slack_say(t, rig, "hello");
	slack_hear_event(t, w, "message");
	json_object_put(slack_control(
	    t, rig, "socket", "\"action\":\"post\",\"text\":\"{\\\"type\\\":\\\"unknown\\\"}\""));
	slack_pass(t, 3000);
	slack_pass(t, 3000);
	json_object_put(slack_hear(t, w));
	slack_say(t, rig, "next");
	slack_hear_event(t, w, "message");
	assert_int_equal(slack_refusals(rig), 0);
	leave(t, w);
}

/* The envelope that came to one of the two. */
static struct json_object *hear_either(
    struct task *t, struct websocket *a, struct websocket *b, struct websocket **on)
{
	struct buf message = BUF_INIT;
	struct json_object *o = NULL;

	for (int i = 0; !o && i < 1000; i++) {
		*on = i % 2 == 0 ? a : b;
		if (websocket_receive(t, *on, &message, 0, NULL) == 1)
			o = json_parse(message.data, message.len, NULL);
		task_yield(t, NULL);
	}
	assert_non_null(o);
	buf_clear(&message);
	return o;
}

static void expect_unacknowledged(
    struct task *t, struct slack_rig *rig, const char *action, const char *count)
{
	struct json_object *o = slack_control(t, rig, "socket", "%s", action);

	slack_has(o, "unacknowledged", count);
	json_object_put(o);
}

SLACK_TEST(how_long_an_acknowledgement_took_is_recorded)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o, *record;
	struct slack_reply reply;

	slack_say(t, rig, "hello");
	o = slack_hear(t, w);
	expect_unacknowledged(t, rig, "\"which\":\"all\"", "1");
	slack_pass(t, 700);
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_pass(t, 0);
	expect_unacknowledged(t, rig, "\"which\":\"all\"", "0");
	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/control/requests?platform=slack&method=socket.message", .method = "GET"},
	    &reply);
	record = json_object_array_get_idx(json_get_array(reply.json, "requests"), 0);
	assert_int_equal(json_get_int(record, "time_us", 0) - json_get_int(record, "began_us", 0), 700000);
	slack_reply_clear(&reply);
	leave(t, w);
}

SLACK_TEST(what_waits_to_be_sent_again_goes_at_once_where_that_is_wanted)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	leave(t, w);
	slack_pass(t, 0);
	slack_say(t, rig, "hello");
	slack_pass(t, 0);
	w = slack_attach(t, rig);
	expect_unacknowledged(t, rig, "\"action\":\"retry\"", "1");
	o = slack_hear(t, w);
	slack_has(o, "retry_reason", "connection_failed");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_pass(t, 0);
	expect_unacknowledged(t, rig, "\"action\":\"retry\"", "0");
	leave(t, w);
}

SLACK_TEST(what_waits_to_be_sent_again_outlives_a_restart)
{
	char data[] = "/tmp/slack-XXXXXX";
	struct websocket *w;
	struct json_object *o;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	slack_say(t, rig, "hello");
	slack_pass(t, 0);
	slack_rig_restart(t, rig, data);
	slack_set(t, rig, PATIENT);
	w = slack_attach(t, rig);
	slack_pass(t, 60000);
	o = slack_hear(t, w);
	slack_has(o, "retry_attempt", "2");
	slack_has(o, "retry_reason", "connection_failed");
	slack_has(o, "payload.event.text", "hello");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	leave(t, w);
	slack_rig_forget(t, rig, data);
}

SLACK_TEST(an_acknowledgement_counts_on_its_own_connection_only)
{
	struct websocket *a = slack_attach(t, rig), *b = slack_attach(t, rig), *on;
	struct json_object *o;

	slack_say(t, rig, "hello");
	o = hear_either(t, a, b, &on);
	slack_acknowledge(t, on == a ? b : a, o);
	json_object_put(o);
	slack_pass(t, 3000);
	assert_int_equal(slack_refusals(rig), 1);
	o = hear_either(t, a, b, &on);
	slack_has(o, "retry_attempt", "1");
	slack_acknowledge(t, on, o);
	json_object_put(o);
	slack_pass(t, 3000);
	assert_int_equal(slack_refusals(rig), 1);
	leave(t, a);
	leave(t, b);
}

SLACK_TEST(what_waits_on_a_connection_that_breaks_goes_to_another)
{
	struct websocket *a = slack_attach(t, rig), *b;
	struct json_object *o;

	slack_say(t, rig, "hello");
	json_object_put(slack_hear(t, a));
	b = slack_attach(t, rig);
	order(t, rig, "\"action\":\"abort\",\"which\":\"oldest\"");
	expect_end(t, a, 0);
	slack_pass(t, 0);
	o = slack_hear(t, b);
	slack_has(o, "retry_attempt", "1");
	json_object_put(o);
	leave(t, b);
}

static void expect_faulty(struct task *t, struct slack_rig *rig, const char *fault)
{
	struct websocket *a = slack_attach(t, rig), *b;
	struct json_object *o;

	json_object_put(slack_control(t, rig, "fault", "\"method\":\"event\",%s", fault));
	slack_say(t, rig, "a text that is longer than what arrives of it");
	expect_end(t, a, 0);
	b = slack_attach(t, rig);
	slack_pass(t, 60000);
	o = slack_hear(t, b);
	slack_has(o, "payload.event.text", "a text that is longer than what arrives of it");
	slack_acknowledge(t, b, o);
	json_object_put(o);
	leave(t, b);
}

SLACK_TEST(an_event_that_breaks_off_at_any_byte_comes_again)
{
	slack_set(t, rig, PATIENT);
	expect_faulty(t, rig, "\"kind\":\"cut\",\"at_byte\":0");
	expect_faulty(t, rig, "\"kind\":\"cut\",\"at_byte\":1");
	expect_faulty(t, rig, "\"kind\":\"cut\",\"at_byte\":300");
	expect_faulty(t, rig, "\"kind\":\"close\"");
	slack_control_refused(
	    t, rig, "fault", "cut, close, garbage", "\"method\":\"event\",\"kind\":\"stall\"");
}

SLACK_TEST(what_is_no_acknowledgement_is_noted)
{
	static const char *const said[] = {"nonsense", "[]", "{}", "{\"envelope_id\":\"e-1\"}"};
	struct websocket *w = slack_attach(t, rig);

	for (size_t i = 0; i < ARRAY_LEN(said); i++)
		assert_int_equal(websocket_send(t, w, said[i], strlen(said[i]), NULL), 0);
	for (int i = 0; slack_refusals(rig) < ARRAY_LEN(said) && i < 1000; i++)
		task_yield(t, NULL);
	assert_int_equal(slack_refusals(rig), ARRAY_LEN(said));
	leave(t, w);
}

SLACK_TEST(a_connection_lives_its_time_and_is_warned)
{
	struct websocket *w;

	slack_set(t, rig, "\"connection_s\":40");
	w = slack_attach(t, rig);
	for (int i = 0; i < 3; i++)
		slack_pass(t, 10000);
	expect_disconnect(t, w, "warning");
	slack_pass(t, 10000);
	expect_disconnect(t, w, "refresh_requested");
	slack_say(t, rig, "it still hears");
	slack_hear_event(t, w, "message");
	slack_pass(t, 10000);
	expect_end(t, w, 1000);
}

SLACK_TEST(connections_end_as_they_are_told_to)
{
	static const struct {
		const char *action, *reason;
	} actions[] = {{"refresh", "refresh_requested"}, {"warning", "warning"},
	    {"link_disabled", "link_disabled"}, {"too_many_websockets", "too_many_websockets"}};
	struct websocket *w;
	char text[64];

	for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
		w = slack_attach(t, rig);
		snprintf(text, sizeof(text), "\"action\":\"%s\",\"close_ms\":0", actions[i].action);
		order(t, rig, text);
		expect_disconnect(t, w, actions[i].reason);
		expect_end(t, w, 1000);
	}
	w = slack_attach(t, rig);
	order(t, rig, "\"action\":\"close\",\"code\":1011,\"reason\":\"trouble\"");
	expect_end(t, w, 1011);
	order(t, rig, "\"action\":\"link_disabled\",\"next\":true");
	w = slack_connect(t, rig, NULL);
	expect_disconnect(t, w, "link_disabled");
	expect_end(t, w, 1000);
	w = slack_attach(t, rig);
	leave(t, w);
}

SLACK_TEST(an_event_prefers_a_connection_that_stays)
{
	struct websocket *a = slack_attach(t, rig), *b;

	order(t, rig, "\"action\":\"refresh\"");
	expect_disconnect(t, a, "refresh_requested");
	b = slack_attach(t, rig);
	for (int i = 0; i < 3; i++) {
		slack_say(t, rig, "hello");
		slack_hear_event(t, b, "message");
	}
	leave(t, a);
	leave(t, b);
}

SLACK_TEST(a_silent_connection_says_nothing_and_misses_what_is_sent)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	order(t, rig, "\"action\":\"silence\"");
	slack_say(t, rig, "unheard");
	order(t, rig, "\"action\":\"speak\"");
	slack_pass(t, 3000);
	slack_pass(t, 0);
	o = slack_hear(t, w);
	slack_has(o, "retry_attempt", "1");
	slack_has(o, "payload.event.text", "unheard");
	json_object_put(o);
	leave(t, w);
}

SLACK_TEST(a_hello_may_be_late_and_nothing_comes_before_it)
{
	struct websocket *w;
	struct json_object *o;

	slack_set(t, rig, "\"hello_ms\":5000," PATIENT);
	w = slack_connect(t, rig, NULL);
	slack_say(t, rig, "early");
	slack_pass(t, 5000);
	o = slack_hear(t, w);
	slack_has(o, "type", "hello");
	json_object_put(o);
	slack_pass(t, 60000);
	o = slack_hear(t, w);
	slack_has(o, "retry_attempt", "2");
	slack_has(o, "retry_reason", "connection_failed");
	json_object_put(o);
	leave(t, w);
}

static void hear_mention(struct task *t, struct slack_rig *rig, struct websocket *w, const char *set,
    const char *first, const char *second)
{
	slack_set(t, rig, set);
	slack_say(t, rig, "hello @bot");
	slack_hear_event(t, w, first);
	if (second)
		slack_hear_event(t, w, second);
}

SLACK_TEST(a_mention_is_two_events_in_either_order)
{
	struct websocket *w = slack_attach(t, rig);

	hear_mention(t, rig, w, "\"mentions\":\"message_first\"", "message", "app_mention");
	hear_mention(t, rig, w, "\"mentions\":\"mention_first\"", "app_mention", "message");
	hear_mention(t, rig, w, "\"mentions\":\"mention_only\"", "app_mention", NULL);
	hear_mention(t, rig, w, "\"mentions\":\"message_only\"", "message", NULL);
	hear_mention(t, rig, w, "\"mentions\":\"alternate\"", "app_mention", "message");
	hear_mention(t, rig, w, "\"mentions\":\"alternate\"", "message", "app_mention");
	leave(t, w);
}

SLACK_TEST(changes_files_and_broadcasts_come_as_their_own_kinds)
{
	struct websocket *w = slack_attach(t, rig);
	const char *root = slack_say(t, rig, "root");

	slack_hear_event(t, w, "message");
	json_object_put(
	    slack_control(t, rig, "say", "\"chat\":\"dev\",\"user\":\"ann\",\"unfurl\":\"%s\"", root));
	slack_hear_event(t, w, "message_changed");
	json_object_put(slack_control(t, rig, "say",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"text\":\"x\",\"thread\":\"%s\",\"broadcast\":true", root));
	slack_hear_event(t, w, "thread_broadcast");
	json_object_put(slack_control(
	    t, rig, "say", "\"chat\":\"dev\",\"user\":\"ann\",\"files\":[{\"name\":\"a\",\"size\":3}]"));
	slack_hear_event(t, w, "file_share");
	slack_hear_event(t, w, "file_shared");
	json_object_put(slack_control(t, rig, "say", "\"chat\":\"dev\",\"user\":\"bob\",\"text\":\"hi\""));
	slack_hear_event(t, w, "member_joined_channel");
	slack_hear_event(t, w, "message");
	json_object_put(
	    slack_control(t, rig, "member", "\"chat\":\"dev\",\"action\":\"remove\",\"who\":\"bob\""));
	slack_hear_event(t, w, "member_left_channel");
	slack_hear_event(t, w, "channel_leave");
	json_object_put(slack_control(t, rig, "delete", "\"chat\":\"dev\",\"message_id\":\"%s\"", root));
	slack_hear_event(t, w, "message_deleted");
	json_object_put(
	    slack_control(t, rig, "chat", "\"chat\":\"dev\",\"user\":\"ann\",\"title\":\"prod\""));
	slack_hear_event(t, w, "channel_rename");
	slack_hear_event(t, w, "channel_name");
	json_object_put(slack_control(t, rig, "chat", "\"chat\":\"prod\",\"gone\":\"archived\""));
	slack_hear_event(t, w, "channel_archive");
	json_object_put(slack_control(t, rig, "chat", "\"chat\":\"prod\",\"gone\":\"left\""));
	slack_hear_event(t, w, "channel_left");
	leave(t, w);
}

SLACK_TEST(an_app_hears_of_its_own_conversations_only)
{
	struct websocket *one = slack_attach(t, rig), *two = slack_connect(t, rig, "xapp-1-A2-2-two");
	struct slack_reply reply;

	json_object_put(slack_hear(t, two));
	slack_send(
	    t, rig, &(struct slack_request){.path = "/slack/api/auth.test", .token = "xoxb-1-2-two"}, &reply);
	assert_string_equal(slack_at(reply.json, "user"), "myna2");
	slack_reply_clear(&reply);
	json_object_put(slack_control(t, rig, "say",
	    "\"chat\":\"a\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"1\",\"bot\":\"bot\""));
	slack_hear_event(t, one, "message");
	json_object_put(slack_control(t, rig, "say",
	    "\"chat\":\"b\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"2\",\"bot\":\"bot2\""));
	slack_hear_event(t, two, "message");
	json_object_put(
	    slack_control(t, rig, "say", "\"chat\":\"a\",\"user\":\"ann\",\"text\":\"3\",\"bot\":\"bot\""));
	slack_hear_event(t, one, "message");
	leave(t, one);
	leave(t, two);
}

SLACK_TEST(a_press_needs_a_connection_and_takes_no_answer)
{
	static const char blocks[] = "[{\"type\":\"actions\",\"elements\":[{\"type\":\"button\",\"action_"
				     "id\":\"yes\",\"text\":{\"type\":\"plain_text\",\"text\":\"Yes\"}}]}]";
	struct websocket *w = slack_attach(t, rig);
	struct json_object *sent, *o;
	struct slack_reply reply;
	char *text;

	sent = slack_call(t, rig, "chat.postMessage", "{\"channel\":\"%s\",\"text\":\"Sure?\",\"blocks\":%s}",
	    slack_dev(t, rig), blocks);
	slack_hear_event(t, w, "message");
	json_object_put(slack_control(t, rig, "press",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"yes\"",
	    slack_at(sent, "ts")));
	o = slack_hear(t, w);
	slack_has(o, "type", "interactive");
	text = xasprintf("{\"envelope_id\":\"%s\",\"payload\":{\"text\":\"x\"}}", slack_at(o, "envelope_id"));
	assert_int_equal(websocket_send(t, w, text, strlen(text), NULL), 0);
	free(text);
	for (int i = 0; slack_refusals(rig) == 0 && i < 1000; i++)
		task_yield(t, NULL);
	assert_int_equal(slack_refusals(rig), 1);
	leave(t, w);
	slack_pass(t, 30 * 60 * 1000);
	slack_send(t, rig,
	    &(struct slack_request){.path = slack_at(o, "payload.response_url"), .body = "{\"text\":\"x\"}"},
	    &reply);
	assert_int_equal(reply.status, 404);
	slack_has(reply.json, "error", "expired_url");
	slack_reply_clear(&reply);
	json_object_put(o);
	json_object_put(sent);
}

SLACK_TEST(what_was_filled_in_comes_with_the_press)
{
	static const char blocks[] =
	    "[{\"type\":\"input\",\"block_id\":\"b\",\"label\":{\"type\":\"plain_text\",\"text\":\"Why\"},"
	    "\"element\":{\"type\":\"plain_text_input\",\"action_id\":\"why\"}},{\"type\":\"actions\","
	    "\"elements\":[{\"type\":\"button\",\"action_id\":\"yes\",\"text\":{\"type\":\"plain_text\","
	    "\"text\":\"Yes\"}}]}]";
	struct websocket *w = slack_attach(t, rig);
	struct json_object *sent, *o;

	sent = slack_call(t, rig, "chat.postMessage", "{\"channel\":\"%s\",\"text\":\"Sure?\",\"blocks\":%s}",
	    slack_dev(t, rig), blocks);
	slack_hear_event(t, w, "message");
	json_object_put(slack_control(t, rig, "press",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"yes\",\"values\":{\"b\":{"
	    "\"why\":{\"type\":\"plain_text_input\",\"value\":\"so\"}}}",
	    slack_at(sent, "ts")));
	o = slack_hear(t, w);
	slack_has(o, "payload.state.values.b.why.value", "so");
	json_object_put(o);
	json_object_put(sent);
	leave(t, w);
}

SLACK_TEST(only_commands_that_are_declared_can_be_given)
{
	struct websocket *w = slack_attach(t, rig);
	struct slack_reply reply;
	struct json_object *o;

	slack_set(t, rig, "\"commands\":[{\"command\":\"/deploy\",\"description\":\"Bring it out\"}]");
	json_object_put(slack_control(t, rig, "command",
	    "\"chat\":\"ann\",\"kind\":\"private\",\"user\":\"ann\",\"command\":\"/deploy\""));
	slack_hear_event(t, w, "app_home_opened");
	o = slack_hear(t, w);
	slack_has(o, "payload.command", "/deploy");
	json_object_put(o);
	slack_send(t, rig,
	    &(struct slack_request){.path = "/control/command",
		.body = "{\"platform\":\"slack\",\"chat\":\"ann\",\"kind\":\"private\",\"user\":\"ann\","
			"\"command\":\"/other\"}"},
	    &reply);
	slack_has(reply.json, "error", "/other is not a valid command: the app declares none of that name");
	slack_reply_clear(&reply);
	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/control/about?platform=slack&chat=ann", .method = "GET", .content_type = ""},
	    &reply);
	slack_has(reply.json, "commands.0.command", "/deploy");
	slack_has(reply.json, "commands.0.description", "Bring it out");
	slack_reply_clear(&reply);
	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/control/settings", .body = "{\"slack\":{\"commands\":[{\"command\":\"deploy\"}]}}"},
	    &reply);
	assert_int_equal(reply.status, 400);
	slack_reply_clear(&reply);
	leave(t, w);
}

SLACK_TEST(what_is_not_acknowledged_is_in_the_report)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *envelope;

	slack_say(t, rig, "hello");
	envelope = slack_hear(t, w);
	slack_acknowledge(t, w, envelope);
	json_object_put(envelope);
	slack_pass(t, 3000);
	slack_reported(t, rig, "unacknowledged", "events_api", 0);
	slack_say(t, rig, "again");
	json_object_put(slack_hear(t, w));
	slack_pass(t, 3000);
	slack_reported(t, rig, "unacknowledged", "events_api", 1);
	leave(t, w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_hello_says_what_the_connection_is),
	    cmocka_unit_test(a_ticket_is_good_once_and_for_half_a_minute),
	    cmocka_unit_test(an_event_is_sent_again_at_once_after_a_minute_and_after_five),
	    cmocka_unit_test(an_acknowledgement_ends_the_retries),
	    cmocka_unit_test(how_long_an_acknowledgement_took_is_recorded),
	    cmocka_unit_test(what_waits_to_be_sent_again_goes_at_once_where_that_is_wanted),
	    cmocka_unit_test(what_waits_to_be_sent_again_outlives_a_restart),
	    cmocka_unit_test(an_acknowledgement_counts_on_its_own_connection_only),
	    cmocka_unit_test(what_waits_on_a_connection_that_breaks_goes_to_another),
	    cmocka_unit_test(an_event_that_breaks_off_at_any_byte_comes_again),
	    cmocka_unit_test(what_is_no_acknowledgement_is_noted),
	    cmocka_unit_test(a_connection_lives_its_time_and_is_warned),
	    cmocka_unit_test(connections_end_as_they_are_told_to),
	    cmocka_unit_test(an_event_prefers_a_connection_that_stays),
	    cmocka_unit_test(a_silent_connection_says_nothing_and_misses_what_is_sent),
	    cmocka_unit_test(a_hello_may_be_late_and_nothing_comes_before_it),
	    cmocka_unit_test(a_mention_is_two_events_in_either_order),
	    cmocka_unit_test(changes_files_and_broadcasts_come_as_their_own_kinds),
	    cmocka_unit_test(an_app_hears_of_its_own_conversations_only),
	    cmocka_unit_test(a_press_needs_a_connection_and_takes_no_answer),
	    cmocka_unit_test(what_was_filled_in_comes_with_the_press),
	    cmocka_unit_test(only_commands_that_are_declared_can_be_given),
	    cmocka_unit_test(what_is_not_acknowledged_is_in_the_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
