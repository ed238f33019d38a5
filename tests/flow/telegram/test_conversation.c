/* Conversations over the simulated Telegram, with the real gateway. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

#define ANN "allow = [\"77\"]; admins = [\"78\"];"

static struct flow f;

static void ready(const char *top, const char *channel)
{
	flow_config(&f, top, channel);
	flow_gateway(&f, true);
}

static void write_file(const char *name, const char *text)
{
	flow_put_file(&f, "telegram:77", name, text, strlen(text));
}

/* As a client of Bot API 10.1 or later sends it: no text. */
static void say_rich(const char *chat, const char *kind, const char *blocks)
{
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"%s\",\"user\":\"77\",\"kind\":\"%s\","
	    "\"rich_message\":{\"blocks\":%s}}",
	    chat, kind, blocks));
}

static void a_message_is_answered(void **state)
{
	(void)state;
	ready("", ANN);
	flow_say(&f, "77", "77", "what is 17*23", "private");
	flow_expect(&f, "77", 0, "391");
	flow_say(&f, "77", "77", "my name is Ann", "private");
	flow_await(&f, "77", 2);
	flow_say(&f, "77", "77", "what is my name", "private");
	flow_expect(&f, "77", 2, "Ann");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void a_rich_message_is_read(void **state)
{
	(void)state;
	ready("", ANN);
	say_rich("77", "private",
	    "[{\"type\":\"heading\",\"text\":\"A question\",\"size\":1},{\"type\":\"blockquote\",\"blocks\":["
	    "{\"type\":\"paragraph\",\"text\":[\"what is \",{\"type\":\"bold\",\"text\":\"17*23\"}]}]}]");
	flow_expect(&f, "77", 0, "391");
	say_rich("-1001", "group",
	    "[{\"type\":\"heading\",\"size\":1,\"text\":{\"type\":\"bot_command\",\"text\":\"/whoami\","
	    "\"bot_command\":\"/whoami\"}}]");
	flow_expect(&f, "-1001", 0, "You are");
}

static void tools_are_used_also_in_parallel(void **state)
{
	(void)state;
	ready("", ANN);
	write_file("notes.txt", "the launch is on Friday\n");
	write_file("other.txt", "bring cake\n");
	flow_say(&f, "77", "77", "read notes.txt", "private");
	flow_expect(&f, "77", 0, "the launch is on Friday");
	flow_say(&f, "77", "77", "read ../../etc/passwd.txt", "private");
	flow_expect(&f, "77", 1, "outside allowed paths");
	flow_say(&f, "77", "77", "read missing.txt", "private");
	flow_expect(&f, "77", 2, "File not found");
}

static void another_chat_is_reached_where_policy_allows(void **state)
{
	(void)state;
	ready("targets: { ops = [\"telegram:-1001\"]; };", ANN);
	flow_say(&f, "-1001", "79", "hello, this is ops", "group");
	flow_say(&f, "77", "77", "tell ops that the build is green", "private");
	flow_await(&f, "77", 1);
	flow_expect(&f, "-1001", 0, "the build is green");
	flow_say(&f, "77", "77", "send to telegram:-1002 hello", "private");
	flow_expect(&f, "77", 1, "not allowed");
	assert_int_equal(flow_bot_messages(&f, "-1001"), 1);
}

static void nobody_is_answered_unless_listed(void **state)
{
	(void)state;
	ready("", "");
	flow_await_log(&f, "let others in by their quoted ids in allow");
	flow_say(&f, "77", "77", "hello", "private");
	flow_await_log(&f, "id=\"77\"");
	flow_gateway_end(&f, SIGTERM);
	assert_int_equal(flow_bot_messages(&f, "77"), 0);
	flow_config(&f, "", ANN);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 2*21", "private");
	flow_expect(&f, "77", 0, "42");
	assert_int_equal(flow_bot_messages(&f, "77"), 1);
}

static void a_group_is_answered_when_it_asks(void **state)
{
	(void)state;
	ready("", ANN);
	struct json_object *chats = flow_get(&f, "/control/chats");
	json_object_put(chats);
	flow_say(&f, "-1001", "77", "/whoami", "group");
	flow_expect(&f, "-1001", 0, "You are");
	flow_say(&f, "-1001", "77", "just talking among us", "group");
	flow_say(&f, "-1001", "80", "/whoami", "group");
	flow_await_log(&f, "id=\"80\"");
	flow_say(&f, "-1001", "77", "/status", "group");
	flow_expect(&f, "-1001", 1, "Myna");
	assert_int_equal(flow_bot_messages(&f, "-1001"), 2);
}

static void commands_work_without_a_model(void **state)
{
	(void)state;
	ready("", ANN);
	json_object_put(flow_control(
	    &f, "fault", "{\"platform\":\"model\",\"method\":\"*\",\"count\":100,\"kind\":\"close\"}"));
	flow_say(&f, "77", "77", "/help", "private");
	flow_expect(&f, "77", 0, "/whoami");
	flow_say(&f, "77", "77", "/status", "private");
	flow_expect(&f, "77", 1, "ready");
	flow_expect(&f, "77", 1, "messages waiting: 0,");
	flow_say(&f, "77", "77", "/nonsense", "private");
	flow_expect(&f, "77", 2, "no command /nonsense");
	flow_say(&f, "77", "77", "/whoami me", "private");
	flow_expect(&f, "77", 3, "takes no arguments");
	flow_say(&f, "78", "78", "/whoami", "private");
	flow_expect(&f, "78", 0, "an admin");
}

static void stop_ends_a_turn_within_a_second(void **state)
{
	(void)state;
	ready("", ANN);
	flow_say(&f, "77", "77", "count to 900", "private");
	flow_until(&f, flow_turn_runs(&f));
	uint64_t asked = flow_now_ms();
	flow_say(&f, "77", "77", "/stop", "private");
	flow_expect(&f, "77", 0, "Stopped.");
	/* Or later, on a machine that has no time; to the end it would be minutes. */
	assert_true(flow_now_ms() - asked < 20000);
	flow_say(&f, "77", "77", "/stop", "private");
	flow_expect(&f, "77", 1, "Nothing is running");
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 2, "42");
	assert_int_equal(flow_bot_messages(&f, "77"), 3);
}

static void new_begins_a_conversation_that_knows_nothing(void **state)
{
	(void)state;
	ready("", ANN);
	flow_say(&f, "77", "77", "my name is Ann", "private");
	flow_await(&f, "77", 1);
	flow_say(&f, "77", "77", "/new", "private");
	flow_expect(&f, "77", 1, "new conversation");
	flow_say(&f, "77", "77", "what is my name", "private");
	flow_await(&f, "77", 3);
	char *text = flow_bot_text(&f, "77", 2);
	assert_null(strstr(text, "Ann"));
	free(text);
}

static void a_killed_gateway_goes_on(void **state)
{
	(void)state;
	ready("", ANN);
	for (int i = 0; i < 3; i++) {
		size_t before = flow_bot_messages(&f, "77");
		flow_say(&f, "77", "77", "count to 6", "private");
		flow_until(&f, flow_turn_runs(&f) || flow_bot_messages(&f, "77") > before);
		assert_int_equal(flow_gateway_end(&f, SIGKILL), -SIGKILL);
		flow_say(&f, "77", "77", "what is 6*7", "private");
		flow_gateway(&f, true);
		flow_expect(&f, "77", before, "5, 6");
		flow_expect(&f, "77", before + 1, "42");
	}
	/* Behind all that a start repeats. */
	flow_say(&f, "77", "77", "what is 17*23", "private");
	flow_expect(&f, "77", 6, "391");
	assert_int_equal(flow_bot_messages(&f, "77"), 7);
}

static void rounds_of_calls_are_limited(void **state)
{
	(void)state;
	ready("tools: { rounds = 3; };", ANN);
	flow_say(&f, "77", "77", "loop", "private");
	flow_expect(&f, "77", 0, "limit of 3 rounds");
}

static void a_long_answer_comes_whole_and_in_order(void **state)
{
	size_t count = 0;

	(void)state;
	ready("", ANN);
	flow_say(&f, "77", "77", "write a long story", "private");
	flow_await(&f, "77", 3);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	for (bool over = false; !over; count++) {
		flow_await(&f, "77", count + 1);
		char *text = flow_bot_text(&f, "77", count);
		assert_true(strlen(text) > 0);
		over = strstr(text, "42");
		free(text);
	}
	assert_int_equal(flow_bot_messages(&f, "77"), count);
}

/* The entities of message number i of the bot, by their types. */
static char *entity_types(const char *chat, size_t i)
{
	struct json_object *t = flow_transcript(&f, "telegram", chat),
			   *messages = json_get_array(t, "messages");
	char *types = xstrdup("");

	for (size_t n = 0; n < json_object_array_length(messages); n++) {
		struct json_object *m = json_object_array_get_idx(messages, n);
		struct json_object *entities = json_get_array(m, "entities");

		if (!json_get_bool(m, "bot", false) || i-- > 0)
			continue;
		for (size_t k = 0; entities && k < json_object_array_length(entities); k++) {
			char *more = xasprintf(
			    "%s%s ", types, json_get_str(json_object_array_get_idx(entities, k), "type"));
			free(types);
			types = more;
		}
		break;
	}
	json_object_put(t);
	return types;
}

static void markdown_arrives_as_formatting(void **state)
{
	static const char *const wanted[] = {
	    "bold ", "italic ", "strikethrough ", "code ", "text_link ", "blockquote ", "pre "};

	(void)state;
	ready("", ANN);
	flow_say(&f, "77", "77", "show me markdown", "private");
	flow_expect(&f, "77", 0, "A heading\nSome bold, some italic, some struck and some code, and a link.");
	char *types = entity_types("77", 0);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		if (!strstr(types, wanted[i]))
			fail_msg("there is no %sin %s", wanted[i], types);
	free(types);
}

static void markup_that_is_refused_arrives_as_plain_text(void **state)
{
	(void)state;
	ready("", ANN);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"status\","
	    "\"status\":400,\"text\":\"Bad Request: can't parse entities: Unmatched end tag at byte offset "
	    "9\"}"));
	flow_say(&f, "77", "77", "show me markdown", "private");
	flow_expect(&f, "77", 0,
	    "A heading\nSome bold, some italic, some struck and some code, and a link "
	    "(https://example.org/).");
	char *types = entity_types("77", 0);
	assert_null(strstr(types, "bold"));
	free(types);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 1, "42");
	assert_int_equal(flow_bot_messages(&f, "77"), 2);
}

static void a_model_that_fails_is_told_plainly(void **state)
{
	(void)state;
	ready("", ANN);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"*\",\"count\":1,\"kind\":\"status\",\"status\":401}"));
	flow_say(&f, "77", "77", "hello", "private");
	flow_expect(&f, "77", 0, "key");
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"*\",\"count\":1,\"kind\":\"cut\",\"at_byte\":300}"));
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 1, "42");
}

static void a_refused_token_stops_the_channel_and_says_so(void **state)
{
	(void)state;
	flow_config(&f, "", ANN);
	char *cmd = xasprintf("sed -i 's/4242424242:AAE/4242424242:revoked/' %s/myna.conf", f.dir);
	assert_int_equal(system(cmd), 0);
	free(cmd);
	flow_gateway(&f, false);
	flow_await_log(&f, "token was refused");
	struct json_object *status = flow_status(&f);
	assert_false(json_get_bool(status, "ready", true));
	struct json_object *channel = json_object_array_get_idx(json_get_array(status, "channels"), 0);
	assert_string_equal(json_get_str(channel, "status"), "stopped");
	json_object_put(status);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void faults_of_the_platform_lose_nothing(void **state)
{
	static const char *const faults[] = {
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"count\":1,\"kind\":\"garbage\"}",
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"count\":1,\"kind\":\"cut\",\"at_byte\":"
	    "120}",
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"count\":1,\"kind\":\"close\"}",
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"count\":1,\"kind\":\"status\",\"status\":"
	    "502}",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"retry_after\","
	    "\"seconds\":1}",
	};

	(void)state;
	ready("", ANN);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		json_object_put(flow_control(&f, "fault", "%s", faults[i]));
		flow_say(&f, "77", "77", "what is 6*7", "private");
		flow_expect(&f, "77", i, "42");
	}
	assert_int_equal(flow_bot_messages(&f, "77"), ARRAY_LEN(faults));
}

static void a_send_in_doubt_is_marked(void **state)
{
	(void)state;
	ready("", ANN);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"cut\",\"at_byte\":"
	    "10}"));
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await_log(&f, "sending once more with a mark");
	flow_say(&f, "77", "77", "what is 2*2", "private");
	flow_await(&f, "77", 2);
	struct json_object *t = flow_transcript(&f, "telegram", "77");
	const char *text = json_object_to_json_string(t);
	assert_non_null(strstr(text, "may be a repeat"));
	json_object_put(t);
}

static void a_person_hears_of_an_answer_that_stays_in_doubt(void **state)
{
	(void)state;
	ready("", ANN);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":2,\"kind\":\"cut\",\"at_byte\":"
	    "10}"));
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await_log(&f, "message uncertain");
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 2*2", "private");
	flow_expect(&f, "77", 3, "4");
	flow_say(&f, "77", "77", "what is 3*5", "private");
	flow_expect(&f, "77", 4, "15");
	struct json_object *t = flow_transcript(&f, "telegram", "77");
	const char *text = json_object_to_json_string(t), *word = strstr(text, "may not have reached you");
	assert_non_null(word);
	assert_null(strstr(word + 1, "may not have reached you"));
	json_object_put(t);
}

static void the_command_line_sends_and_says_what_came_of_it(void **state)
{
	char *out;

	(void)state;
	flow_config(&f, "targets: { ops = [\"telegram:-1001\"]; };", ANN);
	assert_int_equal(flow_myna(&f, &out, "send", "ops", "hello", NULL), 3);
	assert_non_null(strstr(out, "no gateway"));
	free(out);
	flow_gateway(&f, true);
	flow_say(&f, "-1001", "79", "this is ops", "group");
	assert_int_equal(flow_myna(&f, &out, "send", "--dry-run", "ops", "hello", NULL), 0);
	free(out);
	assert_int_equal(flow_myna(&f, &out, "send", "--key", "k1", "ops", "the build is green", NULL), 0);
	assert_non_null(strstr(out, "telegram:-1001 sent "));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "send", "--key", "k1", "ops", "the build is green", NULL), 0);
	assert_non_null(strstr(out, "(before, with the same key)"));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "send", "--key", "k1", "ops", "the build is red", NULL), 1);
	assert_non_null(strstr(out, "telegram:-1001 failed The key was used before, for another text"));
	free(out);
	assert_int_equal(flow_bot_messages(&f, "-1001"), 1);
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:-1001/999", "to a topic", NULL), 0);
	assert_non_null(strstr(out, "There is no topic 999: it went to the main one."));
	free(out);
	assert_int_equal(flow_bot_messages(&f, "-1001"), 2);
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:-555", "hello", NULL), 1);
	assert_non_null(strstr(out, "telegram:-555 failed "));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "send", "nowhere", "hello", NULL), 1);
	assert_non_null(strstr(out, "There is no target \"nowhere\""));
	free(out);
}

static void a_second_gateway_is_refused(void **state)
{
	char *out;

	(void)state;
	ready("", ANN);
	uint64_t began = flow_now_ms();
	assert_int_equal(flow_myna(&f, &out, "run", NULL), 1);
	assert_true(flow_now_ms() - began < 20000);
	assert_non_null(strstr(out, "state"));
	free(out);
}

static void the_configuration_is_checked_with_file_and_line(void **state)
{
	char *out;

	(void)state;
	flow_config(&f, "", "allow = [77];");
	assert_int_equal(flow_myna(&f, &out, "check", NULL), 1);
	assert_non_null(strstr(out, "myna.conf:4: "));
	assert_non_null(strstr(out, "\"77\""));
	free(out);
	flow_config(&f, "", ANN);
	assert_int_equal(flow_myna(&f, &out, "check", NULL), 0);
	free(out);
}

static void the_token_is_never_logged(void **state)
{
	(void)state;
	ready("", ANN);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"count\":2,\"kind\":\"close\"}"));
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 0, "42");
	flow_gateway_end(&f, SIGTERM);
	char *log = flow_log(&f);
	assert_null(strstr(log, "flowTestToken"));
	assert_null(strstr(log, "a-key-for-tests"));
	free(log);
}

#define FLOW(test) FLOW_TEST(test, flow_begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_message_is_answered),
	    FLOW(a_rich_message_is_read),
	    FLOW(tools_are_used_also_in_parallel),
	    FLOW(another_chat_is_reached_where_policy_allows),
	    FLOW(nobody_is_answered_unless_listed),
	    FLOW(a_group_is_answered_when_it_asks),
	    FLOW(commands_work_without_a_model),
	    FLOW(stop_ends_a_turn_within_a_second),
	    FLOW(new_begins_a_conversation_that_knows_nothing),
	    FLOW(a_killed_gateway_goes_on),
	    FLOW(rounds_of_calls_are_limited),
	    FLOW(a_long_answer_comes_whole_and_in_order),
	    FLOW(markdown_arrives_as_formatting),
	    FLOW(markup_that_is_refused_arrives_as_plain_text),
	    FLOW(a_model_that_fails_is_told_plainly),
	    FLOW(a_refused_token_stops_the_channel_and_says_so),
	    FLOW(faults_of_the_platform_lose_nothing),
	    FLOW(a_send_in_doubt_is_marked),
	    FLOW(a_person_hears_of_an_answer_that_stays_in_doubt),
	    FLOW(the_command_line_sends_and_says_what_came_of_it),
	    FLOW(a_second_gateway_is_refused),
	    FLOW(the_configuration_is_checked_with_file_and_line),
	    FLOW(the_token_is_never_logged),
	};

	/* One conversation alone: FLOW_ONLY=a_message_is_answered */
	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
