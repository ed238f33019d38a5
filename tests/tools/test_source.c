#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/llm.h"
#include "tools/source.h"
#include "tools/tools_fixture.h"

#define NOTHING "{\"type\":\"object\",\"properties\":{}}"

static struct tools_fixture w;
static unsigned freed;

static void free_context(void *context)
{
	freed++;
	free(context);
}

/* Answers with what its context says. */
static struct json_object *tell(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o = json_object_new_object();

	(void)t;
	json_set_str(o, "context", call->tool->context);
	json_set(o, "args", json_object_get(args));
	return o;
}

static struct json_object *wait_a_moment(
    struct task *t, const struct tool_call *call, struct json_object *args)
{
	for (int i = 0; i < 5; i++)
		task_yield(t, NULL);
	return tell(t, call, args);
}

/* A definition whose context is its name and number. */
static struct tool_definition define(const char *name, const char *schema, int number)
{
	return (struct tool_definition){.name = name,
	    .summary = "Tells. Returns: {context, args}",
	    .schema = json_parse(schema, strlen(schema), NULL),
	    .run = tell,
	    .context = xasprintf("%s %d", name, number),
	    .free_context = free_context};
}

static struct tool_source *source_of(const char *source, const char *name, int number)
{
	struct tool_source *s = tool_source_new(w.tools, source);
	struct tool_definition d = define(name, NOTHING, number);

	tool_source_replace(s, &d, 1);
	return s;
}

static int set_up(void **state)
{
	*state = &w;
	freed = 0;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "", NULL);
	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	return 0;
}

/* "source name: reason" of everything that is not offered, a line each. */
static char *absent_text(const struct tools *ts)
{
	size_t count;
	struct tool_absent *absent = tools_absent(ts, NULL, &count);
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < count; i++)
		buf_addf(&text, "%s %.70s: %s\n", absent[i].source, absent[i].name ? absent[i].name : "-",
		    absent[i].reason);
	free(absent);
	return buf_take(&text);
}

static void assert_absent(const char *want)
{
	char *text = absent_text(w.tools);

	assert_string_equal(text, want);
	free(text);
}

static bool is_offered(const struct tools *ts, const char *name)
{
	struct tool_call call = w.call;
	size_t count;
	bool found = false;

	call.tools = ts;
	struct llm_tool *offer = tools_offer(ts, &call, &count);
	for (size_t i = 0; i < count; i++) {
		found = found || strcmp(offer[i].name, name) == 0;
		assert_true(i == 0 || strcmp(offer[i - 1].name, offer[i].name) < 0);
	}
	free(offer);
	return found;
}

static void expect_context(const char *name, const char *want)
{
	struct json_object *o = tools_fixture_run(&w, name, "{}");

	assert_str(o, "context", want);
	json_object_put(o);
}

static void a_tool_of_a_source_is_offered_in_its_place_and_run_with_its_context(void **state)
{
	struct tool_source *s = source_of("external", "hash_it", 1);

	(void)state;
	assert_true(is_offered(w.tools, "hash_it"));
	expect_context("hash_it", "hash_it 1");
	expect_context("hash-it", "hash_it 1");
	tools_fixture_refused(&w, "hash_it", "{\"x\":1}", "INVALID_ARGUMENT", "UNKNOWN");
	assert_string_equal(tools_find(w.tools, "hash_it")->origin, "external");
	assert_null(tools_find(w.tools, "read_file")->origin);
	tool_source_free(s);
	assert_int_equal(freed, 1);
	assert_false(is_offered(w.tools, "hash_it"));
	tools_fixture_refused(&w, "hash_it", "{}", "TOOL_NOT_FOUND", NULL);
}

static void names_and_aliases_of_built_in_tools_cannot_be_taken(void **state)
{
	static const char *const taken[] = {
	    "read_file", "read-file", "file_read", "file-read", "edit", "list_files"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(taken); i++) {
		struct tool_source *s = source_of("mcp:bad", taken[i], 1);
		char *want = xasprintf("mcp:bad %s: The name is taken by a built-in tool.\n", taken[i]);
		assert_absent(want);
		assert_null(tools_find(w.tools, taken[i])->origin);
		free(want);
		tool_source_free(s);
	}
}

static void the_first_source_keeps_a_name_until_it_gives_it_up(void **state)
{
	struct tool_source *first = source_of("mcp:a", "look_up", 1),
			   *second = source_of("mcp:b", "look-up", 2);

	(void)state;
	assert_absent("mcp:b look-up: The name is taken by mcp:a.\n");
	expect_context("look-up", "look_up 1");
	tool_source_replace(first, NULL, 0);
	assert_absent("");
	expect_context("look_up", "look-up 2");
	struct tool_definition again = define("look_up", NOTHING, 3);
	tool_source_replace(first, &again, 1);
	expect_context("look_up", "look_up 3");
	tool_source_free(first);
	expect_context("look-up", "look-up 2");
	tool_source_free(second);
	assert_int_equal(freed, 3);
}

static void a_newer_definition_of_the_same_source_replaces_the_older(void **state)
{
	struct tool_source *s = source_of("external", "x", 1);
	struct tool_definition d = define("x", NOTHING, 2);

	(void)state;
	tool_source_replace(s, &d, 1);
	expect_context("x", "x 2");
	assert_int_equal(freed, 1);
	tool_source_free(s);
}

static void what_cannot_be_offered_is_quarantined_alone(void **state)
{
	struct tool_source *s = tool_source_new(w.tools, "external");
	struct tool_definition list[] = {
	    define("a b", NOTHING, 1),
	    define("", NOTHING, 1),
	    define("good", NOTHING, 1),
	    define("array", "{\"type\":\"array\"}", 1),
	    define("mute", NOTHING, 1),
	    define("none", NOTHING, 1),
	    define("refused", NOTHING, 1),
	    define("twin", NOTHING, 1),
	    define("twin", NOTHING, 2),
	    define("untyped", "{\"type\":\"object\",\"properties\":{\"x\":{}}}", 1),
	    define("wants", "{\"type\":\"object\",\"required\":[\"y\"]}", 1),
	    define("0123456789012345678901234567890123456789012345678901234567890123x", NOTHING, 1),
	};

	(void)state;
	list[4].summary = "";
	json_object_put(list[5].schema);
	list[5].schema = NULL;
	list[6].refusal = "It is writable by others.";
	tool_source_replace(s, list, ARRAY_LEN(list));
	tool_source_problem(s, "The folder is not ours.");
	assert_absent("external -: The folder is not ours.\n"
		      "external : A name has 1 to 64 letters, digits, _ or -.\n"
		      "external 0123456789012345678901234567890123456789012345678901234567890123x: A name "
		      "has 1 to 64 letters, digits, _ or -.\n"
		      "external a b: A name has 1 to 64 letters, digits, _ or -.\n"
		      "external array: The schema's root is not of type object.\n"
		      "external mute: It has no description.\n"
		      "external none: It has no schema of its parameters.\n"
		      "external refused: It is writable by others.\n"
		      "external twin: The same source has another tool of this name.\n"
		      "external untyped: The parameter 'x' has no type that is known.\n"
		      "external wants: What the schema requires is not a list of its properties' names.\n");
	assert_true(is_offered(w.tools, "good"));
	assert_true(is_offered(w.tools, "twin"));
	assert_false(is_offered(w.tools, "refused"));
	assert_null(tools_find(w.tools, "array"));
	tool_source_problem(s, NULL);
	tool_source_free(s);
	assert_absent("");
	assert_int_equal(freed, ARRAY_LEN(list));
}

static void one_tool_of_several_with_its_name_is_offered(void **state)
{
	struct tool_source *s = tool_source_new(w.tools, "mcp:a");
	struct tool_definition list[] = {define("twin", NOTHING, 1), define("twin", NOTHING, 2),
	    define("twin", NOTHING, 3), define("twin", NOTHING, 4), define("x", NOTHING, 1)};
	size_t count, offered = 0;

	(void)state;
	list[1].refusal = "It is writable by others.";
	tool_source_replace(s, list, ARRAY_LEN(list));
	struct llm_tool *offer = tools_offer(w.tools, &w.call, &count);
	for (size_t i = 0; i < count; i++)
		offered += strcmp(offer[i].name, "twin") == 0;
	assert_int_equal(offered, 1);
	free(offer);
	free(tools_absent(w.tools, NULL, &count));
	assert_int_equal(count, 3);
	assert_true(is_offered(w.tools, "x"));
	tool_source_free(s);
}

static void a_turn_keeps_its_offer_and_is_told_of_a_tool_that_is_gone(void **state)
{
	struct tool_source *s = tool_source_new(w.tools, "external");
	struct tool_definition first[] = {define("goes", NOTHING, 1), define("stays", NOTHING, 1)};

	(void)state;
	tool_source_replace(s, first, 2);
	struct tools *view = tools_pin(w.tools);
	struct tool_definition second[] = {define("comes", NOTHING, 2), define("stays", NOTHING, 2)};
	tool_source_replace(s, second, 2);
	assert_true(is_offered(view, "goes") && is_offered(view, "stays") && !is_offered(view, "comes"));
	assert_true(
	    !is_offered(w.tools, "goes") && is_offered(w.tools, "stays") && is_offered(w.tools, "comes"));
	w.call.tools = view;
	expect_context("stays", "stays 1");
	tools_fixture_refused(&w, "goes", "{}", "TOOL_NOT_FOUND", NULL);
	char *text = tools_fixture_error(&w, "goes", "{}");
	assert_null(strstr(text, "nearest are: goes"));
	free(text);
	tools_fixture_refused(&w, "comes", "{}", "TOOL_NOT_FOUND", NULL);
	w.call.tools = w.tools;
	expect_context("stays", "stays 2");
	assert_int_equal(freed, 0);
	tools_unpin(view);
	assert_int_equal(freed, 2);
	tool_source_free(s);
	assert_int_equal(freed, 4);
}

static void replace_meanwhile(struct task *t, void *arg)
{
	task_yield(t, NULL);
	task_yield(t, NULL);
	tool_source_free(arg);
	assert_int_equal(freed, 0);
}

static void a_call_that_runs_keeps_its_row(void **state)
{
	struct tool_source *s = tool_source_new(w.tools, "external");
	struct tool_definition d = define("slow", NOTHING, 1);
	struct json_object *o;

	(void)state;
	d.run = wait_a_moment;
	tool_source_replace(s, &d, 1);
	task_start(NULL, "replace", replace_meanwhile, s);
	o = tools_fixture_run(&w, "slow", "{}");
	assert_str(o, "context", "slow 1");
	json_object_put(o);
	assert_int_equal(freed, 1);
}

static void what_a_reload_puts_in_place_shows_the_same_sources(void **state)
{
	struct tool_source *s = source_of("mcp:a", "x", 1);
	struct tools *next = tools_new(w.cfg, &w.targets), *had = w.tools;

	(void)state;
	assert_false(is_offered(next, "x"));
	tools_share(next, had);
	assert_true(is_offered(next, "x"));
	struct tool_definition d = define("y", NOTHING, 2);
	tool_source_replace(s, &d, 1);
	assert_true(is_offered(next, "y") && is_offered(had, "y") && !is_offered(next, "x"));
	w.tools = next;
	tools_free(had);
	d = define("z", NOTHING, 3);
	tool_source_replace(s, &d, 1);
	assert_true(is_offered(next, "z"));
	tool_source_free(s);
	assert_false(is_offered(next, "z"));
}

static const struct {
	const char *arguments, *want, *code, *cause;
} foreign[] = {
    {"{\"n\":\"3\",\"more\":{\"a\":[1]}}", "{\"n\":3,\"more\":{\"a\":[1]}}", NULL, NULL},
    {"{\"n\":1,\"either\":[1,\"x\"],\"any\":null,\"yes\":5}",
	"{\"n\":1,\"either\":[1,\"x\"],\"any\":null,\"yes\":5}", NULL, NULL},
    {"{}", NULL, "INVALID_ARGUMENT", "MISSING"},
    {"{\"n\":\"x\"}", NULL, "INVALID_ARGUMENT", "TYPE"},
};

static void a_foreign_schema_is_checked_as_far_as_it_is_understood(void **state)
{
	struct tool_source *s = tool_source_new(w.tools, "mcp:a");
	struct tool_definition d[] = {
	    define("open",
		"{\"type\":\"object\",\"required\":[\"n\"],\"properties\":{\"n\":{\"type\":\"integer\"},"
		"\"either\":{\"anyOf\":[{\"type\":\"array\"}]},\"any\":{\"type\":[\"string\",\"null\"]},"
		"\"yes\":true}}",
		1),
	    define("shut",
		"{\"type\":\"object\",\"required\":[\"n\"],\"properties\":{\"n\":{}},"
		"\"additionalProperties\":false}",
		1),
	    define("wrong", "{\"type\":\"object\",\"required\":\"n\"}", 1),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(d); i++)
		d[i].flags = TOOL_UNTRUSTED_SCHEMA;
	tool_source_replace(s, d, ARRAY_LEN(d));
	assert_absent("mcp:a wrong: What the schema requires is not a list of its properties' names.\n");
	for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
		struct json_object *o = tools_fixture_run(&w, "open", foreign[i].arguments);
		if (foreign[i].code)
			assert_failure(o, foreign[i].code, foreign[i].cause);
		else
			assert_json(json_get_object(o, "args"), foreign[i].want);
		json_object_put(o);
	}
	tools_fixture_refused(&w, "shut", "{\"n\":[],\"m\":1}", "INVALID_ARGUMENT", "UNKNOWN");
	tools_fixture_refused(&w, "shut", "{}", "INVALID_ARGUMENT", "MISSING");
	tool_source_free(s);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_tool_of_a_source_is_offered_in_its_place_and_run_with_its_context),
	    CASE(names_and_aliases_of_built_in_tools_cannot_be_taken),
	    CASE(the_first_source_keeps_a_name_until_it_gives_it_up),
	    CASE(a_newer_definition_of_the_same_source_replaces_the_older),
	    CASE(what_cannot_be_offered_is_quarantined_alone),
	    CASE(one_tool_of_several_with_its_name_is_offered),
	    CASE(a_turn_keeps_its_offer_and_is_told_of_a_tool_that_is_gone),
	    CASE(a_call_that_runs_keeps_its_row),
	    CASE(what_a_reload_puts_in_place_shows_the_same_sources),
	    CASE(a_foreign_schema_is_checked_as_far_as_it_is_understood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
