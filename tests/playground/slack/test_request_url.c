#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "net/server/server.h"
#include "playground/server/form.h"
#include "tests/playground/slack/slack_rig.h"

#define SECRET "8f742231b10e8888abcd99yyyzzz85a5"
#define KEPT   16

/* An app that gets its envelopes over HTTP. */
struct app {
	struct server *server;
	struct task_cond came;
	size_t count;
	struct json_object *got[KEPT]; /* {"body","type","signature","stamp","num","reason","agent"} */
	/* how it answers */
	int status;
	const char *headers, *body;
	char location[80];
	bool silent, forgetful; /* answers nothing; does not answer challenges */
};

static void set_header(
    struct json_object *o, const char *key, const struct server_request *req, const char *name)
{
	json_set_str(o, key, server_header(req, name));
}

static void answer(struct app *a, struct server_request *req, const char *body, size_t len)
{
	struct json_object *o = json_parse(body, len, NULL);
	const char *challenge = json_get_str(o, "challenge");

	if (challenge && !a->forgetful)
		server_respond(req, 200, "text/plain", NULL, challenge, strlen(challenge));
	else
		server_respond(req, a->status, "application/json", a->headers, a->body, strlen(a->body));
	json_object_put(o);
}

static void handle(struct task *t, struct server_request *req, void *arg)
{
	struct app *a = arg;
	struct json_object *o = json_object_new_object();
	const char *body;
	size_t len;

	body = server_body(req, &len);
	json_set_str(o, "body", body);
	set_header(o, "type", req, "content-type");
	set_header(o, "signature", req, "x-slack-signature");
	set_header(o, "stamp", req, "x-slack-request-timestamp");
	set_header(o, "num", req, "x-slack-retry-num");
	set_header(o, "reason", req, "x-slack-retry-reason");
	set_header(o, "agent", req, "user-agent");
	assert_true(a->count < KEPT);
	a->got[a->count++] = o;
	task_cond_broadcast(&a->came);
	while (a->silent && task_wait(t, NULL) == 0)
		;
	if (!a->silent)
		answer(a, req, body, len);
}

/* The request with this number, once it has come; borrowed. */
static struct json_object *wait_for(struct task *t, struct app *a, size_t n)
{
	while (a->count <= n)
		assert_int_equal(task_cond_wait(t, &a->came, NULL), 0);
	return a->got[n];
}

static struct json_object *payload_of(struct json_object *got)
{
	const char *body = json_get_str(got, "body");
	struct json_object *fields, *o;

	if (strcmp(json_get_str(got, "type"), "application/json") == 0)
		return json_parse(body, strlen(body), NULL);
	fields = json_object_new_object();
	assert_int_equal(form_read(fields, body, strlen(body), NULL), 0);
	if (!json_get_str(fields, "payload"))
		return fields;
	o = json_parse(json_get_str(fields, "payload"), strlen(json_get_str(fields, "payload")), NULL);
	json_object_put(fields);
	return o;
}

/* Computed as the documentation says, by other code. */
static void expect_signed(struct json_object *got)
{
	char *base = xasprintf("v0:%s:%s", json_get_str(got, "stamp"), json_get_str(got, "body")),
	     text[70] = "v0=";
	unsigned char mac[EVP_MAX_MD_SIZE];
	unsigned len = 0;

	assert_non_null(HMAC(
	    EVP_sha256(), SECRET, (int)strlen(SECRET), (const unsigned char *)base, strlen(base), mac, &len));
	for (unsigned i = 0; i < len; i++)
		snprintf(text + 3 + 2 * i, 3, "%02x", mac[i]);
	assert_string_equal(json_get_str(got, "signature"), text);
	free(base);
}

static void expect_state(struct task *t, struct slack_rig *rig, const char *state)
{
	struct slack_reply reply;

	for (int i = 0; i < 10000; i++) {
		slack_send(
		    t, rig, &(struct slack_request){.path = "/control/settings", .method = "GET"}, &reply);
		if (strcmp(slack_at(reply.json, "slack.request_url_state"), "pending") != 0)
			break;
		slack_reply_clear(&reply);
	}
	slack_has(reply.json, "slack.request_url_state", state);
	slack_reply_clear(&reply);
}

static void begin(struct task *t, struct slack_rig *rig, struct app *a, const char *path)
{
	struct server_options options = {.listen = "127.0.0.1:0", .handler = handle, .arg = a};
	struct slack_reply reply;
	char *settings;

	*a = (struct app){.status = 200, .body = "", .forgetful = a->forgetful, .silent = a->silent};
	task_cond_init(&a->came);
	a->server = server_new(&options, NULL);
	assert_non_null(a->server);
	settings = xasprintf("\"signing_secret\":\"" SECRET "\",\"request_url\":\"http://127.0.0.1:%u%s\"",
	    server_port(a->server), path);
	slack_set(t, rig, settings);
	free(settings);
	/* Its bot, and no app-level token. */
	slack_send(t, rig, &(struct slack_request){.path = "/slack/api/auth.test"}, &reply);
	slack_reply_clear(&reply);
}

static void end(struct task *t, struct slack_rig *rig, struct app *a)
{
	a->silent = false;
	slack_set(t, rig, "\"request_url\":\"\"");
	server_free(t, a->server);
	task_cond_clear(&a->came);
	for (size_t i = 0; i < a->count; i++)
		json_object_put(a->got[i]);
}

SLACK_TEST(a_request_url_answers_a_challenge_and_gets_signed_events)
{
	struct app a = {0};
	struct json_object *got, *o;

	begin(t, rig, &a, "/slack/events");
	got = wait_for(t, &a, 0);
	expect_signed(got);
	o = payload_of(got);
	slack_has(o, "type", "url_verification");
	json_object_put(o);
	expect_state(t, rig, "verified");
	slack_say(t, rig, "hello & goodbye");
	got = wait_for(t, &a, 1);
	expect_signed(got);
	slack_has(got, "num", "");
	slack_has(got, "agent", "Slackbot 1.0 (+https://api.slack.com/robots)");
	o = payload_of(got);
	slack_has(o, "type", "event_callback");
	slack_has(o, "event.text", "hello &amp; goodbye");
	json_object_put(o);
	end(t, rig, &a);
}

SLACK_TEST(events_wait_for_a_challenge_and_a_url_that_fails_it_gets_none)
{
	struct app a = {.forgetful = true};

	slack_control_refused(t, rig, "command", "dispatch_failed",
	    "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"ann\",\"command\":\"/x\"");
	begin(t, rig, &a, "/");
	slack_say(t, rig, "hello");
	wait_for(t, &a, 0);
	expect_state(t, rig, "failed");
	slack_control_refused(
	    t, rig, "command", "dispatch_failed", "\"chat\":\"dev\",\"user\":\"ann\",\"command\":\"/x\"");
	assert_int_equal(a.count, 1);
	end(t, rig, &a);
}

SLACK_TEST(a_challenge_that_is_not_answered_in_time_has_failed)
{
	struct app a = {.silent = true};

	begin(t, rig, &a, "/");
	wait_for(t, &a, 0);
	slack_pass(t, 3000);
	expect_state(t, rig, "failed");
	end(t, rig, &a);
}

SLACK_TEST(an_event_that_fails_comes_again_and_says_why)
{
	static const struct {
		unsigned wait;
		const char *num, *reason;
	} deliveries[] = {
	    {0, "", ""}, {0, "1", "http_error"}, {60000, "2", "http_error"}, {300000, "3", "http_error"}};
	struct json_object *first = NULL, *o;
	struct app a = {0};

	begin(t, rig, &a, "/");
	expect_state(t, rig, "verified");
	a.status = 500;
	slack_say(t, rig, "hello");
	for (size_t i = 0; i < ARRAY_LEN(deliveries); i++) {
		slack_pass(t, deliveries[i].wait);
		o = wait_for(t, &a, i + 1);
		slack_has(o, "num", deliveries[i].num);
		slack_has(o, "reason", deliveries[i].reason);
		o = payload_of(o);
		if (i == 0)
			first = json_object_get(o);
		slack_has(o, "event_id", slack_at(first, "event_id"));
		json_object_put(o);
		while (slack_refusals(rig) <= i)
			assert_int_equal(task_yield(t, NULL), 0);
	}
	slack_pass(t, 600000);
	assert_int_equal(a.count, 5);
	json_object_put(first);
	end(t, rig, &a);
}

SLACK_TEST(a_network_that_fails_brings_an_event_again)
{
	static const char *const faults[] = {"\"kind\":\"cut\",\"at_byte\":0", "\"kind\":\"garbage\""};
	struct json_object *first;
	struct app a = {.forgetful = false};

	begin(t, rig, &a, "/");
	expect_state(t, rig, "verified");
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		json_object_put(slack_control(
		    t, rig, "fault", "\"platform\":\"slack\",\"method\":\"request_url\",%s", faults[i]));
	slack_say(t, rig, "hello");
	/* The app has answered this one, and Slack does not know it. */
	first = payload_of(wait_for(t, &a, 1));
	assert_null(payload_of(wait_for(t, &a, 2)));
	slack_has(a.got[2], "num", "1");
	slack_has(a.got[2], "reason", "connection_failed");
	json_object_put(first);
	end(t, rig, &a);
}

SLACK_TEST(an_app_can_refuse_retries)
{
	struct app a = {0};

	begin(t, rig, &a, "/");
	expect_state(t, rig, "verified");
	a.status = 500;
	a.headers = "X-Slack-No-Retry: 1\r\n";
	slack_say(t, rig, "hello");
	wait_for(t, &a, 1);
	while (slack_refusals(rig) == 0)
		assert_int_equal(task_yield(t, NULL), 0);
	slack_pass(t, 0);
	slack_pass(t, 600000);
	assert_int_equal(a.count, 2);
	end(t, rig, &a);
}

SLACK_TEST(silence_and_redirects_without_end_are_failures_of_their_own)
{
	struct app a = {0};

	begin(t, rig, &a, "/");
	expect_state(t, rig, "verified");
	a.silent = true;
	slack_say(t, rig, "hello");
	wait_for(t, &a, 1);
	a.silent = false;
	a.status = 302;
	snprintf(a.location, sizeof(a.location), "Location: http://127.0.0.1:%u/\r\n", server_port(a.server));
	a.headers = a.location;
	slack_pass(t, 3000);
	slack_has(wait_for(t, &a, 2), "reason", "http_timeout");
	wait_for(t, &a, 4); /* two redirects are followed */
	while (slack_refusals(rig) < 2)
		assert_int_equal(task_yield(t, NULL), 0);
	a.status = 200;
	a.headers = NULL;
	slack_pass(t, 60000);
	slack_has(wait_for(t, &a, 5), "reason", "too_many_redirects");
	end(t, rig, &a);
}

SLACK_TEST(commands_and_interactions_are_forms_and_are_answered_in_the_body)
{
	struct json_object *o, *sent;
	struct app a = {0};

	begin(t, rig, &a, "/");
	expect_state(t, rig, "verified");
	a.body = "{\"response_type\":\"in_channel\",\"text\":\"deployed\"}";
	json_object_put(slack_control(t, rig, "command",
	    "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"ann\",\"command\":\"/deploy\",\"text\":\"a=b & "
	    "c\""));
	o = wait_for(t, &a, 1);
	expect_signed(o);
	slack_has(o, "type", "application/x-www-form-urlencoded");
	o = payload_of(o);
	slack_has(o, "command", "/deploy");
	slack_has(o, "text", "a=b &amp; c");
	json_object_put(o);
	wait_for(t, &a, 2); /* the event of the answer */
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.0.text", "deployed");
	json_object_put(o);
	a.body = "";
	sent = slack_call(t, rig, "chat.postMessage",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"blocks\":[{\"type\":\"actions\",\"elements\":[{\"type\":"
	    "\"button\",\"action_id\":\"go\",\"text\":{\"type\":\"plain_text\",\"text\":\"Go\"}}]}]}",
	    slack_dev(t, rig));
	wait_for(t, &a, 3);
	json_object_put(slack_control(t, rig, "press",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"Go\"",
	    slack_at(sent, "ts")));
	o = payload_of(wait_for(t, &a, 4));
	slack_has(o, "type", "block_actions");
	slack_has(o, "actions.0.action_id", "go");
	json_object_put(o);
	json_object_put(sent);
	end(t, rig, &a);
}

SLACK_TEST(an_event_on_its_way_outlives_a_restart)
{
	char data[] = "/tmp/slack-XXXXXX", *settings;
	struct app a = {0};

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	begin(t, rig, &a, "/");
	expect_state(t, rig, "verified");
	a.silent = true;
	slack_say(t, rig, "hello");
	wait_for(t, &a, 1);
	slack_rig_restart(t, rig, data);
	a.silent = false;
	settings = xasprintf("\"request_url\":\"http://127.0.0.1:%u/\"", server_port(a.server));
	slack_set(t, rig, settings);
	free(settings);
	slack_pass(t, 0);
	expect_state(t, rig, "verified");
	slack_pass(t, 60000);
	slack_pass(t, 300000);
	slack_has(wait_for(t, &a, 3), "reason", "connection_failed");
	end(t, rig, &a);
	slack_rig_forget(t, rig, data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_request_url_answers_a_challenge_and_gets_signed_events),
	    cmocka_unit_test(events_wait_for_a_challenge_and_a_url_that_fails_it_gets_none),
	    cmocka_unit_test(a_challenge_that_is_not_answered_in_time_has_failed),
	    cmocka_unit_test(an_event_that_fails_comes_again_and_says_why),
	    cmocka_unit_test(a_network_that_fails_brings_an_event_again),
	    cmocka_unit_test(an_app_can_refuse_retries),
	    cmocka_unit_test(silence_and_redirects_without_end_are_failures_of_their_own),
	    cmocka_unit_test(commands_and_interactions_are_forms_and_are_answered_in_the_body),
	    cmocka_unit_test(an_event_on_its_way_outlives_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
