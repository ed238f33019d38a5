/* Worlds beside the first one: /control/world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/http/http.h"
#include "net/websocket/websocket.h"
#include "playground/discord/discord_rig.h"
#include "playground/fixture.h"
#include "playground/slack/slack_rig.h"

#define DAY 86400

static int64_t number(struct json_object *o, const char *path)
{
	return json_object_get_int64(client_object_at(o, path));
}

static int64_t now_s(void)
{
	struct json_object *o = client_get(at("/control/clock"), 200);
	int64_t s = number(o, "time_ms") / 1000;

	json_object_put(o);
	return s;
}

/* A call of Slack's or Discord's bot to the world at that address. */
static struct json_object *call_in(
    const char *url, const char *path, const char *token, const char *body, int status)
{
	char *to = xasprintf("%s/%s", url, path), *header = xasprintf("Authorization: %s", token);
	struct client_reply r;
	struct json_object *o;

	client_send(
	    &(struct client_request){
		.url = to, .body = body, .header = header, .content_type = "application/json; charset=utf-8"},
	    &r);
	if (r.status != status)
		fail_msg("%s answered %d, not %d: %s", to, r.status, status, r.body);
	o = json_object_get(r.json);
	client_reply_clear(&r);
	free(to);
	free(header);
	return o;
}

static struct json_object *slack_in(const char *url, const char *method, const char *body)
{
	char *path = xasprintf("slack/api/%s", method);
	struct json_object *o = call_in(url, path,
	    strcmp(method, "apps.connections.open") == 0 ? "Bearer " APP_TOKEN : "Bearer " BOT_TOKEN, body,
	    200);

	free(path);
	assert_true(json_get_bool(o, "ok", false));
	return o;
}

/* POST PATH in the world at that address. */
static struct json_object *in_world(const char *url, const char *path, const char *body)
{
	char *to = xasprintf("%s/%s", url, path);
	struct json_object *o = client_post(to, 200, "%s", body);

	free(to);
	return o;
}

static struct json_object *bot_in(const char *url, const char *method, const char *body)
{
	char *path = xasprintf("telegram/bot" TOKEN "/%s", method);
	struct json_object *o = in_world(url, path, body);

	free(path);
	return o;
}

static char *begin_world(const char *name)
{
	struct json_object *o = control("world", "{\"name\":\"%s\"}", name);
	char *url = xstrdup(client_at(o, "url"));

	json_object_put(o);
	return url;
}

static void worlds_stand_side_by_side(void **state)
{
	static const char poll[] =
	    "{\"chat_id\":77,\"question\":\"a\",\"options\":[\"b\",\"c\"],\"open_period\":600}",
			  hello[] = "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"hello\"}",
			  last[] = "{\"offset\":-1}";
	char *a = begin_world("a"), *b = begin_world("b"), *again = begin_world("a");
	int64_t before = now_s();
	struct json_object *o;

	(void)state;
	assert_string_equal(a, again);
	json_object_put(in_world(a, "control/say", hello));
	expect_once(bot_in(a, "getUpdates", "{}"), "result.0.message.text", "hello");
	expect_once(bot_in(b, "getUpdates", "{}"), "result.0", "");
	expect_once(bot("getUpdates", 200, "{}"), "result.0", "");
	json_object_put(in_world(b, "control/say", hello));
	json_object_put(bot_in(a, "sendPoll", poll));
	json_object_put(bot_in(b, "sendPoll", poll));
	/* What really passed meanwhile is a part of it. */
	o = in_world(a, "control/clock", "{\"advance\":86400}");
	assert_in_range(number(o, "ahead_ms"), DAY * 1000 - 60000, DAY * 1000);
	json_object_put(o);
	expect_once(bot_in(a, "getUpdates", last), "result.0.poll.is_closed", "true");
	expect_once(bot_in(b, "getUpdates", last), "result.0.message.text", "hello");
	assert_in_range(now_s() - before, 0, 60);
	o = in_world(b, "control/clock", "{\"advance\":300}");
	assert_in_range(number(o, "ahead_ms"), 300000 - 60000, 300000);
	json_object_put(o);
	json_object_put(in_world(b, "control/clock", "{\"advance\":301}"));
	expect_once(bot_in(b, "getUpdates", last), "result.0.poll.is_closed", "true");
	json_object_put(in_world(a, "control/reset", "{}"));
	expect_once(in_world(b, "control/wait", "{\"platform\":\"telegram\",\"chat\":\"77\",\"count\":2}"),
	    "messages.0.text", "hello");
	json_object_put(control("world", "{\"name\":\"a\",\"end\":true}"));
	o = client_get(at("/control/worlds"), 200);
	expect_at(o, "worlds.0.name", "b");
	expect_once(o, "worlds.1", "");
	expect_once(client_post(at("/control/world"), 400, "{\"name\":\"a\",\"end\":true}"), "error",
	    "there is no world \"a\"");
	free(a);
	free(b);
	free(again);
}

static struct json_object *get_in(const char *url, const char *path)
{
	char *from = xasprintf("%s/%s", url, path);
	struct json_object *o = client_get(from, 200);

	free(from);
	return o;
}

/* A person of that world says it in dev. */
static char *say_in(const char *url, const char *platform, const char *kind, const char *text)
{
	char *body = xasprintf("{\"platform\":\"%s\",\"chat\":\"dev\",\"kind\":\"%s\",\"user\":\"Ann\","
			       "\"text\":\"%s\"}",
	    platform, kind, text);
	struct json_object *o = in_world(url, "control/say", body);
	char *chat = xstrdup(client_at(o, "chat_id"));

	json_object_put(o);
	free(body);
	return chat;
}

/* What dev shows in that world: the message of the person, and the bot's. */
static void expect_dev(const char *url, const char *platform, const char *said, const char *answered)
{
	char *path = xasprintf("control/transcript?platform=%s&chat=dev", platform);
	struct json_object *o = get_in(url, path);

	expect_at(o, "messages.0.text", said);
	expect_at(o, "messages.1.text", answered);
	expect_at(o, "messages.2", "");
	json_object_put(o);
	free(path);
}

/* ws://HOST:PORT/ of the world at http://HOST:PORT. */
static void expect_own_address(const char *socket_url, const char *url)
{
	if (strncmp(socket_url, "ws", 2) != 0 || strncmp(socket_url + 2, url + 4, strlen(url) - 4) != 0)
		fail_msg("%s is not in the world at %s", socket_url, url);
}

/* Slack's Socket Mode of that world. */
static struct websocket *attach(struct task *t, const char *url)
{
	struct json_object *o = slack_in(url, "apps.connections.open", "{}");
	struct websocket_options options = {.url = client_at(o, "url")};
	struct error err = {0};
	struct websocket *w;

	expect_own_address(options.url, url);
	w = websocket_open(t, &options, &err);
	if (!w)
		fail_msg("%s", err.text);
	json_object_put(o);
	expect_once(slack_hear(t, w), "type", "hello");
	return w;
}

/* The next message of the connection is this one; the bot answers it. */
static void slack_converse(struct task *t, struct websocket *w, const char *url, const char *said)
{
	char *chat = say_in(url, "slack", "channel", said),
	     *body = xasprintf("{\"channel\":\"%s\",\"text\":\"%s, too\"}", chat, said);
	struct json_object *o = slack_hear(t, w);

	expect_at(o, "payload.event.text", said);
	expect_at(o, "payload.event.channel", chat);
	slack_acknowledge(t, w, o);
	json_object_put(o);
	json_object_put(slack_in(url, "chat.postMessage", body));
	expect_at(o = slack_hear(t, w), "payload.event.bot_profile.name", "myna");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	free(body);
	free(chat);
}

static struct websocket *login(struct task *t, const char *url)
{
	struct json_object *o = call_in(url, "discord/api/v10/gateway", "none", NULL, 200), *ready;
	struct websocket *w = discord_connect_at(t, client_at(o, "url"), "v=10&encoding=json");

	expect_own_address(client_at(o, "url"), url);
	json_object_put(o);
	expect_once(discord_hear(t, w), "op", "10");
	discord_tell(t, w,
	    "{\"op\":2,\"d\":{\"token\":\"" DISCORD_TOKEN "\",\"intents\":" DISCORD_USUAL
	    ",\"properties\":{\"os\":\"linux\",\"browser\":\"x\",\"device\":\"x\"}}}");
	ready = discord_hear_event(t, w, "READY");
	expect_own_address(client_at(ready, "d.resume_gateway_url"), url);
	json_object_put(ready);
	return w;
}

/* The next message; before the first one the bot hears of the guild. */
static struct json_object *hear_message(struct task *t, struct websocket *w)
{
	for (;;) {
		struct json_object *o = discord_hear(t, w);

		if (strcmp(client_at(o, "t"), "MESSAGE_CREATE") == 0)
			return o;
		json_object_put(o);
	}
}

static void discord_converse(struct task *t, struct websocket *w, const char *url, const char *said)
{
	char *chat = say_in(url, "discord", "group", said),
	     *body = xasprintf("{\"content\":\"%s, too\"}", said),
	     *path = xasprintf("discord/api/v10/channels/%s/messages", chat),
	     *answer = xasprintf("%s, too", said);
	struct json_object *o = hear_message(t, w);

	expect_at(o, "d.content", said);
	expect_once(o, "d.channel_id", chat);
	json_object_put(call_in(url, path, "Bot " DISCORD_TOKEN, body, 200));
	expect_once(hear_message(t, w), "d.content", answer);
	free(chat);
	free(body);
	free(path);
	free(answer);
}

/* What comes first on the connection of one world is what was said last there, not what was said in the
 * other meanwhile. */
static void talk_in_worlds(struct task *t, void *arg)
{
	char *side = begin_world("side"), *first = xstrdup(at("%s", ""));
	struct websocket *slack_side = attach(t, side), *slack_first = attach(t, first), *discord_side,
			 *discord_first;

	(void)arg;
	slack_converse(t, slack_side, side, "one");
	slack_converse(t, slack_first, first, "two");
	expect_dev(side, "slack", "one", "one, too");
	expect_dev(first, "slack", "two", "two, too");
	discord_side = login(t, side);
	discord_first = login(t, first);
	discord_converse(t, discord_side, side, "three");
	discord_converse(t, discord_first, first, "four");
	expect_dev(side, "discord", "three", "three, too");
	expect_dev(first, "discord", "four", "four, too");
	websocket_close(t, slack_side, 1000, "");
	websocket_close(t, slack_first, 1000, "");
	websocket_close(t, discord_side, 1000, "");
	websocket_close(t, discord_first, 1000, "");
	json_object_put(control("world", "{\"name\":\"side\",\"end\":true}"));
	http_finish();
	free(side);
	free(first);
}

static void worlds_have_connections_of_their_own(void **state)
{
	(void)state;
	task_run("worlds", talk_in_worlds, NULL);
}

/* Settings, faults and report of a world as text. */
static char *state_of(const char *url)
{
	struct json_object *settings = get_in(url, "control/settings"),
			   *faults = get_in(url, "control/faults"), *report = get_in(url, "control/report");
	char *text = xasprintf("%s %s %s", json_object_get_string(settings), json_object_get_string(faults),
	    json_object_get_string(report));

	json_object_put(settings);
	json_object_put(faults);
	json_object_put(report);
	return text;
}

static void expect_state(const char *url, const char *state)
{
	char *now = state_of(url);

	assert_string_equal(now, state);
	free(now);
}

static void what_is_ordered_in_a_world_stays_in_it(void **state)
{
	static const char *const orders[][2] = {
	    {"control/fault", "{\"platform\":\"slack\",\"kind\":\"status\",\"status\":503,\"count\":-1}"},
	    {"control/fault", "{\"platform\":\"discord\",\"kind\":\"outage\",\"seconds\":3600}"},
	    {"control/fault", "{\"platform\":\"telegram\",\"kind\":\"cut\",\"method\":\"getMe\"}"},
	    {"control/settings",
		"{\"telegram\":{\"privacy\":false},\"slack\":{\"ack_ms\":77},\"discord\":{\"members\":true}"
		"}"}};
	char *a = begin_world("a"), *b = begin_world("b"), *first = xstrdup(at("%s", "")), *b_was, *first_was;
	struct client_reply r;
	char *url;

	(void)state;
	b_was = state_of(b);
	first_was = state_of(first);
	for (size_t i = 0; i < ARRAY_LEN(orders); i++)
		json_object_put(in_world(a, orders[i][0], orders[i][1]));
	json_object_put(call_in(a, "slack/api/auth.test", "Bearer " BOT_TOKEN, "{}", 503));
	url = xasprintf("%s/discord/api/v10/users/@me", a);
	client_send(&(struct client_request){.url = url, .header = "Authorization: Bot " DISCORD_TOKEN}, &r);
	assert_int_equal(r.status, 0);
	client_reply_clear(&r);
	json_object_put(call_in(a, "telegram/bot" TOKEN "/sendMessage", "none", "{\"chat_id\":true}", 400));
	expect_once(get_in(a, "control/report"), "problems", "1");
	expect_once(get_in(a, "control/faults"), "faults.0.used", "1");
	expect_state(b, b_was);
	expect_state(first, first_was);
	json_object_put(slack_in(b, "auth.test", "{}"));
	json_object_put(call_in(b, "discord/api/v10/users/@me", "Bot " DISCORD_TOKEN, NULL, 200));
	json_object_put(slack_in(first, "auth.test", "{}"));
	json_object_put(in_world(b, "control/faults/clear", "{}"));
	json_object_put(in_world(b, "control/reset", "{}"));
	expect_once(get_in(a, "control/faults"), "faults.1.kind", "outage");
	expect_once(get_in(a, "control/report"), "problems", "1");
	json_object_put(control("world", "{\"name\":\"a\",\"end\":true}"));
	json_object_put(control("world", "{\"name\":\"b\",\"end\":true}"));
	free(url);
	free(a);
	free(b);
	free(first);
	free(b_was);
	free(first_was);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fixture_reset)
	static const struct CMUnitTest tests[] = {
	    TEST(worlds_stand_side_by_side),
	    TEST(worlds_have_connections_of_their_own),
	    TEST(what_is_ordered_in_a_world_stays_in_it),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
