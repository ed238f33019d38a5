/*
 * What the model is told, as it arrives there: files, instructions and skills; and that a request is the one
 * before it and something more, byte for byte, in each wire format, so that a provider's prompt cache holds:
 * over turns, over a restart, and when tools come and go.
 */
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

static const char script[] =
    "{\"else\": {\"steps\": [{\"obey\": true, \"text\": \"did {{steps}}: {{result}}\"}]}}";

static struct flow f;
static size_t answers;

static void write_config(const char *provider, const char *tools)
{
	char *top = xasprintf(
	    "tools: { %s };\n"
	    "prompt: { instructions = \"Use metric units.\"; skills = \"%s/taught\"; };\n"
	    "chats: { ann: { chat = \"telegram:78\"; instructions = \"Mention no birds.\"; }; };\n"
	    "llm: { default = \"%s\"; providers: {\n"
	    "  chat: { api = \"openai-chat\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted\"; };\n"
	    "  responses: { api = \"openai-responses\"; base_url = \"%s/v1\"; key = \"a-key-for-tests\"; "
	    "model = \"scripted\"; };\n"
	    "  messages: { api = \"anthropic\"; base_url = \"%s\"; key = \"a-key-for-tests\"; model = "
	    "\"scripted\"; };\n"
	    "}; };",
	    tools, f.dir, provider, f.url, f.url, f.url);

	flow_config(&f, top, "previews = false; allow = [\"77\"]; admins = [\"78\"];");
	free(top);
}

static int begin(void **state)
{
	(void)state;
	answers = 0;
	flow_start_script(&f, script);
	flow_put(&f, "state/workspace/AGENTS.md", "Be exact.\n");
	flow_put(&f, "state/workspace/SOUL.md", "You like birds.\n");
	flow_put(&f, "state/workspace/MEMORY.md", "The server is called heron.\n");
	flow_put(&f, "state/workspace/USER.md", "Bea lives in Graz.\n");
	flow_put(&f, "taught/greet/SKILL.md",
	    "---\nname: greet\ndescription: How to greet.\n---\nSay AHOY to everybody.\n");
	flow_put(&f, "taught/broken/SKILL.md", "no head\n");
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	return 0;
}

/* Ann, an admin, in her private chat; the answer is the caller's. */
static char *say(const char *text)
{
	flow_say(&f, "78", "78", text, "private");
	flow_await(&f, "78", ++answers);
	return flow_bot_text(&f, "78", answers - 1);
}

static void expect(const char *text, const char *want)
{
	char *got = say(text);

	if (!got || !strstr(got, want))
		fail_msg("\"%s\" is answered \"%s\", which lacks \"%s\"", text, got ? got : "", want);
	free(got);
}

/* --- requests as the model got them */

static struct json_object *bodies(const char *method)
{
	struct json_object *o = flow_get(&f, "/control/model"), *requests = json_get_array(o, "requests");
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < json_object_array_length(requests); i++) {
		struct json_object *r = json_object_array_get_idx(requests, i);
		if (strcmp(json_get_str(r, "method"), method) != 0)
			continue;
		if (strcmp(json_get_str(r, "verdict"), "ok") != 0)
			fail_msg("refused: %s", json_object_to_json_string(r));
		json_object_array_add(list, json_object_get(json_get(r, "body")));
	}
	json_object_put(o);
	return list;
}

/* Markers move: what is cached is what stands before them. */
static void drop_markers(struct json_object *o)
{
	if (json_object_is_type(o, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(o); i++)
			drop_markers(json_object_array_get_idx(o, i));
	} else if (json_object_is_type(o, json_type_object)) {
		json_object_object_del(o, "cache_control");
		json_object_object_foreach(o, name, inner) {
			(void)name;
			drop_markers(inner);
		}
	}
}

static size_t count_markers(struct json_object *o)
{
	const char *text = json_object_to_json_string(o);
	size_t n = 0;

	for (; (text = strstr(text, "cache_control")); text++)
		n++;
	return n;
}

static const char *text_of(struct json_object *o)
{
	return o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : "";
}

static void assert_same(struct json_object *before, struct json_object *after, const char *member)
{
	if (strcmp(text_of(json_get(before, member)), text_of(json_get(after, member))) != 0)
		fail_msg("%s was\n%s\nand is\n%s", member, text_of(json_get(before, member)),
		    text_of(json_get(after, member)));
}

/* All of the conversation before it stands in the next one, and then something more. */
static void assert_goes_on(struct json_object *before, struct json_object *after, const char *member)
{
	struct json_object *had = json_get_array(before, member), *has = json_get_array(after, member);
	size_t count = json_object_array_length(had);

	assert_true(json_object_array_length(has) > count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(
		    text_of(json_object_array_get_idx(has, i)), text_of(json_object_array_get_idx(had, i)));
}

static const struct format {
	const char *provider, *method, *said, *system; /* system NULL: it stands in said */
} formats[] = {
    {"chat", "chat.completions", "messages", NULL},
    {"responses", "responses", "input", "instructions"},
    {"messages", "messages", "messages", "system"},
};

static void converse(const struct format *format)
{
	/* Without those that are withdrawn when it is found that the sandbox does not work. */
	static const char usual[] = "policy = ( { deny = [\"exec_shell\", \"spawn\"]; } );";

	write_config(format->provider, usual);
	flow_gateway(&f, true);
	expect("hello", "did 0");
	expect("CALL skill {\"name\":\"greet\"}", "did 1");
	/* Of two tools fewer nothing but the list of tools is another. */
	write_config(
	    format->provider, "policy = ( { deny = [\"exec_shell\", \"spawn\", \"glob\", \"grep\"]; } );");
	assert_int_equal(flow_myna(&f, NULL, "reload", NULL), 0);
	expect("again", "did 0");
	write_config(format->provider, usual);
	assert_int_equal(flow_myna(&f, NULL, "reload", NULL), 0);
	expect("and again", "did 0");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_gateway(&f, true);
	expect("and at last", "did 0");
}

static void each_request_goes_on_the_one_before(void **state)
{
	const struct format *format = *state;

	converse(format);
	struct json_object *all = bodies(format->method), *first = json_object_array_get_idx(all, 0);
	size_t count = json_object_array_length(all), other = 0;
	assert_true(count >= 6);
	for (size_t i = 0; i < count; i++) {
		assert_true(count_markers(json_object_array_get_idx(all, i)) <= 4);
		drop_markers(json_object_array_get_idx(all, i));
	}
	for (size_t i = 1; i < count; i++) {
		struct json_object *before = json_object_array_get_idx(all, i - 1),
				   *after = json_object_array_get_idx(all, i);
		assert_goes_on(before, after, format->said);
		if (format->system)
			assert_same(first, after, format->system);
		other += strcmp(text_of(json_get(first, "tools")), text_of(json_get(after, "tools"))) != 0;
	}
	if (other != 1)
		fail_msg("%zu requests have other tools: %s", other, text_of(all));
	json_object_put(all);
}

static void the_model_is_told_the_files_and_follows_a_skill(void **state)
{
	char *out;

	(void)state;
	write_config("messages", "");
	flow_gateway(&f, true);
	expect("CALL skill {\"name\":\"greet\"}", "AHOY");
	expect("CALL skill {\"name\":\"broken\"}", "There is no skill");
	struct json_object *all = bodies("messages");
	const char *system = json_get_str(
	    json_object_array_get_idx(json_get_array(json_object_array_get_idx(all, 0), "system"), 0),
	    "text");
	assert_non_null(system);
	/* The command prints what was sent, and which tools went with it. */
	assert_int_equal(flow_myna(&f, &out, "prompt", "telegram:78", NULL), 0);
	if (!strstr(out, system))
		fail_msg("\"%s\" is not in:\n%s", system, out);
	assert_non_null(strstr(out, "Tools that are offered with it:"));
	static const char *const parts[] = {"Use metric units.", "Be exact.", "You like birds.",
	    "- greet: How to greet.", "The chat is on telegram. Markdown is shown", "Mention no birds.",
	    "> The server is called heron.", "> Bea lives in Graz."};
	const char *at = system;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (!(at = strstr(at, parts[i])))
			fail_msg("\"%s\" does not follow in:\n%s", parts[i], system);
	free(out);
	json_object_put(all);
	/* Somebody else hears nothing of the notes. */
	flow_say(&f, "77", "77", "hello", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(flow_myna(&f, &out, "prompt", "telegram:77", NULL), 0);
	assert_non_null(strstr(out, "Be exact."));
	assert_null(strstr(out, "heron"));
	free(out);
	flow_myna(&f, &out, "doctor", NULL);
	assert_non_null(strstr(out, "skill broken"));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "prompt", "telegram:404", NULL), 1);
	assert_non_null(strstr(out, "There is no message of this chat."));
	free(out);
}

#define FORMAT(i)                                 \
	cmocka_unit_test_prestate_setup_teardown( \
	    each_request_goes_on_the_one_before, begin, end, (void *)(uintptr_t)&formats[i])

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_model_is_told_the_files_and_follows_a_skill, begin, end),
	    FORMAT(0),
	    FORMAT(1),
	    FORMAT(2),
	};

	return cmocka_run_group_tests_name("prompt", tests, NULL, NULL);
}
