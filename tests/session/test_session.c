/* Chats: order, waiting, edits, commands in every state, restarts and crashes. Each message is answered
 * once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus/bus_internal.h"
#include "lib/sql_tap.h"
#include "lib/stage.h"
#include "session/queue.h"

static void say_all(struct task *t, struct stage *st, const char *chat, const char *word, int from, int to)
{
	for (int i = from; i <= to; i++) {
		char text[32];
		snprintf(text, sizeof(text), "%s%d", word, i);
		stage_say(t, st, chat, text);
	}
}

/* These answers were shown, in this order, and nothing else. */
static void expect_answers(const struct stage *st, const char *word, int from, int to)
{
	const char *at = st->shown.data;

	for (int i = from; i <= to; i++) {
		char text[32];
		snprintf(text, sizeof(text), "re: %s%d\n", word, i);
		at = strstr(at, text);
		if (!at)
			fail_msg("\"%s\" is missing or late in:\n%s", text, st->shown.data);
	}
	assert_int_equal(stage_lines(&st->shown), (size_t)(to - from + 1));
}

/* Nothing of the work that was done says that something went wrong. */
static void expect_quiet_log(const struct stage *st)
{
	assert_lacks(st->log.data, " error ");
	assert_lacks(st->log.data, " warn agent");
}

/* --- order and waiting */

STAGE_TEST(messages_of_a_chat_are_answered_in_order_one_at_a_time)
{
	st->model_ms = 2;
	say_all(t, st, "7", "n", 1, 10);
	stage_settle(t, st);
	expect_answers(st, "n", 1, 10);
	assert_int_equal(st->max_asking, 1);
}

STAGE_TEST(different_chats_and_threads_are_answered_at_the_same_time)
{
	static const char *const chats[] = {"7", "8", "-100", "-100/1", "-100/2"};

	st->held = true;
	for (size_t i = 0; i < ARRAY_LEN(chats); i++)
		stage_say(t, st, chats[i], "hello");
	stage_until(t, st->asking == ARRAY_LEN(chats));
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(st->max_asking, ARRAY_LEN(chats));
	assert_has(st->shown.data, "-100/1 >m4: re: hello\n");
}

STAGE_TEST(turns_at_once_are_limited_and_chats_take_turns)
{
	stage_close(t, st);
	st->turns_at_once = 1;
	stage_open(t, st);
	st->held = true;
	say_all(t, st, "7", "a", 1, 3);
	say_all(t, st, "8", "b", 1, 2);
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(st->max_asking, 1);
	assert_string_equal(
	    st->shown.data, "7 >m1: re: a1\n8 >m4: re: b1\n7 >m2: re: a2\n8 >m5: re: b2\n7 >m3: re: a3\n");
}

static void allow_all(struct stage *st)
{
	static char all[] = "*", *ids[] = {all};

	st->access.allow = (struct config_strings){ids, 1};
}

STAGE_TEST(a_person_with_slow_turns_everywhere_leaves_slots_to_others)
{
	stage_close(t, st);
	st->turns_at_once = 6;
	stage_open(t, st);
	allow_all(st);
	st->held = true;
	for (int i = 1; i <= 9; i++) {
		char thread[32];
		snprintf(thread, sizeof(thread), "-100/%d", i);
		stage_say(t, st, thread, "slow");
	}
	stage_until(t, st->asking == 3);
	stage_calm(t, st);
	assert_int_equal(st->asking, 3);
	stage_say_by(t, st, "78", "78", "hello");
	stage_say_by(t, st, "79", "79", "hello");
	stage_say_by(t, st, "80", "80", "hello");
	stage_until(t, st->asking == 6);
	assert_has(st->asked_by.data, "hello\n");
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(stage_lines(&st->shown), 12);
}

STAGE_TEST(who_has_no_turn_is_before_those_who_waited_longer)
{
	stage_close(t, st);
	st->turns_at_once = 2;
	stage_open(t, st);
	allow_all(st);
	st->held = true;
	stage_say_by(t, st, "78", "78", "other");
	stage_say(t, st, "1", "first");
	stage_until(t, st->asking == 2);
	stage_say(t, st, "2", "second");
	stage_say(t, st, "3", "third");
	stage_calm(t, st);
	stage_say_by(t, st, "79", "79", "late");
	stage_calm(t, st);
	stage_say_by(t, st, "78", "78", "/stop");
	stage_until(t, strstr(st->asked_by.data, "late"));
	assert_lacks(st->asked_by.data, "second");
	st->held = false;
	stage_settle(t, st);
}

static void note_doing(void *arg, const struct session_view *view)
{
	buf_addf(arg, "%s %s\n", view->where->chat, view->doing);
}

static void expect_doing(const struct stage *st, const char *want)
{
	struct buf got = BUF_INIT;

	sessions_each(st->sessions, note_doing, &got);
	assert_string_equal(got.data, want);
	buf_clear(&got);
}

STAGE_TEST(a_session_says_whether_it_waits_for_a_slot)
{
	stage_close(t, st);
	st->turns_at_once = 1;
	stage_open(t, st);
	st->held = true;
	stage_say(t, st, "7", "one");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "8", "two");
	stage_calm(t, st);
	expect_doing(st, "7 runs a turn\n8 waits for a slot\n");
	stage_say(t, st, "8", "/stop");
	stage_await(t, st, 1);
	stage_calm(t, st);
	expect_doing(st, "7 runs a turn\n");
	st->held = false;
	stage_settle(t, st);
}

STAGE_TEST(a_turn_that_was_cut_off_waits_for_a_slot_to_be_resumed)
{
	st->held = true;
	stage_say(t, st, "7", "one");
	stage_say(t, st, "8", "two");
	stage_until(t, st->asking == 2);
	stage_snapshot(st);
	st->turns_at_once = 1;
	stage_crash(t, st);
	stage_until(t, st->asking == 1);
	stage_calm(t, st);
	expect_doing(st, "7 runs a turn\n8 waits to resume a turn\n");
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(stage_lines(&st->shown), 2);
}

STAGE_TEST(what_the_queue_does_not_hold_is_answered_in_order_too)
{
	st->model_ms = 1;
	say_all(t, st, "7", "n", 1, 150);
	stage_settle(t, st);
	expect_answers(st, "n", 1, 150);
	expect_quiet_log(st);
}

STAGE_TEST(messages_that_come_while_the_journal_is_read_are_not_lost)
{
	st->model_ms = 1;
	for (int i = 1; i <= 200; i++) {
		say_all(t, st, "7", "n", i, i);
		for (int k = 0; k < i % 5; k++)
			task_yield(t, NULL);
	}
	stage_settle(t, st);
	expect_answers(st, "n", 1, 200);
	expect_quiet_log(st);
}

STAGE_TEST(a_message_that_comes_as_the_session_ends_is_answered)
{
	for (int i = 1; i <= 150; i++) {
		say_all(t, st, "7", "n", i, i);
		stage_until(t, st->asked == (size_t)i);
		for (int k = 0; k < i % 15; k++)
			task_yield(t, NULL);
	}
	stage_settle(t, st);
	expect_answers(st, "n", 1, 150);
}

STAGE_TEST(commands_and_refused_messages_in_a_full_queue_end_once)
{
	st->model_ms = 1;
	for (int i = 1; i <= 100; i++) {
		struct message *m = stage_message(st, "7", "let me in");
		free(m->sender_id);
		m->sender_id = xstrdup("99");
		say_all(t, st, "7", "n", i, i);
		stage_receive(t, st, &m, 1);
		stage_say(t, st, "7", "/whoami");
	}
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "re: n"), 100);
	assert_int_equal(count_of(st->shown.data, "You are Ann"), 100);
	assert_int_equal(stage_lines(&st->shown), 200 + 100); /* /whoami says two lines */
	expect_quiet_log(st);
}

STAGE_TEST(a_command_that_is_not_for_us_waits_like_other_words_where_all_count)
{
	st->access.group = ACCESS_GROUP_ALL;
	st->model_ms = 1;
	for (int i = 1; i <= 60; i++) {
		struct message *m = stage_message(st, "-100", "/deploy");
		m->addressed = false;
		m->chat_kind = CHAT_GROUP;
		stage_receive(t, st, &m, 1);
	}
	stage_settle(t, st);
	assert_int_equal(stage_lines(&st->shown), 60);
	assert_int_equal(count_of(st->shown.data, "re: /deploy"), 60);
}

/* --- edits */

/* Person 77 changes message number n. */
static void edit(struct task *t, struct stage *st, const char *chat, int n, const char *text)
{
	struct message *m = stage_message(st, chat, text);

	m->kind = MESSAGE_EDIT;
	free(m->message_id);
	m->message_id = xasprintf("m%d", n);
	stage_receive(t, st, &m, 1);
}

STAGE_TEST(an_edit_of_a_message_that_waits_replaces_it)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "secnd");
	stage_say(t, st, "7", "third");
	edit(t, st, "7", 2, "second");
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m2: re: second\n7 >m3: re: third\n");
}

STAGE_TEST(the_last_of_many_edits_counts)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "draft");
	for (int i = 1; i <= 20; i++) {
		char text[16];
		snprintf(text, sizeof(text), "draft %d", i);
		edit(t, st, "7", 2, text);
	}
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m2: re: draft 20\n");
}

STAGE_TEST(an_edit_of_an_answered_message_is_not_answered)
{
	stage_say(t, st, "7", "first");
	stage_settle(t, st);
	edit(t, st, "7", 1, "other");
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n");
	expect_quiet_log(st);
}

STAGE_TEST(an_edit_by_somebody_else_changes_nothing)
{
	struct message *m;

	st->held = true;
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "second");
	m = stage_message(st, "7", "mine now");
	m->kind = MESSAGE_EDIT;
	free(m->message_id);
	m->message_id = xstrdup("m2");
	free(m->sender_id);
	m->sender_id = xstrdup("78");
	stage_receive(t, st, &m, 1);
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m2: re: second\n");
}

STAGE_TEST(an_edit_of_a_message_beyond_the_queue_replaces_it)
{
	st->held = true;
	say_all(t, st, "7", "n", 1, 50);
	edit(t, st, "7", 45, "changed");
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, ">m45: re: changed\n");
	assert_lacks(st->shown.data, "n45");
	assert_int_equal(stage_lines(&st->shown), 50);
}

STAGE_TEST(an_edit_survives_a_crash_before_its_turn)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "secnd");
	edit(t, st, "7", 2, "second");
	stage_snapshot(st);
	stage_crash(t, st);
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m2: re: second\n");
}

/* --- /stop */

STAGE_TEST(stop_ends_the_turn_that_runs_and_the_next_goes_on)
{
	stage_play(st, {.text = "never", .takes_ms = 60000});
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "second");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "/stop");
	stage_settle(t, st);
	assert_string_equal(st->shown.data,
	    "7 >m3: Stopped. 1 more message is waiting; send /stop again to stop each.\n"
	    "7 >m2: re: second\n");
	expect_quiet_log(st);
}

STAGE_TEST(stop_with_nothing_to_stop_says_so)
{
	stage_say(t, st, "7", "/stop");
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: Nothing is running here.\n");
}

STAGE_TEST(stop_reaches_a_turn_that_is_just_beginning)
{
	struct message *both[2];

	/* In one batch: the command is there before the turn can be in the journal. */
	both[0] = stage_message(st, "7", "first");
	both[1] = stage_message(st, "7", "/stop");
	st->held = true;
	stage_receive(t, st, both, 2);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m2: Stopped.\n");
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(stop_drops_a_message_that_waits_for_a_place)
{
	stage_close(t, st);
	st->turns_at_once = 1;
	stage_open(t, st);
	st->held = true;
	stage_say(t, st, "8", "elsewhere");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "second");
	stage_say(t, st, "7", "/stop");
	stage_await(t, st, 1);
	assert_int_equal(st->asking, 1);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m4: Stopped. 1 more message is waiting");
	assert_has(st->shown.data, "7 >m3: re: second\n");
	assert_lacks(st->shown.data, "first");
}

STAGE_TEST(stop_at_any_instant_is_safe)
{
	for (int i = 0; i < 300; i++) {
		st->model_ms = (uint64_t)i % 3;
		stage_say(t, st, "7", "work");
		for (int k = 0; k < i % 23; k++)
			task_yield(t, NULL);
		stage_say(t, st, "7", "/stop");
	}
	stage_settle(t, st);
	/* Each /stop is answered, each other message at most once. */
	assert_int_equal(
	    count_of(st->shown.data, "Stopped.") + count_of(st->shown.data, "Nothing is running"), 300);
	assert_true(count_of(st->shown.data, "re: work") <= 300);
	expect_quiet_log(st);
}

/* --- /new */

static const char *session_of(const struct stage *st, const char *words)
{
	static char key[32];
	char *line = xasprintf("] %s\n", words);
	const char *end = strstr(st->asked_by.data, line), *begin = end;

	free(line);
	if (!end)
		fail_msg("the model was never asked \"%s\"", words);
	while (begin > st->asked_by.data && begin[-1] != '[')
		begin--;
	snprintf(key, sizeof(key), "%.*s", (int)(end - begin), begin);
	return key;
}

static void expect_renewed(struct stage *st, const char *before, const char *after)
{
	char *old = xstrdup(session_of(st, before));

	assert_string_not_equal(session_of(st, after), old);
	free(old);
}

STAGE_TEST(new_begins_a_conversation_that_knows_nothing_of_the_old)
{
	stage_say(t, st, "7", "first");
	stage_settle(t, st);
	stage_say(t, st, "7", "/new");
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m2: A new conversation begins.");
	stage_say(t, st, "7", "second");
	stage_settle(t, st);
	assert_string_equal(st->heard.data, "user: second\n");
	expect_renewed(st, "first", "second");
}

STAGE_TEST(new_ends_the_turn_that_runs_and_what_comes_after_it_is_in_the_new_conversation)
{
	stage_play(st, {.text = "never", .takes_ms = 60000});
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "/new");
	stage_say(t, st, "7", "second");
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m2: A new conversation begins.");
	assert_has(st->shown.data, "7 >m3: re: second\n");
	assert_int_equal(stage_lines(&st->shown), 2);
	expect_renewed(st, "first", "second");
	expect_quiet_log(st);
}

STAGE_TEST(new_and_the_next_message_in_one_batch_keep_their_order)
{
	struct message *both[2];

	stage_say(t, st, "7", "first");
	stage_settle(t, st);
	both[0] = stage_message(st, "7", "/new");
	both[1] = stage_message(st, "7", "second");
	stage_receive(t, st, both, 2);
	stage_settle(t, st);
	expect_renewed(st, "first", "second");
}

STAGE_TEST(new_does_not_wait_for_the_messages_that_wait)
{
	stage_play(st, {.text = "never", .takes_ms = 60000}, {.text = "slow", .takes_ms = 60000});
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "second");
	stage_say(t, st, "7", "/new");
	stage_await(t, st, 1);
	assert_has(st->shown.data, "A new conversation begins.");
	stage_until(t, st->asking == 1 && st->asked == 2);
	expect_renewed(st, "first", "second");
	stage_say(t, st, "7", "/stop");
	stage_settle(t, st);
}

STAGE_TEST(new_does_not_wait_for_a_place)
{
	stage_close(t, st);
	st->turns_at_once = 1;
	stage_open(t, st);
	st->held = true;
	stage_say(t, st, "8", "elsewhere");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "/new");
	stage_await(t, st, 1);
	assert_has(st->shown.data, "7 >m3: A new conversation begins.");
	assert_int_equal(st->asking, 1);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m2: re: first\n");
}

STAGE_TEST(new_at_any_instant_is_safe)
{
	for (int i = 0; i < 200; i++) {
		st->model_ms = (uint64_t)i % 3;
		stage_say(t, st, "7", "work");
		for (int k = 0; k < i % 17; k++)
			task_yield(t, NULL);
		stage_say(t, st, "7", i % 4 ? "/new" : "/stop");
	}
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "A new conversation begins."), 150);
	expect_quiet_log(st);
}

/* --- restarts and crashes */

STAGE_TEST(what_waits_at_a_stop_is_answered_after_the_next_start)
{
	st->held = true;
	say_all(t, st, "7", "n", 1, 40);
	say_all(t, st, "8", "n", 41, 41);
	stage_until(t, st->asking == 2);
	stage_close(t, st);
	assert_string_equal(st->shown.data, "");
	st->held = false;
	stage_open(t, st);
	stage_settle(t, st);
	assert_int_equal(stage_lines(&st->shown), 41);
	for (int i = 1; i <= 41; i++) {
		char text[32];
		snprintf(text, sizeof(text), "re: n%d\n", i);
		assert_int_equal(count_of(st->shown.data, text), 1);
	}
	assert_has(st->shown.data, "7 >m1: re: n1\n");
}

STAGE_TEST(commands_that_wait_at_a_crash_are_answered_after_the_next_start)
{
	st->held = true;
	say_all(t, st, "7", "n", 1, 80);
	stage_say(t, st, "7", "/status");
	stage_snapshot(st);
	stage_crash(t, st);
	/* Not behind the eighty. */
	stage_await(t, st, 1);
	assert_string_equal(st->shown.data, "7 >m81: all is well\n");
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(stage_lines(&st->shown), 81);
	assert_int_equal(count_of(st->shown.data, "all is well"), 1);
	expect_quiet_log(st);
}

STAGE_TEST(stop_that_waits_at_a_crash_stops_the_turn_that_it_meant)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "/stop");
	stage_snapshot(st);
	stage_crash(t, st);
	st->asked = 0;
	stage_settle(t, st);
	assert_int_equal(st->asked, 0);
	assert_has(st->shown.data, "7 >m2: Stopped.\n");
	assert_int_equal(count_of(st->shown.data, "Stopped."), 1);
}

STAGE_TEST(new_that_waits_at_a_crash_begins_a_conversation)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "/new");
	stage_snapshot(st);
	stage_crash(t, st);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m2: A new conversation begins.");
	stage_say(t, st, "7", "second");
	stage_settle(t, st);
	expect_renewed(st, "first", "second");
	assert_int_equal(stage_lines(&st->shown), 2);
}

static void keep(struct stage *st, const char *what)
{
	if (strcmp(what, "ask") == 0)
		stage_snapshot(st);
}

STAGE_TEST(a_message_that_the_process_does_not_survive_is_left_after_three_times)
{
	st->hook = keep;
	st->held = true;
	stage_say(t, st, "7", "poison");
	stage_say(t, st, "7", "good");
	for (size_t crash = 1; crash <= 3; crash++) {
		stage_until(t, st->asked == crash);
		stage_snapshot(st);
		stage_crash(t, st);
	}
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m1: I am sorry: something went wrong three times");
	assert_has(st->shown.data, "7 >m2: re: good\n");
	assert_int_equal(stage_lines(&st->shown), 2);
	assert_int_equal(st->asked, 4);
}

STAGE_TEST(stops_at_any_instant_lose_and_double_nothing)
{
	for (int i = 1; i <= 60; i++) {
		st->model_ms = (uint64_t)i % 4;
		say_all(t, st, i % 2 ? "7" : "8", "n", i, i);
		for (int k = 0; k < i * 7 % 41; k++)
			task_yield(t, NULL);
		stage_close(t, st);
		stage_open(t, st);
	}
	stage_settle(t, st);
	for (int i = 1; i <= 60; i++) {
		char text[32];
		snprintf(text, sizeof(text), "re: n%d\n", i);
		assert_int_equal(count_of(st->shown.data, text), 1);
	}
	assert_int_equal(stage_lines(&st->shown), 60);
	expect_quiet_log(st);
}

/* --- who may not, and what fails */

STAGE_TEST(what_is_not_answered_is_finished)
{
	struct message *m[5];

	m[0] = stage_message(st, "7", "I am a stranger");
	free(m[0]->sender_id);
	m[0]->sender_id = xstrdup("99");
	m[1] = stage_message(st, "-100", "not to you");
	m[1]->chat_kind = CHAT_GROUP;
	m[1]->addressed = false;
	m[2] = stage_message(st, "7", " \n");
	m[3] = stage_message(st, "7", "button");
	m[3]->kind = MESSAGE_PRESS;
	m[4] = stage_message(st, "7", "I am a bot");
	m[4]->sender_is_bot = true;
	stage_receive(t, st, m, 5);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
	assert_int_equal(st->asked, 0);
	assert_has(st->log.data,
	    "the sender is not in allow or admins of this channel; add the quoted id to let them in "
	    "id=\"99\"");
	expect_quiet_log(st);
}

STAGE_TEST(messages_and_turns_of_a_channel_that_is_gone_are_finished)
{
	st->held = true;
	say_all(t, st, "7", "n", 1, 2);
	stage_until(t, st->asking == 1);
	stage_close(t, st);
	st->channel_gone = true;
	st->asked = 0;
	stage_open(t, st);
	stage_settle(t, st);
	assert_int_equal(st->asked, 0);
}

static void fill_disk(struct stage *st, const char *what)
{
	if (strcmp(what, "ask") != 0 || st->asked > 1)
		return;
	stage_disk_left(st, 0);
}

STAGE_TEST(a_full_disk_delays_turns_and_commands_and_loses_none)
{
	stage_say(t, st, "8", "before");
	stage_settle(t, st);
	st->asked = 0;
	st->hook = fill_disk;
	st->model_ms = 20;
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "second");
	stage_until(t, strstr(st->log.data, "a turn waits because the store failed"));
	/* Room for the command, none for its end. */
	stage_disk_left(st, -1);
	stage_say(t, st, "7", "/whoami");
	stage_disk_left(st, 0);
	stage_until(t, strstr(st->log.data, "cannot record that a message was handled"));
	stage_disk_left(st, -1);
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "re: first"), 1);
	assert_int_equal(count_of(st->shown.data, "re: second"), 1);
	assert_int_equal(count_of(st->shown.data, "You are Ann"), 1);
	/* It was the store's fault, not the message's. */
	assert_lacks(st->shown.data, "I am sorry");
}

static void refuse_answers(struct stage *st, const char *what)
{
	(void)st;
	if (strcmp(what, "ask") == 0)
		sql_fail("INSERT INTO transcript");
}

/* Each try asks the model again, which costs. */
STAGE_TEST(tries_of_a_turn_that_cannot_be_stored_are_ever_further_apart)
{
	st->hook = refuse_answers;
	stage_say(t, st, "7", "first");
	stage_until(t, strstr(st->log.data, "a turn waits because the store failed"));
	uint64_t began = clock_now();
	stage_until(t, count_of(st->log.data, "a turn waits because the store failed") == 4);
	assert_true(clock_now() - began >= 500 + 1000 + 2000);
	st->hook = NULL;
	sql_fail(NULL);
	stage_settle(t, st);
}

STAGE_TEST(a_turn_whose_tries_cannot_be_read_waits_and_goes_on)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_close(t, st);
	st->asked = 0;
	st->held = false;
	sql_fail("SELECT attempts, preview");
	stage_open(t, st);
	stage_until(t, strstr(st->log.data, "messages wait because the store failed"));
	assert_int_equal(st->asked, 0);
	sql_fail(NULL);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n");
}

/* Each read fails once. */
STAGE_TEST(channels_of_which_something_cannot_be_read_are_not_taken)
{
	unsigned n = 0;

	stage_rest(t);
	do {
		sql_fail_call(++n);
		int rc = sessions_take_channels(t, st->sessions, NULL);
		assert_int_equal(rc, sql_failed() ? -1 : 0);
	} while (sql_failed());
	sql_fail_call(0);
	assert_true(n > 4);
}

static struct journal_ops failing;
static unsigned chats_read;

/* Taking a channel reads more at a time than the sessions do. */
static int fail_at_the_second_chat(struct task *t, void *self, const struct address *from, int64_t after_id,
    struct message **out, size_t max, struct error *err)
{
	if (max > SESSION_QUEUE_MAX && ++chats_read == 2)
		return error_set(err, ERROR_OURS, "the disk is gone");
	return store_journal(self).ops->list_inbound(t, self, from, after_id, out, max, err);
}

STAGE_TEST(what_waits_in_a_channel_that_is_taken_at_the_second_try_is_handled_and_counted_once)
{
	static const char *const chats[] = {"7", "8"};
	struct message *presses[2];
	size_t waiting = 0;

	st->held = true;
	for (size_t i = 0; i < ARRAY_LEN(chats); i++) {
		say_all(t, st, chats[i], "n", 1, 3);
		presses[i] = stage_message(st, chats[i], "p:gone:yes");
		presses[i]->kind = MESSAGE_PRESS;
		presses[i]->press_id = xstrdup("q");
	}
	stage_until(t, st->asking == 2);
	stage_receive(t, st, presses, 2);
	stage_snapshot(st);
	stage_crash_quietly(t, st);
	buf_reset(&st->pressed);
	failing = *st->bus->journal.ops;
	failing.list_inbound = fail_at_the_second_chat;
	st->bus->journal.ops = &failing;
	st->channel->gained = true;
	/* Nothing ends between the tries. */
	sql_fail("UPDATE inbox SET state");
	assert_int_equal(sessions_take_channels(t, st->sessions, NULL), -1);
	assert_int_equal(sessions_take_channels(t, st->sessions, NULL), 0);
	sql_fail(NULL);
	st->channel->gained = false;
	for (size_t i = 0; i < ARRAY_LEN(chats); i++) {
		struct message *m = stage_message(st, chats[i], "");
		waiting += sessions_waiting(st->sessions, &m->from);
		message_free(m);
	}
	assert_int_equal(waiting, 4);
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(stage_lines(&st->pressed), 2);
	assert_int_equal(stage_lines(&st->shown), 6);
}

/* Of each kind that a chat can wait with, the model apart. */
STAGE_TEST(who_waits_for_a_place_or_a_channel_costs_nothing)
{
	stage_close(t, st);
	st->turns_at_once = 1;
	stage_open(t, st);
	stage_play(st, {.text = "slow", .takes_ms = 3600000});
	stage_say(t, st, "8", "elsewhere");
	stage_until(t, st->asked == 1);
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "second");
	stage_rest(t);
	channel_set_status(st->channel, CHANNEL_STARTING, "away");
	stage_say(t, st, "8", "/stop");
	stage_until(t, st->asked == 3);
	stage_rest(t);
	assert_string_equal(st->shown.data, "");
	assert_int_equal(stage_counts(t, st).outbox_queued, 3);
	channel_set_status(st->channel, CHANNEL_READY, "ready");
	stage_settle(t, st);
	assert_int_equal(stage_lines(&st->shown), 3);
	stage_rest(t);
}

STAGE_TEST(a_message_whose_end_somebody_else_recorded_does_not_hold_up_the_rest)
{
	const struct journal *j = bus_journal(st->bus);
	struct address where;
	struct message *m = NULL;
	int64_t id;

	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "second");
	assert_int_equal(address_set(&where, "chat", "7", NULL, NULL), 0);
	assert_int_equal(j->ops->list_inbound(t, j->self, &where, 0, &m, 1, NULL), 1);
	id = m->id;
	message_free(m);
	assert_int_equal(j->ops->finish_inbound(t, j->self, &id, 1, "by hand", NULL, 0, NULL), 0);
	stage_say(t, st, "7", "third");
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m3: re: third\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages_of_a_chat_are_answered_in_order_one_at_a_time),
	    cmocka_unit_test(different_chats_and_threads_are_answered_at_the_same_time),
	    cmocka_unit_test(turns_at_once_are_limited_and_chats_take_turns),
	    cmocka_unit_test(a_person_with_slow_turns_everywhere_leaves_slots_to_others),
	    cmocka_unit_test(who_has_no_turn_is_before_those_who_waited_longer),
	    cmocka_unit_test(a_session_says_whether_it_waits_for_a_slot),
	    cmocka_unit_test(a_turn_that_was_cut_off_waits_for_a_slot_to_be_resumed),
	    cmocka_unit_test(what_the_queue_does_not_hold_is_answered_in_order_too),
	    cmocka_unit_test(messages_that_come_while_the_journal_is_read_are_not_lost),
	    cmocka_unit_test(a_message_that_comes_as_the_session_ends_is_answered),
	    cmocka_unit_test(commands_and_refused_messages_in_a_full_queue_end_once),
	    cmocka_unit_test(a_command_that_is_not_for_us_waits_like_other_words_where_all_count),
	    cmocka_unit_test(an_edit_of_a_message_that_waits_replaces_it),
	    cmocka_unit_test(the_last_of_many_edits_counts),
	    cmocka_unit_test(an_edit_of_an_answered_message_is_not_answered),
	    cmocka_unit_test(an_edit_by_somebody_else_changes_nothing),
	    cmocka_unit_test(an_edit_of_a_message_beyond_the_queue_replaces_it),
	    cmocka_unit_test(an_edit_survives_a_crash_before_its_turn),
	    cmocka_unit_test(stop_ends_the_turn_that_runs_and_the_next_goes_on),
	    cmocka_unit_test(stop_with_nothing_to_stop_says_so),
	    cmocka_unit_test(stop_reaches_a_turn_that_is_just_beginning),
	    cmocka_unit_test(stop_drops_a_message_that_waits_for_a_place),
	    cmocka_unit_test(stop_at_any_instant_is_safe),
	    cmocka_unit_test(new_begins_a_conversation_that_knows_nothing_of_the_old),
	    cmocka_unit_test(new_ends_the_turn_that_runs_and_what_comes_after_it_is_in_the_new_conversation),
	    cmocka_unit_test(new_and_the_next_message_in_one_batch_keep_their_order),
	    cmocka_unit_test(new_does_not_wait_for_the_messages_that_wait),
	    cmocka_unit_test(new_does_not_wait_for_a_place),
	    cmocka_unit_test(new_at_any_instant_is_safe),
	    cmocka_unit_test(what_waits_at_a_stop_is_answered_after_the_next_start),
	    cmocka_unit_test(commands_that_wait_at_a_crash_are_answered_after_the_next_start),
	    cmocka_unit_test(stop_that_waits_at_a_crash_stops_the_turn_that_it_meant),
	    cmocka_unit_test(new_that_waits_at_a_crash_begins_a_conversation),
	    cmocka_unit_test(a_message_that_the_process_does_not_survive_is_left_after_three_times),
	    cmocka_unit_test(stops_at_any_instant_lose_and_double_nothing),
	    cmocka_unit_test(what_is_not_answered_is_finished),
	    cmocka_unit_test(messages_and_turns_of_a_channel_that_is_gone_are_finished),
	    cmocka_unit_test(a_full_disk_delays_turns_and_commands_and_loses_none),
	    cmocka_unit_test(tries_of_a_turn_that_cannot_be_stored_are_ever_further_apart),
	    cmocka_unit_test(a_turn_whose_tries_cannot_be_read_waits_and_goes_on),
	    cmocka_unit_test(channels_of_which_something_cannot_be_read_are_not_taken),
	    cmocka_unit_test(
		what_waits_in_a_channel_that_is_taken_at_the_second_try_is_handled_and_counted_once),
	    cmocka_unit_test(who_waits_for_a_place_or_a_channel_costs_nothing),
	    cmocka_unit_test(a_message_whose_end_somebody_else_recorded_does_not_hold_up_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
