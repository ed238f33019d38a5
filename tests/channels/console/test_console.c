/* Terminals as a channel, on the real bus with a journal in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/journal_memory.h"
#include "channels/console/chat.h"
#include "channels/console/console.h"
#include "net/loop.h"
#include "lib/until.h"

#define RECEIVED_MAX 16

static struct journal_memory *memory;
static struct bus *bus;
static struct channel *console;
static struct message *received[RECEIVED_MAX];
static size_t received_count, delivered;

static void keep(void *arg, struct message *m)
{
	(void)arg;
	assert_true(received_count < RECEIVED_MAX);
	received[received_count++] = m;
}

static void count(void *arg, const struct outbound *row)
{
	(void)arg;
	(void)row;
	delivered++;
}

static void open_bus(struct task *t)
{
	struct bus_handler handler = {.received = keep, .delivered = count};
	struct journal journal = journal_memory_face(memory);

	bus = bus_new(&journal, &handler);
	console = bus_add_channel(bus, "console", &console_ops, NULL);
	assert_int_equal(bus_resume(t, bus, NULL), 0);
	assert_int_equal(console_ops.start(console, NULL, NULL), 0);
}

static void (*the_body)(struct task *t);

static void run_body(struct task *t, void *arg)
{
	(void)arg;
	open_bus(t);
	the_body(t);
	bus_free(t, bus);
}

/* Each test is a task with a fresh console. */
static void run(void (*body)(struct task *t))
{
	loop_init();
	memory = journal_memory_new();
	the_body = body;
	task_run("test", run_body, NULL);
	journal_memory_free(memory);
	for (size_t i = 0; i < received_count; i++)
		message_free(received[i]);
	received_count = delivered = 0;
	assert_int_equal(task_count(), 0);
}

#define CONSOLE_TEST(name)                       \
	static void name##_body(struct task *t); \
	static void name(void **state)           \
	{                                        \
		(void)state;                     \
		run(name##_body);                \
	}                                        \
	static void name##_body(struct task *t)

static int say(struct task *t, const char *id, const char *text, struct error *err)
{
	struct console_input words = {
	    .chat = "ann", .text = text, .id = id, .user = "ann", .terminal = "tty1"};

	return console_receive(t, console, &words, err);
}

/* What a terminal does: it asks, and asks again from where it stands. */
struct terminal {
	char *next;
	struct json_object *news;
};

static struct json_object *look(struct task *t, struct terminal *terminal, uint64_t wait_ms)
{
	struct console_poll watch = {.chat = "ann", .after = terminal->next, .wait_ms = wait_ms};
	struct json_object *news = console_poll(t, console, &watch, NULL);

	assert_non_null(news);
	json_object_put(terminal->news);
	terminal->news = news;
	free(terminal->next);
	terminal->next = xstrdup(json_get_str(news, "next"));
	return news;
}

static void leave(struct terminal *terminal)
{
	json_object_put(terminal->news);
	free(terminal->next);
	*terminal = (struct terminal){0};
}

static struct json_object *event(struct json_object *news, size_t i)
{
	return json_object_array_get_idx(json_get_array(news, "events"), i);
}

static size_t events(struct json_object *news)
{
	return json_object_array_length(json_get_array(news, "events"));
}

/* Looks until there is an event. */
static struct json_object *look_for_event(struct task *t, struct terminal *terminal)
{
	for (uint64_t end = clock_now() + 15000; clock_now() < end;)
		if (events(look(t, terminal, 1000)) > 0)
			return event(terminal->news, 0);
	fail_msg("no event came");
	return NULL;
}

static int64_t answer(struct task *t, const char *text, const char *reply_to)
{
	struct address to;
	size_t parts;

	assert_int_equal(address_set(&to, "console", "ann", NULL, NULL), 0);
	struct outbound **rows = bus_rows(bus, &to, OUTBOUND_REPLY, text, reply_to, NULL, 0, &parts, NULL);
	assert_int_equal(parts, 1);
	assert_int_equal(bus_send(t, bus, rows, parts, NULL), 0);
	int64_t id = rows[0]->id;
	bus_rows_free(rows, parts);
	return id;
}

static enum outbound_state state_of(struct task *t, int64_t id, uint64_t ms)
{
	struct outbound *row = bus_await(t, bus, id, ms, NULL);
	if (row->state == OUTBOUND_SENDING || row->state == OUTBOUND_QUEUED) {
		outbound_free(row);
		row = bus_await(t, bus, id, 0, NULL);
	}
	enum outbound_state state = row->state;

	outbound_free(row);
	return state;
}

CONSOLE_TEST(words_are_a_message_of_the_operator)
{
	assert_int_equal(say(t, "m1", "hello", NULL), 0);
	assert_int_equal(received_count, 1);
	assert_string_equal(received[0]->text, "hello");
	assert_string_equal(received[0]->from.chat, "ann");
	assert_string_equal(received[0]->message_id, "m1");
	assert_string_equal(received[0]->sender_id, "ann");
	assert_true(received[0]->addressed);
	assert_int_equal(received[0]->chat_kind, CHAT_PRIVATE);
}

CONSOLE_TEST(words_that_are_said_again_are_taken_once)
{
	struct terminal other = {0};

	look(t, &other, 0);
	assert_int_equal(say(t, "m1", "hello", NULL), 0);
	assert_int_equal(say(t, "m1", "hello", NULL), 0);
	assert_int_equal(received_count, 1);
	assert_int_equal(events(look(t, &other, 1000)), 1);
	leave(&other);
}

CONSOLE_TEST(words_are_not_confirmed_when_the_store_fails)
{
	struct error disk = {.kind = ERROR_OURS, .text = "the disk is full"}, err = {0};

	journal_memory_fail_next(memory, &disk);
	assert_int_equal(say(t, "m1", "hello", &err), -1);
	assert_int_equal(err.kind, ERROR_NETWORK); /* it may be said again */
	assert_int_equal(say(t, "m1", "hello", NULL), 0);
	assert_int_equal(received_count, 1);
}

CONSOLE_TEST(what_is_no_message_is_refused)
{
	static const struct console_input wrong[] = {
	    {.chat = "ann", .text = "hello"},
	    {.chat = "ann", .text = "hello", .id = ""},
	    {.chat = "ann", .text = "hello", .id = "a b"},
	    {.chat = "ann", .text = " \n", .id = "m1"},
	    {.chat = "ann", .id = "m1"},
	    {.chat = "ann", .text = "\xff", .id = "m1"},
	    {.chat = "a b", .text = "hello", .id = "m1"},
	    {.chat = "a/b", .text = "hello", .id = "m1"},
	    {.text = "hello", .id = "m1"},
	    {.chat = "ann", .text = "hello", .id = "m1", .user = "a\nb"},
	};

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct error err = {0};
		assert_int_equal(console_receive(t, console, &wrong[i], &err), -1);
		assert_int_equal(err.kind, ERROR_OURS);
		assert_true(*err.text != '\0');
	}
	assert_int_equal(received_count, 0);
}

CONSOLE_TEST(an_answer_is_sent_when_a_terminal_has_confirmed_it)
{
	struct terminal terminal = {0};

	look(t, &terminal, 0);
	int64_t id = answer(t, "391", "m1");
	struct json_object *e = look_for_event(t, &terminal);
	assert_string_equal(json_get_str(e, "kind"), "message");
	assert_string_equal(json_get_str(e, "text"), "391");
	assert_string_equal(json_get_str(e, "reply_to"), "m1");
	assert_int_equal(json_get_int(e, "row", 0), id);
	assert_int_equal(state_of(t, id, 50), OUTBOUND_SENDING);
	assert_int_equal(events(look(t, &terminal, 0)), 0);
	assert_int_equal(state_of(t, id, 5000), OUTBOUND_SENT);
	leave(&terminal);
}

CONSOLE_TEST(an_answer_waits_for_the_next_terminal)
{
	struct terminal terminal = {0};
	int64_t id = answer(t, "391", "m1");

	assert_int_equal(state_of(t, id, 100), OUTBOUND_QUEUED);
	look_for_event(t, &terminal);
	look(t, &terminal, 0);
	assert_int_equal(state_of(t, id, 5000), OUTBOUND_SENT);
	leave(&terminal);
	/* Only once. */
	assert_int_equal(events(look(t, &terminal, 200)), 0);
	leave(&terminal);
}

CONSOLE_TEST(an_answer_that_a_terminal_took_along_is_shown_again_with_a_mark)
{
	struct terminal gone = {0}, next = {0};

	look(t, &gone, 0);
	int64_t id = answer(t, "391", "m1");
	look_for_event(t, &gone);
	leave(&gone);
	task_until(t, state_of(t, id, 0) == OUTBOUND_QUEUED);
	struct json_object *e = look_for_event(t, &next);
	assert_string_equal(json_get_str(e, "text"), "391");
	assert_true(json_get_bool(e, "repeat", false));
	look(t, &next, 0);
	assert_int_equal(state_of(t, id, 5000), OUTBOUND_SENT);
	leave(&next);
}

CONSOLE_TEST(a_late_confirmation_counts_and_nothing_is_shown_twice)
{
	struct terminal terminal = {0};

	look(t, &terminal, 0);
	int64_t id = answer(t, "391", "m1");
	look_for_event(t, &terminal);
	task_until(t, state_of(t, id, 0) == OUTBOUND_QUEUED);
	assert_int_equal(events(look(t, &terminal, 300)), 0);
	assert_int_equal(state_of(t, id, 5000), OUTBOUND_SENT);
	leave(&terminal);
}

CONSOLE_TEST(terminals_of_a_chat_see_the_same_and_of_another_nothing)
{
	struct terminal one = {0}, two = {0};
	struct console_poll other = {.chat = "bea", .wait_ms = 0};

	look(t, &one, 0);
	look(t, &two, 0);
	assert_int_equal(say(t, "m1", "hello", NULL), 0);
	answer(t, "391", "m1");
	assert_string_equal(json_get_str(look_for_event(t, &one), "kind"), "said");
	assert_string_equal(json_get_str(look_for_event(t, &one), "text"), "391");
	assert_string_equal(json_get_str(look_for_event(t, &two), "terminal"), "tty1");
	if (events(two.news) == 1)
		look_for_event(t, &two);
	struct json_object *last = event(two.news, events(two.news) - 1);
	assert_string_equal(json_get_str(last, "text"), "391");
	struct json_object *news = console_poll(t, console, &other, NULL);
	assert_int_equal(events(news), 0);
	json_object_put(news);
	leave(&one);
	leave(&two);
}

CONSOLE_TEST(a_terminal_of_an_earlier_start_gets_all_that_happened_since)
{
	struct terminal terminal = {.next = xstrdup("1234-99-3")}, fresh = {0};

	look(t, &fresh, 0);
	int64_t id = answer(t, "391", "m1");
	look_for_event(t, &fresh);
	look(t, &fresh, 0);
	assert_int_equal(state_of(t, id, 5000), OUTBOUND_SENT);
	assert_string_equal(json_get_str(look_for_event(t, &terminal), "text"), "391");
	leave(&terminal);
	leave(&fresh);
}

CONSOLE_TEST(an_answer_is_seen_as_it_grows_until_it_is_there)
{
	struct terminal terminal = {0};
	struct preview p = {.reply_to = xstrdup("m1"), .text = BUF_INIT};

	assert_int_equal(address_set(&p.where, "console", "ann", NULL, NULL), 0);
	look(t, &terminal, 0);
	assert_int_equal(console_ops.typing(t, console, &p.where, NULL), 0);
	assert_true(json_get_bool(look(t, &terminal, 1000), "typing", false));
	buf_addstr(&p.text, "17 * ");
	assert_true(console_ops.preview(t, console, &p, NULL) > 0);
	struct json_object *preview = json_get_object(look(t, &terminal, 1000), "preview");
	assert_string_equal(json_get_str(preview, "text"), "17 * ");
	assert_string_equal(json_get_str(preview, "reply_to"), "m1");
	assert_int_equal(p.shown_len, p.text.len);
	answer(t, "a word in between", "m0");
	assert_string_equal(json_get_str(look_for_event(t, &terminal), "text"), "a word in between");
	assert_non_null(json_get_object(terminal.news, "preview"));
	look(t, &terminal, 0);
	answer(t, "17 * 23 = 391", "m1");
	look_for_event(t, &terminal);
	assert_null(json_get_object(terminal.news, "preview"));
	assert_false(json_get_bool(terminal.news, "typing", true));
	leave(&terminal);
	buf_clear(&p.text);
	free(p.reply_to);
}

static void watch_long(struct task *t, void *arg)
{
	struct console_poll watch = {.chat = "ann", .after = arg, .wait_ms = 60000};
	struct error err = {0};

	assert_null(console_poll(t, console, &watch, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
}

CONSOLE_TEST(a_terminal_that_leaves_while_it_waits_is_gone_at_once)
{
	struct terminal terminal = {0};
	struct task_group group;

	look(t, &terminal, 0);
	task_group_init(&group);
	task_start(&group, "watch", watch_long, terminal.next);
	task_turns(t, 3);
	task_group_finish(t, &group);
	int64_t id = answer(t, "391", "m1");
	assert_int_equal(state_of(t, id, 100), OUTBOUND_QUEUED);
	leave(&terminal);
}

CONSOLE_TEST(a_bad_chat_is_refused_and_a_bad_place_is_a_new_one)
{
	struct console_poll watch = {.chat = "a b"};
	struct terminal terminal = {.next = xstrdup("rubbish")};
	struct error err = {0};

	assert_null(console_poll(t, console, &watch, &err));
	assert_int_equal(err.kind, ERROR_OURS);
	assert_int_equal(events(look(t, &terminal, 0)), 0);
	leave(&terminal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_a_message_of_the_operator),
	    cmocka_unit_test(words_that_are_said_again_are_taken_once),
	    cmocka_unit_test(words_are_not_confirmed_when_the_store_fails),
	    cmocka_unit_test(what_is_no_message_is_refused),
	    cmocka_unit_test(an_answer_is_sent_when_a_terminal_has_confirmed_it),
	    cmocka_unit_test(an_answer_waits_for_the_next_terminal),
	    cmocka_unit_test(an_answer_that_a_terminal_took_along_is_shown_again_with_a_mark),
	    cmocka_unit_test(a_late_confirmation_counts_and_nothing_is_shown_twice),
	    cmocka_unit_test(terminals_of_a_chat_see_the_same_and_of_another_nothing),
	    cmocka_unit_test(a_terminal_of_an_earlier_start_gets_all_that_happened_since),
	    cmocka_unit_test(an_answer_is_seen_as_it_grows_until_it_is_there),
	    cmocka_unit_test(a_terminal_that_leaves_while_it_waits_is_gone_at_once),
	    cmocka_unit_test(a_bad_chat_is_refused_and_a_bad_place_is_a_new_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
