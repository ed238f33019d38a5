/* Which calls need a yes, what is shown of them, and what the yes is bound to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/canonical_json.h"
#include "tools/tools_internal.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;
static unsigned runs;
static const char *folder; /* what the tool with facts stands in */

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	(void)t, (void)call, (void)args;
	runs++;
	return json_object_new_object();
}

static bool confirm(const struct tool_call *call, struct json_object *args, struct json_object *facts)
{
	(void)call;
	json_set_str(facts, "folder", folder);
	return json_get_bool(args, "risky", false);
}

static const char *const aliases[] = {"do_it", NULL};
static const struct tool careful = {.name = "careful",
    .summary = "Returns: {}",
    .run = run,
    .confirm = confirm,
    .schema =
	"{\"type\":\"object\",\"properties\":{\"risky\":{\"type\":\"boolean\",\"description\":\"d\"}}}"};
static const struct tool plain = {.name = "plain",
    .aliases = aliases,
    .summary = "Returns: {}",
    .run = run,
    .schema =
	"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":9,\"description\":"
	"\"d\"},\"s\":{\"type\":\"string\",\"description\":\"d\"}},\"required\":[\"n\"]}"};
static const struct tool *const table[] = {&careful, &plain, NULL};

static int begin(void **state)
{
	(void)state;
	runs = 0;
	folder = "/a";
	tools_fixture_init(&w);
	return 0;
}

static int end(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	return 0;
}

static bool is_asked(const char *name, const char *arguments, struct approval *a)
{
	return tools_approval(NULL, &w.call, name, arguments, a);
}

static bool is_asked_about(const char *name, const char *arguments)
{
	struct approval a;
	bool needed = is_asked(name, arguments, &a);

	approval_clear(&a);
	return needed;
}

static void names_patterns_and_aliases_are_asked_about(void **state)
{
	static const struct {
		const char *ask;
		bool plain, careful;
	} cases[] = {
	    {"", false, false},
	    {"\"plain\"", true, false},
	    {"\"pla*\"", true, false},
	    {"\"do_it\"", true, false},
	    {"\"*\"", true, true},
	    {"\"mcp__*\", \"c?reful\"", false, true},
	    {"\"Plain\"", false, false},
	    {"\"plain \"", false, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *more = xasprintf("approvals: { ask = [%s]; };", cases[i].ask);
		tools_fixture_open(&w, more, "", table);
		assert_int_equal(is_asked_about("plain", "{\"n\":1}"), cases[i].plain);
		assert_int_equal(is_asked_about("do_it", "{\"n\":1}"), cases[i].plain);
		assert_int_equal(is_asked_about("careful", "{}"), cases[i].careful);
		tools_fixture_clear(&w);
		tools_fixture_init(&w);
		free(more);
	}
	tools_fixture_open(&w, "", "", table);
}

static void without_its_yes_nothing_runs(void **state)
{
	struct approval a, other;

	(void)state;
	tools_fixture_open(&w, "approvals: { ask = [\"plain\"]; };", "", table);
	tools_fixture_refused(&w, "plain", "{\"n\":1}", "NEEDS_CONFIRMATION", NULL);
	assert_true(is_asked("plain", "{\"n\":1,\"s\":\"x\"}", &a));
	assert_true(is_asked("plain", "{\"s\":\"x\",\"n\":2}", &other));
	assert_string_not_equal(a.hash, other.hash);
	w.call.approved = a.hash;
	tools_fixture_refused(&w, "plain", "{\"n\":2,\"s\":\"x\"}", "BLOCKED", "CHANGED");
	tools_fixture_refused(&w, "plain", "{\"n\":1}", "BLOCKED", "CHANGED");
	tools_fixture_refused(&w, "plain", "{\"n\":1,\"s\":\"x \"}", "BLOCKED", "CHANGED");
	assert_int_equal(runs, 0);
	/* The same thing, written otherwise. */
	json_object_put(tools_fixture_run(&w, "do_it", "{ \"s\": \"\\u0078\", \"n\": \"1\" }"));
	assert_int_equal(runs, 1);
	approval_clear(&a);
	approval_clear(&other);
}

static void a_call_that_is_refused_anyway_is_not_asked_about(void **state)
{
	(void)state;
	tools_fixture_open(&w, "approvals: { ask = [\"*\"]; };", "", table);
	assert_false(is_asked_about("plain", "{}"));
	assert_false(is_asked_about("plain", "{\"n\":"));
	assert_false(is_asked_about("nothing", "{}"));
	tools_fixture_refused(&w, "plain", "{}", "INVALID_ARGUMENT", "MISSING");
}

static void what_is_shown_is_what_the_tool_gets(void **state)
{
	struct approval a;

	(void)state;
	tools_fixture_open(&w, "approvals: { ask = [\"plain\"]; };", "", table);
	assert_true(is_asked("do_it", "{\"n\":77,\"s\":\"a\"}", &a));
	char *want =
	    xasprintf("{\n  \"arguments\": {\n    \"n\": 9,\n    \"s\": \"a\"\n  },\n  \"tool\": \"plain\",\n"
		      "  \"workspace\": \"%s/ws\"\n}",
		w.dir);
	assert_string_equal(a.action, want);
	free(want);
	approval_clear(&a);
}

static void a_tool_can_ask_by_itself_and_bind_facts(void **state)
{
	struct approval a;

	(void)state;
	tools_fixture_open(&w, "", "", table);
	assert_false(is_asked_about("careful", "{\"risky\":false}"));
	assert_true(is_asked("careful", "{\"risky\":true}", &a));
	assert_non_null(strstr(a.action, "\"facts\": {\n    \"folder\": \"/a\"\n  }"));
	w.call.approved = a.hash;
	folder = "/b";
	tools_fixture_refused(&w, "careful", "{\"risky\":true}", "BLOCKED", "CHANGED");
	folder = "/a";
	json_object_put(tools_fixture_run(&w, "careful", "{\"risky\":true}"));
	assert_int_equal(runs, 1);
	approval_clear(&a);
}

static void the_operator_at_the_terminal_has_said_yes_but_not_for_the_tool(void **state)
{
	(void)state;
	tools_fixture_open(&w, "approvals: { ask = [\"*\"]; };", "", table);
	w.call.operator= true;
	json_object_put(tools_fixture_run(&w, "plain", "{\"n\":1}"));
	assert_int_equal(runs, 1);
	tools_fixture_refused(&w, "careful", "{\"risky\":true}", "NEEDS_CONFIRMATION", NULL);
}

static void what_cannot_be_seen_is_shown_as_escapes(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
	    {"plain \xc3\xa9\xe4\xb8\xad @all <!here> *b*",
		"\"plain \xc3\xa9\xe4\xb8\xad @all <!here> *b*\""},
	    {"a\nb\tc\x01\x1b\x7f", "\"a\\nb\\tc\\u0001\\u001b\\u007f\""},
	    {"\"\\", "\"\\\"\\\\\""},
	    {"```\n@x", "\"\\u0060\\u0060\\u0060\\n@x\""},
	    {"\xe2\x80\xae"
	     "cod.exe",
		"\"\\u202ecod.exe\""},
	    {"a\xe2\x80\x8b"
	     "b\xe2\x81\xa6"
	     "c\xef\xbb\xbf",
		"\"a\\u200bb\\u2066c\\ufeff\""},
	    {"a\xc2\xa0"
	     "b\xe3\x80\x80"
	     "c\xc2\xad\xe3\x85\xa4",
		"\"a\\u00a0b\\u3000c\\u00ad\\u3164\""},
	    {"\xf3\xa0\x81\x81", "\"\\udb40\\udc41\""},
	    {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
	};

	(void)state;
	tools_fixture_open(&w, "", "", table);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_object *o = json_object_new_string(cases[i].text), *back;
		struct buf out = BUF_INIT;
		struct error err = {0};
		canonical_json_write(&out, o);
		assert_string_equal(out.data, cases[i].shown);
		char *whole = xasprintf("{\"s\":%s}", out.data);
		back = json_parse_object(whole, strlen(whole), &err);
		assert_string_equal(json_get_str(back, "s"), cases[i].text);
		json_object_put(back);
		json_object_put(o);
		free(whole);
		buf_clear(&out);
	}
}

static void members_are_sorted_and_kinds_kept(void **state)
{
	static const char text[] =
	    "{\"b\":[1,\"1\",null,true,[]],\"a\":{\"z\":1.50,\"B\":{}},\"\\u202e\":-1}";
	struct error err = {0};
	struct buf out = BUF_INIT;

	(void)state;
	tools_fixture_open(&w, "", "", table);
	struct json_object *o = json_parse_object(text, strlen(text), &err);
	canonical_json_write(&out, o);
	assert_string_equal(out.data,
	    "{\n  \"a\": {\n    \"B\": {},\n    \"z\": 1.50\n  },\n  \"b\": [\n    1,\n    \"1\",\n    "
	    "null,\n"
	    "    true,\n    []\n  ],\n  \"\\u202e\": -1\n}");
	json_object_put(o);
	buf_clear(&out);
}

static void mistakes_in_the_settings_are_errors(void **state)
{
	static const struct {
		const char *settings, *says;
	} cases[] = {
	    {"chat = \"nowhere\";", "nowhere"},
	    {"chat = \"two\";", "is 2 addresses"},
	    {"chat = \"gone:5\";", "\"gone\", which is not configured"},
	    {"approvers = [\"77\"];", "is no person: write CHANNEL:ID"},
	    {"approvers = [\"gone:77\"];", "the channel \"gone\""},
	    {"timeout = \"1 s\";", "timeout"},
	    {"asks = [\"x\"];", "ask"},
	};
	struct error err = {0};

	(void)state;
	tools_fixture_open(&w, "", "", table);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = xasprintf("channels: { chat: { }; }; targets: { two = [\"chat:1\", \"chat:2\"]; "
				       "};\napprovals: { %s };",
		    cases[i].settings);
		struct config *cfg = config_parse("x.conf", text, &err);
		struct approval_settings s = {0};
		struct targets targets = {0};
		struct buf report = BUF_INIT;
		targets_read(&targets, cfg);
		approval_read(&s, cfg, &targets);
		config_errors(cfg, &report);
		assert_holds(report.data, cases[i].says);
		assert_holds(report.data, "x.conf:2: ");
		buf_clear(&report);
		approval_settings_clear(&s);
		targets_clear(&targets);
		config_free(cfg);
		free(text);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(names_patterns_and_aliases_are_asked_about),
	    TEST(without_its_yes_nothing_runs),
	    TEST(a_call_that_is_refused_anyway_is_not_asked_about),
	    TEST(what_is_shown_is_what_the_tool_gets),
	    TEST(a_tool_can_ask_by_itself_and_bind_facts),
	    TEST(the_operator_at_the_terminal_has_said_yes_but_not_for_the_tool),
	    TEST(what_cannot_be_seen_is_shown_as_escapes),
	    TEST(members_are_sorted_and_kinds_kept),
	    TEST(mistakes_in_the_settings_are_errors),
	};

	return cmocka_run_group_tests_name("approval", tests, NULL, NULL);
}
