/* Texts that the platform cut, and albums: one turn for what was one message to its writer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "lib/stage.h"
#include "session/turn/coalesce.h"

static void set(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

static struct message *part(struct stage *st, const char *chat, const char *text, bool continues)
{
	struct message *m = stage_message(st, chat, text);

	m->continues = continues;
	return m;
}

static void say_part(struct task *t, struct stage *st, const char *text, bool continues)
{
	struct message *m = part(st, "7", text, continues);

	stage_receive(t, st, &m, 1);
}

STAGE_TEST(a_text_that_was_cut_is_one_turn_that_answers_its_last_part)
{
	bool slow = true;

	/* A machine that takes longer than a burst may tries again. */
	for (int tries = 0; slow; tries++) {
		uint64_t began = clock_now();
		assert_true(tries < 50);
		buf_reset(&st->shown);
		st->asked = 0;
		say_part(t, st, "one", true);
		say_part(t, st, "two", true);
		say_part(t, st, "three", false);
		slow = clock_now() - began >= COALESCE_QUIET_MS;
		stage_settle(t, st);
	}
	char *want = xasprintf("7 >m%u: re: one\ntwo\nthree\n", st->said);
	assert_string_equal(st->shown.data, want);
	assert_int_equal(st->asked, 1);
	free(want);
}

STAGE_TEST(parts_in_one_batch_are_one_turn)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "two", true), part(st, "7", "three", false)};

	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m3: re: one\ntwo\nthree\n");
}

STAGE_TEST(ordinary_messages_are_turns_of_their_own)
{
	struct message *m[2] = {part(st, "7", "one", false), part(st, "7", "two", false)};

	stage_receive(t, st, m, 2);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: one\n7 >m2: re: two\n");
}

STAGE_TEST(what_comes_after_the_end_of_a_burst_is_a_turn_of_its_own)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "two", false), part(st, "7", "three", false)};

	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m2: re: one\ntwo\n7 >m3: re: three\n");
}

STAGE_TEST(a_part_that_nothing_follows_is_answered)
{
	say_part(t, st, "one", true);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: one\n");
	/* Long after. */
	clock_set_ahead(2 * COALESCE_QUIET_MS);
	say_part(t, st, "two", false);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: one\n7 >m2: re: two\n");
}

STAGE_TEST(bursts_are_limited_in_messages)
{
	struct message *m[2 * COALESCE_MESSAGES_MAX + 3];

	for (size_t i = 0; i < ARRAY_LEN(m); i++)
		m[i] = part(st, "7", "x", true);
	stage_receive(t, st, m, ARRAY_LEN(m));
	stage_settle(t, st);
	assert_int_equal(st->asked, 3);
	assert_has(st->shown.data, "7 >m12: re: x\n");
	assert_has(st->shown.data, "7 >m24: re: x\n");
	assert_has(st->shown.data, "7 >m27: re: x\nx\nx\n");
}

STAGE_TEST(bursts_are_limited_in_characters)
{
	struct message *m[3];
	char *text = xcalloc(COALESCE_CHARS_MAX / 2 + 100, 1);

	memset(text, 'y', COALESCE_CHARS_MAX / 2 + 99);
	for (size_t i = 0; i < ARRAY_LEN(m); i++)
		m[i] = part(st, "7", text, true);
	stage_receive(t, st, m, ARRAY_LEN(m));
	stage_settle(t, st);
	assert_int_equal(st->asked, 3);
	free(text);
}

STAGE_TEST(somebody_else_in_between_is_answered_after_it)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "hello", false), part(st, "7", "two", false)};

	set(&m[1]->sender_id, "78");
	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m3: re: one\ntwo\n7 >m2: re: hello\n");
}

STAGE_TEST(parts_that_wait_behind_a_turn_are_one_turn)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	say_part(t, st, "one", true);
	say_part(t, st, "two", false);
	say_part(t, st, "three", false);
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m3: re: one\ntwo\n7 >m4: re: three\n");
}

STAGE_TEST(parts_at_the_end_of_the_queue_find_the_rest_in_the_journal)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	for (int i = 0; i < 31; i++)
		stage_say(t, st, "7", "more");
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "two", true), part(st, "7", "three", false)};
	stage_receive(t, st, m, 3);
	/* When they are their turn's, they came long ago. */
	clock_set_ahead(2 * COALESCE_QUIET_MS);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m35: re: one\ntwo\nthree\n");
	assert_int_equal(st->asked, 33);
}

STAGE_TEST(parts_that_a_crash_left_in_the_journal_are_one_turn)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "two", true), part(st, "7", "three", false)};

	st->held = true;
	stage_receive(t, st, m, 3);
	stage_snapshot(st);
	stage_crash(t, st);
	st->asked = 0;
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m3: re: one\ntwo\nthree\n");
	assert_int_equal(st->asked, 1);
}

STAGE_TEST(a_turn_of_many_parts_that_a_crash_cut_off_answers_the_last)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "two", false), part(st, "7", "ones", false)};

	m[2]->kind = MESSAGE_EDIT;
	set(&m[2]->message_id, "m1");
	st->held = true;
	stage_receive(t, st, m, 3);
	stage_until(t, st->asking == 1);
	stage_snapshot(st);
	stage_crash(t, st);
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m2: re: ones\ntwo\n");
}

STAGE_TEST(an_edit_of_a_part_counts)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "uno", false), part(st, "7", "two", false)};

	m[1]->kind = MESSAGE_EDIT;
	set(&m[1]->message_id, "m1");
	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m3: re: uno\ntwo\n");
}

STAGE_TEST(a_command_in_between_is_answered_at_once)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "/whoami", false), part(st, "7", "two", false)};

	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m2: You are Ann");
	assert_has(st->shown.data, "7 >m3: re: one\ntwo\n");
	assert_int_equal(st->asked, 1);
}

STAGE_TEST(stop_while_more_is_waited_for_drops_all_parts)
{
	struct message *m[3] = {
	    part(st, "7", "one", true), part(st, "7", "two", true), part(st, "7", "/stop", false)};

	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m3: Stopped.\n");
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(new_while_more_is_waited_for_comes_first)
{
	struct message *m[2] = {part(st, "7", "one", true), part(st, "7", "/new", false)};

	stage_receive(t, st, m, 2);
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m2: A new conversation begins.");
	assert_has(st->shown.data, "7 >m1: re: one\n");
	assert_int_equal(stage_lines(&st->shown), 2);
}

/* Only the first part names us. */
static void group_parts(struct stage *st, struct message **m)
{
	m[0] = part(st, "-100", "one", true);
	m[1] = part(st, "-100", "two", true);
	m[2] = part(st, "-100", "three", false);
	for (int i = 0; i < 3; i++)
		m[i]->chat_kind = CHAT_GROUP;
	m[1]->addressed = m[2]->addressed = false;
}

STAGE_TEST(the_rest_of_a_message_that_was_for_us_is_for_us)
{
	struct message *m[3];

	group_parts(st, m);
	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "-100 >m3: re: one\ntwo\nthree\n");
}

STAGE_TEST(the_rest_of_a_message_that_was_for_us_is_for_us_after_a_crash)
{
	struct message *m[3];

	group_parts(st, m);
	st->held = true;
	stage_receive(t, st, m, 3);
	stage_snapshot(st);
	stage_crash(t, st);
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "-100 >m3: re: one\ntwo\nthree\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_that_was_cut_is_one_turn_that_answers_its_last_part),
	    cmocka_unit_test(parts_in_one_batch_are_one_turn),
	    cmocka_unit_test(ordinary_messages_are_turns_of_their_own),
	    cmocka_unit_test(what_comes_after_the_end_of_a_burst_is_a_turn_of_its_own),
	    cmocka_unit_test(a_part_that_nothing_follows_is_answered),
	    cmocka_unit_test(bursts_are_limited_in_messages),
	    cmocka_unit_test(bursts_are_limited_in_characters),
	    cmocka_unit_test(somebody_else_in_between_is_answered_after_it),
	    cmocka_unit_test(parts_that_wait_behind_a_turn_are_one_turn),
	    cmocka_unit_test(parts_at_the_end_of_the_queue_find_the_rest_in_the_journal),
	    cmocka_unit_test(parts_that_a_crash_left_in_the_journal_are_one_turn),
	    cmocka_unit_test(a_turn_of_many_parts_that_a_crash_cut_off_answers_the_last),
	    cmocka_unit_test(an_edit_of_a_part_counts),
	    cmocka_unit_test(a_command_in_between_is_answered_at_once),
	    cmocka_unit_test(stop_while_more_is_waited_for_drops_all_parts),
	    cmocka_unit_test(new_while_more_is_waited_for_comes_first),
	    cmocka_unit_test(the_rest_of_a_message_that_was_for_us_is_for_us),
	    cmocka_unit_test(the_rest_of_a_message_that_was_for_us_is_for_us_after_a_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
