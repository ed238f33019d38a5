/* Conversations that use the tools of an MCP server, with the real gateway. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "config.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "tools/sandbox/sandbox_fixture.h"

/* A person says which tool is to be called, and with what. */
static const char script[] =
    "{\"skip\": \"^(\\\\[[^]\\n]*\\\\]\\n(> [^\\n]*\\n)*)+\", \"rules\": ["
    "{\"when\": \"^echo (.+)\", \"steps\": [{\"calls\": [{\"name\": \"s__echo\", \"arguments\": "
    "{\"message\": \"{{1}}\"}}]}, {\"text\": \"it said {{result.0.content|result.0.error}}\"}]},"
    "{\"when\": \"^crash\", \"steps\": [{\"calls\": [{\"name\": \"s__crash\", \"arguments\": {}}]}, "
    "{\"text\": \"{{result.0.error}}\"}]},{\"when\": \"^env\", \"steps\": [{\"calls\": [{\"name\": "
    "\"s__env\", \"arguments\": {}}]}, {\"text\": \"{{result.0.error|result}}\"}]},"
    "{\"when\": \"^try (.+)\", \"steps\": [{\"calls\": [{\"name\": \"s__try\", \"arguments\": "
    "{\"message\": \"{{1}}\"}}]}, {\"text\": \"it was {{result.0.content|result.0.error}}\"}]},"
    "{\"when\": \"^release\", \"steps\": [{\"calls\": [{\"name\": \"s__elicit\", \"arguments\": "
    "{\"message\": "
    "\"{\\\"message\\\":\\\"Ship "
    "it?\\\",\\\"requestedSchema\\\":{\\\"type\\\":\\\"object\\\",\\\"properties\\\":{"
    "\\\"sure\\\":{\\\"type\\\":\\\"boolean\\\"}}}}\"}}]}, {\"text\": \"it heard "
    "{{result.0.content|result.0.error}}\"}]}], \"else\": {\"steps\": "
    "[{\"text\": \"You said: {{user}}\"}]}}";

static struct flow f;
static const char stub[] = BUILD_DIR "/tests/lib/mcp_stub";

/* s is well unless quirk says otherwise, and slow never is. */
static void write_config(const char *servers)
{
	char *top = xasprintf(
	    "approvals: { ask = [\"s__env\"]; };\ntools: { sandbox = \"S0\"; mcp_servers: { %s }; };",
	    servers);

	flow_config(&f, top, "allow = [\"77\"]; admins = [\"78\"];");
	free(top);
}

static int begin(void **state)
{
	char *servers =
	    xasprintf("s: { command = [\"%s\"]; }; slow: { command = [\"%s\", \"mute\"]; };", stub, stub);

	(void)state;
	flow_start_script(&f, script);
	/* Servers of root's tests run as nobody. */
	assert_int_equal(chmod(f.dir, 0755), 0);
	write_config(servers);
	free(servers);
	return 0;
}

static void say_as(const char *who, const char *text, size_t i, const char *want)
{
	flow_say(&f, who, who, text, "private");
	flow_expect(&f, who, i, want);
}

static void say(const char *text, size_t i, const char *want)
{
	say_as("77", text, i, want);
}

/* The state of a server, "" when there is none. */
static void state_of(const char *name, char *out, size_t size)
{
	struct json_object *status = flow_status(&f), *list = json_get_array(status, "mcp");

	str_copy(out, size, "");
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *s = json_object_array_get_idx(list, i);
		if (strcmp(json_get_str(s, "name"), name) == 0)
			str_copy(out, size, json_get_str(s, "state"));
	}
	json_object_put(status);
}

static void await_state(const char *name, const char *want)
{
	char state[32];

	for (uint64_t due = flow_deadline();;
	     flow_look(&f, due, "%s is not \"%s\" but \"%s\"", name, want, state)) {
		state_of(name, state, sizeof(state));
		if (strcmp(state, want) == 0)
			return;
	}
}

static void a_conversation_uses_a_server_and_waits_for_no_other(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	await_state("s", "ready");
	await_state("slow", "starting");
	say("echo tea at five", 0, "it said tea at five");
	say("crash", 1, "check before doing it again");
	await_state("s", "ready");
	say("echo once more", 2, "it said once more");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void a_call_asks_first_where_the_settings_say_so(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	await_state("s", "ready");
	say("env", 0, "needs a person's yes");
	char *log = flow_log(&f);
	assert_null(strstr(log, "got tools/call"));
	free(log);
}

/* Presses this button of the question, which is the bot's only message. */
static void press(const char *button)
{
	struct json_object *o = flow_transcript(&f, "telegram", "77"), *all = json_get_array(o, "messages");
	const char *id = NULL;

	for (size_t i = 0; all && i < json_object_array_length(all); i++)
		if (json_get_bool(json_object_array_get_idx(all, i), "bot", false))
			id = json_get_str(json_object_array_get_idx(all, i), "id");
	flow_press(&f, "telegram", "77", "77", id, button);
	json_object_put(o);
}

/* Waits until message i of the bot has the text. */
static void await_text(size_t i, const char *want)
{
	flow_await(&f, "77", i + 1);
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "no \"%s\"", want)) {
		char *got = flow_bot_text(&f, "77", i);
		bool there = strstr(got, want);
		free(got);
		if (there)
			return;
	}
}

/* Starts a gateway whose server asks in the chat. */
static void start_question(void)
{
	flow_gateway(&f, true);
	await_state("s", "ready");
	flow_say(&f, "77", "77", "release", "private");
	flow_await(&f, "77", 1);
}

static void a_server_asks_the_person_of_the_call(void **state)
{
	(void)state;
	start_question();
	char *asked = flow_bot_text(&f, "77", 0);
	assert_non_null(strstr(asked, "The MCP server s asks"));
	assert_non_null(strstr(asked, "Ship it?"));
	free(asked);
	press("Yes");
	await_text(1, "it heard {\"action\":\"accept\",\"content\":{\"sure\":true}}");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

/* The call does not run again, so nobody must wait for the answer. */
static void a_question_of_a_server_ends_with_a_kill(void **state)
{
	(void)state;
	start_question();
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	await_text(0, "This is no longer needed.");
	await_text(1, "outcome");
	say("hello", 2, "You said: hello");
}

/* The pid of the only server that has one and is ready. */
static pid_t server_pid(void)
{
	struct json_object *status = flow_status(&f),
			   *s = json_object_array_get_idx(json_get_array(status, "mcp"), 0);
	pid_t pid = (pid_t)json_get_int(s, "pid", 0);

	assert_true(pid > 0);
	json_object_put(status);
	return pid;
}

static void a_question_ends_with_its_server(void **state)
{
	(void)state;
	start_question();
	assert_int_equal(kill(server_pid(), SIGKILL), 0);
	await_text(0, "This is no longer needed.");
	await_text(1, "check before doing it again");
	say("hello", 2, "You said: hello");
}

static void expect_command(const char *out, const char *has, const char *has_not)
{
	if ((has && !strstr(out, has)) || (has_not && strstr(out, has_not)))
		fail_msg("\"%s\" has not \"%s\", or has \"%s\"", out, has ? has : "", has_not ? has_not : "");
}

static void a_reload_ends_and_starts_servers(void **state)
{
	char *out, *servers = xasprintf("other: { command = [\"%s\", \"modern\"]; };", stub);

	(void)state;
	flow_gateway(&f, true);
	await_state("s", "ready");
	write_config(servers);
	assert_int_equal(flow_myna(&f, &out, "reload", NULL), 0);
	free(out);
	await_state("other", "ready");
	await_state("s", "");
	flow_myna(&f, &out, "tool", "run", "s__echo", "{\"message\": \"x\"}", NULL);
	expect_command(out, "TOOL_NOT_FOUND", NULL);
	free(out);
	assert_int_equal(
	    flow_myna(&f, &out, "tool", "run", "other__echo", "{\"message\": \"new\"}", NULL), 0);
	expect_command(out, "\"content\":\"new\"", NULL);
	free(out);
	flow_myna(&f, &out, "status", NULL);
	expect_command(out, "MCP server other: ready, 14 tools, protocol 2026-07-28 over stdio", "server s:");
	free(out);
	free(servers);
}

/* Does the sandbox keep files apart here? */
static bool is_boundary(void)
{
	struct json_object *status = flow_status(&f);
	bool is = json_get_int(json_get_object(status, "sandbox"), "number", -1) >= 1;

	json_object_put(status);
	return is;
}

static void each_chat_has_its_files_and_its_process(void **state)
{
	char *mark = xasprintf("mark-%d", (int)getpid()),
	     *servers = xasprintf("s: { command = [\"%s\", \"%s\"]; files = true; };", stub, mark),
	     *theirs = xasprintf("try read %s/state/workspace/chat/telegram%%3A77/mine", f.dir), *out;

	(void)state;
	write_config(servers);
	flow_gateway(&f, true);
	await_state("s", "ready");
	if (!is_boundary())
		skip();
	say("try write ./mine", 0, "it was done");
	say("try read ./mine", 1, "it was done");
	say(theirs, 2, "it was done");
	say_as("78", "try read ./mine", 0, "it was refused");
	say_as("78", theirs, 1, "it was refused");
	flow_myna(&f, &out, "status", NULL);
	expect_command(out, "MCP server s: ready, 14 tools, 2 processes for chats", NULL);
	free(out);
	/* Each has its supervisor. */
	assert_true(processes_with(mark) >= 6);
	flow_gateway_kill(&f);
	for (uint64_t due = flow_deadline(); processes_with(mark) > 0;)
		flow_look(&f, due, "%d processes of servers are left", processes_with(mark));
	free(mark);
	free(servers);
	free(theirs);
}

/* What it may reach has changed, although its own settings have not. */
static void a_new_root_is_there_after_a_reload(void **state)
{
	char *root = xasprintf("%s/root", f.dir), *act = xasprintf("try list %s", root), *out,
	     *top = xasprintf("tools: { sandbox = \"S0\"; roots = [\"%s\"]; mcp_servers: { s: { command = "
			      "[\"%s\"]; }; }; };",
		 root, stub);

	(void)state;
	assert_int_equal(mkdir(root, 0755), 0);
	flow_gateway(&f, true);
	await_state("s", "ready");
	if (!is_boundary())
		skip();
	say(act, 0, "it was refused");
	flow_config(&f, top, "allow = [\"77\"];");
	assert_int_equal(flow_myna(&f, &out, "reload", NULL), 0);
	free(out);
	await_state("slow", "");
	await_state("s", "ready");
	say(act, 1, "it was done");
	free(root);
	free(act);
	free(top);
}

static void mistakes_are_found_at_their_lines(void **state)
{
	char *out;

	(void)state;
	write_config("a: { url = \"http://example.com/mcp\"; }; b: { command = [\"x\"]; env = [\"novalue\"]; "
		     "}; c: { timeout = 5; };");
	assert_int_equal(flow_myna(&f, &out, "check", NULL), 1);
	expect_command(out, "tools.mcp_servers.a.url: http:// is allowed for this machine", NULL);
	expect_command(out, "tools.mcp_servers.b.env[0]: write a name, '=' and a value", NULL);
	free(out);
	write_config("c: { timeout = 5; };");
	assert_int_equal(flow_myna(&f, &out, "check", NULL), 0);
	expect_command(out, "The MCP server c is left out: set command or url", NULL);
	free(out);
	write_config("d: { command = [\"x\"]; sandbox = false; };");
	assert_int_equal(flow_myna(&f, &out, "check", NULL), 0);
	expect_command(out, "The MCP server d runs with the gateway's rights, outside of the sandbox", NULL);
	free(out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_conversation_uses_a_server_and_waits_for_no_other, begin, &f),
	    FLOW_TEST(a_call_asks_first_where_the_settings_say_so, begin, &f),
	    FLOW_TEST(a_server_asks_the_person_of_the_call, begin, &f),
	    FLOW_TEST(a_question_of_a_server_ends_with_a_kill, begin, &f),
	    FLOW_TEST(a_question_ends_with_its_server, begin, &f),
	    FLOW_TEST(a_reload_ends_and_starts_servers, begin, &f),
	    FLOW_TEST(each_chat_has_its_files_and_its_process, begin, &f),
	    FLOW_TEST(a_new_root_is_there_after_a_reload, begin, &f),
	    FLOW_TEST(mistakes_are_found_at_their_lines, begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
