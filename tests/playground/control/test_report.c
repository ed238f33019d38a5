#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define SLACK_TOKEN   "xoxb-1-2-one"
#define DISCORD_TOKEN "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define DISCORD_OTHER "OTEw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

/* The finding of that check, new; NULL: there is none. */
static struct json_object *find(const char *check)
{
	struct json_object *o = client_get(at("/control/report"), 200), *all = json_get_array(o, "findings"),
			   *found = NULL;

	for (size_t i = 0; i < json_object_array_length(all) && !found; i++)
		if (strcmp(client_at(json_object_array_get_idx(all, i), "check"), check) == 0)
			found = json_object_get(json_object_array_get_idx(all, i));
	json_object_put(o);
	return found;
}

static void expect_finding(const char *check, const char *level, const char *method, const char *count)
{
	struct json_object *f = find(check);

	if (!f)
		fail_msg("nothing is said of %s", check);
	expect_at(f, "level", level);
	expect_at(f, "method", method);
	expect_at(f, "count", count);
	assert_true(strlen(client_at(f, "advice")) > 20);
	json_object_put(f);
}

static void expect_none(const char *check)
{
	struct json_object *f = find(check);

	if (f)
		fail_msg("it is said: %s", json_object_get_string(f));
}

/* As `call` of another platform; the answer must have that status. */
static void ask(const char *url, const char *token, int status, const char *body)
{
	char header[128];
	struct client_reply r;

	snprintf(header, sizeof(header), "Authorization: %s", token);
	client_send(&(struct client_request){.url = url,
			.body = body,
			.header = header,
			.content_type = "application/json; charset=utf-8"},
	    &r);
	assert_int_equal(r.status, status);
	client_reply_clear(&r);
}

static void send_text(const char *text)
{
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"%s\"}", text));
}

static void a_good_bot_has_no_findings(void **state)
{
	struct json_object *o;

	(void)state;
	say("hello");
	send_text("one");
	say("hello");
	send_text("one");
	o = client_get(at("/control/report"), 200);
	expect_at(o, "problems", "0");
	expect_at(o, "warnings", "0");
	json_object_put(o);
}

static void refusals_and_remarks_are_told_apart(void **state)
{
	struct json_object *f;

	(void)state;
	say("hello");
	json_object_put(bot("sendMessage", 400, "{\"chat_id\":77,\"txt\":\"x\"}"));
	json_object_put(bot("sendMessage", 400, "{\"chat_id\":77}"));
	json_object_put(
	    bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"x\",\"disable_web_page_preview\":true}"));
	f = find("refused");
	expect_at(f, "platform", "telegram");
	expect_at(f, "count", "2");
	expect_at(f, "text", "Bad Request: message text is empty");
	assert_true(json_get_int(f, "first", 0) > 0);
	json_object_put(f);
	expect_finding("ignored", "warning", "sendMessage", "1");
	expect_finding("deprecated", "warning", "sendMessage", "1");
	expect_once(find("deprecated"), "text", "disable_web_page_preview");
}

static void an_ordered_fault_is_not_the_bots(void **state)
{
	(void)state;
	say("hello");
	json_object_put(control("fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"status\",\"status\":400}"));
	json_object_put(bot("sendMessage", 400, "{\"chat_id\":77,\"text\":\"x\"}"));
	expect_none("refused");
}

static void a_429_must_be_obeyed(void **state)
{
	(void)state;
	say("hello");
	json_object_put(control("fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"retry_after\",\"seconds\":"
	    "30}"));
	json_object_put(bot("sendMessage", 429, "{\"chat_id\":77,\"text\":\"x\"}"));
	json_object_put(bot("getMe", 200, "{}"));
	expect_none("retry_after");
	send_text("x");
	expect_finding("retry_after", "problem", "sendMessage", "1");
	expect_none("rate_limited");
}

/* Sends until the report has that check; returns the status of the last request. */
static int send_until(const char *check)
{
	char body[80];
	struct json_object *f = NULL;
	struct client_reply r;
	int status = 0;

	for (int i = 0; !f; i++) {
		snprintf(body, sizeof(body), "{\"chat_id\":77,\"text\":\"%s %d\"}", check, i);
		client_send(
		    &(struct client_request){.url = at("/telegram/bot" TOKEN "/sendMessage"), .body = body},
		    &r);
		status = r.status;
		client_reply_clear(&r);
		f = find(check);
	}
	json_object_put(f);
	return status;
}

static void limits_are_told_before_they_are_met(void **state)
{
	(void)state;
	json_object_put(control("settings", "{\"telegram\":{\"limits\":true}}"));
	say("hello");
	send_text("one");
	expect_none("near_limit");
	assert_int_equal(send_until("near_limit"), 200);
	expect_none("rate_limited");
	assert_int_equal(send_until("rate_limited"), 429);
	expect_finding("rate_limited", "warning", "sendMessage", "1");
}

static void a_message_that_is_sent_twice_is_told(void **state)
{
	struct client_reply r;

	(void)state;
	say("hello");
	send_text("one");
	send_text("two");
	expect_none("double_send");
	send_text("two");
	expect_finding("double_send", "problem", "sendMessage", "1");
	/* Two people's acts may have led to it. */
	json_object_put(control("reset", "{}"));
	say("hello");
	say("hello");
	send_text("one");
	send_text("one");
	expect_finding("double_send", "warning", "sendMessage", "1");
	/* But not if the first answer was lost. */
	json_object_put(control("reset", "{}"));
	say("hello");
	say("hello");
	json_object_put(control("fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"cut\",\"at_byte\":5}"));
	client_send(&(struct client_request){.url = at("/telegram/bot" TOKEN "/sendMessage"),
			.body = "{\"chat_id\":77,\"text\":\"one\"}"},
	    &r);
	assert_int_equal(r.status, 0);
	client_reply_clear(&r);
	send_text("one");
	expect_finding("double_send", "problem", "sendMessage", "1");
}

/* Slack's channel dev, with the bot in it. */
static void slack_channel(void)
{
	ask(at("/slack/api/auth.test"), "Bearer " SLACK_TOKEN, 200, "{}");
	json_object_put(control("say",
	    "{\"platform\":\"slack\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}"));
}

/* Sends the same once more, and a secret, where people have said nothing in between. */
static void repeat(const char *url, const char *token, const char *begin, const char *method)
{
	static const char *const texts[] = {"one", "two", "two", "AKIAAAAAAAAAAAAAAAAA"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		char *body = xasprintf("%s%s\"}", begin, texts[i]);

		if (i == 2)
			expect_none("double_send");
		if (i == 3)
			expect_none("token");
		ask(url, token, 200, body);
		free(body);
	}
	expect_finding("double_send", "problem", method, "1");
	expect_finding("token", "problem", method, "1");
}

static void mentions_of_everybody_are_told(void **state)
{
	(void)state;
	slack_channel();
	ask(at("/slack/api/chat.postMessage"), "Bearer " SLACK_TOKEN, 200,
	    "{\"channel\":\"#dev\",\"text\":\"<!channel> hi\"}");
	expect_finding("mention", "warning", "chat.postMessage", "1");
}

/* Posts to Slack's channel dev; members in JSON besides the channel. */
static void post(const char *members)
{
	char *body = xasprintf("{\"channel\":\"#dev\",%s}", members);

	ask(at("/slack/api/chat.postMessage"), "Bearer " SLACK_TOKEN, 200, body);
	free(body);
}

#define RICH(element)                                                                        \
	"\"blocks\":[{\"type\":\"rich_text\",\"elements\":[{\"type\":\"rich_text_section\"," \
	"\"elements\":[" element "]}]}]"

static void mentions_are_told_where_slack_reads_them(void **state)
{
	static const char *const silent[] = {
	    "\"blocks\":[{\"type\":\"header\",\"text\":{\"type\":\"plain_text\",\"text\":\"<!here>\"}}]",
	    RICH("{\"type\":\"text\",\"text\":\"<!here>\"}"),
	    "\"text\":\"&lt;!here&gt; <@U1>\"",
	    "\"text\":\"x\",\"attachments\":[{\"text\":\"<!here>\"}]",
	};
	static const char *const calling[] = {
	    "\"blocks\":[{\"type\":\"section\",\"text\":{\"type\":\"mrkdwn\",\"text\":\"<!here>\"}}]",
	    "\"blocks\":[{\"type\":\"context\",\"elements\":[{\"type\":\"mrkdwn\",\"text\":\"<!here>\"}]}]",
	    "\"blocks\":\"[{\\\"type\\\":\\\"markdown\\\",\\\"text\\\":\\\"<!here>\\\"}]\"",
	    "\"markdown_text\":\"<!subteam^S1>\"",
	    RICH("{\"type\":\"broadcast\",\"range\":\"here\"}"),
	};
	char count[] = "0";

	(void)state;
	slack_channel();
	for (size_t i = 0; i < ARRAY_LEN(silent); i++)
		post(silent[i]);
	expect_none("mention");
	expect_none("refused");
	for (size_t i = 0; i < ARRAY_LEN(calling); i++) {
		post(calling[i]);
		count[0]++;
		expect_finding("mention", "warning", "chat.postMessage", count);
	}
}

static void a_mention_in_a_change_is_told(void **state)
{
	(void)state;
	ask(at("/slack/api/auth.test"), "Bearer " SLACK_TOKEN, 200, "{}");
	ask(at("/slack/api/chat.update"), "Bearer " SLACK_TOKEN, 200,
	    "{\"channel\":\"#dev\",\"ts\":\"1.2\",\"text\":\"<!here> hi\"}");
	expect_finding("mention", "warning", "chat.update", "1");
	json_object_put(control("reset", "{}"));
	ask(at("/slack/api/files.completeUploadExternal"), "Bearer " SLACK_TOKEN, 200,
	    "{\"files\":[{\"id\":\"F1\"}],\"channel_id\":\"C1\",\"initial_comment\":\"<!here> see\"}");
	expect_finding("mention", "warning", "files.completeUploadExternal", "1");
}

static uint64_t discord_channel(void)
{
	struct json_object *o = control("say",
	    "{\"platform\":\"discord\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"text\":"
	    "\"hi\"}");
	uint64_t id = strtoull(client_at(o, "chat_id"), NULL, 10);

	json_object_put(o);
	return id;
}

static void on_slack_repeats_secrets_and_what_is_old_are_told(void **state)
{
	(void)state;
	slack_channel();
	post("\"text\":\"x\",\"as_user\":true");
	expect_once(find("deprecated"), "text", "as_user");
	repeat(at("/slack/api/chat.postMessage"), "Bearer " SLACK_TOKEN, "{\"channel\":\"#dev\",\"text\":\"",
	    "chat.postMessage");
}

static void what_is_sent_twice_and_secrets_are_told_on_discord(void **state)
{
	char *url = xasprintf(
	    "%s/%llu/messages", at("/discord/api/v10/channels"), (unsigned long long)discord_channel());

	(void)state;
	repeat(url, "Bot " DISCORD_TOKEN, "{\"content\":\"", "POST /channels/messages");
	free(url);
}

static void on_discord_allowed_mentions_is_enough(void **state)
{
	char path[96];

	(void)state;
	json_object_put(client_get(at("/discord/api/v10/gateway"), 200));
	snprintf(path, sizeof(path), "/discord/api/v10/channels/%llu/messages",
	    (unsigned long long)discord_channel());
	ask(at("%s", path), "Bot " DISCORD_TOKEN, 200,
	    "{\"content\":\"@everyone hi\",\"allowed_mentions\":{\"parse\":[]}}");
	ask(at("/discord/api/v10/interactions/7/x/callback"), "Bot " DISCORD_TOKEN, 404,
	    "{\"type\":4,\"data\":{\"content\":\"@here\",\"allowed_mentions\":{\"parse\":[]}}}");
	expect_none("mention");
	ask(at("/discord/api/v10/interactions/7/x/callback"), "Bot " DISCORD_TOKEN, 404,
	    "{\"type\":4,\"data\":{\"content\":\"@here\"}}");
	expect_finding("mention", "warning", "POST /interactions/callback", "1");
	json_object_put(control("reset", "{}"));
	snprintf(path, sizeof(path), "/discord/api/v10/channels/%llu/messages",
	    (unsigned long long)discord_channel());
	ask(at("%s", path), "Bot " DISCORD_TOKEN, 200, "{\"embeds\":[{\"description\":\"@everyone\"}]}");
	expect_none("mention");
	ask(at("%s", path), "Bot " DISCORD_TOKEN, 200,
	    "{\"flags\":32768,\"components\":[{\"type\":17,\"components\":[{\"type\":10,\"content\":"
	    "\"@everyone\"}]}]}");
	expect_finding("mention", "problem", "POST /channels/messages", "1");
	json_object_put(control("reset", "{}"));
	snprintf(path, sizeof(path), "/discord/api/v10/channels/%llu/messages",
	    (unsigned long long)discord_channel());
	ask(at("%s", path), "Bot " DISCORD_TOKEN, 200, "{\"content\":\"@everyone hi\"}");
	expect_finding("mention", "problem", "POST /channels/messages", "1");
}

/* Ann makes a forum in her guild. */
static uint64_t discord_forum(void)
{
	struct json_object *o;
	uint64_t id;

	discord_channel();
	json_object_put(control("member",
	    "{\"platform\":\"discord\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"action\":"
	    "\"own\"}"));
	o = control("operate",
	    "{\"platform\":\"discord\",\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann\",\"method\":"
	    "\"POST\","
	    "\"path\":\"/guilds/{guild}/channels\",\"body\":{\"name\":\"ideas\",\"type\":15}}");
	id = strtoull(client_at(o, "answer.id"), NULL, 10);
	json_object_put(o);
	return id;
}

static void on_discord_the_first_message_of_a_post_counts(void **state)
{
	(void)state;
	ask(at("/discord/api/v10/channels/%llu/threads", (unsigned long long)discord_forum()),
	    "Bot " DISCORD_TOKEN, 201, "{\"name\":\"Post\",\"message\":{\"content\":\"<@&5> hi\"}}");
	expect_finding("mention", "problem", "POST /channels/threads", "1");
}

static void on_discord_a_global_429_is_for_all_paths(void **state)
{
	(void)state;
	discord_channel();
	json_object_put(control("fault",
	    "{\"platform\":\"discord\",\"method\":\"*\",\"kind\":\"retry_after\",\"seconds\":30,\"global\":"
	    "true}"));
	ask(at("/discord/api/v10/channels/7/messages"), "Bot " DISCORD_TOKEN, 429, "{\"content\":\"hi\"}");
	ask(at("/discord/api/v10/interactions/7/x/callback"), "Bot " DISCORD_TOKEN, 404, "{\"type\":6}");
	ask(at("/discord/api/v10/channels/8/messages"), "Bot " DISCORD_OTHER, 404, "{\"content\":\"hi\"}");
	expect_none("retry_after");
	ask(at("/discord/api/v10/channels/8/messages"), "Bot " DISCORD_TOKEN, 404, "{\"content\":\"hi\"}");
	expect_finding("retry_after", "problem", "POST /channels/messages", "1");
}

static void a_secret_in_a_text_is_told_and_not_repeated(void **state)
{
	struct json_object *o;

	(void)state;
	say("hello");
	send_text("my token is " TOKEN);
	expect_finding("token", "problem", "sendMessage", "1");
	o = client_get(at("/control/report"), 200);
	assert_null(strstr(json_object_get_string(o), "AAAAAAAA"));
	json_object_put(o);
}

static void an_update_that_comes_again_is_told(void **state)
{
	struct json_object *o;
	int64_t id;

	(void)state;
	say("hello");
	o = bot("getUpdates", 200, "{}");
	id = json_object_get_int64(client_object_at(o, "result.0.update_id"));
	json_object_put(o);
	say("again");
	json_object_put(bot("getUpdates", 200, "{\"offset\":%lld}", (long long)id + 1));
	expect_none("unconfirmed");
	json_object_put(bot("getUpdates", 200, "{\"offset\":%lld}", (long long)id + 1));
	expect_finding("unconfirmed", "warning", "getUpdates", "1");
}

static void a_button_that_nobody_answers_is_told(void **state)
{
	struct json_object *o, *f = NULL;
	int id;

	(void)state;
	say("hello");
	o = bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"A\","
	    "\"callback_data\":\"a\"}]]}}");
	id = (int)json_object_get_int64(client_object_at(o, "result.message_id"));
	json_object_put(o);
	json_object_put(control("press",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"message_id\":\"%d\",\"button\":"
	    "\"a\"}",
	    id));
	while (!(f = find("unanswered")))
		usleep(50000);
	expect_at(f, "method", "answerCallbackQuery");
	assert_null(json_get(f, "first"));
	json_object_put(f);
}

/* Runs the command: its exit status, and what it wrote. */
static int run(const char *more, struct buf *out)
{
	char *command = xasprintf("%s --report %s %s 2>&1", fixture_program(), at("%s", ""), more),
	     chunk[512];
	FILE *pipe = popen(command, "r");
	int status;
	size_t n;

	assert_non_null(pipe);
	while ((n = fread(chunk, 1, sizeof(chunk), pipe)) > 0)
		buf_add(out, chunk, n);
	status = pclose(pipe);
	free(command);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void the_command_tells_ci(void **state)
{
	char path[] = "/tmp/myna-junit-XXXXXX", *more = NULL;
	struct buf out = BUF_INIT;
	int fd = mkstemp(path);
	char text[8192] = "";

	(void)state;
	say("hello");
	json_object_put(
	    bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"x\",\"disable_web_page_preview\":true}"));
	assert_int_equal(run("", &out), 0);
	assert_non_null(strstr(out.data, "0 problems, 1 warning\n"));
	assert_int_equal(run("--warnings", &out), 1);
	/* XML cannot have these characters. */
	json_object_put(bot("sendMessage", 400, "{\"chat_id\":77,\"od\\ud7ff<\\uffff\\ufffe>\":1}"));
	more = xasprintf("--junit %s", path);
	buf_reset(&out);
	assert_int_equal(run(more, &out), 1);
	assert_non_null(
	    strstr(out.data, "problem: telegram sendMessage: Bad Request: message text is empty"));
	close(fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	assert_non_null(strstr(text, "<testsuite name=\"telegram\" tests=\"13\" failures=\"1\">"));
	assert_non_null(strstr(text, "name=\"no request is refused\"><failure"));
	assert_null(strstr(text, "slack"));
	assert_non_null(strstr(text, "od\xed\x9f\xbf&lt;  &gt;"));
	close(fd);
	unlink(path);
	free(more);
	buf_clear(&out);
}

static void a_flow_leaves_its_report(void **state)
{
	char flow[] = "/tmp/myna-flow-XXXXXX", junit[] = "/tmp/myna-junit-XXXXXX", text[4096] = "", *command;
	int fd = mkstemp(flow), out = mkstemp(junit);

	(void)state;
	assert_int_equal(write(fd, "chat telegram private Ann\nsay Ann hello\nclean\n", 46), 46);
	close(fd);
	close(out);
	command = xasprintf("%s --flow %s --junit %s", fixture_program(), flow, junit);
	assert_int_equal(system(command), 0);
	out = open(junit, O_RDONLY | O_CLOEXEC);
	assert_true(read(out, text, sizeof(text) - 1) > 0);
	assert_non_null(strstr(text, "<testsuites name=\"myna-playground\">"));
	close(out);
	unlink(flow);
	unlink(junit);
	free(command);
}

static void the_steps_of_flows_are_test_cases(void **state)
{
	char bad[] = "/tmp/myna-flow-XXXXXX", good[] = "/tmp/myna-flow-XXXXXX",
	     junit[] = "/tmp/myna-junit-XXXXXX", text[8192] = "", *command, *line;
	int fd = mkstemp(bad), other = mkstemp(good), out = mkstemp(junit);
	static const char failing[] =
	    "# one\nchat telegram private Ann\nsay Ann a < b\nwithin 0.1\nexpect no & yes"
	    "\nclean\n",
			  passing[] = "chat telegram private Ann\nsay Ann hello\n";

	(void)state;
	assert_int_equal(write(fd, failing, strlen(failing)), strlen(failing));
	assert_int_equal(write(other, passing, strlen(passing)), strlen(passing));
	close(fd);
	close(other);
	close(out);
	command =
	    xasprintf("%s --flow %s --flow %s --junit %s 2>/dev/null", fixture_program(), bad, good, junit);
	assert_int_equal(WEXITSTATUS(system(command)), 1);
	out = open(junit, O_RDONLY | O_CLOEXEC);
	assert_true(read(out, text, sizeof(text) - 1) > 0);
	line = xasprintf("<testsuite name=\"%s\" tests=\"5\" failures=\"1\" skipped=\"1\">", bad);
	assert_non_null(strstr(text, line));
	free(line);
	line = xasprintf("<testsuite name=\"%s\" tests=\"2\" failures=\"0\" skipped=\"0\">", good);
	assert_non_null(strstr(text, line));
	free(line);
	assert_non_null(strstr(text, "name=\"3: say Ann a &lt; b\"></testcase>"));
	assert_non_null(strstr(text, "name=\"5: expect no &amp; yes\"><failure message=\"line 5\">expect: "));
	assert_non_null(strstr(text, "name=\"6: clean\"><skipped/></testcase>"));
	close(out);
	unlink(bad);
	unlink(good);
	unlink(junit);
	free(command);
}

static void other_formats_are_refused(void **state)
{
	(void)state;
	expect_once(
	    client_get(at("/control/report?format=pdf"), 400), "error", "format must be json or junit");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fixture_reset)
	static const struct CMUnitTest tests[] = {
	    TEST(a_good_bot_has_no_findings),
	    TEST(refusals_and_remarks_are_told_apart),
	    TEST(an_ordered_fault_is_not_the_bots),
	    TEST(a_429_must_be_obeyed),
	    TEST(limits_are_told_before_they_are_met),
	    TEST(a_message_that_is_sent_twice_is_told),
	    TEST(mentions_of_everybody_are_told),
	    TEST(mentions_are_told_where_slack_reads_them),
	    TEST(a_mention_in_a_change_is_told),
	    TEST(on_slack_repeats_secrets_and_what_is_old_are_told),
	    TEST(what_is_sent_twice_and_secrets_are_told_on_discord),
	    TEST(on_discord_allowed_mentions_is_enough),
	    TEST(on_discord_the_first_message_of_a_post_counts),
	    TEST(on_discord_a_global_429_is_for_all_paths),
	    TEST(a_secret_in_a_text_is_told_and_not_repeated),
	    TEST(an_update_that_comes_again_is_told),
	    TEST(a_button_that_nobody_answers_is_told),
	    TEST(the_command_tells_ci),
	    TEST(a_flow_leaves_its_report),
	    TEST(the_steps_of_flows_are_test_cases),
	    TEST(other_formats_are_refused),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
