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
#include "base/task.h"
#include "net/websocket/websocket.h"
#include "tests/playground/slack/slack_rig.h"

/* A modal with an input that must be filled, and one that need not. */
#define MODAL(members)                                                                                       \
	"{\"type\":\"modal\",\"title\":{\"type\":\"plain_text\",\"text\":\"Order\"},"                        \
	"\"submit\":{\"type\":\"plain_text\",\"text\":\"Send\"}," members                                    \
	"\"blocks\":[{\"type\":\"input\",\"block_id\":\"name\",\"label\":{\"type\":\"plain_text\",\"text\":" \
	"\"Name\"},"                                                                                         \
	"\"element\":{\"type\":\"plain_text_input\",\"action_id\":\"in\",\"min_length\":2}},"                \
	"{\"type\":\"input\",\"block_id\":\"size\",\"optional\":true,\"label\":{\"type\":\"plain_text\","    \
	"\"text\":\"Size\"},"                                                                                \
	"\"element\":{\"type\":\"static_select\",\"action_id\":\"pick\",\"options\":["                       \
	"{\"text\":{\"type\":\"plain_text\",\"text\":\"Small\"},\"value\":\"s\"},"                           \
	"{\"text\":{\"type\":\"plain_text\",\"text\":\"Large\"},\"value\":\"l\"}]}}]}"
#define HOME                                                                                               \
	"{\"type\":\"home\",\"blocks\":[{\"type\":\"actions\",\"block_id\":\"b\",\"elements\":[{\"type\":" \
	"\"button\","                                                                                      \
	"\"action_id\":\"go\",\"text\":{\"type\":\"plain_text\",\"text\":\"Go\"}}]}]}"
#define PATIENT "\"ping_ms\":600000,\"pong_ms\":600000"

static void act(struct task *t, struct slack_rig *rig, const char *name, const char *members)
{
	json_object_put(slack_control(t, rig, name, "%s", members));
}

/* Ann runs a shortcut; returns the trigger that it gives, for the caller to free. */
static char *trigger(struct task *t, struct slack_rig *rig, struct websocket *w)
{
	struct json_object *o;
	char *id;

	act(t, rig, "shortcut", "\"user\":\"ann\",\"callback_id\":\"order\"");
	o = slack_hear_interaction(t, w, "shortcut");
	slack_has(o, "payload.callback_id", "order");
	slack_has(o, "accepts_response_payload", "false");
	id = xstrdup(slack_at(o, "payload.trigger_id"));
	slack_acknowledge(t, w, o);
	json_object_put(o);
	return id;
}

static struct json_object *open_by(
    struct task *t, struct slack_rig *rig, struct websocket *w, const char *method, const char *view)
{
	char *id = trigger(t, rig, w);
	struct json_object *o = slack_call(t, rig, method, "{\"trigger_id\":\"%s\",\"view\":%s}", id, view);

	free(id);
	return o;
}

static void open_modal(struct task *t, struct slack_rig *rig, struct websocket *w, const char *view)
{
	struct json_object *o = open_by(t, rig, w, "views.open", view);

	slack_has(o, "ok", "true");
	json_object_put(o);
}

/* Has Ann as many modals open, the topmost with this callback_id? */
static void expect_modals(struct task *t, struct slack_rig *rig, size_t count, const char *callback)
{
	struct json_object *o = slack_about(t, rig, "ann", "ann"), *views = json_get_array(o, "views");
	char path[40];

	assert_int_equal(json_object_array_length(views), count);
	snprintf(path, sizeof(path), "views.%zu.callback_id", count - 1);
	if (count > 0)
		slack_has(o, path, callback);
	json_object_put(o);
}

static void submit(struct task *t, struct slack_rig *rig, struct websocket *w, const char *answer)
{
	struct json_object *o;

	act(t, rig, "submit", "\"user\":\"ann\",\"values\":{\"Name\":\"Bo\"}");
	o = slack_hear_interaction(t, w, "view_submission");
	slack_has(o, "accepts_response_payload", "true");
	if (answer)
		slack_answer(t, w, o, answer);
	else
		slack_acknowledge(t, w, o);
	slack_pass(t, 0);
	json_object_put(o);
}

static void leave(struct task *t, struct websocket *w)
{
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(a_trigger_is_good_once_for_three_seconds)
{
	struct websocket *w = slack_attach(t, rig);
	char *id;

	slack_set(t, rig, PATIENT);
	id = trigger(t, rig, w);
	slack_expect(t, rig, "views.open", "invalid_arguments",
	    "{\"trigger_id\":\"%s\",\"view\":{\"type\":\"modal\"}}", id);
	slack_expect(t, rig, "views.open", NULL, "{\"trigger_id\":\"%s\",\"view\":" MODAL("") "}", id);
	slack_expect(t, rig, "views.open", "exchanged_trigger_id",
	    "{\"trigger_id\":\"%s\",\"view\":" MODAL("") "}", id);
	free(id);
	slack_expect(
	    t, rig, "views.open", "invalid_trigger_id", "{\"trigger_id\":\"no\",\"view\":" MODAL("") "}");
	slack_expect(t, rig, "views.open", "invalid_arguments", "{\"view\":" MODAL("") "}");
	id = trigger(t, rig, w);
	slack_pass(t, 2999);
	slack_expect(t, rig, "views.open", NULL, "{\"trigger_id\":\"%s\",\"view\":" MODAL("") "}", id);
	free(id);
	id = trigger(t, rig, w);
	slack_pass(t, 3000);
	slack_expect(
	    t, rig, "views.open", "expired_trigger_id", "{\"trigger_id\":\"%s\",\"view\":" MODAL("") "}", id);
	free(id);
	leave(t, w);
}

static void expect_view_problem(
    struct task *t, struct slack_rig *rig, const char *view, const char *error, const char *sentence)
{
	struct json_object *o =
	    slack_call(t, rig, "views.open", "{\"trigger_id\":\"1.2.ab\",\"view\":%s}", view);

	slack_has(o, "error", error);
	if (!strstr(slack_at(o, "response_metadata.messages.0"), sentence))
		fail_msg("not %s: %s", sentence, json_object_get_string(o));
	json_object_put(o);
}

SLACK_TEST(views_are_judged_where_they_are_wrong)
{
	char *large = xcalloc(1, 260000), *view;

	expect_view_problem(t, rig, "{\"type\":\"dialog\"}", "invalid_arguments",
	    "unsupported type: dialog [json-pointer:/view");
	expect_view_problem(t, rig, HOME, "invalid_arguments", "must be a view of type modal");
	expect_view_problem(t, rig, "{\"type\":\"modal\",\"blocks\":[]}", "invalid_arguments",
	    "missing required field: title [json-pointer:/view]");
	expect_view_problem(t, rig,
	    "{\"type\":\"modal\",\"title\":{\"type\":\"plain_text\",\"text\":\"A title that is longer than "
	    "allowed\"},\"blocks\":[]}",
	    "invalid_arguments", "must be less than 25 characters [json-pointer:/view/title/text]");
	expect_view_problem(t, rig,
	    "{\"type\":\"modal\",\"title\":{\"type\":\"plain_text\",\"text\":\"T\"},\"blocks\":[{\"type\":"
	    "\"divider\"},{\"type\":\"input\","
	    "\"label\":{\"type\":\"plain_text\",\"text\":\"L\"},\"element\":{\"type\":\"plain_text_input\"}}]"
	    "}",
	    "invalid_arguments",
	    "must define `submit` to use `input` block [json-pointer:/view/blocks/1/input]");
	expect_view_problem(t, rig,
	    "{\"type\":\"modal\",\"title\":{\"type\":\"plain_text\",\"text\":\"T\"},\"blocks\":[{\"type\":"
	    "\"markdown\",\"text\":\"x\"}]}",
	    "invalid_arguments", "unsupported type: markdown [json-pointer:/view/blocks/0");
	memset(large, 'x', 259999);
	view = xasprintf("{\"type\":\"modal\",\"private_metadata\":\"%s\"}", large);
	expect_view_problem(t, rig, view, "view_too_large", "250 kB");
	free(view);
	free(large);
}

SLACK_TEST(a_modal_is_filled_in_and_submitted)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	open_modal(t, rig, w, MODAL("\"callback_id\":\"order\",\"private_metadata\":\"mine\","));
	slack_control_refused(
	    t, rig, "submit", "Name: please complete this required field", "\"user\":\"ann\"");
	slack_control_refused(
	    t, rig, "submit", "from 2 to 3000 characters", "\"user\":\"ann\",\"values\":{\"Name\":\"B\"}");
	slack_control_refused(t, rig, "submit", "Size (static_select) does not offer \"Huge\"",
	    "\"user\":\"ann\",\"values\":{\"Size\":\"Huge\"}");
	slack_control_refused(
	    t, rig, "submit", "no element \"Nothing\"", "\"user\":\"ann\",\"values\":{\"Nothing\":\"x\"}");
	slack_control_refused(t, rig, "submit", "complete this required field",
	    "\"user\":\"ann\",\"state\":{\"name\":{\"in\":7},\"other\":[]}");
	act(t, rig, "submit", "\"user\":\"ann\",\"values\":{\"Name\":\"Bo\",\"Size\":\"Large\"}");
	o = slack_hear_interaction(t, w, "view_submission");
	slack_has(o, "payload.view.callback_id", "order");
	slack_has(o, "payload.view.private_metadata", "mine");
	slack_has(o, "payload.view.state.values.name.in.value", "Bo");
	slack_has(o, "payload.view.state.values.size.pick.selected_option.value", "l");
	slack_has(o, "payload.response_urls", "[ ]");
	slack_acknowledge(t, w, o);
	slack_pass(t, 0);
	json_object_put(o);
	expect_modals(t, rig, 0, "");
	slack_control_refused(t, rig, "submit", "sees no such view", "\"user\":\"ann\"");
	leave(t, w);
}

SLACK_TEST(a_submission_is_answered_with_errors_another_view_or_the_end_of_all)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	open_modal(t, rig, w, MODAL("\"callback_id\":\"one\","));
	submit(t, rig, w, "{\"response_action\":\"errors\",\"errors\":{\"name\":\"too short\"}}");
	o = slack_about(t, rig, "ann", "ann");
	slack_has(o, "views.0.errors.name", "too short");
	json_object_put(o);
	submit(t, rig, w, "{\"response_action\":\"update\",\"view\":" MODAL("\"callback_id\":\"two\",") "}");
	expect_modals(t, rig, 1, "two");
	submit(t, rig, w, "{\"response_action\":\"push\",\"view\":" MODAL("\"callback_id\":\"three\",") "}");
	expect_modals(t, rig, 2, "three");
	submit(t, rig, w, NULL);
	expect_modals(t, rig, 1, "two");
	submit(t, rig, w, "{\"response_action\":\"push\",\"view\":" MODAL("\"callback_id\":\"four\",") "}");
	submit(t, rig, w, "{\"response_action\":\"clear\"}");
	expect_modals(t, rig, 0, "");
	assert_int_equal(slack_refusals(rig), 0);
	leave(t, w);
}

static void expect_trouble(struct task *t, struct slack_rig *rig)
{
	struct json_object *o = slack_about(t, rig, "ann", "ann");

	slack_has(o, "views.0.problem", "We had some trouble connecting. Try again?");
	json_object_put(o);
}

SLACK_TEST(a_wrong_answer_to_a_submission_leaves_the_modal_and_is_recorded)
{
	static const char *const wrong[] = {
	    "{\"response_action\":\"errors\",\"errors\":{\"nowhere\":\"x\"}}",
	    "{\"response_action\":\"errors\",\"errors\":{}}",
	    "{\"response_action\":\"update\",\"view\":{\"type\":\"modal\"}}",
	    "{\"response_action\":\"update\",\"view\":" HOME "}",
	    "{\"response_action\":\"update\"}",
	    "{\"response_action\":\"close\"}",
	};
	struct websocket *w = slack_attach(t, rig);

	slack_set(t, rig, PATIENT);
	open_modal(t, rig, w, MODAL("\"callback_id\":\"one\","));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		submit(t, rig, w, wrong[i]);
		assert_int_equal(slack_refusals(rig), i + 1);
		expect_trouble(t, rig);
	}
	act(t, rig, "submit", "\"user\":\"ann\",\"values\":{\"Name\":\"Bo\"}");
	json_object_put(slack_hear_interaction(t, w, "view_submission"));
	slack_pass(t, 3000);
	expect_trouble(t, rig);
	leave(t, w);
}

SLACK_TEST(modals_stand_above_each_other_up_to_three)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	o = open_by(t, rig, w, "views.push", MODAL(""));
	slack_has(o, "error", "not_found");
	json_object_put(o);
	open_modal(t, rig, w, MODAL("\"callback_id\":\"one\",\"external_id\":\"mine\","));
	o = open_by(t, rig, w, "views.push", MODAL("\"external_id\":\"mine\","));
	slack_has(o, "error", "duplicate_external_id");
	json_object_put(o);
	o = open_by(t, rig, w, "views.push", MODAL("\"callback_id\":\"two\","));
	assert_string_equal(slack_at(o, "view.root_view_id"), slack_at(o, "view.previous_view_id"));
	json_object_put(o);
	json_object_put(open_by(t, rig, w, "views.push", MODAL("\"callback_id\":\"three\",")));
	o = open_by(t, rig, w, "views.push", MODAL(""));
	slack_has(o, "error", "push_limit_reached");
	json_object_put(o);
	expect_modals(t, rig, 3, "three");
	act(t, rig, "close", "\"user\":\"ann\"");
	expect_modals(t, rig, 2, "two");
	act(t, rig, "close", "\"user\":\"ann\",\"all\":true");
	expect_modals(t, rig, 0, "");
	leave(t, w);
}

SLACK_TEST(an_app_hears_of_a_closed_modal_if_it_wants_to)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	open_modal(t, rig, w, MODAL("\"callback_id\":\"one\",\"notify_on_close\":true,"));
	json_object_put(open_by(t, rig, w, "views.push",
	    MODAL("\"callback_id\":\"two\",\"notify_on_close\":true,\"clear_on_close\":true,")));
	act(t, rig, "close", "\"user\":\"ann\"");
	for (int i = 2; i > 0; i--) {
		o = slack_hear_interaction(t, w, "view_closed");
		slack_has(o, "payload.view.callback_id", i == 2 ? "two" : "one");
		slack_has(o, "payload.is_cleared", "true");
		slack_has(o, "payload.trigger_id", "");
		slack_acknowledge(t, w, o);
		json_object_put(o);
	}
	open_modal(t, rig, w, MODAL("\"notify_on_close\":true,"));
	act(t, rig, "close", "\"user\":\"ann\"");
	o = slack_hear_interaction(t, w, "view_closed");
	slack_has(o, "payload.is_cleared", "false");
	json_object_put(o);
	leave(t, w);
}

SLACK_TEST(a_view_is_updated_by_id_or_external_id_unless_its_hash_is_old)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o = open_by(t, rig, w, "views.open", MODAL("\"external_id\":\"mine\",")), *next;

	act(t, rig, "press", "\"user\":\"ann\",\"view\":\"modal\",\"button\":\"Name\",\"value\":\"Bo\"");
	next = slack_call(t, rig, "views.update",
	    "{\"view_id\":\"%s\",\"hash\":\"%s\",\"view\":" MODAL(
		"\"external_id\":\"mine\",\"callback_id\":\"new\",") "}",
	    slack_at(o, "view.id"), slack_at(o, "view.hash"));
	slack_has(next, "view.callback_id", "new");
	slack_has(next, "view.state.values.name.in.value", "Bo");
	slack_expect(t, rig, "views.update", "hash_conflict",
	    "{\"external_id\":\"mine\",\"hash\":\"%s\",\"view\":" MODAL("") "}", slack_at(o, "view.hash"));
	slack_expect(t, rig, "views.update", NULL, "{\"external_id\":\"mine\",\"view\":" MODAL("") "}");
	slack_expect(
	    t, rig, "views.update", "not_found", "{\"external_id\":\"mine\",\"view\":" MODAL("") "}");
	slack_expect(t, rig, "views.update", "not_found", "{\"view_id\":\"V0\",\"view\":" MODAL("") "}");
	slack_expect(t, rig, "views.update", "invalid_arguments", "{\"view\":" MODAL("") "}");
	json_object_put(next);
	json_object_put(o);
	leave(t, w);
}

static char *user_id(struct task *t, struct slack_rig *rig, const char *name)
{
	struct json_object *o = slack_control(
	    t, rig, "say", "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"%s\",\"text\":\"hi\"", name);
	char *id = xstrdup(slack_at(o, "user_id"));

	json_object_put(o);
	return id;
}

SLACK_TEST(an_app_home_is_published_opened_pressed_and_outlives_a_restart)
{
	char data[] = "/tmp/slack-XXXXXX", *ann;
	struct websocket *w;
	struct json_object *o;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	w = slack_attach(t, rig);
	ann = user_id(t, rig, "ann");
	slack_hear_event(t, w, "message");
	act(t, rig, "home", "\"user\":\"ann\"");
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "app_home_opened");
	slack_has(o, "payload.event.tab", "home");
	slack_has(o, "payload.event.view", "");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_expect(
	    t, rig, "views.publish", "invalid_arguments", "{\"user_id\":\"U0NOBODY\",\"view\":" HOME "}");
	slack_expect(
	    t, rig, "views.publish", "invalid_arguments", "{\"user_id\":\"%s\",\"view\":" MODAL("") "}", ann);
	slack_expect(t, rig, "views.publish", NULL, "{\"user_id\":\"%s\",\"view\":" HOME "}", ann);
	slack_expect(t, rig, "views.publish", "hash_conflict",
	    "{\"user_id\":\"%s\",\"hash\":\"1.2\",\"view\":" HOME "}", ann);
	leave(t, w);
	slack_pass(t, 0);
	slack_rig_restart(t, rig, data);
	w = slack_attach(t, rig);
	act(t, rig, "home", "\"user\":\"ann\"");
	o = slack_hear(t, w);
	slack_has(o, "payload.event.view.type", "home");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	act(t, rig, "press", "\"user\":\"ann\",\"view\":\"home\",\"button\":\"Go\"");
	o = slack_hear_interaction(t, w, "block_actions");
	slack_has(o, "payload.container.type", "view");
	slack_has(o, "payload.actions.0.action_id", "go");
	slack_has(o, "payload.response_url", "");
	assert_true(slack_at(o, "payload.trigger_id")[0] != '\0');
	slack_acknowledge(t, w, o);
	json_object_put(o);
	leave(t, w);
	free(ann);
	slack_rig_forget(t, rig, data);
}

SLACK_TEST(a_message_shortcut_tells_the_message_and_may_answer_below_it)
{
	struct websocket *w = slack_attach(t, rig);
	const char *ts = slack_say(t, rig, "hello");
	struct json_object *o;
	struct slack_reply reply;

	slack_hear_event(t, w, "message");
	json_object_put(slack_control(t, rig, "shortcut",
	    "\"chat\":\"dev\",\"user\":\"bob\",\"message_id\":\"%s\",\"callback_id\":\"note\"", ts));
	o = slack_hear_interaction(t, w, "message_action");
	slack_has(o, "payload.message.text", "hello");
	slack_has(o, "payload.message_ts", ts);
	slack_has(o, "payload.channel.name", "dev");
	slack_send(t, rig,
	    &(struct slack_request){.path = slack_at(o, "payload.response_url"),
		.token = "",
		.body = "{\"replace_original\":true,\"text\":\"x\"}"},
	    &reply);
	slack_has(reply.json, "error", "message_not_found");
	slack_reply_clear(&reply);
	json_object_put(o);
	leave(t, w);
}

SLACK_TEST(a_menu_of_conversations_can_give_the_app_a_response_url)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;
	struct slack_reply reply;

	slack_say(t, rig, "hello");
	slack_hear_event(t, w, "message");
	open_modal(t, rig, w,
	    "{\"type\":\"modal\",\"title\":{\"type\":\"plain_text\",\"text\":\"T\"},\"submit\":{\"type\":"
	    "\"plain_text\",\"text\":\"S\"},\"blocks\":[{\"type\":\"input\","
	    "\"block_id\":\"where\",\"label\":{\"type\":\"plain_text\",\"text\":\"Where\"},\"element\":{"
	    "\"type\":\"conversations_select\",\"action_id\":\"a\","
	    "\"response_url_enabled\":true}}]}");
	act(t, rig, "submit", "\"user\":\"ann\",\"values\":{\"Where\":\"#dev\"}");
	o = slack_hear_interaction(t, w, "view_submission");
	slack_has(o, "payload.response_urls.0.block_id", "where");
	slack_has(o, "payload.response_urls.0.channel_id", slack_dev(t, rig));
	slack_send(t, rig,
	    &(struct slack_request){.path = slack_at(o, "payload.response_urls.0.response_url"),
		.token = "",
		.body = "{\"response_type\":\"in_channel\",\"text\":\"ordered\"}"},
	    &reply);
	assert_int_equal(reply.status, 200);
	slack_reply_clear(&reply);
	slack_acknowledge(t, w, o);
	json_object_put(o);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.text", "ordered");
	json_object_put(o);
	leave(t, w);
}

SLACK_TEST(files_are_picked_in_a_modal)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;
	struct slack_reply reply;
	char *path;

	open_modal(t, rig, w,
	    "{\"type\":\"modal\",\"title\":{\"type\":\"plain_text\",\"text\":\"T\"},\"submit\":{\"type\":"
	    "\"plain_text\",\"text\":\"Go\"},\"blocks\":[{\"type\":\"input\",\"block_id\":\"b\",\"label\":{"
	    "\"type\":"
	    "\"plain_text\",\"text\":\"Proof\"},\"element\":{\"type\":\"file_input\",\"action_id\":\"f\","
	    "\"filetypes\":[\"pdf\"],\"max_files\":2}}]}");
	slack_control_refused(
	    t, rig, "submit", "Proof: please complete this required field", "\"user\":\"ann\"");
	slack_control_refused(t, rig, "submit", "(file_input) does not offer",
	    "\"user\":\"ann\",\"values\":{\"Proof\":[{\"name\":\"a.txt\",\"size\":1}]}");
	slack_control_refused(t, rig, "submit", "takes no more than 2",
	    "\"user\":\"ann\",\"values\":{\"Proof\":[{\"name\":\"a.pdf\",\"size\":1},{\"name\":\"b.pdf\","
	    "\"size\":1},{\"name\":\"c.pdf\",\"size\":1}]}");
	act(t, rig, "submit",
	    "\"user\":\"ann\",\"values\":{\"Proof\":[{\"name\":\"a.PDF\",\"base64\":\"eHl6\"}]}");
	o = slack_hear_interaction(t, w, "view_submission");
	slack_has(o, "payload.view.state.values.b.f.type", "file_input");
	slack_has(o, "payload.view.state.values.b.f.files.0.name", "a.PDF");
	slack_has(o, "payload.view.state.values.b.f.files.0.size", "3");
	path = xasprintf(
	    "/slack/api/files.info?file=%s", slack_at(o, "payload.view.state.values.b.f.files.0.id"));
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_send(t, rig, &(struct slack_request){.path = path, .method = "GET"}, &reply);
	slack_has(reply.json, "file.size", "3");
	slack_reply_clear(&reply);
	free(path);
	leave(t, w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_trigger_is_good_once_for_three_seconds),
	    cmocka_unit_test(views_are_judged_where_they_are_wrong),
	    cmocka_unit_test(a_modal_is_filled_in_and_submitted),
	    cmocka_unit_test(files_are_picked_in_a_modal),
	    cmocka_unit_test(a_submission_is_answered_with_errors_another_view_or_the_end_of_all),
	    cmocka_unit_test(a_wrong_answer_to_a_submission_leaves_the_modal_and_is_recorded),
	    cmocka_unit_test(modals_stand_above_each_other_up_to_three),
	    cmocka_unit_test(an_app_hears_of_a_closed_modal_if_it_wants_to),
	    cmocka_unit_test(a_view_is_updated_by_id_or_external_id_unless_its_hash_is_old),
	    cmocka_unit_test(an_app_home_is_published_opened_pressed_and_outlives_a_restart),
	    cmocka_unit_test(a_message_shortcut_tells_the_message_and_may_answer_below_it),
	    cmocka_unit_test(a_menu_of_conversations_can_give_the_app_a_response_url),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
