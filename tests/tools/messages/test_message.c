#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"
#include "tools/tools_fixture.h"

/* A platform whose sends end as the test says, by the chat that they go to. */
enum end { SENT, AWAY, DOUBT, REFUSED, NO_CHAT, SLOW };

static const struct {
	const char *chat;
	enum end end;
} ends[] = {
    {"away", AWAY},
    {"doubt", DOUBT},
    {"refused", REFUSED},
    {"gone", NO_CHAT},
    {"slow", SLOW},
};

static struct tools_fixture w;
static struct journal_memory *memory;
static struct buf sent; /* "channel:chat/thread text" of all that was shown, one a line */
static size_t sends;
/* A part with this text is refused; NULL: none. */
static const char *refused_part;
static struct address here;

static enum end end_of(const struct outbound *row)
{
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (strcmp(ends[i].chat, row->to.chat) == 0)
			return ends[i].end;
	return refused_part && strcmp(row->text, refused_part) == 0 ? REFUSED : SENT;
}

static int send_row(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	enum end end = end_of(row);
	char where[ADDRESS_TEXT_MAX];

	(void)ch;
	sends++;
	if (task_sleep(t, end == SLOW ? 3600 * 1000 : 2, err) < 0) {
		err->uncertain = true;
		return -1;
	}
	if (end == AWAY)
		error_set(err, ERROR_NETWORK, "the platform is away");
	else if (end == DOUBT)
		error_set(err, ERROR_NETWORK, "the connection broke");
	else if (end == REFUSED)
		error_set(err, ERROR_REFUSED, "the text is too rude (400 Bad Request: rude)");
	else if (end == NO_CHAT)
		error_set(err, ERROR_REFUSED, "the bot knows no such chat (400 Bad Request: chat not found)");
	err->uncertain = end == DOUBT;
	if (err->kind != ERROR_NONE)
		return -1;
	buf_addf(&sent, "%s %s\n", address_format(&row->to, where), row->text);
	*platform_id = xasprintf("m%zu", sends);
	return 0;
}

static const struct channel_ops platform = {
    FAKE_CHANNEL("double"),
    .send = send_row,
};

static void ignore_message(void *arg, struct message *m)
{
	(void)arg;
	message_free(m);
}

static void open_bus(void)
{
	const struct bus_handler handler = {.received = ignore_message};
	struct journal journal = journal_memory_face(memory);
	static const char *const names[] = {"slack", "telegram"};

	w.call.bus = bus_new(&journal, &handler);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_int_equal(
		    fake_channel_start(bus_add_channel(w.call.bus, names[i], &platform, NULL), NULL, NULL),
		    0);
}

/* Time is moved on by a task beside the one that is tested, so that nothing is really waited for. */
struct clocked {
	task_fn *fn;
	void *arg;
	uint64_t took_ms;
};

static void clocked_task(struct task *t, void *arg)
{
	struct clocked *c = arg;
	uint64_t began = clock_now();

	c->fn(t, c->arg);
	c->took_ms = clock_now() - began;
}

static void move_clock(struct task *t, void *arg)
{
	struct task_group group;

	task_group_init(&group);
	task_start(&group, "clocked", clocked_task, arg);
	while (!task_group_is_empty(&group)) {
		for (int i = 0; i < 20; i++)
			task_yield(t, NULL);
		clock_advance(50);
	}
}

/* Runs fn: how many milliseconds that would have taken. */
static uint64_t run(task_fn *fn, void *arg)
{
	struct clocked c = {.fn = fn, .arg = arg};

	task_run("clock", move_clock, &c);
	return c.took_ms;
}

static void close_bus(struct task *t, void *arg)
{
	(void)arg;
	bus_free(t, w.call.bus);
	w.call.bus = NULL;
}

static int set_up(void **state)
{
	(void)state;
	clock_fake(1700000000000, 1);
	sent = (struct buf)BUF_INIT;
	sends = 0;
	refused_part = NULL;
	tools_fixture_init(&w);
	tools_fixture_open(&w,
	    "channels: { slack: { type = \"slack\"; }; telegram: { type = \"telegram\"; }; };\n"
	    "targets: { ops = [\"slack:C024BE91L\", \"telegram:-100123/42\"]; one = [\"slack:away\"]; slow = "
	    "[\"slack:slow\"];\n"
	    "mixed = [\"slack:C1\", \"slack:refused\", \"slack:away\"]; bad = [\"slack:refused\", "
	    "\"telegram:gone\"];\n"
	    "gone = [\"telegram:gone\"]; doubt = [\"telegram:doubt\"]; several = [\"slack:away\", "
	    "\"slack:slow\", \"telegram:away\"]; };",
	    "", NULL);
	memory = journal_memory_new();
	open_bus();
	assert_int_equal(address_set(&here, "telegram", "77", NULL, NULL), 0);
	w.call.chat = &here;
	w.call.turn = 5;
	w.call.call_id = "call_1";
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (w.call.bus)
		run(close_bus, NULL);
	journal_memory_free(memory);
	tools_fixture_clear(&w);
	buf_clear(&sent);
	return 0;
}

struct call {
	const char *args;
	struct json_object *result;
};

static void call_message(struct task *t, void *arg)
{
	struct call *c = arg;

	c->result = tools_fixture_run_in(t, &w, "message", c->args);
}

static struct json_object *message(const char *args)
{
	struct call c = {.args = args};

	run(call_message, &c);
	return c.result;
}

static void refused(const char *args, const char *code, const char *cause)
{
	struct json_object *o = message(args);

	assert_failure(o, code, cause);
	json_object_put(o);
}

static void a_sent_message_has_its_id_and_length(void **state)
{
	(void)state;
	struct json_object *o = message("{\"channel\": \"slack\", \"chat_id\": \"C024BE91L\", \"content\": "
					"\"Build completed successfully.\"}");
	assert_str(o, "status", "sent");
	assert_str(o, "channel", "slack");
	assert_str(o, "chat_id", "C024BE91L");
	assert_str(o, "message_id", "m1");
	assert_int(o, "content_length", 29);
	assert_int_equal(json_object_object_length(o), 5);
	assert_string_equal(sent.data, "slack:C024BE91L Build completed successfully.\n");
	json_object_put(o);
}

static void length_is_in_bytes(void **state)
{
	(void)state;
	struct json_object *o = message(
	    "{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"\xc3\xa9\xf0\x9f\x98\x80\"}");
	assert_int(o, "content_length", 6);
	json_object_put(o);
}

static void a_thread_is_where_it_goes(void **state)
{
	(void)state;
	struct json_object *o = message(
	    "{\"channel\": \"telegram\", \"chat_id\": \"-100123\", \"thread\": \"42\", \"content\": \"x\"}");
	assert_str(o, "status", "sent");
	assert_str(o, "thread", "42");
	assert_string_equal(sent.data, "telegram:-100123/42 x\n");
	json_object_put(o);
}

static void an_address_text_is_a_target(void **state)
{
	(void)state;
	struct json_object *o = message("{\"target\": \"telegram:-100123/42\", \"content\": \"x\"}");
	assert_str(o, "status", "sent");
	assert_str(o, "chat_id", "-100123");
	json_object_put(o);
}

static void a_target_of_several_has_one_row_each(void **state)
{
	(void)state;
	struct json_object *o = message("{\"target\": \"ops\", \"content\": \"done\"}"),
			   *rows = json_get_array(o, "results");
	assert_str(o, "status", "sent");
	assert_int_equal(json_object_object_length(o), 2);
	assert_int_equal(json_object_array_length(rows), 2);
	assert_str(json_object_array_get_idx(rows, 0), "channel", "slack");
	assert_str(json_object_array_get_idx(rows, 0), "status", "sent");
	assert_int(json_object_array_get_idx(rows, 0), "content_length", 4);
	assert_str(json_object_array_get_idx(rows, 1), "chat_id", "-100123");
	assert_str(json_object_array_get_idx(rows, 1), "thread", "42");
	assert_non_null(json_get_str(json_object_array_get_idx(rows, 1), "message_id"));
	json_object_put(o);
}

static void rows_tell_where_it_failed(void **state)
{
	(void)state;
	struct json_object *o = message("{\"target\": \"mixed\", \"content\": \"x\"}"),
			   *rows = json_get_array(o, "results");
	struct json_object *row = json_object_array_get_idx(rows, 1);
	assert_str(o, "status", "failed");
	assert_null(json_get(o, "error_code"));
	assert_holds(json_get_str(o, "message"), "only where it failed");
	assert_str(json_object_array_get_idx(rows, 0), "status", "sent");
	assert_str(row, "status", "failed");
	assert_str(row, "error_code", "TOOL_FAILED");
	assert_holds(json_get_str(row, "error"), "the text is too rude");
	assert_str(json_object_array_get_idx(rows, 2), "status", "queued");
	json_object_put(o);
}

static void when_nobody_could_be_reached_it_is_a_failure(void **state)
{
	(void)state;
	struct json_object *o = message("{\"target\": \"bad\", \"content\": \"x\"}");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_int_equal(
	    json_object_array_length(json_get_array(json_get_object(o, "context"), "results")), 2);
	json_object_put(o);
}

static void what_the_platform_does_not_take_in_time_is_queued(void **state)
{
	struct call c = {.args = "{\"target\": \"one\", \"content\": \"x\"}"};

	(void)state;
	uint64_t took = run(call_message, &c);
	assert_str(c.result, "status", "queued");
	assert_null(json_get(c.result, "message_id"));
	assert_holds(json_get_str(c.result, "message"), "the platform is away.");
	assert_in_range(took, 5000, 5200);
	json_object_put(c.result);
}

static void several_share_one_wait(void **state)
{
	struct call c = {.args = "{\"target\": \"several\", \"content\": \"x\"}"};

	(void)state;
	assert_in_range(run(call_message, &c), 5000, 5200);
	assert_str(c.result, "status", "queued");
	json_object_put(c.result);
}

static void what_may_have_arrived_is_uncertain(void **state)
{
	(void)state;
	struct json_object *o = message("{\"target\": \"doubt\", \"content\": \"x\"}");
	assert_str(o, "status", "uncertain");
	assert_holds(json_get_str(o, "message"),
	    "the connection broke. It may have arrived: check before sending it again.");
	assert_null(json_get(o, "error_code"));
	json_object_put(o);
}

static void a_refusal_has_the_platforms_words(void **state)
{
	(void)state;
	w.call.operator= true;
	struct json_object *o =
	    message("{\"channel\": \"slack\", \"chat_id\": \"refused\", \"content\": \"x\"}");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_holds(json_get_str(o, "error"), "the text is too rude (400 Bad Request: rude).");
	assert_str(json_get_object(o, "context"), "chat_id", "refused");
	json_object_put(o);
}

static void a_chat_that_the_platform_does_not_know_is_not_found(void **state)
{
	(void)state;
	struct json_object *o = message("{\"target\": \"gone\", \"content\": \"x\"}");
	assert_failure(o, "NOT_FOUND", "TARGET_NOT_FOUND");
	assert_holds(json_get_str(o, "error"), "chat not found");
	assert_holds(json_get_str(o, "error"),
	    "Known channels: slack, telegram. Known targets: ops, one, slow, mixed, bad, gone, doubt, "
	    "several.");
	json_object_put(o);
}

static void a_part_that_is_refused_tells_the_outcome(void **state)
{
	(void)state;
	refused_part = "b";
	struct json_object *o =
	    message("{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"a|b|c\"}");
	assert_failure(o, "TOOL_FAILED", NULL);
	assert_holds(json_get_str(o, "error"),
	    "too rude (400 Bad Request: rude). This is part 2 of 3: what comes before it was sent");
	assert_string_equal(sent.data, "telegram:77 a\n");
	json_object_put(o);
	refused_part = "c";
	w.call.call_id = "call_2";
	o = message("{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"x|b|c\"}");
	assert_holds(json_get_str(o, "error"), "This is part 3 of 3: what comes before it was sent");
	json_object_put(o);
}

static void all_parts_are_sent(void **state)
{
	(void)state;
	struct json_object *o =
	    message("{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"a|b|c\"}");
	assert_str(o, "status", "sent");
	assert_int(o, "content_length", 5);
	assert_string_equal(sent.data, "telegram:77 a\ntelegram:77 b\ntelegram:77 c\n");
	json_object_put(o);
}

static void unknown_recipients_are_answered_with_the_known_ones(void **state)
{
	static const struct {
		const char *args, *says;
	} cases[] = {
	    {"{\"channel\": \"fax\", \"chat_id\": \"1\", \"content\": \"x\"}",
		"There is no channel \"fax\". Known channels: slack, telegram. Known targets: ops, one, "
		"slow, mixed, bad, gone, doubt, several."},
	    {"{\"target\": \"fax:1\", \"content\": \"x\"}",
		"There is no channel \"fax\". Known channels: slack, telegram."},
	    {"{\"target\": \"opps\", \"content\": \"x\"}", "There is no target \"opps\". Name one of these"},
	    {"{\"target\": \"opps\", \"content\": \"x\"}",
		"ops, one, slow, mixed, bad, gone, doubt, several."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_object *o = message(cases[i].args);
		assert_failure(o, "NOT_FOUND", "TARGET_NOT_FOUND");
		assert_holds(json_get_str(o, "error"), cases[i].says);
		json_object_put(o);
	}
	assert_int_equal(sends, 0);
}

static void arguments_that_name_nobody_are_refused(void **state)
{
	static const struct {
		const char *args, *cause, *says;
	} cases[] = {
	    {"{\"content\": \"x\"}", "MISSING", "missing 'channel', or 'target'."},
	    {"{\"channel\": \"slack\", \"content\": \"x\"}", "MISSING", "missing 'chat_id'."},
	    {"{\"chat_id\": \"1\", \"content\": \"x\"}", "MISSING", "missing 'channel'"},
	    {"{\"channel\": \"slack\", \"chat_id\": \"1\"}", "MISSING", "missing 'content'. message takes"},
	    {"{\"target\": \"ops\", \"channel\": \"slack\", \"content\": \"x\"}", NULL,
		"'target' stands in place of"},
	    {"{\"target\": \"ops\", \"chat_id\": \"1\", \"content\": \"x\"}", NULL,
		"'target' stands in place of"},
	    {"{\"target\": \"ops\", \"thread\": \"1\", \"content\": \"x\"}", NULL,
		"'target' stands in place of"},
	    {"{\"channel\": \"slack\", \"chat_id\": \"\", \"content\": \"x\"}", "RANGE",
		"an address needs a chat"},
	    {"{\"channel\": \"slack\", \"chat_id\": \"a b\", \"content\": \"x\"}", "RANGE", "holds a blank"},
	    {"{\"channel\": \"slack\", \"chat_id\": \"a/b\", \"content\": \"x\"}", "RANGE", "holds no '/'"},
	    {"{\"target\": \"slack:\", \"content\": \"x\"}", "RANGE", "'target': an address needs a chat"},
	    {"{\"target\": \":1\", \"content\": \"x\"}", "RANGE", "'target': an address begins with"},
	    {"{\"channel\": \"slack\", \"chat_id\": 5, \"content\": \"x\"}", "TYPE",
		"'chat_id' must be a string."},
	    {"{\"channel\": \"slack\", \"chat_id\": \"1\", \"content\": \"\"}", "RANGE",
		"'content' is blank."},
	    {"{\"channel\": \"slack\", \"chat_id\": \"1\", \"content\": \" \\n\\t\\r\"}", "RANGE",
		"'content' is blank."},
	    {"{\"channel\": \"slack\", \"chat_id\": \"1\", \"content\": \"x\", \"text\": \"y\"}", "UNKNOWN",
		"unknown 'text'."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_object *o = message(cases[i].args);
		assert_failure(o, "INVALID_ARGUMENT", cases[i].cause);
		assert_holds(json_get_str(o, "error"), cases[i].says);
		json_object_put(o);
	}
	assert_int_equal(sends, 0);
}

static void expect_allowed(const char *args, bool allowed)
{
	struct json_object *o = message(args);

	if (allowed) {
		assert_str(o, "status", "sent");
	} else {
		assert_failure(o, "ACCESS_DENIED", "TARGET_NOT_ALLOWED");
		assert_holds(json_get_str(o, "error"),
		    "are not allowed from here. Ask an admin to list it under targets.");
	}
	json_object_put(o);
}

static void only_its_own_chat_and_listed_targets_may_be_written_to(void **state)
{
	(void)state;
	expect_allowed("{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"x\"}", true);
	expect_allowed(
	    "{\"channel\": \"telegram\", \"chat_id\": \"77\", \"thread\": \"9\", \"content\": \"x\"}", true);
	expect_allowed("{\"target\": \"telegram:77\", \"content\": \"x\"}", true);
	expect_allowed("{\"channel\": \"slack\", \"chat_id\": \"C024BE91L\", \"content\": \"x\"}", true);
	json_object_put(message("{\"target\": \"ops\", \"content\": \"x\"}"));
	assert_holds(sent.data, "telegram:-100123/42 x\n");
	size_t before = sends;
	expect_allowed("{\"channel\": \"telegram\", \"chat_id\": \"78\", \"content\": \"x\"}", false);
	expect_allowed("{\"channel\": \"slack\", \"chat_id\": \"77\", \"content\": \"x\"}", false);
	expect_allowed("{\"channel\": \"telegram\", \"chat_id\": \"-100123\", \"content\": \"x\"}", false);
	expect_allowed(
	    "{\"channel\": \"telegram\", \"chat_id\": \"-100123\", \"thread\": \"43\", \"content\": \"x\"}",
	    false);
	expect_allowed("{\"target\": \"slack:C02\", \"content\": \"x\"}", false);
	w.call.admin = true;
	expect_allowed("{\"target\": \"slack:C02\", \"content\": \"x\"}", false);
	w.call.chat = NULL;
	expect_allowed("{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"x\"}", false);
	assert_int_equal(sends, before);
	w.call.operator= true;
	expect_allowed("{\"target\": \"slack:C02\", \"content\": \"x\"}", true);
}

static void the_same_call_never_sends_twice(void **state)
{
	static const char args[] = "{\"target\": \"ops\", \"content\": \"a|b\"}";

	(void)state;
	struct json_object *first = message(args);
	assert_int_equal(sends, 4);
	struct json_object *again = message(args);
	assert_int_equal(sends, 4);
	assert_true(json_object_equal(first, again));
	json_object_put(first);
	json_object_put(again);
	/* Another call of the turn, and the same id in another turn, are other calls. */
	w.call.call_id = "call_2";
	json_object_put(message(args));
	assert_int_equal(sends, 8);
	w.call.turn = 6;
	json_object_put(message(args));
	assert_int_equal(sends, 12);
}

static void calls_without_a_turn_are_all_sent(void **state)
{
	(void)state;
	w.call.turn = 0;
	w.call.call_id = NULL;
	for (size_t i = 1; i <= 2; i++) {
		json_object_put(
		    message("{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"x\"}"));
		assert_int_equal(sends, i);
	}
}

static void without_a_gateway_there_is_no_chat(void **state)
{
	(void)state;
	run(close_bus, NULL);
	struct json_object *o = message("{\"channel\": \"slack\", \"chat_id\": \"1\", \"content\": \"x\"}");
	assert_failure(o, "UNAVAILABLE", "NO_CHAT");
	assert_holds(json_get_str(o, "error"), "myna run");
	json_object_put(o);
	/* What is wrong with the arguments is told all the same. */
	refused("{\"content\": \"x\"}", "INVALID_ARGUMENT", "MISSING");
}

static void what_cannot_be_stored_is_not_sent(void **state)
{
	struct error full = {.kind = ERROR_OURS, .text = "no space left."},
		     busy = {.kind = ERROR_LIMITED, .text = "too many."};
	static const char args[] = "{\"channel\": \"telegram\", \"chat_id\": \"77\", \"content\": \"x\"}";

	(void)state;
	journal_memory_fail_next(memory, &full);
	struct json_object *o = message(args);
	assert_failure(o, "UNAVAILABLE", NULL);
	assert_holds(json_get_str(o, "error"), "no space left. Nothing was sent");
	json_object_put(o);
	journal_memory_fail_next(memory, &busy);
	refused(args, "LIMIT_REACHED", "RATE");
	assert_int_equal(sends, 0);
}

static void send_slowly(struct task *t, void *arg)
{
	*(struct json_object **)arg =
	    tools_fixture_run_in(t, &w, "message", "{\"target\": \"slow\", \"content\": \"x\"}");
}

static void cancel_a_send(struct task *t, void *arg)
{
	struct task_group group;

	task_group_init(&group);
	task_start(&group, "tool", send_slowly, arg);
	while (sends == 0)
		task_yield(t, NULL);
	task_group_finish(t, &group);
}

static void a_stop_while_it_waits_says_that_it_goes_out(void **state)
{
	struct json_object *o;

	(void)state;
	run(cancel_a_send, &o);
	assert_failure(o, "INTERRUPTED", "STOPPED");
	assert_holds(json_get_str(o, "error"), "is stored and goes out all the same: do not send it again.");
	json_object_put(o);
}

#define MESSAGE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    MESSAGE_TEST(a_sent_message_has_its_id_and_length),
	    MESSAGE_TEST(length_is_in_bytes),
	    MESSAGE_TEST(a_thread_is_where_it_goes),
	    MESSAGE_TEST(an_address_text_is_a_target),
	    MESSAGE_TEST(a_target_of_several_has_one_row_each),
	    MESSAGE_TEST(what_may_have_arrived_is_uncertain),
	    MESSAGE_TEST(a_refusal_has_the_platforms_words),
	    MESSAGE_TEST(a_chat_that_the_platform_does_not_know_is_not_found),
	    MESSAGE_TEST(a_part_that_is_refused_tells_the_outcome),
	    MESSAGE_TEST(all_parts_are_sent),
	    MESSAGE_TEST(when_nobody_could_be_reached_it_is_a_failure),
	    MESSAGE_TEST(unknown_recipients_are_answered_with_the_known_ones),
	    MESSAGE_TEST(arguments_that_name_nobody_are_refused),
	    MESSAGE_TEST(only_its_own_chat_and_listed_targets_may_be_written_to),
	    MESSAGE_TEST(the_same_call_never_sends_twice),
	    MESSAGE_TEST(calls_without_a_turn_are_all_sent),
	    MESSAGE_TEST(without_a_gateway_there_is_no_chat),
	    MESSAGE_TEST(what_cannot_be_stored_is_not_sent),
	    MESSAGE_TEST(a_stop_while_it_waits_says_that_it_goes_out),
	    MESSAGE_TEST(rows_tell_where_it_failed),
	    MESSAGE_TEST(what_the_platform_does_not_take_in_time_is_queued),
	    MESSAGE_TEST(several_share_one_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
