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

#define GROUP "-1001234567890"

/* POST /control/NAME for the group, by ann. */
#define action(name, fmt, ...)        \
	json_object_put(control(name, \
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"ann\"," fmt "}", ##__VA_ARGS__))

/* What came last, as update 0; others are forgotten. */
static struct json_object *last_update(void)
{
	return bot("getUpdates", 200, "{\"offset\":-1}");
}

static void a_bot_is_added_promoted_and_removed(void **state)
{
	struct json_object *o;

	(void)state;
	action("chat", "\"title\":\"Team\"");
	json_object_put(bot("getUpdates", 200, "{\"offset\":-1}"));
	action("member", "\"action\":\"add\"");
	expect_once(last_update(), "result.0.message.new_chat_members.0.username", "myna_bot");
	action("member", "\"action\":\"promote\"");
	o = last_update();
	expect_at(o, "result.0.my_chat_member.old_chat_member.status", "member");
	expect_at(o, "result.0.my_chat_member.new_chat_member.status", "administrator");
	expect_at(o, "result.0.my_chat_member.new_chat_member.can_manage_topics", "true");
	expect_at(o, "result.0.my_chat_member.from.username", "ann");
	json_object_put(o);
	expect_once(bot("getChatAdministrators", 200, "{\"chat_id\":" GROUP "}"), "result.0.user.username",
	    "myna_bot");
	expect_once(bot("getChatMember", 200, "{\"chat_id\":" GROUP ",\"user_id\":123456}"), "result.status",
	    "administrator");
	action("say", "\"text\":\"not to the bot\"");
	expect_once(last_update(), "result.0.message.text", "not to the bot");
	action("member", "\"action\":\"remove\"");
	expect_once(last_update(), "result.0.my_chat_member.new_chat_member.status", "kicked");
	expect_once(bot("sendMessage", 403, "{\"chat_id\":" GROUP ",\"text\":\"x\"}"), "description",
	    "Forbidden: bot was kicked from the supergroup chat");
	action("member", "\"action\":\"add\",\"who\":\"Bob\"");
	action("member", "\"action\":\"add\"");
	expect_once(last_update(), "result.0.message.new_chat_members.0.id", "123456");
	action("member", "\"action\":\"remove\",\"who\":\"Bob\"");
	expect_once(last_update(), "result.0.message.left_chat_member.first_name", "Bob");
	json_object_put(bot("leaveChat", 200, "{\"chat_id\":" GROUP "}"));
	expect_once(bot("sendMessage", 403, "{\"chat_id\":" GROUP ",\"text\":\"x\"}"), "description",
	    "Forbidden: bot is not a member of the supergroup chat");
}

static void channels_have_members_without_messages_about_them(void **state)
{
	static const char *const updates[][2] = {
	    {"add", "member"}, {"promote", "administrator"}, {"demote", "member"}, {"remove", "kicked"}};

	(void)state;
	action("say", "\"kind\":\"channel\",\"text\":\"news\"");
	json_object_put(bot("getUpdates", 200,
	    "{\"offset\":-1,\"allowed_updates\":[\"chat_member\",\"my_chat_member\","
	    "\"channel_post\"]}"));
	for (size_t i = 0; i < ARRAY_LEN(updates); i++) {
		action("member", "\"action\":\"%s\",\"who\":\"Bob\"", updates[i][0]);
		expect_once(last_update(), "result.0.chat_member.new_chat_member.status", updates[i][1]);
	}
	action("member", "\"action\":\"remove\"");
	expect_once(last_update(), "result.0.my_chat_member.new_chat_member.status", "kicked");
	action("member", "\"action\":\"add\"");
	expect_once(last_update(), "result.0.my_chat_member.new_chat_member.status", "administrator");
	expect_once(
	    client_post(at("/control/member"), 400,
		"{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"ann\",\"action\":\"demote\"}"),
	    "error", "that is for groups: in a channel, promote or remove the bot");
	expect_once(client_post(at("/control/member"), 400,
			"{\"platform\":\"telegram\",\"chat\":\"" GROUP
			"\",\"user\":\"ann\",\"action\":\"mute\",\"who\":\"Bob\"}"),
	    "error", "that is for groups: in a channel, promote or remove Bob");
	json_object_put(bot("getUpdates", 200, "{\"offset\":-1,\"allowed_updates\":[]}"));
}

static void a_chat_can_be_closed_to_the_bot_in_every_way(void **state)
{
	static const struct {
		const char *chat, *gone, *says;
	} ways[] = {
	    {"77", "blocked", "Forbidden: bot was blocked by the user"},
	    {"77", "deactivated", "Forbidden: user is deactivated"},
	    {"-55", "blocked", "Forbidden: bot was kicked from the group chat"},
	    {"-55", "deleted", "Forbidden: the group chat was deleted"},
	    {"-55", "left", "Forbidden: bot is not a member of the group chat"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		json_object_put(control("chat", "{\"platform\":\"telegram\",\"chat\":\"%s\",\"gone\":\"%s\"}",
		    ways[i].chat, ways[i].gone));
		expect_once(bot("sendMessage", 403, "{\"chat_id\":%s,\"text\":\"x\"}", ways[i].chat),
		    "description", ways[i].says);
		expect_verdict("telegram", "ok");
		json_object_put(control(
		    "chat", "{\"platform\":\"telegram\",\"chat\":\"%s\",\"gone\":\"no\"}", ways[i].chat));
		json_object_put(bot("sendMessage", 200, "{\"chat_id\":%s,\"text\":\"x\"}", ways[i].chat));
	}
	json_object_put(
	    control("say", "{\"platform\":\"telegram\",\"chat\":\"-55\",\"user\":\"78\",\"text\":\"/x\"}"));
	expect_once(bot("sendMessage", 403, "{\"chat_id\":78,\"text\":\"x\"}"), "description",
	    "Forbidden: bot can't initiate conversation with a user");
	json_object_put(control(
	    "member", "{\"platform\":\"telegram\",\"chat\":\"-55\",\"user\":\"78\",\"action\":\"mute\"}"));
	expect_once(bot("sendMessage", 400, "{\"chat_id\":-55,\"text\":\"x\"}"), "description",
	    "Bad Request: not enough rights to send text messages to the chat");
}

static void topics_are_made_and_closed(void **state)
{
	struct json_object *o;
	char thread[24];

	(void)state;
	action("chat", "\"title\":\"Team\"");
	expect_once(bot("createForumTopic", 400, "{\"chat_id\":" GROUP ",\"name\":\"News\"}"), "description",
	    "Bad Request: the chat is not a forum");
	action("chat", "\"forum\":true");
	expect_once(bot("createForumTopic", 400, "{\"chat_id\":" GROUP ",\"name\":\"News\"}"), "description",
	    "Bad Request: not enough rights to create a topic");
	o = control("topic",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP
	    "\",\"user\":\"ann\",\"action\":\"create\",\"name\":\"Talk\"}");
	str_copy(thread, sizeof(thread), client_at(o, "thread"));
	json_object_put(o);
	o = last_update();
	expect_at(o, "result.0.message.forum_topic_created.name", "Talk");
	expect_at(o, "result.0.message.message_thread_id", thread);
	expect_at(o, "result.0.message.is_topic_message", "true");
	json_object_put(o);
	json_object_put(bot(
	    "sendMessage", 200, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s,\"text\":\"x\"}", thread));
	action("topic", "\"action\":\"close\",\"thread\":\"%s\"", thread);
	expect_once(bot("sendMessage", 400, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s,\"text\":\"x\"}",
			thread),
	    "description", "Bad Request: TOPIC_CLOSED");
	action("member", "\"action\":\"promote\"");
	json_object_put(bot(
	    "sendMessage", 200, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s,\"text\":\"x\"}", thread));
	json_object_put(
	    bot("reopenForumTopic", 200, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s}", thread));
	expect_once(bot("reopenForumTopic", 400, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s}", thread),
	    "description", "Bad Request: TOPIC_NOT_MODIFIED");
	json_object_put(
	    bot("closeForumTopic", 200, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s}", thread));
	json_object_put(bot("editForumTopic", 200,
	    "{\"chat_id\":" GROUP ",\"message_thread_id\":%s,\"name\":\"Old talk\"}", thread));
	json_object_put(
	    bot("deleteForumTopic", 200, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s}", thread));
	expect_once(bot("sendMessage", 400, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s,\"text\":\"x\"}",
			thread),
	    "description", "Bad Request: message thread not found");
	o = bot("createForumTopic", 200, "{\"chat_id\":" GROUP ",\"name\":\"News\",\"icon_color\":16766590}");
	expect_at(o, "result.name", "News");
	json_object_put(
	    bot("sendMessage", 200, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s,\"text\":\"x\"}",
		client_at(o, "result.message_thread_id")));
	json_object_put(o);
	expect_once(
	    bot("createForumTopic", 400, "{\"chat_id\":" GROUP ",\"name\":\"News\",\"icon_color\":1}"),
	    "description", "Bad Request: invalid icon color specified");
}

static void who_writes_as_a_chat_is_a_stand_in(void **state)
{
	struct json_object *o;

	(void)state;
	action("say", "\"text\":\"/as the group\",\"sender_chat\":\"self\"");
	o = last_update();
	expect_at(o, "result.0.message.sender_chat.id", GROUP);
	expect_at(o, "result.0.message.from.username", "GroupAnonymousBot");
	expect_at(o, "result.0.message.from.is_bot", "true");
	json_object_put(o);
	json_object_put(
	    control("chat", "{\"platform\":\"telegram\",\"chat\":\"-1009876543210\",\"kind\":\"channel\"}"));
	action("say", "\"text\":\"/as a channel\",\"sender_chat\":\"-1009876543210\"");
	o = last_update();
	expect_at(o, "result.0.message.sender_chat.type", "channel");
	expect_at(o, "result.0.message.from.username", "Channel_Bot");
	json_object_put(o);
}

static void replies_quote_a_part_exactly(void **state)
{
	int id = say("one 😀 two three");
	struct json_object *o;

	(void)state;
	o = bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"x\",\"reply_parameters\":{\"message_id\":%d,\"quote\":\"<i></"
	    "i>two\",\"quote_parse_mode\":\"HTML\"}}",
	    id);
	expect_at(o, "result.quote.text", "two");
	expect_at(o, "result.quote.position", "7");
	json_object_put(o);
	expect_once(
	    bot("sendMessage", 400,
		"{\"chat_id\":77,\"text\":\"x\",\"reply_parameters\":{\"message_id\":%d,\"quote\":\"four\"}}",
		id),
	    "description", "Bad Request: QUOTE_TEXT_INVALID");
	expect_once(bot("sendMessage", 400,
			"{\"chat_id\":77,\"text\":\"x\",\"reply_parameters\":{\"message_id\":%d,\"quote\":\"<"
			"b>two</b>\",\"quote_parse_mode\":\"HTML\"}}",
			id),
	    "description", "Bad Request: QUOTE_TEXT_INVALID");
	expect_once(bot("sendMessage", 200,
			"{\"chat_id\":77,\"text\":\"x\",\"reply_parameters\":{\"message_id\":%d,\"quote\":"
			"\"e\",\"quote_position\":13}}",
			id),
	    "result.quote.position", "14");
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"why?\",\"reply_to\":%d,\"quote\":"
	    "\"three\"}",
	    id));
	expect_once(last_update(), "result.0.message.quote.text", "three");
}

/* How many calls of the method pass before one is answered 429, which must say how long to wait. */
static int count_until_limit(const char *method, const char *fmt)
{
	struct client_reply r;
	int n = 0;

	for (;; n++) {
		char body[160];

		snprintf(body, sizeof(body), fmt, n);
		client_send(
		    &(struct client_request){.url = at("/telegram/bot" TOKEN "/%s", method), .body = body},
		    &r);
		if (r.status != 200 || n == 100)
			break;
		client_reply_clear(&r);
	}
	assert_int_equal(r.status, 429);
	assert_true(strtol(client_at(r.json, "parameters.retry_after"), NULL, 10) >= 1);
	assert_non_null(strcasestr(r.head, "\r\nretry-after: "));
	client_reply_clear(&r);
	return n;
}

/* Bots FAQ: 20 messages a minute, and edits about as many. What the test's own slowness gives back is let
 * pass. */
static void groups_take_20_messages_and_20_edits_a_minute(void **state)
{
	(void)state;
	action("chat", "\"title\":\"Team\"");
	json_object_put(control("settings", "{\"telegram\":{\"limits\":true}}"));
	assert_in_range(count_until_limit("sendMessage", "{\"chat_id\":" GROUP ",\"text\":\"%d\"}"), 20, 30);
	assert_in_range(count_until_limit("editMessageText",
			    "{\"chat_id\":" GROUP ",\"message_id\":1,\"text\":\"new %d\"}"),
	    20, 30);
}

static void forwards_say_where_they_are_from(void **state)
{
	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"a\",\"forward\":{\"user\":\"Bob\"}}"));
	expect_once(last_update(), "result.0.message.forward_origin.sender_user.first_name", "Bob");
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"a\",\"forward\":{\"name\":\"Nobody\"}}"));
	expect_once(last_update(), "result.0.message.forward_origin.sender_user_name", "Nobody");
}

static void a_person_forwards_a_message_as_it_is(void **state)
{
	struct json_object *o;

	(void)state;
	action("say",
	    "\"text\":\"look\",\"files\":[{\"name\":\"a.ogg\",\"size\":9,\"kind\":\"voice\",\"duration\":3}"
	    "]");
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"forward\":{\"chat\":\"" GROUP
	    "\",\"message_id\":1}}"));
	o = last_update();
	expect_at(o, "result.0.message.forward_origin.sender_user.first_name", "ann");
	expect_at(o, "result.0.message.caption", "look");
	expect_at(o, "result.0.message.voice.duration", "3");
	expect_at(o, "result.0.message.from.id", "77");
	json_object_put(o);
	json_object_put(control(
	    "say", "{\"platform\":\"telegram\",\"user\":\"77\",\"forward\":{\"message_id\":\"newest\"}}"));
	expect_once(last_update(), "result.0.message.forward_origin.sender_user.first_name", "ann");
	expect_once(client_post(at("/control/say"), 400,
			"{\"platform\":\"telegram\",\"user\":\"77\",\"forward\":{\"message_id\":99}}"),
	    "error", "message_id: there is no message 99 in that chat");
}

static void a_persons_poll_is_told_of_when_it_is_made_and_stopped(void **state)
{
	struct json_object *o;

	(void)state;
	action("member", "\"action\":\"promote\"");
	action("say",
	    "\"poll\":{\"question\":\"2+2\",\"answers\":[\"3\",\"4\"],\"correct\":\"4\",\"anonymous\":"
	    "false}");
	o = last_update();
	expect_at(o, "result.0.message.from.first_name", "ann");
	expect_at(o, "result.0.message.poll.type", "quiz");
	expect_at(o, "result.0.message.poll.options.1.text", "4");
	expect_at(o, "result.0.message.poll.is_anonymous", "false");
	json_object_put(o);
	o = control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP
	    "\",\"user\":\"ann\",\"poll\":{\"question\":\"Tea?\",\"answers\":[\"yes\",\"no\"]}}");
	json_object_put(o);
	json_object_put(control(
	    "vote", "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"Bob\",\"answer\":\"no\"}"));
	/* Votes are told to the bot that sent the poll, and to nobody else. */
	expect_once(last_update(), "result.0.message.poll.question", "Tea?");
	action("vote", "\"end\":true");
	o = last_update();
	expect_at(o, "result.0.poll.is_closed", "true");
	expect_at(o, "result.0.poll.options.1.voter_count", "1");
	json_object_put(o);
	expect_once(client_post(at("/control/say"), 400,
			"{\"platform\":\"telegram\",\"user\":\"77\",\"poll\":{\"question\":\"a\",\"answers\":"
			"[\"\"]}}"),
	    "error", "Bad Request: poll option must be non-empty");
}

/* Bot API, Poll.correct_option_ids and copyMessage. */
static void the_answer_of_a_persons_quiz_is_told_when_it_is_closed(void **state)
{
	struct json_object *o;
	char id[24];

	(void)state;
	action("member", "\"action\":\"promote\"");
	action("say", "\"poll\":{\"question\":\"2+2\",\"answers\":[\"3\",\"4\"],\"correct\":\"4\"}");
	o = last_update();
	str_copy(id, sizeof(id), client_at(o, "result.0.message.message_id"));
	expect_at(o, "result.0.message.poll.type", "quiz");
	expect_at(o, "result.0.message.poll.correct_option_ids.0", "");
	json_object_put(o);
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200),
	    "messages.0.extra.poll.correct_option_ids.0", "1");
	expect_once(bot("copyMessage", 400,
			"{\"chat_id\":" GROUP ",\"from_chat_id\":" GROUP ",\"message_id\":%s}", id),
	    "description", "Bad Request: the message can't be copied");
	expect_once(bot("copyMessages", 400,
			"{\"chat_id\":" GROUP ",\"from_chat_id\":" GROUP ",\"message_ids\":[%s]}", id),
	    "description", "Bad Request: there are no messages to forward");
	o = bot("forwardMessage", 200, "{\"chat_id\":" GROUP ",\"from_chat_id\":" GROUP ",\"message_id\":%s}",
	    id);
	expect_at(o, "result.poll.type", "quiz");
	expect_at(o, "result.poll.correct_option_ids.0", "");
	json_object_put(o);
	action("vote", "\"message_id\":%s,\"end\":true", id);
	expect_once(last_update(), "result.0.poll.correct_option_ids.0", "1");
	json_object_put(bot(
	    "copyMessage", 200, "{\"chat_id\":" GROUP ",\"from_chat_id\":" GROUP ",\"message_id\":%s}", id));
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"poll\":{\"question\":\"2+3\",\"answers\":[\"5\","
	    "\"6\"],"
	    "\"correct\":\"5\"}}"));
	expect_once(last_update(), "result.0.message.poll.correct_option_ids.0", "0");
	json_object_put(control(
	    "say", "{\"platform\":\"telegram\",\"user\":\"77\",\"forward\":{\"message_id\":\"newest\"}}"));
	expect_once(last_update(), "result.0.message.poll.correct_option_ids.0", "");
}

static void a_person_pins_and_renames(void **state)
{
	(void)state;
	action("say", "\"text\":\"/one\"");
	action("pin", "\"message_id\":1");
	expect_once(last_update(), "result.0.message.pinned_message.text", "/one");
	expect_once(bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.pinned_message.message_id", "1");
	action("pin", "\"message_id\":1,\"remove\":true");
	expect_once(bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.pinned_message", "");
	action("chat", "\"title\":\"Birds\"");
	expect_once(last_update(), "result.0.message.new_chat_title", "Birds");
}

static void reactions_in_groups_are_for_administrators(void **state)
{
	struct json_object *o;

	(void)state;
	action("say", "\"text\":\"/one\"");
	json_object_put(
	    bot("getUpdates", 200, "{\"allowed_updates\":[\"message_reaction\",\"message\"],\"offset\":-1}"));
	action("react", "\"message_id\":1,\"emoji\":\"👍\"");
	expect_once(last_update(), "result.0.message.text", "/one");
	action("member", "\"action\":\"promote\"");
	action("react", "\"message_id\":1,\"emoji\":\"👎\"");
	o = last_update();
	expect_at(o, "result.0.message_reaction.new_reaction.0.emoji", "👎");
	json_object_put(o);
	json_object_put(bot("deleteMessages", 200, "{\"chat_id\":" GROUP ",\"message_ids\":[1,999]}"));
	json_object_put(bot("getUpdates", 200, "{\"allowed_updates\":[],\"offset\":-1}"));
}

static void a_press_may_come_from_a_message_that_is_out_of_reach(void **state)
{
	struct json_object *o;

	(void)state;
	say("hi");
	o = bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"?\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"A\","
	    "\"callback_data\":\"a\"}]]}}");
	json_object_put(control("press",
	    "{\"platform\":\"telegram\",\"chat\":77,\"message_id\":%s,\"button\":\"a\",\"inaccessible\":"
	    "true}",
	    client_at(o, "result.message_id")));
	json_object_put(o);
	o = last_update();
	expect_at(o, "result.0.callback_query.message.date", "0");
	expect_at(o, "result.0.callback_query.message.text", "");
	json_object_put(o);
}

static void an_upgrade_is_told_in_both_groups(void **state)
{
	struct json_object *o;

	(void)state;
	json_object_put(
	    control("say", "{\"platform\":\"telegram\",\"chat\":\"-55\",\"user\":\"ann\",\"text\":\"/x\"}"));
	json_object_put(control(
	    "chat", "{\"platform\":\"telegram\",\"chat\":\"-55\",\"user\":\"ann\",\"migrate\":true}"));
	o = bot("getUpdates", 200, "{\"offset\":-3}");
	expect_at(o, "result.0.message.migrate_to_chat_id", "-1000000000055");
	expect_at(o, "result.0.message.chat.type", "group");
	expect_at(o, "result.1.my_chat_member.chat.type", "supergroup");
	expect_at(o, "result.2.message.migrate_from_chat_id", "-55");
	expect_at(o, "result.2.message.chat.type", "supergroup");
	json_object_put(control("member",
	    "{\"platform\":\"telegram\",\"chat\":\"-1000000000055\",\"user\":\"ann\",\"action\":"
	    "\"promote\"}"));
	expect_once(bot("deleteMessage", 400, "{\"chat_id\":-1000000000055,\"message_id\":%s}",
			client_at(o, "result.2.message.message_id")),
	    "description", "Bad Request: message can't be deleted for everyone");
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_bot_is_added_promoted_and_removed, fixture_reset),
	    cmocka_unit_test_setup(channels_have_members_without_messages_about_them, fixture_reset),
	    cmocka_unit_test_setup(a_chat_can_be_closed_to_the_bot_in_every_way, fixture_reset),
	    cmocka_unit_test_setup(topics_are_made_and_closed, fixture_reset),
	    cmocka_unit_test_setup(who_writes_as_a_chat_is_a_stand_in, fixture_reset),
	    cmocka_unit_test_setup(replies_quote_a_part_exactly, fixture_reset),
	    cmocka_unit_test_setup(groups_take_20_messages_and_20_edits_a_minute, fixture_reset),
	    cmocka_unit_test_setup(forwards_say_where_they_are_from, fixture_reset),
	    cmocka_unit_test_setup(a_person_forwards_a_message_as_it_is, fixture_reset),
	    cmocka_unit_test_setup(a_persons_poll_is_told_of_when_it_is_made_and_stopped, fixture_reset),
	    cmocka_unit_test_setup(the_answer_of_a_persons_quiz_is_told_when_it_is_closed, fixture_reset),
	    cmocka_unit_test_setup(a_person_pins_and_renames, fixture_reset),
	    cmocka_unit_test_setup(reactions_in_groups_are_for_administrators, fixture_reset),
	    cmocka_unit_test_setup(a_press_may_come_from_a_message_that_is_out_of_reach, fixture_reset),
	    cmocka_unit_test_setup(an_upgrade_is_told_in_both_groups, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
