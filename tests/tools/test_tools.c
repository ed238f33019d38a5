#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "llm/llm.h"
#include "tools/tools_internal.h"
#include "tools/schema.h"
#include "tools/tools_fixture.h"

#define SECRET  "correct-horse-battery-staple"
#define NOTHING "{\"type\":\"object\",\"properties\":{}}"

static struct tools_fixture w;
static unsigned runs;

/* Tools that do one thing each. */
static struct json_object *echo(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o = json_object_new_object();

	(void)t, (void)call;
	runs++;
	json_set(o, "args", json_object_get(args));
	return o;
}

static struct json_object *sleep_an_hour(
    struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct error err = {0};
	struct json_object *o = json_object_new_object();

	(void)call, (void)args;
	runs++;
	if (task_sleep(t, 3600 * 1000, &err) < 0) {
		json_object_put(o);
		return tool_failure("sleeper", "IO_ERROR", "READ_FAILED", "It broke off: %s.", err.text);
	}
	return o;
}

/* Ends well although it was cancelled: what it did is done. */
static struct json_object *finish_all_the_same(
    struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o = json_object_new_object();

	(void)call, (void)args;
	runs++;
	task_sleep(t, 3600 * 1000, NULL);
	json_set_bool(o, "done", true);
	return o;
}

static struct json_object *say_what_was_cut(
    struct task *t, const struct tool_call *call, struct json_object *args)
{
	(void)call, (void)args;
	runs++;
	task_sleep(t, 3600 * 1000, NULL);
	return tool_failure("sayer", "INTERRUPTED", "STOPPED", "Half of it was done. Do the rest.");
}

static struct json_object *fail_with_secret(
    struct task *t, const struct tool_call *call, struct json_object *args)
{
	(void)t, (void)call, (void)args;
	return tool_failure("leaker", "IO_ERROR", "OPEN_FAILED", "Cannot open " SECRET ". Try again.");
}

static struct json_object *pour(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o = json_object_new_object();
	struct buf text = BUF_INIT;

	(void)t, (void)call, (void)args;
	while (text.len < 300000)
		buf_addstr(&text, "a line of text, and \"" SECRET "\", \x1b[1m\xff\n");
	json_set(o, "content", json_object_new_string_len(text.data, (int)text.len));
	buf_clear(&text);
	return o;
}

static const char *const echo_aliases[] = {"repeat_it", "other_name", NULL};
static const struct tool_alias echo_params[] = {{"file_path", "path"}, {NULL, NULL}};

static const struct tool admin_tool = {
    .name = "admin_tool",
    .flags = TOOL_ADMIN,
    .summary = "Returns: {args}",
    .schema = NOTHING,
    .run = echo,
};
static const struct tool asker = {
    .name = "asker",
    .flags = TOOL_ASKS,
    .summary = "Returns: {}",
    .schema = NOTHING,
    .run = sleep_an_hour,
};
static const struct tool broken = {
    .name = "broken", .summary = "Returns: {}", .schema = "{\"type\":\"array\"}", .run = echo};
static const struct tool echoer = {
    .name = "echo",
    .aliases = echo_aliases,
    .param_aliases = echo_params,
    .summary = "Returns: {args}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"path\":{\"type\":\"string\",\"description\":\"d\"},"
	      "\"n\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9,\"description\":\"d\"},\"deep\":{"
	      "\"type\":\"boolean\",\"description\":\"d\"},"
	      "\"list\":{\"type\":\"array\",\"description\":\"d\"},"
	      "\"tool\":{\"type\":\"string\",\"description\":\"d\"}}}",
    .run = echo,
};
static const struct tool finisher = {
    .name = "finisher",
    .summary = "Returns: {done}",
    .schema = NOTHING,
    .run = finish_all_the_same,
};
static const struct tool leaker = {
    .name = "leaker", .summary = "Returns: {}", .schema = NOTHING, .run = fail_with_secret};
static const struct tool other_name = {
    .name = "other_name", .summary = "Returns: {}", .schema = NOTHING, .run = pour};
static const struct tool pourer = {
    .name = "pourer", .summary = "Returns: {content}", .schema = NOTHING, .run = pour};
static const struct tool sayer = {
    .name = "sayer", .summary = "Returns: {}", .schema = NOTHING, .run = say_what_was_cut};
static const struct tool sleeper = {
    .name = "sleeper", .summary = "Returns: {}", .schema = NOTHING, .run = sleep_an_hour};
static const struct tool timed = {
    .name = "timed",
    .flags = TOOL_TIMED,
    .summary = "Returns: {}",
    .schema = NOTHING,
    .run = sleep_an_hour,
};
static const struct tool writer = {
    .name = "writer",
    .flags = TOOL_WRITES,
    .summary = "Returns: {}",
    .schema = NOTHING,
    .run = sleep_an_hour,
};
static const struct tool *const table[] = {&admin_tool, &asker, &broken, &echoer, &finisher, &leaker,
    &other_name, &pourer, &sayer, &sleeper, &timed, &writer, NULL};

static char *logged;

static void keep_line(const char *line, void *arg)
{
	(void)arg;
	free(logged);
	logged = xstrdup(line);
}

static int set_up(void **state)
{
	(void)state;
	clock_fake(1700000000000, 1);
	runs = 0;
	tools_fixture_init(&w);
	log_capture(keep_line, NULL);
	tools_fixture_open(&w, "", "arguments_limit = \"4 KiB\";", table);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	log_capture(NULL, NULL);
	free(logged);
	logged = NULL;
	tools_fixture_clear(&w);
	secret_forget_all();
	return 0;
}

static void expect_args(const char *name, const char *arguments, const char *want)
{
	struct json_object *o = tools_fixture_run(&w, name, arguments);
	char *text = json_text(json_get(o, "args"));

	assert_string_equal(text, want);
	free(text);
	json_object_put(o);
}

static void expect_sentence(const char *name, const char *arguments, const char *part)
{
	char *text = tools_fixture_error(&w, name, arguments);

	assert_holds(text, part);
	free(text);
}

static void a_name_is_taken_exactly_then_spelled_otherwise_then_as_an_alias(void **state)
{
	(void)state;
	assert_ptr_equal(tools_find(w.tools, "echo"), &echoer);
	assert_ptr_equal(tools_find(w.tools, "admin-tool"), &admin_tool);
	assert_ptr_equal(tools_find(w.tools, "repeat_it"), &echoer);
	assert_ptr_equal(tools_find(w.tools, "repeat-it"), &echoer);
	/* An alias of echo, which comes first, but the name of another. */
	assert_ptr_equal(tools_find(w.tools, "other_name"), &other_name);
	assert_ptr_equal(tools_find(w.tools, "other-name"), &other_name);
	assert_null(tools_find(w.tools, "Echo"));
	assert_null(tools_find(w.tools, "ech"));
	assert_null(tools_find(w.tools, "echoo"));
	assert_null(tools_find(w.tools, ""));
	assert_null(tools_find(w.tools, "broken"));
}

static void an_unknown_name_is_answered_with_near_ones(void **state)
{
	char long_name[200];

	(void)state;
	tools_fixture_refused(&w, "no_such_tool", "{}", "TOOL_NOT_FOUND", NULL);
	expect_sentence("slepeer", "{}", "There is no tool 'slepeer'. The nearest are: sleeper, ");
	expect_sentence("repeatit", "{}", "The nearest are: echo, ");
	expect_sentence("SLEEPEE", "{}", "The nearest are: sleeper, ");
	memset(long_name, 'x', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	expect_sentence(long_name, "{}", "The nearest are: ");
	expect_sentence("", "", "There is no tool ''.");
	expect_sentence(
	    "wr\x01iter\xff", "{}", "There is no tool 'writer\xef\xbf\xbd'. The nearest are: writer, ");
	struct json_object *o = tools_fixture_run(&w, "no_such_tool", "{}");
	assert_str(json_get_object(o, "context"), "tool", "no_such_tool");
	json_object_put(o);
	assert_int_equal(runs, 0);
}

static void a_tool_for_admins_is_neither_named_nor_run_for_others(void **state)
{
	(void)state;
	expect_sentence("admin_tooo", "{}", "The nearest are: ");
	char *text = tools_fixture_error(&w, "admin_tooo", "{}");
	assert_null(strstr(text, "admin_tool"));
	free(text);
	tools_fixture_refused(&w, "admin_tool", "{}", "ACCESS_DENIED", "ROLE");
	tools_fixture_refused(&w, "admin_tool", "not even JSON", "ACCESS_DENIED", "ROLE");
	assert_int_equal(runs, 0);
	w.call.admin = true;
	expect_args("admin_tool", "{}", "{}");
	expect_sentence("admin_tooo", "{}", "The nearest are: admin_tool, ");
}

static size_t count_offered(const char *name)
{
	size_t count, found = 0;
	struct llm_tool *offer = tools_offer(w.tools, &w.call, &count);

	for (size_t i = 0; i < count; i++) {
		found += strcmp(offer[i].name, name) == 0;
		assert_true(i == 0 || strcmp(offer[i - 1].name, offer[i].name) < 0);
		assert_non_null(strstr(offer[i].summary, "Returns: "));
		assert_int_equal(*offer[i].schema, '{');
	}
	free(offer);
	return found;
}

static void a_model_is_offered_what_it_may_use(void **state)
{
	(void)state;
	assert_int_equal(count_offered("echo"), 1);
	assert_int_equal(count_offered("repeat_it"), 0);
	assert_int_equal(count_offered("admin_tool"), 0);
	assert_int_equal(count_offered("broken"), 0);
	w.call.admin = true;
	assert_int_equal(count_offered("admin_tool"), 1);
}

static void a_tool_with_a_bad_schema_is_left_out_and_logged(void **state)
{
	size_t n = 0;

	(void)state;
	assert_holds(logged, "tool=broken left out: The schema's root is not of type object.");
	for (const struct tool *tool = NULL; (tool = tools_next(w.tools, tool)); n++)
		assert_ptr_not_equal(tool, &broken);
	assert_int_equal(n, ARRAY_LEN(table) - 2);
}

static void no_arguments_are_an_empty_object(void **state)
{
	static const char *const none[] = {NULL, "", "  ", "\n", "null", " null\r\n", "{}", " {} "};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		expect_args("echo", none[i], "{}");
}

static void arguments_that_are_no_object_run_nothing(void **state)
{
	static const char *const bad[] = {"nullx", "[]", "5", "\"x\"", "true", "{", "{\"path\":\"a\"",
	    "{\"path\":'a'}", "{} {}", "{\"path\":\"\xff\"}", "{\"path\":\"a\"} trailing", "null null"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		tools_fixture_refused(&w, "echo", bad[i], "INVALID_ARGUMENT", "TYPE");
		expect_sentence("echo", bad[i], "The arguments are no JSON object: ");
	}
	expect_sentence("echo", "{\"path\":'a'}", "single quote");
	expect_sentence("echo", "[]", "is of type array where an object is wanted");
	assert_int_equal(runs, 0);
}

static void arguments_that_the_model_wrote_wrong_are_told_in_the_parsers_words(void **state)
{
	(void)state;
	expect_sentence("echo", "{\"unparsed_arguments\":\"{\\\"path\\\":\"}",
	    "The arguments are no JSON object: not JSON: ");
	expect_sentence("echo", "{\"unparsed_arguments\":\"[1]\"}", "is of type array");
	expect_sentence("echo", "{\"unparsed_arguments\":\"{}\"}", "it was not understood");
	tools_fixture_refused(&w, "echo", "{\"unparsed_arguments\":\"{\"}", "INVALID_ARGUMENT", "TYPE");
	tools_fixture_refused(&w, "echo", "{\"unparsed_arguments\":5}", "INVALID_ARGUMENT", "UNKNOWN");
	assert_int_equal(runs, 0);
}

static void arguments_have_a_limit(void **state)
{
	struct buf args = BUF_INIT;

	(void)state;
	buf_addstr(&args, "{\"path\":\"");
	while (args.len < 4094)
		buf_addch(&args, 'x');
	buf_addstr(&args, "\"}");
	struct json_object *o = tools_fixture_run(&w, "echo", args.data);
	assert_null(json_get(o, "error_code"));
	json_object_put(o);
	buf_addch(&args, ' ');
	tools_fixture_refused(&w, "echo", args.data, "LIMIT_REACHED", "TOO_LARGE");
	assert_int_equal(runs, 1);
	buf_clear(&args);
}

static void the_tool_sees_canonical_names_and_values(void **state)
{
	(void)state;
	expect_args("repeat-it", "{\"file_path\":\"a\",\"n\":\"3\",\"deep\":\"true\",\"tool\":null}",
	    "{\"n\":3,\"deep\":true,\"path\":\"a\"}");
	struct json_object *o = tools_fixture_run(&w, "echo", "{\"n\":50}");
	assert_int(json_get_object(o, "args"), "n", 9);
	assert_int(json_get_object(o, "clamped"), "n", 9);
	json_object_put(o);
}

static void a_failure_repeats_what_was_asked_as_far_as_it_is_short(void **state)
{
	char *args =
	    xasprintf("{\"n\":0,\"deep\":true,\"list\":[1],\"path\":\"%0257d\",\"tool\":\"mine\"}", 0);
	struct json_object *o = tools_fixture_run(&w, "echo", args), *context = json_get_object(o, "context");

	(void)state;
	assert_failure(o, "INVALID_ARGUMENT", "RANGE");
	assert_int(context, "n", 0);
	assert_true(json_get_bool(context, "deep", false));
	assert_str(context, "tool", "echo");
	assert_null(json_get(context, "list"));
	assert_null(json_get(context, "path"));
	json_object_put(o);
	free(args);
	o = tools_fixture_run(&w, "echo", "{\"bogus\":\"x\",\"path\":\"p\"}");
	assert_str(json_get_object(o, "context"), "path", "p");
	assert_null(json_get(json_get_object(o, "context"), "bogus"));
	json_object_put(o);
}

static void secrets_and_control_codes_do_not_come_out(void **state)
{
	(void)state;
	secret_register(SECRET);
	expect_args("echo", "{\"path\":\"a " SECRET " b\",\"list\":[{\"" SECRET "\":\"\\u001b[1m\"}]}",
	    "{\"path\":\"a [redacted] b\",\"list\":[{\"[redacted]\":\"[1m\"}]}");
	expect_sentence("leaker", "{}", "Cannot open [redacted]. Try again.");
	/* Nor in what a failure repeats. */
	struct json_object *o = tools_fixture_run(&w, "echo", "{\"n\":0,\"path\":\"" SECRET "\"}");
	assert_str(json_get_object(o, "context"), "path", "[redacted]");
	json_object_put(o);
	o = tools_fixture_run(&w, SECRET, "{}");
	assert_str(json_get_object(o, "context"), "tool", "[redacted]");
	json_object_put(o);
}

static void a_large_result_is_redacted_and_cut_at_a_line(void **state)
{
	(void)state;
	secret_register(SECRET);
	struct json_object *o = tools_fixture_run(&w, "pourer", "{}");
	const char *content = json_get_str(o, "content");
	assert_true(json_get_bool(o, "truncated", false));
	assert_true(strlen(content) > 50000);
	assert_null(strstr(content, "correct"));
	assert_null(strchr(content, 0x1b));
	assert_int_equal(content[strlen(content) - 1], '\n');
	json_object_put(o);
}

/* A call in a task of its own, beside one that moves the clock. */
struct running {
	const char *name;
	struct json_object *result;
	uint64_t took_ms;
	bool cancel_first;
	uint64_t cancel_after_ms; /* 0: never */
};

static void call_task(struct task *t, void *arg)
{
	struct running *r = arg;
	uint64_t began = clock_now();

	r->result = tools_fixture_run_in(t, &w, r->name, "{}");
	r->took_ms = clock_now() - began;
}

static void drive(struct task *t, void *arg)
{
	struct running *r = arg;
	struct task_group group;
	uint64_t began = clock_now();

	task_group_init(&group);
	task_start(&group, "call", call_task, r);
	if (r->cancel_first)
		task_group_cancel(&group);
	while (!task_group_is_empty(&group)) {
		for (int i = 0; i < 10; i++)
			task_yield(t, NULL);
		clock_advance(500);
		if (r->cancel_after_ms && clock_now() - began >= r->cancel_after_ms)
			task_group_cancel(&group);
	}
}

static struct json_object *run_cancelled(const char *name, uint64_t after_ms)
{
	struct running r = {.name = name, .cancel_after_ms = after_ms};

	task_run("drive", drive, &r);
	assert_in_range(r.took_ms, after_ms, after_ms + 500);
	return r.result;
}

static void a_call_that_is_stopped_before_it_began_did_not_run(void **state)
{
	struct running r = {.name = "echo", .cancel_first = true};

	(void)state;
	task_run("drive", drive, &r);
	assert_failure(r.result, "INTERRUPTED", "NOT_RUN");
	assert_int_equal(runs, 0);
	json_object_put(r.result);
}

static void a_call_that_is_stopped_says_so_whatever_its_tool_answered(void **state)
{
	(void)state;
	struct json_object *o = run_cancelled("sleeper", 1000);
	assert_failure(o, "INTERRUPTED", "STOPPED");
	assert_str(o, "error", "The turn was stopped while this ran.");
	json_object_put(o);
	o = run_cancelled("writer", 1000);
	assert_failure(o, "INTERRUPTED", "STOPPED");
	assert_holds(json_get_str(o, "error"), "Its outcome is unknown: check before doing it again.");
	json_object_put(o);
}

static void what_a_stopped_tool_knows_of_its_end_stands(void **state)
{
	(void)state;
	struct json_object *o = run_cancelled("sayer", 1000);
	assert_failure(o, "INTERRUPTED", "STOPPED");
	assert_str(o, "error", "Half of it was done. Do the rest.");
	json_object_put(o);
	o = run_cancelled("finisher", 1000);
	assert_null(json_get(o, "error_code"));
	assert_true(json_get_bool(o, "done", false));
	json_object_put(o);
}

static uint64_t run_to_its_end(const char *name, struct json_object **result)
{
	struct running r = {.name = name};

	task_run("drive", drive, &r);
	*result = r.result;
	return r.took_ms;
}

static void a_call_ends_at_its_deadline(void **state)
{
	struct json_object *o;

	(void)state;
	assert_in_range(run_to_its_end("sleeper", &o), 60000, 60500);
	assert_failure(o, "TIMEOUT", NULL);
	assert_str(o, "error", "sleeper did not end within 60 s. Ask for less, or try later.");
	json_object_put(o);
	assert_in_range(run_to_its_end("writer", &o), 60000, 60500);
	assert_failure(o, "TIMEOUT", NULL);
	assert_holds(json_get_str(o, "error"), "check before doing it again.");
	json_object_put(o);
	assert_in_range(run_to_its_end("finisher", &o), 60000, 60500);
	assert_null(json_get(o, "error_code"));
	json_object_put(o);
}

static void who_waits_for_a_person_or_keeps_its_own_time_has_no_deadline(void **state)
{
	struct json_object *o;

	(void)state;
	assert_in_range(run_to_its_end("asker", &o), 3600 * 1000, 3601 * 1000);
	assert_null(json_get(o, "error_code"));
	json_object_put(o);
	assert_in_range(run_to_its_end("timed", &o), 3600 * 1000, 3601 * 1000);
	assert_null(json_get(o, "error_code"));
	json_object_put(o);
}

static void a_call_is_logged_with_its_name_time_size_and_code(void **state)
{
	(void)state;
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	json_object_put(tools_fixture_run(&w, "echo", "{\"n\":0}"));
	assert_holds(logged, "debug tools: tool=\"echo\" ms=0 bytes=");
	assert_holds(logged, " code=INVALID_ARGUMENT");
	json_object_put(tools_fixture_run(&w, "repeat_it", "{}"));
	assert_holds(logged, "tool=\"repeat_it\" ms=0 bytes=11 code=none");
}

static void a_failure_can_be_made_for_a_call_that_never_ran(void **state)
{
	char *text = tool_failure_text("echo", "INTERRUPTED", "NOT_RUN", "Stopped after %d calls.", 3);

	(void)state;
	assert_string_equal(text,
	    "{\"error\":\"Stopped after 3 "
	    "calls.\",\"error_code\":\"INTERRUPTED\",\"context\":{\"tool\":\"echo\",\"cause\":\"NOT_RUN\"}}");
	free(text);
}

static bool matches(const char *pattern, const char *text)
{
	regex_t re;

	assert_int_equal(regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB), 0);
	bool found = regexec(&re, text, 0, NULL, 0) == 0;
	regfree(&re);
	return found;
}

static void check_schema(const struct tool *tool)
{
	struct error err = {0};
	struct json_object *schema = json_parse_object(tool->schema, strlen(tool->schema), &err);

	if (!schema || schema_check(schema, false, &err) < 0)
		fail_msg("%s: %s", tool->name, err.text);
	struct json_object *properties = json_get_object(schema, "properties");
	json_object_object_foreach(properties, name, property) {
		const char *description = json_get_str(property, "description");
		assert_true(matches("^[a-zA-Z0-9_-]{1,64}$", name));
		if (strstr(description, "efault") && !matches("\\(default: [^)]+\\)$", description))
			fail_msg("%s.%s: %s", tool->name, name, description);
	}
	for (const struct tool_alias *a = tool->param_aliases; a && a->alias; a++) {
		assert_non_null(json_get(properties, a->name));
		assert_null(json_get(properties, a->alias));
	}
	json_object_put(schema);
}

static void every_built_in_tool_keeps_the_rules(void **state)
{
	(void)state;
	for (size_t i = 0; builtin_tools[i]; i++) {
		const struct tool *tool = builtin_tools[i];
		assert_true(matches("^[a-zA-Z0-9_-]{1,64}$", tool->name));
		assert_true(i == 0 || strcmp(builtin_tools[i - 1]->name, tool->name) < 0);
		assert_true(matches("Returns: \\{[a-z_?, ]+\\}$", tool->summary));
		check_schema(tool);
		for (const char *const *alias = tool->aliases; alias && *alias; alias++) {
			assert_true(matches("^[a-zA-Z0-9_-]{1,64}$", *alias));
			for (size_t k = 0; builtin_tools[k]; k++)
				assert_string_not_equal(*alias, builtin_tools[k]->name);
		}
	}
}

/* What any built-in tool answers to no, wrong, strange and very large arguments. */
static void every_built_in_tool_answers_to_anything(void **state)
{
	static const char *const args[] = {"{}", "null", "[]", "{\"x\":1}", "{\"path\":5}",
	    "{\"path\":\"\\u0000\"}", "{\"path\":\"\xf0\x9f\x98\x80\xe2\x80\xae\"}",
	    "{\"content\":\"x\",\"channel\":\"\\u202e\",\"chat_id\":\"\"}", "{\"path\":{\"a\":[[[[1]]]]}}"};
	struct buf large = BUF_INIT;

	(void)state;
	tools_fixture_clear(&w);
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "", NULL);
	buf_addstr(&large, "{\"path\":\"");
	while (large.len < 1000000)
		buf_addstr(&large, "\xf0\x9f\x98\x80");
	buf_addstr(&large, "\"}");
	for (size_t i = 0; builtin_tools[i]; i++) {
		for (size_t k = 0; k < ARRAY_LEN(args); k++)
			json_object_put(tools_fixture_run(&w, builtin_tools[i]->name, args[k]));
		json_object_put(tools_fixture_run(&w, builtin_tools[i]->name, large.data));
	}
	buf_clear(&large);
}

static void settings_have_defaults_and_bounds(void **state)
{
	static const char *const bad[] = {"result_limit = 100;", "result_limit = \"1 MiB\";", "rounds = 0;",
	    "rounds = 101;", "deadline = 0;", "arguments_limit = \"9 MiB\";", "read_limit = 10;",
	    "workspace = 5;", "nonsense = 1;"};
	struct targets none = {0};

	(void)state;
	assert_int_equal(tools_rounds(w.tools), 20);
	assert_ptr_equal(tools_targets(w.tools), &w.targets);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char *text = xasprintf("state = \"/nowhere\";\ntools: { %s };\n", bad[i]);
		struct config *cfg = config_parse("test.conf", text, NULL);
		struct tools *ts = tools_new(cfg, &none);
		if (config_error_count(cfg) != 1)
			fail_msg("%s", text);
		tools_free(ts);
		config_free(cfg);
		free(text);
	}
}

static void without_a_folder_tools_do_not_open(void **state)
{
	struct config *cfg = config_parse("test.conf", "", NULL);
	struct targets none = {0};
	struct tools *ts = tools_new(cfg, &none);
	struct error err = {0};

	(void)state;
	assert_int_equal(tools_open(ts, &err), -1);
	assert_holds(err.text, "Set state, or workspace in tools.");
	tools_free(ts);
	tools_free(NULL);
	config_free(cfg);
}

#define TOOLS_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TOOLS_TEST(a_name_is_taken_exactly_then_spelled_otherwise_then_as_an_alias),
	    TOOLS_TEST(an_unknown_name_is_answered_with_near_ones),
	    TOOLS_TEST(a_tool_for_admins_is_neither_named_nor_run_for_others),
	    TOOLS_TEST(a_model_is_offered_what_it_may_use),
	    TOOLS_TEST(a_tool_with_a_bad_schema_is_left_out_and_logged),
	    TOOLS_TEST(no_arguments_are_an_empty_object),
	    TOOLS_TEST(arguments_that_are_no_object_run_nothing),
	    TOOLS_TEST(arguments_that_the_model_wrote_wrong_are_told_in_the_parsers_words),
	    TOOLS_TEST(arguments_have_a_limit),
	    TOOLS_TEST(the_tool_sees_canonical_names_and_values),
	    TOOLS_TEST(a_failure_repeats_what_was_asked_as_far_as_it_is_short),
	    TOOLS_TEST(secrets_and_control_codes_do_not_come_out),
	    TOOLS_TEST(a_large_result_is_redacted_and_cut_at_a_line),
	    TOOLS_TEST(a_call_that_is_stopped_before_it_began_did_not_run),
	    TOOLS_TEST(a_call_that_is_stopped_says_so_whatever_its_tool_answered),
	    TOOLS_TEST(what_a_stopped_tool_knows_of_its_end_stands),
	    TOOLS_TEST(a_call_ends_at_its_deadline),
	    TOOLS_TEST(who_waits_for_a_person_or_keeps_its_own_time_has_no_deadline),
	    TOOLS_TEST(a_call_is_logged_with_its_name_time_size_and_code),
	    cmocka_unit_test(a_failure_can_be_made_for_a_call_that_never_ran),
	    cmocka_unit_test(every_built_in_tool_keeps_the_rules),
	    TOOLS_TEST(every_built_in_tool_answers_to_anything),
	    TOOLS_TEST(settings_have_defaults_and_bounds),
	    TOOLS_TEST(without_a_folder_tools_do_not_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
