/* Questions with buttons, by way of a broadcast that is shown before it is sent. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "bus/buttons.h"
#include "lib/stage_press.h"

/* Chats that a target names; the platform of the stage sends everywhere. */
#define TARGETS "targets: { ops = [\"chat:5\", \"chat:6\"]; };"

/* The admin asks what a broadcast would do. */
static void ask(struct task *t, struct stage *st)
{
	struct message *m = stage_message_by(st, "7", "78", "/broadcast --dry-run ops the build | is green");

	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_has(st->shown.data, "This would go to 2 addresses:\n\n- chat:5\n- chat:6");
	assert_int_equal(stage_lines(&st->shown), 4);
}

static void press(struct task *t, struct stage *st, const char *chat, const char *person,
    const char *message_id, const char *id)
{
	struct message *m = stage_press(stage_message_by(st, chat, person, id), message_id);

	buf_reset(&st->pressed);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
}

STAGE_TEST(the_first_press_counts_and_takes_the_buttons_away)
{
	stage_configure(t, st, TARGETS);
	ask(t, st);
	char *send = stage_button(st, 0, 2), *cancel = stage_button(st, 1, 2);
	assert_string_equal(st->edits.data, "");
	press(t, st, "7", "78", "1", send);
	assert_string_equal(st->pressed.data, "-\n");
	assert_has(st->edits.data, "Send (by Ann)");
	assert_has(st->shown.data, "5: the build \n");
	assert_has(st->shown.data, "6:  is green\n");
	assert_has(st->shown.data, "Sent to 2 of 2.");
	/* Once more, and the other one. */
	press(t, st, "7", "78", "1", send);
	assert_string_equal(st->pressed.data, "This is decided already.\n");
	press(t, st, "7", "78", "1", cancel);
	assert_string_equal(st->pressed.data, "This is decided already.\n");
	assert_int_equal(count_of(st->shown.data, "the build"), 2);
	free(send);
	free(cancel);
}

STAGE_TEST(two_presses_at_once_have_one_effect)
{
	struct message *m[2];

	stage_configure(t, st, TARGETS);
	ask(t, st);
	char *send = stage_button(st, 0, 2), *cancel = stage_button(st, 1, 2);
	m[0] = stage_press(stage_message_by(st, "7", "78", cancel), "1");
	m[1] = stage_press(stage_message_by(st, "7", "78", send), "1");
	stage_receive(t, st, m, 2);
	stage_settle(t, st);
	assert_int_equal(count_of(st->pressed.data, "This is decided already.\n"), 1);
	assert_int_equal(
	    count_of(st->shown.data, "the build") + count_of(st->shown.data, "Nothing was sent.") * 2, 2);
	free(send);
	free(cancel);
}

STAGE_TEST(other_presses_are_answered_and_do_nothing)
{
	stage_configure(t, st, TARGETS);
	ask(t, st);
	char *send = stage_button(st, 0, 2), *foreign = xasprintf("%.25spay", send);
	const struct {
		const char *chat, *person, *message_id, *id, *say;
	} presses[] = {
	    {"7", "99", "1", send, "You may not use this.\n"}, /* a stranger */
	    {"7", "77", "1", send, "This question is for someone else.\n"},
	    {"8", "78", "1", send, "This button does nothing any more.\n"},    /* another chat */
	    {"7", "78", "2", send, "This button does nothing any more.\n"},    /* another message */
	    {"7", "78", "1", foreign, "This button does nothing any more.\n"}, /* no choice of it */
	    {"7", "78", "1", "p:AAAAAAAAAAAAAAAAAAAAAA:send", "This button does nothing any more.\n"},
	    {"7", "78", "1", "p:", "This button does nothing any more.\n"},
	    {"7", "78", "1", "", "This button does nothing any more.\n"},
	    {"7", "78", "1", "s:AAAAAAAAAAAAAAAAAAAAAA", "This has ended already.\n"},
	};

	for (size_t i = 0; i < ARRAY_LEN(presses); i++) {
		press(t, st, presses[i].chat, presses[i].person, presses[i].message_id, presses[i].id);
		if (strcmp(st->pressed.data, presses[i].say) != 0)
			fail_msg("press %zu was answered: %s", i, st->pressed.data);
	}
	assert_string_equal(st->edits.data, "");
	assert_int_equal(count_of(st->shown.data, "the build"), 0);
	/* It stands still. */
	press(t, st, "7", "78", "1", send);
	assert_has(st->shown.data, "Sent to 2 of 2.");
	free(send);
	free(foreign);
}

STAGE_TEST(who_is_no_admin_any_more_cannot_press)
{
	stage_configure(t, st, TARGETS);
	ask(t, st);
	char *send = stage_button(st, 0, 2);
	struct config_strings admins = st->access.admins;
	static char bea[] = "78", *users[] = {bea};
	st->access.admins = (struct config_strings){0};
	st->access.allow = (struct config_strings){users, 1};
	press(t, st, "7", "78", "1", send);
	assert_string_equal(st->pressed.data, "You may no longer do this.\n");
	st->access.admins = admins;
	free(send);
}

STAGE_TEST(a_question_survives_a_restart)
{
	stage_configure(t, st, TARGETS);
	ask(t, st);
	char *send = stage_button(st, 0, 2);
	stage_close(t, st);
	stage_open(t, st);
	press(t, st, "7", "78", "1", send);
	assert_has(st->shown.data, "Sent to 2 of 2.");
	free(send);
}

/* The press is committed, and nothing has followed from it. */
static void crash_as_it_is_decided(struct stage *st, const char *what)
{
	if (strcmp(what, "press") == 0)
		stage_snapshot(st);
	st->hook = NULL;
}

STAGE_TEST(a_press_that_a_crash_cut_off_has_its_effect_once)
{
	struct message *m;

	stage_configure(t, st, TARGETS);
	ask(t, st);
	char *send = stage_button(st, 0, 2);
	m = stage_press(stage_message_by(st, "7", "78", send), "1");
	st->hook = crash_as_it_is_decided;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	buf_reset(&st->shown);
	stage_crash(t, st);
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "5: the build"), 1);
	assert_int_equal(count_of(st->shown.data, "6: the build"), 1);
	assert_has(st->shown.data, "Sent to 2 of 2.");
	/* And when all of it is there: nothing again. */
	stage_snapshot(st);
	buf_reset(&st->shown);
	stage_crash(t, st);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
	free(send);
}

static void all_are_old(const struct stage *st)
{
	char *path = xasprintf("%s/myna.db", st->dir);
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db, "UPDATE prompts SET expires_ms = created_ms + 1", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	free(path);
}

STAGE_TEST(a_question_ends_when_its_time_is_over)
{
	stage_configure(t, st, TARGETS);
	ask(t, st);
	char *send = stage_button(st, 0, 2);
	stage_close(t, st);
	all_are_old(st);
	stage_open(t, st);
	stage_until(t, strstr(st->edits.data, "Nobody answered in time."));
	press(t, st, "7", "78", "1", send);
	assert_string_equal(st->pressed.data, "It is too late to answer this.\n");
	assert_int_equal(count_of(st->shown.data, "the build"), 0);
	free(send);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_press_counts_and_takes_the_buttons_away),
	    cmocka_unit_test(two_presses_at_once_have_one_effect),
	    cmocka_unit_test(other_presses_are_answered_and_do_nothing),
	    cmocka_unit_test(who_is_no_admin_any_more_cannot_press),
	    cmocka_unit_test(a_question_survives_a_restart),
	    cmocka_unit_test(a_press_that_a_crash_cut_off_has_its_effect_once),
	    cmocka_unit_test(a_question_ends_when_its_time_is_over),
	};

	return cmocka_run_group_tests_name("prompt", tests, NULL, NULL);
}
