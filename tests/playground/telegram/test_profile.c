#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "playground/fixture.h"

/* 16 pixels of a side */
#define GIF "R0lGODlhEAAQADs="

static void a_bot_names_itself_by_language(void **state)
{
	(void)state;
	expect_once(bot("getMyName", 200, "{}"), "result.name", "Myna");
	json_object_put(bot("setMyName", 200, "{\"name\":\"Crow\"}"));
	expect_once(bot("getMe", 200, "{}"), "result.first_name", "Crow");
	json_object_put(bot("setMyName", 200, "{\"name\":\"\"}"));
	expect_once(bot("getMe", 200, "{}"), "result.first_name", "Myna");
	json_object_put(
	    bot("setMyDescription", 200, "{\"description\":\"ein Vogel\",\"language_code\":\"de\"}"));
	expect_once(
	    bot("getMyDescription", 200, "{\"language_code\":\"de\"}"), "result.description", "ein Vogel");
	expect_once(bot("getMyDescription", 200, "{}"), "result.description", "");
	json_object_put(bot("setMyShortDescription", 200, "{\"short_description\":\"a bird\"}"));
	expect_once(bot("getMyShortDescription", 200, "{}"), "result.short_description", "a bird");
	expect_once(bot("setMyName", 400, "{\"name\":\"x\",\"language_code\":\"German\"}"), "description",
	    "Bad Request: invalid language code specified");
}

static void a_menu_button_belongs_to_a_chat_or_to_all(void **state)
{
	(void)state;
	say("hi");
	expect_once(bot("getChatMenuButton", 200, "{}"), "result.type", "default");
	json_object_put(bot("setChatMenuButton", 200, "{\"menu_button\":{\"type\":\"commands\"}}"));
	json_object_put(bot("setChatMenuButton", 200,
	    "{\"chat_id\":77,\"menu_button\":{\"type\":\"web_app\",\"text\":\"Open\",\"web_app\":{\"url\":"
	    "\"https://a.example/\"}}}"));
	expect_once(bot("getChatMenuButton", 200, "{}"), "result.type", "commands");
	expect_once(
	    bot("getChatMenuButton", 200, "{\"chat_id\":77}"), "result.web_app.url", "https://a.example/");
	json_object_put(bot("setChatMenuButton", 200, "{\"chat_id\":77}"));
	expect_once(bot("getChatMenuButton", 200, "{\"chat_id\":77}"), "result.type", "commands");
	expect_once(client_get(at("/control/about?platform=telegram&chat=77"), 200),
	    "bot_profile.description.de", "ein Vogel");
	expect_once(bot("setChatMenuButton", 400, "{\"menu_button\":{\"type\":\"web_app\",\"text\":\"x\"}}"),
	    "description", "Bad Request: can't parse menu button: Can't find field \"web_app\"");
	expect_once(bot("setChatMenuButton", 400, "{\"menu_button\":{\"type\":\"none\"}}"), "description",
	    "Bad Request: can't parse menu button: MenuButton has unsupported type");
	json_object_put(bot("setChatMenuButton", 200, "{}"));
}

static void a_promoted_bot_gets_the_rights_that_it_suggests(void **state)
{
	(void)state;
	json_object_put(
	    bot("setMyDefaultAdministratorRights", 200, "{\"rights\":{\"can_promote_members\":true}}"));
	expect_once(bot("getMyDefaultAdministratorRights", 200, "{}"), "result.can_promote_members", "true");
	expect_once(bot("getMyDefaultAdministratorRights", 200, "{\"for_channels\":true}"),
	    "result.can_promote_members", "false");
	json_object_put(control("member",
	    "{\"platform\":\"telegram\",\"chat\":\"-1001\",\"user\":\"ann\",\"action\":\"promote\"}"));
	expect_once(bot("getChatMember", 200, "{\"chat_id\":-1001,\"user_id\":123456}"),
	    "result.can_promote_members", "true");
}

static void profile_photos_are_listed(void **state)
{
	static const char photo[] =
	    "--x\r\nContent-Disposition: form-data; name=\"photo\"\r\n\r\n"
	    "{\"type\":\"static\",\"photo\":\"attach://p\"}\r\n"
	    "--x\r\nContent-Disposition: form-data; name=\"p\"; filename=\"a.gif\"\r\n\r\n"
	    "GIF89a\x10\x01\x10\x01;\r\n--x--\r\n";
	struct client_request req = {.url = at("/telegram/bot" TOKEN "/setMyProfilePhoto"),
	    .body = photo,
	    .content_type = "multipart/form-data; boundary=x"};
	struct client_reply r;
	struct json_object *o;

	(void)state;
	json_object_put(control("profile",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"photo\":{\"name\":\"a.gif\",\"base64\":\"" GIF
	    "\"}}"));
	json_object_put(control("profile",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"photo\":{\"name\":\"b.gif\",\"base64\":\"" GIF
	    "\"}}"));
	o = bot("getUserProfilePhotos", 200, "{\"user_id\":77,\"limit\":1}");
	expect_at(o, "result.total_count", "2");
	expect_at(o, "result.photos.0.0.width", "16");
	expect_at(o, "result.photos.1", "");
	json_object_put(
	    bot("getFile", 200, "{\"file_id\":\"%s\"}", client_at(o, "result.photos.0.0.file_id")));
	json_object_put(o);
	o = bot("getUserProfilePhotos", 200, "{\"user_id\":77,\"offset\":1,\"limit\":9223372036854775807}");
	expect_at(o, "result.photos.0.0.width", "16");
	json_object_put(o);
	expect_once(bot("getUserProfilePhotos", 400, "{\"user_id\":4711}"), "description",
	    "Bad Request: user not found");
	client_send(&req, &r);
	expect_at(r.json, "result", "true");
	client_reply_clear(&r);
	expect_once(bot("getUserProfilePhotos", 200, "{\"user_id\":123456}"), "result.total_count", "1");
	json_object_put(bot("removeMyProfilePhoto", 200, "{}"));
	expect_once(bot("getUserProfilePhotos", 200, "{\"user_id\":123456}"), "result.total_count", "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_bot_names_itself_by_language, fixture_reset),
	    cmocka_unit_test_setup(a_menu_button_belongs_to_a_chat_or_to_all, fixture_reset),
	    cmocka_unit_test_setup(a_promoted_bot_gets_the_rights_that_it_suggests, fixture_reset),
	    cmocka_unit_test_setup(profile_photos_are_listed, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
