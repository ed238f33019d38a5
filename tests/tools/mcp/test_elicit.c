/* What a server asks the person of a call: in both eras, over both transports. */
#include "tools/mcp/mcp_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "bus/message.h"
#include "lib/until.h"
#include "net/raw_server.h"
#include "tools/services.h"
#include "tools/tools_internal.h"

#define LEGACY "s: { command = [\"%s\"]; };"
#define MODERN "s: { command = [\"%s\", \"modern\"]; };"
#define FORM(message, properties, required)                                                                 \
	"{\"message\":\"" message "\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" properties \
	"},\"required\":[" required "]}}"

/* The person: their answers one after the other, "#2" is the second option. */
static const char *const *answers;
static enum tool_reply_kind reply_kind;
static uint64_t think_ms;
static struct buf asked; /* each question with its options, "text|option|…\n\n" */
static char ids[1024];
static uint64_t limit_ms;

static void note(const struct tool_call *call, const struct tool_question *q)
{
	size_t len = strlen(ids);

	snprintf(ids + len, sizeof(ids) - len, "%s ", call->call_id);
	buf_addstr(&asked, q->text);
	for (size_t i = 0; i < q->option_count; i++)
		buf_addf(&asked, "|%s", q->options[i]);
	buf_addf(&asked, "%s\n\n", q->free_text ? "|words" : "");
	limit_ms = q->ms;
	assert_true(q->once);
}

static int person(struct task *t, void *turn_owner, const struct tool_call *call,
    const struct tool_question *q, struct tool_reply *out, struct error *err)
{
	assert_ptr_equal(turn_owner, &w);
	note(call, q);
	if (think_ms == UINT64_MAX) {
		while (!q->over || !*q->over)
			if (task_wait(t, err) < 0)
				return -1;
		out->kind = TOOL_REPLY_WITHDRAWN;
		return 0;
	}
	if (think_ms > 0 && task_sleep(t, think_ms, err) < 0)
		return -1;
	out->kind = reply_kind;
	if (reply_kind != TOOL_REPLY_GIVEN)
		return 0;
	assert_non_null(*answers);
	const char *answer = *answers++;
	if (*answer == '#') {
		out->choice = (size_t)(answer[1] - '0');
		assert_true(out->choice <= q->option_count);
		answer = q->options[out->choice - 1];
	}
	out->text = xstrdup(answer);
	return 0;
}

static const struct tool_services services = {.turn_owner = &w, .ask_person = person};
static struct message who = {.sender_id = (char *)(uintptr_t) "77"};

static int begin(void **state)
{
	static const char *const none[] = {NULL};

	mcp_fixture_begin(state);
	answers = none;
	reply_kind = TOOL_REPLY_GIVEN;
	think_ms = 0;
	ids[0] = '\0';
	buf_init(&asked);
	return 0;
}

static int end(void **state)
{
	mcp_fixture_end(state);
	buf_clear(&asked);
	return 0;
}

static void with_person(void)
{
	w.call.services = &services;
	w.call.asked = &who;
	w.call.call_id = "c1";
}

/* The result of elicitation/create with these params; the stub says it back. */
static struct json_object *elicit(struct task *t, const char *params)
{
	struct json_object *o = json_object_new_object(), *result, *answer;

	json_set_str(o, "message", params);
	result = tools_fixture_run_in(t, &w, "s__elicit", json_object_to_json_string(o));
	json_object_put(o);
	const char *content = json_get_str(result, "content");
	assert_non_null(content);
	answer = json_parse_object(content, strlen(content), NULL);
	assert_non_null(answer);
	json_object_put(result);
	/* A modern answer has the key of its request. */
	if (!json_get_object(answer, "q"))
		return answer;
	o = json_object_get(json_get_object(answer, "q"));
	json_object_put(answer);
	return o;
}

static const struct {
	const char *params, *answers[8], *asked[5], *result;
} cases[] = {
    {"{\"message\":\"Delete *all*?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}", {"#1"},
	{"The MCP server **s** asks", "```\nDelete *all*?\n```", "|Accept|Decline\n"},
	"{\"action\":\"accept\",\"content\":{}}"},
    {FORM("Your name?", "\"name\":{\"type\":\"string\"}", "\"name\""), {"octocat"},
	{"```\nYour name?\n```", "`name`", "Never give it a password", "|Decline|words\n"},
	"{\"action\":\"accept\",\"content\":{\"name\":\"octocat\"}}"},
    {FORM("x", "\"name\":{\"type\":\"string\"}", "\"name\""), {"decline"}, {""}, "{\"action\":\"decline\"}"},
    {FORM("x", "\"name\":{\"type\":\"string\"}", ""), {"#1"}, {"|Skip|Decline|words"},
	"{\"action\":\"accept\",\"content\":{}}"},
    {FORM("x", "\"mail\":{\"type\":\"string\",\"format\":\"email\"}", "\"mail\""), {"no", "a@example.com"},
	{"That is not an e-mail address.\n\nThe MCP"},
	"{\"action\":\"accept\",\"content\":{\"mail\":\"a@example.com\"}}"},
    {FORM("x", "\"mail\":{\"type\":\"string\",\"format\":\"email\"}", "\"mail\""), {"no", "no"}, {""},
	"{\"action\":\"cancel\"}"},
    {FORM("x", "\"age\":{\"type\":\"integer\",\"minimum\":18,\"maximum\":99}", "\"age\""), {"17", "18"},
	{"That is less than 18.", "whole number"}, "{\"action\":\"accept\",\"content\":{\"age\":18}}"},
    {FORM("x", "\"age\":{\"type\":\"integer\"}", "\"age\""), {"1.5", "2"}, {"not a whole number"},
	"{\"action\":\"accept\",\"content\":{\"age\":2}}"},
    {FORM("x", "\"on\":{\"type\":\"string\",\"format\":\"date\"}", "\"on\""), {"2026-02-29", "2026-02-28"},
	{"That is not a date"}, "{\"action\":\"accept\",\"content\":{\"on\":\"2026-02-28\"}}"},
    {FORM("x", "\"at\":{\"type\":\"string\",\"format\":\"date-time\"}", "\"at\""),
	{"2026-02-28", "2026-02-28T18:30:00Z"}, {"That is not a time"},
	"{\"action\":\"accept\",\"content\":{\"at\":\"2026-02-28T18:30:00Z\"}}"},
    {FORM("x", "\"at\":{\"type\":\"string\",\"format\":\"date-time\"}", "\"at\""),
	{"2026-02-28T18:30:00", "2026-02-28t18:30:00.5+01:00"}, {"That is not a time"},
	"{\"action\":\"accept\",\"content\":{\"at\":\"2026-02-28t18:30:00.5+01:00\"}}"},
    {FORM("x", "\"sure\":{\"type\":\"boolean\",\"title\":\"Are you `sure`?\"}", "\"sure\""), {"#2"},
	{"`Are you 'sure'?`", "|Yes|No|Decline\n"}, "{\"action\":\"accept\",\"content\":{\"sure\":false}}"},
    {FORM("x", "\"c\":{\"type\":\"string\",\"enum\":[\"r\",\"g\"],\"enumNames\":[\"Red\",\"Decline\"]}",
	 "\"c\""),
	{"#2"}, {"|Red|Decline|Decline\n"}, "{\"action\":\"accept\",\"content\":{\"c\":\"g\"}}"},
    {FORM("x",
	 "\"c\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"#f00\",\"title\":\"Red\"},{\"const\":\"#0f0\"}],"
	 "\"default\":\"#0f0\"}",
	 "\"c\""),
	{"#3"}, {"The default is `#0f0`", "|Red|#0f0|Use the default|Decline\n"},
	"{\"action\":\"accept\",\"content\":{\"c\":\"#0f0\"}}"},
    {FORM("x",
	 "\"c\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,\"items\":{\"type\":\"string\",\"enum\":["
	 "\"Red\",\"Green\",\"Blue\"]}}",
	 "\"c\""),
	{"red, 2, Blue", "red, 2, RED"},
	{"At most 2 choices", "1. `Red`\n2. `Green`\n3. `Blue`", "|Decline|words\n"},
	"{\"action\":\"accept\",\"content\":{\"c\":[\"Red\",\"Green\"]}}"},
    {FORM("Who?", "\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"number\"}", "\"name\""),
	{"Ann", "#1", "#2", "Bob", "7.5", "#1"},
	{"The MCP server **s** asks further, 2 of 2:\n\n`age`", "|Send|Change|Decline",
	    "- `name`: `Ann`\n- `age`: nothing", "- `name`: `Bob`\n- `age`: `7.5`"},
	"{\"action\":\"accept\",\"content\":{\"name\":\"Bob\",\"age\":7.5}}"},
    {"{\"mode\":\"url\",\"elicitationId\":\"1\",\"message\":\"Log "
     "in\",\"url\":\"https://a.example/x?y=*_z\"}",
	{"#1"},
	{"asks you to visit a page", "```\nLog in\n```", "on **`a.example`**:\n\n`https://a.example/x?y=*_z`",
	    "|Done|Decline\n"},
	"{\"action\":\"accept\"}"},
    {"{\"mode\":\"url\",\"message\":\"x\",\"url\":\"http://xn--pple-43d.example/\"}", {"#2"},
	{"not encrypted", "letters that may look like others"}, "{\"action\":\"decline\"}"},
};

static void asks_everything(struct task *t)
{
	await_state(t, "ready");
	with_person();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		answers = cases[i].answers;
		buf_reset(&asked);
		struct json_object *o = elicit(t, cases[i].params);
		assert_json(o, cases[i].result);
		for (size_t n = 0; n < ARRAY_LEN(cases[i].asked) && cases[i].asked[n]; n++)
			assert_holds(asked.data, cases[i].asked[n]);
		assert_null(*answers);
		json_object_put(o);
	}
	assert_true(limit_ms <= (uint64_t)w.call.tools->settings.question_ms);
}

static void a_legacy_server_asks(void **state)
{
	(void)state;
	with_servers(LEGACY, asks_everything);
	assert_holds(ids, "c1#1 c1#1 "); /* never c1, which is its approval's */
	assert_holds(ids, "c1#2 ");
}

static void a_modern_server_asks(void **state)
{
	(void)state;
	with_servers(MODERN, asks_everything);
}

static void in_both_eras(body_fn *body)
{
	with_servers(LEGACY, body);
	mcp_fixture_end(NULL);
	mcp_fixture_begin(NULL);
	with_servers(MODERN, body);
}

static const char question[] = FORM("x", "\"name\":{\"type\":\"string\"}", "\"name\"");

static void asks_in_vain(struct task *t)
{
	static const struct {
		enum tool_reply_kind kind;
		const char *action;
	} kinds[] = {{TOOL_REPLY_TIMED_OUT, "cancel"}, {TOOL_REPLY_WITHDRAWN, "cancel"},
	    {TOOL_REPLY_NOBODY, "decline"}};

	await_state(t, "ready");
	with_person();
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		reply_kind = kinds[i].kind;
		struct json_object *o = elicit(t, question);
		assert_str(o, "action", kinds[i].action);
		json_object_put(o);
	}
}

static void without_an_answer_it_is_cancelled(void **state)
{
	(void)state;
	in_both_eras(asks_in_vain);
}

static void asks_nobody(struct task *t)
{
	struct tool_services none = {0};
	struct message channel_post = {.sender_id = who.sender_id, .sender_is_chat = true};

	await_state(t, "ready");
	for (int i = 0; i < 4; i++) {
		with_person();
		if (i == 0)
			w.call.services = NULL;
		else if (i == 1)
			w.call.services = &none;
		else if (i == 2)
			w.call.asked = NULL;
		else
			w.call.asked = &channel_post;
		struct json_object *o = elicit(t, question);
		assert_str(o, "action", "decline");
		json_object_put(o);
	}
	assert_int_equal(asked.len, 0);
}

static void where_nobody_can_be_asked_it_is_declined(void **state)
{
	(void)state;
	in_both_eras(asks_nobody);
}

static void asks_where_declared(struct task *t)
{
	static const char *const names[] = {"Ann", NULL};

	await_state(t, "ready");
	with_person();
	answers = names;
	struct json_object *o = elicit(t, question);
	assert_str(o, "action", "accept");
	json_object_put(o);
	if (!strstr(logged.data, "protocol=2026-07-28"))
		return;
	w.call.services = NULL;
	o = call_tool(t, "s__elicit", "{}");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_int(json_get_object(o, "context"), "number", -32021);
	json_object_put(o);
}

static void servers_know_whether_they_may_ask(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"strict\"]; };", asks_where_declared);
	mcp_fixture_end(NULL);
	mcp_fixture_begin(NULL);
	with_servers("s: { command = [\"%s\", \"strict\", \"modern\"]; };", asks_where_declared);
}

static void asks_wrongly(struct task *t)
{
	static const char *const bad[] = {"{}", "{\"message\":\"x\"}",
	    "{\"message\":\"x\",\"mode\":\"dance\"}",
	    "{\"message\":\"x\",\"mode\":\"url\",\"url\":\"file:///etc/passwd\"}",
	    "{\"message\":\"x\",\"mode\":\"url\",\"url\":\"https://bank.example@evil.example/\"}",
	    "{\"message\":\"x\",\"mode\":\"url\",\"url\":\"https://a.example/`b\"}",
	    FORM("x", "\"a\":{\"type\":\"object\"}", ""), FORM("x", "\"a\":7", ""),
	    FORM("x", "\"a\":{\"type\":\"string\",\"enum\":[1]}", ""),
	    FORM("x", "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "")};

	await_state(t, "ready");
	with_person();
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct json_object *o = elicit(t, bad[i]);
		assert_int(o, "code", -32602);
		json_object_put(o);
	}
	assert_int_equal(asked.len, 0);
}

static void what_cannot_be_asked_is_refused(void **state)
{
	(void)state;
	with_servers(LEGACY, asks_wrongly);
}

static void thinks_long(struct task *t)
{
	static const char *const names[] = {"Ann", NULL};

	await_state(t, "ready");
	with_person();
	settings.servers[0]->timeout_ms = 1500;
	think_ms = 2500;
	answers = names;
	struct json_object *o = elicit(t, question);
	assert_json(o, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	json_object_put(o);
}

static void the_time_of_a_call_does_not_run_meanwhile(void **state)
{
	(void)state;
	in_both_eras(thinks_long);
}

static void withdraws(struct task *t)
{
	await_state(t, "ready");
	with_person();
	think_ms = UINT64_MAX;
	struct json_object *o = json_object_new_object();
	json_set_str(o, "message", question);
	struct json_object *result = tools_fixture_run_in(t, &w, "s__elicit", json_object_to_json_string(o));
	assert_str(result, "content", "withdrawn");
	json_object_put(o);
	json_object_put(result);
}

static void a_question_ends_when_its_server_no_longer_waits(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\", \"withdraws\"]; };", withdraws);
}

static void run_question(struct task *t, void *arg)
{
	struct json_object **result = arg, *o = json_object_new_object();

	json_set_str(o, "message", question);
	*result = tools_fixture_run_in(t, &w, "s__elicit", json_object_to_json_string(o));
	json_object_put(o);
}

static void is_stopped(struct task *t)
{
	struct task_group group;
	struct json_object *result = NULL;

	await_state(t, "ready");
	with_person();
	think_ms = UINT64_MAX;
	task_group_init(&group);
	task_start(&group, "call", run_question, &result);
	while (asked.len == 0)
		task_sleep(t, 5, NULL);
	task_group_finish(t, &group);
	assert_failure(result, "INTERRUPTED", "STOPPED");
	json_object_put(result);
}

static void a_stop_cancels_it(void **state)
{
	(void)state;
	with_servers(LEGACY, is_stopped);
	assert_holds(logged.data, "asked a person: cancel");
}

static void run_other(struct task *t, void *arg)
{
	struct json_object **result = arg;

	*result = call_tool(t, "s__never", "x");
}

static void asks_while_two_calls_run(struct task *t)
{
	struct task_group group;
	struct json_object *other = NULL;

	await_state(t, "ready");
	with_person();
	task_group_init(&group);
	task_start(&group, "call", run_other, &other);
	await_log(t, "got tools/call");
	struct json_object *o = elicit(t, question);
	assert_str(o, "action", "cancel");
	assert_int_equal(asked.len, 0);
	json_object_put(o);
	task_group_finish(t, &group);
	json_object_put(other);
}

static void a_question_of_an_unknown_call_reaches_nobody(void **state)
{
	(void)state;
	with_servers(LEGACY, asks_while_two_calls_run);
}

static void wants_pages(struct task *t)
{
	static const char *const done[] = {"#1", NULL};

	await_state(t, "ready");
	with_person();
	answers = done;
	struct json_object *o = call_tool(t, "s__pages", "x");
	assert_str(o, "content", "visited");
	assert_holds(asked.data, "`https://mcp.example.com/connect`");
	json_object_put(o);
}

static void a_call_follows_the_pages_that_it_requires(void **state)
{
	(void)state;
	with_servers(LEGACY, wants_pages);
}

#define HEAD(status, type) "HTTP/1.1 " status "\r\nContent-Type: " type "\r\nConnection: close\r\n\r\n"

static struct json_object *outcome;
static struct raw_server *server;

static void asks_over_http(struct task *t)
{
	static const char *const names[] = {"Ann", NULL};

	await_state(t, "ready");
	with_person();
	answers = names;
	/* The last connection of the greeting wants a stream of the server's own. */
	task_until(t, raw_server_connections(server) >= 5);
	outcome = call_tool(t, "s__echo", "x");
}

/* The question comes on the stream of the call, and its answer as a message of its own. */
static void a_server_over_http_asks_on_the_stream_of_the_call(void **state)
{
	static const struct raw_step
	    not_modern[] = {READ, SEND(HEAD("400 Bad Request", "application/json")), END},
	    welcome[] = {READ,
		SEND(HEAD("200 OK",
		    "application/json") "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocolVersion\":"
					"\"2025-11-25\",\"capabilities\":{\"tools\":{}}}}"),
		END},
	    taken[] = {READ, SEND(HEAD("202 Accepted", "text/plain")), END},
	    tools[] = {READ,
		SEND(HEAD("200 OK",
		    "application/json") "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":"
					"\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}}"),
		END},
	    none[] = {READ, SEND(HEAD("405 Method Not Allowed", "text/plain")), END},
	    asks[] = {READ,
		SEND(HEAD("200 OK",
		    "text/event-stream") "retry: 2000\nid: 1\ndata: "
					 "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"elicitation/create\","
					 "\"params\":{\"message\":\"Who?\",\"requestedSchema\":{\"type\":"
					 "\"object\",\"properties\":{\"n\":{\"type\":\"string\"}}}}}\n\n"),
		END},
	    again[] = {READ,
		SEND(HEAD("200 OK",
		    "text/event-stream") "data: {\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[{"
					 "\"type\":\"text\",\"text\":\"hello\"}]}}\n\n"),
		END};
	const struct raw_step *scripts[] = {not_modern, welcome, taken, tools, none, asks, taken, again};
	server = raw_server_new(NULL, scripts, ARRAY_LEN(scripts));
	char *list = xasprintf("s: { url = \"http://127.0.0.1:%u/mcp\"; };", raw_server_port(server));

	(void)state;
	with_servers(list, asks_over_http);
	assert_str(outcome, "content", "hello");
	assert_holds(asked.data, "```\nWho?\n```");
	json_object_put(outcome);
	raw_server_free(server);
	free(list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_legacy_server_asks, begin, end),
	    cmocka_unit_test_setup_teardown(a_modern_server_asks, begin, end),
	    cmocka_unit_test_setup_teardown(without_an_answer_it_is_cancelled, begin, end),
	    cmocka_unit_test_setup_teardown(where_nobody_can_be_asked_it_is_declined, begin, end),
	    cmocka_unit_test_setup_teardown(servers_know_whether_they_may_ask, begin, end),
	    cmocka_unit_test_setup_teardown(what_cannot_be_asked_is_refused, begin, end),
	    cmocka_unit_test_setup_teardown(the_time_of_a_call_does_not_run_meanwhile, begin, end),
	    cmocka_unit_test_setup_teardown(a_question_ends_when_its_server_no_longer_waits, begin, end),
	    cmocka_unit_test_setup_teardown(a_stop_cancels_it, begin, end),
	    cmocka_unit_test_setup_teardown(a_question_of_an_unknown_call_reaches_nobody, begin, end),
	    cmocka_unit_test_setup_teardown(a_call_follows_the_pages_that_it_requires, begin, end),
	    cmocka_unit_test_setup_teardown(a_server_over_http_asks_on_the_stream_of_the_call, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
