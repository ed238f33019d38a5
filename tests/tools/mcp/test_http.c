/* MCP servers behind HTTP, played from scripts of exact bytes: a connection for each request. */
#include "tools/mcp/mcp_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "net/loop.h"
#include "base/task.h"
#include "net/raw_server.h"
#include "tools/mcp/header.h"
#include "tools/mcp/definition.h"
#include "lib/until.h"

#define STEPS_MAX 16

#define HEAD(status, type, more) \
	"HTTP/1.1 " status "\r\nContent-Type: " type "\r\n" more "Connection: close\r\n\r\n"
#define JSON(text)           HEAD("200 OK", "application/json", "") text
#define SSE(text)            HEAD("200 OK", "text/event-stream", "") text
#define STATUS(status, text) HEAD(status, "application/json", "") text
#define RESULT(id, text)     "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" text "}"
#define SAYS(id, text)       RESULT(id, "{\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]}")

#define NOT_MODERN                                                                                   \
	STATUS("400 Bad Request",                                                                    \
	    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"Bad Request: Server not " \
	    "initialized\"},\"id\":null}")
#define WELCOME                                                                                         \
	"{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":" \
	"\"raw\",\"version\":\"1\"}}"
#define TAKEN HEAD("202 Accepted", "text/plain", "")
#define TOOLS                                                    \
	"{\"tools\":[{\"name\":\"echo\",\"description\":\"Says " \
	"it.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}}}]}"

/* Answers, each for a connection of its own. */
struct play {
	struct raw_step steps[STEPS_MAX][3];
	const struct raw_step *scripts[STEPS_MAX];
	size_t count;
	int greeted; /* connections before the first call */
	struct raw_server *server;
};

static struct play play;

static void add_step(struct raw_step step)
{
	struct raw_step *steps = play.steps[play.count];

	steps[0] = (struct raw_step)READ;
	steps[1] = step;
	steps[2] = (struct raw_step)END;
	play.scripts[play.count++] = steps;
}

static void answer(const char *bytes)
{
	add_step((struct raw_step)SEND(bytes));
}

#define NO_STREAM HEAD("405 Method Not Allowed", "text/plain", "")

/* A legacy server up to its list of tools, and what it answers who wants its own stream. */
static void greet_with(const char *welcome, const char *stream)
{
	play = (struct play){0};
	answer(NOT_MODERN);
	answer(welcome);
	answer(TAKEN);
	answer(SSE("id: 1\ndata:\n\ndata: " RESULT("3", TOOLS) "\n\n"));
	answer(stream);
	play.greeted = (int)play.count;
}

static void greet(const char *welcome)
{
	greet_with(welcome, NO_STREAM);
}

static void run_play(const char *more, body_fn *body)
{
	play.server = raw_server_new(NULL, play.scripts, play.count);
	char *list =
	    xasprintf("s: { url = \"http://127.0.0.1:%u/mcp\"; %s };", raw_server_port(play.server), more);

	with_servers(list, body);
	raw_server_free(play.server);
	free(list);
	mcp_fixture_end(NULL);
	mcp_fixture_begin(NULL);
}

static struct json_object *outcome;

static void await_greeting(struct task *t)
{
	await_state(t, "ready");
	task_until(t, raw_server_connections(play.server) >= play.greeted);
}

static void calls_once(struct task *t)
{
	await_greeting(t);
	outcome = call_tool(t, "s__echo", "x");
}

/* The call is answered so. */
static void play_call(const char *bytes)
{
	greet(JSON(RESULT("2", WELCOME)));
	answer(bytes);
	answer(HEAD("405 Method Not Allowed", "text/plain", ""));
	run_play("", calls_once);
}

static void answers_come_as_json_or_as_events(void **state)
{
	static const char *const bytes[] = {
	    JSON(SAYS("4", "here")),
	    SSE(": hello\n\nevent: message\nid: 7\ndata: " SAYS("4", "here") "\n\n"),
	    SSE("data: "
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\ndata: " SAYS(
		    "99", "other") "\n\ndata: no JSON\n\ndata: " SAYS("4", "here") "\n\n"),
	    SSE("data: " SAYS("4", "here") "\n\ndata: " SAYS("4", "twice") "\n\n"),
	    /* A last event that nothing closed. */
	    SSE("data: " SAYS("4", "here")),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bytes); i++) {
		play_call(bytes[i]);
		assert_str(outcome, "content", "here");
		json_object_put(outcome);
	}
}

static void what_is_no_answer_is_told(void **state)
{
	static const struct {
		const char *bytes, *part, *advice;
	} cases[] = {
	    {STATUS("401 Unauthorized", "{\"error\":\"invalid_token\"}"), "another token", "Nothing was run"},
	    {STATUS("403 Forbidden", ""), "refuses us", "Nothing was run"},
	    {STATUS("404 Not Found", "nope"), "nothing is at its url", "Nothing was run"},
	    {STATUS("500 Internal Server Error", "oops"), "HTTP 500", "check before"},
	    {HEAD("302 Found", "text/html", "Location: http://169.254.169.254/\r\n"), "another url",
		"Nothing was run"},
	    {HEAD("200 OK", "text/html", "") "<html>", "holds no answer", "check before"},
	    {JSON("{\"jsonrpc\":\"2.0\",\"id\":4}"), "holds no answer", "check before"},
	    {JSON(""), "holds no answer", "check before"},
	    {SSE("data: {\"jsonrpc\":\"2.0\",\"id\":4,\"resu"), "ended before the answer", "check before"},
	    {SSE(""), "ended before the answer", "check before"},
	    {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
		"MCP server", "check before"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		play_call(cases[i].bytes);
		assert_failure(outcome, "UNAVAILABLE", "SERVER_DOWN");
		assert_holds(json_get_str(outcome, "error"), cases[i].part);
		assert_holds(json_get_str(outcome, "error"), cases[i].advice);
		json_object_put(outcome);
	}
}

static void an_error_of_the_server_is_told_whatever_its_status(void **state)
{
	(void)state;
	play_call(STATUS("400 Bad Request",
	    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32602,\"message\":\"bad thing\"}}"));
	assert_failure(outcome, "TOOL_FAILED", NULL);
	assert_int(json_get_object(outcome, "context"), "number", -32602);
	json_object_put(outcome);
}

static void a_stream_that_broke_goes_on_where_it_was(void **state)
{
	char *request;
	size_t len;

	(void)state;
	greet(JSON(RESULT("2", WELCOME)));
	answer(SSE("retry: 5\nid: event-9\ndata:\n\n"));
	answer(SSE("data: " SAYS("4", "at last") "\n\n"));
	play.server = raw_server_new(NULL, play.scripts, play.count);
	char *list = xasprintf("s: { url = \"http://127.0.0.1:%u/mcp\"; };", raw_server_port(play.server));
	with_servers(list, calls_once);
	request = raw_server_last_request(play.server, &len);
	assert_str(outcome, "content", "at last");
	assert_holds(request, "GET /mcp");
	assert_holds(request, "Last-Event-ID: event-9\r\n");
	json_object_put(outcome);
	free(request);
	free(list);
	raw_server_free(play.server);
}

#define IN_SESSION(id) HEAD("200 OK", "application/json", "Mcp-Session-Id: session-" id "\r\n")

static void a_session_that_is_gone_begins_anew(void **state)
{
	static const char *const gone[] = {STATUS("404 Not Found", ""), NOT_MODERN};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(gone); i++) {
		greet(IN_SESSION("1") RESULT("2", WELCOME));
		answer(gone[i]);
		answer(HEAD("405 Method Not Allowed", "text/plain", ""));
		answer(IN_SESSION("2") RESULT("1", WELCOME));
		answer(TAKEN);
		answer(JSON(RESULT("2", TOOLS)));
		answer(NO_STREAM);
		answer(JSON(SAYS("3", "in the new one")));
		answer(STATUS("200 OK", ""));
		run_play("", calls_once);
		assert_str(outcome, "content", "in the new one");
		json_object_put(outcome);
	}
}

static void requests_say_who_they_are(void **state)
{
	static const char *const wanted[] = {"Authorization: Bearer 0123456789abcdef\r\n", "X-Team: blue\r\n",
	    "Mcp-Session-Id: session-1\r\n", "MCP-Protocol-Version: 2025-06-18\r\n"};
	size_t len;

	(void)state;
	greet(IN_SESSION("1") RESULT("2", WELCOME));
	answer(JSON(SAYS("4", "x")));
	answer(STATUS("200 OK", ""));
	play.server = raw_server_new(NULL, play.scripts, play.count);
	char *list = xasprintf("s: { url = \"http://127.0.0.1:%u/mcp\"; token = \"0123456789abcdef\"; "
			       "headers = [\"X-Team: blue\"]; };",
	    raw_server_port(play.server));
	with_servers(list, calls_once);
	char *request = raw_server_last_request(play.server, &len);
	assert_holds(request, "DELETE /mcp");
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_holds(request, wanted[i]);
	json_object_put(outcome);
	free(request);
	free(list);
	raw_server_free(play.server);
}

static void is_not_answered(struct task *t)
{
	uint64_t began = clock_now();

	await_greeting(t);
	outcome = call_tool(t, "s__echo", "x");
	assert_true(clock_now() - began < 20000);
}

static void silence_ends_with_the_time(void **state)
{
	(void)state;
	greet(JSON(RESULT("2", WELCOME)));
	add_step((struct raw_step)HOLD);
	answer(TAKEN);
	run_play("timeout = \"1 s\";", is_not_answered);
	assert_failure(outcome, "TOOL_TIMEOUT", NULL);
	json_object_put(outcome);
}

#define TELLS "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true}}}"
#define TWO_TOOLS                                                         \
	"{\"tools\":[{\"name\":\"echo\",\"description\":\"Says "          \
	"it.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}}}," \
	"{\"name\":\"second\",\"inputSchema\":{\"type\":\"object\"}}]}"

static void grows(struct task *t)
{
	await_state(t, "ready");
	task_until(t, tools_find(w.tools, "s__second"));
	assert_non_null(tools_find(w.tools, "s__echo"));
}

static void a_stream_of_the_server_tells_that_its_list_changed(void **state)
{
	(void)state;
	greet_with(JSON(RESULT("2", TELLS)),
	    SSE("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"));
	answer(JSON(RESULT("4", TWO_TOOLS)));
	answer(HEAD("405 Method Not Allowed", "text/plain", ""));
	run_play("", grows);
}

static void is_down(struct task *t)
{
	struct json_object *all;

	await_state(t, "down");
	assert_holds(json_get_str(state_of(0, &all), "reason"), "another token");
	json_object_put(all);
}

static void a_server_that_refuses_us_is_down(void **state)
{
	(void)state;
	play = (struct play){0};
	answer(STATUS("401 Unauthorized", ""));
	run_play("", is_down);
}

static void a_modern_server_is_asked_as_it_wants(void **state)
{
	size_t len;

	(void)state;
	play = (struct play){0};
	answer(JSON(RESULT("1",
	    "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":"
	    "{}}}")));
	answer(JSON(RESULT("2",
	    "{\"resultType\":\"complete\",\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\","
	    "\"properties\":{\"message\":{\"type\":\"string\",\"x-mcp-header\":\"Msg\"}}}}]}")));
	answer(JSON(SAYS("3", "modern")));
	play.server = raw_server_new(NULL, play.scripts, play.count);
	char *list = xasprintf("s: { url = \"http://127.0.0.1:%u/mcp\"; };", raw_server_port(play.server));
	with_servers(list, calls_once);
	char *request = raw_server_last_request(play.server, &len);
	assert_holds(request, "MCP-Protocol-Version: 2026-07-28\r\n");
	assert_holds(request, "Mcp-Method: tools/call\r\n");
	assert_holds(request, "Mcp-Name: echo\r\n");
	assert_holds(request, "Mcp-Param-Msg: x\r\n");
	assert_holds(request, "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
	assert_str(outcome, "content", "modern");
	json_object_put(outcome);
	free(request);
	free(list);
	raw_server_free(play.server);
}

static void values_of_headers_are_plain_or_encoded(void **state)
{
	static const char *const cases[][2] = {{"north", "north"}, {"two words", "two words"},
	    {" edge", "=?base64?IGVkZ2U=?="},
	    {"",
		"=?base64?"
		"?="},
	    {"caf\xc3\xa9", "=?base64?Y2Fmw6k=?="}, {"a\nb", "=?base64?YQpi?="},
	    {"=?base64?eA==?=",
		"=?base64?PT9iYXNlNjQ/ZUE9PT89"
		"?="}};
	struct buf out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		buf_reset(&out);
		mcp_header_encode(&out, cases[i][0]);
		assert_string_equal(out.data, cases[i][1]);
	}
	buf_clear(&out);
}

static void marks_are_where_they_may_be(void **state)
{
#define MARKED "\"x-mcp-header\":\"A\""
	static const struct {
		const char *schema;
		int rc;
	} cases[] = {
	    {"{\"properties\":{\"a\":{\"type\":\"string\"," MARKED "}}}", 0},
	    {"{\"properties\":{\"o\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"boolean\"," MARKED
	     "}}}}}",
		0},
	    {"{\"properties\":{\"a\":{\"type\":\"number\"," MARKED "}}}", -1},
	    {"{\"properties\":{\"a\":{" MARKED "}}}", -1},
	    {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A B\"}}}", -1},
	    {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":7}}}", -1},
	    {"{\"properties\":{\"a\":{\"type\":\"string\"," MARKED
	     "},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}}",
		-1},
	    {"{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"," MARKED "}}}}", -1},
	    {"{\"$defs\":{\"a\":{\"type\":\"string\"," MARKED "}}}", -1},
	    {"{" MARKED "}", -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_object *schema = json_parse(cases[i].schema, strlen(cases[i].schema), NULL);
		assert_int_equal(mcp_header_check(schema, NULL), cases[i].rc);
		json_object_put(schema);
	}
}

static void names_do_not_depend_on_their_order(void **state)
{
	struct mcp_name names[] = {{.original_name = "a.b"}, {.original_name = "a_b"},
	    {.original_name = "a/b"}, {.original_name = "a_b"}};
	struct mcp_name again[] = {
	    {.original_name = "a/b"}, {.original_name = "a_b"}, {.original_name = "a.b"}};

	(void)state;
	mcp_names_make("s", names, ARRAY_LEN(names));
	mcp_names_make("s", again, ARRAY_LEN(again));
	assert_string_equal(names[1].name, "s__a_b");
	assert_string_equal(names[3].name, "s__a_b");
	assert_string_equal(names[0].name, again[2].name);
	assert_string_equal(names[2].name, again[0].name);
	assert_string_not_equal(names[0].name, names[2].name);
	assert_string_not_equal(names[0].name, names[1].name);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, mcp_fixture_begin, mcp_fixture_end)
	    TEST(answers_come_as_json_or_as_events),
	    TEST(what_is_no_answer_is_told),
	    TEST(an_error_of_the_server_is_told_whatever_its_status),
	    TEST(a_stream_that_broke_goes_on_where_it_was),
	    TEST(a_session_that_is_gone_begins_anew),
	    TEST(requests_say_who_they_are),
	    TEST(silence_ends_with_the_time),
	    TEST(a_stream_of_the_server_tells_that_its_list_changed),
	    TEST(a_server_that_refuses_us_is_down),
	    TEST(a_modern_server_is_asked_as_it_wants),
	    TEST(values_of_headers_are_plain_or_encoded),
	    TEST(marks_are_where_they_may_be),
	    TEST(names_do_not_depend_on_their_order),
	};

	loop_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
