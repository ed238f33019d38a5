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
#include "net/websocket/websocket.h"
#include "tests/playground/slack/slack_rig.h"

#define TEXT(s)   "{\"type\":\"plain_text\",\"text\":\"" s "\"}"
#define OPTION(s) "{\"text\":" TEXT(s) ",\"value\":\"v-" s "\"}"
#define OPTIONS   "\"options\":[" OPTION("A") "," OPTION("B") "," OPTION("C") "]"

/* An app posts one element in a channel where Ann is; returns the ts, for the caller to free. */
static char *post(struct task *t, struct slack_rig *rig, struct websocket *w, const char *block)
{
	struct json_object *o;
	char *ts;

	slack_say(t, rig, "hello");
	slack_hear_event(t, w, "message");
	o = slack_call(t, rig, "chat.postMessage", "{\"channel\":\"%s\",\"text\":\"x\",\"blocks\":[%s]}",
	    slack_dev(t, rig), block);
	slack_has(o, "ok", "true");
	ts = xstrdup(slack_at(o, "ts"));
	slack_hear_event(t, w, "message");
	json_object_put(o);
	return ts;
}

static void press(struct task *t, struct slack_rig *rig, const char *ts, const char *members)
{
	json_object_put(slack_control(
	    t, rig, "press", "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",%s", ts, members));
}

/* What was chosen in each kind of element, and how the app is told: member of the action, and its value. */
static const struct {
	const char *element, *choice, *path, *value;
} choices[] = {
    {"{\"type\":\"static_select\",\"action_id\":\"e\"," OPTIONS "}", "\"B\"", "selected_option.value", "v-B"},
    {"{\"type\":\"static_select\",\"action_id\":\"e\",\"option_groups\":[{\"label\":" TEXT("G") "," OPTIONS
												"}]}",
	"\"v-C\"", "selected_option.text.text", "C"},
    {"{\"type\":\"multi_static_select\",\"action_id\":\"e\"," OPTIONS "}", "[\"A\",\"C\"]",
	"selected_options.1.value", "v-C"},
    {"{\"type\":\"overflow\",\"action_id\":\"e\"," OPTIONS "}", "\"A\"", "selected_option.value", "v-A"},
    {"{\"type\":\"radio_buttons\",\"action_id\":\"e\"," OPTIONS "}", "\"A\"", "selected_option.value", "v-A"},
    {"{\"type\":\"checkboxes\",\"action_id\":\"e\"," OPTIONS "}", "[]", "selected_options", "[ ]"},
    {"{\"type\":\"datepicker\",\"action_id\":\"e\"}", "\"2026-11-27\"", "selected_date", "2026-11-27"},
    {"{\"type\":\"timepicker\",\"action_id\":\"e\"}", "\"09:30\"", "selected_time", "09:30"},
    {"{\"type\":\"datetimepicker\",\"action_id\":\"e\"}", "1790000000", "selected_date_time", "1790000000"},
    {"{\"type\":\"users_select\",\"action_id\":\"e\"}", "\"ann\"", "selected_user", "U"},
    {"{\"type\":\"multi_users_select\",\"action_id\":\"e\"}", "[\"ann\"]", "selected_users.0", "U"},
    {"{\"type\":\"channels_select\",\"action_id\":\"e\"}", "\"dev\"", "selected_channel", "C"},
    {"{\"type\":\"multi_channels_select\",\"action_id\":\"e\"}", "[\"#dev\"]", "selected_channels.0", "C"},
    {"{\"type\":\"conversations_select\",\"action_id\":\"e\"}", "\"dev\"", "selected_conversation", "C"},
    {"{\"type\":\"multi_conversations_select\",\"action_id\":\"e\"}", "[\"dev\"]", "selected_conversations.0",
	"C"},
    {"{\"type\":\"button\",\"action_id\":\"e\",\"text\":" TEXT("Go") ",\"value\":\"7\"}", "null", "value",
	"7"},
};

SLACK_TEST(each_kind_of_element_tells_what_was_chosen)
{
	struct websocket *w = slack_attach(t, rig);

	slack_set(t, rig, "\"limits\":false");
	for (size_t i = 0; i < ARRAY_LEN(choices); i++) {
		char *block = xasprintf(
		    "{\"type\":\"actions\",\"block_id\":\"b\",\"elements\":[%s]}", choices[i].element);
		char *ts = post(t, rig, w, block),
		     *members = xasprintf("\"button\":\"e\",\"value\":%s", choices[i].choice);
		char *path = xasprintf("payload.actions.0.%s", choices[i].path);
		struct json_object *o;

		press(t, rig, ts, members);
		o = slack_hear_interaction(t, w, "block_actions");
		slack_has(o, "payload.actions.0.action_id", "e");
		slack_has(o, "payload.actions.0.block_id", "b");
		if (choices[i].value[1] != '\0' || choices[i].value[0] < 'A')
			slack_has(o, path, choices[i].value);
		else /* an id of that kind */
			assert_int_equal(slack_at(o, path)[0], choices[i].value[0]);
		slack_acknowledge(t, w, o);
		json_object_put(o);
		free(path);
		free(members);
		free(ts);
		free(block);
	}
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(what_an_element_does_not_offer_is_not_chosen)
{
	static const struct {
		const char *element, *choice, *said;
	} rows[] = {
	    {"{\"type\":\"static_select\",\"action_id\":\"e\"," OPTIONS "}", "\"D\"",
		"e (static_select) does not offer \"D\""},
	    {"{\"type\":\"multi_static_select\",\"action_id\":\"e\",\"max_selected_items\":1," OPTIONS "}",
		"[\"A\",\"B\"]", "e takes no more than 1"},
	    {"{\"type\":\"datepicker\",\"action_id\":\"e\"}", "\"tomorrow\"", "does not offer \"tomorrow\""},
	    {"{\"type\":\"timepicker\",\"action_id\":\"e\"}", "\"9:30\"", "does not offer"},
	    {"{\"type\":\"users_select\",\"action_id\":\"e\"}", "\"nobody\"", "does not offer \"nobody\""},
	};
	struct websocket *w = slack_attach(t, rig);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *block = xasprintf("{\"type\":\"actions\",\"elements\":[%s]}", rows[i].element),
		     *ts = post(t, rig, w, block);

		slack_control_refused(t, rig, "press", rows[i].said,
		    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"e\",\"value\":%s",
		    ts, rows[i].choice);
		slack_control_refused(t, rig, "press", "no button or other element \"other\"",
		    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"other\"", ts);
		free(ts);
		free(block);
	}
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(the_state_has_first_values_and_choices_of_that_person)
{
	struct websocket *w = slack_attach(t, rig);
	char *ts = post(t, rig, w,
	    "{\"type\":\"input\",\"block_id\":\"note\",\"label\":" TEXT(
		"Note") ",\"element\":{\"type\":\"plain_text_input\",\"action_id\":\"in\",\"initial_value\":"
			"\"first\"}},"
			"{\"type\":\"section\",\"block_id\":\"s\",\"text\":" TEXT(
			    "T") ",\"accessory\":{\"type\":\"checkboxes\",\"action_id\":\"c\"," OPTIONS
				 ",\"initial_options\":[" OPTION(
				     "B") "]}},"
					  "{\"type\":\"actions\",\"block_id\":\"b\",\"elements\":[{\"type\":"
					  "\"button\",\"action_id\":\"go\",\"text\":" TEXT("Go") "}]}");
	struct json_object *o;

	press(t, rig, ts, "\"button\":\"go\"");
	o = slack_hear_interaction(t, w, "block_actions");
	slack_has(o, "payload.state.values.note.in.value", "first");
	slack_has(o, "payload.state.values.s.c.selected_options.0.value", "v-B");
	slack_has(o, "payload.state.values.b", "");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	/* An input block says nothing until its app asks it to. */
	press(t, rig, ts, "\"button\":\"Note\",\"value\":\"second\"");
	json_object_put(slack_control(t, rig, "press",
	    "\"chat\":\"dev\",\"user\":\"bob\",\"message_id\":\"%s\",\"button\":\"go\"", ts));
	o = slack_hear_interaction(t, w, "block_actions");
	slack_has(o, "payload.state.values.note.in.value", "first");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	press(t, rig, ts, "\"button\":\"go\"");
	o = slack_hear_interaction(t, w, "block_actions");
	slack_has(o, "payload.state.values.note.in.value", "second");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	free(ts);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(an_input_that_dispatches_tells_the_app_at_once)
{
	struct websocket *w = slack_attach(t, rig);
	char *ts = post(t, rig, w,
	    "{\"type\":\"input\",\"block_id\":\"n\",\"dispatch_action\":true,\"label\":" TEXT(
		"Count") ",\"element\":{\"type\":\"number_input\",\"action_id\":\"in\",\"is_decimal_"
			 "allowed\":false,\"max_value\":\"9\"}}");
	struct json_object *o;

	slack_control_refused(t, rig, "press", "Count takes a number without decimals to 9",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"Count\",\"value\":\"12\"",
	    ts);
	press(t, rig, ts, "\"button\":\"Count\",\"value\":\"7\"");
	o = slack_hear_interaction(t, w, "block_actions");
	slack_has(o, "payload.actions.0.type", "number_input");
	slack_has(o, "payload.actions.0.value", "7");
	json_object_put(o);
	free(ts);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(the_options_of_an_external_menu_come_from_the_app)
{
	struct websocket *w = slack_attach(t, rig);
	char *ts = post(t, rig, w,
	    "{\"type\":\"actions\",\"block_id\":\"b\",\"elements\":[{\"type\":\"external_select\",\"action_"
	    "id\":\"city\",\"placeholder\":" TEXT("City") "}]}");
	struct json_object *o;

	slack_control_refused(t, rig, "press", "asks the app for options after 3 characters",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"City\",\"value\":\"Ro\"",
	    ts);
	press(t, rig, ts, "\"button\":\"City\",\"query\":\"Rom\",\"value\":\"Rome\"");
	o = slack_hear_interaction(t, w, "block_suggestion");
	slack_has(o, "accepts_response_payload", "true");
	slack_has(o, "payload.value", "Rom");
	slack_has(o, "payload.action_id", "city");
	slack_has(o, "payload.container.message_ts", ts);
	slack_answer(t, w, o, "{\"options\":[" OPTION("Roma") "," OPTION("Rome") "]}");
	json_object_put(o);
	o = slack_hear_interaction(t, w, "block_actions");
	slack_has(o, "payload.actions.0.selected_option.value", "v-Rome");
	slack_has(o, "payload.state.values.b.city.selected_option.value", "v-Rome");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	assert_int_equal(slack_refusals(rig), 0);
	free(ts);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(a_person_sees_the_options_before_choosing)
{
	struct websocket *w = slack_attach(t, rig);
	char *ts = post(t, rig, w,
	    "{\"type\":\"actions\",\"elements\":[{\"type\":\"external_select\",\"action_id\":\"city\"}]}");
	struct json_object *o;

	press(t, rig, ts, "\"button\":\"city\",\"query\":\"Rom\"");
	o = slack_hear_interaction(t, w, "block_suggestion");
	slack_answer(t, w, o, "{\"options\":[" OPTION("Roma") "," OPTION("Rome") "]}");
	json_object_put(o);
	slack_pass(t, 0);
	o = slack_about(t, rig, "dev", "ann");
	slack_has(o, "offered.query", "Rom");
	slack_has(o, "offered.place.action_id", "city");
	slack_has(o, "offered.answer.options.1.value", "v-Rome");
	json_object_put(o);
	press(t, rig, ts, "\"button\":\"city\",\"value\":\"Rome\"");
	o = slack_hear_interaction(t, w, "block_actions");
	slack_has(o, "payload.actions.0.selected_option.value", "v-Rome");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	free(ts);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(options_that_cannot_be_shown_or_do_not_have_the_choice_are_recorded)
{
	static const char *const answers[] = {
	    "{}", "{\"options\":[{\"text\":\"Rome\"}]}", "{\"options\":[" OPTION("Oslo") "]}"};
	struct websocket *w = slack_attach(t, rig);
	char *ts = post(t, rig, w,
	    "{\"type\":\"actions\",\"elements\":[{\"type\":\"external_select\",\"action_id\":\"city\",\"min_"
	    "query_length\":0}]}");

	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		struct json_object *o;

		press(t, rig, ts, "\"button\":\"city\",\"value\":\"Rome\"");
		o = slack_hear_interaction(t, w, "block_suggestion");
		slack_answer(t, w, o, answers[i]);
		json_object_put(o);
		assert_int_equal(slack_refusals(rig), i + 1);
	}
	free(ts);
	websocket_close(t, w, 1000, "");
}

/* The response_url of a press on the message. */
static char *response_url(struct task *t, struct slack_rig *rig, struct websocket *w, const char *ts)
{
	struct json_object *o;
	char *url;

	press(t, rig, ts, "\"button\":\"go\"");
	o = slack_hear_interaction(t, w, "block_actions");
	url = xstrdup(slack_at(o, "payload.response_url"));
	slack_acknowledge(t, w, o);
	slack_pass(t, 0);
	json_object_put(o);
	return url;
}

static void respond(
    struct task *t, struct slack_rig *rig, const char *url, const char *body, int status, const char *error)
{
	struct slack_reply reply;

	slack_send(t, rig, &(struct slack_request){.path = url, .token = "", .body = body}, &reply);
	assert_int_equal(reply.status, status);
	slack_has(reply.json, "error", error);
	slack_reply_clear(&reply);
}

#define GO                                                                                              \
	"{\"type\":\"actions\",\"elements\":[{\"type\":\"button\",\"action_id\":\"go\",\"text\":" TEXT( \
	    "Go") "}]}"

SLACK_TEST(a_response_url_replaces_the_message_as_a_whole_or_deletes_it)
{
	struct websocket *w = slack_attach(t, rig);
	char *ts = post(t, rig, w, GO), *url = response_url(t, rig, w, ts);
	struct json_object *o;

	respond(t, rig, url, "{\"replace_original\":true}", 400, "no_text");
	respond(t, rig, url, "{\"replace_original\":true,\"blocks\":[{\"type\":\"nothing\"}]}", 400,
	    "invalid_blocks");
	respond(t, rig, url, "{\"replace_original\":true,\"text\":\"done\"}", 200, "");
	slack_hear_event(t, w, "message_changed");
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.text", "done");
	slack_has(o, "messages.1.buttons", "[ ]");
	slack_has(o, "messages.1.blocks", "");
	json_object_put(o);
	respond(t, rig, url, "{\"delete_original\":true}", 200, "");
	slack_hear_event(t, w, "message_deleted");
	respond(t, rig, url, "{\"replace_original\":true,\"text\":\"x\"}", 400, "message_not_found");
	respond(t, rig, url, "{\"text\":\"x\"}", 404, "used_url");
	free(url);
	free(ts);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(a_response_url_reaches_a_message_that_one_person_sees)
{
	struct websocket *w = slack_attach(t, rig);
	const char *user;
	struct json_object *o, *said;
	char *url, *ts;

	said = slack_control(
	    t, rig, "say", "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"ann\",\"text\":\"hi\"");
	user = slack_at(said, "user_id");
	slack_hear_event(t, w, "message");
	o = slack_call(t, rig, "chat.postEphemeral",
	    "{\"channel\":\"%s\",\"user\":\"%s\",\"text\":\"x\",\"blocks\":[" GO "]}", slack_dev(t, rig),
	    user);
	ts = xstrdup(slack_at(o, "message_ts"));
	json_object_put(o);
	url = response_url(t, rig, w, ts);
	respond(t, rig, url, "{\"replace_original\":true,\"text\":\"seen\"}", 200, "");
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.text", "seen");
	slack_has(o, "messages.1.only_for", user);
	json_object_put(o);
	respond(t, rig, url, "{\"delete_original\":true}", 200, "");
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.deleted", "true");
	json_object_put(o);
	slack_say(t, rig, "next");
	slack_hear_event(t, w, "message"); /* and no event of what others do not see */
	json_object_put(said);
	free(url);
	free(ts);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(a_response_url_is_good_for_half_an_hour)
{
	struct websocket *w = slack_attach(t, rig);
	char *ts = post(t, rig, w, GO), *url;

	slack_set(t, rig, "\"ping_ms\":600000,\"pong_ms\":600000,\"connection_s\":86400");
	url = response_url(t, rig, w, ts);
	slack_pass(t, 30 * 60 * 1000 - 1);
	respond(t, rig, url, "{\"text\":\"x\"}", 200, "");
	slack_pass(t, 1);
	respond(t, rig, url, "{\"text\":\"x\"}", 404, "expired_url");
	free(url);
	free(ts);
	websocket_close(t, w, 1000, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_kind_of_element_tells_what_was_chosen),
	    cmocka_unit_test(what_an_element_does_not_offer_is_not_chosen),
	    cmocka_unit_test(the_state_has_first_values_and_choices_of_that_person),
	    cmocka_unit_test(an_input_that_dispatches_tells_the_app_at_once),
	    cmocka_unit_test(the_options_of_an_external_menu_come_from_the_app),
	    cmocka_unit_test(a_person_sees_the_options_before_choosing),
	    cmocka_unit_test(options_that_cannot_be_shown_or_do_not_have_the_choice_are_recorded),
	    cmocka_unit_test(a_response_url_replaces_the_message_as_a_whole_or_deletes_it),
	    cmocka_unit_test(a_response_url_reaches_a_message_that_one_person_sees),
	    cmocka_unit_test(a_response_url_is_good_for_half_an_hour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
