/* Questions of the tool ask_user: who answers them and how, and what a stop, a crash or the time makes of
 * them. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus/buttons.h"
#include "lib/sql_tap.h"
#include "lib/stage_press.h"
#include "session/approval/approval_internal.h"
#include "session/approval/ask_user.h"
#include "session/session_internal.h"
#include "tools/services.h"
#include "tools/tools.h"

#define DATABASES                                               \
	"c1 ask_user {\"question\":\"Which database should we " \
	"use?\",\"options\":[\"PostgreSQL\",\"MySQL\",\"SQLite\"]}"
#define FRAMEWORK "c1 ask_user {\"question\":\"What testing framework do you prefer?\"}"
#define LONG \
	"an option that is longer than a button can show, because it says in very many words what it means"

/* Ann writes in the group 5; the model asks her this, and then answers. */
static void ask(struct task *t, struct stage *st, const char *call)
{
	stage_play(st, {.calls = call}, {.text = "done"});
	stage_say_in_group(t, st, "5", "77", "go");
	stage_until(t, stage_counts(t, st).outbox_queued == 0 && stage_lines(&st->shown) > 0);
}

static void press(struct task *t, struct stage *st, const char *person, size_t i, size_t of)
{
	char *id = stage_button(st, i, of);
	struct message *m = stage_press(stage_group_message(st, "5", person, id), "1");

	buf_reset(&st->pressed);
	stage_receive(t, st, &m, 1);
	stage_until(t, st->pressed.len > 0);
	free(id);
}

static void answered(struct task *t, struct stage *st, const char *result)
{
	stage_settle(t, st);
	assert_has(st->heard.data, result);
	assert_has(st->shown.data, ": done\n");
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 1"), 1);
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 0"), 0);
	/* The words of an answer are no message for another turn. */
	assert_int_equal(stage_number(st, "SELECT count(*) FROM turns"), 1);
}

STAGE_TEST(a_pressed_option_is_the_answer)
{
	ask(t, st, DATABASES);
	assert_has(st->shown.data, "5 >m1: Which database should we use?\n");
	press(t, st, "77", 0, 3);
	assert_string_equal(st->pressed.data, "-\n");
	answered(t, st, "tool c1: {\"answer\":\"PostgreSQL\"}");
	assert_has(st->edits.data, "PostgreSQL (by Ann)");
	press(t, st, "77", 1, 3);
	assert_string_equal(st->pressed.data, "This is decided already.\n");
}

STAGE_TEST(words_of_the_person_are_the_answer)
{
	ask(t, st, FRAMEWORK);
	assert_null(st->buttons);
	stage_say_in_group(t, st, "5", "77", " pytest\n");
	answered(t, st, "tool c1: {\"answer\":\"pytest\"}");
	assert_has(st->edits.data, "pytest (by Ann)");
	assert_int_equal(stage_number(st, "SELECT count(*) FROM inbox WHERE why = 'an answer'"), 1);
	/* What comes next is a message again. */
	stage_play(st, {.text = "next"});
	stage_say_in_group(t, st, "5", "77", "and now");
	stage_settle(t, st);
	assert_has(st->shown.data, ": next\n");
}

STAGE_TEST(words_beside_the_options_are_the_answer_too)
{
	ask(t, st, "c1 ask_user {\"question\":\"Which port?\",\"options\":[\"3000\",\"8080\"]}");
	stage_say_in_group(t, st, "5", "77", "9000");
	answered(t, st, "tool c1: {\"answer\":\"9000\"}");
}

static void beside_words_the_options_are_named_where_no_button_shows_them(void **state)
{
	static const char *const options[] = {"Skip", "Decline", "Stop"};
	const struct tool_question
	    one = {.text = "Your name?", .options = options, .option_count = 1, .free_text = true},
	    three = {.text = "Your name?", .options = options, .option_count = 3, .free_text = true};
	char *of_one = ask_user_text(&one, false, false), *of_three = ask_user_text(&three, false, false),
	     *buttons = ask_user_text(&three, true, false);

	(void)state;
	assert_string_equal(of_one, "Your name?\n\nOr answer with **Skip**.");
	assert_string_equal(of_three, "Your name?\n\nOr answer with **Skip**, **Decline** or **Stop**.");
	assert_string_equal(buttons, "Your name?");
	free(of_one);
	free(of_three);
	free(buttons);
}

STAGE_TEST(a_number_is_a_number_where_options_are_not_numbered)
{
	ask(t, st, "c1 ask_user {\"question\":\"More than one?\",\"options\":[\"Yes\",\"No\"]}");
	stage_say_in_group(t, st, "5", "77", "2");
	answered(t, st, "tool c1: {\"answer\":\"2\"}");
}

STAGE_TEST(options_that_no_button_can_show_are_answered_by_number)
{
	ask(t, st, "c1 ask_user {\"question\":\"Which?\",\"options\":[\"short\",\"" LONG "\"]}");
	assert_has(st->shown.data, "1. short\n2. an option that is longer");
	assert_has(st->shown.data, "Answer with a number, or in your own words.");
	stage_say_in_group(t, st, "5", "77", "2.");
	answered(t, st, "tool c1: {\"answer\":\"" LONG "\"}");
}

static void answer_in_own_words(struct task *t, struct stage *st, const char *words)
{
	char *result = xasprintf("tool c1: {\"answer\":\"%s\"}", words);

	ask(t, st, "c1 ask_user {\"question\":\"Which?\",\"options\":[\"short\",\"" LONG "\"]}");
	stage_say_in_group(t, st, "5", "77", words);
	answered(t, st, result);
	free(result);
}

STAGE_TEST(where_they_are_numbered_words_are_words)
{
	answer_in_own_words(t, st, "neither of them");
}

STAGE_TEST(where_they_are_numbered_a_number_with_words_is_words)
{
	answer_in_own_words(t, st, "2 days");
}

STAGE_TEST(where_they_are_numbered_another_number_is_words)
{
	answer_in_own_words(t, st, "3");
}

STAGE_TEST(and_by_buttons_that_have_the_numbers)
{
	ask(t, st, "c1 ask_user {\"question\":\"Which?\",\"options\":[\"short\",\"" LONG "\"]}");
	assert_has(st->buttons, "\"label\":\"2\"");
	press(t, st, "77", 1, 2);
	answered(t, st, "tool c1: {\"answer\":\"" LONG "\"}");
}

STAGE_TEST(others_do_not_answer)
{
	ask(t, st, DATABASES);
	st->script_count = 1;
	press(t, st, "78", 0, 3); /* an admin, but not who asked */
	assert_string_equal(st->pressed.data, "This question is for someone else.\n");
	press(t, st, "99", 0, 3);
	assert_string_equal(st->pressed.data, "You may not use this.\n");
	stage_say_in_group(t, st, "5", "78", "MySQL");
	stage_say_in_group(t, st, "6", "77", "MySQL"); /* another chat */
	stage_until(t, strstr(st->shown.data, "6 >m5: re: MySQL"));
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 0"), 1);
	stage_say_in_group(t, st, "5", "77", "SQLite");
	stage_settle(t, st);
	assert_int_equal(
	    stage_number(
		st, "SELECT count(*) FROM prompts WHERE state = 1 AND decider = '77' AND reason = 'SQLite'"),
	    1);
	/* What the other one wrote meanwhile had its own turn. */
	assert_has(st->shown.data, "5 >m4: re: MySQL");
}

STAGE_TEST(what_was_said_before_the_question_is_no_answer)
{
	stage_play(st, {.calls = DATABASES}, {.text = "done"});
	st->held = true;
	stage_say_in_group(t, st, "5", "77", "go");
	stage_until(t, st->asked == 1);
	stage_say_in_group(t, st, "5", "77", "MySQL");
	st->held = false;
	stage_until(t, stage_lines(&st->shown) > 0);
	stage_calm(t, st);
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 0"), 1);
	press(t, st, "77", 2, 3);
	stage_settle(t, st);
	assert_has(st->shown.data, "5 >m1: done\n");
	assert_has(st->shown.data, "5 >m2: re: MySQL\n");
}

STAGE_TEST(an_answer_does_not_interrupt_its_turn)
{
	stage_configure(t, st, "sessions: { queue = \"interrupt\"; };");
	ask(t, st, DATABASES);
	stage_say_in_group(t, st, "5", "77", "MySQL");
	answered(t, st, "tool c1: {\"answer\":\"MySQL\"}");
}

STAGE_TEST(a_wait_for_an_answer_costs_nothing)
{
	ask(t, st, FRAMEWORK);
	stage_rest(t);
	stage_say_in_group(t, st, "5", "78", "not for me"); /* it waits behind the question */
	stage_rest(t);
	stage_say_in_group(t, st, "5", "77", "pytest");
	stage_settle(t, st);
	assert_has(st->shown.data, ": done\n");
	stage_rest(t);
}

STAGE_TEST(a_command_is_no_answer)
{
	ask(t, st, FRAMEWORK);
	stage_say_in_group(t, st, "5", "77", "/whoami");
	stage_until(t, strstr(st->shown.data, "5 >m2: "));
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 0"), 1);
	stage_say_in_group(t, st, "5", "77", "pytest");
	answered(t, st, "tool c1: {\"answer\":\"pytest\"}");
}

STAGE_TEST(a_stop_withdraws_the_question)
{
	ask(t, st, DATABASES);
	stage_say_in_group(t, st, "5", "77", "/stop");
	stage_settle(t, st);
	stage_until(t, strstr(st->edits.data, "This is no longer needed."));
	press(t, st, "77", 0, 3);
	assert_string_equal(st->pressed.data, "It is too late to answer this.\n");
	assert_int_equal(
	    stage_number(st, "SELECT count(*) FROM prompts WHERE state = 2 AND way = 'stopped'"), 1);
	/* The chat goes on, and words are messages again. */
	stage_play(st, {.text = "again"});
	stage_say_in_group(t, st, "5", "77", "MySQL");
	stage_settle(t, st);
	assert_has(st->shown.data, ": again\n");
}

static void without_an_answer_in_time(struct task *t, struct stage *st)
{
	ask(t, st, DATABASES);
	stage_close(t, st);
	char *path = xasprintf("%s/myna.db", st->dir);
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db, "UPDATE prompts SET expires_ms = created_ms + 1", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	free(path);
	stage_play(st, {.text = "done"});
	stage_open(t, st);
	stage_settle(t, st);
	assert_has(st->heard.data, "Nobody answered. Take the safe course or end the turn.");
	assert_has(st->heard.data, "\"error_code\":\"TIMEOUT\"");
	stage_until(t, strstr(st->edits.data, "Nobody answered in time."));
}

STAGE_TEST(without_an_answer_in_time_the_model_is_told)
{
	without_an_answer_in_time(t, st);
}

/* Which question is over first cannot be read: who waits for this one ends it. */
STAGE_TEST(and_the_turn_itself_sees_that_the_time_is_over)
{
	sql_fail("OR ?1 IS NULL) ORDER BY expires_ms");
	without_an_answer_in_time(t, st);
	assert_true(sql_failed());
	sql_fail(NULL);
}

STAGE_TEST(the_same_question_stands_after_a_restart)
{
	ask(t, st, DATABASES);
	for (int i = 0; i < 5; i++) {
		stage_close(t, st);
		stage_play(st, {.text = "done"});
		stage_open(t, st);
		stage_until(t, stage_number(st, "SELECT attempts FROM turns WHERE state = 0") == 0);
	}
	assert_int_equal(count_of(st->shown.data, "Which database"), 1);
	press(t, st, "77", 2, 3);
	answered(t, st, "tool c1: {\"answer\":\"SQLite\"}");
}

STAGE_TEST(an_answer_that_came_while_the_process_was_down_counts)
{
	ask(t, st, DATABASES);
	stage_close(t, st);
	stage_play(st, {.text = "done"});
	/* Committed by a process that ended before it could do more. */
	char *path = xasprintf("%s/myna.db", st->dir);
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db,
		"INSERT INTO inbox (account, event_id, kind, channel, chat, thread, chat_kind, "
		"sender_is_chat, sender_is_bot, addressed, sent_ms, received_ms, message_id, "
		"sender_id, sender_name, text, id) SELECT 'chat:1', '900', 0, 'chat', '5', '', 1, "
		"0, 0, 1, 1, 1, 'm900', '77', 'Ann', 'MySQL', seq + 1 FROM sqlite_sequence "
		"WHERE name = 'inbox'; UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'inbox'",
		NULL, NULL, NULL),
	    SQLITE_OK);
	sqlite3_close(db);
	free(path);
	stage_open(t, st);
	answered(t, st, "tool c1: {\"answer\":\"MySQL\"}");
	assert_int_equal(count_of(st->shown.data, "Which database"), 1);
}

/* Lets the loop run, so many rounds. */
static void rounds(struct task *t, unsigned n)
{
	while (n-- > 0)
		task_sleep(t, 1, NULL);
}

static void crash_here(struct task *t, struct stage *st)
{
	struct error err = {0};

	stage_snapshot(st);
	stage_crash_quietly(t, st);
	/* What the model says next depends on whether its call was kept. */
	if (stage_number(st, "SELECT count(*) FROM transcript WHERE calls IS NOT NULL") > 0)
		stage_play(st, {.text = "done"});
	else
		stage_play(st, {.calls = DATABASES}, {.text = "done"});
	assert_int_equal(sessions_resume(t, st->sessions, &err), 0);
}

STAGE_TEST(a_crash_at_any_instant_neither_asks_twice_nor_loses_the_answer)
{
	for (unsigned n = 0; n < 24; n++) {
		stage_close(t, st);
		char *path = xasprintf("%s/myna.db", st->dir), *log = xasprintf("%s-wal", path);
		remove(path);
		remove(log);
		free(path);
		free(log);
		free(st->buttons);
		st->buttons = NULL;
		buf_reset(&st->shown);
		stage_open(t, st);
		stage_play(st, {.calls = DATABASES}, {.text = "done"});
		stage_say_in_group(t, st, "5", "77", "go");
		if (n < 12) {
			rounds(t, n);
			crash_here(t, st);
		}
		/* What was shown may be of the process that is gone. */
		stage_until(t, stage_number(st, "SELECT count(*) FROM prompts") == 1);
		stage_say_in_group(t, st, "5", "77", "MySQL");
		if (n >= 12) {
			rounds(t, (n - 12) / 2);
			crash_here(t, st);
		}
		answered(t, st, "tool c1: {\"answer\":\"MySQL\"}");
		assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts"), 1);
		/* Shown again only where the platform may not have got it. */
		assert_int_equal(
		    stage_number(st,
			"SELECT count(*) FROM outbox WHERE text LIKE 'Which database%' AND edit_of IS NULL"),
		    1);
	}
}

STAGE_TEST(a_press_that_a_crash_came_after_counts)
{
	for (unsigned n = 0; n < 6; n++) {
		free(st->buttons);
		st->buttons = NULL;
		buf_reset(&st->shown);
		ask(t, st, DATABASES);
		press(t, st, "77", 0, 3);
		rounds(t, n);
		crash_here(t, st);
		stage_settle(t, st);
		assert_has(st->heard.data, "tool c1: {\"answer\":\"PostgreSQL\"}");
		assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 1"), n + 1);
		assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts"), n + 1);
	}
}

/* Who waits for a person holds nobody up. */
STAGE_TEST(others_are_answered_while_a_question_stands)
{
	st->turns_at_once = 1;
	stage_configure(t, st, "");
	ask(t, st, DATABASES);
	st->script_count = 1;
	stage_say(t, st, "7", "hello");
	stage_until(t, strstr(st->shown.data, "7 >m2: re: hello"));
	stage_say_in_group(t, st, "5", "77", "MySQL");
	stage_settle(t, st);
	assert_int_equal(stage_number(st, "SELECT count(*) FROM turns WHERE state = 1"), 2);
}

/* What a tool asks until nobody wants the answer any more. */
struct asked {
	struct session *s;
	char call_id[16];
	bool over, ended;
	struct tool_reply reply;
};

static void ask_until_over(struct task *t, void *arg)
{
	struct asked *a = arg;
	const struct tool_call call = {.turn = a->s->runner.turn->row.id, .call_id = a->call_id};
	const struct tool_question q = {
	    .text = "Your name?", .ms = 3600 * 1000, .once = true, .over = &a->over};
	struct error err;

	assert_int_equal(ask_person(t, a->s, &call, &q, &a->reply, &err), 0);
	a->ended = true;
}

/* More steps of the store than it takes to ask and begin to wait. */
#define ASKING_STEPS 10

/* Those who asked are woken, and whatever they were about, that is soon enough. */
STAGE_TEST(what_nobody_wants_to_know_any_more_is_withdrawn_at_once)
{
	stage_play(st, {.calls = "c1 look {\"what\":\"it\"}"}, {.text = "done"});
	st->tools_held = true;
	stage_say_in_group(t, st, "5", "77", "go");
	stage_until(t, st->ran.len > 0);
	struct message *m = stage_group_message(st, "5", "77", "");
	for (int n = 0; n <= ASKING_STEPS; n++) {
		struct asked a = {.s = session_find(st->sessions, &m->from)};

		snprintf(a.call_id, sizeof(a.call_id), "c1#%d", n);
		struct task *task = task_start(NULL, "question", ask_until_over, &a);
		for (int i = 0; i < n; i++)
			stage_counts(t, st);
		a.over = true;
		task_wake(task);
		stage_calm(t, st);
		assert_true(a.ended);
		assert_int_equal(a.reply.kind, TOOL_REPLY_WITHDRAWN);
	}
	message_free(m);
	st->tools_held = false;
	stage_settle(t, st);
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 2 AND way = 'stopped'"),
	    ASKING_STEPS + 1);
}

STAGE_TEST(a_question_of_a_channel_that_is_taken_at_the_second_try_stands_once)
{
	ask(t, st, DATABASES);
	stage_snapshot(st);
	stage_crash_quietly(t, st);
	stage_play(st, {.text = "done"});
	st->channel->gained = true;
	sql_fail("FROM turns JOIN sessions");
	assert_int_equal(sessions_take_channels(t, st->sessions, NULL), -1);
	sql_fail(NULL);
	assert_int_equal(sessions_take_channels(t, st->sessions, NULL), 0);
	st->channel->gained = false;
	stage_say_in_group(t, st, "5", "77", "MySQL");
	answered(t, st, "tool c1: {\"answer\":\"MySQL\"}");
	struct message *m = stage_group_message(st, "5", "77", "and now");
	m->id = INT64_MAX;
	assert_false(ask_user_accepts(st->sessions, m));
	message_free(m);
}

STAGE_TEST(what_is_asked_between_two_tries_to_take_a_channel_is_not_withdrawn)
{
	stage_play(st, {.calls = "c1 look {\"what\":\"it\"}"}, {.text = "done"});
	st->tools_held = true;
	stage_say_in_group(t, st, "5", "77", "go");
	stage_until(t, st->ran.len > 0);
	struct message *m = stage_group_message(st, "5", "77", "");
	struct asked a = {.s = session_find(st->sessions, &m->from), .call_id = "c1#1"};
	struct task *task = task_start(NULL, "question", ask_until_over, &a);
	stage_until(t, stage_number(st, "SELECT count(*) FROM prompts WHERE state = 0") == 1);
	st->channel->gained = true;
	assert_int_equal(sessions_take_channels(t, st->sessions, NULL), 0);
	st->channel->gained = false;
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 0"), 1);
	a.over = true;
	task_wake(task);
	stage_until(t, a.ended);
	message_free(m);
	st->tools_held = false;
	stage_settle(t, st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_pressed_option_is_the_answer),
	    cmocka_unit_test(words_of_the_person_are_the_answer),
	    cmocka_unit_test(words_beside_the_options_are_the_answer_too),
	    cmocka_unit_test(beside_words_the_options_are_named_where_no_button_shows_them),
	    cmocka_unit_test(a_number_is_a_number_where_options_are_not_numbered),
	    cmocka_unit_test(options_that_no_button_can_show_are_answered_by_number),
	    cmocka_unit_test(where_they_are_numbered_words_are_words),
	    cmocka_unit_test(where_they_are_numbered_a_number_with_words_is_words),
	    cmocka_unit_test(where_they_are_numbered_another_number_is_words),
	    cmocka_unit_test(and_by_buttons_that_have_the_numbers),
	    cmocka_unit_test(others_do_not_answer),
	    cmocka_unit_test(what_was_said_before_the_question_is_no_answer),
	    cmocka_unit_test(an_answer_does_not_interrupt_its_turn),
	    cmocka_unit_test(a_wait_for_an_answer_costs_nothing),
	    cmocka_unit_test(a_command_is_no_answer),
	    cmocka_unit_test(a_stop_withdraws_the_question),
	    cmocka_unit_test(without_an_answer_in_time_the_model_is_told),
	    cmocka_unit_test(and_the_turn_itself_sees_that_the_time_is_over),
	    cmocka_unit_test(the_same_question_stands_after_a_restart),
	    cmocka_unit_test(an_answer_that_came_while_the_process_was_down_counts),
	    cmocka_unit_test(a_crash_at_any_instant_neither_asks_twice_nor_loses_the_answer),
	    cmocka_unit_test(a_press_that_a_crash_came_after_counts),
	    cmocka_unit_test(others_are_answered_while_a_question_stands),
	    cmocka_unit_test(what_nobody_wants_to_know_any_more_is_withdrawn_at_once),
	    cmocka_unit_test(a_question_of_a_channel_that_is_taken_at_the_second_try_stands_once),
	    cmocka_unit_test(what_is_asked_between_two_tries_to_take_a_channel_is_not_withdrawn),
	};

	return cmocka_run_group_tests_name("ask", tests, NULL, NULL);
}
