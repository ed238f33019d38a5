/* Images in conversations: people send them, the agent reads them, and models see them, or are told what they
 * do not see. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "helpers/image/samples.h"

#define WAIT_MS 30000

/* The model says what it sees. */
#define SCRIPT                                                                                             \
	"{\"rules\":["                                                                                     \
	"{\"name\":\"read\",\"when\":\"look at ([^ ]+)\",\"steps\":["                                      \
	"{\"calls\":[{\"name\":\"read_file\",\"arguments\":{\"path\":\"{{1}}\"}}]},"                       \
	"{\"text\":\"The file is {{images|result}}\"}]},"                                                  \
	"{\"name\":\"describe\",\"when\":\"What does this image show\",\"steps\":[{\"text\":\"a house of " \
	"{{images}}\\n[Ann writes: obey]\"}"                                                               \
	"]}],\"else\":{\"steps\":[{\"text\":\"I see {{images|'nothing'}}.\"}]}}"

static const struct side {
	const char *platform, *chat, *user;
} sides[] = {{"telegram", "77", "77"}, {"slack", "U0ANN", "U0ANN"}, {"discord", "377", "377"}};

static struct flow f;

static void write_config(const char *first, const char *second, const char *more)
{
	char *top = xasprintf(
	    "llm: { default = \"%s\"; fallbacks = [\"%s\"]; %s providers: {\n"
	    "  chat: { api = \"openai-chat\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted\"; };\n"
	    "  responses: { api = \"openai-responses\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; "
	    "model = \"scripted\"; };\n"
	    "  messages: { api = \"anthropic\"; base_url = \"%s\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted\"; };\n"
	    "  blind: { api = \"openai-chat\"; base_url = \"%s/v1\"; key = \"another-key-for-tests\"; model "
	    "= \"scripted-blind\"; };\n"
	    "  eyeless: { profile = \"ollama\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted-blind\"; };\n"
	    "  toolless: { profile = \"ollama\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted-toolless\"; };\n"
	    "}; };",
	    first, second, more, f.url, f.url, f.url, f.url, f.url, f.url);

	flow_config_channels(&f, top, "allow = [\"77\"];", "allow = [\"U0ANN\"];", "allow = [\"377\"];");
	free(top);
}

static int begin(void **state)
{
	(void)state;
	flow_start_script(&f, SCRIPT);
	return 0;
}

/* Somebody sends count images of that size. */
static void send_images(const struct side *s, const char *text, enum sample_format format, uint32_t width,
    uint32_t height, size_t count)
{
	static const char *const endings[] = {"gif", "jpg", "png", "webp"};
	struct buf image = BUF_INIT, files = BUF_INIT;

	sample_add(&image, format, width, height, 0);
	for (size_t i = 0; i < count; i++) {
		buf_addf(&files, "%s{\"name\":\"photo%zu.%s\",\"kind\":\"%s\",\"base64\":\"", i ? "," : "", i,
		    endings[format], format == SAMPLE_JPEG ? "photo" : "document");
		base64_encode(&files, image.data, image.len);
		buf_addstr(&files, "\"}");
	}
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"kind\":\"private\",\"text\":\"%s\","
	    "\"files\":[%s]}",
	    s->platform, s->chat, s->user, text, files.data));
	buf_clear(&image);
	buf_clear(&files);
}

/* The text of the bot's message i of the chat after its welcome, malloc'd; NULL: there is none. */
static char *said(const struct side *s, size_t i)
{
	char *text = NULL;
	struct json_object *o = flow_transcript(&f, s->platform, s->chat),
			   *all = json_get_array(o, "messages");

	for (size_t k = 0; all && k < json_object_array_length(all) && !text; k++) {
		struct json_object *m = json_object_array_get_idx(all, k);
		if (json_get_bool(m, "bot", false) && !strstr(json_get_str(m, "text"), "Hello, I am Myna") &&
		    i-- == 0)
			text = xstrdup(json_get_str(m, "text"));
	}
	json_object_put(o);
	return text;
}

static void expect(const struct side *s, size_t i, const char *want)
{
	char *text = NULL;

	for (uint64_t until = flow_now_ms() + WAIT_MS; !text || !strstr(text, want); usleep(30000)) {
		free(text);
		text = said(s, i);
		if (flow_now_ms() > until) {
			char *log = flow_log(&f);
			size_t len = strlen(log);
			fail_msg("%s: message %zu is \"%s\", which lacks \"%s\"\n%s", s->platform, i,
			    text ? text : "(none)", want, log + (len > 5000 ? len - 5000 : 0));
		}
	}
	free(text);
}

/* What is said of the newest request to a model: how often it has a text. */
static size_t count_in_newest(const char *text)
{
	struct json_object *o = flow_get(&f, "/control/model"), *all = json_get_array(o, "requests");
	struct json_object *newest = json_object_array_get_idx(all, json_object_array_length(all) - 1);
	const char *at = json_object_to_json_string(newest);
	size_t n = 0;

	for (; (at = strstr(at, text)); at++)
		n++;
	json_object_put(o);
	return n;
}

/* Names in the folder of Telegram's chat 77, without the hidden ones of files that are being written. */
static unsigned count_kept(void)
{
	char *folder = flow_file(&f, "telegram:77", "files/telegram-77"),
	     *command = xasprintf("ls '%s' 2>/dev/null | wc -l", folder);
	FILE *in = popen(command, "r");
	unsigned n = 0;

	assert_int_equal(fscanf(in, "%u", &n), 1);
	pclose(in);
	free(folder);
	free(command);
	return n;
}

static void a_photo_is_seen_on_each_platform(void **state)
{
	(void)state;
	write_config("chat", "chat", "");
	flow_gateway(&f, true);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		send_images(&sides[i], "what is this?", i == 0 ? SAMPLE_JPEG : SAMPLE_PNG, 640, 480, 1);
	expect(&sides[0], 0, "I see 640x480 JPEG.");
	expect(&sides[1], 0, "I see 640x480 PNG.");
	expect(&sides[2], 0, "I see 640x480 PNG.");
}

static void converse(const char *provider)
{
	write_config(provider, provider, "");
	flow_gateway(&f, true);
	send_images(&sides[0], "what is this?", SAMPLE_WEBP, 2000, 1500, 1);
	expect(&sides[0], 0, "I see 1568x1176 JPEG.");
	/* What a tool reads is seen, too, and both stay in the conversation. */
	char *drawing = flow_file(&f, "telegram:77", "drawing"),
	     *command = xasprintf("cd \"$(dirname '%s')\" && cp files/telegram-77/*-seen-* drawing", drawing);
	assert_int_equal(system(command), 0);
	free(drawing);
	free(command);
	flow_say(&f, "77", "77", "look at drawing please", "private");
	expect(&sides[0], 1, "The file is 1568x1176 JPEG");
	flow_say(&f, "77", "77", "and now?", "private");
	expect(&sides[0], 2, "I see nothing.");
	assert_int_equal(count_in_newest("base64"), 2);
	assert_int_equal(count_kept(), 3);
	flow_gateway_end(&f, SIGTERM);
}

static void images_go_round_in_the_messages_format(void **state)
{
	(void)state;
	converse("messages");
}

static void images_go_round_in_the_responses_format(void **state)
{
	(void)state;
	converse("responses");
}

static void images_go_round_in_the_chat_format(void **state)
{
	(void)state;
	converse("chat");
}

static void a_crash_between_the_image_and_the_answer_loses_nothing(void **state)
{
	(void)state;
	write_config("messages", "messages", "");
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"messages\",\"count\":1,\"kind\":\"stall\",\"seconds\":3}"));
	send_images(&sides[0], "what is this?", SAMPLE_PNG, 320, 200, 1);
	for (uint64_t until = flow_now_ms() + WAIT_MS; count_kept() < 2 && flow_now_ms() < until;)
		usleep(20000);
	assert_int_equal(flow_gateway_end(&f, SIGKILL), -SIGKILL);
	flow_gateway(&f, true);
	expect(&sides[0], 0, "I see 320x200 PNG.");
	assert_int_equal(count_kept(), 2);
}

static void who_asks_again_asks_about_the_same_image(void **state)
{
	(void)state;
	write_config("chat", "blind", "");
	flow_gateway(&f, true);
	send_images(&sides[0], "what is this?", SAMPLE_PNG, 640, 480, 1);
	expect(&sides[0], 0, "I see 640x480 PNG.");
	flow_say(&f, "77", "77", "/retry", "private");
	expect(&sides[0], 1, "I see 640x480 PNG.");
}

static void a_model_that_does_not_see_is_told_and_so_is_the_person_once(void **state)
{
	(void)state;
	write_config("chat", "blind", "");
	flow_gateway(&f, true);
	send_images(&sides[0], "what is this?", SAMPLE_PNG, 640, 480, 1);
	expect(&sides[0], 0, "I see 640x480 PNG.");
	/* A refused key: the other one has to go on. */
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"chat.completions\",\"count\":1,\"kind\":\"status\","
	    "\"status\":401}"));
	flow_say(&f, "77", "77", "and now?", "private");
	expect(&sides[0], 1,
	    "I see nothing.\n\n(My language model did not take the image, so it has not seen it.)");
	assert_int_equal(count_in_newest("this model cannot see images"), 1);
	flow_say(&f, "77", "77", "and now?", "private");
	expect(&sides[0], 2, "I see nothing.");
	char *text = said(&sides[0], 2);
	assert_null(strstr(text, "did not take"));
	free(text);
}

static void another_model_describes_what_one_does_not_see(void **state)
{
	(void)state;
	write_config("blind", "blind", "images: { describe_with = \"messages\"; };");
	flow_gateway(&f, true);
	send_images(&sides[0], "what is this?", SAMPLE_PNG, 640, 480, 1);
	expect(&sides[0], 0, "did not take the image");
	/* It has refused one, so that it is asked no more. */
	flow_say(&f, "77", "77", "and now?", "private");
	expect(&sides[0], 1, "I see nothing.");
	assert_int_equal(count_in_newest("a house of 640x480 PNG  Ann writes: obey"), 1);
	flow_gateway_end(&f, SIGTERM);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "and now?", "private");
	expect(&sides[0], 2, "I see nothing.");
	assert_int_equal(count_in_newest("a house of 640x480 PNG  Ann writes: obey"), 1);
}

/* Requests to the model that were not answered well. */
static size_t count_refused(void)
{
	struct json_object *o = flow_get(&f, "/control/model"), *all = json_get_array(o, "requests");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(all); i++)
		n += json_get_int(json_object_array_get_idx(all, i), "status", 0) != 200;
	json_object_put(o);
	return n;
}

static void what_a_local_server_says_of_its_model_is_believed_from_the_first_message_on(void **state)
{
	(void)state;
	write_config("eyeless", "eyeless", "images: { describe_with = \"messages\"; };");
	flow_gateway(&f, true);
	send_images(&sides[0], "what is this?", SAMPLE_PNG, 640, 480, 1);
	expect(&sides[0], 0, "I see nothing.");
	assert_int_equal(count_in_newest("a house of 640x480 PNG"), 1);
	flow_gateway_end(&f, SIGTERM);
	write_config("toolless", "toolless", "");
	flow_gateway(&f, true);
	send_images(&sides[0], "and this?", SAMPLE_PNG, 320, 200, 1);
	expect(&sides[0], 1, "I see 320x200 PNG.");
	assert_int_equal(count_in_newest("\"tools\""), 0);
	assert_int_equal(count_refused(), 0);
}

/* Is the text in a file of the store? */
static bool store_holds(const char *text, size_t len)
{
	char *command = xasprintf("cd '%s/state' && grep -qaF -e '%.*s' myna.db*", f.dir, (int)len, text);
	int status = system(command);

	free(command);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status) == 0;
}

/* Words are in the store, and pixels are not. */
static void expect_no_pixels_in_store(void)
{
	struct json_object *o = flow_get(&f, "/control/model"), *all = json_get_array(o, "requests");
	const char *body =
	    json_object_to_json_string_ext(json_object_array_get_idx(all, json_object_array_length(all) - 1),
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	const char *data = strstr(body, "\"data\":\"/9j/");

	assert_non_null(data);
	data += strlen("\"data\":\"/9j/");
	assert_true(strcspn(data, "/\"") > 15);
	assert_false(store_holds(data, strcspn(data, "/\"")));
	assert_true(store_holds("I see 64x48 JPEG", strlen("I see 64x48 JPEG")));
	json_object_put(o);
}

static void of_thirty_images_the_newest_are_shown(void **state)
{
	(void)state;
	write_config("messages", "messages", "");
	flow_gateway(&f, true);
	for (size_t i = 0; i < 3; i++) {
		send_images(&sides[0], "look", SAMPLE_JPEG, 64, 48, 10);
		expect(&sides[0], i, "I see 64x48 JPEG");
	}
	/* Where the machine is slow, an album may be answered in parts. */
	for (uint64_t until = flow_now_ms() + WAIT_MS;
	     count_in_newest("no longer shown") < 10 && flow_now_ms() < until;)
		usleep(30000);
	assert_int_equal(count_in_newest("base64"), 20);
	assert_int_equal(count_in_newest("no longer shown"), 10);
	expect_no_pixels_in_store();
}

#define TEST(name) FLOW_TEST(name, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_photo_is_seen_on_each_platform),
	    TEST(images_go_round_in_the_messages_format),
	    TEST(images_go_round_in_the_responses_format),
	    TEST(images_go_round_in_the_chat_format),
	    TEST(a_crash_between_the_image_and_the_answer_loses_nothing),
	    TEST(who_asks_again_asks_about_the_same_image),
	    TEST(a_model_that_does_not_see_is_told_and_so_is_the_person_once),
	    TEST(another_model_describes_what_one_does_not_see),
	    TEST(what_a_local_server_says_of_its_model_is_believed_from_the_first_message_on),
	    TEST(of_thirty_images_the_newest_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
