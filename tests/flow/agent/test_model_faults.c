/*
 * What goes wrong in single requests to a model, and oddities that are no faults, with the real gateway and
 * in each wire format. That no request is one that a provider refuses, flow_stop judges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

/* Chats, each with a model of its own. */
static const struct {
	const char *chat, *method, *model;
} formats[] = {
    {"77", "chat.completions", "chat-model"},
    {"78", "messages", "messages-model"},
    {"79", "responses", "responses-model"},
    {"80", "chat.completions", "deepseek-model"},
};

#define CHAT      0
#define MESSAGES  1
#define RESPONSES 2
#define DEEP      3
#define EACH(i)   for (size_t i = 0; i < ARRAY_LEN(formats); i++)

static const char script[] =
    "{\"skip\":\"^\\\\[[^]\\n]*\\\\]\\n\",\"delay_ms\":0,\"chunk\":20,\"chunk_ms\":0,\"rules\":[{\"when\":\"^"
    "write ([a-z]+)\",\"steps\":[{\"thinking\":\"I "
    "write.\",\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"{{1}}.txt\",\"content\":\"words "
    "of {{1}} \xf0\x9f\x8c\xa7\"}}]},{\"text\":\"So: {{result}}\"}]},"
    "{\"when\":\"^read ([a-z]+) and "
    "([a-z]+)\",\"steps\":[{\"calls\":[{\"name\":\"read_file\",\"arguments\":{\"path\":\"{{1}}.txt\"}},{"
    "\"name\":\"read_file\",\"arguments\":{\"path\":\"{{2}}.txt\"}}]},{\"text\":\"\xf0\x9f\x8c\xa7 I have "
    "read: {{result}}\"}]},{\"when\":\"^obey\",\"steps\":[{\"obey\":true,\"text\":\"Nothing to "
    "do.\"},{\"text\":\"It said: {{result}}\"}]},{\"when\":\"^story\",\"steps\":[{\"text\":\"{{story "
    "3000}}\"}]},"
    "{\"when\":\"^what is 6\",\"steps\":[{\"text\":\"It is 42.\"}]},"
    "{\"when\":\"^say (.*)\",\"steps\":[{\"text\":\"{{1}}\"}]}],"
    "\"else\":{\"steps\":[{\"text\":\"I see.\"}]}}";

static struct flow f;
static size_t said[ARRAY_LEN(formats)]; /* messages of the bot that were looked at */
static int64_t before;                  /* the number of the last request before the test */

static void write_config(void)
{
	char *top = xasprintf(
	    "reports = \"\"; tools: { workspace_scope = \"shared\"; };\n"
	    "llm: { default = \"chat\"; providers: {\n"
	    "  chat: { api = \"openai-chat\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"chat-model\"; };\n"
	    "  deep: { profile = \"deepseek\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"deepseek-model\"; };\n"
	    "  responses: { api = \"openai-responses\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; "
	    "model = \"responses-model\"; };\n"
	    "  messages: { api = \"anthropic\"; base_url = \"%s\"; key = \"a-key-for-tests\"; model = "
	    "\"messages-model\"; };\n"
	    "}; };",
	    f.url, f.url, f.url, f.url);

	flow_config(&f, top,
	    "rate_private = 0; rate_global = 0; allow = [\"*\"]; admins = [\"77\", \"78\", \"79\", \"80\"];");
	free(top);
}

static void say(size_t i, const char *text)
{
	flow_say(&f, formats[i].chat, formats[i].chat, text, "private");
}

/* The next message of the bot in that chat, which holds the words; the caller's. */
static char *hear(size_t i, const char *words)
{
	flow_await(&f, formats[i].chat, said[i] + 1);
	char *text = flow_bot_text(&f, formats[i].chat, said[i]++);

	if (!strstr(text, words))
		fail_msg("%s: \"%s\" lacks \"%s\"", formats[i].method, text, words);
	return text;
}

static void ask(size_t i, const char *text, const char *words)
{
	say(i, text);
	free(hear(i, words));
}

static int start(void **state)
{
	*state = &f;
	flow_start_script(&f, script);
	json_object_put(flow_control(&f, "settings", "{\"telegram\":{\"limits\":false}}"));
	write_config();
	flow_gateway(&f, true);
	ask(MESSAGES, "/model messages", "messages");
	ask(RESPONSES, "/model responses", "responses");
	ask(DEEP, "/model deep", "deepseek");
	return 0;
}

/* A conversation begins in each chat. */
static int begin(void **state)
{
	struct json_object *o, *requests;

	(void)state;
	EACH(i)
	ask(i, "/new", "new conversation");
	o = flow_get(&f, "/control/model");
	requests = json_get_array(o, "requests");
	size_t count = json_object_array_length(requests);
	before = count > 0 ? json_get_int(json_object_array_get_idx(requests, count - 1), "n", 0) : 0;
	json_object_put(o);
	return 0;
}

static void order(size_t i, unsigned count, const char *fault)
{
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"%s\",\"count\":%u,%s}", formats[i].method, count, fault));
}

/* Requests of this test to the model of that chat whose body holds the text. */
static size_t count_requests(size_t i, const char *text)
{
	struct json_object *o = flow_get(&f, "/control/model"), *requests = json_get_array(o, "requests");
	size_t n = 0;

	for (size_t k = 0; k < json_object_array_length(requests); k++) {
		struct json_object *r = json_object_array_get_idx(requests, k);
		n += json_get_int(r, "n", 0) > before &&
		    strcmp(json_get_str(json_get_object(r, "body"), "model"), formats[i].model) == 0 &&
		    strstr(
			json_object_to_json_string_ext(json_get(r, "body"), JSON_C_TO_STRING_NOSLASHESCAPE),
			text);
	}
	json_object_put(o);
	return n;
}

static bool is_written(const char *name)
{
	char *path = xasprintf("%s/state/workspace/%s.txt", f.dir, name);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

static void a_history_that_is_refused_is_asked_once_more_without_what_the_refusal_names(void **state)
{
	static const struct {
		size_t format;
		const char *failure;
	} rows[] = {
	    {CHAT, "no_thought_signature"},
	    {MESSAGES, "unpaired_result"},
	    {MESSAGES, "bad_signature"},
	    {MESSAGES, "no_reasoning"},
	    {RESPONSES, "bad_signature"},
	};
	char fault[96], question[64];

	(void)state;
	EACH(i)
	ask(i, "write one", "one.txt");
	for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
		size_t i = rows[k].format;
		snprintf(fault, sizeof(fault), "\"kind\":\"failure\",\"failure\":\"%s\"", rows[k].failure);
		snprintf(question, sizeof(question), "what is 6*7, number %zu", k);
		order(i, 1, fault);
		ask(i, question, "It is 42.");
		assert_int_equal(count_requests(i, question), 2);
	}
}

static void one_that_stays_refused_is_told_with_what_to_do_and_nothing_is_lost(void **state)
{
	(void)state;
	EACH(i)
	{
		ask(i, "write one", "one.txt");
		/* Without thoughts of its own there is nothing to leave out, and the same would be refused
		 * again. */
		order(i, i == CHAT ? 1 : 2, "\"kind\":\"failure\",\"failure\":\"unpaired_call\"");
		ask(i, "what is 6*7", "Send /new");
		/* Here it is taken again, with all of it. */
		ask(i, "read one and one", "words of one");
		assert_true(count_requests(i, "write one") >= 4);
	}
}

static void words_of_an_error_are_words_in_a_conversation(void **state)
{
	(void)state;
	EACH(i)
	{
		ask(i, "say prompt is too long: 213462 tokens > 200000 maximum",
		    "prompt is too long: 213462");
		ask(i, "say insufficient_quota, rate limit, 429", "insufficient_quota, rate limit, 429");
		assert_int_equal(count_requests(i, "prompt is too long"), 2);
	}
}

static void a_request_that_is_too_long_in_anybodys_words_is_made_shorter(void **state)
{
	static const char *const failures[] = {
	    "overflow_gemini",
	    "overflow_anthropic",
	    "overflow_openai",
	    "overflow_page",
	    "overflow_vllm",
	    "overflow_lmstudio",
	    "overflow_openrouter",
	};
	char fault[96], question[64];

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(failures); k++) {
		size_t i = k % DEEP;
		ask(i, "story", "1. ");
		snprintf(fault, sizeof(fault), "\"kind\":\"failure\",\"failure\":\"%s\"", failures[k]);
		snprintf(question, sizeof(question), "what is 6*7, number %zu!", k);
		order(i, 1, fault);
		say(i, question);
		free(hear(i, "To make room I go on with a summary"));
		free(hear(i, "It is 42."));
		/* Refused, and asked again: the question is in both, once. */
		assert_int_equal(count_requests(i, question), 2);
	}
}

static void what_is_too_long_for_good_ends_with_words(void **state)
{
	(void)state;
	for (size_t i = CHAT; i <= RESPONSES; i++) {
		ask(i, "story", "1. ");
		ask(i, "story", "1. ");
		order(i, 40, "\"kind\":\"failure\",\"failure\":\"overflow_openai\"");
		say(i, "what is 6*7");
		char *text = hear(i, "");
		if (strstr(text, "To make room")) {
			free(text);
			text = hear(i, "");
		}
		if (!strstr(text, "/new"))
			fail_msg("%s", text);
		free(text);
		assert_in_range(count_requests(i, "what is 6*7"), 1, 6);
	}
}

static void calls_that_were_cut_off_or_broken_do_not_run(void **state)
{
	(void)state;
	EACH(i)
	{
		char fault[64], text[64];
		snprintf(text, sizeof(text), "write cut%c", (char)('a' + i));
		snprintf(fault, sizeof(fault), "\"kind\":\"quirks\",\"quirks\":[\"cut_arguments\"]");
		order(i, 1, fault);
		ask(i, text, "cut off by the length limit");
		assert_false(is_written(text + 6));
		snprintf(text, sizeof(text), "write bad%c", (char)('a' + i));
		order(i, 1, "\"kind\":\"quirks\",\"quirks\":[\"bad_arguments\"]");
		ask(i, text, "So: ");
		assert_false(is_written(text + 6));
		/* Both are part of the history, in a form that is taken. */
		snprintf(text, sizeof(text), "write good%c", (char)('a' + i));
		ask(i, text, "So: ");
		assert_true(is_written(text + 6));
	}
}

static void a_call_that_is_written_as_text_is_asked_for_once_more(void **state)
{
	(void)state;
	order(CHAT, 1, "\"kind\":\"quirks\",\"quirks\":[\"text_calls\"]");
	ask(CHAT, "write one", "one.txt");
	assert_true(is_written("one"));
	assert_int_equal(count_requests(CHAT, "write one"), 3);
}

static void an_empty_answer_is_asked_for_once_more_and_then_said_to_be_one(void **state)
{
	(void)state;
	EACH(i)
	{
		order(i, 1, "\"kind\":\"quirks\",\"quirks\":[\"empty\"]");
		ask(i, "what is 6*7", "It is 42.");
		assert_int_equal(count_requests(i, "what is 6*7"), 2);
		order(i, 2, "\"kind\":\"quirks\",\"quirks\":[\"empty\"]");
		ask(i, "what is 6*9", "empty answer");
		assert_int_equal(count_requests(i, "what is 6*9"), 2);
		ask(i, "what is 6*8", "It is 42.");
	}
}

static void what_odd_servers_do_changes_nothing(void **state)
{
	static const struct {
		size_t format;
		const char *quirks;
	} rows[] = {
	    {CHAT, "\"same_id\""},
	    {CHAT, "\"no_id\""},
	    {CHAT, "\"far_index\""},
	    {CHAT, "\"zero_index\""},
	    {CHAT, "\"no_index\""},
	    {CHAT, "\"object_arguments\",\"zero_index\",\"no_usage\""},
	    {CHAT, "\"no_done\",\"crlf\",\"surrogates\""},
	    {CHAT, "\"bytes\",\"bom\",\"cr\""},
	    {MESSAGES, "\"same_id\",\"no_usage\""},
	    {MESSAGES, "\"no_id\",\"crlf\""},
	    {MESSAGES, "\"far_index\",\"cr\",\"surrogates\""},
	    {MESSAGES, "\"bytes\",\"bom\",\"crlf\""},
	    {RESPONSES, "\"same_id\",\"no_usage\""},
	    {RESPONSES, "\"no_id\",\"crlf\""},
	    {RESPONSES, "\"far_index\",\"cr\",\"surrogates\""},
	    {RESPONSES, "\"bytes\",\"bom\",\"crlf\""},
	};

	(void)state;
	ask(CHAT, "write one", "one.txt");
	ask(CHAT, "write two", "two.txt");
	for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
		size_t i = rows[k].format;
		char *fault = xasprintf("\"kind\":\"quirks\",\"quirks\":[%s]", rows[k].quirks);
		order(i, 2, fault);
		say(i, "read one and two");
		char *text = hear(i, "words of two");
		if (!strstr(text, "words of one \xf0\x9f\x8c\xa7") ||
		    strncmp(text, "\xf0\x9f\x8c\xa7 I have", 10) != 0)
			fail_msg("%s: \"%s\"", rows[k].quirks, text);
		free(text);
		free(fault);
	}
	/* All of that is history now. */
	EACH(i)
	ask(i, "what is 6*7", "It is 42.");
}

static void a_tool_that_is_not_there_is_answered_with_those_that_are(void **state)
{
	(void)state;
	EACH(i)
	ask(i, "obey CALL send_carrier_pigeon {\"to\":\"all\"}", "Call one of those that are offered");
}

static void a_tool_that_a_provider_refuses_is_left_out(void **state)
{
	(void)state;
	order(CHAT, 1, "\"kind\":\"failure\",\"failure\":\"bad_schema\"");
	ask(CHAT, "what is 6*7", "It is 42.");
	assert_int_equal(count_requests(CHAT, "\"list_directory\""), 1);
	assert_int_equal(count_requests(CHAT, "\"read_file\""), 2);
	flow_await_log(&f, "the provider refuses the tool list_directory");
}

static void doubt_about_a_delivery_asks_no_model_again(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"cut\",\"at_byte\":"
	    "10}"));
	ask(CHAT, "what is 6*7", "It is 42.");
	ask(CHAT, "say and then", "It is 42.");
	free(hear(CHAT, "and then"));
	assert_int_equal(count_requests(CHAT, "what is 6*7"), 2);
	assert_int_equal(count_requests(CHAT, "and then"), 1);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_history_that_is_refused_is_asked_once_more_without_what_the_refusal_names),
	    TEST(one_that_stays_refused_is_told_with_what_to_do_and_nothing_is_lost),
	    TEST(words_of_an_error_are_words_in_a_conversation),
	    TEST(a_request_that_is_too_long_in_anybodys_words_is_made_shorter),
	    TEST(calls_that_were_cut_off_or_broken_do_not_run),
	    TEST(a_call_that_is_written_as_text_is_asked_for_once_more),
	    TEST(an_empty_answer_is_asked_for_once_more_and_then_said_to_be_one),
	    TEST(what_odd_servers_do_changes_nothing),
	    TEST(a_tool_that_is_not_there_is_answered_with_those_that_are),
	    TEST(a_tool_that_a_provider_refuses_is_left_out),
	    TEST(doubt_about_a_delivery_asks_no_model_again),
	    /* Orders more faults than are met. */
	    TEST(what_is_too_long_for_good_ends_with_words),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests_name("model faults", tests, start, flow_end);
}
