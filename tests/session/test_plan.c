/* The plan of the tool todo_write: one message that changes, also over crashes, and a new one for a new
 * plan. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sql_tap.h"
#include "lib/stage.h"

#define STEP(text, state) "{\"content\":\"" text "\",\"activeForm\":\"" text "ing\",\"status\":\"" state "\"}"
#define PLAN(id, ...)     id " todo_write {\"todos\":[" __VA_ARGS__ "]}"
#define FIRST             PLAN("c1", STEP("Read", "in_progress") "," STEP("Build", "pending"))
#define SECOND            PLAN("c2", STEP("Read", "completed") "," STEP("Build", "in_progress"))
#define DONE              PLAN("c3", STEP("Read", "completed") "," STEP("Build", "completed"))
#define OTHER             PLAN("c4", STEP("Test", "pending"))
#define CLEARED           PLAN("c5", "")

/* Waits until every plan's message is up to date. */
static void up_to_date(struct task *t, struct stage *st)
{
	stage_settle(t, st);
	stage_until(t, stage_number(st, "SELECT count(*) FROM plans WHERE shown < version") == 0);
	stage_settle(t, st);
}

STAGE_TEST(a_plan_is_one_message_that_changes)
{
	stage_play(st, {.calls = FIRST}, {.calls = SECOND}, {.calls = DONE}, {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	assert_has(st->heard.data, "tool c1: {\"success\":true,\"count\":2}\n");
	assert_has(st->heard.data, "tool c3: {\"success\":true,\"count\":2}\n");
	assert_has(st->shown.data, "7 >m1: **Plan**\n◐ Reading\n☐ Build\n");
	assert_int_equal(count_of(st->shown.data, "**Plan**"), 1);
	/* What was overtaken need not be shown, the last is. */
	assert_true(count_of(st->edits.data, "**Plan**") <= 2);
	assert_has(st->edits.data, "7: **Plan**\n☑ Read\n☑ Build\n");
	assert_int_equal(
	    stage_number(st, "SELECT count(*) FROM outbox WHERE edit_of IS NULL AND text LIKE '%Plan%'"), 1);
}

STAGE_TEST(after_one_that_is_done_a_new_plan_is_a_new_message)
{
	stage_play(st, {.calls = FIRST}, {.calls = DONE}, {.calls = OTHER}, {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	assert_int_equal(count_of(st->shown.data, "**Plan**"), 2);
	assert_has(st->shown.data, "**Plan**\n☐ Test\n");
	assert_has(st->edits.data, "☑ Read\n☑ Build\n");
}

STAGE_TEST(and_after_one_that_was_cleared)
{
	stage_play(st, {.calls = FIRST}, {.calls = CLEARED}, {.calls = OTHER}, {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	assert_int_equal(count_of(st->shown.data, "**Plan**"), 2);
	assert_has(st->edits.data, "7: The plan was dropped.\n");
}

STAGE_TEST(there_is_nothing_to_clear_without_a_plan)
{
	stage_play(st, {.calls = CLEARED}, {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	assert_has(st->heard.data, "tool c5: {\"success\":true,\"count\":0}\n");
	assert_int_equal(stage_lines(&st->shown), 1);
}

STAGE_TEST(the_next_turn_goes_on_with_it_and_a_new_conversation_does_not)
{
	stage_play(st, {.calls = FIRST}, {.text = "done"}, {.calls = SECOND}, {.text = "done"});
	stage_say(t, st, "7", "go");
	stage_settle(t, st);
	stage_say(t, st, "7", "on");
	up_to_date(t, st);
	assert_int_equal(count_of(st->shown.data, "**Plan**"), 1);
	assert_has(st->edits.data, "☑ Read\n◐ Building\n");
	stage_say(t, st, "7", "/new");
	stage_settle(t, st);
	stage_play(st, {.calls = OTHER}, {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	assert_int_equal(count_of(st->shown.data, "**Plan**"), 2);
}

STAGE_TEST(chats_have_plans_of_their_own)
{
	stage_play(st, {.calls = FIRST}, {.text = "done"}, {.calls = SECOND}, {.text = "done"});
	stage_say(t, st, "7", "go");
	stage_settle(t, st);
	stage_say(t, st, "8", "go");
	up_to_date(t, st);
	assert_has(st->shown.data, "8 >m2: **Plan**\n☑ Read\n◐ Building\n");
	assert_string_equal(st->edits.data, "");
}

STAGE_TEST(the_same_plan_again_is_no_change)
{
	stage_play(st, {.calls = FIRST}, {.calls = FIRST}, {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	assert_string_equal(st->edits.data, "");
	assert_int_equal(stage_number(st, "SELECT count(*) FROM outbox WHERE text LIKE '%Plan%'"), 1);
}

/* Which message shows it cannot be read for a while. */
STAGE_TEST(a_plan_waits_for_what_it_cannot_read_and_stays_one_message)
{
	stage_play(st, {.calls = FIRST}, {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	stage_play(st, {.calls = SECOND}, {.text = "done"});
	sql_fail("FROM outbox WHERE id = ?1");
	stage_say(t, st, "7", "on");
	stage_until(t, sql_failed());
	sql_fail(NULL);
	up_to_date(t, st);
	assert_int_equal(count_of(st->shown.data, "**Plan**"), 1);
	assert_has(st->edits.data, "☑ Read\n◐ Building\n");
}

static void forget_all(struct task *t, struct stage *st)
{
	stage_close(t, st);
	char *path = xasprintf("%s/myna.db", st->dir), *log = xasprintf("%s-wal", path);
	remove(path);
	remove(log);
	free(path);
	free(log);
	buf_reset(&st->shown);
	buf_reset(&st->edits);
	stage_open(t, st);
}

STAGE_TEST(a_crash_at_any_instant_leaves_one_message_that_becomes_true)
{
	struct error err = {0};

	for (unsigned n = 0; n < 10; n++) {
		forget_all(t, st);
		stage_play(st, {.calls = FIRST}, {.calls = DONE}, {.text = "done"});
		stage_say(t, st, "7", "go");
		for (unsigned i = 0; i < n; i++)
			task_sleep(t, 1, NULL);
		stage_snapshot(st);
		stage_crash_quietly(t, st);
		switch (stage_number(st, "SELECT count(*) FROM transcript WHERE calls IS NOT NULL")) {
		case 0:
			stage_play(st, {.calls = FIRST}, {.calls = DONE}, {.text = "done"});
			break;
		case 1:
			stage_play(st, {.calls = DONE}, {.text = "done"});
			break;
		default:
			stage_play(st, {.text = "done"});
		}
		assert_int_equal(sessions_resume(t, st->sessions, &err), 0);
		up_to_date(t, st);
		assert_int_equal(stage_number(st, "SELECT count(*) FROM plans"), 1);
		assert_int_equal(
		    stage_number(
			st, "SELECT count(*) FROM outbox WHERE edit_of IS NULL AND text LIKE '%Plan%'"),
		    1);
		assert_int_equal(
		    stage_number(
			st, "SELECT count(*) FROM outbox WHERE state = 2 AND text LIKE '%☑ Read%☑ Build%'"),
		    1);
		assert_lacks(st->heard.data, "UNKNOWN_OUTCOME");
	}
}

/* The platform of the stage parts texts at bars: what has no room in one message stays away. */
STAGE_TEST(a_plan_is_never_more_than_one_message)
{
	stage_play(st, {.calls = PLAN("c1", STEP("a|b", "pending") "," STEP("Build|it", "pending"))},
	    {.text = "done"});
	stage_say(t, st, "7", "go");
	up_to_date(t, st);
	assert_int_equal(count_of(st->shown.data, "**Plan**"), 1);
	assert_int_equal(
	    stage_number(st, "SELECT count(*) FROM outbox WHERE text LIKE '%Plan%' AND parts = 1"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_plan_is_one_message_that_changes),
	    cmocka_unit_test(after_one_that_is_done_a_new_plan_is_a_new_message),
	    cmocka_unit_test(and_after_one_that_was_cleared),
	    cmocka_unit_test(there_is_nothing_to_clear_without_a_plan),
	    cmocka_unit_test(the_next_turn_goes_on_with_it_and_a_new_conversation_does_not),
	    cmocka_unit_test(chats_have_plans_of_their_own),
	    cmocka_unit_test(the_same_plan_again_is_no_change),
	    cmocka_unit_test(a_plan_waits_for_what_it_cannot_read_and_stays_one_message),
	    cmocka_unit_test(a_crash_at_any_instant_leaves_one_message_that_becomes_true),
	    cmocka_unit_test(a_plan_is_never_more_than_one_message),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
