#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define SEND "/telegram/bot" TOKEN "/sendMessage"

static struct client_reply send_now(void)
{
	struct client_reply r;

	client_send(&(struct client_request){.url = at(SEND), .body = "{\"chat_id\":77,\"text\":\"x\"}"}, &r);
	return r;
}

/* How many messages of the bot the chat shows. */
static size_t shown(void)
{
	struct json_object *o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200),
			   *array = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(array); i++)
		n += json_get_bool(json_object_array_get_idx(array, i), "bot", false);
	json_object_put(o);
	return n;
}

static void order(const char *json)
{
	json_object_put(control("fault", "{\"platform\":\"telegram\",\"method\":\"sendMessage\",%s}", json));
}

static void a_fault_may_come_before_anything_is_done(void **state)
{
	struct client_reply r;

	(void)state;
	say("hi");
	order("\"kind\":\"status\",\"status\":502");
	r = send_now();
	assert_int_equal(r.status, 502);
	assert_non_null(strstr(r.body, "<html>"));
	client_reply_clear(&r);
	order("\"kind\":\"status\",\"status\":500");
	r = send_now();
	expect_at(r.json, "error_code", "500");
	client_reply_clear(&r);
	order("\"kind\":\"retry_after\",\"seconds\":7");
	r = send_now();
	assert_int_equal(r.status, 429);
	expect_at(r.json, "parameters.retry_after", "7");
	assert_non_null(strcasestr(r.head, "retry-after: 7"));
	client_reply_clear(&r);
	order("\"kind\":\"close\"");
	r = send_now();
	assert_int_equal(r.status, 0);
	client_reply_clear(&r);
	assert_int_equal(shown(), 0);
}

static void a_fault_may_come_after_it_is_done(void **state)
{
	struct client_reply r;

	(void)state;
	say("hi");
	order("\"kind\":\"cut\",\"at_byte\":0");
	r = send_now();
	assert_int_equal(r.status, 0);
	client_reply_clear(&r);
	assert_int_equal(shown(), 1);
	order("\"kind\":\"cut\",\"at_byte\":150");
	r = send_now();
	assert_int_equal(r.status, 0);
	client_reply_clear(&r);
	assert_int_equal(shown(), 2);
	order("\"kind\":\"garbage\"");
	r = send_now();
	assert_int_equal(r.status, 200);
	assert_null(r.json);
	client_reply_clear(&r);
	assert_int_equal(shown(), 3);
	r = send_now();
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
}

/* One request to a platform, on a connection that stays, unless it is to end. */
static void get(const char *path, const char *token, bool last, struct buf *out)
{
	char *request = xasprintf("GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\n%s\r\n", path,
	    token, last ? "Connection: close\r\n" : "");

	raw_send(request, strlen(request), out);
	free(request);
}

/* The answer on a connection that stays. */
static void get_whole(const char *path, const char *token, struct buf *out)
{
	static const char end[] = "Connection: close\r\n";
	struct buf whole = BUF_INIT;
	char *at;

	get(path, token, true, &whole);
	at = strstr(whole.data, end);
	assert_non_null(at);
	buf_reset(out);
	buf_add(out, whole.data, (size_t)(at - whole.data));
	buf_addstr(out, at + strlen(end));
	buf_clear(&whole);
}

/* Between two equal answers: none has the time of another second. */
static void expect_cut(const char *platform, const char *path, const char *token, size_t at_byte)
{
	struct buf before = BUF_INIT, cut = BUF_INIT, after = BUF_INIT;

	do {
		get_whole(path, token, &before);
		json_object_put(control(
		    "fault", "{\"platform\":\"%s\",\"kind\":\"cut\",\"at_byte\":%zu}", platform, at_byte));
		get(path, token, false, &cut);
		get_whole(path, token, &after);
	} while (strcmp(before.data, after.data) != 0);
	assert_int_equal(cut.len, at_byte < before.len ? at_byte : before.len);
	assert_memory_equal(cut.data ? cut.data : "", before.data, cut.len);
	buf_clear(&before);
	buf_clear(&cut);
	buf_clear(&after);
}

static void an_answer_is_cut_at_any_byte(void **state)
{
	static const struct {
		const char *platform, *path, *token;
	} calls[] = {
	    {"telegram", "/telegram/bot" TOKEN "/getMe", "none"},
	    {"slack", "/slack/api/auth.test", "Bearer xoxb-1-2-one"},
	    {"discord", "/discord/api/v10/users/@me", "Bot OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
	};
	uint32_t seed = 20261130;

	(void)state;
	json_object_put(control("settings", "{\"slack\":{\"limits\":false},\"discord\":{\"limits\":false}}"));
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		struct buf whole = BUF_INIT;
		size_t head;

		get_whole(calls[i].path, calls[i].token, &whole);
		head = (size_t)(strstr(whole.data, "\r\n\r\n") - whole.data) + 4;
		assert_int_equal(strncmp(whole.data, "HTTP/1.1 200 OK\r\n", 17), 0);
		assert_true(whole.len > head + 20);
		for (size_t k = 0; k < 40; k++) {
			const size_t edges[] = {0, 1, head - 1, head, head + 1, whole.len - 1, whole.len};

			seed = seed * 1664525 + 1013904223;
			expect_cut(calls[i].platform, calls[i].path, calls[i].token,
			    k < ARRAY_LEN(edges) ? edges[k] : (seed >> 8) % whole.len);
		}
		buf_clear(&whole);
	}
}

static void a_stalled_request_is_held(void **state)
{
	struct client_reply r;

	(void)state;
	say("hi");
	order("\"kind\":\"stall\",\"seconds\":1");
	r = send_now();
	assert_int_equal(r.status, 200);
	assert_in_range(r.ms, 900, 25000);
	client_reply_clear(&r);
	order("\"kind\":\"stall\",\"seconds\":30");
	client_send(
	    &(struct client_request){
		.url = at(SEND), .body = "{\"chat_id\":77,\"text\":\"x\"}", .timeout_ms = 300},
	    &r);
	assert_int_equal(r.status, 0);
	client_reply_clear(&r);
	assert_int_equal(shown(), 1);
}

/* A half-open poll answers nobody, and does not get in the way of a new one. */
static void a_stalled_poll_is_deaf(void **state)
{
	struct client_async *poll;
	struct client_reply r;

	(void)state;
	json_object_put(control("fault",
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"kind\":\"stall\",\"seconds\":3}"));
	poll = client_send_async(&(struct client_request){
	    .url = at("/telegram/bot" TOKEN "/getUpdates"), .body = "{\"offset\":3,\"timeout\":30}"});
	client_arrive(poll, at("/control/chats"));
	say("hello");
	expect_once(bot("getUpdates", 200, "{\"timeout\":5,\"offset\":4}"), "result.0.message.text", "hello");
	assert_false(client_is_done(poll));
	client_await(poll, &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
}

static void faults_are_in_the_record(void **state)
{
	struct client_reply r;
	struct json_object *o;

	(void)state;
	say("hi");
	order("\"kind\":\"close\"");
	r = send_now();
	client_reply_clear(&r);
	o = client_get(at("/control/requests?platform=telegram&method=sendMessage"), 200);
	expect_at(o, "requests.0.fault", "close");
	expect_at(o, "requests.0.status", "0");
	json_object_put(o);
}

static int64_t number_at(struct json_object *o, const char *path)
{
	return json_object_get_int64(client_object_at(o, path));
}

static void the_record_says_when_in_microseconds(void **state)
{
	struct json_object *said, *records;
	int64_t began, ended;

	(void)state;
	said = control("say", "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"text\":\"hi\"}");
	order("\"kind\":\"stall\",\"seconds\":1");
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"x\"}"));
	records = client_get(at("/control/requests?platform=telegram&method=sendMessage"), 200);
	began = number_at(records, "requests.0.began_us");
	ended = number_at(records, "requests.0.time_us");
	assert_true(began > number_at(said, "time_us"));
	assert_in_range(ended - began, 1000000, 5000000);
	assert_int_equal(number_at(records, "requests.0.time_ms"), ended / 1000);
	json_object_put(records);
	json_object_put(said);
}

static void a_wait_ends_when_enough_was_said(void **state)
{
	struct client_async *wait;
	struct client_reply r;

	(void)state;
	wait = client_send_async(&(struct client_request){.url = at("/control/wait"),
	    .body = "{\"platform\":\"telegram\",\"chat\":\"77\",\"bot_messages\":2,\"timeout_ms\":20000}"});
	client_arrive(wait, at("/control/chats"));
	say("hi");
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"one\"}"));
	client_arrive(wait, at("/control/chats"));
	assert_false(client_is_done(wait));
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"two\"}"));
	client_await(wait, &r);
	assert_int_equal(r.status, 200);
	expect_at(r.json, "messages.2.text", "two");
	client_reply_clear(&r);
	json_object_put(control(
	    "wait", "{\"platform\":\"telegram\",\"chat\":\"77\",\"contains\":\"tw\",\"timeout_ms\":0}"));
	expect_once(client_post(at("/control/wait"), 408,
			"{\"platform\":\"telegram\",\"chat\":\"77\",\"count\":4,\"timeout_ms\":200}"),
	    "error", "it did not come in time: messages: 3, from the bot: 2");
	json_object_put(client_post(at("/control/wait"), 400, "{\"platform\":\"telegram\",\"chat\":\"77\"}"));
}

static void a_wait_for_model_requests_ends_too(void **state)
{
	struct client_async *wait = client_send_async(&(struct client_request){
	    .url = at("/control/wait"), .body = "{\"platform\":\"model\",\"count\":1,\"timeout_ms\":20000}"});
	struct client_reply r;

	(void)state;
	client_arrive(wait, at("/control/chats"));
	assert_false(client_is_done(wait));
	client_send(
	    &(struct client_request){.url = at("/v1/models"), .header = "Authorization: Bearer k"}, &r);
	client_reply_clear(&r);
	client_await(wait, &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
}

static void wrong_orders_are_explained(void **state)
{
	static const struct {
		const char *path, *body, *says;
		int status;
	} wrong[] = {
	    {"say", "{\"platform\":\"telegraph\"}",
		"there is no platform \"telegraph\": telegram, slack or discord", 400},
	    {"say", "{}", "say which \"platform\" is meant", 400},
	    {"say", "{\"platform\":\"telegram\",\"text\":\"x\"}",
		"say which \"chat\" is meant: an id or a name", 400},
	    {"say", "{\"platform\":\"telegram\",\"user\":\"77\",\"txt\":\"x\"}", "\"txt\" means nothing here",
		400},
	    {"say", "{\"platform\":\"telegram\",\"user\":\"77\"}",
		"say what: \"text\", \"files\", \"poll\", \"forward\", \"location\", \"contact\", \"dice\" "
		"or \"rich_message\"",
		400},
	    {"say", "{\"platform\":\"telegram\",\"chat\":\"-5\",\"text\":\"x\"}", "say which \"user\" speaks",
		400},
	    {"say", "{\"platform\":\"telegram\",\"chat\":\"5\",\"user\":\"6\",\"text\":\"x\"}",
		"a private chat is with 5 alone", 400},
	    {"say",
		"{\"platform\":\"telegram\",\"chat\":\"5\",\"user\":\"5\",\"kind\":\"room\",\"text\":\"x\"}",
		"kind is private, group or channel", 400},
	    {"say", "{\"platform\":\"telegram\",\"user\":\"5\",\"reply_to\":\"9\",\"text\":\"x\"}",
		"reply_to: there is no message 9 in that chat", 400},
	    {"react", "{\"platform\":\"telegram\",\"user\":\"77\",\"emoji\":\"👍\"}",
		"say which message: \"message_id\" is an id, or newest", 400},
	    {"press",
		"{\"platform\":\"telegram\",\"chat\":\"404\",\"user\":\"404\",\"message_id\":1,\"button\":"
		"\"x\"}",
		"there is no private chat 404", 400},
	    {"fault", "{\"platform\":\"telegram\",\"kind\":\"explode\"}",
		"kind must be one of status, retry_after, stall, cut, close, garbage, outage, disconnect",
		400},
	    {"settings", "{\"telegram\":{\"limit\":true}}", "\"limit\" means nothing here", 400},
	    {"wait", "{\"platform\":\"telegram\",\"bot_message\":1}", "\"bot_message\" means nothing here",
		400},
	    {"nothing", "{}", "there is no call /control/nothing", 404},
	    {"says", "{}", "there is no call /control/says. Did you mean say?", 404},
	    {"chats", "{}", "this call is a GET", 405},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		expect_once(
		    client_post(at("/control/%s", wrong[i].path), wrong[i].status, "%s", wrong[i].body),
		    "error", wrong[i].says);
	expect_once(client_get(at("/control/requests?platform=slack&afer=7"), 400), "error",
	    "\"afer\" means nothing here");
	expect_once(client_get(at("/control/chats?platform=matrix"), 400), "error",
	    "there is no platform \"matrix\": telegram, slack or discord");
	json_object_put(client_post(at("/control/say"), 400, "not json"));
	json_object_put(client_get(at("/control/transcript?platform=telegram&chat=405"), 400));
}

static void people_go_by_their_names(void **state)
{
	struct json_object *o;

	(void)state;
	json_object_put(
	    control("say", "{\"platform\":\"telegram\",\"chat\":\"88\",\"user\":\"Ann\",\"text\":\"one\"}"));
	json_object_put(control("say", "{\"platform\":\"telegram\",\"user\":\"ann\",\"text\":\"two\"}"));
	o = client_get(at("/control/transcript?platform=telegram&chat=88"), 200);
	expect_at(o, "messages.0.from", "Ann");
	expect_at(o, "messages.1.text", "two");
	json_object_put(o);
	o = client_get(at("/control/chats"), 200);
	assert_int_equal(json_object_array_length(json_get_array(o, "chats")), 1);
	expect_at(o, "chats.0.chat", "88");
	expect_at(o, "chats.0.kind", "private");
	json_object_put(o);
}

static void the_page_is_served_to_its_own_host_only(void **state)
{
	struct client_reply r;

	(void)state;
	client_send(&(struct client_request){.url = at("/")}, &r);
	assert_int_equal(r.status, 200);
	assert_non_null(strstr(r.body, "<title>Myna playground</title>"));
	assert_non_null(strcasestr(r.head, "content-security-policy: default-src 'none'"));
	client_reply_clear(&r);
	client_send(&(struct client_request){.url = at("/"), .header = "Host: evil.example"}, &r);
	assert_int_equal(r.status, 403);
	client_reply_clear(&r);
	client_send(
	    &(struct client_request){
		.url = at("/control/reset"), .body = "{}", .header = "Origin: http://evil.example"},
	    &r);
	assert_int_equal(r.status, 403);
	client_reply_clear(&r);
	client_send(&(struct client_request){.url = at("/elsewhere")}, &r);
	assert_int_equal(r.status, 404);
	client_reply_clear(&r);
}

static void say_all_sorts(void)
{
	json_object_put(
	    bot("setMyCommands", 200, "{\"commands\":[{\"command\":\"stop\",\"description\":\"Stop\"}]}"));
	say("first 😀 @myna_bot");
	json_object_put(bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"<b>bold</"
	    "b>\",\"parse_mode\":\"HTML\",\"reply_parameters\":{\"message_id\":1},\"reply_markup\":{\"inline_"
	    "keyboard\":[[{\"text\":\"Y\",\"callback_data\":\"y\"}]]}}"));
	json_object_put(bot("setMessageReaction", 200,
	    "{\"chat_id\":77,\"message_id\":1,\"reaction\":[{\"type\":\"emoji\",\"emoji\":\"👀\"}]}"));
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"a.txt\",\"base64\":\"aGk=\"}]"
	    "}"));
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"forum\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"/"
	    "x\",\"thread\":7}"));
	json_object_put(control("delete", "{\"platform\":\"telegram\",\"chat\":\"77\",\"message_id\":3}"));
}

static char *fetch(const char *path)
{
	struct client_reply r;
	char *body;

	client_send(&(struct client_request){.url = at("%s", path)}, &r);
	assert_int_equal(r.status, 200);
	body = xstrdup(r.body);
	client_reply_clear(&r);
	return body;
}

static void everything_is_there_after_a_restart_with_data(void **state)
{
	static const char *const paths[] = {"/control/chats", "/control/transcript?platform=telegram&chat=77",
	    "/control/transcript?platform=telegram&chat=forum", "/telegram/bot" TOKEN "/getMyCommands",
	    "/telegram/bot" TOKEN "/getUpdates?offset=5"};
	char dir[] = "/tmp/myna-playground-XXXXXX", *before[ARRAY_LEN(paths)], *after, *file;
	const char *options[] = {"--data", dir, NULL};

	(void)state;
	assert_non_null(mkdtemp(dir));
	fixture_end();
	fixture_start(options);
	say_all_sorts();
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		before[i] = fetch(paths[i]);
	assert_non_null(strstr(before[4], "first"));
	fixture_end();
	fixture_start(options);
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		after = fetch(paths[i]);
		assert_string_equal(after, before[i]);
		free(after);
		free(before[i]);
	}
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"on we go\"}"));
	fixture_end();
	fixture_start(NULL);
	file = xasprintf("%s/playground.json", dir);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(dir), 0);
	free(file);
}

/* Runs the program to its end; the exit status. */
static int run(const char *option, const char *value)
{
	const char *const argv[] = {fixture_program(), option, value, NULL};
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
			execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void wrong_options_end_with_a_status(void **state)
{
	(void)state;
	assert_int_equal(run("--help", NULL), 0);
	assert_int_equal(run("--version", NULL), 0);
	assert_int_equal(run("--nonsense", NULL), 64);
	assert_int_equal(run("extra", NULL), 64);
	assert_int_equal(run("--script", "/nonexistent.json"), 1);
	assert_int_equal(run("--listen", "nowhere"), 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_fault_may_come_before_anything_is_done, fixture_reset),
	    cmocka_unit_test_setup(a_fault_may_come_after_it_is_done, fixture_reset),
	    cmocka_unit_test_setup(an_answer_is_cut_at_any_byte, fixture_reset),
	    cmocka_unit_test_setup(a_stalled_request_is_held, fixture_reset),
	    cmocka_unit_test_setup(a_stalled_poll_is_deaf, fixture_reset),
	    cmocka_unit_test_setup(faults_are_in_the_record, fixture_reset),
	    cmocka_unit_test_setup(the_record_says_when_in_microseconds, fixture_reset),
	    cmocka_unit_test_setup(a_wait_ends_when_enough_was_said, fixture_reset),
	    cmocka_unit_test_setup(a_wait_for_model_requests_ends_too, fixture_reset),
	    cmocka_unit_test_setup(wrong_orders_are_explained, fixture_reset),
	    cmocka_unit_test_setup(people_go_by_their_names, fixture_reset),
	    cmocka_unit_test_setup(the_page_is_served_to_its_own_host_only, fixture_reset),
	    cmocka_unit_test_setup(everything_is_there_after_a_restart_with_data, fixture_reset),
	    cmocka_unit_test(wrong_options_end_with_a_status),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
