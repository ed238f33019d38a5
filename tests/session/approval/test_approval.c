/* Calls that wait for a person's yes: what is shown, who decides, and what a crash, a stop or a change makes
 * of it. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "bus/buttons.h"
#include "lib/stage_press.h"

#define ASK  "approvals: { ask = [\"touch\"]; };"
#define CALL "c1 touch {\"what\":\"it\"}"

/* Ann, who is no admin, asks in the group 5; the model calls a tool that needs a yes, and then answers. */
static void ask(struct task *t, struct stage *st, const char *settings)
{
	stage_configure(t, st, settings);
	stage_play(st, {.calls = CALL}, {.text = "done"});
	stage_say_in_group(t, st, "5", "77", "go");
	stage_until(t, st->buttons);
}

static void press_at(struct task *t, struct stage *st, const char *chat, const char *person,
    const char *message_id, const char *id)
{
	struct message *m = stage_press(stage_group_message(st, chat, person, id), message_id);

	buf_reset(&st->pressed);
	stage_receive(t, st, &m, 1);
	stage_until(t, st->pressed.len > 0);
}

static void press(struct task *t, struct stage *st, const char *person, size_t i)
{
	char *id = stage_button(st, i, 2);

	press_at(t, st, "5", person, "1", id);
	free(id);
}

/* "/approve 1A2B3C4D" as it stands under the request, with other words after it; the caller's. */
static char *command(const struct stage *st, const char *name, const char *more)
{
	char *id = stage_button(st, 0, 2), *text;

	assert_int_equal(strlen(id), strlen("p:XXXXXXXX:allow"));
	id[10] = '\0';
	text = xasprintf("/%s %s%s", name, id + 2, more);
	free(id);
	return text;
}

static void give(struct task *t, struct stage *st, const char *chat, const char *person, const char *name,
    const char *more)
{
	char *text = command(st, name, more);

	stage_say_in_group(t, st, chat, person, text);
	free(text);
}

static void change(const char *dir, const char *sql)
{
	char *path = xasprintf("%s/myna.db", dir);
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	free(path);
}

STAGE_TEST(what_is_shown_runs_after_a_yes_and_not_before)
{
	ask(t, st, ASK);
	assert_has(st->shown.data, "May I run touch?");
	assert_has(st->shown.data, "Asked by Ann (77).");
	assert_has(st->shown.data,
	    "{\n  \"arguments\": {\n    \"what\": \"it\"\n  },\n  \"tool\": \"touch\",\n  \"workspace\": ");
	assert_has(st->shown.data, "within 10 min.");
	assert_int_equal(stage_counts(t, st).approvals_open, 1);
	stage_calm(t, st);
	assert_string_equal(st->ran.data, "");
	press(t, st, "78", 0);
	assert_string_equal(st->pressed.data, "-\n");
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	assert_has(st->heard.data, "tool c1: {\"seen\":\"it\"}");
	assert_has(st->edits.data, "Allow (by Ann)");
	assert_has(st->shown.data, ": done\n");
	assert_int_equal(stage_counts(t, st).approvals_open, 0);
	assert_int_equal(
	    stage_number(st,
		"SELECT count(*) FROM prompts WHERE decider = '78' AND way = 'button' AND ended_ms > 0 AND "
		"choice = 'allow' AND length(hash) = 64 AND data LIKE '%\"what\": \"it\"%'"),
	    1);
}

STAGE_TEST(a_wait_for_a_yes_costs_nothing)
{
	ask(t, st, ASK);
	stage_rest(t);
	/* Nor after somebody who does not decide it. */
	press(t, st, "77", 0);
	stage_rest(t);
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	stage_rest(t);
}

/* Who waits for a person holds nobody up. */
STAGE_TEST(others_are_answered_while_a_request_stands)
{
	st->turns_at_once = 1;
	ask(t, st, ASK);
	stage_play(st, {.text = "hello"}, {.text = "done"});
	stage_say(t, st, "8", "hi");
	stage_until(t, strstr(st->shown.data, "8 >m2: hello"));
	/* The turn goes on when there is a slot again. */
	st->held = true;
	stage_say(t, st, "8", "and now");
	stage_until(t, st->asking == 1);
	press(t, st, "78", 0);
	stage_calm(t, st);
	assert_string_equal(st->ran.data, "");
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	assert_int_equal(stage_number(st, "SELECT count(*) FROM turns WHERE state = 1"), 3);
}

/* Also with a stop, the slot is the turn's again when it ends. */
STAGE_TEST(a_stop_ends_the_wait_of_a_turn_without_a_slot)
{
	st->turns_at_once = 1;
	ask(t, st, ASK);
	st->held = true;
	stage_say(t, st, "8", "hi");
	stage_until(t, st->asking == 1);
	stage_say_in_group(t, st, "5", "77", "/stop");
	stage_until(t, strstr(st->edits.data, "This is no longer needed."));
	st->held = false;
	stage_settle(t, st);
	stage_say(t, st, "8", "and now");
	stage_settle(t, st);
	assert_has(st->shown.data, "8 >m4: re: and now");
	assert_int_equal(st->max_asking, 1);
}

STAGE_TEST(nothing_is_asked_where_nothing_is_set)
{
	stage_play(st, {.calls = CALL}, {.text = "done"});
	stage_say_in_group(t, st, "5", "77", "go");
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	assert_null(st->buttons);
}

STAGE_TEST(a_no_with_its_reason_is_told_and_nothing_runs)
{
	ask(t, st, ASK);
	give(t, st, "5", "78", "reject", " not on a Friday");
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "tool c1!: {\"error\":\"A person said no.");
	assert_has(st->heard.data, "\"error_code\":\"BLOCKED\"");
	assert_has(st->heard.data, "\"cause\":\"DECLINED\",\"reason\":\"not on a Friday\"");
	assert_has(st->shown.data, "Rejected.");
	assert_has(st->edits.data, "Reject (by Ann)");
	assert_has(st->shown.data, ": done\n");
	assert_int_equal(stage_number(st,
			     "SELECT count(*) FROM prompts WHERE decider = '78' AND way = 'command' AND "
			     "choice = 'reject' AND reason = 'not on a Friday'"),
	    1);
}

STAGE_TEST(the_command_allows_while_the_turn_runs_however_it_is_typed)
{
	ask(t, st, ASK);
	char *text = command(st, "approve", "");
	for (char *p = text; *p; p++)
		*p |= *p >= 'A' && *p <= 'Z' ? 32 : 0;
	stage_say_in_group(t, st, "5", "78", text);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	assert_has(st->shown.data, "Allowed.");
	/* Again, and against. */
	stage_say_in_group(t, st, "5", "78", text);
	stage_settle(t, st);
	assert_has(st->shown.data, "This is decided already.");
	press(t, st, "78", 1);
	assert_string_equal(st->pressed.data, "This is decided already.\n");
	assert_string_equal(st->ran.data, "+it -it ");
	free(text);
}

STAGE_TEST(others_are_answered_and_decide_nothing)
{
	ask(t, st, ASK);
	char *allow = stage_button(st, 0, 2);
	press(t, st, "77", 0);
	assert_string_equal(st->pressed.data, "Only people who may approve can decide this.\n");
	press(t, st, "99", 0);
	assert_string_equal(st->pressed.data, "You may not use this.\n");
	press_at(t, st, "6", "78", "1", allow);
	assert_string_equal(st->pressed.data, "This button does nothing any more.\n");
	press_at(t, st, "5", "78", "2", allow);
	assert_string_equal(st->pressed.data, "This button does nothing any more.\n");
	give(t, st, "5", "77", "approve", "");
	stage_until(t, strstr(st->shown.data, "Only people who may approve can decide this."));
	give(t, st, "6", "78", "approve", "");
	stage_until(t, strstr(st->shown.data, "6 >m7: No call with this id waits for approval here."));
	stage_say_in_group(t, st, "5", "78", "/approve 00000000");
	stage_until(t, strstr(st->shown.data, "5 >m8: No call with this id waits for approval here."));
	/* What was written before, changed into a yes. */
	char *text = command(st, "approve", "");
	struct message *edit = stage_group_message(st, "5", "78", text);
	edit->kind = MESSAGE_EDIT;
	stage_receive(t, st, &edit, 1);
	stage_calm(t, st);
	assert_string_equal(st->ran.data, "");
	assert_int_equal(stage_counts(t, st).approvals_open, 1);
	assert_string_equal(st->edits.data, "");
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	free(text);
	free(allow);
}

STAGE_TEST(approvers_of_the_settings_take_the_place_of_admins)
{
	ask(t, st, "approvals: { ask = [\"t*\"]; approvers = [\"chat:77\"]; };");
	press(t, st, "78", 0);
	assert_string_equal(st->pressed.data, "Only people who may approve can decide this.\n");
	press(t, st, "77", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
}

STAGE_TEST(who_came_to_the_list_later_cannot_decide_what_was_asked_before)
{
	ask(t, st, "approvals: { ask = [\"touch\"]; approvers = [\"chat:78\"]; };");
	stage_configure(t, st, "approvals: { ask = [\"touch\"]; approvers = [\"chat:77\"]; };");
	stage_play(st, {.text = "done"});
	press(t, st, "77", 0);
	assert_string_equal(st->pressed.data, "Only people who may approve can decide this.\n");
	press(t, st, "78", 0);
	assert_string_equal(st->pressed.data, "Only people who may approve can decide this.\n");
	assert_string_equal(st->ran.data, "");
}

STAGE_TEST(two_decisions_at_once_are_one)
{
	struct message *m[2];

	ask(t, st, ASK);
	char *allow = stage_button(st, 0, 2), *no = command(st, "reject", "");
	m[0] = stage_group_message(st, "5", "78", no);
	m[1] = stage_press(stage_group_message(st, "5", "78", allow), "1");
	stage_receive(t, st, m, 2);
	stage_settle(t, st);
	stage_until(t, st->pressed.len > 0);
	bool allowed = !strstr(st->pressed.data, "decided already");
	assert_string_equal(st->ran.data, allowed ? "+it -it " : "");
	assert_has(st->shown.data, allowed ? "This is decided already." : "Rejected.");
	free(allow);
	free(no);
}

static void no_more_time(struct stage *st)
{
	change(st->dir, "UPDATE prompts SET expires_ms = created_ms + 1");
}

STAGE_TEST(no_answer_in_time_is_a_no)
{
	ask(t, st, ASK);
	stage_close(t, st);
	no_more_time(st);
	stage_play(st, {.text = "done"});
	stage_open(t, st);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data,
	    "\"error_code\":\"BLOCKED\",\"context\":{\"tool\":\"touch\",\"cause\":\"NO_ANSWER\"");
	stage_until(t, strstr(st->edits.data, "Nobody answered in time."));
	press(t, st, "78", 0);
	assert_string_equal(st->pressed.data, "It is too late to answer this.\n");
	give(t, st, "5", "78", "approve", "");
	stage_settle(t, st);
	assert_has(st->shown.data, "It is too late");
	assert_string_equal(st->ran.data, "");
	assert_int_equal(
	    stage_number(st, "SELECT count(*) FROM prompts WHERE way = 'timeout' AND decider IS NULL"), 1);
}

STAGE_TEST(a_stop_ends_the_wait_and_takes_the_buttons_away)
{
	ask(t, st, ASK);
	stage_say_in_group(t, st, "5", "77", "/stop");
	stage_settle(t, st);
	stage_until(t, strstr(st->edits.data, "This is no longer needed."));
	assert_string_equal(st->ran.data, "");
	press(t, st, "78", 0);
	assert_string_equal(st->pressed.data, "It is too late to answer this.\n");
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	char *kept = stage_transcript(t, st, "5");
	assert_has(kept, "The turn was stopped before this began.");
	free(kept);
	assert_int_equal(stage_counts(t, st).approvals_open, 0);
	/* The chat goes on. */
	stage_play(st, {.text = "again"});
	stage_say_in_group(t, st, "5", "77", "and now");
	stage_settle(t, st);
	assert_has(st->shown.data, ": again\n");
}

STAGE_TEST(the_same_request_stands_after_a_crash)
{
	ask(t, st, ASK);
	stage_until(t, stage_counts(t, st).outbox_queued == 0);
	stage_snapshot(st);
	stage_play(st, {.text = "done"});
	buf_reset(&st->shown);
	stage_crash(t, st);
	stage_calm(t, st);
	/* Nothing is asked again, and nothing runs. */
	assert_string_equal(st->shown.data, "");
	assert_string_equal(st->ran.data, "");
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	assert_has(st->heard.data, "tool c1: {\"seen\":\"it\"}");
}

STAGE_TEST(no_number_of_crashes_while_it_waits_is_the_fault_of_its_turn)
{
	ask(t, st, ASK);
	stage_until(t, stage_counts(t, st).outbox_queued == 0);
	stage_play(st, {.text = "done"});
	for (unsigned i = 0; i < 5; i++) {
		stage_until(t, stage_number(st, "SELECT attempts FROM turns WHERE state = 0") == 0);
		stage_crash(t, st);
	}
	stage_until(t, stage_number(st, "SELECT attempts FROM turns WHERE state = 0") == 0);
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
}

/* The decision is committed, and nothing has followed from it. */
static void crash_as_it_is_decided(struct stage *st, const char *what)
{
	if (strcmp(what, "press") != 0)
		return;
	stage_snapshot(st);
	st->hook = NULL;
}

STAGE_TEST(a_yes_that_a_crash_came_after_counts_and_runs_once)
{
	ask(t, st, ASK);
	st->hook = crash_as_it_is_decided;
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	buf_reset(&st->ran);
	stage_play(st, {.text = "done"});
	stage_crash(t, st);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
}

static void crash_as_it_runs(struct stage *st, const char *what)
{
	if (strcmp(what, "it") != 0)
		return;
	stage_snapshot(st);
	st->hook = NULL;
}

STAGE_TEST(what_had_begun_is_never_run_again_and_its_yes_was_committed_before)
{
	ask(t, st, ASK);
	st->hook = crash_as_it_runs;
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_int_equal(
	    stage_snapshot_number(st, "SELECT count(*) FROM prompts WHERE state = 1 AND choice = 'allow'"),
	    1);
	assert_int_equal(
	    stage_snapshot_number(st, "SELECT count(*) FROM calls WHERE call_id = 'c1' AND finished = 0"), 1);
	buf_reset(&st->ran);
	stage_play(st, {.text = "done"});
	stage_crash(t, st);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "\"cause\":\"UNKNOWN_OUTCOME\"");
}

STAGE_TEST(what_changed_after_the_yes_does_not_run)
{
	ask(t, st, ASK);
	st->hook = crash_as_it_is_decided;
	press(t, st, "78", 0);
	stage_settle(t, st);
	buf_reset(&st->ran);
	change(st->snapshot,
	    "UPDATE transcript SET calls = replace(calls, 'it', 'other') WHERE calls LIKE '%touch%'");
	stage_play(st, {.text = "done"});
	stage_crash(t, st);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "\"cause\":\"CHANGED\"");
}

STAGE_TEST(what_changed_while_it_was_asked_does_not_run)
{
	ask(t, st, ASK);
	stage_close(t, st);
	change(st->dir,
	    "UPDATE transcript SET calls = replace(calls, 'it', 'other') WHERE calls LIKE '%touch%'");
	stage_play(st, {.text = "done"});
	stage_open(t, st);
	stage_settle(t, st);
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "\"cause\":\"CHANGED\"");
}

STAGE_TEST(it_can_be_asked_in_another_chat_and_the_first_one_is_told)
{
	ask(t, st, "targets: { ops = [\"chat:9\"]; }; approvals: { ask = [\"touch\"]; chat = \"ops\"; };");
	assert_has(st->shown.data,
	    "5 >m1: I wait for the approval of a call of touch, for which I asked elsewhere.");
	stage_until(t,
	    strstr(st->shown.data, "\n9: **May I run touch?**") ||
		strncmp(st->shown.data, "9: **May", 8) == 0);
	assert_has(st->shown.data, "Asked by Ann (77) in chat:5.");
	char *allow = stage_button(st, 0, 2);
	press_at(t, st, "5", "78", "1", allow);
	assert_string_equal(st->pressed.data, "This button does nothing any more.\n");
	give(t, st, "5", "78", "approve", "");
	stage_until(t, strstr(st->shown.data, "No call with this id waits for approval here."));
	assert_string_equal(st->ran.data, "");
	press_at(t, st, "9", "78", "1", allow);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	free(allow);
}

/* Person 77 is an admin of the group 9 alone. */
static void make_admin_of_9(struct stage *st)
{
	static char ann[] = "77", nine[] = "9", *admins[] = {ann};
	static struct access_group_settings group = {.chat = nine, .admins = {admins, 1}};

	st->access.groups = &group;
	st->access.group_count = 1;
}

STAGE_TEST(an_admin_of_one_group_does_not_decide_for_other_chats)
{
	make_admin_of_9(st);
	ask(t, st, "targets: { ops = [\"chat:9\"]; }; approvals: { ask = [\"touch\"]; chat = \"ops\"; };");
	char *allow = stage_button(st, 0, 2);
	press_at(t, st, "9", "77", "1", allow);
	assert_string_equal(
	    st->pressed.data, "Another chat asks this: only admins of the whole channel can decide it.\n");
	give(t, st, "9", "77", "approve", "");
	stage_until(t, strstr(st->shown.data, "9 >m3: Another chat asks this: only admins of the whole"));
	assert_string_equal(st->ran.data, "");
	press_at(t, st, "9", "78", "1", allow);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	free(allow);
}

STAGE_TEST(an_admin_of_one_group_decides_what_it_asks_itself)
{
	make_admin_of_9(st);
	stage_configure(
	    t, st, "targets: { ops = [\"chat:9\"]; }; approvals: { ask = [\"touch\"]; chat = \"ops\"; };");
	stage_play(st, {.calls = CALL}, {.text = "done"});
	stage_say_in_group(t, st, "9", "78", "go");
	stage_until(t, st->buttons);
	char *allow = stage_button(st, 0, 2);
	press_at(t, st, "9", "77", "1", allow);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+it -it ");
	free(allow);
}

STAGE_TEST(where_nobody_may_say_yes_the_model_is_told)
{
	stage_configure(t, st, ASK);
	stage_play(st, {.calls = CALL}, {.text = "done"});
	stage_say(t, st, "7", "go"); /* Ann's private chat */
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "\"error_code\":\"NEEDS_CONFIRMATION\"");
	assert_has(st->heard.data, "\"needs_confirmation\":true");
	assert_null(st->buttons);
	/* Without sessions there is nobody either. */
	stage_play(st, {.calls = CALL}, {.text = "done"});
	stage_ask(t, st, "8", "go");
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "NEEDS_CONFIRMATION");
}

STAGE_TEST(a_question_that_cannot_be_written_is_a_no)
{
	stage_configure(t, st, "approvals: { ask = [\"touch\"]; chat = \"gone:9\"; };");
	stage_play(st, {.calls = CALL}, {.text = "done"});
	stage_say_in_group(t, st, "5", "77", "go");
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "\"error_code\":\"NEEDS_CONFIRMATION\"");
	assert_has(st->log.data, "cannot be asked: There is no channel named gone.");
	assert_has(st->shown.data, ": done\n");
	assert_int_equal(stage_counts(t, st).approvals_open, 0);
}

STAGE_TEST(calls_of_one_reply_are_asked_one_by_one_and_others_run)
{
	stage_configure(t, st, ASK);
	stage_play(st,
	    {.calls = "c1 look {\"what\":\"a\"}\nc2 touch {\"what\":\"b\"}\nc3 touch {\"what\":\"c\"}\nc4 "
		      "look {\"what\":\"d\"}"},
	    {.text = "done"});
	stage_say_in_group(t, st, "5", "77", "go");
	stage_until(t, st->buttons);
	assert_string_equal(st->ran.data, "+a -a ");
	char *first = xstrdup(st->buttons);
	press(t, st, "78", 1);
	stage_until(t, strcmp(st->buttons, first) != 0);
	press(t, st, "78", 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+a -a +c -c +d -d ");
	free(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_shown_runs_after_a_yes_and_not_before),
	    cmocka_unit_test(a_wait_for_a_yes_costs_nothing),
	    cmocka_unit_test(others_are_answered_while_a_request_stands),
	    cmocka_unit_test(a_stop_ends_the_wait_of_a_turn_without_a_slot),
	    cmocka_unit_test(nothing_is_asked_where_nothing_is_set),
	    cmocka_unit_test(a_no_with_its_reason_is_told_and_nothing_runs),
	    cmocka_unit_test(the_command_allows_while_the_turn_runs_however_it_is_typed),
	    cmocka_unit_test(others_are_answered_and_decide_nothing),
	    cmocka_unit_test(approvers_of_the_settings_take_the_place_of_admins),
	    cmocka_unit_test(who_came_to_the_list_later_cannot_decide_what_was_asked_before),
	    cmocka_unit_test(two_decisions_at_once_are_one),
	    cmocka_unit_test(no_answer_in_time_is_a_no),
	    cmocka_unit_test(a_stop_ends_the_wait_and_takes_the_buttons_away),
	    cmocka_unit_test(the_same_request_stands_after_a_crash),
	    cmocka_unit_test(no_number_of_crashes_while_it_waits_is_the_fault_of_its_turn),
	    cmocka_unit_test(a_yes_that_a_crash_came_after_counts_and_runs_once),
	    cmocka_unit_test(what_had_begun_is_never_run_again_and_its_yes_was_committed_before),
	    cmocka_unit_test(what_changed_after_the_yes_does_not_run),
	    cmocka_unit_test(what_changed_while_it_was_asked_does_not_run),
	    cmocka_unit_test(it_can_be_asked_in_another_chat_and_the_first_one_is_told),
	    cmocka_unit_test(an_admin_of_one_group_does_not_decide_for_other_chats),
	    cmocka_unit_test(an_admin_of_one_group_decides_what_it_asks_itself),
	    cmocka_unit_test(where_nobody_may_say_yes_the_model_is_told),
	    cmocka_unit_test(a_question_that_cannot_be_written_is_a_no),
	    cmocka_unit_test(calls_of_one_reply_are_asked_one_by_one_and_others_run),
	};

	return cmocka_run_group_tests_name("approval", tests, NULL, NULL);
}
