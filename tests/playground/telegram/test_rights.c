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
#define BOB   "4205"

/* POST /control/NAME for the group, by ann. */
#define action(name, fmt, ...)        \
	json_object_put(control(name, \
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"ann\"," fmt "}", ##__VA_ARGS__))
#define called(method, fmt, ...) \
	json_object_put(bot(method, 200, "{\"chat_id\":" GROUP fmt "}", ##__VA_ARGS__))
#define refused(method, fmt, says) \
	expect_once(bot(method, 400, "{\"chat_id\":" GROUP fmt "}"), "description", "Bad Request: " says)

static struct json_object *last_update(void)
{
	return bot("getUpdates", 200, "{\"offset\":-1}");
}

/* A group with ann, Bob and the bot as an administrator with all rights, which hears of all members. */
static int enter(void **state)
{
	fixture_reset(state);
	action("chat", "\"title\":\"Team\"");
	action("member",
	    "\"action\":\"promote\",\"rights\":[\"can_restrict_members\",\"can_promote_members\","
	    "\"can_change_info\",\"can_invite_users\",\"can_pin_messages\",\"can_delete_messages\","
	    "\"can_manage_topics\",\"can_manage_tags\"]");
	action("member", "\"action\":\"add\",\"who\":\"" BOB "\"");
	json_object_put(bot("getUpdates", 200,
	    "{\"offset\":-1,\"allowed_updates\":[\"message\",\"chat_member\","
	    "\"my_chat_member\",\"chat_join_request\"]}"));
	return 0;
}

/* A call of control that must fail. */
static void forbidden(const char *name, const char *body, const char *says)
{
	expect_once(client_post(at("/control/%s", name), 400, "%s", body), "error", says);
}

static void who_is_banned_is_gone_until_unbanned(void **state)
{
	struct json_object *o;

	(void)state;
	expect_once(bot("getChatMemberCount", 200, "{\"chat_id\":" GROUP "}"), "result", "3");
	action("say", "\"user\":\"" BOB "\",\"text\":\"spam\"");
	called("banChatMember", ",\"user_id\":" BOB);
	o = last_update();
	expect_at(o, "result.0.chat_member.old_chat_member.status", "member");
	expect_at(o, "result.0.chat_member.new_chat_member.status", "kicked");
	expect_at(o, "result.0.chat_member.new_chat_member.until_date", "0");
	expect_at(o, "result.0.chat_member.from.id", "123456");
	json_object_put(o);
	expect_once(bot("getChatMember", 200, "{\"chat_id\":" GROUP ",\"user_id\":" BOB "}"), "result.status",
	    "kicked");
	expect_once(bot("getChatMemberCount", 200, "{\"chat_id\":" GROUP "}"), "result", "2");
	/* As it was named once, and is still read. */
	expect_once(bot("getChatMembersCount", 200, "{\"chat_id\":" GROUP "}"), "result", "2");
	forbidden("say",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"" BOB "\",\"text\":\"x\"}",
	    BOB " is not in that group");
	forbidden("join", "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"" BOB "\"}",
	    BOB " is banned there");
	called("unbanChatMember", ",\"user_id\":" BOB ",\"only_if_banned\":true");
	expect_once(last_update(), "result.0.chat_member.new_chat_member.status", "left");
	o = client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200);
	expect_at(o, "messages.1.deleted", "true"); /* what Bob wrote */
	expect_at(o, "messages.2.service.left_chat_member.id", BOB);
	json_object_put(o);
}

static void who_is_restricted_may_not_write(void **state)
{
	struct json_object *o;

	(void)state;
	called("restrictChatMember", ",\"user_id\":" BOB ",\"permissions\":{\"can_send_messages\":true}");
	o = last_update();
	expect_at(o, "result.0.chat_member.new_chat_member.status", "restricted");
	expect_at(o, "result.0.chat_member.new_chat_member.can_send_messages", "true");
	expect_at(o, "result.0.chat_member.new_chat_member.can_send_photos", "false");
	json_object_put(o);
	action("say", "\"user\":\"" BOB "\",\"text\":\"hi\"");
	forbidden("say",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"" BOB
	    "\",\"files\":[{\"name\":\"a.txt\",\"base64\":\"YQ==\"}]}",
	    BOB " may not send that there: can_send_documents");
	called("setChatPermissions", ",\"permissions\":{\"can_send_polls\":false}");
	forbidden("say",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"" BOB "\",\"text\":\"x\"}",
	    BOB " may not send that there: can_send_messages");
	refused("setChatPermissions", ",\"permissions\":{}", "CHAT_NOT_MODIFIED");
	expect_once(
	    bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.permissions.can_send_messages", "false");
}

static void an_administrator_gets_the_rights_that_the_bot_has(void **state)
{
	struct json_object *o;

	(void)state;
	refused("setChatAdministratorCustomTitle", ",\"user_id\":" BOB ",\"custom_title\":\"Boss\"",
	    "user is not an administrator");
	refused("promoteChatMember", ",\"user_id\":" BOB ",\"can_post_stories\":true", "RIGHT_FORBIDDEN");
	refused("promoteChatMember", ",\"user_id\":123456,\"can_pin_messages\":true", "can't promote self");
	called("promoteChatMember", ",\"user_id\":" BOB ",\"can_pin_messages\":true");
	called("setChatAdministratorCustomTitle", ",\"user_id\":" BOB ",\"custom_title\":\"Boss\"");
	o = bot("getChatAdministrators", 200, "{\"chat_id\":" GROUP "}");
	expect_at(o, "result.0.user.username", "myna_bot");
	expect_at(o, "result.0.can_promote_members", "true");
	expect_at(o, "result.0.can_manage_video_chats", "false");
	expect_at(o, "result.1.user.id", BOB);
	expect_at(o, "result.1.can_pin_messages", "true");
	expect_at(o, "result.1.can_manage_chat", "true");
	expect_at(o, "result.1.can_change_info", "false");
	expect_at(o, "result.1.custom_title", "Boss");
	json_object_put(o);
	refused("banChatMember", ",\"user_id\":" BOB, "user is an administrator of the chat");
	called("promoteChatMember", ",\"user_id\":" BOB);
	expect_once(last_update(), "result.0.chat_member.new_chat_member.status", "member");
	called("setChatMemberTag", ",\"user_id\":" BOB ",\"tag\":\"guest\"");
	expect_once(last_update(), "result.0.chat_member.new_chat_member.tag", "guest");
}

static void without_a_right_the_platform_says_which(void **state)
{
	(void)state;
	action("member", "\"action\":\"demote\"");
	refused("banChatMember", ",\"user_id\":" BOB, "not enough rights to restrict/unrestrict chat member");
	refused("promoteChatMember", ",\"user_id\":" BOB, "not enough rights");
	refused("setChatTitle", ",\"title\":\"x\"", "not enough rights to change chat title");
	refused("setChatDescription", ",\"description\":\"x\"", "not enough rights to set chat description");
	refused("setChatPermissions", ",\"permissions\":{}", "not enough rights to change chat permissions");
	refused(
	    "pinChatMessage", ",\"message_id\":1", "not enough rights to manage pinned messages in the chat");
	refused("createChatInviteLink", "", "not enough rights to manage chat invite link");
	refused(
	    "approveChatJoinRequest", ",\"user_id\":" BOB, "not enough rights to manage chat join requests");
	say("hi");
	expect_once(bot("setChatTitle", 400, "{\"chat_id\":77,\"title\":\"x\"}"), "description",
	    "Bad Request: can't change private chat title");
	expect_once(bot("banChatMember", 400, "{\"chat_id\":77,\"user_id\":77}"), "description",
	    "Bad Request: can't ban members in private chats");
	expect_once(bot("restrictChatMember", 400, "{\"chat_id\":77,\"user_id\":77,\"permissions\":{}}"),
	    "description", "Bad Request: method is available only for supergroups");
}

static void a_channel_that_was_banned_does_not_speak(void **state)
{
	(void)state;
	json_object_put(
	    control("chat", "{\"platform\":\"telegram\",\"chat\":\"-1009000000000\",\"kind\":\"channel\"}"));
	called("banChatSenderChat", ",\"sender_chat_id\":-1009000000000");
	forbidden("say",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP
	    "\",\"user\":\"ann\",\"text\":\"ad\",\"sender_chat\":\"-1009000000000\"}",
	    "-1009000000000 is banned there");
	called("unbanChatSenderChat", ",\"sender_chat_id\":-1009000000000");
	action("say", "\"text\":\"ad\",\"sender_chat\":\"-1009000000000\"");
}

static void a_chat_shows_its_title_description_and_photo(void **state)
{
	static const char png[] =
	    "--x\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n" GROUP "\r\n"
	    "--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.gif\"\r\n\r\n"
	    "GIF89a\x40\x01\xc8\x01;\r\n--x--\r\n";
	struct client_request req = {.url = at("/telegram/bot" TOKEN "/setChatPhoto"),
	    .body = png,
	    .content_type = "multipart/form-data; boundary=x"};
	struct client_reply r;
	struct json_object *o;

	(void)state;
	called("setChatTitle", ",\"title\":\"Crew\"");
	refused("setChatTitle", ",\"title\":\"Crew\"", "CHAT_NOT_MODIFIED");
	called("setChatDescription", ",\"description\":\"who we are\"");
	refused("setChatDescription", ",\"description\":\"who we are\"", "chat description is not modified");
	client_send(&req, &r);
	expect_at(r.json, "result", "true");
	client_reply_clear(&r);
	o = bot("getChat", 200, "{\"chat_id\":" GROUP "}");
	expect_at(o, "result.title", "Crew");
	expect_at(o, "result.description", "who we are");
	json_object_put(
	    bot("getFile", 200, "{\"file_id\":\"%s\"}", client_at(o, "result.photo.big_file_id")));
	json_object_put(o);
	called("deleteChatPhoto", "");
	refused("deleteChatPhoto", "", "CHAT_NOT_MODIFIED");
	o = client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200);
	expect_at(o, "messages.1.service.new_chat_title", "Crew");
	expect_at(o, "messages.3.service.delete_chat_photo", "true");
	json_object_put(o);
}

static void the_newest_pinned_message_is_shown(void **state)
{
	struct json_object *o;

	(void)state;
	action("say", "\"text\":\"one\"");
	action("say", "\"text\":\"two\"");
	called("pinChatMessage", ",\"message_id\":3");
	called("pinChatMessage", ",\"message_id\":2");
	expect_once(bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.pinned_message.text", "two");
	o = client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200);
	expect_at(o, "messages.1.pinned", "true");
	expect_at(o, "messages.3.service.pinned_message.text", "two");
	json_object_put(o);
	called("unpinChatMessage", "");
	expect_once(bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.pinned_message.text", "one");
	called("unpinAllChatMessages", "");
	refused("unpinChatMessage", "", "message to unpin not found");
	refused("pinChatMessage", ",\"message_id\":99", "message to pin not found");
	refused("unpinAllGeneralForumTopicMessages", "", "the chat is not a forum");
}

static void people_join_by_links_or_ask(void **state)
{
	struct json_object *o =
	    bot("createChatInviteLink", 200, "{\"chat_id\":" GROUP ",\"name\":\"door\",\"member_limit\":1}");
	char *link = xstrdup(client_at(o, "result.invite_link"));

	(void)state;
	expect_at(o, "result.creator.id", "123456");
	json_object_put(o);
	json_object_put(last_update());
	json_object_put(control("join",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"Cleo\",\"invite_link\":\"%s\"}",
	    link));
	o = bot("getUpdates", 200, "{\"offset\":-2}");
	expect_at(o, "result.0.chat_member.invite_link.name", "door");
	expect_at(o, "result.1.message.new_chat_members.0.first_name", "Cleo");
	json_object_put(o);
	o = client_post(at("/control/join"), 400,
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"Dora\",\"invite_link\":\"x\"}");
	expect_once(o, "error", "that link is not good, or not any more");
	o = bot("editChatInviteLink", 200,
	    "{\"chat_id\":" GROUP ",\"invite_link\":\"%s\",\"creates_join_request\":true}", link);
	expect_at(o, "result.name", "");
	json_object_put(o);
	json_object_put(control("join",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"Dora\",\"invite_link\":\"%s\"}",
	    link));
	o = last_update();
	expect_at(o, "result.0.chat_join_request.from.first_name", "Dora");
	expect_at(o, "result.0.chat_join_request.invite_link.pending_join_request_count", "1");
	called(
	    "approveChatJoinRequest", ",\"user_id\":%s", client_at(o, "result.0.chat_join_request.from.id"));
	expect_once(bot("approveChatJoinRequest", 400, "{\"chat_id\":" GROUP ",\"user_id\":%s}",
			client_at(o, "result.0.chat_join_request.from.id")),
	    "description", "Bad Request: USER_ALREADY_PARTICIPANT");
	json_object_put(o);
	expect_once(
	    bot("getUpdates", 200, "{\"offset\":-2}"), "result.0.chat_member.via_join_request", "true");
	json_object_put(
	    control("join", "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"Emil\"}"));
	o = last_update();
	called(
	    "declineChatJoinRequest", ",\"user_id\":%s", client_at(o, "result.0.chat_join_request.from.id"));
	expect_once(bot("declineChatJoinRequest", 400, "{\"chat_id\":" GROUP ",\"user_id\":%s}",
			client_at(o, "result.0.chat_join_request.from.id")),
	    "description", "Bad Request: HIDE_REQUESTER_MISSING");
	json_object_put(o);
	expect_once(bot("revokeChatInviteLink", 200, "{\"chat_id\":" GROUP ",\"invite_link\":\"%s\"}", link),
	    "result.is_revoked", "true");
	free(link);
	refused("revokeChatInviteLink", ",\"invite_link\":\"x\"", "INVITE_HASH_EXPIRED");
	o = bot("exportChatInviteLink", 200, "{\"chat_id\":" GROUP "}");
	expect_once(
	    bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.invite_link", client_at(o, "result"));
	json_object_put(o);
	refused("createChatInviteLink", ",\"member_limit\":2,\"creates_join_request\":true",
	    "member limit can't be specified for links requiring administrator approval");
	refused("createChatSubscriptionInviteLink",
	    ",\"subscription_period\":2592000,\"subscription_price\":5", "CHAT_INVALID");
}

static void the_general_topic_is_closed_and_hidden(void **state)
{
	(void)state;
	action("chat", "\"forum\":true");
	called("editGeneralForumTopic", ",\"name\":\"Lobby\"");
	refused("editGeneralForumTopic", ",\"name\":\"Lobby\"", "TOPIC_NOT_MODIFIED");
	called("hideGeneralForumTopic", "");
	refused("hideGeneralForumTopic", "", "TOPIC_NOT_MODIFIED");
	refused("closeGeneralForumTopic", "", "TOPIC_NOT_MODIFIED");
	action("member", "\"action\":\"demote\"");
	refused("sendMessage", ",\"text\":\"x\"", "TOPIC_CLOSED");
	refused("unhideGeneralForumTopic", "", "not enough rights to close or open the topic");
	action("member", "\"action\":\"promote\"");
	called("unhideGeneralForumTopic", "");
	called("sendMessage", ",\"text\":\"x\"");
	/* Bot API: what was hidden stays closed, and what is reopened is not hidden. */
	refused("closeGeneralForumTopic", "", "TOPIC_NOT_MODIFIED");
	called("hideGeneralForumTopic", "");
	called("reopenGeneralForumTopic", "");
	refused("unhideGeneralForumTopic", "", "TOPIC_NOT_MODIFIED");
	expect_once(client_get(at("/control/about?platform=telegram&chat=" GROUP), 200),
	    "settings.general.name", "Lobby");
}

static void topics_are_changed_by_right_or_by_who_made_them(void **state)
{
	struct json_object *o;
	char own[24], other[24];

	(void)state;
	action("chat", "\"forum\":true");
	o = bot("createForumTopic", 200, "{\"chat_id\":" GROUP ",\"name\":\"News\"}");
	str_copy(own, sizeof(own), client_at(o, "result.message_thread_id"));
	json_object_put(o);
	expect_once(bot("deleteMessage", 400, "{\"chat_id\":" GROUP ",\"message_id\":%s}", own),
	    "description", "Bad Request: message can't be deleted for everyone");
	o = control("topic",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP
	    "\",\"user\":\"ann\",\"action\":\"create\",\"name\":\"Talk\"}");
	str_copy(other, sizeof(other), client_at(o, "thread"));
	json_object_put(o);
	action("member", "\"action\":\"promote\",\"rights\":[\"can_delete_messages\"]");
	called("closeForumTopic", ",\"message_thread_id\":%s", own);
	called("reopenForumTopic", ",\"message_thread_id\":%s", own);
	called("editForumTopic", ",\"message_thread_id\":%s,\"name\":\"Old news\"", own);
	expect_once(bot("closeForumTopic", 400, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s}", other),
	    "description", "Bad Request: not enough rights to close or open the topic");
	called("deleteForumTopic", ",\"message_thread_id\":%s", other);
	action("member", "\"action\":\"promote\",\"rights\":[\"can_manage_topics\"]");
	expect_once(bot("deleteForumTopic", 400, "{\"chat_id\":" GROUP ",\"message_thread_id\":%s}", own),
	    "description", "Bad Request: not enough rights to delete the topic");
}

static void one_person_sees_an_ephemeral_message(void **state)
{
	struct json_object *o;
	char *id;

	(void)state;
	refused("sendMessage", ",\"text\":\"x\",\"ephemeral_message_parameters\":{\"receiver_user_id\":4711}",
	    "user not found");
	o = bot("sendMessage", 200,
	    "{\"chat_id\":" GROUP
	    ",\"text\":\"psst\",\"ephemeral_message_parameters\":{\"receiver_user_id\":" BOB "}}");
	expect_at(o, "result.message_id", "0");
	expect_at(o, "result.receiver_user.id", BOB);
	id = xstrdup(client_at(o, "result.ephemeral_message_id"));
	json_object_put(o);
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200),
	    "messages.1.only_for", BOB);
	expect_once(
	    bot("editMessageText", 400, "{\"chat_id\":" GROUP ",\"message_id\":%s,\"text\":\"x\"}", id),
	    "description", "Bad Request: message to edit not found");
	expect_once(bot("editEphemeralMessageText", 200,
			"{\"chat_id\":" GROUP ",\"receiver_user_id\":" BOB
			",\"ephemeral_message_id\":%s,\"text\":\"pssst\"}",
			id),
	    "result", "true");
	expect_once(bot("deleteEphemeralMessage", 400,
			"{\"chat_id\":" GROUP ",\"receiver_user_id\":77,\"ephemeral_message_id\":%s}", id),
	    "description", "Bad Request: MESSAGE_ID_INVALID");
	json_object_put(bot("deleteEphemeralMessage", 200,
	    "{\"chat_id\":" GROUP ",\"receiver_user_id\":" BOB ",\"ephemeral_message_id\":%s}", id));
	o = client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200);
	expect_at(o, "messages.1.text", "pssst");
	expect_at(o, "messages.1.deleted", "true");
	json_object_put(o);
	free(id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(who_is_banned_is_gone_until_unbanned, enter),
	    cmocka_unit_test_setup(who_is_restricted_may_not_write, enter),
	    cmocka_unit_test_setup(an_administrator_gets_the_rights_that_the_bot_has, enter),
	    cmocka_unit_test_setup(without_a_right_the_platform_says_which, enter),
	    cmocka_unit_test_setup(a_channel_that_was_banned_does_not_speak, enter),
	    cmocka_unit_test_setup(a_chat_shows_its_title_description_and_photo, enter),
	    cmocka_unit_test_setup(the_newest_pinned_message_is_shown, enter),
	    cmocka_unit_test_setup(people_join_by_links_or_ask, enter),
	    cmocka_unit_test_setup(the_general_topic_is_closed_and_hidden, enter),
	    cmocka_unit_test_setup(topics_are_changed_by_right_or_by_who_made_them, enter),
	    cmocka_unit_test_setup(one_person_sees_an_ephemeral_message, enter),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
