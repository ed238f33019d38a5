#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

/* Calls that fail, and what they say. */
struct refusal {
	const char *method, *body, *says;
};

static void expect_refused(const struct refusal *r, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_once(bot(r[i].method, 400, "%s", r[i].body), "description", r[i].says);
}

static int number_at(struct json_object *o, const char *path)
{
	return (int)strtol(client_at(o, path), NULL, 10);
}

/* Sends as the bot to person 77; returns the id. */
static int sent(const char *method, const char *members)
{
	struct json_object *o = bot(method, 200, "{\"chat_id\":77,%s}", members);
	int id = number_at(o, "result.message_id");

	json_object_put(o);
	return id;
}

static void a_message_is_forwarded_with_its_origin_and_copied_without(void **state)
{
	int id = say("hello"), again;
	struct json_object *o;

	(void)state;
	o = bot("forwardMessage", 200, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%d}", id);
	expect_at(o, "result.text", "hello");
	expect_at(o, "result.from.id", "123456");
	expect_at(o, "result.forward_origin.type", "user");
	expect_at(o, "result.forward_origin.sender_user.id", "77");
	again = number_at(o, "result.message_id");
	json_object_put(o);
	/* What was forwarded before keeps its first origin. */
	o = bot("forwardMessage", 200, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%d}", again);
	expect_at(o, "result.forward_origin.sender_user.id", "77");
	json_object_put(o);
	o = bot("copyMessages", 200, "{\"chat_id\":77,\"from_chat_id\":77,\"message_ids\":[%d,9999,%d]}", id,
	    again);
	assert_int_equal(json_object_array_length(json_get_array(o, "result")), 2);
	json_object_put(o);
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.4.text", "hello");
	expect_at(o, "messages.4.extra.forward_origin.type", "");
	json_object_put(o);
}

static void what_cannot_be_forwarded_is_refused(void **state)
{
	static const struct refusal wrong[] = {
	    {"forwardMessage", "{\"chat_id\":77,\"message_id\":1}",
		"Bad Request: parameter \"from_chat_id\" is required"},
	    {"forwardMessage", "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":9999}",
		"Bad Request: message to forward not found"},
	    {"copyMessage", "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":9999}",
		"Bad Request: message to copy not found"},
	    {"copyMessage", "{\"chat_id\":77,\"from_chat_id\":4711,\"message_id\":1}",
		"Bad Request: chat not found"},
	    {"forwardMessages", "{\"chat_id\":77,\"from_chat_id\":77,\"message_ids\":[9999]}",
		"Bad Request: there are no messages to forward"},
	};
	int id;

	(void)state;
	say("hi");
	expect_refused(wrong, ARRAY_LEN(wrong));
	id = sent("sendMessage", "\"text\":\"secret\",\"protect_content\":true");
	expect_once(bot("forwardMessage", 400, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%d}", id),
	    "description", "Bad Request: the message can't be forwarded");
	expect_once(bot("copyMessage", 400, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%d}", id),
	    "description", "Bad Request: the message can't be copied");
}

static void a_copy_may_have_another_caption(void **state)
{
	struct json_object *o;
	int id;

	(void)state;
	o = control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"old\",\"files\":[{\"name\":\"a.txt\","
	    "\"base64\":\"YQ==\"}]}");
	id = number_at(o, "message_id");
	json_object_put(o);
	json_object_put(bot("copyMessage", 200,
	    "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%d,\"caption\":\"new\"}", id));
	json_object_put(bot("copyMessages", 200,
	    "{\"chat_id\":77,\"from_chat_id\":77,\"message_ids\":[%d],\"remove_caption\":true}", id));
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.1.text", "new");
	expect_at(o, "messages.1.files.0.name", "a.txt");
	expect_at(o, "messages.2.text", "");
	expect_at(o, "messages.2.files.0.name", "a.txt");
	json_object_put(o);
}

static void dice_contacts_and_venues_are_sent(void **state)
{
	static const struct refusal wrong[] = {
	    {"sendDice", "{\"chat_id\":77,\"emoji\":\"🦊\"}", "Bad Request: EMOTICON_INVALID"},
	    {"sendContact", "{\"chat_id\":77,\"phone_number\":\"1\"}",
		"Bad Request: parameter \"first_name\" is required"},
	    {"sendVenue", "{\"chat_id\":77,\"longitude\":1,\"title\":\"a\",\"address\":\"b\"}",
		"Bad Request: latitude is empty"},
	    {"sendLocation", "{\"chat_id\":77,\"latitude\":1,\"longitude\":1,\"live_period\":5}",
		"Bad Request: wrong live location period specified"},
	};
	struct json_object *o;

	(void)state;
	say("hi");
	o = bot("sendDice", 200, "{\"chat_id\":77,\"emoji\":\"🏀\"}");
	expect_at(o, "result.dice.emoji", "🏀");
	assert_in_range(number_at(o, "result.dice.value"), 1, 5);
	json_object_put(o);
	json_object_put(control(
	    "say", "{\"platform\":\"telegram\",\"user\":\"77\",\"dice\":{\"emoji\":\"🎰\",\"value\":64}}"));
	expect_once(bot("getUpdates", 200, "{\"offset\":-1}"), "result.0.message.dice.value", "64");
	expect_once(bot("sendContact", 200, "{\"chat_id\":77,\"phone_number\":\"1\",\"first_name\":\"Ann\"}"),
	    "result.contact.first_name", "Ann");
	o = bot("sendVenue", 200,
	    "{\"chat_id\":77,\"latitude\":1.5,\"longitude\":2,\"title\":\"Inn\",\"address\":\"here\"}");
	expect_at(o, "result.venue.title", "Inn");
	expect_at(o, "result.venue.location.latitude", "1.500000");
	expect_at(o, "result.location.longitude", "2.000000");
	json_object_put(o);
	expect_refused(wrong, ARRAY_LEN(wrong));
}

static void a_live_location_moves_until_it_is_stopped(void **state)
{
	struct json_object *o;
	int id;

	(void)state;
	say("hi");
	id = sent("sendLocation", "\"latitude\":1,\"longitude\":2,\"live_period\":600,\"heading\":90");
	o = bot("editMessageLiveLocation", 200,
	    "{\"chat_id\":77,\"message_id\":%d,\"latitude\":3,\"longitude\":4}", id);
	expect_at(o, "result.location.latitude", "3.000000");
	expect_at(o, "result.location.live_period", "600");
	json_object_put(o);
	o = bot("stopMessageLiveLocation", 200, "{\"chat_id\":77,\"message_id\":%d}", id);
	expect_at(o, "result.location.longitude", "4.000000");
	expect_at(o, "result.location.live_period", "");
	json_object_put(o);
	expect_once(bot("editMessageLiveLocation", 400,
			"{\"chat_id\":77,\"message_id\":%d,\"latitude\":3,\"longitude\":4}", id),
	    "description", "Bad Request: message can't be edited");
	id = sent("sendMessage", "\"text\":\"x\"");
	expect_once(bot("stopMessageLiveLocation", 400, "{\"chat_id\":77,\"message_id\":%d}", id),
	    "description", "Bad Request: there is no live location in the message to edit");
}

/* What person 77 does with a message. */
static void act(const char *name, int id, const char *members)
{
	json_object_put(
	    control(name, "{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":%d,%s}", id, members));
}

static void people_vote_in_polls(void **state)
{
	struct json_object *o;
	int id;

	(void)state;
	say("hi");
	o = bot("sendPoll", 200,
	    "{\"chat_id\":77,\"question\":\"<b>Tea</"
	    "b>?\",\"question_parse_mode\":\"HTML\",\"is_anonymous\":false,"
	    "\"options\":[\"yes\",{\"text\":\"no\"}]}");
	expect_at(o, "result.poll.question", "Tea?");
	expect_at(o, "result.poll.question_entities.0.type", "bold");
	expect_at(o, "result.poll.options.1.text", "no");
	id = number_at(o, "result.message_id");
	json_object_put(o);
	act("vote", id, "\"answer\":\"no\"");
	o = bot("getUpdates", 200, "{\"offset\":-2}");
	expect_at(o, "result.0.poll.options.1.voter_count", "1");
	expect_at(o, "result.1.poll_answer.user.id", "77");
	expect_at(o, "result.1.poll_answer.option_ids.0", "1");
	json_object_put(o);
	expect_once(client_post(at("/control/vote"), 400,
			"{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":%d,\"answer\":[1,2]}", id),
	    "error", "only one option can be chosen in this poll");
	act("vote", id, "\"remove\":true");
	expect_once(bot("getUpdates", 200, "{\"offset\":-2}"), "result.0.poll.total_voter_count", "0");
	act("vote", id, "\"answer\":1");
	o = bot("stopPoll", 200, "{\"chat_id\":77,\"message_id\":%d}", id);
	expect_at(o, "result.is_closed", "true");
	expect_at(o, "result.options.0.voter_count", "1");
	json_object_put(o);
	expect_once(bot("getUpdates", 200, "{\"offset\":-1}"), "result.0.poll.is_closed", "true");
	expect_once(bot("stopPoll", 400, "{\"chat_id\":77,\"message_id\":%d}", id), "description",
	    "Bad Request: poll has already been closed");
	expect_once(client_post(at("/control/vote"), 400,
			"{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":%d,\"answer\":1}", id),
	    "error", "the poll is closed");
}

static void a_quiz_is_answered_once_and_a_poll_ends_by_itself(void **state)
{
	static const char poll[] = "\"question\":\"2+2\",\"options\":[\"3\",\"4\"]";
	char *quiz =
	    xasprintf("%s,\"type\":\"quiz\",\"correct_option_ids\":[1],\"explanation\":\"so\"", poll);
	char *timed = xasprintf("%s,\"open_period\":5", poll);
	struct json_object *o;
	int id;

	(void)state;
	say("hi");
	id = sent("sendPoll", quiz);
	act("vote", id, "\"answer\":1");
	expect_once(client_post(at("/control/vote"), 400,
			"{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":%d,\"answer\":2}", id),
	    "error", "nobody votes twice in this poll");
	sent("sendPoll", timed);
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	id = number_at(o, "result.0.update_id");
	json_object_put(o);
	expect_once(bot("getUpdates", 200, "{\"offset\":%d,\"timeout\":40}", id + 1),
	    "result.0.poll.is_closed", "true");
	free(quiz);
	free(timed);
}

static void wrong_polls_are_refused(void **state)
{
	static const struct refusal wrong[] = {
	    {"sendPoll", "{\"chat_id\":77,\"question\":\"a\"}",
		"Bad Request: can't parse options JSON object"},
	    {"sendPoll", "{\"chat_id\":77,\"question\":\"a\",\"options\":[]}",
		"Bad Request: poll must have at least one answer option"},
	    {"sendPoll", "{\"chat_id\":77,\"question\":\"a\",\"options\":[5]}",
		"Bad Request: expected an option to be of type String"},
	    {"sendPoll", "{\"chat_id\":77,\"question\":\"a\",\"options\":[\"\"]}",
		"Bad Request: poll option must be non-empty"},
	    {"sendPoll", "{\"chat_id\":77,\"question\":\"a\",\"options\":[\"b\"],\"type\":\"vote\"}",
		"Bad Request: unsupported poll type specified"},
	    {"sendPoll", "{\"chat_id\":77,\"question\":\"a\",\"options\":[\"b\"],\"type\":\"quiz\"}",
		"Bad Request: correct quiz option list must be non-empty"},
	    {"sendPoll",
		"{\"chat_id\":77,\"question\":\"a\",\"options\":[\"b\"],\"type\":\"quiz\","
		"\"correct_option_id\":1}",
		"Bad Request: wrong quiz correct_option_id"},
	    {"stopPoll", "{\"chat_id\":77,\"message_id\":9999}",
		"Bad Request: message with poll to stop not found"},
	};

	(void)state;
	say("hi");
	expect_refused(wrong, ARRAY_LEN(wrong));
	expect_once(
	    bot("stopPoll", 400, "{\"chat_id\":77,\"message_id\":%d}", sent("sendMessage", "\"text\":\"x\"")),
	    "description", "Bad Request: message is not a poll");
}

static void media_are_replaced(void **state)
{
	struct json_object *o;
	char *file_id;
	int id;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"a.txt\",\"base64\":\"YQ==\"}]"
	    "}"));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	file_id = xstrdup(client_at(o, "result.0.message.document.file_id"));
	json_object_put(o);
	id = sent("sendMessage", "\"text\":\"soon\"");
	o = bot("editMessageMedia", 200,
	    "{\"chat_id\":77,\"message_id\":%d,\"media\":{\"type\":\"document\",\"media\":\"%s\",\"caption\":"
	    "\"now\"}}",
	    id, file_id);
	expect_at(o, "result.document.file_name", "a.txt");
	expect_at(o, "result.caption", "now");
	json_object_put(o);
	expect_once(bot("editMessageMedia", 400,
			"{\"chat_id\":77,\"message_id\":%d,\"media\":{\"type\":\"photo\",\"media\":\"%s\"}}",
			id, file_id),
	    "description", "Bad Request: can't use file of type Document as Photo");
	expect_once(
	    bot("editMessageMedia", 400,
		"{\"chat_id\":77,\"message_id\":%d,\"media\":{\"type\":\"document\",\"media\":\"%s\"}}",
		sent("sendDice", "\"emoji\":\"🎲\""), file_id),
	    "description", "Bad Request: message media can't be edited");
	free(file_id);
}

static void no_text_stands_for_a_boolean_in_an_object(void **state)
{
	(void)state;
	say("hello");
	expect_once(
	    bot("sendMessage", 400,
		"{\"chat_id\":77,\"text\":\"x\",\"link_preview_options\":{\"is_disabled\":\"true\"}}"),
	    "description", "Bad Request: field \"is_disabled\" must be of type Boolean");
	json_object_put(bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"x\",\"disable_notification\":\"true\",\"link_preview_options\":{\"is_"
	    "disabled\":true}}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_message_is_forwarded_with_its_origin_and_copied_without, fixture_reset),
	    cmocka_unit_test_setup(what_cannot_be_forwarded_is_refused, fixture_reset),
	    cmocka_unit_test_setup(a_copy_may_have_another_caption, fixture_reset),
	    cmocka_unit_test_setup(dice_contacts_and_venues_are_sent, fixture_reset),
	    cmocka_unit_test_setup(a_live_location_moves_until_it_is_stopped, fixture_reset),
	    cmocka_unit_test_setup(people_vote_in_polls, fixture_reset),
	    cmocka_unit_test_setup(a_quiz_is_answered_once_and_a_poll_ends_by_itself, fixture_reset),
	    cmocka_unit_test_setup(wrong_polls_are_refused, fixture_reset),
	    cmocka_unit_test_setup(media_are_replaced, fixture_reset),
	    cmocka_unit_test_setup(no_text_stands_for_a_boolean_in_an_object, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
