/* The reaction that stops a turn: whose, on what. */
#include <stdlib.h>
#include <string.h>

#include "bus/reaction.h"
#include "lib/stage.h"
#include "store/turn/turns.h"
#include "tools/tools.h"

static void react(
    struct task *t, struct stage *st, const char *chat, const char *person, const char *message_id)
{
	struct message *m = stage_message_by(st, chat, person, REACTION_STOP);

	m->kind = MESSAGE_PRESS;
	m->from.thread[0] = '\0'; /* platforms do not name it */
	free(m->message_id);
	m->message_id = xstrdup(message_id);
	stage_receive(t, st, &m, 1);
}

static void wait_for_pending(struct task *t, struct stage *st, int64_t pending)
{
	stage_until(t, stage_counts(t, st).inbox_pending == pending);
}

STAGE_TEST(on_the_message_that_is_answered_it_stops_like_the_command)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "second");
	stage_until(t, st->asking == 1);
	react(t, st, "7", "77", "m1");
	stage_await(t, st, 1);
	stage_until(t, st->asking == 1);
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: Stopped.\n7 >m2: re: second\n");
	assert_string_equal(st->pressed.data, "");
}

STAGE_TEST(of_others_and_on_other_messages_it_does_nothing)
{
	static const struct {
		const char *chat, *person, *message_id;
	} others[] = {
	    {"7", "78", "m1"}, {"7", "5", "m1"}, {"8", "77", "m1"}, {"7", "77", "m2"}, {"7", "77", "m9"}};

	st->held = true;
	stage_say(t, st, "7", "first");
	stage_say(t, st, "7", "second");
	stage_until(t, st->asking == 1);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		react(t, st, others[i].chat, others[i].person, others[i].message_id);
	wait_for_pending(t, st, 1); /* the second message */
	st->held = false;
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: re: first\n7 >m2: re: second\n");
	assert_string_equal(st->pressed.data, "");
}

STAGE_TEST(whoever_may_stop_does_so_on_the_answer_that_grows)
{
	struct store_turn turn = {0};
	struct error err;

	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	turn.id = 1;
	assert_int_equal(store_turn_preview(t, st->store, &turn, "p5", &err), 0);
	react(t, st, "7", "5", "p5");
	wait_for_pending(t, st, 0);
	assert_int_equal(st->asking, 1);
	react(t, st, "7", "78", "p5");
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
	assert_int_equal(stage_counts(t, st).inbox_pending, 0);
}

STAGE_TEST(in_a_thread_the_answer_goes_there)
{
	struct message *m = stage_message(st, "7", "first");

	str_copy(m->from.thread, sizeof(m->from.thread), "12");
	st->held = true;
	stage_receive(t, st, &m, 1);
	stage_until(t, st->asking == 1);
	react(t, st, "7", "77", "m1");
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7/12 >m1: Stopped.\n");
}

STAGE_TEST(what_waits_at_a_crash_stops_the_turn_that_it_meant)
{
	st->held = true;
	stage_say(t, st, "7", "first");
	stage_until(t, st->asking == 1);
	react(t, st, "7", "77", "m1");
	stage_snapshot(st);
	stage_crash(t, st);
	st->asked = 0;
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m1: Stopped.\n");
	assert_lacks(st->shown.data, "re: first");
	assert_int_equal(stage_lines(&st->shown), 1);
}

static void tone_and_style_do_not_count(void **state)
{
	(void)state;
	assert_true(reaction_is("👎", "👎"));
	assert_true(reaction_is("👎🏽", "👎"));
	assert_true(reaction_is("✋", "✋🏿"));
	assert_true(reaction_is("❤️", "❤"));
	assert_false(reaction_is("👍", "👎"));
	assert_false(reaction_is("", "👎"));
	assert_false(reaction_is("", ""));
	assert_false(reaction_is("👎", ""));
	assert_false(reaction_is("👎", NULL));
	assert_false(reaction_is(NULL, "👎"));
}

/* The tool: what it answers where no reaction can be put. */
STAGE_TEST(a_tool_says_why_it_cannot_react)
{
	struct message asked = {.message_id = (char *)(uintptr_t) "m1"};
	struct tool_call call = {
	    .tools = st->tools, .bus = st->bus, .chat = &(struct address){.channel = "chat", .chat = "7"}};
	bool is_error;

	char *text = tools_run(t, &call, "react", "{\"emoji\":\"👍\"}", &is_error);
	assert_has(text, "missing 'message_id'");
	free(text);
	call.asked = &asked;
	text = tools_run(t, &call, "react", "{\"emoji\":\"👍\"}", &is_error);
	assert_has(text, "\"cause\":\"PLATFORM\"");
	free(text);
	call.chat = NULL;
	text = tools_run(t, &call, "react", "{\"emoji\":\"👍\"}", &is_error);
	assert_has(text, "\"cause\":\"NO_CHAT\"");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(on_the_message_that_is_answered_it_stops_like_the_command),
	    cmocka_unit_test(of_others_and_on_other_messages_it_does_nothing),
	    cmocka_unit_test(whoever_may_stop_does_so_on_the_answer_that_grows),
	    cmocka_unit_test(in_a_thread_the_answer_goes_there),
	    cmocka_unit_test(what_waits_at_a_crash_stops_the_turn_that_it_meant),
	    cmocka_unit_test(tone_and_style_do_not_count),
	    cmocka_unit_test(a_tool_says_why_it_cannot_react),
	};

	return cmocka_run_group_tests_name("reaction", tests, NULL, NULL);
}
