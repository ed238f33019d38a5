/* MCP servers as child processes: those that are well, and those that are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/config.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/loop.h"
#include "tools/mcp.h"
#include "tools/mcp_settings.h"
#include "tools/source.h"
#include "tools/workshop.h"

#define PATIENCE_MS 30000

static struct workshop w;
static struct mcp_settings settings;
static struct mcp *servers;
static struct buf logged;
static char stub[4096];

typedef void body_fn(struct task *t);

static void on_log(const char *line, void *arg)
{
	(void)arg;
	buf_addf(&logged, "%s\n", line);
}

static int set_up(void **state)
{
	(void)state;
	workshop_init(&w);
	workshop_put_text(&w, "state/mark", "");
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	log_capture(on_log, NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	mcp_settings_clear(&settings);
	workshop_clear(&w);
	log_capture(NULL, NULL);
	buf_clear(&logged);
	return 0;
}

/* Opens the workshop with servers as in the configuration; %s is the stub. */
static void configure(const char *fmt)
{
	char *list = xasprintf("mcp_servers: { ");
	struct buf text = BUF_INIT, problems = BUF_INIT;

	buf_addstr(&text, list);
	for (const char *at = fmt, *next; at; at = next) {
		next = strstr(at, "%s");
		buf_add(&text, at, next ? (size_t)(next - at) : strlen(at));
		if (next) {
			buf_addstr(&text, stub);
			next += 2;
		}
	}
	buf_addstr(&text, " };");
	workshop_open(&w, "", text.data, NULL);
	mcp_settings_read(&settings, w.cfg);
	config_errors(w.cfg, &problems);
	assert_string_equal(problems.data, "");
	w.call.admin = true;
	buf_clear(&problems);
	buf_clear(&text);
	free(list);
}

static void run_body(struct task *t, void *arg)
{
	body_fn *const *body = arg;
	char *state = workshop_path(&w, "state");

	servers = mcp_new(w.tools, &settings, state);
	free(state);
	(*body)(t);
	mcp_free(t, servers);
	servers = NULL;
}

static void with(const char *list, body_fn *body)
{
	configure(list);
	task_run("test", run_body, &body);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);	/* no child is left */
}

static struct json_object *state_of(size_t i, struct json_object **all)
{
	*all = mcp_status(servers);
	return json_object_array_get_idx(*all, i);
}

static void await_state(struct task *t, const char *state)
{
	uint64_t due = clock_now() + PATIENCE_MS;

	for (bool there = false; !there;) {
		struct json_object *all, *s = state_of(0, &all);
		there = strcmp(json_get_str(s, "state"), state) == 0;
		if (!there && clock_now() > due)
			fail_msg("not %s but %s\n%s", state, json_object_to_json_string(s), logged.data);
		json_object_put(all);
		task_sleep(t, 5, NULL);
	}
}

static void await_log(struct task *t, const char *text)
{
	uint64_t due = clock_now() + PATIENCE_MS;

	while (!strstr(logged.data, text)) {
		if (clock_now() > due)
			fail_msg("\"%s\" is not in the log:\n%s", text, logged.data);
		task_sleep(t, 5, NULL);
	}
}

static struct json_object *call(struct task *t, const char *name, const char *message)
{
	char *arguments = xasprintf("{\"message\":\"%s\"}", message);
	struct json_object *o = workshop_run_in(t, &w, name, arguments);

	free(arguments);
	return o;
}

static void assert_echo(struct task *t, const char *message)
{
	struct json_object *o = call(t, "s__echo", message);

	assert_str(o, "content", message);
	json_object_put(o);
}

static void assert_call_fails(struct task *t, const char *name, const char *code, const char *cause)
{
	struct json_object *o = call(t, name, "x");

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
	with("s: { command = [\"%s\"]; };", is_well);
	assert_holds(logged.data, "protocol=2025-11-25");
}

static void a_modern_server_is_well(void **state)
{
	(void)state;
	with("s: { command = [\"%s\", \"modern\"]; };", is_well);
	assert_holds(logged.data, "protocol=2026-07-28");
}

static void what_is_around_answers_does_no_harm(void **state)
{
	static const char *const quirks[] = {"garbage", "half", "twice", "wrong-id", "storm", "circle"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(quirks); i++) {
		char *list = xasprintf("s: { command = [\"%%s\", \"%s\"]; };", quirks[i]);
		with(list, is_well);
		free(list);
		tear_down(NULL);
		set_up(NULL);
	}
}

static void has_many_tools(struct task *t)
{
	await_state(t, "ready");
	assert_echo(t, "x");
}

static void a_list_without_end_is_taken_as_far_as_it_came(void **state)
{
	(void)state;
	with("s: { command = [\"%s\", \"endless-list\"]; };", has_many_tools);
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

static size_t count_like(const char *begin)
{
	size_t n = 0;

	for (const struct tool *tool = NULL; (tool = tools_next(w.tools, tool)) != NULL;)
		n += strncmp(tool->name, begin, strlen(begin)) == 0 && strlen(tool->name) <= 64;
	return n;
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
	assert_non_null(tools_find(w.tools, "s__untyped"));
	assert_int_equal(count_like("s__do_it"), 3);
	assert_int_equal(count_like("s__a_name_that_is_so_long"), 1);
	const struct tool *wordy = tools_find(w.tools, "s__wordy");
	assert_non_null(wordy);
	assert_true(strlen(wordy->summary) < 2200);
	assert_null(strchr(wordy->summary, '\033'));
	assert_holds(wordy->summary, "[MCP server s] www");
	struct json_object *o = call(t, "s__do_it", "exact");
	assert_str(o, "content", "exact");
	json_object_put(o);
}

static void one_bad_tool_is_quarantined_alone(void **state)
{
	(void)state;
	with("s: { command = [\"%s\", \"bad-tools\"]; };", bad_tools_are_apart);
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
	with("s: { command = [\"%s\", \"modern\", \"rug\"]; };", changes_are_refused);
}

static void failures_have_their_codes(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call(t, "s__fail", "x");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_holds(json_get_str(o, "error"), "the disk is on fire");
	json_object_put(o);
	o = call(t, "s__refuse", "x");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_int(json_get_object(o, "context"), "number", -32602);
	json_object_put(o);
	assert_call_fails(t, "s__never", "TOOL_TIMEOUT", NULL);
	assert_echo(t, "still here");
	o = call(t, "s__image", "x");
	assert_str(o, "content", "[image: image/png, 6 bytes, not shown]\n[audio: audio/ogg, 3 bytes, not shown]\n[resource: a, of no "
	    "type, at file:///a]\n[resource x://y]\ninside\n[content of a kind that is not known: hologram]");
	assert_json(json_get_object(o, "structured"), "{\"n\":[1,2]}");
	json_object_put(o);
	o = call(t, "s__progress", "x");
	assert_str(o, "content", "after all");
	json_object_put(o);
}

static void results_and_failures_are_told(void **state)
{
	(void)state;
	with("s: { command = [\"%s\"]; timeout = \"1 s\"; };", failures_have_their_codes);
}

static void asks_back(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call(t, "s__ask", "x");
	const char *content = json_get_str(o, "content");
	assert_holds(content, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}");
	assert_holds(content, "{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"result\":{\"roots\":[]}}");
	assert_holds(content, "\"id\":\"s\",\"error\":{\"code\":-32601");
	json_object_put(o);
}

static void what_a_server_asks_is_answered_or_refused(void **state)
{
	(void)state;
	with("s: { command = [\"%s\"]; };", asks_back);
}

static void wants_more_rounds(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call(t, "s__rounds", "x");
	assert_str(o, "content", "two");
	json_object_put(o);
}

static void a_modern_call_is_made_again_with_its_state(void **state)
{
	(void)state;
	with("s: { command = [\"%s\", \"modern\"]; };", wants_more_rounds);
}

static void comes_back(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call(t, "s__crash", "x");
	assert_failure(o, "UNAVAILABLE", "SERVER_DOWN");
	assert_holds(json_get_str(o, "error"), "check before doing it again");
	json_object_put(o);
	await_state(t, "down");
	o = call(t, "s__echo", "x");
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
	with("s: { command = [\"%s\"]; };", comes_back);
	assert_holds(logged.data, "exit status 3");
}

static void stay_away(struct task *t)
{
	struct json_object *all = mcp_status(servers);
	size_t count = json_object_array_length(all);

	for (size_t i = 0; i < count; i++) {
		char *line = xasprintf("mcp.%s: down", json_get_str(json_object_array_get_idx(all, i), "name"));
		await_log(t, line);
		free(line);
	}
	json_object_put(all);
	/* The first pause has half a second at least, the next one a second. */
	task_sleep(t, 1000, NULL);
	all = mcp_status(servers);
	for (size_t i = 0; i < count; i++)
		assert_true(json_get_int(json_object_array_get_idx(all, i), "starts", 0) <= 3);
	json_object_put(all);
	assert_call_fails(t, "gone__echo", "TOOL_NOT_FOUND", NULL);
}

static void those_that_are_never_well_are_tried_with_pauses(void **state)
{
	(void)state;
	with("gone: { command = [\"%s\", \"exit=1\"]; }; flood: { command = [\"%s\", \"flood\"]; }; line: { command = [\"%s\", "
	    "\"endless-line\"]; }; none: { command = [\"/nonexistent/program\"]; };", stay_away);
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
	with("mute: { command = [\"%s\", \"mute\"]; }; deaf: { command = [\"%s\", \"deaf\", \"stays\"]; }; s: { command = "
	    "[\"%s\"]; };", only_starts);
	assert_true(clock_now() - began < 20000);
}

static void shows_its_environment(struct task *t)
{
	await_state(t, "ready");
	struct json_object *o = call(t, "s__env", "x");
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
	with("s: { command = [\"%s\"]; env = [\"GIVEN=this one\", \"API_TOKEN=a secret of its own\"]; };", shows_its_environment);
	unsetenv("MYNA_TEST_SECRET");
}

struct stopping {
	struct json_object *result;
};

static void run_never(struct task *t, void *arg)
{
	struct stopping *s = arg;

	s->result = call(t, "s__never", "x");
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
	with("s: { command = [\"%s\"]; };", is_cancelled);
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
	with("s: { command = [\"%s\"]; }; other: { command = [\"%s\"]; };", is_changed);
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
	with("s: { command = [\"%s\"]; };", calls_as_a_guest);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	    TEST(a_legacy_server_is_well),
	    TEST(a_modern_server_is_well),
	    TEST(what_is_around_answers_does_no_harm),
	    TEST(a_list_without_end_is_taken_as_far_as_it_came),
	    TEST(one_bad_tool_is_quarantined_alone),
	    TEST(a_definition_that_changes_is_quarantined),
	    TEST(results_and_failures_are_told),
	    TEST(what_a_server_asks_is_answered_or_refused),
	    TEST(a_modern_call_is_made_again_with_its_state),
	    TEST(a_server_that_crashes_is_started_again),
	    TEST(those_that_are_never_well_are_tried_with_pauses),
	    TEST(the_end_waits_for_nobody),
	    TEST(its_environment_is_clean),
	    TEST(a_stopped_call_is_cancelled_at_the_server),
	    TEST(new_settings_touch_changed_servers_only),
	    TEST(hints_of_the_server_give_a_guest_nothing),
	};

	(void)argc;
	loop_init();
	ssize_t len = readlink("/proc/self/exe", stub, sizeof(stub) - 32);
	(void)argv;
	if (len <= 0)
		return 1;
	stub[len] = '\0';
	memcpy(strrchr(stub, '/'), "/../lib/mcp_stub", sizeof("/../lib/mcp_stub"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
