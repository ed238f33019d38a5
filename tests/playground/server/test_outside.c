/* Nothing that a bot sends reads or writes a file of the machine, or makes the playground call anybody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"
#include "playground/world/file.h"

#define SENTINEL      "what no bot may read"
#define DISCORD_TOKEN "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define SLACK_TOKEN   "xoxb-1-2-one"

/* The folder has the sentinel, and the playground's data beside it. */
static struct rig {
	char folder[40], *sentinel, *encoded, *data, *saved;
	int elsewhere; /* a listening socket of another server; nobody may call it */
	unsigned port;
} rig;

static int set_up(void **state)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct buf encoded = BUF_INIT;
	socklen_t len = sizeof(at);
	FILE *f;

	(void)state;
	str_copy(rig.folder, sizeof(rig.folder), "/tmp/myna-outside-XXXXXX");
	assert_non_null(mkdtemp(rig.folder));
	rig.sentinel = xasprintf("%s/sentinel.txt", rig.folder);
	rig.data = xasprintf("%s/data", rig.folder);
	rig.saved = xasprintf("%s/playground.json", rig.data);
	f = fopen(rig.sentinel, "we");
	assert_non_null(f);
	assert_true(fputs(SENTINEL, f) >= 0);
	assert_int_equal(fclose(f), 0);
	for (const char *s = rig.sentinel; *s != '\0'; s++)
		buf_addf(&encoded, *s == '/' ? "%%2F" : "%c", *s);
	rig.encoded = buf_take(&encoded);
	rig.elsewhere = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	assert_int_equal(bind(rig.elsewhere, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(rig.elsewhere, 8), 0);
	assert_int_equal(getsockname(rig.elsewhere, (struct sockaddr *)&at, &len), 0);
	rig.port = ntohs(at.sin_port);
	fixture_start((const char *const[]){"--data", rig.data, NULL});
	return 0;
}

static size_t count_files(const char *folder)
{
	DIR *dir = opendir(folder);
	size_t n = 0;

	assert_non_null(dir);
	for (struct dirent *e = readdir(dir); e; e = readdir(dir))
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

/* At the end there is nothing but what was there before, and the state. */
static int tear_down(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	fixture_end();
	assert_int_equal(accept(rig.elsewhere, NULL, NULL), -1);
	close(rig.elsewhere);
	assert_int_equal(file_read(rig.sentinel, &text, NULL), 0);
	assert_string_equal(text.data, SENTINEL);
	buf_reset(&text);
	assert_int_equal(file_read(rig.saved, &text, NULL), 0);
	assert_null(strstr(text.data, SENTINEL));
	buf_clear(&text);
	assert_int_equal(count_files(rig.folder), 2);
	assert_int_equal(count_files(rig.data), 1);
	unlink(rig.saved);
	rmdir(rig.data);
	unlink(rig.sentinel);
	assert_int_equal(rmdir(rig.folder), 0);
	free(rig.sentinel);
	free(rig.encoded);
	free(rig.data);
	free(rig.saved);
	return 0;
}

static void expect_answer(const char *what, const char *answer, int status, const char *words)
{
	if (strstr(answer, SENTINEL))
		fail_msg("%s reads a file of the machine", what);
	if (strtol(answer + strlen("HTTP/1.1 "), NULL, 10) != status || !strstr(answer, words))
		fail_msg("%s is not refused with %d and \"%s\": %s", what, status, words, answer);
}

/* GET of exactly that path, which no client has tidied up. */
static void expect_get(const char *path, const char *token, int status, const char *words)
{
	struct buf request = BUF_INIT, answer = BUF_INIT;

	buf_addf(&request, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", path,
	    at("%s", "") + strlen("http://"));
	if (token)
		buf_addf(&request, "Authorization: Bearer %s\r\n", token);
	buf_addstr(&request, "\r\n");
	raw_send(request.data, request.len, &answer);
	expect_answer(path, answer.data, status, words);
	buf_clear(&request);
	buf_clear(&answer);
}

static void no_path_leads_to_a_file_of_the_machine(void **state)
{
	static const struct {
		const char *path, *token;
		int status;
		const char *words;
	} places[] = {
	    {"/telegram/file/bot" TOKEN "/", NULL, 404, "\"error_code\":404,\"description\":\"Not Found\"}"},
	    {"/file/bot" TOKEN "/", NULL, 404, "\"error_code\":404,\"description\":\"Not Found\"}"},
	    {"/telegram/bot" TOKEN "/", NULL, 404, "\"error_code\":404,\"description\":\"Not Found"},
	    {"/discord/cdn/attachments/", NULL, 404, "This content is no longer available."},
	    {"/discord/cdn/", NULL, 404, "{\"message\":\"404: Not Found\",\"code\":0}"},
	    {"/discord/api/v10/", NULL, 404, "{\"message\":\"404: Not Found\",\"code\":0}"},
	    {"/slack/files-pri/", SLACK_TOKEN, 404, "not found"},
	    {"/slack/files-pri/T1-F1/download/", SLACK_TOKEN, 404, "not found"},
	    {"/slack/cdn/", SLACK_TOKEN, 404, "not found"},
	    {"/slack/upload/v1/", NULL, 404, "not found"},
	    {"/slack/api/", SLACK_TOKEN, 200, "{\"ok\":false,\"error\":\"unknown_method\""},
	    {"/control/", NULL, 404, "{\"ok\":false,\"error\":"},
	    {"/page/", NULL, 404, "There is nothing at this path. Bots find"},
	    {"/", NULL, 404, "There is nothing at this path. Bots find"},
	};
	const char *ways[] = {"../sentinel.txt", "..%2Fsentinel.txt", "%2e%2e/sentinel.txt",
	    "%2e%2e%2fsentinel.txt", "%252e%252e%252fsentinel.txt", "..%5csentinel.txt", "....//sentinel.txt",
	    "a/../../sentinel.txt", "../sentinel.txt%00", "..%2Fsentinel.txt%00.jpg", NULL, NULL, NULL, NULL,
	    NULL};
	size_t built = 10;

	(void)state;
	ways[built++] = xstrdup(rig.sentinel);
	ways[built++] = xstrdup(rig.encoded);
	ways[built++] = xasprintf("../../../../../../../..%s", rig.sentinel);
	ways[built++] = xasprintf("file://%s", rig.sentinel);
	ways[built++] = xasprintf("%s%%00.txt", rig.sentinel);
	assert_int_equal(built, ARRAY_LEN(ways));
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		for (size_t k = 0; k < ARRAY_LEN(ways); k++) {
			char *path = xasprintf("%s%s", places[i].path, ways[k]);

			expect_get(path, places[i].token, places[i].status, places[i].words);
			free(path);
		}
	for (size_t k = 10; k < ARRAY_LEN(ways); k++)
		free((char *)(uintptr_t)ways[k]);
}

static void control_file_has_files_of_messages_alone(void **state)
{
	static const char *const platforms[] = {"telegram", "slack", "discord"},
				 *const wanted[] = {"chat=%s", "chat=77&message_id=%s",
				     "chat=77&message_id=newest&index=%s"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(platforms); i++)
		for (size_t k = 0; k < ARRAY_LEN(wanted); k++) {
			const char *hole = strstr(wanted[k], "%s");
			char *path = xasprintf("/control/file?platform=%s&%.*s%s", platforms[i],
			    (int)(hole - wanted[k]), wanted[k], rig.encoded);

			expect_get(path, NULL, 400, "{\"ok\":false,\"error\":");
			free(path);
		}
}

/* POSTs to a platform as its bot. */
static void expect_post(
    const char *path, const char *token, const char *type, const char *body, int status, const char *words)
{
	char *header = xasprintf("Authorization: %s", token ? token : "none");
	struct client_reply r;

	client_send(&(struct client_request){.url = at("%s", path),
			.method = strncmp(path, "/discord/api/v10/applications", 29) == 0 ? "PATCH" : NULL,
			.body = body,
			.content_type = type,
			.header = header},
	    &r);
	if (strstr(r.body, SENTINEL))
		fail_msg("%s reads a file of the machine", path);
	if (r.status != status || !strstr(r.body, words))
		fail_msg("%s %s\nis not answered with %d and \"%s\": %d %s", path, body, status, words,
		    r.status, r.body);
	client_reply_clear(&r);
	free(header);
}

/* A photo in the playground; returns its path for download. */
static char *photo_path(void)
{
	struct json_object *o, *file;
	char *path;

	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"a.gif\",\"kind\":\"photo\","
	    "\"base64\":\"R0lGODlhEAAQADs=\"}]}"));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	file = bot("getFile", 200, "{\"file_id\":\"%s\"}", client_at(o, "result.0.message.photo.0.file_id"));
	path = xstrdup(client_at(file, "result.file_path"));
	json_object_put(o);
	json_object_put(file);
	return path;
}

static void a_path_of_the_playground_leads_nowhere_else(void **state)
{
	static const char *const more[] = {
	    "%00", "%00.jpg", "/../../sentinel.txt", "%2F..%2Fsentinel.txt", "/", "%20"};
	char *photo = photo_path();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(more); i++) {
		char *path = xasprintf("/telegram/file/bot" TOKEN "/%s%s", photo, more[i]);

		expect_get(path, NULL, 404, "\"description\":\"Not Found\"");
		free(path);
	}
	free(photo);
}

static void telegram_fetches_no_url_but_its_own(void **state)
{
	static const struct {
		const char *method, *media;
	} calls[] = {{"sendPhoto", "photo"}, {"sendDocument", "document"}, {"sendVideo", "video"},
	    {"sendAudio", "audio"}, {"sendAnimation", "animation"}, {"sendVoice", "voice"},
	    {"sendVideoNote", "video_note"}, {"sendSticker", "sticker"}};
	static const char no_id[] = "Bad Request: wrong file identifier/HTTP URL specified",
			  no_content[] = "Bad Request: failed to get HTTP URL content",
			  no_part[] = "Bad Request: there is no ";
	char *photo = photo_path(), *own = xstrdup(at("/"));
	const struct {
		char *url;
		const char *words;
	} urls[] = {
	    {xasprintf("file://%s", rig.sentinel), no_id},
	    {xstrdup("file:///etc/passwd"), no_id},
	    {xstrdup(rig.sentinel), no_id},
	    {xstrdup("../sentinel.txt"), no_id},
	    {xasprintf("attach://%s", rig.sentinel), no_part},
	    {xasprintf("http://127.0.0.1:%u/a.gif", rig.port), no_content},
	    {xasprintf("http://localhost:%u/telegram/file/bot" TOKEN "/%s", rig.port, photo), no_content},
	    /* The host of the playground is the beginning of another. */
	    {xasprintf("%.*s@127.0.0.1:%u/file/bot" TOKEN "/%s", (int)strlen(own) - 1, own, rig.port, photo),
		no_content},
	    {xasprintf("%.*s1/telegram/file/bot" TOKEN "/%s", (int)strlen(own) - 1, own, photo), no_content},
	    {xasprintf("%.*s.example/file/bot" TOKEN "/%s", (int)strlen(own) - 1, own, photo), no_content},
	    {xasprintf("%stelegram/file/bot" TOKEN "/../../sentinel.txt", own), no_content},
	    {xasprintf("%stelegram/file/bot" TOKEN "/%s%%00", own, photo), no_content},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		for (size_t k = 0; k < ARRAY_LEN(calls); k++) {
			char *path = xasprintf("/telegram/bot" TOKEN "/%s", calls[k].method),
			     *body = xasprintf("{\"chat_id\":77,\"%s\":\"%s\"}", calls[k].media, urls[i].url);

			expect_post(path, NULL, NULL, body, 400, urls[i].words);
			free(path);
			free(body);
		}
		free(urls[i].url);
	}
	free(photo);
	free(own);
}

static void webhooks_are_no_files(void **state)
{
	static const char *const urls[] = {"file:///etc/passwd", "FILE:///etc/passwd", "/etc/passwd",
	    "http://127.0.0.1:1@elsewhere.example/", "unix:/run/x.sock", "ftp://127.0.0.1/"};
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		char *body = xasprintf("{\"url\":\"%s\"}", urls[i]);

		json_object_put(control("clock", "{\"advance\":2}")); /* one call a second */
		expect_post("/telegram/bot" TOKEN "/setWebhook", NULL, NULL, body, 400,
		    "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
		free(body);
	}
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		if (strncmp(urls[i], "http:", 5) == 0)
			continue;
		o = client_post(
		    at("/control/settings"), 400, "{\"slack\":{\"request_url\":\"%s\"}}", urls[i]);
		expect_once(o, "error", "request_url must begin with http:// or https://");
	}
	expect_post("/discord/api/v10/applications/@me", "Bot " DISCORD_TOKEN, NULL,
	    "{\"interactions_endpoint_url\":\"file:///etc/passwd\"}", 400, "URL_TYPE_INVALID_SCHEME");
}

/* What a message shows by its URL is refused, or stays a URL. */
static void slack_and_discord_show_no_files(void **state)
{
	struct json_object *o = control("say",
	    "{\"platform\":\"discord\",\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}");
	char *messages = xasprintf("/discord/api/v10/channels/%s/messages", client_at(o, "chat_id")),
	     *http = xasprintf("{\"embeds\":[{\"image\":{\"url\":\"http://127.0.0.1:%u/\"}}]}", rig.port),
	     *blocks;

	(void)state;
	json_object_put(o);
	expect_post(messages, "Bot " DISCORD_TOKEN, NULL,
	    "{\"embeds\":[{\"image\":{\"url\":\"file:///etc/passwd\"}}]}", 400, "URL_TYPE_INVALID_SCHEME");
	expect_post(messages, "Bot " DISCORD_TOKEN, NULL, http, 200, "\"embeds\":");
	free(http);
	free(messages);
	o = control("say",
	    "{\"platform\":\"slack\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}");
	blocks =
	    xasprintf("{\"channel\":\"%s\",\"blocks\":[{\"type\":\"image\",\"alt_text\":\"a\",\"image_url\":"
		      "\"file:///etc/passwd\"}]}",
		client_at(o, "chat_id"));
	expect_post("/slack/api/chat.postMessage", "Bearer " SLACK_TOKEN, NULL, blocks, 200,
	    "{\"ok\":false,\"error\":\"invalid_blocks\"");
	expect_post("/slack/api/files.remote.add", "Bearer " SLACK_TOKEN, "application/x-www-form-urlencoded",
	    "external_id=1&title=a&external_url=file:///etc/passwd", 200,
	    "{\"ok\":false,\"error\":\"invalid_arguments\"");
	free(blocks);
	json_object_put(o);
}

#define FORM "multipart/form-data; boundary=x"

/* A form with a field and a part whose file is named by a path. */
static char *form(const char *field, const char *value, const char *part, const char *filename)
{
	return xasprintf("--x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
			 "--x\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
			 "Content-Type: text/plain\r\n\r\nof the bot\r\n--x--\r\n",
	    field, value, part, filename);
}

/* Uploads a file of that name to Slack; its address has the name as one part. */
static void expect_slack_name(const char *name)
{
	struct json_object *o;
	char *body, *bytes = form("x", "y", "file", name);
	const char *url;
	struct client_reply r;

	body = xasprintf("filename=%s&length=10", name);
	client_send(&(struct client_request){.url = at("/slack/api/files.getUploadURLExternal"),
			.body = body,
			.content_type = "application/x-www-form-urlencoded",
			.header = "Authorization: Bearer " SLACK_TOKEN},
	    &r);
	expect_at(r.json, "ok", "true");
	url = client_at(r.json, "upload_url");
	expect_post(strstr(url, "/slack/"), NULL, FORM, bytes, 200, "OK - 10");
	free(body);
	body = xasprintf("{\"files\":[{\"id\":\"%s\"}]}", client_at(r.json, "file_id"));
	client_reply_clear(&r);
	client_send(&(struct client_request){.url = at("/slack/api/files.completeUploadExternal"),
			.body = body,
			.header = "Authorization: Bearer " SLACK_TOKEN},
	    &r);
	expect_at(r.json, "ok", "true");
	o = client_object_at(r.json, "files.0");
	url = strstr(client_at(o, "url_private"), "/files-pri/");
	assert_non_null(url);
	assert_null(strchr(strchr(url + strlen("/files-pri/"), '/') + 1, '/'));
	assert_null(strchr(url, '\\'));
	expect_get(strstr(client_at(o, "url_private"), "/slack/"), SLACK_TOKEN, 200, "of the bot");
	client_reply_clear(&r);
	free(body);
	free(bytes);
}

static void the_name_of_a_file_is_no_path(void **state)
{
	struct json_object *o = control("say",
	    "{\"platform\":\"discord\",\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}");
	char *messages = xasprintf("/discord/api/v10/channels/%s/messages", client_at(o, "chat_id")),
	     *planted = xasprintf("%s/planted.txt", rig.folder), *last;
	const char *const names[] = {"../planted.txt", "../../../../../../planted.txt", planted,
	    "a/../planted.txt", "..\\planted.txt", "C:\\planted.txt"};

	(void)state;
	json_object_put(o);
	json_object_put(control("settings", "{\"discord\":{\"limits\":false},\"slack\":{\"limits\":false}}"));
	say("hi");
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *body = form("chat_id", "77", "document", names[i]);

		expect_post("/telegram/bot" TOKEN "/sendDocument", NULL, FORM, body, 200,
		    "\"file_name\":\"planted.txt\"");
		free(body);
		body = form("payload_json", "{\"content\":\"x\"}", "files[0]", names[i]);
		expect_post(messages, "Bot " DISCORD_TOKEN, FORM, body, 200, "planted.txt?ex=");
		free(body);
		o = client_get(at("/control/transcript?platform=discord&chat=dev"), 200);
		last = xasprintf("messages.%zu.files.0.name", i + 1);
		assert_non_null(strstr(client_at(o, last), "planted.txt"));
		assert_null(strpbrk(client_at(o, last), "/\\"));
		free(last);
		json_object_put(o);
		expect_slack_name(names[i]);
	}
	free(messages);
	free(planted);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fixture_reset)
	static const struct CMUnitTest tests[] = {
	    TEST(no_path_leads_to_a_file_of_the_machine),
	    TEST(control_file_has_files_of_messages_alone),
	    TEST(a_path_of_the_playground_leads_nowhere_else),
	    TEST(telegram_fetches_no_url_but_its_own),
	    TEST(webhooks_are_no_files),
	    TEST(slack_and_discord_show_no_files),
	    TEST(the_name_of_a_file_is_no_path),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
