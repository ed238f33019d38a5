#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define GROUP "-1001234567890"
#define SET   "cats_by_myna_bot"

/* Uploads a sticker for person 77; returns its file_id. */
static char *upload(void)
{
	static const char body[] =
	    "--x\r\nContent-Disposition: form-data; name=\"user_id\"\r\n\r\n77\r\n"
	    "--x\r\nContent-Disposition: form-data; name=\"sticker_format\"\r\n\r\nstatic\r\n"
	    "--x\r\nContent-Disposition: form-data; name=\"sticker\"; "
	    "filename=\"a.webp\"\r\n\r\nRIFF\r\n--x--\r\n";
	struct client_request req = {.url = at("/telegram/bot" TOKEN "/uploadStickerFile"),
	    .body = body,
	    .content_type = "multipart/form-data; boundary=x"};
	struct client_reply r;
	char *id;

	client_send(&req, &r);
	assert_int_equal(r.status, 200);
	id = xstrdup(client_at(r.json, "result.file_id"));
	client_reply_clear(&r);
	return id;
}

/* Makes the set with two stickers. */
static void make_set(void)
{
	char *id = upload();

	json_object_put(bot("createNewStickerSet", 200,
	    "{\"user_id\":77,\"name\":\"" SET "\",\"title\":\"Cats\",\"stickers\":["
	    "{\"sticker\":\"%s\",\"format\":\"static\",\"emoji_list\":[\"🐱\"]},"
	    "{\"sticker\":\"%s\",\"format\":\"static\",\"emoji_list\":[\"😸\"]}]}",
	    id, id));
	free(id);
}

static int enter(void **state)
{
	fixture_reset(state);
	say("hi");
	return 0;
}

static void a_set_is_made_sorted_and_changed(void **state)
{
	struct json_object *o;
	char *first, *second;

	(void)state;
	make_set();
	o = bot("getStickerSet", 200, "{\"name\":\"" SET "\"}");
	expect_at(o, "result.title", "Cats");
	expect_at(o, "result.stickers.0.emoji", "🐱");
	expect_at(o, "result.stickers.1.set_name", SET);
	first = xstrdup(client_at(o, "result.stickers.0.file_id"));
	second = xstrdup(client_at(o, "result.stickers.1.file_id"));
	json_object_put(o);
	json_object_put(bot("setStickerPositionInSet", 200, "{\"sticker\":\"%s\",\"position\":0}", second));
	json_object_put(
	    bot("setStickerEmojiList", 200, "{\"sticker\":\"%s\",\"emoji_list\":[\"😹\"]}", second));
	json_object_put(bot("setStickerSetTitle", 200, "{\"name\":\"" SET "\",\"title\":\"More cats\"}"));
	o = bot("getStickerSet", 200, "{\"name\":\"" SET "\"}");
	expect_at(o, "result.title", "More cats");
	expect_at(o, "result.stickers.0.emoji", "😹");
	expect_at(o, "result.stickers.1.emoji", "🐱");
	json_object_put(o);
	expect_once(bot("sendSticker", 200, "{\"chat_id\":77,\"sticker\":\"%s\"}", first),
	    "result.sticker.set_name", SET);
	json_object_put(bot("deleteStickerFromSet", 200, "{\"sticker\":\"%s\"}", first));
	expect_once(bot("deleteStickerFromSet", 400, "{\"sticker\":\"%s\"}", first), "description",
	    "Bad Request: STICKERSET_INVALID");
	json_object_put(bot("replaceStickerInSet", 200,
	    "{\"user_id\":77,\"name\":\"" SET "\",\"old_sticker\":\"%s\",\"sticker\":{\"sticker\":\"%s\","
	    "\"format\":\"static\",\"emoji_list\":[\"🙀\"]}}",
	    second, first));
	json_object_put(bot("addStickerToSet", 200,
	    "{\"user_id\":77,\"name\":\"" SET "\",\"sticker\":{\"sticker\":\"%s\",\"format\":\"static\","
	    "\"emoji_list\":[\"😻\"]}}",
	    first));
	o = bot("getStickerSet", 200, "{\"name\":\"" SET "\"}");
	expect_at(o, "result.stickers.0.emoji", "🙀");
	expect_at(o, "result.stickers.1.emoji", "😻");
	expect_at(o, "result.stickers.2", "");
	json_object_put(o);
	json_object_put(bot("deleteStickerSet", 200, "{\"name\":\"" SET "\"}"));
	expect_once(bot("getStickerSet", 400, "{\"name\":\"" SET "\"}"), "description",
	    "Bad Request: STICKERSET_INVALID");
	free(first);
	free(second);
}

static void wrong_sets_are_refused(void **state)
{
	static const struct {
		const char *members, *says;
	} wrong[] = {
	    {"\"user_id\":77,\"name\":\"" SET "\",\"title\":\"a\",\"stickers\":[]",
		"at least 1 sticker must be specified"},
	    {"\"user_id\":78,\"name\":\"" SET "\",\"title\":\"a\",\"stickers\":[{}]",
		"have no access to the user"},
	    {"\"user_id\":77,\"name\":\"cats\",\"title\":\"a\",\"stickers\":[{}]",
		"invalid sticker set name is specified"},
	    {"\"user_id\":77,\"name\":\"" SET
	     "\",\"title\":\"a\",\"stickers\":[{\"sticker\":\"x\",\"format\":\"static\"}]",
		"can't find field \"emoji_list\""},
	    {"\"user_id\":77,\"name\":\"" SET
	     "\",\"title\":\"a\",\"stickers\":[{\"sticker\":\"x\",\"format\":\"static\","
	     "\"emoji_list\":[\"cat\"]}]",
		"expected a Unicode emoji"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *says = xasprintf("Bad Request: %s", wrong[i].says);

		expect_once(bot("createNewStickerSet", 400, "{%s}", wrong[i].members), "description", says);
		free(says);
	}
	make_set();
	expect_once(bot("createNewStickerSet", 400,
			"{\"user_id\":77,\"name\":\"" SET "\",\"title\":\"a\",\"stickers\":[{}]}"),
	    "description", "Bad Request: sticker set name is already occupied");
}

static void a_sticker_of_no_set_is_not_in_one(void **state)
{
	static const struct {
		const char *method, *members;
	} calls[] = {
	    {"setStickerPositionInSet", ",\"position\":0"},
	    {"setStickerEmojiList", ",\"emoji_list\":[\"🐱\"]"},
	    {"deleteStickerFromSet", ""},
	};
	char *id = upload();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		expect_once(bot(calls[i].method, 400, "{\"sticker\":\"%s\"%s}", id, calls[i].members),
		    "description", "Bad Request: STICKERSET_INVALID");
	free(id);
}

static void custom_emoji_are_found_by_their_ids(void **state)
{
	struct json_object *o;
	char *id = upload();

	(void)state;
	json_object_put(bot("createNewStickerSet", 200,
	    "{\"user_id\":77,\"name\":\"" SET
	    "\",\"title\":\"Cats\",\"sticker_type\":\"custom_emoji\",\"stickers\":["
	    "{\"sticker\":\"%s\",\"format\":\"static\",\"emoji_list\":[\"🐱\"]}]}",
	    id));
	o = bot("getStickerSet", 200, "{\"name\":\"" SET "\"}");
	expect_once(bot("getCustomEmojiStickers", 200, "{\"custom_emoji_ids\":[\"99\",\"%s\"]}",
			client_at(o, "result.stickers.0.custom_emoji_id")),
	    "result.0.emoji", "🐱");
	json_object_put(o);
	free(id);
}

static void a_group_has_a_set_of_its_own(void **state)
{
	(void)state;
	make_set();
	json_object_put(control("member",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"ann\",\"action\":\"promote\"}"));
	expect_once(bot("setChatStickerSet", 400, "{\"chat_id\":" GROUP ",\"sticker_set_name\":\"dogs\"}"),
	    "description", "Bad Request: sticker set not found");
	json_object_put(
	    bot("setChatStickerSet", 200, "{\"chat_id\":" GROUP ",\"sticker_set_name\":\"" SET "\"}"));
	expect_once(bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.sticker_set_name", SET);
	json_object_put(bot("deleteChatStickerSet", 200, "{\"chat_id\":" GROUP "}"));
	expect_once(bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.sticker_set_name", "");
}

static void reactions_of_people_are_taken_away(void **state)
{
	struct json_object *o;

	(void)state;
	json_object_put(control("member",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"77\",\"action\":\"promote\"}"));
	for (int i = 1; i <= 2; i++) {
		json_object_put(control("say",
		    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"77\",\"text\":\"hi\"}"));
		json_object_put(control("react",
		    "{\"platform\":\"telegram\",\"chat\":\"" GROUP
		    "\",\"user\":\"77\",\"message_id\":%d,\"emoji\":\"👍\"}",
		    i));
	}
	json_object_put(
	    bot("deleteMessageReaction", 200, "{\"chat_id\":" GROUP ",\"message_id\":1,\"user_id\":77}"));
	o = client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200);
	expect_at(o, "messages.0.reactions.0", "");
	expect_at(o, "messages.1.reactions.0.emoji", "👍");
	json_object_put(o);
	json_object_put(bot("deleteAllMessageReactions", 200, "{\"chat_id\":" GROUP ",\"user_id\":77}"));
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200),
	    "messages.1.reactions.0", "");
}

/* A second playground with the data of the first. */
static void what_bots_have_set_outlives_a_restart(void **state)
{
	char dir[] = "/tmp/myna-stickers-XXXXXX";
	const char *options[] = {"--data", mkdtemp(dir), NULL};
	struct json_object *o;
	char *link, *file;

	(void)state;
	fixture_end();
	fixture_start(options);
	json_object_put(control("member",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"user\":\"77\",\"action\":\"promote\"}"));
	say("hi");
	make_set();
	json_object_put(bot("setMyName", 200, "{\"name\":\"Crow\"}"));
	json_object_put(bot("setChatDescription", 200, "{\"chat_id\":" GROUP ",\"description\":\"kept\"}"));
	json_object_put(bot("banChatMember", 200, "{\"chat_id\":" GROUP ",\"user_id\":77}"));
	o = bot("createChatInviteLink", 200, "{\"chat_id\":" GROUP ",\"name\":\"door\"}");
	link = xstrdup(client_at(o, "result.invite_link"));
	json_object_put(o);
	json_object_put(
	    bot("sendPoll", 200, "{\"chat_id\":77,\"question\":\"a\",\"options\":[\"b\",\"c\"]}"));
	json_object_put(
	    control("vote", "{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":2,\"answer\":\"c\"}"));
	json_object_put(bot("pinChatMessage", 200, "{\"chat_id\":77,\"message_id\":2}"));
	fixture_end();
	fixture_start(options);
	expect_once(bot("getMe", 200, "{}"), "result.first_name", "Crow");
	expect_once(bot("getStickerSet", 200, "{\"name\":\"" SET "\"}"), "result.stickers.1.emoji", "😸");
	expect_once(bot("getChat", 200, "{\"chat_id\":" GROUP "}"), "result.description", "kept");
	expect_once(
	    bot("getChatMember", 200, "{\"chat_id\":" GROUP ",\"user_id\":77}"), "result.status", "kicked");
	expect_once(bot("editChatInviteLink", 200, "{\"chat_id\":" GROUP ",\"invite_link\":\"%s\"}", link),
	    "result.is_revoked", "false");
	expect_once(
	    bot("getChat", 200, "{\"chat_id\":77}"), "result.pinned_message.poll.options.1.voter_count", "1");
	json_object_put(
	    control("vote", "{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":2,\"answer\":\"b\"}"));
	o = bot("stopPoll", 200, "{\"chat_id\":77,\"message_id\":2}");
	expect_at(o, "result.total_voter_count", "1");
	json_object_put(o);
	free(link);
	fixture_end();
	fixture_start(NULL);
	file = xasprintf("%s/playground.json", dir);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(dir), 0);
	free(file);
}

static void restore(struct json_object *snapshot)
{
	json_object_put(
	    client_post(at("/control/snapshot"), 200, "{\"snapshot\":%s}", json_object_get_string(snapshot)));
}

static void a_snapshot_has_any_number_of_files(void **state)
{
	struct json_object *o, *snapshot, *kept, *earlier;
	char *first = upload(), *second = upload(), *last = NULL;

	(void)state;
	for (int i = 0; i < JSON_DEPTH; i++) {
		free(last);
		last = upload();
	}
	o = client_get(at("/control/snapshot"), 200);
	snapshot = json_get(o, "snapshot");
	restore(snapshot);
	json_object_put(bot("getFile", 200, "{\"file_id\":\"%s\"}", first));
	json_object_put(bot("getFile", 200, "{\"file_id\":\"%s\"}", last));
	/* As an earlier version wrote it, with the two first. */
	kept = json_get(json_get(snapshot, "telegram"), "kept");
	earlier = json_get_array(kept, "earlier");
	assert_int_equal(json_count(earlier), JSON_DEPTH + 1);
	json_set(json_at(earlier, JSON_DEPTH - 1), "was", json_object_get(json_at(earlier, JSON_DEPTH)));
	json_set(kept, "was", json_object_get(json_at(earlier, JSON_DEPTH - 1)));
	json_object_object_del(kept, "earlier");
	restore(snapshot);
	json_object_put(bot("getFile", 200, "{\"file_id\":\"%s\"}", first));
	json_object_put(bot("getFile", 200, "{\"file_id\":\"%s\"}", second));
	json_object_put(bot("getFile", 200, "{\"file_id\":\"%s\"}", last));
	json_object_put(o);
	free(first);
	free(second);
	free(last);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_set_is_made_sorted_and_changed, enter),
	    cmocka_unit_test_setup(wrong_sets_are_refused, enter),
	    cmocka_unit_test_setup(a_sticker_of_no_set_is_not_in_one, enter),
	    cmocka_unit_test_setup(custom_emoji_are_found_by_their_ids, enter),
	    cmocka_unit_test_setup(a_group_has_a_set_of_its_own, enter),
	    cmocka_unit_test_setup(reactions_of_people_are_taken_away, enter),
	    cmocka_unit_test_setup(a_snapshot_has_any_number_of_files, enter),
	    cmocka_unit_test(what_bots_have_set_outlives_a_restart),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
