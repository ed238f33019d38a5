/* What becomes of messages that come while one is answered: the four queue modes, /queue, crashes in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sql_tap.h"
#include "lib/stage.h"
#include "store/turn/turns.h"

/* A turn that looks before it answers, so that there is a step at which it can be told something. */
static void play_look(struct stage *st)
{
	st->tools_held = true;
	stage_play(st, {.calls = "c1 look {\"what\":\"here\"}"}, {.text = "seen"});
}

static void set_mode(struct task *t, struct stage *st, const char *mode)
{
	char *text = xasprintf("sessions: { queue = \"%s\"; };\n", mode);

	stage_configure(t, st, text);
	free(text);
}

/* The conversation has these words so often. */
static void expect_in_transcript(struct task *t, struct stage *st, const char *words, size_t times)
{
	char *all = stage_transcript(t, st, "7");

	if (count_of(all, words) != times)
		fail_msg("\"%s\" is not %zu times in:\n%s", words, times, all);
	free(all);
}

static void expect_nothing_open(struct task *t, struct stage *st)
{
	struct store_counts c = stage_counts(t, st);

	assert_int_equal(c.inbox_pending, 0);
	assert_int_equal(c.turns_open, 0);
}

/* --- steer */

STAGE_TEST(a_message_that_comes_while_a_tool_runs_is_told_at_the_next_request)
{
	set_mode(t, st, "steer");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "and quickly");
	st->tools_held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m2: seen\n");
	assert_has(st->heard.data, "user: look around\nassistant:  [c1 look");
	assert_has(st->heard.data, "tool c1: {\"seen\":\"here\"}\nuser: and quickly\n");
	assert_int_equal(st->asked, 2);
	expect_in_transcript(t, st, "[c1 look", 1);
	expect_in_transcript(t, st, "user: and quickly", 1);
	expect_nothing_open(t, st);
}

STAGE_TEST(all_that_waits_joins_in_its_order)
{
	set_mode(t, st, "steer");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "one");
	stage_say(t, st, "7", "two");
	st->tools_held = false;
	stage_settle(t, st);
	assert_has(st->heard.data, "user: one\ntwo\n");
	assert_string_equal(st->shown.data, "7 >m3: seen\n");
}

static void allow_all(struct stage *st)
{
	static char all[] = "*", *ids[] = {all};

	st->access.allow = (struct config_strings){ids, 1};
}

#define STEER "sessions: { queue = \"steer\"; };\n"

STAGE_TEST(what_joins_counts_as_a_turn_of_its_sender)
{
	allow_all(st);
	stage_configure(t, st, STEER "budgets = ( { scope = \"person\"; turns = 1; } );");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say_by(t, st, "7", "79", "and quickly");
	st->tools_held = false;
	stage_settle(t, st);
	assert_has(st->heard.data, "user: and quickly\n");
	assert_has(st->shown.data, "seen\n");
	stage_say_by(t, st, "9", "79", "hello");
	stage_settle(t, st);
	assert_has(st->shown.data, "9 >m3: Your own budget is used up: 1 of 1 turn today.");
}

STAGE_TEST(who_has_no_budget_left_does_not_end_the_turn_of_another)
{
	allow_all(st);
	stage_configure(t, st, STEER "budgets = ( { scope = \"person\"; of = [\"chat:79\"]; turns = 1; } );");
	stage_say_by(t, st, "9", "79", "hello");
	stage_settle(t, st);
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say_by(t, st, "7", "79", "and quickly");
	st->tools_held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m2: seen\n7 >m3: Your own budget is used up: 1 of 1 turn today.");
	expect_nothing_open(t, st);
}

/* More than a session keeps in memory. */
static void say_many(struct task *t, struct stage *st)
{
	for (int i = 1; i <= 50; i++) {
		char words[16];
		snprintf(words, sizeof(words), "n%d.", i);
		stage_say(t, st, "7", words);
	}
}

static void expect_many_once(struct task *t, struct stage *st)
{
	for (int i = 1; i <= 50; i++) {
		char words[16];
		snprintf(words, sizeof(words), "n%d.", i);
		expect_in_transcript(t, st, words, 1);
	}
}

STAGE_TEST(what_memory_does_not_hold_joins_too)
{
	set_mode(t, st, "steer");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	say_many(t, st);
	st->tools_held = false;
	stage_settle(t, st);
	assert_int_equal(st->asked, 2);
	assert_has(st->heard.data, "n50.\n");
	assert_string_equal(st->shown.data, "7 >m51: seen\n");
	expect_many_once(t, st);
	expect_nothing_open(t, st);
}

/* What waits in the journal cannot be read for a while. */
STAGE_TEST(a_turn_waits_for_what_it_cannot_read_and_goes_on)
{
	set_mode(t, st, "steer");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	say_many(t, st);
	sql_fail("FROM inbox WHERE state = 0 AND channel");
	st->tools_held = false;
	stage_until(t, strstr(st->log.data, "a turn waits because the store failed"));
	assert_int_equal(st->asked, 1);
	sql_fail(NULL);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m51: seen\n");
	expect_many_once(t, st);
	expect_nothing_open(t, st);
}

STAGE_TEST(what_comes_behind_the_last_request_is_the_next_turn)
{
	set_mode(t, st, "steer");
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "second");
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m2: re: second\n");
	expect_in_transcript(t, st, "user: second", 1);
}

STAGE_TEST(in_the_mode_queue_nothing_joins)
{
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "later");
	st->tools_held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: seen\n7 >m2: re: later\n");
}

STAGE_TEST(commands_and_what_stands_behind_new_do_not_join)
{
	set_mode(t, st, "steer");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "/new");
	stage_say(t, st, "7", "hello");
	st->tools_held = false;
	stage_settle(t, st);
	expect_in_transcript(t, st, "user: hello", 1);
	expect_in_transcript(t, st, "look around", 0);
}

STAGE_TEST(stop_ends_a_turn_that_others_joined)
{
	set_mode(t, st, "steer");
	st->tools_held = true;
	stage_play(st, {.calls = "c1 look {\"what\":\"here\"}"}, {.text = "never", .takes_ms = 60000});
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "quick");
	st->tools_held = false;
	stage_until(t, st->asked == 2);
	stage_say(t, st, "7", "/stop");
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m3: Stopped.\n");
	expect_in_transcript(t, st, "user: quick", 1);
}

/* A crash as the model is asked the second time, and as the tool runs with a message waiting. */
static void snapshot_once(struct stage *st, const char *what)
{
	if (strcmp(what, st->own) != 0 || (strcmp(what, "ask") == 0 && st->asked != 2))
		return;
	stage_snapshot(st);
	st->hook = NULL;
}

STAGE_TEST(a_crash_behind_the_join_loses_and_doubles_nothing)
{
	static char ask[] = "ask";

	set_mode(t, st, "steer");
	play_look(st);
	st->own = ask;
	st->hook = snapshot_once;
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "quick");
	st->tools_held = false;
	stage_until(t, !st->hook);
	stage_crash(t, st);
	stage_settle(t, st);
	expect_in_transcript(t, st, "user: quick", 1);
	expect_in_transcript(t, st, "assistant: re: quick", 1);
	expect_nothing_open(t, st);
}

STAGE_TEST(a_message_that_waits_at_a_crash_joins_the_turn_that_goes_on)
{
	set_mode(t, st, "steer");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "quick");
	st->tools_held = false;
	stage_snapshot(st);
	stage_crash(t, st);
	stage_settle(t, st);
	assert_has(st->heard.data, "user: quick\n");
	assert_int_equal(count_of(st->shown.data, "re: quick"), 1);
	expect_in_transcript(t, st, "user: quick", 1);
	expect_nothing_open(t, st);
}

STAGE_TEST(stops_at_any_instant_lose_and_double_nothing)
{
	for (int i = 0; i < 20; i++) {
		char words[16];
		set_mode(t, st, i % 2 ? "steer" : "collect");
		stage_play(st, {.calls = "c1 look {\"what\":\"here\",\"ms\":3}"}, {.text = "seen"},
		    {.text = "seen"}, {.text = "seen"});
		stage_say(t, st, "7", "look around");
		for (int k = 0; k < i * 6; k++)
			task_yield(t, NULL);
		snprintf(words, sizeof(words), "also %d.", i);
		stage_say(t, st, "7", words);
		for (int k = 0; k < i * 2; k++)
			task_yield(t, NULL);
		stage_snapshot(st);
		stage_crash(t, st);
		stage_settle(t, st);
		expect_in_transcript(t, st, words, 1);
		expect_nothing_open(t, st);
	}
	assert_lacks(st->log.data, " error ");
}

STAGE_TEST(a_turn_that_somebody_else_joined_is_of_several)
{
	struct turn turn;

	st->access.group = ACCESS_GROUP_ALL;
	set_mode(t, st, "steer");
	play_look(st);
	stage_say_by(t, st, "7", "78", "look around");
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "and delete all");
	st->tools_held = false;
	st->held = true;
	stage_until(t, st->asking == 1);
	stage_snapshot(st);
	stage_crash_quietly(t, st);
	stage_resume(t, st, "7", &turn);
	assert_true(turn_is_of_several(&turn));
	assert_string_equal(turn.row.asked->sender_id, "77");
	store_turn_clear(&turn.row);
	st->held = false;
}

/* --- collect */

STAGE_TEST(all_that_waited_becomes_one_turn)
{
	set_mode(t, st, "collect");
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "one");
	stage_say(t, st, "7", "two");
	stage_say(t, st, "7", "three");
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m4: re: one\ntwo\nthree\n");
	expect_nothing_open(t, st);
}

STAGE_TEST(what_several_wrote_says_who_wrote_it)
{
	set_mode(t, st, "collect");
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "one");
	stage_say_by(t, st, "7", "78", "two");
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(count_of(st->told.data, ", Ann]\n"), 2);
	assert_int_equal(st->asked, 2);
}

STAGE_TEST(what_waits_at_a_stop_is_collected_after_the_start)
{
	set_mode(t, st, "collect");
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	for (int i = 0; i < 40; i++)
		stage_say(t, st, "7", "more");
	stage_close(t, st);
	st->held = false;
	stage_open(t, st);
	stage_settle(t, st);
	/* At most 32 at once. */
	assert_int_equal(st->asked, 1 + 3);
	expect_in_transcript(t, st, "user: more\n", 2);
	expect_in_transcript(t, st, "more\n", 2 * 40); /* said, and repeated by the answers */
}

/* --- interrupt */

STAGE_TEST(the_next_message_ends_the_turn_and_is_answered)
{
	set_mode(t, st, "interrupt");
	stage_play(st, {.text = "never", .takes_ms = 60000});
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "second");
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m2: re: second\n");
	expect_in_transcript(t, st, "(interrupted by the next message)", 1);
	expect_nothing_open(t, st);
}

STAGE_TEST(interruptions_at_any_instant_answer_the_last)
{
	set_mode(t, st, "interrupt");
	for (int i = 0; i < 100; i++) {
		char words[16];
		st->model_ms = (uint64_t)i % 3;
		snprintf(words, sizeof(words), "n%d.", i);
		stage_say(t, st, "7", words);
		for (int k = 0; k < i % 23; k++)
			task_yield(t, NULL);
	}
	stage_settle(t, st);
	assert_has(st->shown.data, "n99.\n");
	expect_in_transcript(t, st, "user: n0.", 1);
	expect_nothing_open(t, st);
	assert_lacks(st->log.data, " error ");
}

STAGE_TEST(a_message_that_waits_at_a_stop_interrupts_what_it_meant)
{
	stage_play(st, {.text = "never", .takes_ms = 60000});
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "second");
	set_mode(t, st, "interrupt");
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m2: re: second\n");
	expect_nothing_open(t, st);
}

/* --- /queue */

STAGE_TEST(the_mode_of_a_chat_is_set_told_and_kept)
{
	stage_say(t, st, "7", "/queue steer");
	stage_settle(t, st);
	stage_close(t, st);
	stage_open(t, st);
	stage_say(t, st, "7", "/queue");
	stage_say(t, st, "8", "/queue");
	stage_settle(t, st);
	stage_say(t, st, "7", "/queue default");
	stage_settle(t, st);
	stage_say(t, st, "7", "/queue");
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m1: Mode steer: ");
	assert_has(st->shown.data, "7 >m2: Mode steer, set for this chat: ");
	assert_has(st->shown.data, "8 >m3: Mode queue: ");
	assert_has(st->shown.data, "7 >m4: Mode queue: ");
	assert_has(st->shown.data, "7 >m5: Mode queue: ");
	assert_has(st->shown.data, "Nothing waits.");
}

STAGE_TEST(the_mode_tells_what_waits_and_counts_from_the_next_message_on)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "one");
	stage_say(t, st, "7", "two");
	stage_say(t, st, "7", "/queue");
	stage_say(t, st, "7", "/queue collect");
	stage_await(t, st, 2);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "2 messages wait.\n");
	assert_has(st->shown.data, "re: one\ntwo\n");
}

STAGE_TEST(in_a_group_admins_alone_set_it)
{
	static const char *const who[] = {"77", "78"};

	for (size_t i = 0; i < 2; i++) {
		struct message *m = stage_message(st, "-100", "/queue steer");
		m->chat_kind = CHAT_GROUP;
		free(m->sender_id);
		m->sender_id = xstrdup(who[i]);
		stage_receive(t, st, &m, 1);
	}
	stage_say(t, st, "7", "/queue fast");
	stage_settle(t, st);
	assert_has(st->shown.data, "-100 >m1: In a group only admins can set this.");
	assert_has(st->shown.data, "-100 >m2: Mode steer: ");
	assert_has(st->shown.data, "7 >m3: MODE is one of steer, queue, collect");
}

STAGE_TEST(a_mode_that_was_set_before_a_crash_is_answered_once)
{
	struct message *m = stage_message(st, "7", "/queue steer");

	stage_receive(t, st, &m, 1);
	stage_snapshot(st);
	stage_crash(t, st);
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "Mode steer: "), 1);
	stage_snapshot(st);
	stage_crash(t, st);
	stage_say(t, st, "7", "/queue");
	stage_settle(t, st);
	assert_has(st->shown.data, "Mode steer, set for this chat");
}

STAGE_TEST(the_mode_follows_its_chat_to_another_id)
{
	struct journal_move move = {.channel = "chat", .old_chat = "-7", .new_chat = "-100"};
	struct error err = {0};

	stage_say_by(t, st, "-7", "78", "/queue collect");
	stage_settle(t, st);
	bus_note_move(st->bus, &move);
	assert_int_equal(bus_move_chat(t, st->bus, &move, &err), 0);
	stage_say(t, st, "-100", "/queue");
	stage_settle(t, st);
	assert_has(st->shown.data, "Mode collect, set for this chat");
	buf_reset(&st->shown);
	stage_close(t, st);
	stage_open(t, st);
	stage_say(t, st, "-100", "/queue");
	stage_settle(t, st);
	assert_has(st->shown.data, "Mode collect, set for this chat");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_message_that_comes_while_a_tool_runs_is_told_at_the_next_request),
	    cmocka_unit_test(all_that_waits_joins_in_its_order),
	    cmocka_unit_test(what_joins_counts_as_a_turn_of_its_sender),
	    cmocka_unit_test(who_has_no_budget_left_does_not_end_the_turn_of_another),
	    cmocka_unit_test(what_memory_does_not_hold_joins_too),
	    cmocka_unit_test(a_turn_waits_for_what_it_cannot_read_and_goes_on),
	    cmocka_unit_test(what_comes_behind_the_last_request_is_the_next_turn),
	    cmocka_unit_test(in_the_mode_queue_nothing_joins),
	    cmocka_unit_test(commands_and_what_stands_behind_new_do_not_join),
	    cmocka_unit_test(stop_ends_a_turn_that_others_joined),
	    cmocka_unit_test(a_crash_behind_the_join_loses_and_doubles_nothing),
	    cmocka_unit_test(a_message_that_waits_at_a_crash_joins_the_turn_that_goes_on),
	    cmocka_unit_test(stops_at_any_instant_lose_and_double_nothing),
	    cmocka_unit_test(a_turn_that_somebody_else_joined_is_of_several),
	    cmocka_unit_test(all_that_waited_becomes_one_turn),
	    cmocka_unit_test(what_several_wrote_says_who_wrote_it),
	    cmocka_unit_test(what_waits_at_a_stop_is_collected_after_the_start),
	    cmocka_unit_test(the_next_message_ends_the_turn_and_is_answered),
	    cmocka_unit_test(interruptions_at_any_instant_answer_the_last),
	    cmocka_unit_test(a_message_that_waits_at_a_stop_interrupts_what_it_meant),
	    cmocka_unit_test(the_mode_of_a_chat_is_set_told_and_kept),
	    cmocka_unit_test(the_mode_tells_what_waits_and_counts_from_the_next_message_on),
	    cmocka_unit_test(in_a_group_admins_alone_set_it),
	    cmocka_unit_test(a_mode_that_was_set_before_a_crash_is_answered_once),
	    cmocka_unit_test(the_mode_follows_its_chat_to_another_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
