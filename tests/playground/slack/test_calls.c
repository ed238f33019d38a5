#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "playground/playground.h"
#include "tests/playground/slack/slack_rig.h"

#define POST "/slack/api/chat.postMessage"
#define FORM "application/x-www-form-urlencoded"

/* Sends it, and wants the error (NULL: none). */
static void expect_reply(
    struct task *t, struct slack_rig *rig, const struct slack_request *req, const char *error)
{
	struct slack_reply reply;

	slack_send(t, rig, req, &reply);
	assert_int_equal(reply.status, 200);
	if (strcmp(slack_at(reply.json, "error"), error ? error : "") != 0)
		fail_msg("%s %s: %s", req->path, req->body ? req->body : "", reply.text);
	slack_reply_clear(&reply);
}

static void expect_warning(
    struct task *t, struct slack_rig *rig, const char *content_type, const char *body, const char *warning)
{
	struct slack_reply reply;

	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/slack/api/api.test", .content_type = content_type, .body = body},
	    &reply);
	slack_has(reply.json, "ok", "true");
	slack_has(reply.json, "warning", warning);
	slack_has(reply.json, "response_metadata.warnings.0", warning);
	slack_reply_clear(&reply);
}

SLACK_TEST(bodies_are_read_as_their_content_type_says)
{
	static const struct {
		const char *type, *body, *error;
	} rows[] = {
	    {FORM, "a=b", NULL},
	    {NULL, "{\"a\":\"b\"}", NULL},
	    {NULL, "{\"a\":", "invalid_json"},
	    {NULL, "[1]", "json_not_object"},
	    {"text/xml", "<a/>", "invalid_post_type"},
	    {"", "a=b", "missing_post_type"},
	    {FORM, "a=%zz", "invalid_form_data"},
	    {"multipart/form-data; boundary=x", "--y", "invalid_form_data"},
	    {"application/json; charset=latin-9", "{}", "invalid_charset"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		expect_reply(t, rig,
		    &(struct slack_request){
			.path = "/slack/api/api.test", .content_type = rows[i].type, .body = rows[i].body},
		    rows[i].error);
	expect_warning(t, rig, "application/json", "{}", "missing_charset");
	expect_warning(t, rig, FORM "; charset=utf-8", "a=b", "superfluous_charset");
	expect_reply(t, rig,
	    &(struct slack_request){
		.path = "/slack/api/api.test?error=mine", .method = "GET", .content_type = ""},
	    "mine");
}

SLACK_TEST(methods_that_are_documented_for_forms_do_not_see_json)
{
	char *body;

	slack_say(t, rig, "hello");
	body = xasprintf("channel=%s", slack_dev(t, rig));
	slack_expect(
	    t, rig, "conversations.info", "channel_not_found", "{\"channel\":\"%s\"}", slack_dev(t, rig));
	expect_reply(t, rig,
	    &(struct slack_request){
		.path = "/slack/api/conversations.info", .content_type = FORM, .body = body},
	    NULL);
	free(body);
}

SLACK_TEST(tokens_are_of_a_kind_and_stand_where_they_may)
{
	static const struct {
		const char *method, *token, *query, *error;
	} rows[] = {
	    {"auth.test", "", "", "not_authed"},
	    {"auth.test", "", "?token=xoxb-1-2-one", NULL},
	    {"auth.test", "nonsense", "", "invalid_auth"},
	    {"auth.test", "xoxb-1 2-one", "", "invalid_auth"},
	    {"auth.test", "xoxb-1-2-revoked", "", "token_revoked"},
	    {"auth.test", "xoxb-1-2-inactive", "", "account_inactive"},
	    {"auth.test", "xoxb-1-2-expired", "", "token_expired"},
	    {"auth.test", APP_TOKEN, "", "not_allowed_token_type"},
	    {"apps.connections.open", APP_TOKEN, "", NULL},
	    {"apps.connections.open", BOT_TOKEN, "", "not_allowed_token_type"},
	    {"apps.connections.open", "xapp-1-A1-2-revoked", "", "invalid_auth"},
	    {"apps.connections.open", "", "?token=" APP_TOKEN, "not_authed"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *path = xasprintf("/slack/api/%s%s", rows[i].method, rows[i].query);

		expect_reply(t, rig,
		    &(struct slack_request){.path = path, .token = rows[i].token, .content_type = ""},
		    rows[i].error);
		free(path);
	}
}

SLACK_TEST(a_token_is_not_kept_in_the_record_of_requests)
{
	struct slack_reply reply;

	expect_reply(t, rig,
	    &(struct slack_request){.path = "/slack/api/auth.test",
		.token = "",
		.content_type = FORM,
		.body = "token=" BOT_TOKEN "&a=b"},
	    NULL);
	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/control/requests?platform=slack", .method = "GET", .content_type = ""},
	    &reply);
	assert_null(strstr(reply.text, BOT_TOKEN));
	slack_has(reply.json, "requests.0.body.a", "b");
	slack_reply_clear(&reply);
}

SLACK_TEST(arguments_are_checked_before_anything_is_done)
{
	const char *c;

	slack_say(t, rig, "hello");
	c = slack_dev(t, rig);
	slack_expect(t, rig, "chat.postMessage", "channel_not_found", "{\"text\":\"x\"}");
	slack_expect(t, rig, "chat.postMessage", "no_text", "{\"channel\":\"%s\"}", c);
	slack_expect(t, rig, "chat.postMessage", "invalid_arguments", "{\"channel\":\"%s\",\"text\":7}", c);
	slack_expect(t, rig, "chat.postMessage", "invalid_arguments",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"thread_ts\":1.5}", c);
	slack_expect(t, rig, "chat.postMessage", "invalid_blocks_format",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"blocks\":\"[\"}", c);
	slack_expect(t, rig, "chat.postMessage", "invalid_thread_ts",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"thread_ts\":\"1\"}", c);
	slack_expect(t, rig, "chat.postMessage", "invalid_metadata_schema",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"metadata\":{\"event_type\":\"a\"}}", c);
	slack_expect(t, rig, "chat.update", "invalid_arguments", "{\"channel\":\"%s\",\"text\":\"x\"}", c);
	slack_expect(
	    t, rig, "reactions.add", "no_item_specified", "{\"channel\":\"%s\",\"name\":\"eyes\"}", c);
	slack_expect(t, rig, "reactions.add", "bad_timestamp",
	    "{\"channel\":\"%s\",\"name\":\"eyes\",\"timestamp\":\"1\"}", c);
	slack_expect(t, rig, "conversations.open", "users_list_not_supplied", "{}");
	slack_expect(t, rig, "conversations.open", "user_not_found", "{\"users\":\"U0NOBODY\"}");
	slack_expect(t, rig, "conversations.inviteShared", "not_simulated", "{}");
	assert_int_equal(slack_refusals(rig), 12);
}

SLACK_TEST(an_argument_that_the_platform_does_not_have_is_remarked)
{
	struct slack_reply reply;

	slack_say(t, rig, "hello");
	slack_expect(t, rig, "chat.postMessage", NULL, "{\"channel\":\"%s\",\"text\":\"x\",\"txt\":\"y\"}",
	    slack_dev(t, rig));
	slack_send(t, rig,
	    &(struct slack_request){.path = "/control/requests?platform=slack&method=chat.postMessage",
		.method = "GET",
		.content_type = ""},
	    &reply);
	slack_has(reply.json, "requests.0.verdict", "ok");
	slack_has(
	    reply.json, "requests.0.problems.0", "chat.postMessage has no argument \"txt\": it is ignored");
	slack_reply_clear(&reply);
}

static void expect_blocks(
    struct task *t, struct slack_rig *rig, const char *blocks, const char *error, const char *at)
{
	struct json_object *o = slack_call(t, rig, "chat.postMessage",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"blocks\":%s}", slack_dev(t, rig), blocks);

	slack_has(o, "error", error);
	if (!strstr(slack_at(o, "response_metadata.messages.0"), at))
		fail_msg("not %s: %s", at, json_object_get_string(o));
	json_object_put(o);
}

SLACK_TEST(blocks_are_judged_where_they_are_wrong)
{
#define PLAIN(text) "{\"type\":\"plain_text\",\"text\":\"" text "\"}"
	slack_say(t, rig, "hello");
	expect_blocks(
	    t, rig, "[{\"type\":\"header\",\"text\":" PLAIN("H") "},{\"type\":\"divider\"}]", "", "");
	expect_blocks(t, rig, "[{}]", "invalid_blocks", "/blocks/0");
	expect_blocks(t, rig, "[{\"type\":\"section\"}]", "invalid_blocks", "text or fields");
	expect_blocks(t, rig, "[{\"type\":\"header\",\"text\":{\"type\":\"mrkdwn\",\"text\":\"x\"}}]",
	    "invalid_blocks", "/blocks/0/text");
	expect_blocks(t, rig, "[{\"type\":\"actions\",\"elements\":[]}]", "invalid_blocks", "elements");
	expect_blocks(t, rig,
	    "[{\"type\":\"divider\"},{\"type\":\"actions\",\"elements\":[{\"type\":\"button\","
	    "\"text\":" PLAIN("") "}]}]",
	    "invalid_blocks", "/blocks/1/elements/0/text");
	expect_blocks(t, rig,
	    "[{\"type\":\"actions\",\"elements\":[{\"type\":\"button\",\"style\":\"loud\",\"text\":" PLAIN(
		"x") "}]}]",
	    "invalid_blocks", "valid enum value [json-pointer:/blocks/0/elements/0/style]");
	expect_blocks(t, rig,
	    "[{\"type\":\"divider\",\"block_id\":\"a\"},{\"type\":\"divider\",\"block_id\":\"a\"}]",
	    "invalid_blocks", "unique");
	expect_blocks(t, rig, "[{\"type\":\"image\",\"image_url\":\"https://a.example/a.png\"}]",
	    "invalid_blocks", "/blocks/0");
}

/* A menu of so many options, as a block. */
static char *menu_of(size_t count)
{
	struct buf text = BUF_INIT;

	buf_addstr(&text, "[{\"type\":\"actions\",\"elements\":[{\"type\":\"static_select\",\"options\":[");
	for (size_t i = 0; i < count; i++)
		buf_addf(&text, "%s{\"text\":" PLAIN("x") ",\"value\":\"%zu\"}", i > 0 ? "," : "", i);
	buf_addstr(&text, "]}]}]");
	return buf_take(&text);
}

SLACK_TEST(elements_are_judged_by_their_kind)
{
#define ELEMENT(more) "[{\"type\":\"actions\",\"elements\":[" more "]}]"
#define BUTTON        "{\"type\":\"button\",\"action_id\":\"a\",\"text\":" PLAIN("x") "}"
	char *menu = menu_of(100);

	slack_say(t, rig, "hello");
	expect_blocks(t, rig, menu, "", "");
	free(menu);
	menu = menu_of(101);
	expect_blocks(t, rig, menu, "invalid_blocks", "no more than 100 items allowed");
	free(menu);
	expect_blocks(t, rig, ELEMENT(BUTTON), "", "");
	expect_blocks(t, rig, ELEMENT(BUTTON "," BUTTON), "invalid_blocks", "action_id must be unique");
	expect_blocks(t, rig, ELEMENT("{\"type\":\"datepicker\",\"initial_date\":\"tomorrow\"}"),
	    "invalid_blocks", "must be a date");
	expect_blocks(t, rig, ELEMENT("{\"type\":\"datepicker\",\"initial_date\":\"2026-11-27\"}"), "", "");
	expect_blocks(t, rig, ELEMENT("{\"type\":\"lever\"}"), "invalid_blocks",
	    "unsupported type: lever [json-pointer:/blocks/0/elements/0]");
	expect_blocks(t, rig, "[{\"type\":\"divider\",\"color\":\"red\"}]", "invalid_blocks",
	    "invalid additional property: color [json-pointer:/blocks/0]");
}

SLACK_TEST(inputs_and_videos_are_judged_as_blocks_of_messages)
{
#define VIDEO(url)                               \
	"[{\"type\":\"video\",\"title\":" PLAIN( \
	    "T") ",\"alt_text\":\"a "            \
		 "film\",\"thumbnail_url\":\"https://a.example/t.png\",\"video_url\":\"" url "\"}]"
	slack_say(t, rig, "hello");
	expect_blocks(t, rig,
	    "[{\"type\":\"input\",\"label\":" PLAIN("Why") ",\"element\":{\"type\":\"plain_text_input\"}}]",
	    "", "");
	expect_blocks(
	    t, rig, "[{\"type\":\"input\",\"label\":" PLAIN("Why") "}]", "invalid_blocks", "element");
	expect_blocks(t, rig,
	    "[{\"type\":\"input\",\"label\":" PLAIN("Why") ",\"element\":{\"type\":\"button\"}}]",
	    "invalid_blocks", "/blocks/0/element");
	expect_blocks(t, rig, "[{\"type\":\"input\",\"element\":{\"type\":\"plain_text_input\"}}]",
	    "invalid_blocks", "missing required field: label [json-pointer:/blocks/0]");
	expect_blocks(t, rig, VIDEO("https://a.example/v"), "", "");
	expect_blocks(t, rig, VIDEO("http://a.example/v"), "invalid_blocks", "HTTPS");
	expect_blocks(t, rig, "[{\"type\":\"video\",\"title\":" PLAIN("T") "}]", "invalid_blocks",
	    "missing required field");
}

SLACK_TEST(an_update_keeps_what_it_does_not_name)
{
	struct json_object *sent, *o;
	const char *ts, *c;

	slack_say(t, rig, "hello");
	c = slack_dev(t, rig);
	sent = slack_call(t, rig, "chat.postMessage",
	    "{\"channel\":\"%s\",\"text\":\"one\",\"blocks\":[{\"type\":\"divider\"}]}", c);
	ts = slack_at(sent, "ts");
	o = slack_call(t, rig, "chat.update", "{\"channel\":\"%s\",\"ts\":\"%s\",\"text\":\"two\"}", c, ts);
	slack_has(o, "message.blocks.0.type", "divider");
	slack_has(o, "message.text", "two");
	json_object_put(o);
	o = slack_call(t, rig, "chat.update",
	    "{\"channel\":\"%s\",\"ts\":\"%s\",\"text\":\"two\",\"blocks\":[]}", c, ts);
	slack_has(o, "message.blocks", "");
	json_object_put(o);
	json_object_put(sent);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.edits", "2");
	json_object_put(o);
}

SLACK_TEST(the_root_of_a_thread_leaves_a_tombstone)
{
	const char *c, *root;
	struct json_object *o, *sent;
	struct slack_reply reply;
	char *path;

	slack_say(t, rig, "hello");
	c = slack_dev(t, rig);
	sent = slack_call(t, rig, "chat.postMessage", "{\"channel\":\"%s\",\"text\":\"root\"}", c);
	root = slack_at(sent, "ts");
	slack_expect(t, rig, "chat.postMessage", NULL,
	    "{\"channel\":\"%s\",\"text\":\"below\",\"thread_ts\":\"%s\"}", c, root);
	slack_expect(t, rig, "chat.delete", NULL, "{\"channel\":\"%s\",\"ts\":\"%s\"}", c, root);
	slack_expect(
	    t, rig, "chat.delete", "cant_delete_message", "{\"channel\":\"%s\",\"ts\":\"%s\"}", c, root);
	path = xasprintf("/slack/api/conversations.replies?channel=%s&ts=%s", c, root);
	slack_send(
	    t, rig, &(struct slack_request){.path = path, .method = "GET", .content_type = ""}, &reply);
	slack_has(reply.json, "messages.0.subtype", "tombstone");
	slack_has(reply.json, "messages.1.text", "below");
	slack_reply_clear(&reply);
	free(path);
	json_object_put(sent);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.deleted", "true");
	json_object_put(o);
}

static void expect_list(struct task *t, struct slack_rig *rig, const char *method, const char *query,
    const char *path, const char *want)
{
	char *url = xasprintf("/slack/api/%s%s", method, query);
	struct slack_reply reply;

	slack_send(t, rig, &(struct slack_request){.path = url, .method = "GET", .content_type = ""}, &reply);
	slack_has(reply.json, path, want);
	slack_reply_clear(&reply);
	free(url);
}

SLACK_TEST(conversations_are_listed_by_type_with_a_scope_each)
{
	static const char *const methods[] = {"users.conversations", "conversations.list"};
	char *c;

	slack_say(t, rig, "hello");
	c = xstrdup(slack_dev(t, rig));
	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		slack_set(t, rig, "\"missing_scopes\":[]");
		expect_list(t, rig, methods[i], "", "channels.0.id", c);
		expect_list(t, rig, methods[i], "?types=im,public_channel&limit=1", "channels.0.id", c);
		expect_list(t, rig, methods[i], "?types=im", "channels.0.id", "");
		expect_list(t, rig, methods[i], "?types=dm", "error", "invalid_types");
		slack_set(t, rig, "\"missing_scopes\":[\"im:read\"]");
		expect_list(t, rig, methods[i], "?types=public_channel", "channels.0.id", c);
		expect_list(t, rig, methods[i], "?types=public_channel,im", "needed", "im:read");
		slack_set(t, rig, "\"missing_scopes\":[\"channels:read\"]");
		expect_list(t, rig, methods[i], "?types=im", "ok", "true");
		expect_list(t, rig, methods[i], "", "needed", "channels:read");
	}
	expect_list(t, rig, "users.conversations", "?user=U0NOBODY", "error", "user_not_found");
	free(c);
}

static void expect_wait(
    struct task *t, struct slack_rig *rig, const char *path, const char *body, unsigned seconds)
{
	struct slack_reply reply;

	slack_send(t, rig, &(struct slack_request){.path = path, .body = body}, &reply);
	assert_int_equal(reply.status, 429);
	assert_int_equal(reply.retry_s, seconds);
	slack_has(reply.json, "error", "ratelimited");
	slack_reply_clear(&reply);
}

SLACK_TEST(messages_go_at_one_a_second_in_a_channel_after_a_burst)
{
	struct json_object *o;
	char *body;

	slack_say(t, rig, "hello");
	body = xasprintf("{\"channel\":\"%s\",\"text\":\"x\"}", slack_dev(t, rig));
	for (int i = 0; i < 10; i++)
		expect_reply(t, rig, &(struct slack_request){.path = POST, .body = body}, NULL);
	expect_wait(t, rig, POST, body, 1);
	slack_pass(t, 999);
	expect_wait(t, rig, POST, body, 1);
	slack_pass(t, 1);
	expect_reply(t, rig, &(struct slack_request){.path = POST, .body = body}, NULL);
	expect_wait(t, rig, POST, body, 1);
	o = slack_control(t, rig, "say", "\"chat\":\"ann\",\"user\":\"ann\",\"text\":\"x\"");
	slack_expect(
	    t, rig, "chat.postMessage", NULL, "{\"channel\":\"%s\",\"text\":\"x\"}", slack_at(o, "chat_id"));
	json_object_put(o);
	slack_set(t, rig, "\"limits\":false");
	expect_reply(t, rig, &(struct slack_request){.path = POST, .body = body}, NULL);
	free(body);
}

SLACK_TEST(each_method_has_the_rate_of_its_tier)
{
	char *body;
	const char *ts = slack_say(t, rig, "hello");

	body =
	    xasprintf("{\"channel\":\"%s\",\"timestamp\":\"%s\",\"name\":\"eyes\"}", slack_dev(t, rig), ts);
	for (int i = 0; i < 20; i++) {
		expect_reply(
		    t, rig, &(struct slack_request){.path = "/slack/api/reactions.add", .body = body}, NULL);
		expect_reply(t, rig,
		    &(struct slack_request){.path = "/slack/api/reactions.remove", .body = body}, NULL);
	}
	expect_wait(t, rig, "/slack/api/reactions.remove", body, 3);
	expect_reply(t, rig, &(struct slack_request){.path = "/slack/api/reactions.add", .body = body}, NULL);
	slack_pass(t, 3000);
	expect_reply(
	    t, rig, &(struct slack_request){.path = "/slack/api/reactions.remove", .body = body}, NULL);
	free(body);
}

SLACK_TEST(a_stream_lives_five_minutes_and_a_status_two)
{
	const char *ts = slack_say(t, rig, "hello"), *c = slack_dev(t, rig);
	struct json_object *stream, *o;
	char user[24];

	o = slack_control(t, rig, "say", "\"chat\":\"dev\",\"user\":\"ann\",\"text\":\"x\"");
	str_copy(user, sizeof(user), slack_at(o, "user_id"));
	json_object_put(o);
	slack_expect(t, rig, "assistant.threads.setStatus", NULL,
	    "{\"channel_id\":\"%s\",\"thread_ts\":\"%s\",\"status\":\"thinks\"}", c, ts);
	slack_pass(t, 119999);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "status", "thinks");
	json_object_put(o);
	slack_pass(t, 1);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "typing", "false");
	json_object_put(o);
	stream = slack_call(t, rig, "chat.startStream",
	    "{\"channel\":\"%s\",\"thread_ts\":\"%s\",\"recipient_team_id\":\"T0PLAYGRND\",\"recipient_user_"
	    "id\":\"%s\",\"markdown_text\":\"a\"}",
	    c, ts, user);
	slack_has(stream, "ok", "true");
	slack_pass(t, 299999);
	slack_expect(t, rig, "chat.appendStream", NULL,
	    "{\"channel\":\"%s\",\"ts\":\"%s\",\"markdown_text\":\"b\"}", c, slack_at(stream, "ts"));
	slack_pass(t, 1);
	slack_expect(t, rig, "chat.appendStream", "message_not_in_streaming_state",
	    "{\"channel\":\"%s\",\"ts\":\"%s\",\"markdown_text\":\"c\"}", c, slack_at(stream, "ts"));
	slack_expect(t, rig, "chat.update", NULL, "{\"channel\":\"%s\",\"ts\":\"%s\",\"text\":\"d\"}", c,
	    slack_at(stream, "ts"));
	json_object_put(stream);
}

static void fault(struct task *t, struct slack_rig *rig, const char *members)
{
	json_object_put(slack_control(t, rig, "fault", "\"method\":\"auth.test\",%s", members));
}

static void expect_answer(
    struct task *t, struct slack_rig *rig, int status, const char *type, const char *text)
{
	struct slack_reply reply;

	slack_send(
	    t, rig, &(struct slack_request){.path = "/slack/api/auth.test", .content_type = ""}, &reply);
	assert_int_equal(reply.status, status);
	assert_memory_equal(reply.content_type, type, strlen(type));
	assert_non_null(strstr(reply.text, text));
	slack_reply_clear(&reply);
}

SLACK_TEST(faults_are_played_as_the_platform_has_them)
{
	fault(t, rig, "\"kind\":\"status\",\"status\":200,\"text\":\"fatal_error\"");
	expect_answer(t, rig, 200, "application/json", "{\"ok\":false,\"error\":\"fatal_error\"}");
	fault(t, rig, "\"kind\":\"status\",\"status\":500");
	expect_answer(t, rig, 500, "application/json", "internal_error");
	fault(t, rig, "\"kind\":\"status\",\"status\":503");
	expect_answer(t, rig, 503, "text/html", "<!DOCTYPE html>");
	fault(t, rig, "\"kind\":\"retry_after\",\"seconds\":7");
	expect_wait(t, rig, "/slack/api/auth.test", NULL, 7);
	expect_answer(t, rig, 200, "application/json", "\"ok\":true");
}

SLACK_TEST(text_is_seen_as_people_see_it)
{
	struct json_object *o;

	slack_say(t, rig, "hey @bot and @ann, not `@bot`, a<b & c");
	slack_expect(t, rig, "chat.postMessage", NULL,
	    "{\"channel\":\"%s\",\"text\":\"see <https://a.example|there>, <!here> &lt;b&gt; &amp;amp;\"}",
	    slack_dev(t, rig));
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.0.text", "hey @myna and @ann, not `@bot`, a<b & c");
	assert_non_null(strstr(slack_at(o, "messages.0.source"), "not `@bot`, a&lt;b &amp; c"));
	assert_non_null(strstr(slack_at(o, "messages.0.source"), "hey <@U"));
	slack_has(o, "messages.1.text", "see there, @here <b> &amp;");
	json_object_put(o);
}

SLACK_TEST(what_was_said_outlives_a_restart)
{
	char data[] = "/tmp/slack-XXXXXX";
	struct json_object *before, *after, *o;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	json_object_put(slack_control(
	    t, rig, "say", "\"chat\":\"eve\",\"user\":\"eve\",\"kind\":\"private\",\"text\":\"one\""));
	slack_say(t, rig, "hello");
	json_object_put(slack_control(t, rig, "say",
	    "\"chat\":\"dev\",\"user\":\"bob\",\"files\":[{\"name\":\"a.txt\",\"base64\":\"b25l\"},{\"name\":"
	    "\"b\",\"size\":3}]"));
	slack_expect(t, rig, "chat.postMessage", NULL,
	    "{\"channel\":\"%s\",\"text\":\"x\",\"metadata\":{\"event_type\":\"a\",\"event_payload\":{}}}",
	    slack_dev(t, rig));
	before = slack_transcript(t, rig, "dev");
	slack_rig_restart(t, rig, data);
	after = slack_transcript(t, rig, "dev");
	assert_string_equal(json_object_get_string(after), json_object_get_string(before));
	json_object_put(slack_control(
	    t, rig, "say", "\"chat\":\"eve\",\"user\":\"eve\",\"kind\":\"private\",\"text\":\"two\""));
	o = slack_transcript(t, rig, "eve");
	slack_has(o, "messages.0.text", "one");
	slack_has(o, "messages.1.text", "two");
	json_object_put(o);
	o = slack_call(t, rig, "auth.test", "{}");
	slack_has(o, "user", "myna");
	json_object_put(o);
	slack_expect(t, rig, "chat.update", NULL, "{\"channel\":\"%s\",\"ts\":\"%s\",\"text\":\"y\"}",
	    slack_dev(t, rig), slack_at(after, "messages.2.id"));
	json_object_put(before);
	json_object_put(after);
	slack_rig_forget(t, rig, data);
}

/* An app begins to upload three bytes; returns the path of the URL, which the caller frees. */
static char *begin_upload(struct task *t, struct slack_rig *rig)
{
	struct slack_reply reply;
	char *path;

	slack_send(t, rig,
	    &(struct slack_request){.path = "/slack/api/files.getUploadURLExternal",
		.content_type = FORM,
		.body = "filename=a.txt&length=3"},
	    &reply);
	slack_has(reply.json, "ok", "true");
	path = xstrdup(strstr(slack_at(reply.json, "upload_url"), "/slack/"));
	slack_reply_clear(&reply);
	return path;
}

/* The id is behind 32 digits in the path. */
static const char *file_of(const char *path)
{
	return strrchr(path, '/') + 1 + 32;
}

static void upload(struct task *t, struct slack_rig *rig, const char *path)
{
	struct slack_reply reply;

	slack_send(t, rig,
	    &(struct slack_request){.path = path, .token = "", .content_type = "text/plain", .body = "abc"},
	    &reply);
	assert_int_equal(reply.status, 200);
	slack_reply_clear(&reply);
}

SLACK_TEST(an_upload_goes_on_after_a_restart)
{
	char data[] = "/tmp/slack-XXXXXX", *begun, *sent;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	begun = begin_upload(t, rig);
	sent = begin_upload(t, rig);
	upload(t, rig, sent);
	slack_rig_restart(t, rig, data);
	slack_expect(t, rig, "files.completeUploadExternal", "file_update_failed",
	    "{\"files\":[{\"id\":\"%s\"}]}", file_of(begun));
	upload(t, rig, begun);
	slack_expect(t, rig, "files.completeUploadExternal", NULL,
	    "{\"files\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]}", file_of(begun), file_of(sent));
	free(begun);
	free(sent);
	slack_rig_forget(t, rig, data);
}

static void expect_bytes(struct task *t, struct slack_rig *rig, const char *path, int status)
{
	struct slack_reply reply;

	slack_send(t, rig,
	    &(struct slack_request){.path = path, .method = "GET", .token = "", .content_type = ""}, &reply);
	assert_int_equal(reply.status, status);
	slack_reply_clear(&reply);
}

SLACK_TEST(the_host_of_files_has_those_that_are_complete)
{
	char *url = begin_upload(t, rig), *bytes = xasprintf("/slack/cdn/%s", strrchr(url, '/') + 1);

	expect_bytes(t, rig, bytes, 404);
	upload(t, rig, url);
	expect_bytes(t, rig, bytes, 404);
	slack_expect(
	    t, rig, "files.completeUploadExternal", NULL, "{\"files\":[{\"id\":\"%s\"}]}", file_of(url));
	expect_bytes(t, rig, bytes, 200);
	slack_expect(t, rig, "files.delete", NULL, "{\"file\":\"%s\"}", file_of(url));
	expect_bytes(t, rig, bytes, 404);
	free(bytes);
	free(url);
}

SLACK_TEST(a_reset_forgets_what_was_said_and_keeps_the_apps)
{
	struct json_object *before = slack_call(t, rig, "auth.test", "{}"), *o;
	struct slack_reply reply;

	slack_say(t, rig, "hello");
	json_object_put(slack_control(t, rig, "reset", "\"user\":\"U024BE7LH\""));
	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/control/chats?platform=slack", .method = "GET", .content_type = ""},
	    &reply);
	slack_has(reply.json, "chats.0", "");
	slack_reply_clear(&reply);
	o = slack_call(t, rig, "auth.test", "{}");
	assert_string_equal(slack_at(o, "user_id"), slack_at(before, "user_id"));
	json_object_put(o);
	json_object_put(before);
}

SLACK_TEST(a_direct_message_may_be_begun_by_its_id)
{
	static const char said[] =
	    "\"chat\":\"D024BE91L\",\"user\":\"U024BE7LH\",\"text\":\"hi\",\"kind\":\"private\"";
	struct json_object *o, *list;

	json_object_put(slack_call(t, rig, "auth.test", "{}"));
	o = slack_control(t, rig, "say", "%s", said);
	assert_string_equal(slack_at(o, "chat_id"), "D024BE91L");
	json_object_put(o);
	json_object_put(
	    slack_control(t, rig, "say", "\"chat\":\"U024BE7LH\",\"user\":\"U024BE7LH\",\"text\":\"ho\""));
	o = slack_call(t, rig, "conversations.open", "{\"users\":\"U024BE7LH\"}");
	assert_string_equal(slack_at(o, "channel.id"), "D024BE91L");
	json_object_put(o);
	o = slack_transcript(t, rig, "D024BE91L");
	assert_true(json_object_object_get_ex(o, "messages", &list));
	assert_int_equal(json_object_array_length(list), 2);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bodies_are_read_as_their_content_type_says),
	    cmocka_unit_test(methods_that_are_documented_for_forms_do_not_see_json),
	    cmocka_unit_test(tokens_are_of_a_kind_and_stand_where_they_may),
	    cmocka_unit_test(a_token_is_not_kept_in_the_record_of_requests),
	    cmocka_unit_test(arguments_are_checked_before_anything_is_done),
	    cmocka_unit_test(an_argument_that_the_platform_does_not_have_is_remarked),
	    cmocka_unit_test(blocks_are_judged_where_they_are_wrong),
	    cmocka_unit_test(elements_are_judged_by_their_kind),
	    cmocka_unit_test(inputs_and_videos_are_judged_as_blocks_of_messages),
	    cmocka_unit_test(an_update_keeps_what_it_does_not_name),
	    cmocka_unit_test(the_root_of_a_thread_leaves_a_tombstone),
	    cmocka_unit_test(messages_go_at_one_a_second_in_a_channel_after_a_burst),
	    cmocka_unit_test(each_method_has_the_rate_of_its_tier),
	    cmocka_unit_test(a_stream_lives_five_minutes_and_a_status_two),
	    cmocka_unit_test(faults_are_played_as_the_platform_has_them),
	    cmocka_unit_test(text_is_seen_as_people_see_it),
	    cmocka_unit_test(conversations_are_listed_by_type_with_a_scope_each),
	    cmocka_unit_test(a_direct_message_may_be_begun_by_its_id),
	    cmocka_unit_test(what_was_said_outlives_a_restart),
	    cmocka_unit_test(an_upload_goes_on_after_a_restart),
	    cmocka_unit_test(the_host_of_files_has_those_that_are_complete),
	    cmocka_unit_test(a_reset_forgets_what_was_said_and_keeps_the_apps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
