/* Files in conversations: what people send, and what the agent sends. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	return 0;
}

/* Person 77 sends a file; more: further members of the message, with a comma before. */
static void send_in(const char *text, const char *name, const char *kind, const char *bytes, const char *more)
{
	struct buf base64 = BUF_INIT;

	base64_encode(&base64, bytes, strlen(bytes));
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"kind\":\"private\",\"text\":\"%s\","
	    "\"files\":[{\"name\":\"%s\",\"kind\":\"%s\",\"base64\":\"%s\",\"duration\":5}]%s}",
	    text, name, kind, base64.data, more));
	buf_clear(&base64);
}

static char *answer(size_t i)
{
	flow_await(&f, "77", i + 1);
	return flow_bot_text(&f, "77", i);
}

/* What the first path in the bot's answer i holds, and how many files are kept. */
static void expect_kept(size_t i, const char *bytes, unsigned count)
{
	char *text = answer(i), *at = strstr(text, "files/telegram-77/"), got[256] = "", command[256];
	unsigned n = 0;

	if (!at)
		fail_msg("no path in \"%s\"", text);
	at[strcspn(at, "]\n ")] = '\0';
	at[strlen(at) - (at[strlen(at) - 1] == '.')] = '\0'; /* a sentence follows about what is no image */
	char *path = flow_file(&f, "telegram:77", at),
	     *folder = flow_file(&f, "telegram:77", "files/telegram-77");
	FILE *in = fopen(path, "r");
	if (!in)
		fail_msg("there is no %s", path);
	got[fread(got, 1, sizeof(got) - 1, in)] = '\0';
	fclose(in);
	assert_string_equal(got, bytes);
	snprintf(command, sizeof(command), "ls -A '%s' | wc -l", folder);
	in = popen(command, "r");
	assert_int_equal(fscanf(in, "%u", &n), 1);
	pclose(in);
	assert_int_equal(n, count);
	free(folder);
	free(path);
	free(text);
}

/* How often the model was asked. */
static size_t asked(void)
{
	struct json_object *o = flow_get(&f, "/control/model"), *all = json_get_array(o, "requests");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		const char *method = json_get_str(json_object_array_get_idx(all, i), "method");
		n += strcmp(method, "chat.completions") == 0;
	}
	json_object_put(o);
	return n;
}

/* Nothing that the gateway said to the platform or to the model was refused. */
static void expect_no_refusal(void)
{
	static const char *const paths[] = {"/control/requests?platform=telegram", "/control/model"};

	for (size_t p = 0; p < ARRAY_LEN(paths); p++) {
		struct json_object *o = flow_get(&f, paths[p]), *all = json_get_array(o, "requests");
		for (size_t i = 0; i < json_object_array_length(all); i++) {
			struct json_object *r = json_object_array_get_idx(all, i);
			if (strcmp(json_get_str(r, "verdict"), "ok") != 0)
				fail_msg("%s", json_object_to_json_string(r));
		}
		json_object_put(o);
	}
}

static void expect_secret_kept(void)
{
	char *log = flow_log(&f);
	struct json_object *o = flow_get(&f, "/control/model");
	const char *heard = json_object_to_json_string(o);

	assert_null(strstr(log, "AAEflowTestToken"));
	assert_null(strstr(log, "/file/bot"));
	assert_null(strstr(heard, "AAEflowTestToken"));
	assert_null(strstr(heard, "/file/bot"));
	json_object_put(o);
	free(log);
}

static void a_photo_is_kept_and_told(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	send_in("what is this?", "p.jpg", "photo", "pixels", "");
	flow_expect(&f, "77", 0, "what is this?\n[image, image/jpeg, ");
	expect_kept(0, "pixels", 1);
	expect_no_refusal();
	expect_secret_kept();
}

static void a_hostile_name_is_made_harmless(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	send_in("", "../../../etc/cron.d/x\\u0007].sh", "document", "text", "");
	flow_expect(&f, "77", 0, "files/telegram-77/x-");
	expect_kept(0, "text", 1);
}

static void an_album_is_one_turn(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"kind\":\"private\",\"text\":"
	    "\"three\",\"files\":[{\"name\":\"a.txt\",\"base64\":\"YQ==\"},{\"name\":\"b.txt\",\"base64\":"
	    "\"Yg==\"},{\"name\":\"c.txt\",\"base64\":\"Yw==\"}]}"));
	flow_expect(&f, "77", 0, "[file c.txt, ");
	flow_expect(&f, "77", 0, "[file a.txt, ");
	assert_int_equal(asked(), 1);
	expect_kept(0, "a", 3);
}

static void a_file_that_is_too_large_is_told(void **state)
{
	(void)state;
	flow_config(
	    &f, "files: { file_limit = \"100 MiB\"; turn_limit = \"200 MiB\"; };", "allow = [\"77\"];");
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"kind\":\"private\",\"text\":\"\","
	    "\"files\":[{\"name\":\"big.bin\",\"size\":30000000}]}"));
	flow_expect(&f, "77", 0,
	    "[file big.bin, application/octet-stream, 30.0 MB: not received. Telegram lets bots download "
	    "at most 20 MB, and this file is larger]");
}

static void a_download_that_fails_is_tried_again(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"getFile\",\"count\":1,\"kind\":\"status\",\"status\":"
	    "502}"));
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"file\",\"count\":1,\"kind\":\"cut\",\"at_byte\":3}"));
	send_in("", "a.txt", "document", "all of it", "");
	expect_kept(0, "all of it", 1);
	assert_int_equal(asked(), 1);
}

static void a_kill_during_a_download_loses_nothing(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"file\",\"count\":1,\"kind\":\"stall\",\"seconds\":30}"));
	send_in("hello", "a.txt", "document", "all of it", "");
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "no file is asked for")) {
		struct json_object *o = flow_get(&f, "/control/requests?platform=telegram");
		bool seen = strstr(json_object_to_json_string(o), "\"getFile\"");
		json_object_put(o);
		if (seen)
			break;
	}
	assert_int_equal(flow_gateway_end(&f, SIGKILL), -SIGKILL);
	assert_int_equal(asked(), 0);
	flow_gateway(&f, true);
	flow_await(&f, "77", 1);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 2);
	assert_int_equal(flow_bot_messages(&f, "77"), 2);
	assert_int_equal(asked(), 2);
	struct json_object *o = flow_get(&f, "/control/model");
	assert_non_null(strstr(json_object_to_json_string(o), "[file a.txt"));
	json_object_put(o);
}

static void a_voice_message_is_understood(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	send_in("", "v.ogg", "voice", "OggSwhat is 6*7", "");
	flow_expect(&f, "77", 0, "42");
	expect_no_refusal();
}

static void a_voice_message_that_is_not_understood_is_told(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"audio.transcriptions\",\"count\":9,\"kind\":\"status\","
	    "\"status\":400}"));
	send_in("", "v.ogg", "voice", "OggSwhat is 6*7", "");
	flow_expect(&f, "77", 0, "What is said in it could not be turned into text: ");
}

/* The file of the bot's message i, as "NAME KIND SIZE CAPTION". */
static char *file_out(size_t i)
{
	struct json_object *o = flow_transcript(&f, "telegram", "77"), *all = json_get_array(o, "messages");
	char *found = NULL;

	for (size_t k = 0, n = 0; k < json_object_array_length(all) && !found; k++) {
		struct json_object *m = json_object_array_get_idx(all, k);
		if (!json_get_bool(m, "bot", false) || n++ < i)
			continue;
		struct json_object *file = json_object_array_get_idx(json_get_array(m, "files"), 0);
		found = xasprintf("%s %s %d %s", json_get_str(file, "name"), json_get_str(file, "kind"),
		    (int)json_get_int(file, "size", -1), json_get_str(m, "text"));
	}
	json_object_put(o);
	return found ? found : xstrdup("nothing");
}

static void expect_file_out(size_t i, const char *want)
{
	flow_await(&f, "77", i + 1);
	char *got = file_out(i);
	assert_string_equal(got, want);
	free(got);
}

static void a_file_is_sent_with_its_caption(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_put_file(&f, "telegram:77", "notes.txt", "tea at five", 11);
	flow_say(&f, "77", "77", "send me notes.txt with the caption the plan", "private");
	expect_file_out(0, "notes.txt document 11 the plan");
	flow_expect(&f, "77", 1, "notes.txt: sent.");
	expect_no_refusal();
}

/* A picture of 1 by 1, as PNG has it. */
static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D',
    'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde};

static void a_picture_is_sent_as_one(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_put_file(&f, "telegram:77", "dot.png", png, sizeof(png));
	flow_say(&f, "77", "77", "send me dot.png", "private");
	flow_await(&f, "77", 1);
	char *got = file_out(0);
	assert_non_null(strstr(got, "photo"));
	free(got);
	expect_no_refusal();
}

static void what_is_no_picture_goes_as_a_document(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_put_file(&f, "telegram:77", "broken.png", "\x89PNG\r\n\x1a\n and no more", 20);
	flow_say(&f, "77", "77", "send me broken.png", "private");
	expect_file_out(0, "broken.png document 20 ");
	flow_expect(&f, "77", 1, "broken.png: sent.");
}

static void a_file_waits_for_the_platform_as_it_was(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_put_file(&f, "telegram:77", "notes.txt", "first", 5);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendDocument\",\"count\":2,\"kind\":\"retry_after\","
	    "\"seconds\":1}"));
	flow_say(&f, "77", "77", "send me notes.txt", "private");
	flow_await_log(&f, "will send again");
	flow_put_file(&f, "telegram:77", "notes.txt", "and then it changed", 19);
	/* In good order: what a kill cuts off in this instant may be in doubt, and is then not repeated. */
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_gateway(&f, true);
	expect_file_out(0, "notes.txt document 5 ");
}

static void what_is_outside_or_missing_is_not_sent(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "send me /etc/passwd", "private");
	flow_expect(&f, "77", 0, "Access denied: /etc/passwd is outside allowed paths.");
	flow_say(&f, "77", "77", "send me nothing.txt", "private");
	flow_expect(&f, "77", 1, "File not found: nothing.txt.");
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_photo_is_kept_and_told),
	    FLOW(a_hostile_name_is_made_harmless),
	    FLOW(an_album_is_one_turn),
	    FLOW(a_file_that_is_too_large_is_told),
	    FLOW(a_download_that_fails_is_tried_again),
	    FLOW(a_kill_during_a_download_loses_nothing),
	    FLOW(a_voice_message_is_understood),
	    FLOW(a_voice_message_that_is_not_understood_is_told),
	    FLOW(a_file_is_sent_with_its_caption),
	    FLOW(a_picture_is_sent_as_one),
	    FLOW(what_is_no_picture_goes_as_a_document),
	    FLOW(a_file_waits_for_the_platform_as_it_was),
	    FLOW(what_is_outside_or_missing_is_not_sent),
	};

	/* One conversation alone: FLOW_ONLY=an_album_is_one_turn */
	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
