/* /undo and /retry: what the model sees afterwards, what is said, and crashes before and behind them. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"

static void expect_transcript(struct task *t, struct stage *st, const char *wanted)
{
	char *all = stage_transcript(t, st, "7");

	assert_string_equal(all, wanted);
	free(all);
}

static void say_and_settle(struct task *t, struct stage *st, const char *text)
{
	stage_say(t, st, "7", text);
	stage_settle(t, st);
}

STAGE_TEST(undo_takes_the_last_exchange_back_and_says_which)
{
	say_and_settle(t, st, "first");
	say_and_settle(t, st, "second *thing*\nand more");
	say_and_settle(t, st, "/undo");
	assert_has(st->shown.data,
	    "7 >m3: I no longer see your last message in this conversation, \"second \\*thing\\*…\", nor my "
	    "answer");
	expect_transcript(t, st, "user: first\nassistant: re: first\n");
	say_and_settle(t, st, "third");
	assert_has(st->heard.data, "user: first\nassistant: re: first\nuser: third\n");
	say_and_settle(t, st, "/undo");
	say_and_settle(t, st, "/undo");
	say_and_settle(t, st, "/undo");
	assert_has(st->shown.data, "\"third\"");
	assert_has(st->shown.data, "\"first\"");
	assert_has(st->shown.data, "7 >m7: There is nothing to take back");
	expect_transcript(t, st, "");
}

STAGE_TEST(undo_of_a_turn_with_tools_takes_all_of_it)
{
	stage_play(st, {.calls = "c1 look {\"what\":\"here\"}"}, {.text = "seen"});
	say_and_settle(t, st, "look around");
	say_and_settle(t, st, "/undo");
	expect_transcript(t, st, "");
	say_and_settle(t, st, "next");
	assert_string_equal(st->heard.data, "user: next\n");
}

static void say_in_group(struct task *t, struct stage *st, const char *who, const char *text)
{
	stage_say_in_group(t, st, "-100", who, text);
	stage_settle(t, st);
}

STAGE_TEST(undo_of_what_somebody_else_said_in_a_group_is_for_admins)
{
	static char ann[] = "77", eve[] = "79", *users[] = {ann, eve};

	st->access.allow = (struct config_strings){users, 2};
	say_in_group(t, st, "77", "first");
	say_in_group(t, st, "79", "/undo");
	assert_has(st->shown.data, "-100 >m2: The last message here is not yours alone.");
	say_in_group(t, st, "77", "/undo");
	assert_has(
	    st->shown.data, "-100 >m3: I no longer see your last message in this conversation, \"first\"");
	say_in_group(t, st, "77", "second");
	say_in_group(t, st, "78", "/undo");
	assert_has(
	    st->shown.data, "-100 >m5: I no longer see the last message in this conversation, \"second\"");
}

STAGE_TEST(undo_is_refused_while_a_turn_runs)
{
	say_and_settle(t, st, "first");
	st->held = true;
	stage_say(t, st, "7", "second");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "/undo");
	stage_say(t, st, "7", "/retry");
	stage_await(t, st, 3);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m3: I am working on an answer here.");
	assert_has(st->shown.data, "7 >m4: I am working on an answer here.");
	expect_transcript(t, st, "user: first\nassistant: re: first\nuser: second\nassistant: re: second\n");
}

STAGE_TEST(retry_answers_the_last_message_again_in_place_of_the_old_answer)
{
	stage_play(st, {.text = "one"}, {.text = "wrong"}, {.text = "right"});
	say_and_settle(t, st, "first");
	say_and_settle(t, st, "second");
	say_and_settle(t, st, "/retry");
	assert_string_equal(st->shown.data, "7 >m1: one\n7 >m2: wrong\n7 >m3: right\n");
	assert_string_equal(st->heard.data, "user: first\nassistant: one\nuser: second\n");
	expect_transcript(t, st, "user: first\nassistant: one\nuser: second\nassistant: right\n");
	say_and_settle(t, st, "/retry");
	expect_transcript(t, st, "user: first\nassistant: one\nuser: second\nassistant: re: second\n");
}

STAGE_TEST(retry_of_nothing_says_so)
{
	say_and_settle(t, st, "/retry");
	assert_string_equal(
	    st->shown.data, "7 >m1: There is no message of yours that I could answer again.\n");
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(retry_of_what_somebody_else_said_in_a_group_is_refused)
{
	say_in_group(t, st, "77", "first");
	say_in_group(t, st, "78", "/retry");
	say_in_group(t, st, "77", "/retry");
	assert_string_equal(st->shown.data,
	    "-100 >m1: re: first\n-100 >m2: There is no message of yours that I could answer again.\n"
	    "-100 >m3: re: first\n");
}

STAGE_TEST(stop_ends_a_retry_and_what_waits_goes_on)
{
	stage_play(st, {.text = "one"}, {.text = "never", .takes_ms = 60000});
	say_and_settle(t, st, "first");
	stage_say(t, st, "7", "/retry");
	stage_until(t, st->asked == 2);
	stage_say(t, st, "7", "second");
	say_and_settle(t, st, "/stop");
	assert_has(st->shown.data, "7 >m4: Stopped. 1 more message is waiting");
	assert_has(st->shown.data, "7 >m3: re: second\n");
}

STAGE_TEST(crashes_before_and_behind_do_it_once)
{
	static const char *const commands[] = {"/undo", "/retry"};

	for (size_t i = 0; i < 2; i++) {
		for (int k = 0; k < 12; k++) {
			say_and_settle(t, st, "/new");
			say_and_settle(t, st, "first");
			say_and_settle(t, st, "second");
			buf_reset(&st->shown);
			stage_say(t, st, "7", commands[i]);
			for (int n = 0; n < k * 8; n++)
				task_yield(t, NULL);
			stage_snapshot(st);
			stage_crash(t, st);
			stage_settle(t, st);
			expect_transcript(t, st,
			    i == 0 ?
				"user: first\nassistant: re: first\n" :
				"user: first\nassistant: re: first\nuser: second\nassistant: re: second\n");
			/* What was sent before the crash may be sent once more, and says so. */
			assert_has(st->shown.data, i == 0 ? "I no longer see" : "re: second");
			assert_lacks(st->shown.data, "working on");
		}
	}
	assert_lacks(st->log.data, " error ");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(undo_takes_the_last_exchange_back_and_says_which),
	    cmocka_unit_test(undo_of_a_turn_with_tools_takes_all_of_it),
	    cmocka_unit_test(undo_of_what_somebody_else_said_in_a_group_is_for_admins),
	    cmocka_unit_test(undo_is_refused_while_a_turn_runs),
	    cmocka_unit_test(retry_answers_the_last_message_again_in_place_of_the_old_answer),
	    cmocka_unit_test(retry_of_nothing_says_so),
	    cmocka_unit_test(retry_of_what_somebody_else_said_in_a_group_is_refused),
	    cmocka_unit_test(stop_ends_a_retry_and_what_waits_goes_on),
	    cmocka_unit_test(crashes_before_and_behind_do_it_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
