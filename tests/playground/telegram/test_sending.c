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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_message_is_forwarded_with_its_origin_and_copied_without, fixture_reset),
	    cmocka_unit_test_setup(what_cannot_be_forwarded_is_refused, fixture_reset),
	    cmocka_unit_test_setup(a_copy_may_have_another_caption, fixture_reset),
	    cmocka_unit_test_setup(dice_contacts_and_venues_are_sent, fixture_reset),
	    cmocka_unit_test_setup(a_live_location_moves_until_it_is_stopped, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
