#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define IMAGE      "GIF89a\x01\x01\x01\x01" /* 257 by 257 */
#define IMAGE_WIDE "GIF89a\x01\x28\x01\x01" /* 10241 by 257 */

static void add_part(struct buf *body, const char *name, const char *filename, const char *data, size_t len)
{
	buf_addf(body, "--x\r\nContent-Disposition: form-data; name=\"%s\"", name);
	if (filename)
		buf_addf(body, "; filename=\"%s\"\r\nContent-Type: application/octet-stream", filename);
	buf_addstr(body, "\r\n\r\n");
	buf_add(body, data, len);
	buf_addstr(body, "\r\n");
}

/* Calls a method with fields ("name=value", NULL-terminated) and one file under the name file. */
static struct json_object *upload(const char *method, int status, const char *const *fields, const char *file,
    const char *filename, const char *data)
{
	struct buf body = BUF_INIT;
	struct client_reply r;
	struct json_object *o;

	for (; *fields; fields++) {
		char *name = xstrdup(*fields), *value = strchr(name, '=');

		*value++ = '\0';
		add_part(&body, name, NULL, value, strlen(value));
		free(name);
	}
	add_part(&body, file, filename, data, strlen(data));
	buf_addstr(&body, "--x--\r\n");
	client_send(&(struct client_request){.url = at("/telegram/bot" TOKEN "/%s", method),
			.body = body.data,
			.content_type = "multipart/form-data; boundary=x"},
	    &r);
	if (r.status != status)
		fail_msg("%s answered %d, not %d: %s", method, r.status, status, r.body);
	o = json_object_get(r.json);
	client_reply_clear(&r);
	buf_clear(&body);
	return o;
}

static void expect_download(const char *file_id, const char *path, const char *content)
{
	struct json_object *o = bot("getFile", 200, "{\"file_id\":\"%s\"}", file_id);
	struct client_reply r;

	assert_non_null(strstr(client_at(o, "result.file_path"), path));
	client_send(&(struct client_request){.url = at("/telegram/file/bot" TOKEN "/%s",
						 client_at(o, "result.file_path"))},
	    &r);
	assert_int_equal(r.status, 200);
	assert_string_equal(r.body, content);
	client_reply_clear(&r);
	json_object_put(o);
}

static void a_document_is_uploaded_and_fetched_again(void **state)
{
	static const char *const fields[] = {"chat_id=77", "caption=<b>for</b> you", "parse_mode=HTML", NULL};
	struct json_object *o, *again;

	(void)state;
	say("hi");
	o = upload("sendDocument", 200, fields, "document", "a.md", "# A\r\n--y");
	expect_at(o, "result.document.file_name", "a.md");
	expect_at(o, "result.document.mime_type", "text/markdown");
	expect_at(o, "result.document.file_size", "8");
	expect_at(o, "result.caption", "for you");
	expect_at(o, "result.caption_entities.0.type", "bold");
	expect_download(client_at(o, "result.document.file_id"), ".md", "# A\r\n--y");
	again = bot("sendDocument", 200, "{\"chat_id\":77,\"document\":\"%s\"}",
	    client_at(o, "result.document.file_id"));
	expect_at(again, "result.document.file_name", "a.md");
	expect_at(again, "result.document.file_unique_id", client_at(o, "result.document.file_unique_id"));
	json_object_put(again);
	expect_once(bot("sendVoice", 400, "{\"chat_id\":77,\"voice\":\"%s\"}",
			client_at(o, "result.document.file_id")),
	    "description", "Bad Request: can't use file of type Document as VoiceNote");
	json_object_put(o);
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.1.files.0.name", "a.md");
	expect_at(o, "messages.1.text", "for you");
	json_object_put(o);
}

static void a_photo_must_be_one(void **state)
{
	static const char *const fields[] = {"chat_id=77", NULL};
	struct json_object *o;

	(void)state;
	say("hi");
	o = upload("sendPhoto", 200, fields, "photo", "a.gif", IMAGE);
	expect_at(o, "result.photo.0.width", "90");
	expect_at(o, "result.photo.1.width", "257");
	expect_at(o, "result.photo.1.height", "257");
	expect_download(client_at(o, "result.photo.1.file_id"), "photos/", IMAGE);
	expect_download(client_at(o, "result.photo.0.file_id"), "photos/", IMAGE);
	json_object_put(o);
	expect_once(upload("sendPhoto", 400, fields, "photo", "a.png", "no image"), "description",
	    "Bad Request: IMAGE_PROCESS_FAILED");
	expect_verdict("telegram", "refused");
	expect_once(upload("sendPhoto", 400, fields, "photo", "a.gif", IMAGE_WIDE), "description",
	    "Bad Request: PHOTO_INVALID_DIMENSIONS");
	expect_once(upload("sendPhoto", 400, fields, "photo", "a.gif", ""), "description",
	    "Bad Request: file must be non-empty");
	expect_once(bot("sendPhoto", 400, "{\"chat_id\":77}"), "description",
	    "Bad Request: there is no photo in the request");
	expect_once(bot("sendPhoto", 400, "{\"chat_id\":77,\"photo\":\"attach://a\"}"), "description",
	    "Bad Request: there is no photo in the request");
	expect_once(
	    bot("sendPhoto", 400, "{\"chat_id\":77,\"photo\":{\"filename\":\"a\",\"bytes\":9,\"at\":0}}"),
	    "description", "Bad Request: there is no photo in the request");
	expect_once(bot("sendPhoto", 400, "{\"chat_id\":77,\"photo\":\"nonsense\"}"), "description",
	    "Bad Request: wrong file identifier/HTTP URL specified");
	expect_once(bot("sendPhoto", 400, "{\"chat_id\":77,\"photo\":\"https://a.example/a.png\"}"),
	    "description", "Bad Request: failed to get HTTP URL content");
}

static void too_large_uploads_are_refused(void **state)
{
	static const char *const fields[] = {"chat_id=77", NULL};
	size_t photo = (10 << 20) + 1, document = (50 << 20) + 1;
	char *data = xmalloc(document + 1);

	(void)state;
	say("hi");
	memset(data, 'a', document);
	data[document] = '\0';
	expect_once(upload("sendDocument", 413, fields, "document", "a", data), "description",
	    "Request Entity Too Large");
	data[photo] = '\0';
	expect_once(upload("sendPhoto", 400, fields, "photo", "a", data), "description",
	    "Bad Request: file of size 10485761 bytes is too big for a photo; the maximum size is 10485760 "
	    "bytes");
	free(data);
}

static void a_part_is_attached_by_its_name(void **state)
{
	static const char *const fields[] = {"chat_id=77", "document=attach://f1", NULL};
	static const char *const stray[] = {"chat_id=77", "document=attach://f2", NULL};

	(void)state;
	say("hi");
	expect_once(
	    upload("sendDocument", 200, fields, "f1", "a.txt", "x"), "result.document.file_name", "a.txt");
	expect_once(upload("sendDocument", 400, stray, "f1", "a.txt", "x"), "description",
	    "Bad Request: there is no document in the request");
}

static void an_album_is_sent_together(void **state)
{
	static const char *const fields[] = {"chat_id=77",
	    "media=[{\"type\":\"photo\",\"media\":\"attach:\\/\\/"
	    "a\",\"caption\":\"two\"},{\"type\":\"photo\",\"media\":\"attach://a\"}]",
	    NULL};
	struct json_object *o;
	char *id, *broken;

	(void)state;
	say("hi");
	o = upload("sendMediaGroup", 200, fields, "a", "a.gif", IMAGE);
	expect_at(o, "result.0.caption", "two");
	expect_at(o, "result.1.photo.1.width", "257");
	assert_string_equal(client_at(o, "result.0.media_group_id"), client_at(o, "result.1.media_group_id"));
	id = xstrdup(client_at(o, "result.0.photo.1.file_id"));
	broken = xasprintf(
	    "media=[{\"type\":\"photo\",\"media\":\"%s\"},{\"type\":\"photo\",\"media\":\"attach://a\"}]",
	    id);
	json_object_put(o);
	expect_once(bot("sendMediaGroup", 400, "{\"chat_id\":77,\"media\":[]}"), "description",
	    "Bad Request: there are no messages to send");
	expect_once(bot("sendMediaGroup", 400,
			"{\"chat_id\":77,\"media\":[{\"type\":\"photo\",\"media\":\"photo-1\"},{\"type\":"
			"\"sticker\",\"media\":\"sticker-9\"}]}"),
	    "description", "Bad Request: can't parse InputMedia: type \"sticker\" is unsupported");
	expect_once(upload("sendMediaGroup", 400, (const char *const[]){"chat_id=77", broken, NULL}, "a",
			"a.gif", "no image"),
	    "description",
	    "Bad Request: failed to send message #2 with the error message \"IMAGE_PROCESS_FAILED\"");
	o = bot(
	    "sendMediaGroup", 200, "{\"chat_id\":77,\"media\":[{\"type\":\"photo\",\"media\":\"%s\"}]}", id);
	expect_at(o, "result.0.media_group_id", "");
	json_object_put(o);
	free(id);
	free(broken);
	expect_once(bot("sendMediaGroup", 400, "{\"chat_id\":77,\"media\":[1,2,3,4,5,6,7,8,9,10,11]}"),
	    "description", "Bad Request: too many messages to send as an album");
}

static void a_caption_has_1024_units_and_is_edited_as_one(void **state)
{
	struct json_object *o;
	int text, file;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"v.oga\",\"kind\":\"voice\","
	    "\"base64\":\"AAE=\",\"duration\":3}]}"));
	o = bot("getUpdates", 200, "{\"offset\":81}");
	expect_at(o, "result.0.message.voice.duration", "3");
	expect_at(o, "result.0.message.voice.mime_type", "audio/ogg");
	expect_once(bot("sendVoice", 400, "{\"chat_id\":77,\"voice\":\"%s\",\"caption\":\"%01025d\"}",
			client_at(o, "result.0.message.voice.file_id"), 0),
	    "description", "Bad Request: message caption is too long");
	json_object_put(o);
	o = bot("getUpdates", 200, "{\"offset\":82}");
	o = (json_object_put(o), bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"x\"}"));
	text = (int)json_get_int(json_get_object(o, "result"), "message_id", 0);
	json_object_put(o);
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.0.files.0.kind", "voice");
	json_object_put(o);
	expect_once(
	    bot("editMessageCaption", 400, "{\"chat_id\":77,\"message_id\":%d,\"caption\":\"c\"}", text),
	    "description", "Bad Request: there is no caption in the message to edit");
	o = upload("sendDocument", 200, (const char *const[]){"chat_id=77", NULL}, "document", "a", "x");
	file = (int)json_get_int(json_get_object(o, "result"), "message_id", 0);
	json_object_put(o);
	expect_once(bot("editMessageText", 400, "{\"chat_id\":77,\"message_id\":%d,\"text\":\"c\"}", file),
	    "description", "Bad Request: there is no text in the message to edit");
	expect_once(
	    bot("editMessageCaption", 200, "{\"chat_id\":77,\"message_id\":%d,\"caption\":\"c\"}", file),
	    "result.caption", "c");
}

/* A person's file of that many bytes; its file_id. */
static char *say_large(long long size)
{
	struct json_object *o;
	char *id;

	json_object_put(control("reset", "{}"));
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"large.bin\",\"size\":%lld}]}",
	    size));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	id = xstrdup(client_at(o, "result.0.message.document.file_id"));
	assert_int_equal(strtoll(client_at(o, "result.0.message.document.file_size"), NULL, 10), size);
	json_object_put(o);
	return id;
}

static void only_20_mb_can_be_fetched(void **state)
{
	char *id = say_large(20 << 20);
	struct json_object *o = bot("getFile", 200, "{\"file_id\":\"%s\"}", id);
	struct client_reply r;

	(void)state;
	client_send(&(struct client_request){.url = at("/telegram/file/bot" TOKEN "/%s",
						 client_at(o, "result.file_path"))},
	    &r);
	assert_int_equal(r.len, 20 << 20);
	client_reply_clear(&r);
	json_object_put(o);
	free(id);
	id = say_large((20 << 20) + 1);
	expect_once(
	    bot("getFile", 400, "{\"file_id\":\"%s\"}", id), "description", "Bad Request: file is too big");
	free(id);
	id = say_large(3000000000);
	expect_once(
	    bot("getFile", 400, "{\"file_id\":\"%s\"}", id), "description", "Bad Request: file is too big");
	free(id);
}

static void people_send_everything_that_the_platform_has(void **state)
{
	static const char *const kinds[] = {
	    "animation", "audio", "document", "photo", "sticker", "video", "video_note", "voice"};
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		json_object_put(control("say",
		    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"f\",\"kind\":\"%s\","
		    "\"base64\":\"AAE=\",\"width\":8,\"height\":4}]}",
		    kinds[i]));
		o = bot("getUpdates", 200, "{\"offset\":-1}");
		assert_non_null(json_get(client_object_at(o, "result.0.message"), kinds[i]));
		json_object_put(o);
	}
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"location\":{\"latitude\":52.5,\"longitude\":13.25}"
	    "}"));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	assert_true(
	    json_get_double(client_object_at(o, "result.0.message.location"), "longitude", 0) == 13.25);
	json_object_put(o);
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"contact\":{\"phone_number\":\"+49\",\"first_name\":"
	    "\"Bob\"}}"));
	expect_once(bot("getUpdates", 200, "{\"offset\":-1}"), "result.0.message.contact.first_name", "Bob");
	o = bot("sendLocation", 200, "{\"chat_id\":77,\"latitude\":1.5,\"longitude\":\"2\"}");
	assert_true(json_get_double(client_object_at(o, "result.location"), "latitude", 0) == 1.5);
	json_object_put(o);
	expect_once(bot("sendLocation", 400, "{\"chat_id\":77,\"latitude\":91,\"longitude\":0}"),
	    "description", "Bad Request: invalid location specified");
}

static void an_album_can_come_in_two_polls(void **state)
{
	struct json_object *first = control("say",
			       "{\"platform\":\"telegram\",\"user\":\"77\",\"album\":\"new\",\"text\":"
			       "\"see\",\"files\":[{\"name\":\"a\",\"base64\":\"AA==\"}]}"),
			   *o = bot("getUpdates", 200, "{\"offset\":91}");

	(void)state;
	expect_at(o, "result.0.message.media_group_id", client_at(first, "album_id"));
	json_object_put(o);
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"album\":\"%s\",\"files\":[{\"name\":\"b\","
	    "\"base64\":\"AA==\"}]}",
	    client_at(first, "album_id")));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	expect_at(o, "result.0.message.media_group_id", client_at(first, "album_id"));
	expect_at(o, "result.0.message.document.file_name", "b");
	json_object_put(o);
	json_object_put(first);
}

/* A photo of person 77; as the platform, by the address of a file that it serves. */
static void a_photo_comes_from_a_url_of_the_playground(void **state)
{
	struct json_object *o, *file;
	char *url;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"a.gif\",\"base64\":"
	    "\"R0lGODlhEAAQADs=\"}]}"));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	file = bot("getFile", 200, "{\"file_id\":\"%s\"}", client_at(o, "result.0.message.document.file_id"));
	url = xasprintf("%s/%s", at("/telegram/file/bot" TOKEN), client_at(file, "result.file_path"));
	json_object_put(o);
	json_object_put(file);
	expect_once(
	    bot("sendPhoto", 200, "{\"chat_id\":77,\"photo\":\"%s\"}", url), "result.photo.0.width", "16");
	expect_once(bot("sendPhoto", 400, "{\"chat_id\":77,\"photo\":\"https://a.example/a.gif\"}"),
	    "description", "Bad Request: failed to get HTTP URL content");
	free(url);
}

/* In a form all parameters are texts: an object in one is no part, and is judged like others. */
static void an_object_may_stand_beside_a_file(void **state)
{
	static const char *const
	    no_keyboard[] = {"chat_id=77", "reply_markup={\"inline_keyboard\":[[{\"text\":1}]]}", NULL},
	    *const rich[] = {"chat_id=77",
		"rich_message={\"html\":\"<tg-document src='tg://document?id=d'/>\",\"media\":[{"
		"\"id\":\"d\",\"media\":{\"type\":\"document\",\"media\":\"attach://file\"}}]}",
		NULL};
	char *reply = xasprintf("reply_parameters={\"message_id\":%d}", say("hi"));
	struct json_object *o;

	(void)state;
	expect_once(upload("sendDocument", 200, (const char *[]){"chat_id=77", reply, NULL}, "document",
			"a.txt", "hello"),
	    "result.reply_to_message.text", "hi");
	free(reply);
	json_object_put(upload("sendDocument", 400, no_keyboard, "document", "a.txt", "hello"));
	o = upload("sendRichMessage", 200, rich, "file", "a.txt", "hello");
	expect_at(o, "result.rich_message.blocks.0.type", "document");
	expect_download(client_at(o, "result.rich_message.blocks.0.document.file_id"), "documents/", "hello");
	json_object_put(o);
}

#define KEY(members) "{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":\"newest\"," members "}"

static void keys_say_their_text_or_share_what_they_ask_for(void **state)
{
	static const struct {
		const char *press, *path, *value;
	} presses[] = {
	    {"\"button\":\"Tea\"", "text", "Tea"},
	    {"\"button\":\"Me\"", "contact.user_id", "77"},
	    {"\"button\":\"Here\",\"location\":{\"latitude\":1.5,\"longitude\":2}", "location.latitude",
		"1.500000"},
	    {"\"button\":\"Ask\",\"poll\":{\"question\":\"q\",\"answers\":[\"a\",\"b\"]}", "poll.question",
		"q"},
	    {"\"button\":\"Friends\",\"users\":[\"5\",\"6\"]", "users_shared.users.1.user_id", "6"},
	    {"\"button\":\"Group\",\"shared\":\"-1009\"", "chat_shared.title", "Team"},
	    {"\"button\":\"App\",\"data\":\"done\"", "web_app_data.data", "done"},
	};
	static const char *const wrong[] = {"\"button\":\"Coffee\"", "\"button\":\"Here\"",
	    "\"button\":\"Ask\"", "\"button\":\"Friends\"",
	    "\"button\":\"Friends\",\"users\":[\"1\",\"2\",\"3\"]", "\"button\":\"Group\"",
	    "\"button\":\"Group\",\"shared\":\"77\"", "\"button\":\"App\""};

	(void)state;
	json_object_put(control("say", "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"hi\"}"));
	json_object_put(control("chat",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"chat\":\"-1009\",\"kind\":\"group\",\"title\":"
	    "\"Team\"}"));
	for (size_t i = 0; i < ARRAY_LEN(presses) + ARRAY_LEN(wrong); i++) {
		json_object_put(bot("sendMessage", 200,
		    "{\"chat_id\":77,\"text\":\"which?\",\"reply_markup\":{\"keyboard\":[[\"Tea\",{\"text\":"
		    "\"Me\","
		    "\"request_contact\":true},{\"text\":\"Here\",\"request_location\":true}],[{\"text\":"
		    "\"Ask\","
		    "\"request_poll\":{}},{\"text\":\"Friends\",\"request_users\":{\"request_id\":3,"
		    "\"max_quantity\":2}},{\"text\":\"Group\",\"request_chat\":{\"request_id\":4,"
		    "\"chat_is_channel\":false,\"request_title\":true}},{\"text\":\"App\",\"web_app\":{"
		    "\"url\":"
		    "\"https://a.example\"}}]]}}"));
		if (i < ARRAY_LEN(presses)) {
			char *path = xasprintf("result.0.message.%s", presses[i].path);

			json_object_put(control("press", KEY("%s"), presses[i].press));
			expect_once(bot("getUpdates", 200, "{\"offset\":-1}"), path, presses[i].value);
			free(path);
		} else {
			json_object_put(
			    client_post(at("/control/press"), 400, KEY("%s"), wrong[i - ARRAY_LEN(presses)]));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_document_is_uploaded_and_fetched_again, fixture_reset),
	    cmocka_unit_test_setup(a_photo_must_be_one, fixture_reset),
	    cmocka_unit_test_setup(too_large_uploads_are_refused, fixture_reset),
	    cmocka_unit_test_setup(a_part_is_attached_by_its_name, fixture_reset),
	    cmocka_unit_test_setup(an_album_is_sent_together, fixture_reset),
	    cmocka_unit_test_setup(a_caption_has_1024_units_and_is_edited_as_one, fixture_reset),
	    cmocka_unit_test_setup(only_20_mb_can_be_fetched, fixture_reset),
	    cmocka_unit_test_setup(people_send_everything_that_the_platform_has, fixture_reset),
	    cmocka_unit_test_setup(an_album_can_come_in_two_polls, fixture_reset),
	    cmocka_unit_test_setup(a_photo_comes_from_a_url_of_the_playground, fixture_reset),
	    cmocka_unit_test_setup(an_object_may_stand_beside_a_file, fixture_reset),
	    cmocka_unit_test_setup(keys_say_their_text_or_share_what_they_ask_for, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
