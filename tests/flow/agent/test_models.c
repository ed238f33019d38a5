/* Conversations in each wire format, and across them, with the real gateway; the simulated providers refuse
 * what the real ones refuse. */
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

/* How thoughts begin that only their provider could have made. */
#define SIGNED "sig+"
#define SEALED "gAAAAA"

static struct flow f;

static void write_config(const char *first, const char *second)
{
	char *top = xasprintf(
	    "reports = \"\";\n"
	    "llm: { default = \"%s\"; fallbacks = [\"%s\"]; providers: {\n"
	    "  chat: { api = \"openai-chat\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted\"; };\n"
	    "  responses: { api = \"openai-responses\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; "
	    "model = \"scripted\"; };\n"
	    "  messages: { api = \"anthropic\"; base_url = \"%s\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted\"; };\n"
	    "  deepseek: { profile = \"deepseek\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"deepseek-scripted\"; };\n"
	    "  gemini: { profile = \"gemini\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"gemini-scripted\"; };\n"
	    "  local: { profile = \"ollama\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted\"; };\n"
	    "  mistral: { profile = \"mistral\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"mistral-scripted\"; };\n"
	    "}; };",
	    first, second, f.url, f.url, f.url, f.url, f.url, f.url, f.url);

	flow_config(&f, top, "allow = [\"77\"]; admins = [\"77\"]; rate_private = 0;");
	free(top);
}

static void say(const char *text, size_t i, const char *want)
{
	flow_say(&f, "77", "77", text, "private");
	flow_expect(&f, "77", i, want);
}

/* Requests of the method, none of which was refused; *thoughts: those that gave a thought, known by mark,
 * back. */
static size_t count_requests(const char *method, const char *mark, size_t *thoughts)
{
	struct json_object *o = flow_get(&f, "/control/model"), *requests = json_get_array(o, "requests");
	size_t n = 0;

	*thoughts = 0;
	for (size_t i = 0; i < json_object_array_length(requests); i++) {
		struct json_object *r = json_object_array_get_idx(requests, i);
		if (strcmp(json_get_str(r, "method"), method) != 0)
			continue;
		if (strcmp(json_get_str(r, "verdict"), "ok") != 0)
			fail_msg("refused: %s", json_object_to_json_string(r));
		n++;
		*thoughts += strstr(json_object_to_json_string(json_get(r, "body")), mark) != NULL;
	}
	json_object_put(o);
	return n;
}

static void converse(const char *provider, const char *mark)
{
	size_t thoughts;

	write_config(provider, provider);
	flow_gateway(&f, true);
	say("write one to one.txt", 0, "one.txt");
	say("write two to two.txt", 1, "two.txt");
	say("read one.txt and two.txt", 2, "two");
	say("read three.txt, one.txt and two.txt", 3, "three.txt\n");
	assert_true(count_requests(provider, mark, &thoughts) >= 8);
	assert_true(thoughts >= 3);
	/* After a crash the history still holds what was thought, byte for byte. */
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	say("read two.txt and one.txt", 4, "one");
	size_t before = thoughts;
	count_requests(provider, mark, &thoughts);
	assert_true(thoughts > before);
}

static void calls_and_thoughts_go_round_in_the_messages_format(void **state)
{
	(void)state;
	converse("messages", SIGNED);
}

static void calls_and_reasoning_go_round_in_the_responses_format(void **state)
{
	(void)state;
	converse("responses", SEALED);
}

static void a_conversation_goes_on_with_a_provider_of_another_format(void **state)
{
	size_t thoughts;

	(void)state;
	write_config("chat", "messages");
	flow_gateway(&f, true);
	say("write one to one.txt", 0, "one.txt");
	say("read one.txt and two.txt", 1, "one");
	/* A refused key: that one cools down for an hour. */
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"chat.completions\",\"count\":1,\"kind\":\"status\","
	    "\"status\":401}"));
	say("read two.txt and one.txt", 2, "one");
	assert_true(count_requests("messages", SIGNED, &thoughts) >= 2);
	say("read one.txt, two.txt and one.txt", 3, "two.txt\n");
	count_requests("messages", SIGNED, &thoughts);
	assert_true(thoughts >= 1);
	/* And back, which a restart may do as well. */
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_gateway(&f, true);
	say("read one.txt and two.txt", 4, "one.txt\n");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	write_config("responses", "chat");
	flow_gateway(&f, true);
	say("read two.txt and one.txt", 5, "one.txt\n");
	assert_true(count_requests("responses", SIGNED, &thoughts) >= 2);
	assert_int_equal(thoughts, 0);
	assert_true(count_requests("chat.completions", SIGNED, &thoughts) >= 4);
	assert_int_equal(thoughts, 0);
}

/* Each refuses what the real one refuses in a history that another model made. */
static void a_conversation_goes_on_with_whoever_speaks_the_chat_format(void **state)
{
	static const struct {
		const char *provider, *say, *want;
	} table[] = {
	    {"mistral", "read one.txt and two.txt", "one"},
	    {"gemini", "what is 6*7", "42"},
	    {"deepseek", "read two.txt and one.txt", "one"},
	};
	size_t thoughts;

	(void)state;
	write_config("messages", "messages");
	flow_gateway(&f, true);
	say("write one to one.txt", 0, "one.txt");
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *choose = xasprintf("/model %s", table[i].provider);
		say(choose, 2 * i + 1, table[i].provider);
		say(table[i].say, 2 * i + 2, table[i].want);
		free(choose);
	}
	assert_true(count_requests("chat.completions", SIGNED, &thoughts) >= 5);
	assert_true(count_requests("messages", SIGNED, &thoughts) >= 2);
}

/* When the first request of the method came; -1: none did. */
static int64_t first_request(const char *method)
{
	struct json_object *o = flow_get(&f, "/control/model"), *requests = json_get_array(o, "requests");
	int64_t at = -1;

	for (size_t i = 0; at < 0 && i < json_object_array_length(requests); i++) {
		struct json_object *r = json_object_array_get_idx(requests, i);
		if (strcmp(json_get_str(r, "method"), method) == 0)
			at = json_get_int(r, "time_ms", -1);
	}
	json_object_put(o);
	return at;
}

static void another_provider_answers_soon_when_the_first_does_not(void **state)
{
	(void)state;
	write_config("chat", "messages");
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"chat.completions\",\"count\":20,\"kind\":\"status\","
	    "\"status\":503}"));
	say("what is 6*7", 0, "42");
	int64_t first = first_request("chat.completions"), second = first_request("messages");
	assert_true(first >= 0 && second >= first);
	/* Within 3 s on its own clock, as the tests of the policy show; here the machine may be busy. */
	assert_true(second - first < 15000);
	/* The one that failed cools down for now. */
	say("what is 3*3", 1, "9");
	assert_int_equal(first_request("responses"), -1);
	assert_true(flow_model_requests(&f) <= 4);
}

static void assert_told(const char *command, const char *option, const char *words)
{
	char *out;

	flow_myna(&f, &out, command, option, NULL);
	if (!strstr(out, words))
		fail_msg("myna %s does not say \"%s\": %s", command, words, out);
	free(out);
}

static void a_small_context_of_a_local_server_is_told_everywhere(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "settings", "{\"model\":{\"context_tokens\":15000}}"));
	write_config("local", "local");
	flow_gateway(&f, true);
	say("what is 6*7", 0, "42");
	assert_told("doctor", NULL, "It reads only 15000 tokens, and silently drops");
	assert_told("check", "--probe",
	    "model local (scripted): ok, reads 15000 tokens. WARNING: It reads only 15000 tokens");
	/* It is known now, and in the log. */
	say("what is 3*3", 1, "9");
	char *log = flow_log(&f);
	assert_non_null(strstr(log, "warn llm: local: It reads only 15000 tokens"));
	free(log);
}

#define TEST(name) FLOW_TEST(name, flow_begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(calls_and_thoughts_go_round_in_the_messages_format),
	    TEST(calls_and_reasoning_go_round_in_the_responses_format),
	    TEST(a_conversation_goes_on_with_a_provider_of_another_format),
	    TEST(a_conversation_goes_on_with_whoever_speaks_the_chat_format),
	    TEST(another_provider_answers_soon_when_the_first_does_not),
	    TEST(a_small_context_of_a_local_server_is_told_everywhere),
	};

	return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
