/* Conversations over the simulated Discord, with the real gateway: where it answers, and what a lost
 * connection loses. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/ops/exposition.h"
#include "lib/client.h"

#define TOKEN "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.flowTestTokenOfTheFlowTests0123456"
#define ANN   "77"

static struct flow f;

/* A Discord channel beside the others. */
static void configure(const char *token, const char *more)
{
	char *channel = xasprintf(
	    "}; discord: { type = \"discord\"; token = \"%s\"; api_base = \"%s/discord/api/v10\"; %s%s",
	    token, f.url, !strstr(more, "allow") ? "allow = [\"" ANN "\"]; " : "", more);

	flow_config(&f, "", channel);
	free(channel);
}

static void ready(void)
{
	configure(TOKEN, "");
	flow_gateway(&f, true);
	flow_await_log(&f, "connected as");
}

static void say(const char *chat, const char *thread, const char *text)
{
	const char *kind = strcmp(chat, ANN) == 0 ? "private" : "group";

	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"discord\",\"chat\":\"%s\",\"user\":\"" ANN
	    "\",\"kind\":\"%s\",\"text\":\"%s\"%s%s%s}",
	    chat, kind, text, thread ? ",\"thread\":\"" : "", thread ? thread : "", thread ? "\"" : ""));
}

/* {"action":…} on every connection. */
static void on_socket(const char *members)
{
	json_object_put(flow_control(&f, "socket", "{\"platform\":\"discord\",%s}", members));
}

/* more: further parameters, NULL for none. */
static struct json_object *transcript(const char *chat, const char *more)
{
	char *path = xasprintf(
	    "/control/transcript?platform=discord&chat=%s%s%s", chat, more ? "&" : "", more ? more : "");
	struct json_object *o = flow_get(&f, path);

	free(path);
	return o;
}

static void await_sessions(int64_t count)
{
	for (uint64_t due = flow_deadline();;
	     flow_look(&f, due, "there are never %lld sessions", (long long)count)) {
		struct json_object *o = flow_control(&f, "socket", "{\"platform\":\"discord\"}");
		bool found = json_get_int(o, "sessions", 0) == count;

		json_object_put(o);
		if (found)
			return;
	}
}

/* How many messages of the bot have this text in them, and no "…" of a preview. */
static size_t count_of(const char *chat, const char *more, const char *text)
{
	struct json_object *o = transcript(chat, more), *list = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *m = json_object_array_get_idx(list, i);
		n += json_get_bool(m, "bot", false) && strstr(json_get_str(m, "text"), text) &&
		    !strstr(json_get_str(m, "text"), "…");
	}
	json_object_put(o);
	return n;
}

static void await_answer(const char *chat, const char *more, const char *text)
{
	for (uint64_t due = flow_deadline(); count_of(chat, more, text) == 0;)
		flow_look(&f, due, "nobody said \"%s\" in %s", text, chat);
}

/* Every request was one that Discord takes. */
static void expect_no_refusals(void)
{
	struct json_object *o = flow_get(&f, "/control/requests?platform=discord");
	struct json_object *list = json_get_array(o, "requests");

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *r = json_object_array_get_idx(list, i);
		if (strcmp(json_get_str(r, "verdict"), "ok") != 0)
			fail_msg("refused: %s", json_object_get_string(r));
	}
	json_object_put(o);
}

static size_t count_requests(const char *method)
{
	struct json_object *o = flow_get(&f, "/control/requests?platform=discord");
	struct json_object *list = json_get_array(o, "requests");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(list); i++)
		n += strcmp(json_get_str(json_object_array_get_idx(list, i), "method"), method) == 0;
	json_object_put(o);
	return n;
}

static void who_speaks_to_it_is_answered_where_they_spoke(void **state)
{
	struct json_object *o;
	const char *thread = "plans";

	(void)state;
	ready();
	say("general", NULL, "nobody in particular");
	say("general", NULL, "@bot first question");
	await_answer("general", NULL, "first question");
	o = flow_control(&f, "topic",
	    "{\"platform\":\"discord\",\"chat\":\"general\",\"user\":\"" ANN
	    "\",\"kind\":\"group\",\"action\":\"create\",\"thread\":\"plans\"}");
	json_object_put(o);
	say("general", thread, "@bot second question");
	await_answer("general", "thread=plans", "second question");
	assert_int_equal(count_of("general", "thread=general", "second question"), 0);
	say(ANN, NULL, "third question");
	await_answer(ANN, NULL, "third question");
	/* A person is a place to write to, too. */
	assert_int_equal(flow_myna(&f, NULL, "send", "discord:@" ANN, "the build is green", NULL), 0);
	await_answer(ANN, NULL, "the build is green");
	assert_int_equal(flow_myna(&f, NULL, "send", "discord:nowhere", "x", NULL), 1);
	/* What was said to nobody is context, and not answered. */
	assert_int_equal(count_of("general", "thread=general", ""), 1);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	expect_no_refusals();
}

static void a_command_is_answered_in_its_place(void **state)
{
	(void)state;
	ready();
	flow_until(&f, count_requests("PUT /applications/commands") > 0);
	json_object_put(flow_control(&f, "command",
	    "{\"platform\":\"discord\",\"chat\":\"" ANN "\",\"user\":\"" ANN
	    "\",\"kind\":\"private\",\"command\":\"whoami\"}"));
	await_answer(ANN, NULL, ANN);
	assert_int_equal(count_requests("PATCH /webhooks/messages/@original"), 1);
	/* The list did not change: a restart does not set it again. */
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_gateway(&f, true);
	say(ANN, NULL, "once more");
	await_answer(ANN, NULL, "once more");
	assert_int_equal(count_requests("PUT /applications/commands"), 1);
	expect_no_refusals();
}

static void a_connection_that_is_lost_loses_nothing(void **state)
{
	static const char *const ways[] = {
	    "\"action\":\"reconnect\"",
	    "\"action\":\"abort\"",
	};
	char text[40];

	(void)state;
	ready();
	say(ANN, NULL, "before");
	await_answer(ANN, NULL, "before");
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		on_socket(ways[i]);
		snprintf(text, sizeof(text), "during way%zu", i);
		say(ANN, NULL, text);
		await_answer(ANN, NULL, text);
		assert_int_equal(count_of(ANN, NULL, text), 1);
	}
	assert_int_equal(count_requests("gateway IDENTIFY"), 1);
	/* The process itself, too: the session lives on. */
	flow_gateway_kill(&f);
	say(ANN, NULL, "while it was dead");
	flow_gateway(&f, true);
	await_answer(ANN, NULL, "while it was dead");
	assert_int_equal(count_of(ANN, NULL, "while it was dead"), 1);
	assert_int_equal(count_requests("gateway IDENTIFY"), 1);
	expect_no_refusals();
}

static void what_a_lost_session_missed_is_fetched_once(void **state)
{
	(void)state;
	ready();
	say(ANN, NULL, "before");
	await_answer(ANN, NULL, "before");
	say("general", NULL, "@bot known");
	await_answer("general", NULL, "known");
	json_object_put(flow_control(&f, "topic",
	    "{\"platform\":\"discord\",\"chat\":\"general\",\"user\":\"" ANN
	    "\",\"kind\":\"group\",\"action\":\"create\",\"thread\":\"plans\"}"));
	on_socket("\"action\":\"abort\",\"resumable\":false");
	say(ANN, NULL, "missed one");
	say(ANN, NULL, "missed two");
	say("general", NULL, "@bot missed three");
	say("general", "plans", "@bot missed four");
	await_answer(ANN, NULL, "missed one");
	await_answer(ANN, NULL, "missed two");
	await_answer("general", NULL, "missed three");
	await_answer("general", "thread=plans", "missed four");
	say(ANN, NULL, "after");
	await_answer(ANN, NULL, "after");
	assert_int_equal(count_of(ANN, NULL, "before"), 1);
	assert_int_equal(count_of(ANN, NULL, "missed one"), 1);
	assert_int_equal(count_of("general", NULL, "known"), 1);
	assert_int_equal(count_of("general", NULL, "missed three"), 1);
	assert_int_equal(count_of("general", "thread=plans", "missed four"), 1);
	assert_int_equal(count_requests("gateway IDENTIFY"), 2);
}

static void what_is_cut_off_while_it_is_sent_is_shown_once(void **state)
{
	static const char *const faults[] = {
	    "\"kind\":\"cut\",\"at_byte\":0",
	    "\"kind\":\"cut\",\"at_byte\":300",
	    "\"kind\":\"garbage\"",
	    "\"kind\":\"status\",\"status\":502",
	    "\"kind\":\"retry_after\",\"seconds\":1",
	};
	char text[40], chat[16];

	(void)state;
	ready();
	/* Each in a channel of its own, so that they are tried again at the same time. */
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		size_t before = count_requests("POST /channels/messages");

		json_object_put(flow_control(&f, "fault",
		    "{\"platform\":\"discord\",\"method\":\"POST /channels/messages\",\"count\":1,%s}",
		    faults[i]));
		snprintf(text, sizeof(text), "@bot under fault%zu", i);
		snprintf(chat, sizeof(chat), "room%zu", i);
		say(chat, NULL, text);
		flow_until(&f, count_requests("POST /channels/messages") > before);
	}
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		snprintf(chat, sizeof(chat), "room%zu", i);
		await_answer(chat, NULL, "under fault");
		say(chat, NULL, "@bot the end");
		await_answer(chat, NULL, "the end");
		assert_int_equal(count_of(chat, NULL, "under fault"), 1);
		assert_int_equal(count_of(chat, NULL, "may be a repeat"), 0);
	}
}

static size_t count_shown(const char *chat)
{
	struct json_object *o = transcript(chat, NULL), *list = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		n += json_get_bool(json_object_array_get_idx(list, i), "bot", false);
	json_object_put(o);
	return n;
}

static void a_preview_whose_answer_was_lost_becomes_the_answer(void **state)
{
	(void)state;
	configure(TOKEN, "preview_after = \"0 s\";");
	flow_gateway(&f, true);
	flow_await_log(&f, "connected as");
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"discord\",\"method\":\"POST "
	    "/channels/messages\",\"count\":1,\"kind\":\"cut\",\"at_byte\":0}"));
	say("room", NULL, "@bot count to 40");
	await_answer("room", NULL, "40");
	assert_int_equal(count_shown("room"), 1);
}

/* The bot's message that has a button with this label: its id, malloc'd. */
static char *await_button(const char *chat, const char *label)
{
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "no message has the button %s", label)) {
		struct json_object *o = transcript(chat, NULL), *list = json_get_array(o, "messages");
		char *found = NULL;

		for (size_t i = 0; i < json_object_array_length(list); i++) {
			struct json_object *m = json_object_array_get_idx(list, i),
					   *buttons = json_get_array(m, "buttons");

			if (json_object_array_length(buttons) > 0 &&
			    strcmp(json_get_str(json_object_array_get_idx(buttons, 0), "label"), label) == 0)
				found = xstrdup(json_get_str(m, "id"));
		}
		json_object_put(o);
		if (found)
			return found;
	}
}

static void an_answer_is_shown_as_it_grows_and_can_be_stopped(void **state)
{
	struct json_object *o;
	char *id;

	(void)state;
	ready();
	say("general", NULL, "@bot count to 900, and stop me");
	id = await_button("general", "Stop");
	flow_press(&f, "discord", "general", ANN, id, "Stop");
	await_answer("general", NULL, "topped");
	o = transcript("general", NULL);
	for (size_t i = 0; i < json_object_array_length(json_get_array(o, "messages")); i++)
		assert_int_equal(json_object_array_length(json_get_array(
				     json_object_array_get_idx(json_get_array(o, "messages"), i), "buttons")),
		    0);
	json_object_put(o);
	free(id);
	expect_no_refusals();
}

/* Discord knows of no follow-up before the press is acknowledged, however long that takes. */
static void a_press_is_answered_after_it_was_acknowledged(void **state)
{
	struct json_object *o, *list;
	char *id;

	(void)state;
	configure(TOKEN, "allow = [\"" ANN "\", \"78\"];");
	flow_gateway(&f, true);
	flow_await_log(&f, "connected as");
	say("general", NULL, "@bot count to 900, and stop me");
	id = await_button("general", "Stop");
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"discord\",\"method\":\"POST "
	    "/interactions/callback\",\"kind\":\"stall\",\"seconds\":1}"));
	flow_press(&f, "discord", "general", "78", id, "Stop");
	await_answer("general", NULL, "Only the person who asked");
	o = transcript("general", NULL);
	list = json_get_array(o, "interactions");
	assert_string_equal(json_get_str(json_object_array_get_idx(list, 0), "state"), "answered");
	json_object_put(o);
	free(id);
	expect_no_refusals();
}

static void a_new_server_is_greeted_unless_somebody_talks_already(void **state)
{
	(void)state;
	configure(TOKEN, "allow = [\"" ANN "\", \"*\"];");
	flow_gateway(&f, true);
	flow_await_log(&f, "connected as");
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"discord\",\"chat\":\"hall\",\"kind\":\"group\",\"user\":\"" ANN
	    "\",\"guild\":\"second\",\"text\":\"@bot at once\"}"));
	json_object_put(flow_control(&f, "chat",
	    "{\"platform\":\"discord\",\"chat\":\"lobby\",\"kind\":\"group\",\"user\":\"" ANN "\"}"));
	await_answer("lobby", NULL, "Hello");
	/* That was later than a greeting of the other would have been. */
	assert_int_equal(count_of("hall", "guild=second", ""), 1);
}

static void a_silent_connection_is_replaced(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "settings", "{\"discord\":{\"heartbeat_ms\":1000}}"));
	ready();
	say(ANN, NULL, "before");
	await_answer(ANN, NULL, "before");
	on_socket("\"action\":\"heartbeat\"");
	on_socket("\"action\":\"drop_acks\"");
	flow_await_log(&f, "did not answer a heartbeat");
	say(ANN, NULL, "after");
	await_answer(ANN, NULL, "after");
	assert_int_equal(count_requests("gateway IDENTIFY"), 1);
	expect_no_refusals();
}

static void nonsense_and_pieces_of_the_gateway_are_stood(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "settings", "{\"discord\":{\"fragments\":9}}"));
	ready();
	on_socket("\"action\":\"post\",\"text\":\"{\\\"op\\\":99,\\\"d\\\":[1]}\"");
	on_socket("\"action\":\"post\",\"text\":\"{\\\"op\\\":0,\\\"t\\\":\\\"MESSAGE_CREATE\\\",\\\"s\\\":1,"
		  "\\\"d\\\":{}}\"");
	say(ANN, NULL, "say one");
	await_answer(ANN, NULL, "one");
	on_socket("\"action\":\"post\",\"text\":\"<html>\"");
	flow_await_log(&f, "invalid JSON");
	say(ANN, NULL, "say two");
	await_answer(ANN, NULL, "two");
	assert_int_equal(count_of(ANN, NULL, "one"), 1);
}

/* What a lost session missed is fetched before what comes; Discord waits three seconds. */
static void a_command_is_acknowledged_while_what_was_missed_is_fetched(void **state)
{
	struct json_object *o;

	(void)state;
	ready();
	say("general", NULL, "@bot say one");
	await_answer("general", NULL, "one");
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"discord\",\"method\":\"GET "
	    "/channels/messages\",\"kind\":\"stall\",\"seconds\":5,\"count\":5}"));
	on_socket("\"action\":\"close\",\"code\":4000,\"resumable\":false");
	flow_await_log(&f, "not valid any more");
	say("general", NULL, "missed");
	await_sessions(1);
	json_object_put(flow_control(&f, "command",
	    "{\"platform\":\"discord\",\"chat\":\"general\",\"user\":\"" ANN "\",\"command\":\"whoami\"}"));
	await_answer("general", NULL, ANN);
	o = transcript("general", NULL);
	assert_string_equal(
	    json_get_str(json_object_array_get_idx(json_get_array(o, "interactions"), 0), "state"),
	    "answered");
	json_object_put(o);
	expect_no_refusals();
}

static void sessions_are_not_begun_until_the_token_is_lost(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "settings", "{\"discord\":{\"session_starts\":10}}"));
	configure(TOKEN, "");
	flow_gateway(&f, false);
	flow_await_log(&f, "too many sessions were started today: waiting 240 min");
	assert_int_equal(count_requests("gateway IDENTIFY"), 0);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void what_a_person_must_change_is_said(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "settings", "{\"discord\":{\"message_content\":false}}"));
	ready();
	flow_await_log(&f, "the Message Content Intent is off: private chats, mentions and replies work");
	say("general", NULL, "@bot are you there");
	await_answer("general", NULL, "are you there");
	on_socket("\"action\":\"close\",\"code\":4004");
	flow_await_log(&f, "channel stopped: the token was refused: put the right one");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	configure("MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.revokedTokenOfTheFlowTests0123456", "");
	flow_gateway(&f, false);
	flow_await_log(&f, "the token was refused (401)");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	configure(TOKEN, "message_content = \"required\";");
	flow_gateway(&f, false);
	flow_await_log(&f, "channel stopped: the Message Content Intent is off: switch it on");
}

#define WEB_TOKEN "flow-test-token-0123456789"

static void metrics_show(int shards, int ready)
{
	static const char says[] = "listening on 127.0.0.1:0 port=",
			  of[] = "{channel=\"discord\",type=\"discord\"}";
	char *log = flow_log(&f), *at = strstr(log, says), *url, *series;
	struct client_request req = {
	    .header = "Authorization: Bearer " WEB_TOKEN, .timeout_ms = FLOW_WAIT_MS};
	struct client_reply reply;

	assert_non_null(at);
	req.url = url = xasprintf("http://127.0.0.1:%ld/metrics", strtol(at + strlen(says), NULL, 10));
	client_send(&req, &reply);
	exposition_check(reply.body);
	series = xasprintf("myna_channel_shards%s", of);
	assert_true(exposition_value(reply.body, series) == shards);
	free(series);
	series = xasprintf("myna_channel_shards_ready%s", of);
	assert_true(exposition_value(reply.body, series) == ready);
	free(series);
	client_reply_clear(&reply);
	free(url);
	free(log);
}

static void how_many_shards_are_ready_is_shown(void **state)
{
	char *channel =
	    xasprintf("}; discord: { type = \"discord\"; token = \"" TOKEN
		      "\"; api_base = \"%s/discord/api/v10\"; admins = [\"" ANN "\"]; shards = 2; ",
		f.url);
	char *said;

	(void)state;
	json_object_put(
	    flow_control(&f, "settings", "{\"discord\":{\"limits\":false,\"max_concurrency\":2}}"));
	flow_config(&f, "http: { listen = \"127.0.0.1:0\"; token = \"" WEB_TOKEN "\"; };", channel);
	free(channel);
	flow_gateway(&f, true);
	flow_await_log(&f, "connected as");
	metrics_show(2, 2);
	assert_int_equal(flow_myna(&f, &said, "status", NULL), 0);
	assert_non_null(strstr(said, "2 of 2 shards ready; connected as"));
	free(said);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"discord\",\"method\":\"gateway\",\"kind\":\"close\",\"count\":-1}"));
	json_object_put(
	    flow_control(&f, "socket", "{\"platform\":\"discord\",\"action\":\"abort\",\"shard\":1}"));
	flow_await_log(&f, "channel degraded: shard 1: ");
	metrics_show(2, 1);
	flow_myna(&f, &said, "doctor", NULL);
	assert_non_null(strstr(said, "degraded: 1 of 2 shards ready; shard 1: "));
	free(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(who_speaks_to_it_is_answered_where_they_spoke, flow_begin, &f),
	    FLOW_TEST(a_command_is_answered_in_its_place, flow_begin, &f),
	    FLOW_TEST(a_connection_that_is_lost_loses_nothing, flow_begin, &f),
	    FLOW_TEST(what_a_lost_session_missed_is_fetched_once, flow_begin, &f),
	    FLOW_TEST(what_is_cut_off_while_it_is_sent_is_shown_once, flow_begin, &f),
	    FLOW_TEST(a_preview_whose_answer_was_lost_becomes_the_answer, flow_begin, &f),
	    FLOW_TEST(an_answer_is_shown_as_it_grows_and_can_be_stopped, flow_begin, &f),
	    FLOW_TEST(a_press_is_answered_after_it_was_acknowledged, flow_begin, &f),
	    FLOW_TEST(a_new_server_is_greeted_unless_somebody_talks_already, flow_begin, &f),
	    FLOW_TEST(a_silent_connection_is_replaced, flow_begin, &f),
	    FLOW_TEST(nonsense_and_pieces_of_the_gateway_are_stood, flow_begin, &f),
	    FLOW_TEST(a_command_is_acknowledged_while_what_was_missed_is_fetched, flow_begin, &f),
	    FLOW_TEST(sessions_are_not_begun_until_the_token_is_lost, flow_begin, &f),
	    FLOW_TEST(what_a_person_must_change_is_said, flow_begin, &f),
	    FLOW_TEST(how_many_shards_are_ready_is_shown, flow_begin, &f),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
