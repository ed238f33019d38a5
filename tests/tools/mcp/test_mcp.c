/* MCP servers as child processes: those that are well, and those that are not. */
#include "tools/mcp/mcp_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "net/loop.h"
#include "base/task.h"
#include "lib/until.h"
#include "tools/source.h"

#define PATIENCE_US 30000000

static void assert_echo(struct task *t, const char *message)
{
	struct json_object *o = call_tool(t, "s__echo", message);

	assert_str(o, "content", message);
	json_object_put(o);
}

static void assert_call_fails(struct task *t, const char *name, const char *code, const char *cause)
{
	struct json_object *o = call_tool(t, name, "x");

	assert_failure(o, code, cause);
	json_object_put(o);
}

static void is_well(struct task *t)
{
	await_state(t, "ready");
	for (int i = 0; i < 3; i++)
		assert_echo(t, "hello");
}

static void a_legacy_server_is_well(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", is_well);
	assert_holds(logged.data, "protocol=2025-11-25");
}

static void a_modern_server_is_well(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"modern\"]; };", is_well);
	assert_holds(logged.data, "protocol=2026-07-28");
}

/* Whatever it answers to the modern request, if it is not what one answers. */
static void a_server_that_knows_no_discover_is_legacy(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"answers-all\"]; };", is_well);
	assert_holds(logged.data, "protocol=2025-11-25");
}

static void a_server_that_names_no_version_is_legacy(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"unsupported\"]; };", is_well);
	assert_holds(logged.data, "protocol=2025-11-25");
}

static void one_that_refuses_the_version_it_names_is_asked_again(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"modern\", \"refuses-once\"]; };", is_well);
	assert_holds(logged.data, "protocol=2026-07-28");
}

static void is_told_to_be_down(struct task *t)
{
	await_state(t, "down");
	assert_call_fails(t, "s__echo", "UNAVAILABLE", "SERVER_DOWN");
	assert_call_fails(t, "t__echo", "TOOL_NOT_FOUND", NULL);
}

static void a_tool_of_a_server_that_never_came_up_says_so(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"starts-never\"]; };", is_told_to_be_down);
}

static void what_is_around_answers_does_no_harm(void **state)
{
	static const char *const quirks[] = {"garbage", "half", "twice", "wrong-id", "storm", "circle"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(quirks); i++) {
		char *list = xasprintf("s: { command = [\"%%s\", \"%s\"]; };", quirks[i]);
		with_servers(list, is_well);
		free(list);
		mcp_fixture_end(NULL);
		mcp_fixture_begin(NULL);
	}
}

static size_t count_like(const char *begin)
{
	size_t n = 0;

	for (const struct tool *tool = NULL; (tool = tools_next(w.tools, tool));)
		n += strncmp(tool->name, begin, strlen(begin)) == 0 && strlen(tool->name) <= 64;
	return n;
}

static void has_many_tools(struct task *t)
{
	await_state(t, "ready");
	assert_int_equal(count_like("s__echo"), 1);
	assert_echo(t, "x");
}

static void a_list_without_end_is_taken_as_far_as_it_came(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"endless-list\"]; };", has_many_tools);
	assert_holds(logged.data, "it is too long");
}

static void assert_absent(const char *name, const char *part)
{
	size_t count;
	struct tool_absent *absent = tools_absent(w.tools, &w.call, &count);
	const char *reason = NULL;

	for (size_t i = 0; i < count; i++)
		if (absent[i].name && strcmp(absent[i].name, name) == 0)
			reason = absent[i].reason;
	assert_holds(reason, part);
	free(absent);
	/* A twin of one that is offered may be absent. */
	if (strcmp(name, "s__echo") != 0)
		assert_null(tools_find(w.tools, name));
}

static void bad_tools_are_apart(struct task *t)
{
	await_state(t, "ready");
	assert_absent("s__array", "not of type object");
	assert_absent("s__none", "no schema");
	assert_absent("s__remote", "outside");
	assert_absent("s__odd", "models do not take");
	assert_absent("s__listed", "no object");
	assert_absent("s__header", "x-mcp-header");
	assert_absent("s__echo", "");
	assert_absent("s__deep", "nested too deeply");
	assert_absent("s__heavy9", "256 KiB together");
	assert_non_null(tools_find(w.tools, "s__heavy0"));
	assert_non_null(tools_find(w.tools, "s__large"));
	assert_non_null(tools_find(w.tools, "s__untyped"));
	assert_int_equal(count_like("s__do_it"), 3);
	assert_int_equal(count_like("s__a_name_that_is_so_long"), 1);
	assert_int_equal(count_like("s__nnnn"), 1);
	assert_int_equal(count_like("s__oooo"), 0);
	assert_holds(logged.data, "of mcp:s 1 tools are not offered: their names have more than 256 bytes");
	const struct tool *wordy = tools_find(w.tools, "s__wordy");
	assert_non_null(wordy);
	assert_true(strlen(wordy->summary) < 2200);
	assert_null(strchr(wordy->summary, '\033'));
	assert_holds(wordy->summary, "[MCP server s] www");
	struct json_object *o = call_tool(t, "s__do_it", "exact");
	assert_str(o, "content", "exact");
	json_object_put(o);
}

static void one_bad_tool_is_quarantined_alone(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"bad-tools\", \"heavy\"]; };", bad_tools_are_apart);
}

static void changes_are_refused(struct task *t)
{
	await_state(t, "ready");
	await_log(t, "is not offered");
	assert_absent("s__echo", "when it was first seen");
	assert_null(tools_find(w.tools, "s__echo"));
	assert_non_null(tools_find(w.tools, "s__env"));
}

static void a_definition_that_changes_is_quarantined(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"modern\", \"rug\"]; };", changes_are_refused);
}

static void failures_have_their_codes(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call_tool(t, "s__fail", "x");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_holds(json_get_str(o, "error"), "the disk is on fire");
	json_object_put(o);
	o = call_tool(t, "s__refuse", "x");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_int(json_get_object(o, "context"), "number", -32602);
	json_object_put(o);
	settings.servers[0]->timeout_ms = 200;
	assert_call_fails(t, "s__never", "TOOL_TIMEOUT", NULL);
	settings.servers[0]->timeout_ms = 20000;
	assert_echo(t, "still here");
	o = call_tool(t, "s__image", "x");
	assert_str(o, "content",
	    "[image: image/png, 6 bytes, not shown]\n[audio: audio/ogg, 3 bytes, not shown]\n[resource: a, "
	    "of no type, at file:///a]\n[resource x://y]\ninside\n[content of a kind that is not known: "
	    "hologram]");
	assert_json(json_get_object(o, "structured"), "{\"n\":[1,2]}");
	json_object_put(o);
	/* It takes longer, and tells of its progress in between. */
	settings.servers[0]->timeout_ms = 800;
	o = call_tool(t, "s__progress", "x");
	assert_str(o, "content", "after all");
	json_object_put(o);
}

static void results_and_failures_are_told(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", failures_have_their_codes);
}

static void asks_back(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call_tool(t, "s__ask", "x");
	const char *content = json_get_str(o, "content");
	assert_holds(content, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}");
	assert_holds(content, "{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"result\":{\"roots\":[]}}");
	assert_holds(content, "\"id\":\"s\",\"error\":{\"code\":-32601");
	json_object_put(o);
}

static void what_a_server_asks_is_answered_or_refused(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", asks_back);
}

static void wants_more_rounds(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call_tool(t, "s__rounds", "x");
	assert_str(o, "content", "two");
	json_object_put(o);
}

static void a_modern_call_is_made_again_with_its_state(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"modern\"]; };", wants_more_rounds);
}

static void comes_back(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call_tool(t, "s__crash", "x");
	assert_failure(o, "UNAVAILABLE", "SERVER_DOWN");
	assert_holds(json_get_str(o, "error"), "check before doing it again");
	json_object_put(o);
	await_state(t, "down");
	o = call_tool(t, "s__echo", "x");
	assert_failure(o, "UNAVAILABLE", "SERVER_DOWN");
	assert_holds(json_get_str(o, "error"), "Nothing was run");
	json_object_put(o);
	await_state(t, "ready");
	assert_echo(t, "back");
	/* An answer without an end is no answer. */
	assert_call_fails(t, "s__big", "UNAVAILABLE", "SERVER_DOWN");
	await_log(t, "more than 8 MiB");
}

static void a_server_that_crashes_is_started_again(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", comes_back);
	assert_holds(logged.data, "exit status 3");
}

static void tells_how_it_ended(struct task *t)
{
	struct json_object *all;

	await_state(t, "ready");
	assert_echo(t, "the last");
	/* This cannot be written: nobody reads it. */
	assert_call_fails(t, "s__echo", "UNAVAILABLE", "SERVER_DOWN");
	await_state(t, "down");
	assert_string_equal(json_get_str(state_of(0, &all), "reason"), "it ended with exit status 6");
	json_object_put(all);
}

/* Its input is closed a moment before it has ended. */
static void a_server_that_ends_when_it_is_written_to_tells_how(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"shut-input-end\"]; };", tells_how_it_ended);
}

static void only_closes_its_input(struct task *t)
{
	await_state(t, "ready");
	assert_echo(t, "the last");
	assert_call_fails(t, "s__echo", "UNAVAILABLE", "SERVER_DOWN");
	await_log(t, "it closed its standard input");
}

static void a_server_that_listens_no_more_is_given_up(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"shut-input\"]; };", only_closes_its_input);
}

static uint64_t stay_began;

static int64_t starts(size_t i)
{
	struct json_object *all;
	int64_t n = json_get_int(state_of(i, &all), "starts", 0);

	json_object_put(all);
	return n;
}

static void stay_away(struct task *t)
{
	struct json_object *all = mcp_status(servers);
	size_t count = json_object_array_length(all);

	json_object_put(all);
	for (size_t i = 0; i < count; i++)
		task_until(t, starts(i) >= 2);
	/* The first pause has half a second at least, each next one twice that. */
	int64_t most = 1;
	for (uint64_t over = 500, pause = 500; over <= clock_now() - stay_began; pause *= 2, over += pause)
		most++;
	for (size_t i = 0; i < count; i++)
		assert_in_range(starts(i), 2, most);
	assert_call_fails(t, "gone__echo", "UNAVAILABLE", "SERVER_DOWN");
}

static void those_that_are_never_well_are_tried_with_pauses(void **state)
{
	(void)state;
	stay_began = clock_now();
	with_servers(
	    "gone: { command = [\"%s\", \"exit=1\"]; }; flood: { command = [\"%s\", \"flood\"]; }; line: { "
	    "command = [\"%s\", \"endless-line\"]; }; none: { command = [\"/nonexistent/program\"]; };",
	    stay_away);
	assert_holds(logged.data, "more than 8 MiB");
	assert_holds(logged.data, "exit status 4");
	assert_holds(logged.data, "no MCP message");
}

static void only_starts(struct task *t)
{
	task_sleep(t, 100, NULL);
}

static void the_end_waits_for_nobody(void **state)
{
	uint64_t began = clock_now();

	(void)state;
	with_servers("mute: { command = [\"%s\", \"mute\"]; }; deaf: { command = [\"%s\", \"deaf\", "
		     "\"stays\"]; }; s: { command = [\"%s\"]; };",
	    only_starts);
	assert_true(clock_now() - began < 20000);
}

static void shows_its_environment(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call_tool(t, "s__env", "x");
	const char *content = json_get_str(o, "content");
	assert_holds(content, "GIVEN=this one");
	assert_holds(content, "PATH=");
	assert_holds(content, "HOME=");
	assert_holds(content, "LANG=");
	assert_holds(content, "/state/mcp/s\n");
	assert_null(strstr(content, "MYNA_TEST_SECRET"));
	assert_null(strstr(content, "hunter2"));
	assert_holds(content, "API_TOKEN=[redacted]");
	json_object_put(o);
}

static void its_environment_is_clean(void **state)
{
	(void)state;
	setenv("MYNA_TEST_SECRET", "hunter2hunter2", 1);
	with_servers(
	    "s: { command = [\"%s\"]; env = [\"GIVEN=this one\", \"API_TOKEN=a secret of its own\"]; };",
	    shows_its_environment);
	unsetenv("MYNA_TEST_SECRET");
}

struct stopping {
	struct json_object *result;
};

static void run_never(struct task *t, void *arg)
{
	struct stopping *s = arg;

	s->result = call_tool(t, "s__never", "x");
}

static void is_cancelled(struct task *t)
{
	struct stopping s = {0};
	struct task_group group;

	await_state(t, "ready");
	task_group_init(&group);
	task_start(&group, "call", run_never, &s);
	await_log(t, "got tools/call");
	task_group_finish(t, &group);
	assert_failure(s.result, "INTERRUPTED", "STOPPED");
	json_object_put(s.result);
	await_log(t, "got notifications/cancelled");
	assert_echo(t, "next");
}

static void a_stopped_call_is_cancelled_at_the_server(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", is_cancelled);
}

static void is_changed(struct task *t)
{
	struct json_object *all;
	struct mcp_settings none = {0}, other = {.servers = settings.servers + 1, .count = 1};

	await_state(t, "ready");
	mcp_apply(servers, w.tools, &settings);
	assert_int(state_of(0, &all), "starts", 1);
	assert_int_equal(json_object_array_length(all), 2);
	json_object_put(all);
	mcp_apply(servers, w.tools, &other);
	assert_null(tools_find(w.tools, "s__echo"));
	await_state(t, "ready");
	assert_non_null(tools_find(w.tools, "other__echo"));
	mcp_apply(servers, w.tools, &none);
	assert_null(tools_find(w.tools, "other__echo"));
	mcp_apply(servers, w.tools, &settings);
	await_state(t, "ready");
	assert_echo(t, "again");
}

static void new_settings_touch_changed_servers_only(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; }; other: { command = [\"%s\"]; };", is_changed);
}

static void calls_as_a_guest(struct task *t)
{
	await_state(t, "ready");
	w.call.admin = false;
	w.call.guest = true;
	assert_call_fails(t, "s__env", "ACCESS_DENIED", "ROLE");
	w.call.guest = false;
}

static void hints_of_the_server_give_a_guest_nothing(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", calls_as_a_guest);
}

/* The stub answers no ping. Time stands still but for what passes here. */
static void is_left_in_peace(struct task *t)
{
	struct json_object *all;

	await_state(t, "ready");
	clock_fake(clock_wall(), 1);
	for (int second = 0; second < 3 * 3600; second++) {
		clock_advance(1000);
		task_yield(t, NULL);
	}
	assert_echo(t, "still there");
	for (uint64_t due = clock_measure_us() + PATIENCE_US;
	     !strstr(logged.data, "got tools/call") && clock_measure_us() < due;)
		task_yield(t, NULL);
	assert_holds(logged.data, "got tools/call");
	assert_null(strstr(logged.data, "got ping"));
	assert_int(state_of(0, &all), "starts", 1);
	json_object_put(all);
}

static void a_server_that_answers_no_ping_is_well_for_hours(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", is_left_in_peace);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, mcp_fixture_begin, mcp_fixture_end)
	    TEST(a_legacy_server_is_well),
	    TEST(a_modern_server_is_well),
	    TEST(a_server_that_knows_no_discover_is_legacy),
	    TEST(a_server_that_names_no_version_is_legacy),
	    TEST(one_that_refuses_the_version_it_names_is_asked_again),
	    TEST(a_tool_of_a_server_that_never_came_up_says_so),
	    TEST(what_is_around_answers_does_no_harm),
	    TEST(a_list_without_end_is_taken_as_far_as_it_came),
	    TEST(one_bad_tool_is_quarantined_alone),
	    TEST(a_definition_that_changes_is_quarantined),
	    TEST(results_and_failures_are_told),
	    TEST(what_a_server_asks_is_answered_or_refused),
	    TEST(a_modern_call_is_made_again_with_its_state),
	    TEST(a_server_that_crashes_is_started_again),
	    TEST(a_server_that_ends_when_it_is_written_to_tells_how),
	    TEST(a_server_that_listens_no_more_is_given_up),
	    TEST(those_that_are_never_well_are_tried_with_pauses),
	    TEST(the_end_waits_for_nobody),
	    TEST(its_environment_is_clean),
	    TEST(a_stopped_call_is_cancelled_at_the_server),
	    TEST(new_settings_touch_changed_servers_only),
	    TEST(hints_of_the_server_give_a_guest_nothing),
	    /* Stops the clock. */
	    TEST(a_server_that_answers_no_ping_is_well_for_hours),
	};

	loop_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
